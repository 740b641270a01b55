"""The biped standing and breathing: a cycle without adverbs, both feet on the ground throughout."""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from .figure import BONES, JOINTS, local_rotations, rest_point
from .generated import Generated, frame_times, standing
from .upper_body import lean_rotation, place_arm, place_collar, stand_on_both

Array = NDArray[np.float64]

KEYTIME_NAMES = ("in", "out", "in")

_BREATH = 3.6
_SIDES = (("L", 1.0), ("R", -1.0))


def stance(rate: float = 30.0, margin: int = 4) -> Generated:
    """Generate one breath of standing, the weight shifting from leg to leg.

    Parameters
    ----------
    rate : frames a second.
    margin : frames before and after the breath.
    """
    times = frame_times(_BREATH, rate, margin)
    return standing(
        "Stand",
        {},
        times,
        stance_pose(times / _BREATH),
        KEYTIME_NAMES,
        _BREATH * np.array([0.0, 0.45, 1.0]),
        cyclic=True,
    )


def stance_pose(phases: Array) -> tuple[Array, Array]:
    """Pose at phases (T,) of the breath: rotations (T, J, 4), the root's absolute, and root (T, 3)."""
    breath, shift = 0.5 - 0.5 * np.cos(2.0 * np.pi * phases), np.sin(2.0 * np.pi * phases)
    turns = np.tile(quat.IDENTITY, (len(phases), len(BONES), 1))
    pelvis = np.tile(rest_point("Hips"), (len(phases), 1))
    pelvis[:, 0] += 0.008 * shift
    pelvis[:, 2] += -0.022 + 0.003 * breath
    turns[:, JOINTS["Hips"]] = lean_rotation(0.0 * shift, np.radians(0.6) * shift, np.full_like(shift, 0.02))
    for name, share in (("Spine", 0.4), ("Chest", 1.0), ("Neck", 0.7), ("Head", 0.3)):
        forward = np.radians(4.0) * (1.0 - 0.5 * share) - np.radians(2.5) * share * breath
        turns[:, JOINTS[name]] = lean_rotation(0.0 * shift, np.radians(-0.8) * share * shift, forward)
    for side, left in _SIDES:
        place_collar(turns, side, left, np.radians(2.5) * breath, 0.0 * breath)
        place_arm(
            turns,
            side,
            left,
            carried=turns[:, JOINTS["Chest"]],
            drop=np.radians(82.0) - np.radians(2.0) * breath,
            inward=np.full_like(breath, 0.2),
            elbow=np.radians(14.0) + np.radians(2.0) * breath,
            wrist=np.full_like(breath, 0.1),
        )
    stand_on_both(turns, pelvis)
    return local_rotations(turns), pelvis
