"""A reach of the standing biped's right hand to a place in space and back, in a manner of its own for each place."""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.inverse_kinematics import bone_orientation, middle_joint
from .figure import BONES, JOINTS, local_rotations, rest_orientations, rest_point
from .generated import Generated, ease, frame_times, standing
from .upper_body import bone_head, lean_rotation, place_arm, place_collar, stand_on_both

Array = NDArray[np.float64]

KEYTIME_NAMES = ("stand", "reach", "end")
REACH_ADVERBS = ("x", "y", "z")
REACHING_HAND, REACHING_END = "Hand_R", "TAIL"
REACH_RANGES = np.array([[-0.5, 0.0], [-0.62, -0.4], [0.95, 1.45]])
"""Metres from where the figure stands, which faces -Y."""

_ELBOWS = (-0.3, 0.25, -0.1, 0.3, 0.2, -0.25, 0.3, -0.2)
_SECONDS = (0.62, 0.70, 0.75, 0.60, 0.72, 0.66, 0.58, 0.68)
REACH_EXAMPLES: tuple[tuple[float, ...], ...] = tuple(
    (x, y, z, _ELBOWS[4 * i + 2 * j + k], _SECONDS[4 * i + 2 * j + k])
    for i, x in enumerate(REACH_RANGES[0].tolist())
    for j, y in enumerate(REACH_RANGES[1].tolist())
    for k, z in enumerate(REACH_RANGES[2].tolist())
)
"""The corners of these ranges, each with its own elbow and time."""

_SIDES = (("L", 1.0), ("R", -1.0))
_X, _Y, _Z = np.eye(3)
_BENT = 0.97
_RETURN = 1.15
_HANGING = {"drop": np.radians(82.0), "inward": 0.2, "elbow": np.radians(14.0), "wrist": 0.1}
_ARM = ("UpperArm_R", "LowerArm_R", "Hand_R")


def reach(
    x: float, y: float, z: float, elbow: float = 0.0, seconds: float = 0.65, rate: float = 30.0, margin: int = 4
) -> Generated:
    """Generate a reach.

    Parameters
    ----------
    x, y, z : where the tip of the hand is at the keytime 'reach', in metres.
    elbow : radians by which the elbow is swung out from where it hangs.
    seconds : until the hand is there.
    rate : frames a second.
    margin : frames before and after the gesture.
    """
    keytimes = np.array([0.0, seconds, seconds + _RETURN * seconds])
    times = frame_times(float(keytimes[-1]), rate, margin)
    share = ease(times / keytimes[1]) - ease((times - keytimes[1]) / (keytimes[2] - keytimes[1]))
    return standing(
        f"Reach {x:g} {y:g} {z:g}",
        dict(zip(REACH_ADVERBS, (x, y, z), strict=True)),
        times,
        reach_pose(np.array([x, y, z]), elbow, share),
        KEYTIME_NAMES,
        keytimes,
    )


def reach_pose(place: Array, elbow: float, share: Array) -> tuple[Array, Array]:
    """Pose where the hand is `share` (T,) on its way to `place` (3,): rotations (T, J, 4) and root."""
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
    """How much the body has to help, so that the arm comes to `place` (3,) a little bent; 0 where it need not."""
    low, high = 0.0, 2.0
    arm = _BENT * (_length("UpperArm_R") + _length("LowerArm_R"))
    if _span(place, low) <= arm:
        return 0.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _span(place, middle) > arm else (low, middle)
    return high


def _span(place: Array, effort: float) -> float:
    """Distance from the shoulder to where the wrist is to be."""
    turns, pelvis = _body(np.ones(1), place, effort)
    shoulder = bone_head(turns, pelvis, "UpperArm_R")[0]
    return float(np.linalg.norm(_wrist(place, shoulder) - shoulder))


def _length(name: str) -> float:
    bone = BONES[JOINTS[name]]
    return float(np.linalg.norm(np.subtract(bone.tail, bone.head)))


def _pelvis(share: Array, place: Array, effort: float) -> Array:
    low = np.clip((1.44 - place[2]) / 0.6, 0.0, 1.0)
    pelvis = np.tile(rest_point("Hips"), (len(share), 1))
    pelvis += share[:, None] * np.array([0.05 * effort * place[0], -0.06 * effort, -0.16 * effort * low])
    pelvis[:, 2] -= 0.022
    return pelvis


def _body(share: Array, place: Array, effort: float) -> tuple[Array, Array]:
    """Turns (T, J, 4) of trunk, head and shoulders, and the hips' place (T, 3)."""
    turns = np.tile(quat.IDENTITY, (len(share), len(BONES), 1))
    forward = share * effort * np.radians(34.0 + 14.0 * np.clip(1.44 - place[2], 0.0, 1.0))
    aside = -share * effort * 0.25 * place[0]
    turned = share * (0.10 + 0.35 * effort + 0.2 * place[0])
    for name, lean, yaw in (("Hips", 0.35, 0.0), ("Spine", 0.7, 0.6), ("Chest", 1.0, 1.0), ("Neck", 0.7, 0.4)):
        turns[:, JOINTS[name]] = lean_rotation(yaw * turned, lean * aside, lean * forward + 0.02)
    turns[:, JOINTS["Head"]] = lean_rotation(0.0 * turned, 0.0 * aside, 0.35 * forward + 0.04)
    for side, left in _SIDES:
        active = share if side == "R" else 0.0 * share
        place_collar(turns, side, left, 0.12 * active * (place[2] - 1.0), 0.25 * active)
    return turns, _pelvis(share, place, effort)


def _wrist(place: Array, shoulder: Array) -> Array:
    """Where the wrist is (3,) when the hand points to `place` (3,): forward, and half along the arm."""
    along = (place - shoulder) / np.linalg.norm(place - shoulder) - 0.8 * _Y
    return place - _length("Hand_R") * along / np.linalg.norm(along)


def _arm_at(turns: Array, shoulder: Array, place: Array, elbow: float) -> dict[str, Array]:
    """How the bones of the right arm (4,) are turned from rest when the tip of the hand is at `place` (3,)."""
    wrist = _wrist(place, shoulder)
    down = np.array([-np.sin(0.6 + elbow), 0.3, -np.cos(0.6 + elbow)])
    upper, lower = _length("UpperArm_R"), _length("LowerArm_R")
    middle = middle_joint(shoulder[None], wrist[None], upper, lower, down[None])[0]
    hinge = np.cross(middle - shoulder, wrist - middle)
    ends = {"UpperArm_R": (shoulder, middle), "LowerArm_R": (middle, wrist), "Hand_R": (wrist, place)}
    return {name: _turned(name, *pair, hinge) for name, pair in ends.items()}


def _turned(name: str, head: Array, tail: Array, upwards: Array) -> Array:
    """Turn (4,) of a bone from `head` to `tail`, its Z axis as near as can be to `upwards`, all (3,)."""
    orientation = bone_orientation(head[None], tail[None], np.cross(tail - head, upwards)[None])[0]
    return quat.multiply(orientation, quat.conjugate(rest_orientations()[JOINTS[name]]))
