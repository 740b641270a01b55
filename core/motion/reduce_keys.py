"""Leaving out keys that straight lines between the others make up for, within a tolerance."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Error = Callable[[Array, Array], Array]


def needed_rows(times: Array, values: Array, error: Error, tolerance: float) -> NDArray[np.intp]:
    """Rows to keep so that lines between them miss no row by more than a tolerance; the first and the last stay.

    Parameters
    ----------
    times : (T,) increasing.
    values : (T, C)
    error : takes interpolated and true values (n, C) and returns how far apart they are (n,).
    tolerance : in the unit of `error`.

    Returns
    -------
    (K,) increasing.

    Notes
    -----
    Douglas and Peucker, "Algorithms for the reduction of the number of points required to represent a digitized line or
    its caricature", Cartographica 10 (1973), with the distance along the value instead of across the line: keys are
    played by time.
    """
    kept = np.zeros(len(times), dtype=bool)
    kept[[0, -1]] = True
    waiting = [(0, len(times) - 1)]
    while waiting:
        first, last = waiting.pop()
        if last - first < 2:
            continue
        inner = slice(first + 1, last)
        share = ((times[inner] - times[first]) / (times[last] - times[first]))[:, None]
        misses = error(values[first] + share * (values[last] - values[first]), values[inner])
        worst = int(np.argmax(misses))
        if misses[worst] > tolerance:
            middle = first + 1 + worst
            kept[middle] = True
            waiting += [(first, middle), (middle, last)]
    return np.flatnonzero(kept)
