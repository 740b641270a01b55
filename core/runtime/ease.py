"""Smooth changes over a share of time `u` from 0 to 1; all have speed where they begin and none where they end."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def smooth(u: Array) -> Array:
    """From 0 to 1, at rest at both ends."""
    v = np.minimum(np.maximum(u, 0.0), 1.0)
    return v * v * (3.0 - 2.0 * v)


def decay(u: Array, value: Array, slope: Array) -> Array:
    """From `value`, changing by `slope` per unit of `u`, to 0 at rest; broadcast."""
    v = np.minimum(np.maximum(u, 0.0), 1.0)
    w = (1.0 - v) ** 2
    return w * ((1.0 + 2.0 * v) * value + v * slope)


def bump(u: Array) -> Array:
    """From 0 up to 1 in the middle and back to 0, at rest at both ends."""
    v = np.minimum(np.maximum(u, 0.0), 1.0)
    return 16.0 * v * v * (1.0 - v) ** 2
