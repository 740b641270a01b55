"""Arms of the biped that bring a fist to a given point, as `lower_body` brings a foot; and poses keyed at keytimes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.biped.figure import JOINTS, bone_head, ease, rest_orientations, rest_point
from ...core.figure import quaternion as quat
from ...core.figure.chain_inverse_kinematics import bone_orientation, middle_joint

Array = NDArray[np.float64]

FIST = 0.09
"""Metres along the hand bone from the wrist to the knuckles."""


def keyed(times: Array, keytimes: Array, values: ArrayLike) -> Array:
    """Values (T, ...) at `times` (T,) that rest at `values` (K, ...) at `keytimes` (K,), with ease between."""
    rows = np.asarray(values, dtype=np.float64)
    result = np.broadcast_to(rows[0], (len(times),) + rows.shape[1:]).copy()
    for index in range(len(rows) - 1):
        eased = ease((times - keytimes[index]) / (keytimes[index + 1] - keytimes[index]))
        result += eased.reshape((-1,) + (1,) * (rows.ndim - 1)) * (rows[index + 1] - rows[index])
    return result


def place_arm_at(
    turns: Array, pelvis: Array, side: str, left: float, fist: Array, along: Array, bend: Sequence[float]
) -> None:
    """Turn the three bones of an arm in `turns` (T, J, 4), the collar's given, so that its knuckles are where asked.

    Parameters
    ----------
    turns : (T, J, 4) rotation of each bone from its rest in performance space, written here.
    pelvis : (T, 3) head of the hip bone.
    side, left : ``'L'`` and 1, or ``'R'`` and -1.
    fist : (T, 3) where the knuckles should be.
    along : (T, 3) direction of the hand.
    bend : (3,) direction to which the elbow points.
    """
    shoulder, elbow, wrist = (rest_point(f"{name}_{side}") for name in ("UpperArm", "LowerArm", "Hand"))
    lengths = float(np.linalg.norm(elbow - shoulder)), float(np.linalg.norm(wrist - elbow))
    forward = along / np.linalg.norm(along, axis=-1, keepdims=True)
    head, end = bone_head(turns, pelvis, f"UpperArm_{side}"), fist - FIST * forward
    aside = np.tile(np.asarray(bend, dtype=np.float64), (len(fist), 1))
    middle = middle_joint(head, end, *lengths, aside)
    hinge = left * np.asarray(np.cross(end - head, aside), dtype=np.float64)
    for name, begin, tail in (("UpperArm", head, middle), ("LowerArm", middle, end), ("Hand", end, end + forward)):
        joint = JOINTS[f"{name}_{side}"]
        orientation = bone_orientation(begin, tail, np.cross(tail - begin, hinge))
        turns[:, joint] = quat.multiply(orientation, quat.conjugate(rest_orientations()[joint]))
