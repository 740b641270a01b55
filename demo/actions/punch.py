"""A punch of the biped's right fist at a point before it, from a guard and back: its height and side are asked."""

import numpy as np
from numpy.typing import NDArray

from ...core.biped.figure import (
    BONES,
    JOINTS,
    Generated,
    frame_times,
    lean_rotation,
    local_rotations,
    place_collar,
    place_leg,
    rest_point,
    standing,
)
from ...core.figure import quaternion as quat
from .arm_target import keyed, place_arm_at

Array = NDArray[np.float64]

KEYTIME_NAMES = ("start", "wind", "hit", "end")
PUNCH_ADVERBS: dict[str, tuple[str, str]] = {"side": ("right", "left"), "height": ("low", "high")}
PUNCH_DISTANCE = 0.86
PUNCH_EXAMPLES: tuple[tuple[float, float], ...] = tuple(
    (side, height) for height in (1.1, 1.5) for side in (-0.32, -0.1, 0.12)
)
"""Metres to the figure's left and above the floor, of a board at `PUNCH_DISTANCE` before where its hips start."""

_KEYTIMES = np.array([0.0, 0.28, 0.46, 1.0])
_GUARD = {"L": (0.10, -0.39, 1.36), "R": (-0.08, -0.33, 1.34)}
_FEET = {"L": ((0.13, -0.23), 8.0), "R": ((-0.15, 0.16), -40.0)}
_FRONT = np.array([0.0, -1.0, 0.0])


def punch(side: float, height: float, rate: float = 60.0) -> Generated:
    """Generate a punch `side` metres to the left and `height` above the floor, at `PUNCH_DISTANCE` ahead."""
    times = frame_times(float(_KEYTIMES[-1]), rate)
    return standing(
        f"Punch side {side:g} height {height:g}",
        {"side": side, "height": height},
        times,
        _pose(np.array([side, -PUNCH_DISTANCE, height]), times),
        KEYTIME_NAMES,
        _KEYTIMES,
    )


def _pose(target: Array, times: Array) -> tuple[Array, Array]:
    """Pose at `times` (T,). The hips turn alike in all punches, so that all have one heading; the chest follows."""
    low, across = np.clip((1.5 - target[2]) / 0.4, 0.0, 1.0), target[0] + 0.1
    turns = np.tile(quat.IDENTITY, (len(times), len(BONES), 1))
    pelvis = rest_point("Hips") + keyed(
        times,
        _KEYTIMES,
        [(0.0, 0.0, -0.07), (-0.02, 0.03, -0.09), (0.03 * across, -0.13, -0.08 - 0.08 * low), (0.0, 0.0, -0.07)],
    )
    hips = keyed(times, _KEYTIMES, np.radians([-25.0, -38.0, 18.0, -25.0]))
    chest = keyed(times, _KEYTIMES, np.radians([-25.0, -45.0, 42.0 + 40.0 * across, -25.0]))
    forward = keyed(times, _KEYTIMES, np.radians([10.0, 8.0, 12.0 + 16.0 * low, 10.0]))
    turns[:, JOINTS["Hips"]] = lean_rotation(hips, 0.0 * hips, np.full_like(hips, 0.06))
    turns[:, JOINTS["Spine"]] = lean_rotation(0.5 * (hips + chest), 0.0 * hips, 0.6 * forward)
    turns[:, JOINTS["Chest"]] = lean_rotation(chest, 0.0 * hips, forward)
    turns[:, JOINTS["Neck"]] = lean_rotation(0.4 * chest, 0.0 * hips, forward)
    turns[:, JOINTS["Head"]] = lean_rotation(0.1 * chest, 0.0 * hips, 0.6 * forward + 0.05)
    for side, left in (("L", 1.0), ("R", -1.0)):
        _arm(turns, pelvis, target, times, side, left)
        (x, y), degrees = _FEET[side]
        foot = np.tile(quat.from_yaw(np.radians(degrees)), (len(times), 1))
        ankle = np.tile([x, y, rest_point("Foot_L")[2]], (len(times), 1))
        place_leg(turns, side, pelvis, ankle, foot, foot, quat.rotate(foot, _FRONT))
    return local_rotations(turns), pelvis


def _arm(turns: Array, pelvis: Array, target: Array, times: Array, side: str, left: float) -> None:
    guard = np.array(_GUARD[side])
    striking = side == "R"
    wind = guard + np.array([-0.10, 0.16, -0.12]) if striking else guard + np.array([0.02, -0.05, 0.0])
    hit = target if striking else guard + np.array([0.06, 0.12, -0.02])
    up, straight = np.array([-0.25 * left, -0.55, 0.8]), target - np.array([-0.06, -0.34, 1.36])
    along = [up, np.array([0.0, -0.9, 0.4]), straight / np.linalg.norm(straight), up] if striking else [up] * 4
    ones = np.ones_like(times)
    brought = keyed(times, _KEYTIMES, [0.1, -0.1, 0.3, 0.1]) if striking else 0.15 * ones
    place_collar(turns, side, left, 0.05 * ones, brought)
    fist = keyed(times, _KEYTIMES, [guard, wind, hit, guard])
    place_arm_at(turns, pelvis, side, left, fist, keyed(times, _KEYTIMES, np.array(along)), (0.5 * left, 0.1, -1.0))
