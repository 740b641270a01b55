"""Blending curves: how the weight of a motion grows from 0 to 1 while it takes the place of another one.

[Kallmann2005] section 5.3 has it a piecewise cubic spline that is edited by its control points, and is scaled to any
length. Between control points the weight here never leaves the range of those two (Fritsch and Carlson, SIAM Journal on
Numerical Analysis 17, 1980), so that it stays within 0 and 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..errors import GestureError

Array = NDArray[np.float64]
Point = tuple[float, float]
"""Share of the time that has passed, and the weight then."""

STEEPEST = 3.0
"""Slope at a control point, as a multiple of the mean ones beside it, up to which a cubic stays between its ends."""


@dataclass(frozen=True)
class BlendingCurve:
    """A weight over the share of time that has passed: a cubic between each two control points, without corners.

    Parameters
    ----------
    points : (K,) control points, from (0, 0) to (1, 1).
    slopes : (K,) how fast the weight changes at each of them.
    """

    points: tuple[Point, ...]
    slopes: tuple[float, ...]

    @cached_property
    def _pieces(self) -> tuple[Array, Array]:
        """Shares (K,) of the control points, and the coefficients (4, K - 1) of the cubics after them."""
        shares, weights = np.array(self.points).T
        length, secants = np.diff(shares), np.diff(weights) / np.diff(shares)
        before, after = np.array(self.slopes[:-1]), np.array(self.slopes[1:])
        squares, cubes = (3.0 * secants - 2.0 * before - after) / length, (before + after - 2.0 * secants) / length**2
        return shares, np.stack([weights[:-1], before, squares, cubes])

    def at(self, shares: Array) -> Array:
        """Return the weights (...) at `shares` (...) of the time; 0 before and 1 after it."""
        ends, (one, two, three, four) = self._pieces
        within = np.minimum(np.maximum(shares, 0.0), 1.0)
        piece = np.searchsorted(ends[1:-1], within, side="right")
        since = within - ends[piece]
        weights = one[piece] + since * (two[piece] + since * (three[piece] + since * four[piece]))
        return np.where(shares >= 1.0, 1.0, np.minimum(np.maximum(weights, 0.0), 1.0))

    @cached_property
    def steepest(self) -> float:
        """The fastest that the weight changes either way, as a multiple of an even change."""
        ends, (_, two, three, four) = self._pieces
        length = np.diff(ends)
        turning = np.clip(-three / np.where(np.abs(four) > 0.0, 3.0 * four, 1.0), 0.0, length)
        tried = np.stack([np.zeros_like(length), turning, length])
        return float(np.abs(two + tried * (2.0 * three + 3.0 * tried * four)).max())


def blending_curve(points: Sequence[Point], ends: tuple[float, float] = (0.0, 0.0)) -> BlendingCurve:
    """Return the blending curve through control points.

    Parameters
    ----------
    points : two or more, from (0, 0) to (1, 1), at increasing shares of the time, with weights from 0 to 1.
    ends : slopes at the first and at the last one, where they are not too steep to stay between 0 and 1. By default the
        weight comes from rest and comes to rest.

    Raises
    ------
    GestureError
        If there are fewer than two points, or they do not begin, end or increase so.
    """
    made = tuple((float(share), float(weight)) for share, weight in points)
    if len(made) < 2 or made[0] != (0.0, 0.0) or made[-1] != (1.0, 1.0):
        raise GestureError(
            "A blending curve leads from weight 0 at its beginning to weight 1 at its end. Mend its ends."
        )
    for (share, weight), (later, then) in pairwise(made):
        if not (later > share and 0.0 <= weight <= 1.0 and 0.0 <= then <= 1.0):
            raise GestureError(
                f"A blending curve goes from weight {weight:g} at {share:g} to {then:g} at {later:g} of its time. "
                "Its points must go forward in time, with weights from 0 to 1."
            )
    return BlendingCurve(made, tuple(_slopes(made, ends)))


def _slopes(points: Sequence[Point], ends: tuple[float, float]) -> list[float]:
    """Return slopes (K,) at control points with which no cubic leaves the range between its two ends."""
    secants = [(then - weight) / (later - share) for (share, weight), (later, then) in pairwise(points)]
    inner = [2.0 * a * b / (a + b) if a * b > 0.0 else 0.0 for a, b in pairwise(secants)]
    limits = STEEPEST * secants[0], STEEPEST * secants[-1]
    first, last = (min(max(end, min(limit, 0.0)), max(limit, 0.0)) for end, limit in zip(ends, limits, strict=True))
    return [first, *inner, last]


SMOOTH = blending_curve(((0.0, 0.0), (1.0, 1.0)))
"""The blending curve by default, from rest to rest."""
