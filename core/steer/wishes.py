"""What may be asked of a figure that is steered."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import VerbError
from .polyline import Polyline

Place = tuple[float, float]
"""Metres on the floor, in performance space."""


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
