"""How high over the ground a point comes to stand, at the moment at which its contact begins."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import climb
from .playing_verb import Playing

if TYPE_CHECKING:
    from .piece import Moment

Array = NDArray[np.float64]


def ground_at(moment: "Moment", bit: int, row: Array, height_of: Callable[[Array], float]) -> tuple[float, float]:
    """Return clearance and drop of a point that comes to stand: its height over the ground, and how far it still sinks.

    In a transition, where the mixture has the point off the ground, it is to sink to where it stands in the verb,
    played alone, that has it on the ground.

    Parameters
    ----------
    moment : at which the point comes to stand.
    bit : of the point.
    row : (width,) of that moment, without locks.
    height_of : returns the point's height in a row.
    """
    passage = moment.passage
    if passage is None:
        return moment.playing.ground(bit)
    playing = passage.holding(bit)
    clearance, drop = playing.ground(bit)
    opening, climbed = _came_down(playing, bit)
    alone = row.copy()
    alone[3:] = playing.now.verb.poses(np.array([opening]), playing.now.mixing)[0]
    climb(playing.now.verb.channels, alone, moment.root.height - climbed)
    return clearance, drop + height_of(row) - height_of(alone)


def _came_down(playing: Playing, bit: int) -> tuple[float, float]:
    """Return the generic time at which the present contact of the point of `bit` began, and the climb since then."""
    cyclic = playing.now.verb.cyclic
    stands = [stand for stand in playing.now.stands if stand[2] == bit]
    around = (stand for stand in stands if stand[0] <= playing.phase <= stand[1])
    begin, _, _, window = next(around, (playing.phase, 1.0, bit, -1))
    earlier = [other for other, end, _, its in stands if its == window and end == 1.0 and other > 0.0]
    begin = earlier[0] - 1.0 if begin == 0.0 and earlier and cyclic else begin
    past, until, climbed = Playing(playing.now, begin % 1.0 if cyclic else begin), playing.phase + (begin < 0.0), 0.0
    opening = past.phase
    while past.cycle + past.phase < until:
        reach = min(past.next_edge(), until - past.cycle)
        climbed += past.drift[3] * (reach - past.phase)
        past = past.at(reach).wrapped()
    return opening, climbed
