"""Writing one row of values to the pose of an armature, quickly: without a loop over its bones."""

import math
from collections.abc import Sequence

import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from ...core.figure import quaternion as quat
from ...core.figure.quaternion import euler_pose
from ..data.curves import set_property
from ..data.schema import ROOT_IS_OBJECT
from ..rig.parts import ROTATION_PROPERTY
from .write_pose import ModeSet, PosePlan, in_mode

Array = NDArray[np.float64]
Array32 = NDArray[np.float32]
Indices = NDArray[np.intp]
Numbers = Array | Array32


class LiveWriter:
    """Writes rows of values to the pose of an armature, with buffers that are used again.

    Only the bones that the verb moves are changed: those of the others are read and written back as they are.

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
        """Columns among the scalars and flat places among all bones' components."""
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
        name = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(
            self._object_mode, "rotation_euler"
        )
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
    """Quaternions (n, 4) of one pose as components of a rotation mode."""
    if mode == "QUATERNION":
        return rotations
    return _axis_angles(rotations) if mode == "AXIS_ANGLE" else euler_pose(rotations, mode)


def _axis_angles(q: Array32) -> Array:
    """Angle and axis (n, 4) of one pose, quickly; without rotation the axis is Y."""
    length = np.sqrt(np.einsum("nc,nc->n", q[:, 1:], q[:, 1:]))
    found = np.empty(q.shape)
    found[:, 0] = 2.0 * np.arctan2(length, q[:, 0])
    found[:, 1:] = q[:, 1:] / np.maximum(length, 1e-20)[:, None]
    found[length < 1e-12, 1:] = (0.0, 1.0, 0.0)
    return found


class LiveTravellers:
    """Brings the bones of the travelling set to where the root has come.

    Parameters
    ----------
    plan : whose channels have one.
    """

    def __init__(self, plan: PosePlan) -> None:
        channels = plan.channels
        self._rows = channels.travelling_rows
        self._columns = channels.travelling_places - channels.scalar_columns.start
        self._turns = plan.turns
        self._axes = plan.solves[:, :3, :3] * plan.rig.scale
        self._shifts = plan.solves[:, :3, 3] * plan.rig.scale

    def turn(self, rotations: Array32, heading: float) -> None:
        """Turn those among the rotations (R, 4) from the heading's frame to their bones' own, in place."""
        yaw = np.array((math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading)))
        rotations[self._rows] = quat.multiply(self._turns, quat.multiply(yaw, rotations[self._rows]))

    def moved(self, scalars: Array, travel: tuple[float, float, float]) -> Array:
        """Scalars (S,) with their locations as bones have them, in performance units."""
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
