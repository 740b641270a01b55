"""A kick of the biped's right foot at a point before it, knee first: where the ball of the foot strikes is asked."""

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

KEYTIME_NAMES = ("start", "chamber", "strike", "chamber again", "end")
KICK_ADVERBS: dict[str, tuple[str, str]] = {"side": ("right", "left"), "height": ("low", "high")}
KICK_DISTANCE = 0.8
KICK_EXAMPLES: tuple[tuple[float, float], ...] = ((-0.3, 0.45), (0.15, 0.45), (-0.3, 1.0), (0.15, 1.0))
"""Metres to the figure's left and above the floor, of a board at `KICK_DISTANCE` before it."""

_KEYTIMES = np.array([0.0, 0.32, 0.52, 0.74, 1.2])
_FRONT = np.array([0.0, -1.0, 0.0])
_X = np.array([1.0, 0.0, 0.0])
_KNEE = ((0.0, -1.0, 0.0), (-0.05, -1.0, 0.6), (0.0, -0.6, 1.0), (-0.05, -1.0, 0.6), (0.0, -1.0, 0.0))


def kick(side: float, height: float, rate: float = 60.0) -> Generated:
    """Generate a kick `side` metres to the left and `height` above the floor, at `KICK_DISTANCE` before the feet."""
    times = frame_times(float(_KEYTIMES[-1]), rate)
    return standing(
        f"Kick side {side:g} height {height:g}",
        {"side": side, "height": height},
        times,
        _pose(np.array([side, -KICK_DISTANCE, height]), times),
        KEYTIME_NAMES,
        _KEYTIMES,
        feet=("L",),
    )


def _pose(target: Array, times: Array) -> tuple[Array, Array]:
    """Pose at `times` (T,). The hips turn alike in all kicks, so that all have one heading; the chest follows."""
    high, across = (target[2] - 0.45) / 0.55, target[0] + 0.1
    turns = np.tile(quat.IDENTITY, (len(times), len(BONES), 1))
    up, out = (0.07, 0.0, -0.05), (0.08, -0.07, -0.04 + 0.02 * high)
    pelvis = rest_point("Hips") + keyed(times, _KEYTIMES, [(0.0, 0.0, -0.05), up, out, up, (0.0, 0.0, -0.05)])
    hips = keyed(times, _KEYTIMES, np.radians([0.0, 6.0, 16.0, 6.0, 0.0]))
    back = keyed(times, _KEYTIMES, np.radians([6.0, 0.0, -14.0 - 12.0 * high, -2.0, 6.0]))
    aside = keyed(times, _KEYTIMES, np.radians([0.0, 3.0, 5.0, 3.0, 0.0]))
    turns[:, JOINTS["Hips"]] = lean_rotation(
        hips, aside, keyed(times, _KEYTIMES, np.radians([3.0, 0.0, -9.0, -1.0, 3.0]))
    )
    turns[:, JOINTS["Spine"]] = lean_rotation(0.6 * hips, aside, 0.8 * back)
    turns[:, JOINTS["Chest"]] = lean_rotation(
        keyed(times, _KEYTIMES, np.radians([0.0, -3.0, -8.0 + 20.0 * across, -3.0, 0.0])), aside, back
    )
    turns[:, JOINTS["Neck"]] = lean_rotation(-0.2 * hips, 0.5 * aside, 0.4 * back + 0.1)
    turns[:, JOINTS["Head"]] = lean_rotation(0.0 * hips, 0.0 * aside, 0.1 * back + 0.12)
    for side, left in (("L", 1.0), ("R", -1.0)):
        place_collar(turns, side, left, 0.04 + 0.0 * times, 0.1 + 0.0 * times)
        _arm(turns, pelvis, times, side, left)
    _stand_on_the_left(turns, pelvis, times)
    _strike_with_the_right(turns, pelvis, target, times)
    return local_rotations(turns), pelvis


def _arm(turns: Array, pelvis: Array, times: Array, side: str, left: float) -> None:
    """Fists before the chest; at the strike the right one swings back beside the hip, and the left one stays."""
    guard = np.array([0.12 * left, -0.30, 1.30])
    swung = np.array([-0.34, -0.02, 1.02]) if side == "R" else np.array([0.16, -0.24, 1.26])
    fist = keyed(times, _KEYTIMES, [guard, guard + 0.02, swung, guard, guard])
    up, down = np.array([-0.25 * left, -0.6, 0.7]), np.array([-0.3, -0.5, -0.6])
    along = keyed(times, _KEYTIMES, [up, up, down if side == "R" else up, up, up])
    place_arm_at(turns, pelvis, side, left, fist, along, (0.6 * left, 0.6, -0.8))


def _stand_on_the_left(turns: Array, pelvis: Array, times: Array) -> None:
    foot = np.tile(quat.from_yaw(np.radians(22.0)), (len(times), 1))
    ankle = np.tile([0.11, 0.02, rest_point("Foot_L")[2]], (len(times), 1))
    place_leg(turns, "L", pelvis, ankle, foot, foot, quat.rotate(foot, _FRONT))


def _strike_with_the_right(turns: Array, pelvis: Array, target: Array, times: Array) -> None:
    """The foot stands, comes up under the bent knee, and strikes with its ball, the toes drawn up."""
    pitch = keyed(times, _KEYTIMES, [0.0, -0.7, 1.0, -0.5, 0.0])
    foot = quat.exp(-pitch[:, None] * _X)
    toes = quat.exp(-keyed(times, _KEYTIMES, [0.0, -0.7, 1.5, -0.5, 0.0])[:, None] * _X)
    stand, knee_up = np.array([-0.12, 0.06, 0.025]), np.array([-0.12, -0.16, 0.42])
    chamber = knee_up + 0.25 * np.array([target[0] + 0.1, 0.0, target[2] - 0.7])
    ball = keyed(times, _KEYTIMES, [stand, chamber, target, chamber, stand])
    ankle = ball + quat.rotate(foot, rest_point("Foot_R") - rest_point("Toes_R"))
    place_leg(turns, "R", pelvis, ankle, foot, toes, keyed(times, _KEYTIMES, _KNEE))
