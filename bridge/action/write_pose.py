"""Writing rows of core's values to poses: as bone properties in their rotation modes, and fast, one row at a time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from ...core.errors import RigError
from ...core.figure import quaternion as quat
from ...core.figure.channels import Channels, all_locations, rotations_of
from ...core.figure.quaternion import euler_pose, to_axis_angle, to_euler
from ..blender.animation import ROTATION_PROPERTY, rotation_property
from ..data.curves import set_property
from ..data.schema import ROOT_IS_OBJECT
from ..rig.parts import Part, read_chain, read_object, rotation_of
from ..rig.rig import Rig, read_rig, still_frame

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ModeSet:
    """The rotating joints that share a rotation mode.

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
        return rotation_property(self.mode)


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
        """Number of bones of the armature, to detect that it was edited."""
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
            f"Armature '{armature.name}' has no bone '{lost}', which the verb moves. Rename the bone back, or rebuild "
            "the verb from actions that fit the armature."
        )


def root_frame(armature: Object, root: str) -> Array:
    """Return the frame (4, 4) in performance space in which the root's own transform acts, without reading all bones.

    Raises
    ------
    RigError
        If the armature has no such root, or cannot be read.
    """
    own = read_object(armature)
    if root == ROOT_IS_OBJECT:
        return _above_root(root, own, np.eye(4))
    if root not in armature.data.bones:
        raise RigError(f"Armature '{armature.name}' has no root bone '{root}'. Choose another root.")
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
    """Return rotations (T, n, 4) from rest of the joints in `rows` (n,), as bones or the object store them."""
    rotations = rotations_of(plan.channels, values)[:, rows]
    heading = quat.from_yaw(values[:, 2])
    for place in np.flatnonzero(rows == 0):
        rotations[:, place] = quat.multiply(plan.turn, quat.multiply(heading, rotations[:, place]))
    for row, turn in zip(plan.channels.travelling_rows, plan.turns, strict=True):
        for place in np.flatnonzero(rows == row):
            rotations[:, place] = quat.multiply(turn, quat.multiply(heading, rotations[:, place]))
    return quat.normalize(rotations)


def root_locations(plan: PosePlan, values: Array) -> Array:
    """Return locations (T, 3) of the root, as its bone or the object stores them."""
    points = quat.rotate(quat.from_yaw(values[:, 2]), values[:, 3:6])
    points[:, :2] += values[:, :2]
    if plan.root_bone < 0:
        return points - plan.rig.object.shift
    return points @ plan.solve[:3, :3].T + plan.solve[:3, 3]


def own_scalars(plan: PosePlan, values: Array) -> Array:
    """Return scalars (T, S), as the bones and properties that they belong to store them."""
    channels = plan.channels
    units = [plan.rig.scale if scalar.kind == "location" else 1.0 for scalar in channels.scalars]
    own = values[:, channels.scalar_columns] / np.array(units)
    if channels.travelling:
        places = all_locations(channels, values)[:, channels.travelling_joints]
        told = np.einsum("kij,tkj->tki", plan.solves[:, :3, :3], places) + plan.solves[:, :3, 3]
        own[:, channels.travelling_places - channels.scalar_columns.start] = told
    return own


