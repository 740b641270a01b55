"""Going towards a point, and along a curve: at every instant along the arc that leads to where the figure looks.

Places are complex numbers x + i y; seen from the figure, x is where it goes and y to its left.
"""

import cmath
import math

from .gait import Gait
from .helm import Helm, Limits, clip
from .wishes import AlongCurve

RESPONSE = 0.5
"""Seconds in which a figure that faces past its goal turns towards it, but for a third."""
CLEAR = 1.4
"""A point inside all turns is walked past until a turn this much wider than the tightest would reach it."""
GLANCE = 0.05
"""Seconds between two looks at a moving point, for its speed."""
CATCH_UP = 1.0
"""Seconds in which a figure that follows wants to make up for its distance."""
BEHIND, AHEAD = 0.25, 1.0
"""Metres of the curve, before and after where the figure was nearest to it, in which it is looked for again."""


def seen_from(travel: tuple[float, float, float], course: float, place: complex) -> complex:
    """`place` as a figure sees it that goes in the direction `course` from its heading."""
    return (place - complex(travel[0], travel[1])) * cmath.rect(1.0, -travel[2] - course)


def arc_to(seen: complex) -> float:
    """Curvature of the arc that leads straight on and through the place `seen`: [Coulter1992] pure pursuit."""
    square = seen.real**2 + seen.imag**2
    return 2.0 * seen.imag / square if square else 0.0


def room_to_turn(seen: complex, reach: float, gait: Gait, limits: Limits) -> float:
    """How wide the turn that passes `reach` from the place `seen` may be, as a multiple of the tightest turn's radius.

    Below 1 the place lies inside all turns to its side.
    """
    aside, distance = abs(seen.imag), abs(seen)
    if aside <= reach or distance <= reach:
        return math.inf
    radius = (distance**2 - reach**2) / (2.0 * (aside - reach))
    return radius * gait.tightest[seen.imag > 0.0] / limits.stride[0]


def towards(seen: complex, reach: float, pace: float | None, gait: Gait, limits: Limits) -> Helm:
    """Turn to the place `seen`, with shorter strides where the turn must be tight.

    Parameters
    ----------
    seen : the point, from the figure.
    reach : metres from it that are near enough.
    pace : metres a second at which the point moves ahead; None for a point at rest.
    gait, limits : how it walks and may be steered.
    """
    stride = clip(room_to_turn(seen, reach, gait, limits) * limits.stride[0], (limits.stride[0], 1.0))
    brisk = abs(cmath.phase(seen)) / (RESPONSE * gait.speed)
    curvature = math.copysign(max(brisk, abs(arc_to(seen))) * stride, seen.imag)
    if pace is None:
        return Helm(gait.table.for_curvature(curvature), stride)
    factor = math.sqrt(max(pace + (abs(seen) - reach) / CATCH_UP, 0.0) / gait.speed)
    wanted = stride if stride < 1.0 else clip(factor, limits.stride)
    return Helm(gait.table.for_curvature(curvature), wanted, clip(factor, limits.tempo))


def follow(wish: AlongCurve, along: float, travel: tuple[float, float, float], gait: Gait, limits: Limits) -> Helm:
    """Make for the point of the curve a little ahead of `along`, with shorter strides where it bends too much."""
    seen = seen_from(travel, gait.course, wish.curve.at(along + wish.look_ahead))
    wanted = arc_to(seen)
    if seen.real < 0.0:
        wanted = math.copysign(math.inf, seen.imag)
    tightest = gait.tightest[wanted > 0.0]
    stride = clip(tightest / abs(wanted), (limits.stride[0], 1.0)) if wanted else 1.0
    return Helm(gait.table.for_curvature(wanted * stride), stride)
