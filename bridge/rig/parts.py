"""The bones of an armature, and the object itself, read as arrays: their rest frames and present values."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from bpy.types import Bone, Object, PoseBone
from numpy.typing import NDArray

from ...core.errors import RigError
from ...core.figure import quaternion as quat
from ..blender.animation import REST, ROTATION_PROPERTY, assigned_curves, rotation_property
from ..data.curves import OBJECT, parse_path
from .rig_digest import carriers_of

Array = NDArray[np.float64]

UNEVEN = 1e-3


@dataclass(frozen=True, eq=False)
class Part:
    """A bone, or the object itself, with the values its properties have where nothing is keyed.

    Parameters
    ----------
    name : the bone's name, `OBJECT` for the object.
    parent : name of the bone that carries it, `OBJECT` if none.
    rest : (4, 4) rest frame in the parent's frame; in the object's for a bone without parent.
    length : from head to tail, in the object's units.
    connected : whether the head is fixed to the parent's tail, so that Blender ignores the location.
    mode : rotation mode.
    values : the values of each property, by its name.
    shift, turn : (3,) and (4,) the object's delta location and rotation.
    """

    name: str
    parent: str
    rest: Array
    length: float
    connected: bool
    mode: str
    values: dict[str, Array]
    shift: Array
    turn: Array

    @property
    def rotation_property(self) -> str:
        """Name of the property that its rotation mode uses."""
        return rotation_property(self.mode)

    @cached_property
    def rotation(self) -> Array:
        """Present rotation (4,) from rest."""
        return quaternions(self.rotation_property, self.values[self.rotation_property], self.mode)

    @cached_property
    def basis(self) -> Array:
        """Present transform (4, 4) from rest."""
        return self.transform(self.values["location"], self.rotation, self.values["scale"])

    def transform(self, location: Array, rotation: Array, scale: Array) -> Array:
        """Return transforms (..., 4, 4) from rest for locations (..., 3), rotations (..., 4) and scales (..., 3)."""
        moved = np.zeros_like(location) if self.connected else location
        return compose(moved + self.shift, quat.multiply(self.turn, rotation), scale)


def quaternions(prop: str, values: Array, mode: str) -> Array:
    """Return unit quaternions (..., 4) for the values (..., 3 or 4) of a rotation property.

    Parameters
    ----------
    prop : ``'rotation_euler'``, ``'rotation_quaternion'`` or ``'rotation_axis_angle'`` (angle first, radians).
    mode : Euler order, for Euler angles only; a mode that is not an Euler order means XYZ.
    """
    if prop == "rotation_quaternion":
        return quat.normalize(values)
    if prop == "rotation_axis_angle":
        return quat.from_axis_angle(values[..., 1:], values[..., 0])
    return quat.from_euler(values, "XYZ" if mode in ROTATION_PROPERTY else mode)


def compose(location: Array, rotation: Array, scale: Array) -> Array:
    """Return matrices (..., 4, 4) of locations (..., 3), unit quaternions (..., 4) and scales (..., 3)."""
    axes = quat.to_matrix(rotation) * np.asarray(scale)[..., None, :]
    matrix = np.zeros(np.broadcast_shapes(np.shape(location)[:-1], axes.shape[:-2]) + (4, 4))
    matrix[..., :3, :3] = axes
    matrix[..., :3, 3] = location
    matrix[..., 3, 3] = 1.0
    return matrix


def rotation_of(matrix: Array) -> Array:
    """Return unit quaternions (..., 4) of matrices (..., 4, 4), whose scale is removed first."""
    axes = matrix[..., :3, :3]
    return quat.from_matrix(axes / np.linalg.norm(axes, axis=-2, keepdims=True))


def read_object(armature: Object) -> Part:
    """Read the transform of an armature object itself.

    Raises
    ------
    RigError
        If it is not an armature, or its scale is uneven or zero.
    """
    if armature.type != "ARMATURE" or armature.pose is None or not armature.data.bones:
        raise RigError(f"'{armature.name}' is not an armature with bones. Choose an armature object.")
    moved = frozenset(prop for owner, prop in keyed_now(armature) if owner == OBJECT and prop != "scale")
    values = _values(armature, moved)
    values["scale"] = values["scale"] * np.array(armature.delta_scale)
    _check_scale(armature.name, values["scale"])
    prop = rotation_property(armature.rotation_mode)
    delta = np.array(getattr(armature, "delta_" + prop)) if prop != "rotation_axis_angle" else None
    turn = quat.IDENTITY if delta is None else quaternions(prop, delta, armature.rotation_mode)
    shift = np.array(armature.delta_location, dtype=np.float64)
    return Part(OBJECT, OBJECT, np.eye(4), 0.0, False, armature.rotation_mode, values, shift, turn)


def read_bones(armature: Object) -> dict[str, Part]:
    """Read all bones, parents before children and siblings by name, regardless of creation order."""
    carriers = carriers_of(armature)
    rests, values = _rests(armature, carriers), _posed(armature)
    carried: dict[str, list[Bone]] = {}
    for bone in sorted(armature.data.bones, key=lambda bone: bone.name, reverse=True):
        carried.setdefault(carriers[bone.name], []).append(bone)
    ordered: dict[str, Part] = {}
    waiting = carried.get(OBJECT, [])
    while waiting:
        bone = waiting.pop()
        name = bone.name
        ordered[name] = _part(bone, carriers[name], rests[name], armature.pose.bones[name], values[name])
        waiting += carried.get(name, [])
    return ordered


def _rests(armature: Object, carriers: dict[str, str]) -> dict[str, Array]:
    """Return the rest frame (4, 4) of every bone in the frame of the one that carries it."""
    bones = armature.data.bones
    flat = np.empty(16 * len(bones), dtype=np.float32)
    bones.foreach_get("matrix_local", flat)
    frames = flat.reshape(-1, 4, 4).swapaxes(1, 2).astype(np.float64)
    rows = {bone.name: row for row, bone in enumerate(bones)}
    above = frames[[rows.get(carriers[name], row) for name, row in rows.items()]]
    inner = np.array([carriers[name] != OBJECT for name in rows], dtype=bool)
    frames[inner] = np.linalg.inv(above[inner]) @ frames[inner]
    return dict(zip(rows, frames, strict=True))


def _posed(armature: Object) -> dict[str, dict[str, Array]]:
    """Read the values of all bones at once, as `_values` reads those of one."""
    bones, keyed = armature.pose.bones, keyed_now(armature)
    names = [bone.name for bone in bones]
    found: dict[str, dict[str, Array]] = {name: {} for name in names}
    for prop, rest in REST.items():
        flat = np.empty(len(rest) * len(names), dtype=np.float32)
        bones.foreach_get(prop, flat)
        for name, values in zip(names, flat.reshape(-1, len(rest)).astype(np.float64), strict=True):
            found[name][prop] = np.array(rest) if (name, prop) in keyed else values
    return found


def read_chain(armature: Object, name: str) -> dict[str, Part]:
    """Read a bone and all those that carry it, up to the topmost."""
    bones, keyed, carriers = armature.data.bones, keyed_now(armature), carriers_of(armature)
    found: dict[str, Part] = {}
    while name != OBJECT:
        bone, carrier, posed = bones[name], bones.get(carriers[name]), armature.pose.bones[name]
        rest = np.array(bone.matrix_local, dtype=np.float64)
        if carrier:
            rest = np.linalg.inv(np.array(carrier.matrix_local, dtype=np.float64)) @ rest
        values = _values(posed, frozenset(prop for owner, prop in keyed if owner == name))
        found[name] = _part(bone, carriers[name], rest, posed, values)
        name = carriers[name]
    return found


def _part(bone: Bone, parent: str, rest: Array, posed: PoseBone, values: dict[str, Array]) -> Part:
    mode = posed.rotation_mode
    return Part(bone.name, parent, rest, bone.length, bone.use_connect, mode, values, np.zeros(3), quat.IDENTITY)


def _values(owner: Object | PoseBone, keyed: frozenset[str]) -> dict[str, Array]:
    """Return present values of the transform properties; those keyed by the assigned action are taken at rest."""
    return {
        name: np.array(rest if name in keyed else getattr(owner, name), dtype=np.float64) for name, rest in REST.items()
    }


def keyed_now(armature: Object) -> frozenset[tuple[str, str]]:
    """Return bone and property of everything keyed by the assigned action; the bone is empty for the object itself."""
    return frozenset(map(parse_path, {curve.data_path for curve in assigned_curves(armature)}))


def _check_scale(name: str, scale: Array) -> None:
    shown = ", ".join(f"{value:g}" for value in scale)
    if not (np.isfinite(scale).all() and scale.min() > 1e-9):
        raise RigError(
            f"Armature '{name}' has the scale {shown}. Set a positive scale (Alt S to clear it) and try again."
        )
    if np.ptp(scale) > UNEVEN * scale.max():
        raise RigError(f"Armature '{name}' is scaled unevenly, {shown}. Apply its scale (Ctrl A) and try again.")
