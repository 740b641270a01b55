"""Whether joints would turn too fast to hold points, judged for the pieces of many players in one computation."""

from collections.abc import Generator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..play.held_points import Span
from .easing_curves import LEAST_GAP
from .lock_release_step_home import FootLocks, strained

Array = NDArray[np.float64]
Done = TypeVar("Done")

SHORT = 0.02
"""Longest piece, in seconds, at whose beginning points may be let go."""
LATER = 1e-6
"""Seconds after which a piece has begun: what is commanded at its beginning has happened by then."""


def is_short(piece: Span) -> bool:
    """Whether a piece is as short as those in which adverbs sweep: at its beginning points may be let go."""
    return LEAST_GAP < piece.until - (piece.begin.time + LATER) <= SHORT and not piece.begin.crossing


def ends_of(pieces: Sequence[Span]) -> Array:
    """Return the times (n, 2) between which it is judged whether points can be held in some pieces."""
    return np.array([(piece.begin.time + LATER, piece.until) for piece in pieces]).reshape(-1, 2)


class Strain(NamedTuple):
    """Asks in which of some spans joints would turn too fast to hold which points of a player.

    Parameters
    ----------
    kind : equal for players that can be judged together.
    locks : of the player, which are the same in all the spans.
    times : (n, 2) seconds between which it is judged.
    rows : (2 n, width) of the motion at these times, without locks.
    """

    kind: object
    locks: FootLocks
    times: Array
    rows: Array


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
        counts = [len(one.times) for one in own]
        which = np.repeat(np.arange(len(own)), counts)
        times, rows = np.concatenate([one.times for one in own]), np.concatenate([one.rows for one in own])
        bits = iter(strained([one.locks for one in own], which, times, rows))
        found |= {index: list(islice(bits, count)) for index, count in zip(group, counts, strict=True)}
    return found
