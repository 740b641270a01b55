"""Reading sampled data between its rows."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def resample(times: Array, values: Array, wanted: Array) -> Array:
    """Values (W, ...) at `wanted` (W,) of the Catmull-Rom curve through (`times` (T,), `values` (T, ...)).

    The tangents at unevenly spaced rows are those of the parabola through three neighbours. Outside, the ends are held.
    """
    if len(times) == 1:
        return np.repeat(values, len(wanted), axis=0)
    place = np.clip(wanted, times[0], times[-1])
    tangents = np.gradient(values, times, axis=0) if len(times) > 2 else np.diff(values, axis=0)[[0, 0]] / np.diff(times)
    left = np.clip(np.searchsorted(times, place, side="right") - 1, 0, len(times) - 2)
    gap = times[left + 1] - times[left]
    shape = (-1,) + (1,) * (values.ndim - 1)
    u = ((place - times[left]) / gap).reshape(shape)
    gap = gap.reshape(shape)
    return (
        (1.0 + 2.0 * u) * (1.0 - u) ** 2 * values[left]
        + u * (1.0 - u) ** 2 * gap * tangents[left]
        + u * u * (3.0 - 2.0 * u) * values[left + 1]
        + u * u * (u - 1.0) * gap * tangents[left + 1]
    )
