"""A motion that is played, cut where points come to stand or leave: what locks need to know of it.

Which points stand is told by the contacts among the motion's marks, which operators on clips carry along. A piece goes
from one such cut to the next one.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..graph.overlay import Below, Overlay
from ..motion.clip import Motion
from .adverb_smoothing import NEARLY
from .look_ahead import LONGEST
from .piece_rows import Rows

Array = NDArray[np.float64]

SAMPLES = 17
"""Instants of a contact at which is looked how high its point is."""
LOOKED_AT = 1.0
"""Seconds of a contact, from its beginning on, in which they lie."""


@dataclass(frozen=True, eq=False)
class Played:
    """A motion that is played.

    Parameters
    ----------
    name : what plays it.
    motion : the motion, with its marks.
    points : names of the points that can stand, in the order of their bits.
    channels : of its rows.
    calm : seconds from which on it does what was asked for last; before that it counts as a transition.
    values : returns rows (T, width) of the motion at times (T,).
    """

    name: str
    motion: Motion
    points: tuple[str, ...]
    channels: Channels
    calm: float
    values: Callable[[Array], Array]

    def contacts(self, begin: float, end: float) -> list[tuple[int, float, float]]:
        """Return bit, begin and end of the contacts that touch the seconds from `begin` to `end`."""
        marks = [mark for mark in self.motion.marks_within(begin, end) if mark.kind == "contact"]
        known = {name: 1 << index for index, name in enumerate(self.points)}
        return [(known[mark.name], mark.start, mark.end) for mark in marks if mark.name in known]


@dataclass(frozen=True, eq=False)
class MotionMoment:
    """The state of a motion that is played at one time: an `Instant`.

    Parameters
    ----------
    time : seconds.
    played : the motion.
    """

    time: float
    played: Played

    @property
    def name(self) -> str:
        """What plays."""
        return self.played.name

    @property
    def crossing(self) -> float:
        """Seconds until it does what was asked for last."""
        return max(self.played.calm - self.time, 0.0)

    def left(self, point: int) -> float:
        """Return the seconds for which a point that stands will go on standing; infinite if it is very long."""
        return max((end - self.time for bit, end in self._stands() if bit == 1 << point), default=0.0)

    def ground(self, bit: int, row: Array, height_of: Callable[[Array], float]) -> tuple[float, float]:
        """Return clearance and drop of a point that comes to stand: to the height that it mostly has while it does."""
        end = max((end for own, end in self._stands() if own == bit), default=self.time)
        times = np.linspace(self.time, min(end, self.time + LOOKED_AT), SAMPLES)
        stands = float(np.median([height_of(one) for one in self.played.values(times)]))
        return stands, height_of(row) - stands

    def standing(self) -> int:
        """Return the bits of the points that stand."""
        return sum({bit for bit, _ in self._stands()})

    def _stands(self) -> list[tuple[int, float]]:
        """Return the bits of the points that stand, and until when they do."""
        late = self.time + LONGEST
        found = self.played.contacts(self.time, late)
        inside = [(bit, end) for bit, begin, end in found if begin <= self.time + NEARLY < end]
        return [(bit, math.inf if end >= late - NEARLY else end) for bit, end in inside]


@dataclass(frozen=True, eq=False)
class MotionPiece:
    """A piece of a motion that is played, in which the same points stand: a `Span`.

    Parameters
    ----------
    begin : its beginning.
    until, planned : seconds at which it ends, and would end if nothing were asked for before.
    standing : bits of the points that stand.
    over : what is laid over its rows.
    """

    begin: MotionMoment
    until: float
    planned: float
    standing: int
    over: Overlay | None = None

    @property
    def times(self) -> tuple[float, float]:
        """Seconds at which it begins and ends."""
        return self.begin.time, self.until

    @property
    def ends(self) -> tuple[float]:
        """Seconds at which it would end if nothing were asked for before."""
        return (self.planned,)

    @property
    def way(self) -> object:
        """What it shares with nothing but itself, cut or under something else."""
        return self.begin

    def of(self, time: float) -> "MotionPiece":
        """Return its step of a time within it, which is itself."""
        return self

    def follows(self, before: "MotionPiece") -> bool:
        """Whether its first row is known to be the last one of a piece `before`, but for rounding."""
        return False

    def moment(self, time: float) -> MotionMoment:
        """Return the state at a time within it."""
        return replace(self.begin, time=max(time, self.begin.time))

    def under(self, over: Overlay | None) -> "MotionPiece":
        """Return it with something else laid over its rows."""
        return replace(self, over=over)

    def cut(self, time: float) -> "MotionPiece":
        """Return it shortened to end at `time`."""
        return replace(self, until=time)


def motion_piece(played: Played, time: float, over: Overlay | None) -> MotionPiece:
    """Return the piece of a motion that begins at `time`, with something laid over it."""
    begin, late = MotionMoment(time, played), time + LONGEST
    edges = [played.calm, late, *(edge for _, *ends in played.contacts(time, late) for edge in ends)]
    until = min(edge for edge in edges if edge > time + NEARLY)
    return MotionPiece(begin, until, until, begin.standing(), over)


def rows_of_motions(pieces: Sequence[MotionPiece], which: NDArray[np.intp], times: Array) -> Rows:
    """Return the rows at `times` (T,), each in its own piece of one player or of many with the same channels.

    Parameters
    ----------
    pieces, which : pieces, and the index (T,) of that of each time.
    times : (T,) seconds.
    """
    level, parts = np.zeros(len(times)), dict[int, Array]()
    order: list[int] = which.tolist()
    for index in dict.fromkeys(order):
        own, piece = times[which == index], pieces[index]
        rows = piece.begin.played.values(own)
        if piece.over is not None:
            flat, phases, alone = np.zeros(len(own)), np.zeros((2, len(own))), np.ones(len(own))
            rows = piece.over.laid(Below(piece.begin.played.channels, own, rows, flat, phases, alone))
        parts[index] = rows
    values = np.empty((len(times), next(iter(parts.values())).shape[1]))
    for index, rows in parts.items():
        values[which == index] = rows
    return Rows(values, level, np.zeros(len(times)))


class MotionAhead:
    """What a motion that is played will show if nothing more is asked for: a `Foresight`.

    Parameters
    ----------
    piece : that plays at `time`.
    time : seconds from which to look ahead.
    """

    def __init__(self, piece: MotionPiece, time: float) -> None:
        self._piece, self._time = piece, time

    def until_stands(self, bit: int, within: float = LONGEST) -> float | None:
        """Return when the point of `bit` comes to stand next, in seconds; None if not `within` so many seconds."""
        found = self._piece.begin.played.contacts(self._time, self._time + within)
        return min((begin for own, begin, _ in found if own == bit and begin > self._time + NEARLY), default=None)

    def at(self, time: float) -> MotionMoment:
        """Return the state at a time."""
        return self._piece.moment(time)

    def rows(self, times: Array) -> Array:
        """Return rows (T, width), without locks, at `times` (T,)."""
        return rows_of_motions([self._piece], np.zeros(len(times), dtype=np.intp), times).values
