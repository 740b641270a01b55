"""A wave of the standing biped's right hand as a function of energy and height: a verb that is not a cycle."""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from .figure import BONES, JOINTS, local_rotations, rest_point
from .generated import Generated, ease, frame_times, standing
from .upper_body import lean_rotation, place_arm, place_collar, stand_on_both

Array = NDArray[np.float64]

KEYTIME_NAMES = ("start", "up", "down", "end")
WAVE_ADVERBS: dict[str, tuple[str, str]] = {"energy": ("lazy", "eager"), "height": ("low", "high")}
WAVE_EXAMPLES: tuple[tuple[float, float], ...] = ((0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))

_WAVES = 3
_SIDES = (("L", 1.0), ("R", -1.0))


def wave_keytimes(energy: float) -> Array:
    """Seconds (4,) of `KEYTIME_NAMES`: the eager are quick."""
    raising, waving, lowering = 0.65 - 0.15 * energy, _WAVES * (0.52 - 0.14 * energy), 0.80 - 0.15 * energy
    return np.cumsum([0.0, raising, waving, lowering])


def wave(energy: float = 0.0, height: float = 0.0, rate: float = 30.0, margin: int = 4) -> Generated:
    """Generate a wave of the right hand.

    Parameters
    ----------
    energy : from -1, lazy, to 1, eager.
    height : from -1, the hand before the shoulder, to 1, above the head.
    rate : frames a second.
    margin : frames before and after the gesture.
    """
    keytimes = wave_keytimes(energy)
    times = frame_times(float(keytimes[-1]), rate, margin)
    return standing(
        f"Wave energy {energy:g} height {height:g}",
        {"energy": energy, "height": height},
        times,
        wave_pose(energy, height, times),
        KEYTIME_NAMES,
        keytimes,
    )


def wave_pose(energy: float, height: float, times: Array) -> tuple[Array, Array]:
    """Pose at `times` (T,) in seconds: rotations (T, J, 4), the root's absolute, and root (T, 3)."""
    _, up, down, end = wave_keytimes(energy)
    raised = ease(times / up) - ease((times - down) / (end - down))
    waving = ease((times - 0.6 * up) / (0.4 * up)) - ease((times - down) / (0.3 * (end - down)))
    swing = waving * np.sin(2.0 * np.pi * _WAVES * np.clip((times - up) / (down - up), -0.2, 1.1))
    effort = 0.5 * (1.0 + energy)
    turns = np.tile(quat.IDENTITY, (len(times), len(BONES), 1))
    pelvis = _stand(turns, raised, swing, effort)
    _lean_trunk(turns, raised, swing, effort, 0.5 * (1.0 + height))
    _raise_hand(turns, raised, swing, effort, height)
    stand_on_both(turns, pelvis)
    return local_rotations(turns), pelvis


def _stand(turns: Array, raised: Array, swing: Array, effort: float) -> Array:
    """Turn the hips and return where they are (T, 3): weight on the left leg while the right hand is up."""
    pelvis = np.tile(rest_point("Hips"), (len(raised), 1))
    pelvis[:, 0] += raised * (0.015 + 0.02 * effort) + 0.006 * effort * swing
    pelvis[:, 2] += -0.022 - 0.010 * effort * swing**2
    turns[:, JOINTS["Hips"]] = lean_rotation(
        0.04 * raised, np.radians(-2.0 - 2.0 * effort) * raised, np.full_like(raised, 0.02)
    )
    return pelvis


def _lean_trunk(turns: Array, raised: Array, swing: Array, effort: float, high: float) -> None:
    stoop = np.radians(8.0) * (1.0 - effort)
    aside = np.radians(2.0 + 3.0 * effort + 3.0 * high) * raised + np.radians(3.0 * effort) * swing
    back = np.radians(-4.0 * effort - 2.0 * high) * raised + stoop
    turned = np.radians(8.0) * raised
    turns[:, JOINTS["Spine"]] = lean_rotation(0.5 * turned, 0.4 * aside, 0.5 * back)
    turns[:, JOINTS["Chest"]] = lean_rotation(turned, aside, back)
    turns[:, JOINTS["Neck"]] = lean_rotation(0.5 * turned, 0.3 * aside, back + 0.12)
    turns[:, JOINTS["Head"]] = lean_rotation(0.0 * turned, -0.6 * aside, 0.5 * back + 0.5 * stoop)


def _raise_hand(turns: Array, raised: Array, swing: Array, effort: float, height: float) -> None:
    ones = np.ones_like(raised)
    drop_up = np.radians(10.0 - 45.0 * height)
    elbow_up = np.radians(92.0 - 30.0 * height) - np.radians(10.0 + 16.0 * effort) * swing
    up_down = np.stack([raised, 1.0 - raised])
    poses = {
        "L": (np.radians(82.0 - 6.0 * effort * raised), 0.2 * ones, np.radians(14.0 + 14.0 * effort * raised)),
        "R": (
            np.sum(up_down * np.array([[drop_up], [np.radians(82.0)]]), axis=0),
            np.sum(up_down * np.radians([[-68.0], [12.0]]), axis=0),
            raised * elbow_up + (1.0 - raised) * np.radians(14.0),
        ),
    }
    for side, left in _SIDES:
        drop, inward, elbow = poses[side]
        active = raised if side == "R" else 0.0 * raised
        place_collar(turns, side, left, np.radians(8.0 + 8.0 * height) * active, 0.0 * ones)
        wrist = 0.1 * ones
        place_arm(turns, side, left, turns[:, JOINTS["Chest"]], drop, inward, elbow, wrist)
