"""The example figure and its posing: a human-sized biped in T-pose, in metres, Z up, facing -Y, its left towards +X."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.chain_inverse_kinematics import bone_orientation, middle_joint
from ..figure.skeleton import Skeleton
from .walk_style import Style

Array = NDArray[np.float64]
Point = tuple[float, float, float]

HEEL_HEIGHT = 0.0
BALL_HEIGHT = 0.025
MARGIN = 4
"""Frames before a motion's first keytime and after its last one, unless more are wanted."""

_FRONT: Point = (0.0, -1.0, 0.0)
_BACK: Point = (0.0, 1.0, 0.0)
_UP: Point = (0.0, 0.0, 1.0)
_X, _Y, _Z = np.eye(3)
SIDES = (("L", 1.0), ("R", -1.0))
"""The sides, and what counts to the left there."""
_STRAIGHT_DOWN = np.radians(90.0)
_INWARD = np.radians(12.0)
_RANGES: dict[str, tuple[tuple[float, float], ...]] = {
    "Shoulder": ((-15.0, 35.0), (-15.0, 15.0), (-30.0, 20.0)),
    "UpperArm": ((-110.0, 95.0), (-88.0, 88.0), (-140.0, 80.0)),
    "LowerArm": ((-10.0, 10.0), (-60.0, 85.0), (-155.0, 0.0)),
    "Hand": ((-80.0, 75.0), (-35.0, 50.0), (-35.0, 85.0)),
    "UpperLeg": ((-140.0, 30.0), (-70.0, 45.0), (-60.0, 45.0)),
    "LowerLeg": ((0.0, 155.0), (-10.0, 10.0), (-5.0, 5.0)),
    "Foot": ((-75.0, 85.0), (-40.0, 30.0), (-30.0, 35.0)),
    "Toes": ((-45.0, 110.0), (-5.0, 5.0), (-5.0, 5.0)),
}


@dataclass(frozen=True)
class Bone:
    """A bone at rest, in the armature's space.

    Parameters
    ----------
    name : name of the bone.
    parent : name of the parent, empty for the root.
    head, tail : its ends.
    z_axis : direction to which its Z axis is aligned, as in Blender's ``EditBone.align_roll``.
    radius : radius of the simple body around the bone.
    """

    name: str
    parent: str
    head: Point
    tail: Point
    z_axis: Point
    radius: float


_TRUNK = (
    Bone("Hips", "", (0.0, 0.0, 0.965), (0.0, 0.0, 1.07), _FRONT, 0.105),
    Bone("Spine", "Hips", (0.0, 0.0, 1.07), (0.0, 0.0, 1.22), _FRONT, 0.100),
    Bone("Chest", "Spine", (0.0, 0.0, 1.22), (0.0, 0.0, 1.46), _FRONT, 0.115),
    Bone("Neck", "Chest", (0.0, 0.01, 1.46), (0.0, 0.0, 1.55), _FRONT, 0.050),
    Bone("Head", "Neck", (0.0, 0.0, 1.55), (0.0, 0.0, 1.78), _FRONT, 0.095),
)
_LEFT = (
    Bone("Shoulder", "Chest", (0.025, 0.0, 1.425), (0.18, 0.0, 1.44), _UP, 0.050),
    Bone("UpperArm", "Shoulder", (0.18, 0.0, 1.44), (0.46, 0.0, 1.44), _UP, 0.045),
    Bone("LowerArm", "UpperArm", (0.46, 0.0, 1.44), (0.71, -0.005, 1.44), _UP, 0.037),
    Bone("Hand", "LowerArm", (0.71, -0.005, 1.44), (0.88, -0.01, 1.44), _UP, 0.032),
    Bone("UpperLeg", "Hips", (0.095, 0.0, 0.94), (0.095, -0.012, 0.51), _BACK, 0.075),
    Bone("LowerLeg", "UpperLeg", (0.095, -0.012, 0.51), (0.095, 0.01, 0.085), _BACK, 0.052),
    Bone("Foot", "LowerLeg", (0.095, 0.01, 0.085), (0.095, -0.13, BALL_HEIGHT), _UP, 0.036),
    Bone("Toes", "Foot", (0.095, -0.13, BALL_HEIGHT), (0.095, -0.20, BALL_HEIGHT), _UP, 0.028),
)
_LEFT_HEEL: Point = (0.095, 0.065, HEEL_HEIGHT)


def _sided(bone: Bone, side: str, sign: float) -> Bone:
    parent = bone.parent if bone.parent in {"Hips", "Chest"} else f"{bone.parent}_{side}"
    head, tail = (_mirrored(point, sign) for point in (bone.head, bone.tail))
    return Bone(f"{bone.name}_{side}", parent, head, tail, bone.z_axis, bone.radius)


