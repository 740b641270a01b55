"""How little at least legs must be bent otherwise than by themselves, whatever holds their feet where they are.

How far a knee is bent follows from how far its hip is from its ankle. So feet that stand higher or lower than on the
examples' ground bend it, unless the root goes along; it cannot go along with both.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

HIGHEST, HEIGHTS = 0.5, 501
"""Metres by which the root is looked at higher and lower, and how often."""


def least_bends(free: Array, held: Array, standing: NDArray[np.bool_]) -> Array:
    """Degrees (T,) by which some knee is bent more or less at least, at the root's best height.

    Parameters
    ----------
    free, held : (T, K, 3, 3) hip, knee and ankle of each point's leg without locks and with them, metres.
    standing : (T, K) which points stand; the others ask for nothing.
    """
    upper, lower, own = (np.linalg.norm(free[:, :, a] - free[:, :, b], axis=-1) for a, b in ((0, 1), (1, 2), (0, 2)))
    found = np.full(len(free), np.inf)
    for rise in np.linspace(-HIGHEST, HIGHEST, HEIGHTS):
        reach = np.linalg.norm(held[:, :, 0] + (0.0, 0.0, rise) - held[:, :, 2], axis=-1)
        turn = np.abs(_bend(reach, upper, lower) - _bend(own, upper, lower))
        found = np.minimum(found, np.where(standing, turn, 0.0).max(axis=1))
    return np.degrees(found)


def _bend(reach: Array, upper: Array, lower: Array) -> Array:
    """Angle between two bones whose ends are so far apart; beyond their length they are straight."""
    cosine = (upper * upper + lower * lower - reach * reach) / (2.0 * upper * lower)
    return np.arccos(np.clip(cosine, -1.0, 1.0))
