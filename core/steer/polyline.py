"""Curves on the floor, by the length of way along them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
