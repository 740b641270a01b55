"""Motions of the standing biped: breathing, a wave with energy and height as adverbs, and a reach to a position."""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.chain_inverse_kinematics import middle_joint
from .figure import (
    BONES,
    JOINTS,
    MARGIN,
    SIDES,
    Generated,
    bone_head,
    bone_length,
    ease,
    frame_times,
    lean_rotation,
    local_rotations,
    place_arm,
    place_collar,
    rest_point,
    stand_on_both,
    standing,
    turned_to,
)

Array = NDArray[np.float64]

WAVE_KEYTIMES = ("start", "up", "down", "end")
WAVE_ADVERBS: dict[str, tuple[str, str]] = {"energy": ("lazy", "eager"), "height": ("low", "high")}
WAVE_EXAMPLES: tuple[tuple[float, float], ...] = ((0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))

_WAVES = 3
REACH_KEYTIMES = ("stand", "reach", "end")
REACH_ADVERBS = ("x", "y", "z")
REACHING_HAND, REACHING_END = "Hand_R", "TAIL"
REACH_RANGES = np.array([[-0.5, 0.0], [-0.62, -0.4], [0.95, 1.45]])
"""Ranges of the reach in metres, relative to the standing figure, which faces -Y."""
_ELBOWS = (-0.3, 0.25, -0.1, 0.3, 0.2, -0.25, 0.3, -0.2)
_SECONDS = (0.62, 0.70, 0.75, 0.60, 0.72, 0.66, 0.58, 0.68)
REACH_EXAMPLES: tuple[tuple[float, ...], ...] = tuple(
    (x, y, z, _ELBOWS[4 * i + 2 * j + k], _SECONDS[4 * i + 2 * j + k])
    for i, x in enumerate(REACH_RANGES[0].tolist())
    for j, y in enumerate(REACH_RANGES[1].tolist())
    for k, z in enumerate(REACH_RANGES[2].tolist())
)
"""Examples of the reach: the corners of these ranges, each with its own elbow angle and duration."""
_X, _Y, _Z = np.eye(3)
_BENT = 0.97
_RETURN = 1.15
_HANGING = {"drop": np.radians(82.0), "inward": 0.2, "elbow": np.radians(14.0), "wrist": 0.1}
_ARM = ("UpperArm_R", "LowerArm_R", "Hand_R")
BREATH_KEYTIMES = ("in", "out", "in")
_BREATH = 3.6


def stance(rate: float = 30.0, margin: int = MARGIN) -> Generated:
    """Generate one breath of standing, with the weight shifting from leg to leg.

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
        BREATH_KEYTIMES,
        _BREATH * np.array([0.0, 0.45, 1.0]),
        cyclic=True,
    )


def stance_pose(phases: Array) -> tuple[Array, Array]:
    """Return the pose at phases (T,) of the breath: rotations (T, J, 4), the root's absolute, and root (T, 3)."""
    breath, shift = 0.5 - 0.5 * np.cos(2.0 * np.pi * phases), np.sin(2.0 * np.pi * phases)
    turns = np.tile(quat.IDENTITY, (len(phases), len(BONES), 1))
    pelvis = np.tile(rest_point("Hips"), (len(phases), 1))
    pelvis[:, 0] += 0.008 * shift
    pelvis[:, 2] += -0.022 + 0.003 * breath
    turns[:, JOINTS["Hips"]] = lean_rotation(0.0 * shift, np.radians(0.6) * shift, np.full_like(shift, 0.02))
    for name, share in (("Spine", 0.4), ("Chest", 1.0), ("Neck", 0.7), ("Head", 0.3)):
        forward = np.radians(4.0) * (1.0 - 0.5 * share) - np.radians(2.5) * share * breath
        turns[:, JOINTS[name]] = lean_rotation(0.0 * shift, np.radians(-0.8) * share * shift, forward)
    for side, left in SIDES:
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


def wave_keytimes(energy: float) -> Array:
    """Return the seconds (4,) of `WAVE_KEYTIMES`; a wave with more energy is faster."""
    raising, waving, lowering = 0.65 - 0.15 * energy, _WAVES * (0.52 - 0.14 * energy), 0.80 - 0.15 * energy
    return np.cumsum([0.0, raising, waving, lowering])


def wave(energy: float = 0.0, height: float = 0.0, rate: float = 30.0) -> Generated:
    """Generate a wave of the right hand.

    Parameters
    ----------
    energy : from -1, lazy, to 1, eager.
    height : from -1, the hand in front of the shoulder, to 1, above the head.
    rate : frames a second.
    """
    keytimes = wave_keytimes(energy)
    times = frame_times(float(keytimes[-1]), rate)
    return standing(
        f"Wave energy {energy:g} height {height:g}",
        {"energy": energy, "height": height},
        times,
        wave_pose(energy, height, times),
        WAVE_KEYTIMES,
        keytimes,
    )


def wave_pose(energy: float, height: float, times: Array) -> tuple[Array, Array]:
    """Return the pose at `times` (T,) in seconds: rotations (T, J, 4), the root's absolute, and root (T, 3)."""
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
    """Pose the hips and return their positions (T, 3): the weight is on the left leg while the right hand is up."""
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
    for side, left in SIDES:
        drop, inward, elbow = poses[side]
        active = raised if side == "R" else 0.0 * raised
        place_collar(turns, side, left, np.radians(8.0 + 8.0 * height) * active, 0.0 * ones)
        wrist = 0.1 * ones
        place_arm(turns, side, left, turns[:, JOINTS["Chest"]], drop, inward, elbow, wrist)


