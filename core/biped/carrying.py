"""The biped carries a box in front of its belly: a cycle of one step of each foot, in which the box dips twice."""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from .figure import (
    BONES,
    JOINTS,
    MARGIN,
    SIDES,
    Generated,
    bone_head,
    bone_length,
    frame_times,
    lean_rotation,
    local_rotations,
    place_collar,
    rest_point,
    stand_on_both,
    standing,
)
from .key_poses import hold_hand, place_arm_to
from .walk import KEYTIME_NAMES, walk_keytimes
from .walk_style import NEUTRAL

Array = NDArray[np.float64]

CARRY_ADVERBS = ("carry_weight", "carry_width")
CARRY_RANGES = np.array([[-1.0, 1.0], [0.25, 0.5]])
"""Ranges of carrying: from light to heavy, and the distance in metres between the hands, which hold the sides."""
CARRY_EXAMPLES: tuple[tuple[float, float], ...] = ((-1.0, 0.25), (-1.0, 0.5), (1.0, 0.25), (1.0, 0.5))

CARRIES = "carry"
BOX = (0.20, 0.26)
"""Height and depth of the box in metres, along the x and y axes of the left hand; its width is along the z axis."""
PALM = 0.03
"""Distance in metres from the middle of a hand to its palm, which touches the box."""
FACING = np.radians(175.0)
"""Angle between the hands' bone axes above which their palms face each other, which only happens here: 180."""

_X, _Y, _Z = np.eye(3)
_LOWEST = 0.06
"""Fraction of the cycle from the landing of a foot until the box is lowest."""
_BEARS = 0.31
"""Phase at which the body of a walk is over its right foot."""
_FINGERS_AHEAD = {
    "L": quat.from_matrix(np.stack([-_Y, -_Z, _X], axis=-1)),
    "R": quat.from_matrix(np.stack([_Y, -_Z, -_X], axis=-1)),
}
"""Rotation (4,) of each hand from rest, palm down, to pointing ahead with the palm facing the other hand."""


def carry(weight: float, width: float, rate: float = 30.0, margin: int = MARGIN) -> Generated:
    """Generate one cycle of standing with a box in both hands, with the keytimes of the plain walk.

    It can follow a walk's steps: the box dips when a foot lands, and the body is over the supporting foot.

    Parameters
    ----------
    weight : from -1, light, to 1, heavy.
    width : distance in metres between the hands, whose palms touch the sides of the box.
    rate : frames a second.
    margin : frames before and after the cycle.
    """
    period = NEUTRAL.period
    times = frame_times(period, rate, margin)
    return standing(
        f"Carry weight {weight:g} width {width:g}",
        dict(zip(CARRY_ADVERBS, (weight, width), strict=True)),
        times,
        carry_pose(weight, width, times / period),
        KEYTIME_NAMES,
        walk_keytimes(NEUTRAL),
        cyclic=True,
    )


def carry_pose(weight: float, width: float, phases: Array) -> tuple[Array, Array]:
    """Return the pose at phases (T,) of the cycle: rotations (T, J, 4), the root's absolute, and root (T, 3)."""
    heavy = 0.5 * (1.0 + weight)
    low = np.cos(4.0 * np.pi * (phases - _LOWEST))
    right = np.cos(2.0 * np.pi * (phases - _BEARS))
    turns = np.tile(quat.IDENTITY, (len(phases), len(BONES), 1))
    pelvis = np.tile(rest_point("Hips"), (len(phases), 1))
    pelvis += np.array([0.0, -0.02 * heavy, -0.026 - 0.026 * heavy])
    pelvis[:, 0] -= (0.006 + 0.004 * heavy) * right
    pelvis[:, 2] -= (0.001 + 0.002 * heavy) * low
    _lean_back(turns, heavy, low, right)
    _hold_box(turns, pelvis, heavy, width, low)
    stand_on_both(turns, pelvis)
    return local_rotations(turns), pelvis


def _lean_back(turns: Array, heavy: float, low: Array, right: Array) -> None:
    """Pose trunk and head in `turns` (T, J, 4): back due to the weight, and over the supporting foot."""
    ones = np.ones_like(low)
    pulled = 0.3 + 0.5 * heavy
    for name, forward, pull, aside in (
        ("Hips", 1.0 - 4.0 * heavy, 0.2, -0.6),
        ("Spine", 0.0 - 8.0 * heavy, 0.6, 0.3),
        ("Chest", -1.0 - 9.0 * heavy, 1.0, 0.9),
        ("Neck", 3.0 - 2.0 * heavy, 0.6, 0.5),
        ("Head", 3.4 + 1.0 * heavy, 0.2, 0.2),
    ):
        left = -np.radians(aside) * right
        turns[:, JOINTS[name]] = lean_rotation(0.0 * ones, left, np.radians(forward * ones + pull * pulled * low))


def _hold_box(turns: Array, pelvis: Array, heavy: float, width: float, low: Array) -> None:
    """Pose both arms in `turns` (T, J, 4): the hands keep their relative pose, whatever the body does."""
    tilt = quat.exp(np.radians(4.0 + 8.0 * heavy) * _X)
    height = 1.175 - 0.085 * heavy
    reach = _reach(np.radians(80.0 + 8.0 * heavy))
    for side, left in SIDES:
        place_collar(turns, side, left, np.full_like(low, 0.02 - 0.05 * heavy), np.full_like(low, 0.08 + 0.06 * heavy))
    shoulders = {side: bone_head(turns, pelvis, f"UpperArm_{side}") for side, _ in SIDES}
    middle = np.mean([*shoulders.values()], axis=(0, 1))
    aside = 0.5 * (np.mean(shoulders["L"] - shoulders["R"], axis=0)[0] - width)
    ahead = np.sqrt(reach**2 - (middle[2] - height) ** 2 - aside**2)
    box = pelvis - np.mean(pelvis, axis=0) + np.array([0.0, middle[1] - ahead, height])
    box[:, 2] -= (0.0035 + 0.004 * heavy) * low
    for side, left in SIDES:
        wrist = box + 0.5 * left * width * _X
        pole = np.tile([(0.85 + 0.15 * heavy - 1.4 * width) * left, 1.0, -0.2], (len(low), 1))
        place_arm_to(turns, side, left, shoulders[side], wrist, pole)
        hold_hand(turns, side, np.tile(quat.multiply(tilt, _FINGERS_AHEAD[side]), (len(low), 1)))


def _reach(elbow: float) -> float:
    """Return the distance in metres from shoulder to wrist of an arm whose elbow is bent by `elbow` radians."""
    upper, lower = bone_length("UpperArm_R"), bone_length("LowerArm_R")
    return float(np.sqrt(upper**2 + lower**2 + 2.0 * upper * lower * np.cos(elbow)))
