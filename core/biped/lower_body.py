"""Legs of the biped: where the hips are under a pelvis, and legs that stand where the feet are."""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.two_bone import bone_orientation, middle_joint
from .figure import JOINTS, rest_orientations, rest_point

Array = NDArray[np.float64]

ANKLE_FROM_BALL: Array = rest_point("Foot_L") - rest_point("Toes_L")


def leg_lengths() -> tuple[float, float]:
    """Lengths of thigh and shank in metres."""
    hip, knee, ankle = (rest_point(name) for name in ("UpperLeg_L", "LowerLeg_L", "Foot_L"))
    return float(np.linalg.norm(knee - hip)), float(np.linalg.norm(ankle - knee))


def hip_joint(pelvis: Array, hips: Array, side: str) -> Array:
    """Hip joint (T, 3) of a side ``'L'`` or ``'R'`` for positions (T, 3) and turns (T, 4) of the hip bone."""
    return pelvis + quat.rotate(hips, rest_point(f"UpperLeg_{side}") - rest_point("Hips"))


def place_leg(turns: Array, side: str, pelvis: Array, ankle: Array, foot: Array, toes: Array, forward: Array) -> None:
    """Turn thigh, shank, foot and toes in `turns` (T, J, 4), the hips' given, so that the ankle is where it should be.

    Parameters
    ----------
    turns : (T, J, 4) rotation of each bone from its rest in performance space, written here.
    side : ``'L'`` or ``'R'``.
    pelvis, ankle : (T, 3) head of the hip bone, and the ankle.
    foot, toes : (T, 4) how foot and toes are turned from rest.
    forward : (T, 3) direction to which the knee bends.
    """
    hip = hip_joint(pelvis, turns[:, JOINTS["Hips"]], side)
    knee = middle_joint(hip, ankle, *leg_lengths(), forward)
    hinge = np.cross(forward, ankle - hip)
    for name, head, tail in (("UpperLeg", hip, knee), ("LowerLeg", knee, ankle)):
        joint = JOINTS[f"{name}_{side}"]
        orientation = bone_orientation(head, tail, hinge)
        turns[:, joint] = quat.multiply(orientation, quat.conjugate(rest_orientations()[joint]))
    turns[:, JOINTS[f"Foot_{side}"]] = foot
    turns[:, JOINTS[f"Toes_{side}"]] = toes


def stand_on_both(turns: Array, pelvis: Array) -> None:
    """Put both legs under the hips in `turns` (T, J, 4), the feet a little wider than at rest and turned outward."""
    for side, left in (("L", 1.0), ("R", -1.0)):
        foot = np.tile(quat.from_yaw(np.radians(left * 10.0)), (len(pelvis), 1))
        ankle = np.tile(rest_point(f"Foot_{side}") + left * np.array([0.03, 0.0, 0.0]), (len(pelvis), 1))
        place_leg(turns, side, pelvis, ankle, foot, foot, quat.rotate(foot, np.array([0.0, -1.0, 0.0])))