def reach(x: float, y: float, z: float, elbow: float = 0.0, seconds: float = 0.65, rate: float = 30.0) -> Generated:
    """Generate a reach.

    Parameters
    ----------
    x, y, z : position of the tip of the hand at the keytime 'reach', in metres.
    elbow : angle in radians by which the elbow is swung outwards.
    seconds : time until the hand arrives.
    rate : frames a second.
    """
    keytimes = np.array([0.0, seconds, seconds + _RETURN * seconds])
    times = frame_times(float(keytimes[-1]), rate)
    share = ease(times / keytimes[1]) - ease((times - keytimes[1]) / (keytimes[2] - keytimes[1]))
    return standing(
        f"Reach {x:g} {y:g} {z:g}",
        dict(zip(REACH_ADVERBS, (x, y, z), strict=True)),
        times,
        reach_pose(np.array([x, y, z]), elbow, share),
        REACH_KEYTIMES,
        keytimes,
    )


def reach_pose(place: Array, elbow: float, share: Array) -> tuple[Array, Array]:
    """Return rotations (T, J, 4) and root (T, 3) with the hand at a `share` (T,) of the path to `place` (3,)."""
    effort = _effort(place)
    there, pelvis_there = _body(np.ones(1), place, effort)
    reached = _arm_at(there, bone_head(there, pelvis_there, "UpperArm_R")[0], place, elbow)
    turns, pelvis = _body(share, place, effort)
    chest = turns[:, JOINTS["Chest"]]
    hanging = np.tile(quat.IDENTITY, (1, len(BONES), 1))
    place_arm(hanging, "R", -1.0, quat.IDENTITY[None], **{name: np.full(1, value) for name, value in _HANGING.items()})
    for name in _ARM:
        end = quat.multiply(quat.conjugate(there[0, JOINTS["Chest"]]), reached[name])
        start = hanging[0, JOINTS[name]]
        way = quat.log(quat.multiply(end, quat.conjugate(start)))
        turns[:, JOINTS[name]] = quat.multiply(chest, quat.multiply(quat.exp(share[:, None] * way), start))
    place_arm(turns, "L", 1.0, chest, **{name: np.full(len(share), value) for name, value in _HANGING.items()})
    stand_on_both(turns, pelvis)
    return local_rotations(turns), pelvis


def _effort(place: Array) -> float:
    """Return how much the body must lean, 0 or more, for the hand to reach `place` (3,) with the arm slightly bent."""
    low, high = 0.0, 2.0
    arm = _BENT * (bone_length("UpperArm_R") + bone_length("LowerArm_R"))
    if _span(place, low) <= arm:
        return 0.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _span(place, middle) > arm else (low, middle)
    return high


def _span(place: Array, effort: float) -> float:
    """Return the distance from the shoulder to the wrist when the hand is at `place` (3,)."""
    turns, pelvis = _body(np.ones(1), place, effort)
    shoulder = bone_head(turns, pelvis, "UpperArm_R")[0]
    return float(np.linalg.norm(_wrist(place, shoulder) - shoulder))


def _pelvis(share: Array, place: Array, effort: float) -> Array:
    low = np.clip((1.44 - place[2]) / 0.6, 0.0, 1.0)
    pelvis = np.tile(rest_point("Hips"), (len(share), 1))
    pelvis += share[:, None] * np.array([0.05 * effort * place[0], -0.06 * effort, -0.16 * effort * low])
    pelvis[:, 2] -= 0.022
    return pelvis


def _body(share: Array, place: Array, effort: float) -> tuple[Array, Array]:
    """Return rotations (T, J, 4) of trunk, head and shoulders, and positions (T, 3) of the hips."""
    turns = np.tile(quat.IDENTITY, (len(share), len(BONES), 1))
    forward = share * effort * np.radians(34.0 + 14.0 * np.clip(1.44 - place[2], 0.0, 1.0))
    aside = -share * effort * 0.25 * place[0]
    turned = share * (0.10 + 0.35 * effort + 0.2 * place[0])
    for name, lean, yaw in (("Hips", 0.35, 0.0), ("Spine", 0.7, 0.6), ("Chest", 1.0, 1.0), ("Neck", 0.7, 0.4)):
        turns[:, JOINTS[name]] = lean_rotation(yaw * turned, lean * aside, lean * forward + 0.02)
    turns[:, JOINTS["Head"]] = lean_rotation(0.0 * turned, 0.0 * aside, 0.35 * forward + 0.04)
    for side, left in SIDES:
        active = share if side == "R" else 0.0 * share
        place_collar(turns, side, left, 0.12 * active * (place[2] - 1.0), 0.25 * active)
    return turns, _pelvis(share, place, effort)


def _wrist(place: Array, shoulder: Array) -> Array:
    """Return the position (3,) of the wrist with the tip of the hand at `place` (3,), pointing halfway forward."""
    along = (place - shoulder) / np.linalg.norm(place - shoulder) - 0.8 * _Y
    return place - bone_length("Hand_R") * along / np.linalg.norm(along)


def _arm_at(turns: Array, shoulder: Array, place: Array, elbow: float) -> dict[str, Array]:
    """Return the rotation (4,) from rest of each bone of the right arm with the tip of the hand at `place` (3,)."""
    wrist = _wrist(place, shoulder)
    down = np.array([-np.sin(0.6 + elbow), 0.3, -np.cos(0.6 + elbow)])
    upper, lower = bone_length("UpperArm_R"), bone_length("LowerArm_R")
    middle = middle_joint(shoulder[None], wrist[None], upper, lower, down[None])[0]
    hinge = np.cross(middle - shoulder, wrist - middle)
    ends = {"UpperArm_R": (shoulder, middle), "LowerArm_R": (middle, wrist), "Hand_R": (wrist, place)}
    return {
        name: turned_to(name, begin[None], end[None], np.cross(end - begin, hinge)[None])[0]
        for name, (begin, end) in ends.items()
    }
