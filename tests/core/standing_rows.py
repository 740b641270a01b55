"""Rows of the biped on its legs, at rest and gliding forward, and points of its left foot."""

import numpy as np
from verbs_adverbs.core.biped.figure import JOINTS
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.lock_point import LockPoint

from .walks import biped_channels

BALL = LockPoint("ball", JOINTS["Toes_L"], np.zeros(3))
HEEL = LockPoint("heel", JOINTS["Foot_L"], np.array([0.0, -0.03, -0.02]))
ANKLE = LockPoint("ankle", JOINTS["Foot_L"], np.zeros(3))
FRAME = 1.0 / 60.0
CHANNELS = biped_channels()


def standing(knee: float = 0.4) -> np.ndarray:
    """A row: standing on legs bent by `knee` radians."""
    row = np.zeros(CHANNELS.width)
    rotations = np.tile(quat.IDENTITY, (len(CHANNELS.rotating), 1))
    for side in "LR":
        for bone, angle in (("UpperLeg", -0.5), ("LowerLeg", 1.0), ("Foot", -0.5)):
            rotations[JOINTS[f"{bone}_{side}"]] = quat.exp(np.array([angle * knee, 0.0, 0.0]))
    rotations[0] = quat.exp(np.array([0.5 * np.pi, 0.0, 0.0]))
    row[CHANNELS.rotation_columns] = rotations.reshape(-1)
    row[5] = 0.965
    return row


def gliding(row: np.ndarray, count: int = 40, speed: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    """Times and rows of a figure that glides forward."""
    times = np.arange(count) * FRAME
    rows = np.tile(row, (count, 1))
    rows[:, 1] = -speed * times
    return times, rows
