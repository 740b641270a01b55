"""Lifting a box with both hands, from near or from far and light or heavy: what is reached, and in what manner."""

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

KEYTIME_NAMES = ("start", "grasp", "up", "end")
LIFT_ADVERBS: dict[str, tuple[str, str]] = {"distance": ("close", "far"), "weight": ("light", "heavy")}
LIFT_EXAMPLES: tuple[tuple[float, float], ...] = ((0.38, 0.0), (0.38, 1.0), (0.62, 0.0), (0.62, 1.0))
"""Metres from the feet to the grip, and 0 for a light box, 1 for a heavy one."""
GRIP_HEIGHT, GRIP_WIDTH = 0.4, 0.36

_FRONT = np.array([0.0, -1.0, 0.0])


def lift_keytimes(weight: float) -> Array:
    """Seconds (4,) of `KEYTIME_NAMES`: what is heavy is slow to come up."""
    return np.cumsum([0.0, 0.8 + 0.2 * weight, 0.6 + 0.5 * weight, 0.5 + 0.2 * weight])


def lift(distance: float, weight: float, rate: float = 60.0) -> Generated:
    """Generate a lift of a box whose grips are `distance` before the feet, by one who finds it as heavy as `weight`."""
    keytimes = lift_keytimes(weight)
    times = frame_times(float(keytimes[-1]), rate)
    return standing(
        f"Lift distance {distance:g} weight {weight:g}",
        {"distance": distance, "weight": weight},
        times,
        _pose(distance, weight, keytimes, times),
        KEYTIME_NAMES,
        keytimes,
    )


def grip(distance: float, left: float) -> Array:
    """Where the knuckles (3,) of the left hand, for 1, or the right one, for -1, take the box."""
    return np.array([0.5 * GRIP_WIDTH * left, -distance, GRIP_HEIGHT])


def _pose(distance: float, weight: float, keytimes: Array, times: Array) -> tuple[Array, Array]:
    far = (distance - 0.38) / 0.24
    turns = np.tile(quat.IDENTITY, (len(times), len(BONES), 1))
    stand, held = (0.0, 0.0, -0.03), (0.0, 0.03 + 0.03 * weight, -0.04 - 0.03 * weight)
    down = (0.0, 0.14 - 0.06 * far, -0.26 - 0.14 * weight)
    pelvis = rest_point("Hips") + keyed(times, keytimes, [stand, down, held, held])
    bent = 62.0 - 16.0 * weight + 16.0 * far
    forward = keyed(times, keytimes, np.radians([4.0, bent, 2.0 - 10.0 * weight, 3.0 - 10.0 * weight]))
    still = np.zeros_like(times)
    for name, share in (("Hips", 0.5), ("Spine", 0.8), ("Chest", 1.0), ("Neck", 0.8), ("Head", 0.55)):
        turns[:, JOINTS[name]] = lean_rotation(still, still, share * forward)
    for side, left in (("L", 1.0), ("R", -1.0)):
        shrug = keyed(times, keytimes, np.array([0.05, -0.08, -0.02 - 0.1 * weight, -0.02 - 0.1 * weight]))
        place_collar(turns, side, left, shrug, keyed(times, keytimes, [0.0, 0.3, 0.15, 0.15]))
        _arm(turns, pelvis, distance, weight, keytimes, times, side, left)
        foot = np.tile(quat.from_yaw(np.radians(left * 14.0)), (len(times), 1))
        ankle = np.tile([left * 0.17, 0.0, rest_point("Foot_L")[2]], (len(times), 1))
        place_leg(turns, side, pelvis, ankle, foot, foot, quat.rotate(foot, _FRONT))
    return local_rotations(turns), pelvis


def _arm(
    turns: Array,
    pelvis: Array,
    distance: float,
    weight: float,
    keytimes: Array,
    times: Array,
    side: str,
    left: float,
) -> None:
    hanging = np.array([0.25 * left, -0.08, 0.82])
    held = np.array([0.5 * GRIP_WIDTH * left, -0.36 + 0.08 * weight, 1.08 - 0.14 * weight])
    fist = keyed(times, keytimes, [hanging, grip(distance, left), held, held])
    down, ahead = np.array([0.0, -0.25, -1.0]), np.array([0.0, -1.0, -0.05])
    along = keyed(times, keytimes, [down, down + 0.3 * ahead, ahead, ahead])
    place_arm_at(turns, pelvis, side, left, fist, along, (0.7 * left, 0.8, -0.3))
