"""What feet stand on: whether they are held, and heights of a mesh object's upper side, in performance space."""

from hashlib import blake2b

import bpy
import numpy as np
from bpy.types import Object
from mathutils import Vector
from mathutils.bvhtree import BVHTree
from numpy.typing import NDArray

from ...core.errors import GraphError
from ...core.feet.foothold import Floor
from ...core.feet.planted import Footing, footing_on
from ...core.verb.verb import Verb
from ..data.director import into_space, origin_of

Array = NDArray[np.float64]

ABOVE = 1.0
LOOKS = 4
"""How often the nearest point beside a floor is looked for, each time at the height of the last one."""
SOLID = frozenset({"MESH", "CURVE", "SURFACE", "META", "FONT"})
FARTHEST = 1e9
DOWN = Vector((0.0, 0.0, -1.0))


def floor_of(director: Object) -> Floor | None:
    """Heights of the director's floor; None if it has none.

    Where there is nothing below a place, the height is that of the mesh where it comes nearest.

    Raises
    ------
    GraphError
        If the floor has no faces, a corner of it no place, or the director none near it.
    """
    floor = _floor(director)
    if floor is None:
        return None
    points, faces = _mesh_of(floor, director.verbs_adverbs.directs)
    if not faces:
        raise GraphError(f"Floor '{floor.name}' has no faces to walk on. Choose another object as floor, or none.")
    if not (np.abs(points) <= FARTHEST).all():
        raise GraphError(
            f"Floor '{floor.name}' has vertices at no number, or beyond all bounds. Delete them, or choose another"
            " object."
        )
    if not np.abs(origin_of(director, director.verbs_adverbs.directs)).max() <= FARTHEST:
        raise GraphError(
            f"'{director.name}' stands at no number, or beyond all bounds, and no floor is there. Move it to where the"
            " character is to start."
        )
    tree = BVHTree.FromPolygons(points.tolist(), faces)
    top = float(points[:, 2].max()) + ABOVE

    def height(x: float, y: float) -> float:
        hit = tree.ray_cast(Vector((x, y, top)), DOWN)[0]
        if hit is not None:
            return hit.z
        nearest = top
        for _ in range(LOOKS):
            nearest = tree.find_nearest(Vector((x, y, nearest)))[0].z
        return nearest

    def heights(places: Array) -> Array:
        return np.array([height(x, y) for x, y in places.tolist()])

    return heights


def floor_digest(director: Object) -> str:
    """Digest of the director's floor; empty if it has none."""
    floor = _floor(director)
    if floor is None:
        return ""
    points, faces = _mesh_of(floor, director.verbs_adverbs.directs)
    return blake2b(np.round(points, 5).tobytes() + repr(len(faces)).encode(), digest_size=16).hexdigest()


def _floor(director: Object) -> Object | None:
    """The director's floor; None if it was deleted."""
    floor = director.verbs_adverbs.performance.floor
    return floor if floor is not None and floor.users_scene else None


def _mesh_of(floor: Object, armature: Object) -> tuple[Array, list[tuple[int, ...]]]:
    """Points (V, 3) of the floor's evaluated mesh in the armature's performance space, and its faces."""
    seen = floor.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = seen.to_mesh() if floor.type in SOLID else None
    if mesh is None:
        return np.zeros((0, 3)), []
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    faces = [tuple(polygon.vertices) for polygon in mesh.polygons]
    seen.to_mesh_clear()
    matrix = np.array(into_space(armature) @ floor.matrix_world)
    return flat.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3], faces


def footing_of(director: Object | None, verb: Verb, in_place: bool = False) -> Footing | None:
    """What holds the points of a verb; None if it has none, or its director lets them slide.

    Parameters
    ----------
    director : None for a verb without one: its points are held.
    in_place : the travel will be taken away, and a floor would move under the feet: only the examples' ground counts.

    Raises
    ------
    GraphError
        If the floor has no faces.
    """
    if not verb.contacts or (director is not None and not director.verbs_adverbs.performance.lock_feet):
        return None
    return footing_on(verb, None if director is None or in_place else floor_of(director))


def footing_digest(director: Object) -> str:
    """Digest of all that `footing_of` heeds."""
    return floor_digest(director) if director.verbs_adverbs.performance.lock_feet else "slides"