def _mirrored(point: Point, sign: float) -> Point:
    return (sign * point[0], point[1], point[2])


BONES: tuple[Bone, ...] = (
    *_TRUNK,
    *(_sided(bone, "L", 1.0) for bone in _LEFT),
    *(_sided(bone, "R", -1.0) for bone in _LEFT),
)
JOINTS: dict[str, int] = {bone.name: joint for joint, bone in enumerate(BONES)}


def rest_point(name: str) -> Array:
    """Return the position (3,) of the head of bone `name` at rest, in the armature's space."""
    return np.array(BONES[JOINTS[name]].head)


def heel(side: str) -> Array:
    """Return the position (3,) of the heel of side ``'L'`` or ``'R'`` on the floor at rest, in the armature's space."""
    return np.array(_mirrored(_LEFT_HEEL, 1.0 if side == "L" else -1.0))


@cache
def rest_orientations() -> Array:
    """Return the orientation (J, 4) of every bone at rest in the armature's space: Y along it, Z towards `z_axis`."""
    matrices = np.empty((len(BONES), 3, 3))
    for joint, bone in enumerate(BONES):
        along = np.subtract(bone.tail, bone.head)
        y = along / np.linalg.norm(along)
        x = np.cross(y, bone.z_axis)
        x /= np.linalg.norm(x)
        matrices[joint] = np.stack([x, y, np.cross(x, y)], axis=-1)
    return quat.from_matrix(matrices)


@cache
def biped_skeleton() -> Skeleton:
    """Return the skeleton of the biped, whose root is Hips."""
    names = tuple(bone.name for bone in BONES)
    parents = np.array([JOINTS.get(bone.parent, -1) for bone in BONES], dtype=np.intp)
    heads = np.array([bone.head for bone in BONES])
    lengths = np.linalg.norm(np.subtract([bone.tail for bone in BONES], heads), axis=-1)
    turned_back = quat.conjugate(rest_orientations())
    offsets = quat.rotate(turned_back[parents], heads - heads[parents])
    rests = quat.multiply(turned_back[parents], rest_orientations())
    offsets[0], rests[0] = 0.0, quat.IDENTITY
    return Skeleton(names, parents, offsets, rests, lengths[:, None] * np.array([0.0, 1.0, 0.0]))


def local_rotations(turns: Array) -> Array:
    """Convert rotations of the bones in performance space to local rotations of the joints.

    Parameters
    ----------
    turns : (T, J, 4) rotation D of each bone from rest, so that its orientation is ``D * rest orientation``.

    Returns
    -------
    (T, J, 4) rotation of each joint from rest relative to its parent, the root's absolute, signs continuous over time.
    """
    skeleton, rests = biped_skeleton(), rest_orientations()
    orientations = quat.multiply(turns, rests)
    above = orientations[:, skeleton.parents]
    expected = quat.multiply(above, skeleton.rests)
    rotations = quat.multiply(quat.conjugate(expected), orientations)
    rotations[:, 0] = orientations[:, 0]
    return quat.continuous(rotations)


def bone_length(name: str) -> float:
    """Return the length of a bone in metres."""
    bone = BONES[JOINTS[name]]
    return float(np.linalg.norm(np.subtract(bone.tail, bone.head)))


def joint_ranges(name: str) -> tuple[tuple[float, float], ...]:
    """Return the ranges in degrees of a bone's rotations about X, Y and Z from rest, as angles of order XYZ.

    They are those of a person's (perhaps a dancer's) arms and legs. The trunk has none: the tuple is empty.
    """
    kind, _, side = name.partition("_")
    about = _RANGES.get(kind, ())
    mirrored = [(low, high) if axis == 0 else (-high, -low) for axis, (low, high) in enumerate(about)]
    return tuple(mirrored) if side == "R" else about


ANKLE_FROM_BALL: Array = rest_point("Foot_L") - rest_point("Toes_L")


@dataclass(frozen=True)
class Plant:
    """A bone's end that is planted on the floor.

    Parameters
    ----------
    bone : name of the bone.
    end : ``'HEAD'`` or ``'TAIL'``.
    windows : spans in seconds from the start of the motion; they may reach beyond its ends.
    """

    bone: str
    end: Literal["HEAD", "TAIL"]
    windows: tuple[tuple[float, float], ...]


