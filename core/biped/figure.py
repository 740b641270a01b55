"""The example figure: a human-sized biped in T-pose, in metres, Z up, facing -Y, its left towards +X."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.skeleton import Skeleton

Array = NDArray[np.float64]
Point = tuple[float, float, float]

HEEL_HEIGHT = 0.0
BALL_HEIGHT = 0.025

_FRONT: Point = (0.0, -1.0, 0.0)
_BACK: Point = (0.0, 1.0, 0.0)
_UP: Point = (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Bone:
    """A bone at rest, in the armature's space.

    Parameters
    ----------
    name : str
    parent : name of the parent, empty for the root.
    head, tail : where it begins and ends.
    z_axis : direction nearest to which its Z axis points; Blender's ``EditBone.align_roll`` takes the same vector.
    radius : thickness of the simple body around it.
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
    """Where the head of bone `name` is at rest, (3,) in the armature's space."""
    return np.array(BONES[JOINTS[name]].head)


def heel(side: str) -> Array:
    """Where the heel of side ``'L'`` or ``'R'`` touches the floor at rest, (3,) in the armature's space."""
    return np.array(_mirrored(_LEFT_HEEL, 1.0 if side == "L" else -1.0))


@cache
def rest_orientations() -> Array:
    """Orientation (J, 4) of every bone at rest in the armature's space: Y along the bone, Z nearest to its hint."""
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
    """Skeleton of the biped; the root is Hips."""
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
    """Local rotations of a pose that is told by how far each bone is turned from its rest, in the armature's axes.

    Parameters
    ----------
    turns : (T, J, 4) rotation D of each bone in performance space: its orientation is ``D * rest orientation``.

    Returns
    -------
    (T, J, 4) rotation of each joint from its rest, the root's absolute, signs continuous over time.
    """
    skeleton, rests = biped_skeleton(), rest_orientations()
    orientations = quat.multiply(turns, rests)
    above = orientations[:, skeleton.parents]
    expected = quat.multiply(above, skeleton.rests)
    rotations = quat.multiply(quat.conjugate(expected), orientations)
    rotations[:, 0] = orientations[:, 0]
    return quat.continuous(rotations)
