"""The ground under the feet: whether feet are locked, and heights of a mesh's upper side in performance space."""

from dataclasses import dataclass

import bpy
import numpy as np
from bpy.types import MeshPolygon, Object
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree
from numpy.typing import NDArray

from ...core.errors import GraphError
from ...core.feet.constrained_player import AnyPlayer, ConstrainedPlayer
from ...core.graph.verb_graph import VerbGraph
from ...core.play.graph_player import GraphPlayer
from ...core.play.player import Span
from ..blender.store import digest_of, keys_and_floors
from ..data.director import following_of, into_space, origin_of

Array = NDArray[np.float64]

ABOVE = 1.0
BESIDE = 0.3
"""Performance units beside a mesh within which a position still counts as on it."""
LOOKS = 4
"""Number of searches for the nearest point beside a floor, each at the height of the previous one."""
SOLID = frozenset({"MESH", "CURVE", "SURFACE", "META", "FONT"})
FARTHEST = 1e9
DOWN = Vector((0.0, 0.0, -1.0))
FLAT = 1e-6
"""Largest distance, in performance units, of the corners of a flat face from its plane."""


class MeshFloor:
    """Heights of the upper side of a mesh. Outside it, the height is that of the nearest point of the mesh.

    Parameters
    ----------
    points : (V, 3) positions of its vertices, in performance space.
    faces : vertices of each face.
    """

    def __init__(self, points: Array, faces: list[tuple[int, ...]]) -> None:
        self.digest = _digest_of(points, faces)
        self._points, self._faces = points, faces
        self._tree = BVHTree.FromPolygons(points.tolist(), faces)
        self._top = float(points[:, 2].max()) + ABOVE
        self._planes: dict[int, tuple[float, float, float] | None] = {}

    def __call__(self, places: Array) -> Array:
        """Return heights (n,) at positions (n, 2)."""
        return np.array([self._height(x, y) for x, y in places.tolist()])

    def is_beyond(self, x: float, y: float) -> bool:
        """Return whether a position is outside the mesh, farther from it than a gap between treads."""
        start = Vector((x, y, self._top))
        if self._tree.ray_cast(start, DOWN)[0] is not None:
            return False
        nearest = self._tree.find_nearest(Vector((x, y, self._height(x, y))))[0]
        return nearest is not None and (nearest.xy - start.xy).length > BESIDE

    def met(self, start: Vector, along: Vector) -> Vector | None:
        """Return where a ray in performance space first hits the mesh; None if it misses."""
        return self._tree.ray_cast(start, along)[0]

    def _height(self, x: float, y: float) -> float:
        hit, _, face, _ = self._tree.ray_cast(Vector((x, y, self._top)), DOWN)
        if hit is not None and face is not None:
            plane = self._plane_of(face)
            return hit.z if plane is None else plane[0] + plane[1] * x + plane[2] * y
        nearest = self._top
        for _ in range(LOOKS):
            found = self._tree.find_nearest(Vector((x, y, nearest)))[0]
            nearest = found.z if found is not None else nearest
        return nearest

    def _plane_of(self, face: int) -> tuple[float, float, float] | None:
        """Return the height at the origin and the slopes of a face's plane, None if it is not planar.

        The tree's own heights are rounded to single precision. A nearly straight leg amplifies that to a tenth of a
        millimetre, which would differ from one playback to the next.
        """
        if face not in self._planes:
            corners = self._points[list(self._faces[face])]
            sides = np.column_stack([np.ones(len(corners)), corners[:, :2] - corners[0, :2]])
            (height, slope_x, slope_y), *_ = np.linalg.lstsq(sides, corners[:, 2], rcond=None)
            flat = np.abs(sides @ (height, slope_x, slope_y) - corners[:, 2]).max() < FLAT
            x, y = corners[0, :2]
            plane = float(height - slope_x * x - slope_y * y), float(slope_x), float(slope_y)
            self._planes[face] = plane if flat else None
        return self._planes[face]


def floor_of(director: Object) -> MeshFloor | None:
    """Return the heights of the director's floor, None if it has none.

    Raises
    ------
    GraphError
        If the floor has no faces or a vertex without a valid position, or if the director has none.
    """
    floor = _floor(director)
    if floor is None:
        return None
    armature = director.verbs_adverbs.directs
    found = keys_and_floors.once(("floor", *_place_of(floor, armature)), lambda: _made(floor, armature))
    if not np.abs(origin_of(director, armature)).max() <= FARTHEST:
        raise GraphError(
            f"'{director.name}' has an invalid or extremely large location, where there is no floor. Move it to where "
            "the character should start."
        )
    return found