@dataclass(frozen=True, eq=False)
class Generated:
    """A generated motion of the biped.

    Parameters
    ----------
    name : name of the motion for the user.
    adverbs : value of each adverb by its name.
    times : (T,) seconds from the first keytime, evenly spaced, with a margin before 0 and after the last keytime.
    rotations : (T, J, 4) rotation of each joint from rest, the root's absolute.
    root : (T, 3) position of the root in metres.
    keytime_names : (M,) names of the keytimes.
    keytimes : (M,) seconds, from 0.
    plants : planted bones, and when they are planted.
    kind : kind of example, which determines whether the root travels.
    cyclic : whether the last keytime is the first of the next cycle.
    """

    name: str
    adverbs: dict[str, float]
    times: Array
    rotations: Array
    root: Array
    keytime_names: tuple[str, ...]
    keytimes: Array
    plants: tuple[Plant, ...]
    kind: Literal["travelling", "stationary"]
    cyclic: bool

    @property
    def duration(self) -> float:
        """Seconds from the first keytime to the last."""
        return float(self.keytimes[-1])


def frame_times(duration: float, rate: float, margin: int = MARGIN) -> Array:
    """Return times of frames at `rate` a second over [0, duration], including 0, with `margin` more on both sides."""
    return np.arange(-margin, int(np.ceil(duration * rate - 1e-9)) + margin + 1) / rate


def standing(
    name: str,
    adverbs: dict[str, float],
    times: Array,
    pose: tuple[Array, Array],
    keytime_names: tuple[str, ...],
    keytimes: Array,
    feet: tuple[str, ...] = ("L", "R"),
    cyclic: bool = False,
) -> Generated:
    """Return a motion on the spot, with the toes of `feet` planted throughout; `pose` holds its rotations and root."""
    always = ((float(times[0]), float(times[-1])),)
    plants = tuple(Plant(f"Toes_{side}", "HEAD", always) for side in feet)
    return Generated(name, adverbs, times, *pose, keytime_names, keytimes, plants, "stationary", cyclic)


def ease(u: Array) -> Array:
    """Return a smooth step from 0 to 1 in `u`, with zero velocity and acceleration at both ends."""
    t = np.clip(u, 0.0, 1.0)
    return t**3 * (10.0 - 15.0 * t + 6.0 * t**2)


def foot_turn(heading: Array, pitch: Array, grade: float) -> Array:
    """Return the rotation (T, 4) from rest of a foot with heading (T,) and pitch (T,) on a floor of `grade`."""
    tilt = np.stack([pitch - np.arctan(grade), np.zeros_like(pitch), np.zeros_like(pitch)], axis=-1)
    return quat.multiply(quat.from_yaw(heading), quat.exp(tilt))


def quintic(u: Array, p0: Array, v0: Array, a0: Array, p1: Array, v1: Array, a1: Array) -> Array:
    """Return the quintic (T, C) at `u` (T,) with given positions, velocities and accelerations at 0 and 1."""
    t = u[:, None]
    rest = p1 - p0 - v0 - 0.5 * a0
    speed, bend = v1 - v0 - a0, a1 - a0
    c3 = 10.0 * rest - 4.0 * speed + 0.5 * bend
    c4 = -15.0 * rest + 7.0 * speed - bend
    c5 = 6.0 * rest - 3.0 * speed + 0.5 * bend
    return p0 + t * (v0 + t * (0.5 * a0 + t * (c3 + t * (c4 + t * c5))))


def lean_rotation(yaw: Array, left: Array, forward: Array) -> Array:
    """Return the rotation (T, 4) of an upright bone that leans forward, then left, then turns; radians (T,) each."""
    leaning = quat.multiply(quat.exp(left[:, None] * _Y), quat.exp(forward[:, None] * _X))
    return quat.multiply(quat.from_yaw(yaw), leaning)


