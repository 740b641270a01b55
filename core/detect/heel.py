"""Points of a foot that has no bone for its heel: where it rests on the floor while the foot is flat."""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.lock_point import LockPoint
from .smooth import quantile

Array = NDArray[np.float64]

BEHIND = 0.4
"""How far the heel lies behind the ankle, over the way from ankle to ball: so in human feet."""
FLAT = 0.25


def guessed_heel(name: str, frames: tuple[Array, Array], ankle: int, ball: int) -> LockPoint:
    """The heel of a foot, carried by the ankle's joint: behind the ankle, at the height of the ball of a flat foot.

    The foot counts as flat in the quarter of the frames in which both joints are lowest.

    Parameters
    ----------
    name : of the point.
    frames : positions (T, J, 3) and orientations (T, J, 4) of all joints, Z up.
    ankle, ball : joints of the foot and of its toes.
    """
    positions, orientations = frames
    low = positions[:, ankle, 2] + positions[:, ball, 2]
    flat = np.flatnonzero(low <= quantile(low, FLAT))
    away = positions[flat, ball] - positions[flat, ankle]
    heel = away * np.array([-BEHIND, -BEHIND, 1.0])
    offset = np.median(quat.rotate(quat.conjugate(orientations[flat, ankle]), heel), axis=0)
    return LockPoint(name, ankle, offset)
