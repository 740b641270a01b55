"""Places and velocities of a path, freed of noise: a local quadratic at each frame, alike at any frame rate."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SPREAD = 0.025
"""Seconds: standard deviation of the weights. Shorter than any contact, and long enough for noise of millimetres."""
LEAST_FRAMES = 0.6
REACH = 3.0


def smooth(times: Array, paths: Array) -> tuple[Array, Array]:
    """Least-squares quadratics with Gaussian weights about each frame, one-sided at the ends.

    Parameters
    ----------
    times : (T,) seconds, evenly spaced, T at least 3.
    paths : (T, ...) values.

    Returns
    -------
    places, velocities : (T, ...) in units and units a second.
    """
    step = float(times[-1] - times[0]) / (len(times) - 1)
    width = max(SPREAD, LEAST_FRAMES * step) / step
    reach = max(2, int(np.ceil(REACH * width)))
    lags = np.arange(-reach, reach + 1.0)
    weights = np.exp(-0.5 * (lags / width) ** 2)
    flat = paths.reshape(len(paths), -1)
    inside = np.ones((len(times), 1))
    sums = np.concatenate([_correlated(inside, weights * lags**power) for power in range(5)], axis=-1)
    right = np.stack([_correlated(flat, weights * lags**power) for power in range(3)], axis=1)
    system = sums[:, np.add.outer(np.arange(3), np.arange(3))]
    found = np.asarray(np.linalg.solve(system, right), dtype=np.float64)
    return found[:, 0].reshape(paths.shape), found[:, 1].reshape(paths.shape) / step


def _correlated(columns: Array, kernel: Array) -> Array:
    """Sums of `columns` (T, C) over the frames about each, each weighted as `kernel` (2 R + 1,) says; (T, C)."""
    reach = len(kernel) // 2
    around = np.pad(columns, ((reach, reach), (0, 0)))
    total = np.zeros_like(columns)
    for lag, weight in enumerate(kernel):
        total += weight * around[lag : lag + len(columns)]
    return total


def averaged(times: Array, values: Array, spread: float) -> Array:
    """Means of `values` (T, ...) with Gaussian weights of `spread` seconds about each frame of even `times` (T,)."""
    return gathered(times, values, spread) / gathered(times, np.ones_like(values), spread)


def gathered(times: Array, values: Array, spread: float) -> Array:
    """Sums of `values` (T, ...) with Gaussian weights of `spread` seconds about each frame of even `times` (T,)."""
    width = spread * (len(times) - 1) / float(times[-1] - times[0])
    reach = max(1, int(np.ceil(4.0 * width)))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / width) ** 2)
    return _correlated(values.reshape(len(values), -1), kernel).reshape(values.shape)


def quantile(values: Array, share: float) -> float:
    """The one of `values` (N,) that `share` of them stay below."""
    return float(np.sort(values, axis=None)[int(round(share * (values.size - 1)))])