def place_upper_body(turns: Array, style: Style, cycle: Array, heading: Array, lean: float) -> None:
    """Pose the bones above the hips in `turns` (T, J, 4), which already contains the rotation of the hips.

    Parameters
    ----------
    turns : (T, J, 4) rotation of each bone from its rest in performance space, modified in place.
    style : manner of walking.
    cycle : (T,) phase of the walk in radians, 0 at the strike of the right heel.
    heading : (T,) heading of the path in radians.
    lean : lean to the left, into a turn, in radians.
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
    """Pose an arm hanging from the chest, swinging opposite to the leg of its side, most forward at phase 0.25 rad."""
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
    """Raise a shoulder by `shrug` and bring it forward by `protract`, in radians (T,), in `turns` (T, J, 4)."""
    raised = quat.exp((-left * shrug)[:, None] * _Y)
    brought = quat.multiply(quat.exp((-left * protract)[:, None] * _Z), raised)
    turns[:, JOINTS[f"Shoulder_{side}"]] = quat.multiply(turns[:, JOINTS["Chest"]], brought)


def place_arm(
    turns: Array, side: str, left: float, carried: Array, drop: Array, inward: Array, elbow: Array, wrist: Array
) -> None:
    """Pose the three bones of an arm in `turns` (T, J, 4).

    Parameters
    ----------
    turns : (T, J, 4) rotation of each bone from its rest in performance space, modified in place.
    side, left : ``'L'`` and 1, or ``'R'`` and -1.
    carried : (T, 4) rotation from rest of the bone that carries the arm.
    drop : (T,) angle of the upper arm below the horizontal in radians.
    inward : (T,) twist of the arm in radians, which brings a bent forearm towards the body.
    elbow, wrist : (T,) bend in radians.
    """
    upper = quat.multiply(carried, quat.exp((left * drop)[:, None] * _Y))
    upper = quat.multiply(upper, quat.exp(inward[:, None] * _X))
    lower = quat.multiply(upper, quat.exp((-left * elbow)[:, None] * _Z))
    turns[:, JOINTS[f"UpperArm_{side}"]] = upper
    turns[:, JOINTS[f"LowerArm_{side}"]] = lower
    turns[:, JOINTS[f"Hand_{side}"]] = quat.multiply(lower, quat.exp((left * wrist)[:, None] * _Y))


def bone_head(turns: Array, pelvis: Array, name: str) -> Array:
    """Return the position (T, 3) of the head of bone `name` for rotations `turns` (T, J, 4) of bones from rest."""
    place, bone = np.zeros_like(pelvis), BONES[JOINTS[name]]
    while bone.parent:
        place = place + quat.rotate(turns[:, JOINTS[bone.parent]], rest_point(bone.name) - rest_point(bone.parent))
        bone = BONES[JOINTS[bone.parent]]
    return pelvis + place


def turned_to(name: str, head: Array, tail: Array, hinge: Array) -> Array:
    """Return the rotation (T, 4) from rest of bone `name` between two places (T, 3); see `bone_orientation`."""
    return quat.multiply(bone_orientation(head, tail, hinge), quat.conjugate(rest_orientations()[JOINTS[name]]))


def leg_lengths() -> tuple[float, float]:
    """Return the lengths of thigh and shank in metres."""
    hip, knee, ankle = (rest_point(name) for name in ("UpperLeg_L", "LowerLeg_L", "Foot_L"))
    return float(np.linalg.norm(knee - hip)), float(np.linalg.norm(ankle - knee))


def hip_joint(pelvis: Array, hips: Array, side: str) -> Array:
    """Return the hip joint (T, 3) of side ``'L'`` or ``'R'`` from position (T, 3) and rotation (T, 4) of the hips."""
    return pelvis + quat.rotate(hips, rest_point(f"UpperLeg_{side}") - rest_point("Hips"))


def place_leg(turns: Array, side: str, pelvis: Array, ankle: Array, foot: Array, toes: Array, forward: Array) -> None:
    """Pose thigh, shank, foot and toes in `turns` (T, J, 4) so that the ankle reaches a given position.

    Parameters
    ----------
    turns : (T, J, 4) rotation of each bone from its rest in performance space, modified in place.
    side : ``'L'`` or ``'R'``.
    pelvis : (T, 3) position of the head of the hip bone.
    ankle : (T, 3) position of the ankle.
    foot : (T, 4) rotation of the foot from rest.
    toes : (T, 4) rotation of the toes from rest.
    forward : (T, 3) direction in which the knee bends.
    """
    hip = hip_joint(pelvis, turns[:, JOINTS["Hips"]], side)
    knee = middle_joint(hip, ankle, *leg_lengths(), forward)
    hinge = np.cross(forward, ankle - hip)
    for name, head, tail in (("UpperLeg", hip, knee), ("LowerLeg", knee, ankle)):
        turns[:, JOINTS[f"{name}_{side}"]] = turned_to(f"{name}_{side}", head, tail, hinge)
    turns[:, JOINTS[f"Foot_{side}"]] = foot
    turns[:, JOINTS[f"Toes_{side}"]] = toes


def stand_on_both(turns: Array, pelvis: Array) -> None:
    """Pose both legs in `turns` (T, J, 4) to stand, the feet slightly wider apart than at rest and turned out."""
    for side, left in SIDES:
        foot = np.tile(quat.from_yaw(np.radians(left * 10.0)), (len(pelvis), 1))
        ankle = np.tile(rest_point(f"Foot_{side}") + left * np.array([0.03, 0.0, 0.0]), (len(pelvis), 1))
        place_leg(turns, side, pelvis, ankle, foot, foot, quat.rotate(foot, np.array([0.0, -1.0, 0.0])))
