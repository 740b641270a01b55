"""Goals of a steered figure: points, curves, marks, and objects to reach; and how to turn towards them.

A place `seen` is a complex number in metres, relative to the figure: the real part is the distance ahead, in the
direction of travel, the imaginary part that to the left.
"""

import cmath
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import VerbError
from .gait import Gait, Limits, WantedHandles, clip

Place = tuple[float, float]
"""Metres on the floor, in performance space."""
Array = NDArray[np.float64]
RESPONSE = 0.5
"""Time constant, in seconds, of turning towards a goal, after which a third of the angle is left."""
CLEAR = 1.4
"""A figure walks past a point inside its tightest turn until a turn this many times wider would reach the point."""
GLANCE = 0.05
"""Seconds between two samples of a moving point, from which its speed is computed."""
CATCH_UP = 1.0
"""Time in seconds in which a figure that follows a moving point tries to close the distance."""
LOOK_AHEAD = 0.7
"""Distance in metres, along a curve, from the figure to the point that it walks towards."""
BEHIND, AHEAD = 0.25, 1.0
"""Metres of a curve, before and after its last point nearest to the figure, in which the new one is searched."""


@dataclass(frozen=True, eq=False)
class Polyline:
    """Straight lines from point to point.

    Parameters
    ----------
    points : (P, 2) metres; neighbours are apart.
    lengths : (P,) metres along the lines from the first point to each.
    """

    points: Array
    lengths: Array

    @classmethod
    def through(cls, points: Array) -> "Polyline":
        """Return the polyline through `points` (P, 2)."""
        steps = np.hypot(*np.diff(points, axis=0).T)
        return cls(points, np.concatenate([[0.0], np.cumsum(steps)]))

    @property
    def length(self) -> float:
        """Metres from end to end."""
        return float(self.lengths[-1])

    @property
    def closed(self) -> bool:
        """Whether it ends where it begins."""
        return bool((self.points[0] == self.points[-1]).all())

    def at(self, along: float) -> complex:
        """Return the position x + i y after `along` metres; beyond the end the last line is extended."""
        if along > self.length:
            span = self.lengths[-1] - self.lengths[-2]
            beyond = (self.points[-1] - self.points[-2]) / span * (along - self.length)
            place = self.points[-1] + beyond
            return complex(place.item(0), place.item(1))
        xs, ys = self.points[:, 0], self.points[:, 1]
        return complex(float(np.interp(along, self.lengths, xs)), float(np.interp(along, self.lengths, ys)))

    def nearest(self, place: complex, begin: float, end: float) -> float:
        """Return how many metres along the curve, between `begin` and `end`, its point nearest to `place` is."""
        starts, steps = self.points[:-1], np.diff(self.points, axis=0)
        spans = np.diff(self.lengths)
        low = np.clip(begin - self.lengths[:-1], 0.0, spans)
        high = np.clip(end - self.lengths[:-1], 0.0, spans)
        away = np.array([place.real, place.imag]) - starts
        along = np.clip(np.sum(away * steps, axis=1) / spans, low, high)
        missed = away - steps * (along / spans)[:, None]
        distances = np.where((self.lengths[1:] < begin) | (self.lengths[:-1] > end), np.inf, np.sum(missed**2, axis=1))
        best = int(np.argmin(distances))
        return float(self.lengths[best] + along[best])


@dataclass(frozen=True)
class TowardsPoint:
    """The goal of going to a point, or following a moving one.

    Parameters
    ----------
    point : the position, or a function that returns the position at a time in seconds.
    reach : distance in metres at which the point counts as reached.
    once : whether to go straight on after reaching it, instead of turning back.
    """

    point: Place | Callable[[float], Place]
    reach: float = 0.3
    once: bool = False


@dataclass(frozen=True)
class AlongCurve:
    """The goal of following a curve from its beginning to its end, or repeatedly round a closed curve.

    Parameters
    ----------
    curve : the curve, on the floor.
    stop : verb to stand in at the end; without one the figure goes straight on.
    lap : metres after which a closed curve repeats itself.
    """

    curve: Polyline
    stop: str | None = None
    lap: float = math.inf


@dataclass(frozen=True)
class StandOnMark:
    """The goal of standing on a mark, at a given time if possible.

    Parameters
    ----------
    place : position of the mark.
    seconds : when the transition into `stop` should be over, on the clock passed to `Steering.before_step`; None for
        whenever the mark is reached.
    stop : verb to stand in; transitions must lead to it from the verb that walks.
    """

    place: Place
    seconds: float | None
    stop: str


