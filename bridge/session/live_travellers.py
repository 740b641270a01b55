"""The travelling set in the frame path: from the heading's frame to what its bones are told."""

import math

import numpy as np
from numpy.typing import NDArray

from ...core.figure import quaternion as quat
from ..action.write_pose import PosePlan

Array = NDArray[np.float64]
Array32 = NDArray[np.float32]


class LiveTravellers:
    """Brings the travelling set of a plan to where the root has come.

    Parameters
    ----------
    plan : whose channels have one.
    """

    def __init__(self, plan: PosePlan) -> None:
        channels = plan.channels
        self._rows = channels.travelling_rows
        self._columns = channels.travelling_places - channels.scalar_columns.start
        self._turns = plan.turns
        self._axes = plan.solves[:, :3, :3] * plan.rig.scale
        self._shifts = plan.solves[:, :3, 3] * plan.rig.scale

    def turn(self, rotations: Array32, heading: float) -> None:
        """Turn those among the rotations (R, 4) from the heading's frame to their bones' own, in place."""
        yaw = np.array((math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading)))
        rotations[self._rows] = quat.multiply(self._turns, quat.multiply(yaw, rotations[self._rows]))

    def moved(self, scalars: Array32, travel: tuple[float, float, float], height: float) -> Array32:
        """Scalars (S,) with their locations as bones have them, in performance units."""
        x, y, heading = travel
        cosine, sine = math.cos(heading), math.sin(heading)
        local = scalars[self._columns].astype(np.float64)
        places = np.empty(local.shape)
        places[:, 0] = x + cosine * local[:, 0] - sine * local[:, 1]
        places[:, 1] = y + sine * local[:, 0] + cosine * local[:, 1]
        places[:, 2] = height + local[:, 2]
        own = scalars.copy()
        own[self._columns] = (self._axes @ places[..., None])[..., 0] + self._shifts
        return own
