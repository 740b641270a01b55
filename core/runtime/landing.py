"""Where and when points come to stand: those that swing if all goes on as it does, others in the verb by itself."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .playing import Playing
from .root_path import RootPath

Array = NDArray[np.float64]


def next_stand(playing: Playing, bit: int) -> float | None:
    """Generic time, counted from the beginning of this cycle, at which the point of `bit` comes to stand next.

    None if it does not as long as the verb plays.
    """
    begins = [begin for begin, _, other, _ in playing.now.stands if other == bit]
    ahead = [begin for begin in begins if begin > playing.phase]
    if ahead:
        return min(ahead)
    return min(begins) + 1.0 if begins and playing.now.verb.cyclic else None


def foresee(playing: Playing, root: RootPath, until: float, stride: float) -> tuple[float, Playing, RootPath]:
    """Seconds until generic time `until` of this cycle or the next, and where the verb and the root will be then."""
    future = Playing(playing.now, playing.phase)
    place = RootPath((root.place.real, root.place.imag, root.height, root.heading))
    seconds = 0.0
    while future.cycle + future.phase < until:
        reach = min(future.next_edge(), until - future.cycle)
        seconds += (reach - future.phase) / future.rate
        place.move(future.go(reach), stride)
        future.wrap()
    return seconds, future, place


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
    alone[5] += height - climbed
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