@dataclass(frozen=True)
class ReachThere:
    """The goal of walking up to an object and reaching for it.

    Parameters
    ----------
    place : position of the object: x, y and z in metres, in performance space.
    verb : reaching verb; transitions must lead to it from `stop`.
    adverbs : names of the verb's adverbs that control x, y and z of the target, relative to the standing figure; a name
        is empty if no adverb controls that coordinate.
    usual : (x, y, z) approximate target of the verb, relative to the standing figure.
    stop : verb to stand in before the reach; transitions must lead to it from the verb that walks.
    """

    place: tuple[float, float, float]
    verb: str
    adverbs: tuple[str, str, str]
    usual: tuple[float, float, float]
    stop: str


def along_points(points: ArrayLike, stop: str | None = None) -> AlongCurve:
    """Return the goal to go along the straight lines between `points` (P, 2), in metres.

    If the last point equals the first and there is no verb to `stop` in, the figure goes round repeatedly.

    Raises
    ------
    VerbError
        If the points do not form a curve.
    """
    places = np.asarray(points, dtype=np.float64)
    if places.ndim != 2 or places.shape[1] != 2 or not np.isfinite(places).all():
        raise VerbError("The points of the curve are not pairs of finite numbers. Give x and y of each, in metres.")
    apart = np.concatenate([[True], np.any(np.diff(places, axis=0) != 0.0, axis=1)])
    if apart.sum() < 2:
        raise VerbError("The curve has no length: all its points are in the same place. Move them apart.")
    curve = Polyline.through(places[apart])
    if stop is None and curve.closed:
        twice = Polyline.through(np.concatenate([curve.points, curve.points[1:]]))
        return AlongCurve(twice, stop, curve.length)
    return AlongCurve(curve, stop)


def seen_from(travel: tuple[float, float, float], course: float, place: complex) -> complex:
    """Return `place` relative to a figure at `travel` (x, y, heading), which moves `course` radians off its heading."""
    return (place - complex(travel[0], travel[1])) * cmath.rect(1.0, -travel[2] - course)


def pursuit_curvature(seen: complex) -> float:
    """Return the curvature, positive to the left, of the arc that begins straight ahead and leads to the place `seen`.

    This is pure pursuit [Coulter1992].
    """
    square = seen.real**2 + seen.imag**2
    return 2.0 * seen.imag / square if square else 0.0


def room_to_turn(seen: complex, reach: float, gait: Gait, limits: Limits) -> float:
    """Return how wide a turn that passes within `reach` of `seen` may be, in radii of the tightest turn.

    Below 1 the place is inside all turns to its side. The result is inf if the place is straight ahead or within reach.
    """
    aside, distance = abs(seen.imag), abs(seen)
    if aside <= reach or distance <= reach:
        return math.inf
    radius = (distance**2 - reach**2) / (2.0 * (aside - reach))
    return radius * gait.tightest[seen.imag > 0.0] / limits.stride[0]


def turn_towards(seen: complex, reach: float, pace: float | None, gait: Gait, limits: Limits) -> WantedHandles:
    """Return the handles that turn the figure to the place `seen`, with shorter strides if the turn must be tight.

    Parameters
    ----------
    seen : the place, relative to the figure.
    reach : distance in metres at which the place counts as reached.
    pace : speed in metres a second at which the place moves ahead of the figure; None if it is at rest.
    gait, limits : the walk of the figure, and the limits of steering.
    """
    stride = clip(room_to_turn(seen, reach, gait, limits) * limits.stride[0], (limits.stride[0], 1.0))
    brisk = abs(cmath.phase(seen)) / (RESPONSE * gait.speed)
    curvature = math.copysign(max(brisk, abs(pursuit_curvature(seen))) * stride, seen.imag)
    if pace is None:
        return WantedHandles(gait.table.for_curvature(curvature), stride)
    factor = math.sqrt(max(pace + (abs(seen) - reach) / CATCH_UP, 0.0) / gait.speed)
    wanted = stride if stride < 1.0 else clip(factor, limits.stride)
    return WantedHandles(gait.table.for_curvature(curvature), wanted, clip(factor, limits.tempo))


def follow_curve(
    goal: AlongCurve, along: float, travel: tuple[float, float, float], gait: Gait, limits: Limits
) -> WantedHandles:
    """Return the handles that lead the figure along a curve, with shorter strides in sharp bends.

    The figure walks towards the point of the curve that lies `LOOK_AHEAD` metres beyond `along`.

    Parameters
    ----------
    goal : the curve.
    along : metres of the curve that are behind the figure.
    travel : x, y and heading of the figure.
    gait, limits : the walk of the figure, and the limits of steering.
    """
    seen = seen_from(travel, gait.course, goal.curve.at(along + LOOK_AHEAD))
    wanted = pursuit_curvature(seen)
    if seen.real < 0.0:
        wanted = math.copysign(math.inf, seen.imag)
    tightest = gait.tightest[wanted > 0.0]
    stride = clip(tightest / abs(wanted), (limits.stride[0], 1.0)) if wanted else 1.0
    return WantedHandles(gait.table.for_curvature(wanted * stride), stride)
