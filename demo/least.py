"""The smallest change of the knees' bends with which feet can stand on a floor, whatever method puts them there.

How far a knee is bent follows from the distance between hip and ankle. So a foot that stands higher or lower than on
the ground of the examples changes the bend, unless the root moves as well, which cannot suit both feet.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

HIGHEST, HEIGHTS = 0.5, 501
"""Metres by which the root is tried higher and lower, and the number of trials."""


def least_bends(free: Array, held: Array, standing: NDArray[np.bool_]) -> Array:
    """Degrees (T,) by which the bend of some knee must change at least, with the root at its best height.

    Parameters
    ----------
    free, held : (T, K, 3, 3) hip, knee and ankle of each point's leg without locks and with them, metres.
    standing : (T, K) which points stand; the legs of others are free.
    """
    upper, lower, own = (np.linalg.norm(free[:, :, a] - free[:, :, b], axis=-1) for a, b in ((0, 1), (1, 2), (0, 2)))
    found = np.full(len(free), np.inf)
    for rise in np.linspace(-HIGHEST, HIGHEST, HEIGHTS):
        reach = np.linalg.norm(held[:, :, 0] + (0.0, 0.0, rise) - held[:, :, 2], axis=-1)
        turn = np.abs(_bend(reach, upper, lower) - _bend(own, upper, lower))
        found = np.minimum(found, np.where(standing, turn, 0.0).max(axis=1))
    return np.degrees(found)


def _bend(reach: Array, upper: Array, lower: Array) -> Array:
    """Angle between two bones whose outer ends are `reach` apart; beyond their length they are straight."""
    cosine = (upper * upper + lower * lower - reach * reach) / (2.0 * upper * lower)
    return np.arccos(np.clip(cosine, -1.0, 1.0))
