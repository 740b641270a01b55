"""A playing motion, cut where points are planted or lifted: the data that locks need about it.

The contacts among the motion's marks, which clip operators preserve, define which points are planted. A piece lasts
from one such cut to the next.
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
"""Number of instants of a contact at which the height of its point is sampled."""
LOOKED_AT = 1.0
"""Seconds from the beginning of a contact within which these instants lie."""


@dataclass(frozen=True, eq=False)
class Played:
    """A playing motion.

    Parameters
    ----------
    name : name of its player.
    motion : the motion, with its marks.
    points : names of the points that can be planted, in the order of their bits.
    channels : channels of its rows.
    calm : time in seconds from which the last command is fully in effect; before that it counts as a transition.
    values : function that returns rows (T, width) of the motion at times (T,).
    """

    name: str
    motion: Motion
    points: tuple[str, ...]
    channels: Channels
    calm: float
    values: Callable[[Array], Array]

    def contacts(self, begin: float, end: float) -> list[tuple[int, float, float]]:
        """Return bit, begin and end of the contacts that overlap the seconds from `begin` to `end`."""
        marks = [mark for mark in self.motion.marks_within(begin, end) if mark.kind == "contact"]
        known = {name: 1 << index for index, name in enumerate(self.points)}
        return [(known[mark.name], mark.start, mark.end) for mark in marks if mark.name in known]


@dataclass(frozen=True, eq=False)
class MotionMoment:
    """The state of a playing motion at one time: an `Instant`.

    Parameters
    ----------
    time : time in seconds.
    played : the motion.
    """

    time: float
    played: Played

    @property
    def name(self) -> str:
        """Name of the motion's player."""
        return self.played.name

    @property
    def crossing(self) -> float:
        """Seconds until the last command is fully in effect."""
        return max(self.played.calm - self.time, 0.0)

    def left(self, point: int) -> float:
        """Return the seconds for which a planted point will stay planted; infinite if this is very long."""
        return max((end - self.time for bit, end in self._stands() if bit == 1 << point), default=0.0)

    def ground(self, bit: int, row: Array, height_of: Callable[[Array], float]) -> tuple[float, float]:
        """Return clearance and drop of a point that becomes planted: its typical height, and its excess over that."""
        end = max((end for own, end in self._stands() if own == bit), default=self.time)
        times = np.linspace(self.time, min(end, self.time + LOOKED_AT), SAMPLES)
        stands = float(np.median([height_of(one) for one in self.played.values(times)]))
        return stands, height_of(row) - stands

    def standing(self) -> int:
        """Return the bits of the planted points."""
        return sum({bit for bit, _ in self._stands()})

    def _stands(self) -> list[tuple[int, float]]:
        """Return the bits of the planted points, and the ends of their contacts."""
        late = self.time + LONGEST
        found = self.played.contacts(self.time, late)
        inside = [(bit, end) for bit, begin, end in found if begin <= self.time + NEARLY < end]
        return [(bit, math.inf if end >= late - NEARLY else end) for bit, end in inside]


@dataclass(frozen=True, eq=False)
class MotionPiece:
    """A piece of a playing motion with constant planted points: a `Span`.

    Parameters
    ----------
    begin : its beginning.
    until : time in seconds at which it ends.
    planned : time in seconds at which it would end without further commands.
    standing : bits of the planted points.
    over : overlay of its rows.
    """

    begin: MotionMoment
    until: float
    planned: float
    standing: int
    over: Overlay | None = None

    @property
    def times(self) -> tuple[float, float]:
        """Times in seconds at which it begins and ends."""
        return self.begin.time, self.until

    @property
    def ends(self) -> tuple[float]:
        """Time in seconds at which it would end without further commands."""
        return (self.planned,)

    @property
    def way(self) -> object:
        """Object that identifies the piece; only its copies that are cut or under another overlay share it."""
        return self.begin

    def of(self, time: float) -> "MotionPiece":
        """Return the step at a time within it, which is the piece itself."""
        return self

    def follows(self, before: "MotionPiece") -> bool:
        """Return whether its first row is known to equal the last row of the piece `before`, up to rounding."""
        return False

    def moment(self, time: float) -> MotionMoment:
        """Return the state at a time within it."""
        return replace(self.begin, time=max(time, self.begin.time))

    def under(self, over: Overlay | None) -> "MotionPiece":
        """Return it with another overlay of its rows."""
        return replace(self, over=over)

    def cut(self, time: float) -> "MotionPiece":
        """Return it shortened to end at `time`."""
        return replace(self, until=time)


def motion_piece(played: Played, time: float, over: Overlay | None) -> MotionPiece:
    """Return the piece of a motion that begins at `time`, with an overlay."""
    begin, late = MotionMoment(time, played), time + LONGEST
    edges = [played.calm, late, *(edge for _, *ends in played.contacts(time, late) for edge in ends)]
    until = min(edge for edge in edges if edge > time + NEARLY)
    return MotionPiece(begin, until, until, begin.standing(), over)


def rows_of_motions(pieces: Sequence[MotionPiece], which: NDArray[np.intp], times: Array) -> Rows:
    """Return the rows at `times` (T,), each in its own piece of one or many players with the same channels.

    Parameters
    ----------
    pieces : the pieces.
    which : (T,) index of the piece of each time.
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
    """A prediction of a playing motion without further commands: a `Foresight`.

    Parameters
    ----------
    piece : piece that plays at `time`.
    time : time in seconds from which to look ahead.
    """

    def __init__(self, piece: MotionPiece, time: float) -> None:
        self._piece, self._time = piece, time

    def until_stands(self, bit: int, within: float = LONGEST) -> float | None:
        """Return when the point of `bit` is next planted, in seconds; None if not `within` the given seconds."""
        found = self._piece.begin.played.contacts(self._time, self._time + within)
        return min((begin for own, begin, _ in found if own == bit and begin > self._time + NEARLY), default=None)

    def at(self, time: float) -> MotionMoment:
        """Return the state at a time."""
        return self._piece.moment(time)

    def rows(self, times: Array) -> Array:
        """Return rows (T, width), without locks, at `times` (T,)."""
        return rows_of_motions([self._piece], np.zeros(len(times), dtype=np.intp), times).values
