"""Two-bone inverse kinematics in closed form: a thigh and a shank, an upper arm and a forearm."""

import numpy as np
from numpy.typing import NDArray

from . import quaternion as quat

Array = NDArray[np.float64]


def middle_joint(start: Array, end: Array, upper: float, lower: float, bend: Array) -> Array:
    """Where the knee is when hip and ankle are given.

    Law of cosines in the plane of the three joints. An end out of reach counts as if the stretched limb ended there.

    Parameters
    ----------
    start, end : (T, 3) hip and ankle.
    upper, lower : lengths of the two bones.
    bend : (T, 3) direction to which the knee bends, not along the limb.

    Returns
    -------
    (T, 3)
    """
    span = end - start
    distance = np.linalg.norm(span, axis=-1, keepdims=True)
    along = span / distance
    distance = np.clip(distance, abs(upper - lower), upper + lower)
    forward = (upper**2 - lower**2 + distance**2) / (2.0 * distance)
    side = bend - np.sum(bend * along, axis=-1, keepdims=True) * along
    side /= np.linalg.norm(side, axis=-1, keepdims=True)
    return start + forward * along + np.sqrt(np.maximum(upper**2 - forward**2, 0.0)) * side


def bone_orientation(head: Array, tail: Array, hinge: Array) -> Array:
    """Orientation (T, 4) with Y from `head` (T, 3) to `tail` (T, 3) and X as near as can be to `hinge` (T, 3)."""
    along = tail - head
    y = along / np.linalg.norm(along, axis=-1, keepdims=True)
    x = hinge - np.sum(hinge * y, axis=-1, keepdims=True) * y
    x /= np.linalg.norm(x, axis=-1, keepdims=True)
    return quat.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))
