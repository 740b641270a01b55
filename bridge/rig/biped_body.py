"""A simple body for the example biped: one rounded piece for each bone, moved by that bone alone."""

import bpy
import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from ...core.figure import quaternion as quat
from ...core.figure.biped import BONES, Bone, rest_orientations

Array = NDArray[np.float64]

_SIDES = 12
_WIDER = {"Hips": 1.55, "Spine": 1.35, "Chest": 1.50, "Foot": 1.15, "Toes": 1.35, "Hand": 1.25}
_TAPER = {"Hips": 0.90, "Spine": 1.05, "Chest": 0.75, "Neck": 0.95, "Toes": 0.9}
_OVERLAP = {
    "Hips": (1.0, 0.6),
    "Spine": (0.6, 0.6),
    "Chest": (0.6, 0.35),
    "Foot": (1.0, 0.9),
    "Shoulder": (0.6, 1.0),
    "Head": (0.1, 0.0),
}
_CAP = np.radians([-72.0, -40.0, 0.0])
_COLOUR = (0.62, 0.64, 0.68, 1.0)


def build_body(armature: Object) -> Object:
    """Make the mesh object, parented to `armature` and deformed by it; the caller links it to a collection."""
    pieces = [_piece(bone, orientation) for bone, orientation in zip(BONES, rest_orientations(), strict=True)]
    size = len(pieces[0][0])
    points = np.concatenate([piece[0] for piece in pieces])
    faces = [[index + size * number for index in face] for number, piece in enumerate(pieces) for face in piece[1]]
    mesh = bpy.data.meshes.new(f"{armature.name} body")
    mesh.from_pydata(points.tolist(), [], faces)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), dtype=bool))
    mesh.materials.append(_material())
    mesh.update()
    body = bpy.data.objects.new(mesh.name, mesh)
    for number, bone in enumerate(BONES):
        group = body.vertex_groups.new(name=bone.name)
        group.add(range(size * number, size * (number + 1)), 1.0, "REPLACE")
    body.parent = armature
    body.modifiers.new("Armature", "ARMATURE").object = armature
    return body


def _material() -> bpy.types.Material:
    found = bpy.data.materials.get("Biped body")
    if found is None:
        found = bpy.data.materials.new("Biped body")
        found.diffuse_color = _COLOUR
    return found


def _piece(bone: Bone, orientation: Array) -> tuple[Array, list[list[int]]]:
    """Points (N, 3) at rest and faces of a rounded piece around a bone."""
    length = float(np.linalg.norm(np.subtract(bone.tail, bone.head)))
    kind = bone.name.split("_")[0]
    below, above = (_OVERLAP.get(kind, (1.0, 1.0))[end] * bone.radius for end in (0, 1))
    if kind == "Head":
        way = 0.5 - 0.5 * np.cos(np.pi * np.arange(1, 2 * len(_CAP) + 1) / (2 * len(_CAP) + 1))
        along = -below + (length + below + above) * way
        across = bone.radius * np.sqrt(1.0 - (2.0 * way - 1.0) ** 2)
    else:
        along = np.concatenate([below * np.sin(_CAP), length - above * np.sin(_CAP[::-1])])
        across = bone.radius * np.cos(np.concatenate([_CAP, _CAP[::-1]]))
        across[len(_CAP) :] *= _TAPER.get(kind, 0.82)
    angles = 2.0 * np.pi * np.arange(_SIDES) / _SIDES
    ring = np.stack([np.cos(angles) * _WIDER.get(kind, 1.0), np.sin(angles)], axis=-1)
    rings = np.zeros((len(along), _SIDES, 3))
    rings[..., 1] = along[:, None]
    rings[..., [0, 2]] = across[:, None, None] * ring
    points = np.concatenate([rings.reshape(-1, 3), [[0.0, -below, 0.0], [0.0, length + above, 0.0]]])
    return np.array(bone.head) + quat.rotate(orientation, points), _faces(len(along))


def _faces(rings: int) -> list[list[int]]:
    """Faces of a lathed piece: its rings, then its bottom and its top point."""
    bottom, top, last = rings * _SIDES, rings * _SIDES + 1, (rings - 1) * _SIDES
    faces: list[list[int]] = []
    for side in range(_SIDES):
        ahead = (side + 1) % _SIDES
        faces.append([bottom, side, ahead])
        faces.append([top, last + ahead, last + side])
        for ring in range(0, last, _SIDES):
            faces.append([ring + ahead, ring + side, ring + side + _SIDES, ring + ahead + _SIDES])
    return faces
