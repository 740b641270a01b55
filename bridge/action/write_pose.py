"""Turning rows of core's values into properties of bones: each in its rotation mode, the root relative to its parents.

A plan is made once for an armature and a verb's channels; it knows bones by name and index and holds no Blender data.
"""

from dataclasses import dataclass

import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from ...core.errors import RigError
from ...core.figure import quaternion as quat
from ...core.figure.channels import Channels, all_locations, rotations_of
from ...core.figure.quaternion import to_axis_angle, to_euler
from ..data.schema import ROOT_IS_OBJECT
from ..rig.parts import ROTATION_PROPERTY, Part, read_chain, read_object, rotation_of
from ..rig.rig import Rig, read_rig, still_frame

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ModeSet:
    """Those rotating joints that share a rotation mode.

    Parameters
    ----------
    mode : Blender's rotation mode.
    rows : (n,) rows among the rotating joints.
    bones : (n,) indices in the pose's bones, -1 for the object.
    names : (n,) bones' names, `ROOT_IS_OBJECT` for the object.
    """

    mode: str
    rows: NDArray[np.intp]
    bones: NDArray[np.intp]
    names: tuple[str, ...]

    @property
    def property(self) -> str:
        """Name of the property that holds the rotation."""
        return ROTATION_PROPERTY.get(self.mode, "rotation_euler")


@dataclass(frozen=True, eq=False)
class PosePlan:
    """How to turn values of `channels` into transforms of an armature's bones and object.

    Parameters
    ----------
    channels : channels of the verb.
    rig : the armature as it was read.
    pose_order : names of all bones in the order of the pose.
    root_bone : index of the root in the pose's bones, -1 for the object.
    sets : rotating joints, grouped by rotation mode.
    turn : (4,) quaternion by which the root's rotation in performance space is multiplied from the left to get its own.
    solve : (4, 4) matrix from performance space to the frame of the root's own location.
    turns, solves : (K, 4) and (K, 4, 4) the same for each control of the travelling set.
    """

    channels: Channels
    rig: Rig
    pose_order: tuple[str, ...]
    root_bone: int
    sets: tuple[ModeSet, ...]
    turn: Array
    solve: Array
    turns: Array
    solves: Array

    @property
    def bone_count(self) -> int:
        """Number of bones of the armature, by which one notices that it was edited."""
        return len(self.pose_order)


def make_plan(armature: Object, channels: Channels) -> PosePlan:
    """Make the plan for writing values of `channels` to `armature`.

    Raises
    ------
    RigError
        If the armature has lost a bone that the channels animate, or cannot be read.
    """
    names = channels.skeleton.names
    rig = read_rig(armature, names[0])
    check_bones(armature, channels)
    index = {bone.name: i for i, bone in enumerate(armature.pose.bones)}
    modes: dict[str, list[int]] = {}
    for row, joint in enumerate(channels.rotating):
        part = rig.object if names[joint] == ROOT_IS_OBJECT else rig.bones[names[joint]]
        modes.setdefault(part.mode, []).append(row)
    sets = tuple(_mode_set(mode, rows, channels, index) for mode, rows in modes.items())
    above = _above_root(rig.root, rig.object, rig.above_root)
    turn = quat.conjugate(rotation_of(above))
    others = np.array([still_frame(rig.object, rig.bones, names[t.joint]) for t in channels.travelling])
    others = others.reshape(-1, 4, 4)
    turns, solves = quat.conjugate(rotation_of(others)), np.linalg.inv(others)
    return PosePlan(
        channels, rig, tuple(index), index.get(names[0], -1), sets, turn, np.linalg.inv(above), turns, solves
    )


def check_bones(armature: Object, channels: Channels) -> None:
    """Check that an armature still has the bones that `channels` animate.

    Raises
    ------
    RigError
        If it has lost one.
    """
    names, bones = channels.skeleton.names, armature.data.bones
    moved = (*channels.rotating, *(scalar.joint for scalar in channels.scalars))
    lost = next((names[joint] for joint in moved if joint > 0 and names[joint] not in bones), None)
    if lost is not None:
        raise RigError(
            f"Armature '{armature.name}' has no bone '{lost}', which the verb moves. Name the bone as it was, or"
            " build the verb again from actions that fit the armature."
        )


