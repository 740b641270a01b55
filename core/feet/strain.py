"""Whether joints would turn too fast to hold points, judged for the pieces of many players in one computation."""

from collections.abc import Generator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..play.adverb_smoothing import ROUNDING
from ..play.player import Span
from .easing_curves import LEAST_GAP
from .lock_release_step_home import FootLocks, strained

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
Done = TypeVar("Done")

SHORT = 0.02
"""Longest piece, in seconds, at whose beginning points may be let go."""
LATER = 1e-6
"""Seconds after which a piece has begun: what is commanded at its beginning has happened by then."""


class Doubt(NamedTuple):
    """A step of a piece in which points may have to be let go: its begin, and its end as it was planned, in seconds.

    What is asked for later may cut a step. That does not count: it is judged when it begins.
    """

    piece: Span
    begin: float
    end: float

    @property
    def key(self) -> tuple[int, float]:
        """What tells it from all other steps of the same pieces."""
        return id(self.piece), self.begin

    @property
    def is_short(self) -> bool:
        """Whether it is as short as those in which adverbs sweep: at its beginning points may be let go."""
        return LEAST_GAP < self.end - (self.begin + LATER) <= SHORT and not self.piece.begin.crossing

    def goes_on_from(self, other: "Doubt") -> bool:
        """Whether it begins where another one was to end, or before, and the same points stand."""
        return self.begin - other.end < LATER and self.piece.standing == other.piece.standing


def steps_of(piece: Span) -> list[Doubt]:
    """Return the steps of a piece."""
    return [Doubt(piece, begin, end) for begin, end in zip(piece.times[:-1], piece.ends, strict=True)]


class Knots(NamedTuple):
    """The ends of some steps, between which it is judged whether points can be held in them.

    Where one step goes on from the one before, and nothing has cut that, its end is the beginning.

    Parameters
    ----------
    steps, firsts : (n,) the steps, and the index of the knot at the beginning of each; that at its end is the next.
    spans, times : (m,) a piece in which each knot lies, and its seconds.
    """

    steps: Sequence[Doubt]
    firsts: Sequence[int]
    spans: Sequence[Span]
    times: Sequence[float]


def have_same_row(step: Span, time: float, other: Span, then: float) -> bool:
    """Whether the row of a step at a time is known to be that of another step at its time, but for rounding."""
    return abs(time - then) < ROUNDING and (step.way is other.way or step.follows(other))


def knots_of(steps: Sequence[Doubt]) -> Knots:
    """Return the ends of some steps, given in order."""
    firsts, spans, times = list[int](), list[Span](), list[float]()
    for piece, begin, end in steps:
        step = piece.of(begin)
        if not spans or abs(times[-1] - begin) > ROUNDING or not step.follows(spans[-1]):
            spans.append(step)
            times.append(begin)
        firsts.append(len(times) - 1)
        spans.append(step)
        times.append(end)
    return Knots(steps, firsts, spans, times)


class Strain(NamedTuple):
    """Asks in which of some spans joints would turn too fast to hold which points of a player.

    Parameters
    ----------
    kind : equal for players that can be judged together.
    locks : of the player, which are the same in all the spans.
    times : (m,) seconds of the ends of spans.
    rows : (m, width) of the motion at these times, without locks.
    firsts : (n,) index of the beginning of each span; its end is the next.
    """

    kind: object
    locks: FootLocks
    times: Array
    rows: Array
    firsts: Indices


def answered(going: Mapping[int, Generator[Strain, list[int], Done]]) -> dict[int, Done]:
    """Let all go on that ask for strain, each answer being for all that ask then; return what each of them returns."""
    left, told, found = dict(going), dict[int, list[int]](), dict[int, Done]()
    while left:
        asked: dict[int, Strain] = {}
        for index, one in list(left.items()):
            try:
                asked[index] = one.send(told[index]) if index in told else next(one)
            except StopIteration as ended:
                found[index] = ended.value
                del left[index]
        told = _strained_in(asked)
    return found


def _strained_in(asked: Mapping[int, Strain]) -> dict[int, list[int]]:
    """Return, for each of those that ask, the bits of points that are strained in each of its spans."""
    alike, found = dict[object, list[int]](), dict[int, list[int]]()
    for index, one in asked.items():
        alike.setdefault(one.kind, []).append(index)
    for group in alike.values():
        own = [asked[index] for index in group]
        ends = np.cumsum([0, *(len(one.times) for one in own)]).tolist()
        times, rows = np.concatenate([one.times for one in own]), np.concatenate([one.rows for one in own])
        firsts = np.concatenate([one.firsts + end for one, end in zip(own, ends, strict=False)])
        bits = iter(strained([one.locks for one in own], ends, times, rows, firsts))
        found |= {index: list(islice(bits, len(one.firsts))) for index, one in zip(group, own, strict=True)}
    return found
