"""What may be asked of a figure that is steered: points, curves on the floor, marks."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import VerbError

Place = tuple[float, float]
"""Metres on the floor, in performance space."""
Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Polyline:
    """Straight lines from point to point.

    Parameters
    ----------
    points : (P, 2) neighbours apart.
    lengths : (P,) metres of way from the first point to each.
    """

    points: Array
    lengths: Array

    @classmethod
    def through(cls, points: Array) -> "Polyline":
        """The polyline through `points` (P, 2)."""
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
        """The place x + i y after `along` metres; beyond the end it goes straight on."""
        if along > self.length:
            span = self.lengths[-1] - self.lengths[-2]
            beyond = (self.points[-1] - self.points[-2]) / span * (along - self.length)
            place = self.points[-1] + beyond
            return complex(place.item(0), place.item(1))
        xs, ys = self.points[:, 0], self.points[:, 1]
        return complex(float(np.interp(along, self.lengths, xs)), float(np.interp(along, self.lengths, ys)))

    def nearest(self, place: complex, begin: float, end: float) -> float:
        """How far along, between `begin` and `end` metres, the curve comes nearest to `place`."""
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
    """Go to a point, or follow one that moves.

    Parameters
    ----------
    point : the place, or where it is at a time in seconds.
    reach : metres from it that are near enough.
    once : go straight on when it has been reached, instead of turning back to it.
    """

    point: Place | Callable[[float], Place]
    reach: float = 0.3
    once: bool = False


@dataclass(frozen=True)
class AlongCurve:
    """Go along a curve from its beginning to its end, or round and round a closed one.

    Parameters
    ----------
    curve : on the floor.
    look_ahead : metres ahead of the figure of the point of the curve that it makes for.
    stop : verb to stand in at the end; without one the figure goes straight on.
    lap : metres after which the curve repeats itself.
    """

    curve: Polyline
    look_ahead: float = 0.7
    stop: str | None = None
    lap: float = math.inf


@dataclass(frozen=True)
class Mark:
    """Stand on a mark, at a time if it can be there by then.

    Parameters
    ----------
    place : where.
    seconds : when the transition into `stop` is to be over, on the clock that `before_step` is told; None for whenever
        the mark is reached.
    stop : verb to stand in; a transition must lead to it from the verb that walks.
    """

    place: Place
    seconds: float | None
    stop: str


def along(points: ArrayLike, look_ahead: float = 0.7, stop: str | None = None) -> AlongCurve:
    """The wish to go along the straight lines between `points` (P, 2).

    Raises
    ------
    VerbError
        If the points make no curve.
    """
    places = np.asarray(points, dtype=np.float64)
    if places.ndim != 2 or places.shape[1] != 2 or not np.isfinite(places).all():
        raise VerbError("The points of the curve are not pairs of finite numbers. Give x and y of each, in metres.")
    apart = np.concatenate([[True], np.any(np.diff(places, axis=0) != 0.0, axis=1)])
    if apart.sum() < 2:
        raise VerbError("The curve has no length: its points all lie in one place. Give it two that are apart.")
    curve = Polyline.through(places[apart])
    if stop is None and curve.closed:
        twice = Polyline.through(np.concatenate([curve.points, curve.points[1:]]))
        return AlongCurve(twice, look_ahead, stop, curve.length)
    return AlongCurve(curve, look_ahead, stop)