def root_frame(armature: Object, root: str) -> Array:
    """Frame (4, 4) in performance space in which the root's own transform acts, without reading all bones.

    Raises
    ------
    RigError
        If the armature has no such root, or cannot be read.
    """
    own = read_object(armature)
    if root == ROOT_IS_OBJECT:
        return _above_root(root, own, np.eye(4))
    if root not in armature.data.bones:
        raise RigError(f"Armature '{armature.name}' has no bone '{root}' to be the root. Choose another root for it.")
    return still_frame(own, read_chain(armature, root), root)


def _above_root(root: str, own: Part, above: Array) -> Array:
    """Return `above` for a bone, or the object's delta transform (4, 4) if the root is the object itself."""
    if root != ROOT_IS_OBJECT:
        return above
    frame = np.eye(4)
    frame[:3, :3], frame[:3, 3] = quat.to_matrix(own.turn), own.shift
    return frame


def _mode_set(mode: str, rows: list[int], channels: Channels, index: dict[str, int]) -> ModeSet:
    names = tuple(channels.skeleton.names[channels.rotating[row]] for row in rows)
    bones = np.array([-1 if name == ROOT_IS_OBJECT else index[name] for name in names], dtype=np.intp)
    return ModeSet(mode, np.array(rows, dtype=np.intp), bones, names)


def own_rotations(plan: PosePlan, values: Array, rows: NDArray[np.intp]) -> Array:
    """Rotations (T, n, 4) from rest of the rotating joints in `rows` (n,), as the bones or the object store them."""
    rotations = rotations_of(plan.channels, values)[:, rows]
    heading = quat.from_yaw(values[:, 2])
    for place in np.flatnonzero(rows == 0):
        rotations[:, place] = quat.multiply(plan.turn, quat.multiply(heading, rotations[:, place]))
    for row, turn in zip(plan.channels.travelling_rows, plan.turns, strict=True):
        for place in np.flatnonzero(rows == row):
            rotations[:, place] = quat.multiply(turn, quat.multiply(heading, rotations[:, place]))
    return quat.normalize(rotations)


def root_locations(plan: PosePlan, values: Array) -> Array:
    """Locations (T, 3) of the root, as its bone or the object stores them."""
    points = quat.rotate(quat.from_yaw(values[:, 2]), values[:, 3:6])
    points[:, :2] += values[:, :2]
    if plan.root_bone < 0:
        return points - plan.rig.object.shift
    return points @ plan.solve[:3, :3].T + plan.solve[:3, 3]


def own_scalars(plan: PosePlan, values: Array) -> Array:
    """Scalars (T, S), as the bones and properties that they belong to store them."""
    channels = plan.channels
    units = [plan.rig.scale if scalar.kind == "location" else 1.0 for scalar in channels.scalars]
    own = values[:, channels.scalar_columns] / np.array(units)
    if channels.travelling:
        places = all_locations(channels, values)[:, channels.travelling_joints]
        told = np.einsum("kij,tkj->tki", plan.solves[:, :3, :3], places) + plan.solves[:, :3, 3]
        own[:, channels.travelling_places - channels.scalar_columns.start] = told
    return own


def in_mode(mode: str, rotations: Array, reference: Array | None = None) -> Array:
    """Turn rotations (T, ..., 4) into components of a rotation mode, each row as near as possible to the one before.

    Parameters
    ----------
    mode : Blender's rotation mode.
    reference : (..., 3 or 4) components that the first row is to be near to; those at rest if left out.
    """
    if mode == "QUATERNION":
        before = quat.IDENTITY if reference is None else reference
        signs = np.where(np.sum(rotations[:1] * before, axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
        return quat.continuous(rotations) * signs
    if mode == "AXIS_ANGLE":
        return to_axis_angle(rotations) if reference is None else to_axis_angle(rotations, reference)
    return to_euler(rotations, mode) if reference is None else to_euler(rotations, mode, reference)
