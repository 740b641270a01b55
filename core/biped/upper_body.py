"""Trunk, arms and legs of the generated motions."""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.inverse_kinematics import bone_orientation, middle_joint
from .figure import BONES, JOINTS, rest_orientations, rest_point
from .gait_style import Style

Array = NDArray[np.float64]

_X, _Y, _Z = np.eye(3)
_STRAIGHT_DOWN = np.radians(90.0)
_INWARD = np.radians(12.0)
ANKLE_FROM_BALL: Array = rest_point("Foot_L") - rest_point("Toes_L")


def lean_rotation(yaw: Array, left: Array, forward: Array) -> Array:
    """Rotation (T, 4) from rest of an upright bone: it leans forward, then left, then turns, radians (T,) each."""
    leaning = quat.multiply(quat.exp(left[:, None] * _Y), quat.exp(forward[:, None] * _X))
    return quat.multiply(quat.from_yaw(yaw), leaning)


def place_upper_body(turns: Array, style: Style, cycle: Array, heading: Array, lean: float) -> None:
    """Turn the bones above the hips in `turns` (T, J, 4), the hips' given.

    Parameters
    ----------
    turns : (T, J, 4) rotation of each bone from its rest in performance space, written here.
    style : manner of walking.
    cycle : (T,) phase of the walk in radians, 0 as the right heel comes down.
    heading : (T,) of the path in radians.
    lean : radians to the left, into a turn.
    """
    ones = np.ones_like(cycle)
    over_leg = -np.cos(cycle - 2.0 * np.pi * 0.3)
    chest_yaw = heading - np.radians(style.chest_yaw) * np.cos(cycle - 0.25) + 1.2 * lean
    chest_list = lean + np.radians(style.chest_list) * over_leg
    bob = np.cos(2.0 * cycle - 2.0)
    forward = {name: np.radians(getattr(style, name.lower())) * ones for name in ("Spine", "Chest", "Neck", "Head")}
    forward["Head"] = forward["Head"] + np.radians(style.nod) * bob
    forward["Chest"] = forward["Chest"] + np.radians(0.4 * style.nod) * bob
    head_yaw = heading + 2.6 * lean - 0.15 * (chest_yaw - heading - 1.2 * lean)
    head_list = 0.6 * lean + np.radians(style.head_list) * over_leg
    turns[:, JOINTS["Chest"]] = lean_rotation(chest_yaw, chest_list, forward["Chest"])
    turns[:, JOINTS["Head"]] = lean_rotation(head_yaw, head_list, forward["Head"])
    turns[:, JOINTS["Spine"]] = lean_rotation(0.5 * (chest_yaw + heading), 0.7 * chest_list, forward["Spine"])
    turns[:, JOINTS["Neck"]] = lean_rotation(
        0.5 * (chest_yaw + head_yaw), 0.5 * (chest_list + head_list), forward["Neck"]
    )
    for side, left, late in (("L", 1.0, 0.0), ("R", -1.0, np.pi)):
        _place_arm(turns, style, cycle - late, chest_yaw, chest_list, side, left)


def _place_arm(turns: Array, style: Style, cycle: Array, yaw: Array, side_lean: Array, side: str, left: float) -> None:
    """Let an arm hang from the chest and swing against the leg of its side; it is most forward at 0.25 radians."""
    ones = np.ones_like(cycle)
    forward = np.radians(style.arm_offset + style.arm_swing * np.cos(cycle - 0.25))
    place_collar(turns, side, left, np.radians(style.shrug) * ones, np.radians(style.protract) * ones)
    place_arm(
        turns,
        side,
        left,
        carried=lean_rotation(yaw, side_lean, -forward),
        drop=_STRAIGHT_DOWN - np.radians(style.arm_spread) * ones,
        inward=_INWARD * ones,
        elbow=np.radians(style.elbow + style.elbow_swing * np.cos(cycle - 0.6)),
        wrist=np.radians(style.wrist) * ones,
    )


def place_collar(turns: Array, side: str, left: float, shrug: Array, protract: Array) -> None:
    """Lift a shoulder by `shrug` and bring it forward by `protract`, radians (T,), in `turns` (T, J, 4)."""
    raised = quat.exp((-left * shrug)[:, None] * _Y)
    brought = quat.multiply(quat.exp((-left * protract)[:, None] * _Z), raised)
    turns[:, JOINTS[f"Shoulder_{side}"]] = quat.multiply(turns[:, JOINTS["Chest"]], brought)


def place_arm(
    turns: Array, side: str, left: float, carried: Array, drop: Array, inward: Array, elbow: Array, wrist: Array
) -> None:
    """Turn the three bones of an arm in `turns` (T, J, 4).

    Parameters
    ----------
    turns : (T, J, 4) rotation of each bone from its rest in performance space, written here.
    side, left : ``'L'`` and 1, or ``'R'`` and -1.
    carried : (T, 4) how what the arm hangs from is turned.
    drop : (T,) radians below the horizontal, sideways.
    inward : (T,) radians by which the arm is twisted, a bent forearm coming towards the body.
    elbow, wrist : (T,) radians of bend.
    """
    upper = quat.multiply(carried, quat.exp((left * drop)[:, None] * _Y))
    upper = quat.multiply(upper, quat.exp(inward[:, None] * _X))
    lower = quat.multiply(upper, quat.exp((-left * elbow)[:, None] * _Z))
    turns[:, JOINTS[f"UpperArm_{side}"]] = upper
    turns[:, JOINTS[f"LowerArm_{side}"]] = lower
    turns[:, JOINTS[f"Hand_{side}"]] = quat.multiply(lower, quat.exp((left * wrist)[:, None] * _Y))


def bone_head(turns: Array, pelvis: Array, name: str) -> Array:
    """Where the head of bone `name` is, (T, 3), in a pose told by `turns` (T, J, 4) of the bones above it."""
    place, bone = np.zeros_like(pelvis), BONES[JOINTS[name]]
    while bone.parent:
        place = place + quat.rotate(turns[:, JOINTS[bone.parent]], rest_point(bone.name) - rest_point(bone.parent))
        bone = BONES[JOINTS[bone.parent]]
    return pelvis + place


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
