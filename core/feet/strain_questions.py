"""Strain: whether holding points would rotate joints too fast, evaluated for many players in one computation."""

from collections.abc import Generator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..play.adverb_smoothing import ROUNDING
from ..play.player import Span
from .easing_curves import LEAST_GAP
from .foot_locks import FootLocks, strained

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
Done = TypeVar("Done")

SHORT = 0.02
"""Longest piece, in seconds, at whose beginning strain may release points."""
LATER = 1e-6
"""Seconds after the start of a piece by which commands at its start have taken effect."""


class Doubt(NamedTuple):
    """A step of a piece in which strain may release points: its begin, and its planned end, in seconds.

    Later commands may cut a step. This is ignored: a step is evaluated when it begins.
    """

    piece: Span
    begin: float
    end: float

    @property
    def key(self) -> tuple[int, float]:
        """Key that distinguishes it from all other steps of the same pieces."""
        return id(self.piece), self.begin

    @property
    def is_short(self) -> bool:
        """Whether it is as short as steps of sweeping adverbs, so that strain may release points at its beginning."""
        return LEAST_GAP < self.end - (self.begin + LATER) <= SHORT and not self.piece.begin.crossing

    def goes_on_from(self, other: "Doubt") -> bool:
        """Return whether it begins at the planned end of another one, or before, with the same planted points."""
        return self.begin - other.end < LATER and self.piece.standing == other.piece.standing


def steps_of(piece: Span) -> list[Doubt]:
    """Return the steps of a piece."""
    return [Doubt(piece, begin, end) for begin, end in zip(piece.times[:-1], piece.ends, strict=True)]


class Knots(NamedTuple):
    """The ends of some steps, between which strain is evaluated.

    If a step continues the previous step, and nothing has cut the previous one, they share a knot.

    Parameters
    ----------
    steps : (n,) the steps.
    firsts : (n,) the index of the knot at the beginning of each step; the knot at its end is the next one.
    spans : (m,) a piece that contains each knot.
    times : (m,) time of each knot in seconds.
    """

    steps: Sequence[Doubt]
    firsts: Sequence[int]
    spans: Sequence[Span]
    times: Sequence[float]


def have_same_row(step: Span, time: float, other: Span, then: float) -> bool:
    """Return whether the row of a step at a time is known to equal that of another step at its time, up to rounding."""
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
    """A request for the points of a player that cannot be held in some spans without rotating joints too fast.

    Parameters
    ----------
    kind : equal for players that can be evaluated together.
    locks : locks of the player, constant over all the spans.
    times : (m,) times in seconds of the ends of spans.
    rows : (m, width) of the motion at these times, without locks.
    firsts : (n,) index of the time at which each span begins; it ends at the next one.
    """

    kind: object
    locks: FootLocks
    times: Array
    rows: Array
    firsts: Indices


def answered(going: Mapping[int, Generator[Strain, list[int], Done]]) -> dict[int, Done]:
    """Run all generators that request strain, answering simultaneous requests together; return their results."""
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
    """Return, for each request, the bits of points that are strained in each of its spans."""
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
