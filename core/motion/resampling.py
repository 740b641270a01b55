"""Interpolation and smoothing of sampled data, and reduction of keys to those that linear interpolation needs."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Error = Callable[[Array, Array], Array]
LEAST_FRAMES, REACH = 0.6, 3.0
"""Minimum standard deviation of smoothing in frames, and extent of its weights in standard deviations."""


def resample(times: Array, values: Array, wanted: Array) -> Array:
    """Interpolate `values` (T, ...) at `times` (T,) by a natural cubic spline, and evaluate it at `wanted` (W,).

    Few control points fit a curve of continuous curvature far better than one with corners. Outside the samples the
    end values are held.
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
    """Solve the tridiagonal system for second derivatives (T, ...) at the samples, zero at both ends."""
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


def needed_rows(times: Array, values: Array, error: Error, tolerance: float) -> NDArray[np.intp]:
    """Choose which rows to keep so that linear interpolation between them is within a tolerance of every row.

    Parameters
    ----------
    times : (T,) increasing times.
    values : (T, C) values at these times.
    error : function from interpolated and true values (n, C) to their distances (n,).
    tolerance : largest distance allowed.

    Returns
    -------
    (K,) indices of the rows, increasing, including the first and the last.

    Notes
    -----
    Douglas and Peucker, "Algorithms for the reduction of the number of points required to represent a digitized line or
    its caricature", Cartographica 10 (1973). Here distances are between values at the same time, not perpendicular to
    the line, since keys are played by time. Spans are subdivided together, level by level.
    """
    kept = np.zeros(len(times), dtype=bool)
    kept[[0, -1]] = True
    firsts, lasts = np.array([0]), np.array([len(times) - 1])
    while np.any(wide := lasts - firsts > 1):
        firsts, lasts = firsts[wide], lasts[wide]
        counts = lasts - firsts - 1
        begins = np.cumsum(counts) - counts
        of = np.repeat(np.arange(len(counts)), counts)
        first, last, rows = firsts[of], lasts[of], firsts[of] + 1 + np.arange(len(of)) - begins[of]
        share = ((times[rows] - times[first]) / (times[last] - times[first]))[:, None]
        misses = error(values[first] + share * (values[last] - values[first]), values[rows])
        most = np.maximum.reduceat(misses, begins)
        worst = np.minimum.reduceat(np.where(misses == most[of], rows, len(times)), begins)
        cut = most > tolerance
        kept[worst[cut]] = True
        firsts, lasts = np.append(firsts[cut], worst[cut]), np.append(worst[cut], lasts[cut])
    return np.flatnonzero(kept)


def smoothed_path(times: Array, paths: Array, spread: float) -> tuple[Array, Array]:
    """Smooth paths by fitting a quadratic with Gaussian weights around each frame.

    Parameters
    ----------
    times : (T,) seconds, evenly spaced, T at least 3.
    paths : (T, ...) values.
    spread : standard deviation of the weights in seconds.

    Returns
    -------
    places, velocities : (T, ...) smoothed values, and their derivatives per second.
    """
    step = float(times[-1] - times[0]) / (len(times) - 1)
    width = max(spread, LEAST_FRAMES * step) / step
    reach = max(2, int(np.ceil(REACH * width)))
    lags = np.arange(-reach, reach + 1.0)
    weights = np.exp(-0.5 * (lags / width) ** 2)
    flat = paths.reshape(len(paths), -1)
    inside = np.ones((len(times), 1))
    sums = np.concatenate([correlated(inside, weights * lags**power) for power in range(5)], axis=-1)
    right = np.stack([correlated(flat, weights * lags**power) for power in range(3)], axis=1)
    system = sums[:, np.add.outer(np.arange(3), np.arange(3))]
    found = np.asarray(np.linalg.solve(system, right), dtype=np.float64)
    return found[:, 0].reshape(paths.shape), found[:, 1].reshape(paths.shape) / step


def correlated(columns: Array, kernel: Array) -> Array:
    """Correlate `columns` (T, C) with `kernel` (2 R + 1,) along time."""
    reach = len(kernel) // 2
    around = np.pad(columns, ((reach, reach), (0, 0)))
    total = np.zeros_like(columns)
    for lag, weight in enumerate(kernel):
        total += weight * around[lag : lag + len(columns)]
    return total