def in_mode(mode: str, rotations: Array, reference: Array | None = None) -> Array:
    """Convert rotations (T, ..., 4) to components of a rotation mode, each row as near as possible to the previous one.

    Parameters
    ----------
    mode : Blender's rotation mode.
    reference : (..., 3 or 4) components that the first row should be near to; those at rest if left out.
    """
    if mode == "QUATERNION":
        before = quat.IDENTITY if reference is None else reference
        signs = np.where(np.sum(rotations[:1] * before, axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
        return quat.continuous(rotations) * signs
    if mode == "AXIS_ANGLE":
        return to_axis_angle(rotations) if reference is None else to_axis_angle(rotations, reference)
    return to_euler(rotations, mode) if reference is None else to_euler(rotations, mode, reference)


Array32 = NDArray[np.float32]
Indices = NDArray[np.intp]
Numbers = Array | Array32


class LiveWriter:
    """Writes rows of values to the pose of an armature, with reused buffers.

    Only the bones that the verb moves are changed: the values of the others are read and written back unchanged.

    Parameters
    ----------
    plan : PosePlan
    """

    def __init__(self, plan: PosePlan) -> None:
        self.plan = plan
        count = plan.bone_count
        self._rotations = np.empty((len(plan.channels.rotating), 4), dtype=np.float32)
        self._vectors = np.empty((count, 3), dtype=np.float32)
        self._components = self._vectors.reshape(-1)
        self._turn = plan.turn.tolist()
        self._solve = plan.solve[:3].tolist()
        self._sets = [_Chosen(one, count) for one in plan.sets if (one.bones >= 0).any()]
        self._object_mode = next((s.mode for s in plan.sets if ROOT_IS_OBJECT in s.names), "")
        self._locations = self._scalars("location", 1.0 / plan.rig.scale)
        self._scales = self._scalars("scale", 1.0)
        self._values = [(i, s.path, max(s.axis, 0)) for i, s in enumerate(plan.channels.scalars) if s.kind == "value"]
        self._first_scalar = 3 + 4 * len(self._rotations)
        self._travelling = LiveTravellers(plan) if plan.channels.travelling else None

    def _scalars(self, kind: str, unit: float) -> tuple[Indices, Indices, float]:
        """Return columns among the scalars and flat indices among all bones' components."""
        names = self.plan.channels.skeleton.names
        index = {bone: i for i, bone in enumerate(self.plan.pose_order)}
        rows = [
            (i, 3 * index[names[s.joint]] + s.axis)
            for i, s in enumerate(self.plan.channels.scalars)
            if s.kind == kind and names[s.joint] in index
        ]
        table = np.array(rows, dtype=np.intp).reshape(-1, 2)
        return table[:, 0], table[:, 1], unit

    def write_row(self, armature: Object, row: Array) -> None:
        """Write a row (width,) of values. The armature must have as many bones as the plan; the caller tags it."""
        bones, pose = armature.pose.bones, row[3:]
        x, y, heading = row[:3].tolist()
        travel = x, y, heading
        rotations = self._rotations
        rotations[:] = pose[3 : self._first_scalar].reshape(-1, 4)
        cosine, sine = math.cos(0.5 * travel[2]), math.sin(0.5 * travel[2])
        w, x, y, z = rotations[0].tolist()
        w, x, y, z = cosine * w - sine * z, cosine * x - sine * y, cosine * y + sine * x, cosine * z + sine * w
        a, b, c, d = self._turn
        rotations[0] = (
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        )
        if self._travelling is not None:
            self._travelling.turn(rotations, travel[2])
        for chosen in self._sets:
            self._write_rotations(bones, rotations, chosen)
        location = self._root_location(travel, pose)
        scalars = pose[self._first_scalar :]
        if self._travelling is not None:
            scalars = self._travelling.moved(scalars, travel)
        self._write_vectors(bones, "location", scalars, self._locations, location)
        if len(self._scales[0]):
            self._write_vectors(bones, "scale", scalars, self._scales, None)
        if self._object_mode:
            self._write_object(armature, rotations[0], location)
        for column, path, axis in self._values:
            set_property(armature, path, float(scalars[column]), axis)

    def _write_rotations(self, bones: object, rotations: Array32, chosen: "_Chosen") -> None:
        if chosen.every and chosen.mode == "QUATERNION":
            rotations.take(chosen.rows, axis=0, out=chosen.values, mode="clip")
        elif chosen.every:
            own = rotations if chosen.ordered else rotations.take(chosen.rows, axis=0)
            chosen.values[:] = _in_mode(chosen.mode, own)
        else:
            bones.foreach_get(chosen.property, chosen.flat)
            chosen.values[chosen.bones] = _in_mode(chosen.mode, rotations.take(chosen.rows, axis=0))
        bones.foreach_set(chosen.property, chosen.flat)

    def _root_location(self, travel: tuple[float, float, float], pose: Array) -> Sequence[float]:
        x, y, z = pose[:3].tolist()
        cosine, sine = math.cos(travel[2]), math.sin(travel[2])
        x, y, z = travel[0] + cosine * x - sine * y, travel[1] + sine * x + cosine * y, z
        if self._object_mode:
            return (np.array((x, y, z)) - self.plan.rig.object.shift).tolist()
        (a, b, c, d), (e, f, g, h), (i, j, k, m) = self._solve
        return a * x + b * y + c * z + d, e * x + f * y + g * z + h, i * x + j * y + k * z + m

    def _write_vectors(
        self, bones: object, name: str, scalars: Numbers, places: tuple, location: Sequence[float] | None
    ) -> None:
        columns, flat, unit = places
        buffer = self._components
        bones.foreach_get(name, buffer)
        if location is not None and not self._object_mode:
            self._vectors[self.plan.root_bone] = location
        if len(columns):
            buffer[flat] = scalars[columns] * unit
        bones.foreach_set(name, buffer)

    def _write_object(self, armature: Object, rotation: Array32, location: Sequence[float]) -> None:
        armature.location = location
        name = rotation_property(self._object_mode)
        before = np.array(getattr(armature, name), dtype=np.float64)
        components = in_mode(self._object_mode, rotation[None].astype(np.float64), before)
        setattr(armature, name, components[0].tolist())


class _Chosen:
    """Bones of one rotation mode, with a buffer for all bones' components.

    Parameters
    ----------
    chosen : joints and bones.
    count : bones of the armature.
    """

    def __init__(self, chosen: ModeSet, count: int) -> None:
        own = chosen.bones >= 0
        self.mode, self.property = chosen.mode, chosen.property
        self.rows, self.bones = chosen.rows[own], chosen.bones[own]
        width = 4 if self.mode in ROTATION_PROPERTY else 3
        self.values = np.empty((count, width), dtype=np.float32)
        self.flat = self.values.reshape(-1)
        self.every = len(self.bones) == count
        if self.every:
            order = np.argsort(self.bones)
            self.rows, self.bones = self.rows[order], self.bones[order]
        self.ordered = self.every and bool((self.rows == np.arange(count)).all())


def _in_mode(mode: str, rotations: Array32) -> Numbers:
    """Return quaternions (n, 4) of one pose as components of a rotation mode."""
    if mode == "QUATERNION":
        return rotations
    return _axis_angles(rotations) if mode == "AXIS_ANGLE" else euler_pose(rotations, mode)


def _axis_angles(q: Array32) -> Array:
    """Return angle and axis (n, 4) of one pose, fast; without rotation the axis is Y."""
    length = np.sqrt(np.einsum("nc,nc->n", q[:, 1:], q[:, 1:]))
    found = np.empty(q.shape)
    found[:, 0] = 2.0 * np.arctan2(length, q[:, 0])
    found[:, 1:] = q[:, 1:] / np.maximum(length, 1e-20)[:, None]
    found[length < 1e-12, 1:] = (0.0, 1.0, 0.0)
    return found


class LiveTravellers:
    """Moves the bones of the travelling set along with the root.

    Parameters
    ----------
    plan : a plan whose channels have such a set.
    """

    def __init__(self, plan: PosePlan) -> None:
        channels = plan.channels
        self._rows = channels.travelling_rows
        self._columns = channels.travelling_places - channels.scalar_columns.start
        self._turns = plan.turns
        self._axes = plan.solves[:, :3, :3] * plan.rig.scale
        self._shifts = plan.solves[:, :3, 3] * plan.rig.scale

    def turn(self, rotations: Array32, heading: float) -> None:
        """Convert the set's rotations among all (R, 4) from the heading's frame to their bones' own, in place."""
        yaw = np.array((math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading)))
        rotations[self._rows] = quat.multiply(self._turns, quat.multiply(yaw, rotations[self._rows]))

    def moved(self, scalars: Array, travel: tuple[float, float, float]) -> Array:
        """Return scalars (S,) with the set's locations in their bones' own frames, in performance units."""
        x, y, heading = travel
        cosine, sine = math.cos(heading), math.sin(heading)
        local = scalars[self._columns]
        places = np.empty(local.shape)
        places[:, 0] = x + cosine * local[:, 0] - sine * local[:, 1]
        places[:, 1] = y + sine * local[:, 0] + cosine * local[:, 1]
        places[:, 2] = local[:, 2]
        own = scalars.copy()
        own[self._columns] = (self._axes @ places[..., None])[..., 0] + self._shifts
        return own