def _made(floor: Object, armature: Object) -> MeshFloor:
    """Return the heights of a floor in the armature's performance space; errors are those of `floor_of`."""
    points, faces = _mesh_of(floor, armature)
    if not faces:
        raise GraphError(f"Floor '{floor.name}' has no faces to walk on. Choose another object as floor, or none.")
    if not (np.abs(points) <= FARTHEST).all():
        raise GraphError(
            f"Floor '{floor.name}' has vertices with invalid or extremely large coordinates. Delete them, or choose "
            "another object."
        )
    return MeshFloor(points, faces)


def floor_digest(director: Object) -> str:
    """Return a digest of the director's floor: vertex positions and number of faces; empty if it has none.

    It is stored with the generated action. Including the vertices of each face would make all older files out of date;
    where only those change, *Compute* uses the current floor.
    """
    floor, armature = _floor(director), director.verbs_adverbs.directs
    if floor is None:
        return ""
    question = "floor digest", *_place_of(floor, armature)
    return keys_and_floors.once(question, lambda: _digest_of(*_mesh_of(floor, armature)))


def _digest_of(points: Array, faces: list[tuple[int, ...]]) -> str:
    return digest_of(np.round(points, 5).tobytes(), len(faces))


def _floor(director: Object) -> Object | None:
    """Return the director's floor; None if it was deleted."""
    floor = director.verbs_adverbs.performance.floor
    return floor if floor is not None and floor.users_scene else None


def _mesh_of(floor: Object, armature: Object) -> tuple[Array, list[tuple[int, ...]]]:
    """Return points (V, 3) of the floor's evaluated mesh in the armature's performance space, and its faces."""
    points, faces = keys_and_floors.once(("mesh", floor.session_uid), lambda: _own_mesh_of(floor))
    matrix = np.array(_matrix_of(floor, armature))
    return points @ matrix[:3, :3].T + matrix[:3, 3], faces


def _matrix_of(floor: Object, armature: Object) -> Matrix:
    """Return the matrix from the floor's space to the armature's performance space."""
    return into_space(armature) @ floor.matrix_world


def _place_of(floor: Object, armature: Object) -> tuple[object, ...]:
    """Return a key that identifies a floor and its location in the armature's performance space."""
    return floor.session_uid, *(row[:] for row in _matrix_of(floor, armature))


def _own_mesh_of(floor: Object) -> tuple[NDArray[np.float32], list[tuple[int, ...]]]:
    """Return points (V, 3) of the floor's evaluated mesh in its own space, and its faces."""
    seen = floor.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = seen.to_mesh() if floor.type in SOLID else None
    if mesh is None:
        return np.zeros((0, 3), dtype=np.float32), []
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    faces = [corners_of(polygon) for polygon in mesh.polygons]
    seen.to_mesh_clear()
    return flat.reshape(-1, 3), faces


def corners_of(polygon: MeshPolygon) -> tuple[int, ...]:
    """Return the indices of a polygon's vertices."""
    return tuple(polygon.vertices)  # pyright: ignore[reportArgumentType]


@dataclass(frozen=True, eq=False)
class Feet:
    """How planted points are treated during playback.

    Parameters
    ----------
    locked : whether they are locked.
    floor : heights of the ground, None for the examples' own ground.
    steps : whether feet left behind step back into place.
    hinges : whether their knees are hinges.
    """

    locked: bool = False
    floor: MeshFloor | None = None
    steps: bool = True
    hinges: bool = True

    def held(self, player: GraphPlayer, first: Span | None = None) -> AnyPlayer:
        """Return the player, with its planted points locked if required; `first` as for `ConstrainedPlayer`."""
        if not self.locked:
            return player
        return ConstrainedPlayer(player, self.floor, self.steps, "hinge" if self.hinges else "free", first)


def feet_of(director: Object | None, graph: VerbGraph, in_place: bool = False) -> Feet:
    """Return how planted points are treated when a graph is played with a director's settings.

    Parameters
    ----------
    director : the director, None if there is none: points are locked then.
    graph : the graph that is played.
    in_place : travel will be removed, so that a floor would move under the feet: only the examples' ground is used.

    Raises
    ------
    GraphError
        If the floor cannot be walked on.
    """
    if not graph.points or (director is not None and not director.verbs_adverbs.performance.lock_feet):
        return Feet()
    floor = None if director is None or in_place else floor_of(director)
    following = following_of(director)
    return Feet(True, floor, following.steps, following.hinges)


def feet_digest(director: Object) -> str:
    """Return a digest of everything `feet_of` reads from a director."""
    return floor_digest(director) if director.verbs_adverbs.performance.lock_feet else "slides"
