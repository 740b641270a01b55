"""Where and when points come to stand, and how high over the ground."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..feet.live_locks import LiveLocks
from ..figure.channels import climb
from .course import Course
from .passage import Passage
from .playing import Playing

Array = NDArray[np.float64]

ROWS = 12
"""Rows of a swing that are foreseen."""


def expect_landings(locks: LiveLocks, standing: int, course: Callable[[], Course], tempo: float) -> None:
    """Tell the locks where the points that swing will land.

    Parameters
    ----------
    locks : that stand on a floor.
    standing : bits of the points that stand.
    course : gives what is played from now on.
    tempo : factor on the clock of the verbs.
    """
    for point in range(len(locks.points)):
        ahead = course() if not standing >> point & 1 else None
        if ahead is None or (seconds := ahead.until_stands(1 << point)) is None:
            continue
        ground = ground_at(ahead.playing, ahead.passage, 1 << point, ahead.root.height, ahead.row, locks)
        rows = course().rows(seconds, ROWS)
        rows[-1] = ahead.row()
        locks.expect(point, seconds / tempo, rows, *ground)


def ground_at(
    playing: Playing,
    passage: Passage | None,
    bit: int,
    height: float,
    row: Callable[[], Array],
    locks: LiveLocks | None,
) -> tuple[float, float]:
    """Clearance and drop of a point that comes to stand.

    Parameters
    ----------
    playing, passage : what plays, the latter in a transition.
    bit : of the point.
    height : of the root's ground.
    row : gives the unlocked row (width,) of that instant.
    locks : that will hold it.
    """
    if passage is None or locks is None:
        return (passage.holding(bit) if passage else playing).ground(bit)
    height_of = partial(locks.height, bit.bit_length() - 1)
    return ground_below(passage.holding(bit), bit, height, row(), height_of)


def ground_below(
    playing: Playing, bit: int, height: float, row: Array, height_of: Callable[[Array], float]
) -> tuple[float, float]:
    """Clearance and drop of a point that comes to stand in a transition, where the mixture has it off the ground.

    It is to sink to where it stands in the verb that has it on the ground, played alone.

    Parameters
    ----------
    playing : that verb.
    bit : of the point.
    height : of the root's ground.
    row : (width,) the mixture.
    height_of : gives the point's height in a row.
    """
    clearance, drop = playing.ground(bit)
    opening, climbed = _came_down(playing, bit)
    alone = row.copy()
    alone[3:] = playing.now.pose(opening)
    climb(playing.now.verb.channels, alone, height - climbed)
    return clearance, drop + height_of(row) - height_of(alone)


def _came_down(playing: Playing, bit: int) -> tuple[float, float]:
    """Generic time at which the window opened in which the point of `bit` stands, and what was climbed since."""
    stands = [stand for stand in playing.now.stands if stand[2] == bit]
    begin, _, _, window = next(stand for stand in stands if stand[0] <= playing.phase <= stand[1])
    earlier = [other for other, end, _, its in stands if its == window and end == 1.0 and other > 0.0]
    begin = earlier[0] - 1.0 if begin == 0.0 and earlier and playing.now.verb.cyclic else begin
    past, until, climbed = Playing(playing.now, begin), playing.phase + (begin < 0.0), 0.0
    opening = past.phase
    while past.cycle + past.phase < until:
        climbed += past.go(min(past.next_edge(), until - past.cycle))[2]
        past.wrap()
    return opening, climbed
