"""The frame path: one row of values written to the pose at once, without a loop over bones."""

import math

import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from ..core.figure import quaternion as quat
from .properties import ROOT_IS_OBJECT
from .saved_state import set_value
from .write_pose import ModeSet, PosePlan, in_mode

Array = NDArray[np.float64]
Array32 = NDArray[np.float32]


class LiveWriter:
    """Writes poses of a plan to its armature, with buffers that are used again.

    Only the bones that the verb moves are changed: what the others have is read and written back as it is.

    Parameters
    ----------
    plan : PosePlan
    """

    def __init__(self, plan: PosePlan) -> None:
        self.plan = plan
        count = plan.bone_count
        self._rotations = np.empty((len(plan.channels.rotating), 4), dtype=np.float32)
        self._quaternions = np.empty((count, 4), dtype=np.float32)
        self._axis_angles = np.empty((count, 4), dtype=np.float32)
        self._eulers = np.empty((count, 3), dtype=np.float32)
        self._vectors = np.empty((count, 3), dtype=np.float32)
        self._turn = _left_product(plan.turn)
        self._facing = np.empty(4)
        self._solve = plan.solve[:3, :3].tolist()
        self._shift = plan.solve[:3, 3].tolist()
        self._sets = [one for one in map(_without_object, plan.sets) if len(one[0])]
        self._object_mode = next((s.mode for s in plan.sets if ROOT_IS_OBJECT in s.names), "")
        self._locations = self._scalars("location", 1.0 / plan.rig.scale)
        self._scales = self._scalars("scale", 1.0)
        self._values = [(i, s.path, max(s.axis, 0)) for i, s in enumerate(plan.channels.scalars) if s.kind == "value"]
        self._first_scalar = 3 + 4 * len(self._rotations)

    def _scalars(self, kind: str, unit: float) -> tuple[Array, Array, float]:
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

    def write(self, armature: Object, travel: tuple[float, float, float], height: float, pose: Array32) -> None:
        """Write a pose; the caller tags the armature.

        Parameters
        ----------
        armature : the plan's, with as many bones as then.
        travel : x, y and heading in performance space.
        height : added to the root's.
        pose : (width - 3,) the values without travel.
        """
        bones = armature.pose.bones
        rotations = self._rotations
        rotations[:] = pose[3 : self._first_scalar].reshape(-1, 4)
        cosine, sine = math.cos(0.5 * travel[2]), math.sin(0.5 * travel[2])
        w, x, y, z = rotations[0].tolist()
        facing = (cosine * w - sine * z, cosine * x - sine * y, cosine * y + sine * x, cosine * z + sine * w)
        rotations[0] = np.dot(self._turn, facing, out=self._facing)
        for rows, indices, mode in self._sets:
            self._write_rotations(bones, rotations, rows, indices, mode)
        location = self._root_location(travel, height, pose)
        scalars = pose[self._first_scalar :]
        self._write_vectors(bones, "location", scalars, self._locations, location)
        if len(self._scales[0]):
            self._write_vectors(bones, "scale", scalars, self._scales, None)
        if self._object_mode:
            self._write_object(armature, rotations[0], location)
        for column, path, axis in self._values:
            set_value(armature, path, float(scalars[column]), axis)

    def _write_rotations(self, bones: object, rotations: Array32, rows: Array, indices: Array, mode: str) -> None:
        if mode == "QUATERNION":
            bones.foreach_get("rotation_quaternion", self._quaternions.reshape(-1))
            self._quaternions[indices] = rotations[rows]
            bones.foreach_set("rotation_quaternion", self._quaternions.reshape(-1))
            return
        axis_angle = mode == "AXIS_ANGLE"
        name = "rotation_axis_angle" if axis_angle else "rotation_euler"
        buffer = self._axis_angles if axis_angle else self._eulers
        bones.foreach_get(name, buffer.reshape(-1))
        buffer[indices] = in_mode(mode, rotations[None, rows].astype(np.float64), buffer[indices])[0]
        bones.foreach_set(name, buffer.reshape(-1))

    def _root_location(self, travel: tuple[float, float, float], height: float, pose: Array32) -> list[float]:
        a, b, c = pose[:3].tolist()
        cosine, sine = math.cos(travel[2]), math.sin(travel[2])
        x, y, z = travel[0] + cosine * a - sine * b, travel[1] + sine * a + cosine * b, height + c
        if self._object_mode:
            return (np.array((x, y, z)) - self.plan.rig.object.shift).tolist()
        return [row[0] * x + row[1] * y + row[2] * z + d for row, d in zip(self._solve, self._shift, strict=True)]

    def _write_vectors(
        self, bones: object, name: str, scalars: Array32, places: tuple, location: list[float] | None
    ) -> None:
        columns, flat, unit = places
        buffer = self._vectors.reshape(-1)
        bones.foreach_get(name, buffer)
        if location is not None and not self._object_mode:
            self._vectors[self.plan.root_bone] = location
        if len(columns):
            buffer[flat] = scalars[columns] * unit
        bones.foreach_set(name, buffer)

    def _write_object(self, armature: Object, rotation: Array32, location: list[float]) -> None:
        armature.location = location
        name = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(
            self._object_mode, "rotation_euler"
        )
        before = np.array(getattr(armature, name), dtype=np.float64)
        components = in_mode(self._object_mode, rotation[None].astype(np.float64), before)
        setattr(armature, name, components[0].tolist())


def _left_product(q: Array) -> Array:
    """Matrix (4, 4) that multiplies quaternions by `q` (4,) from the left."""
    return np.stack([quat.multiply(q, unit) for unit in np.eye(4)], axis=-1)


def _without_object(chosen: ModeSet) -> tuple[Array, Array, str]:
    own = chosen.bones >= 0
    return chosen.rows[own], chosen.bones[own], chosen.mode
