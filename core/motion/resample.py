"""Reading sampled data between its rows."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def resample(times: Array, values: Array, wanted: Array) -> Array:
    """Values (W, ...) at `wanted` (W,) of the natural cubic spline through (`times` (T,), `values` (T, ...)).

    A curve with continuous curvature is fitted far better by few control points than one with kinks at the rows.
    Outside, the ends are held.
    """
    if len(times) == 1:
        return np.repeat(values, len(wanted), axis=0)
    place = np.clip(wanted, times[0], times[-1])
    curvature = _curvatures(times, values)
    left = np.clip(np.searchsorted(times, place, side="right") - 1, 0, len(times) - 2)
    shape = (-1,) + (1,) * (values.ndim - 1)
    gap = (times[left + 1] - times[left]).reshape(shape)
    after = (place - times[left]).reshape(shape) / gap
    before = 1.0 - after
    bend = (before**3 - before) * curvature[left] + (after**3 - after) * curvature[left + 1]
    return before * values[left] + after * values[left + 1] + bend * gap * gap / 6.0


def _curvatures(times: Array, values: Array) -> Array:
    """Second derivatives (T, ...) at the rows, zero at both ends: a tridiagonal system, swept down and up once."""
    result = np.zeros_like(values)
    gaps = np.diff(times)
    slopes = np.diff(values, axis=0) / gaps.reshape((-1,) + (1,) * (values.ndim - 1))
    factors = np.zeros(len(times))
    for row in range(1, len(times) - 1):
        pivot = 2.0 * (gaps[row - 1] + gaps[row]) - gaps[row - 1] * factors[row - 1]
        factors[row] = gaps[row] / pivot
        result[row] = (6.0 * (slopes[row] - slopes[row - 1]) - gaps[row - 1] * result[row - 1]) / pivot
    for row in range(len(times) - 2, 0, -1):
        result[row] -= factors[row] * result[row + 1]
    return result
