"""Rows of values as curves to be keyed, and writing these to an action in bulk."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np
from bpy.types import FCurve
from numpy.typing import NDArray

from .curves import OBJECT, parse_path
from .parts import REST
from .properties import ROOT_IS_OBJECT
from .versions import fcurve_ensure
from .write_pose import PosePlan, in_mode, own_rotations, own_scalars, root_locations

Array = NDArray[np.float64]

CONSTANT, LINEAR = 0, 1
NEARLY_WHOLE = 1e-4
OBJECT_GROUP = "Object Transforms"


@dataclass(frozen=True, eq=False)
class Track:
    """A property to be keyed with all of its components.

    Parameters
    ----------
    path : data path from the armature object.
    indices : (C,) components.
    group : name of the group of its F-curves.
    frames : (T,)
    values : (T, C)
    rotation : rotation mode where the property is one, else empty.
    held : keys are held, not interpolated.
    """

    path: str
    indices: tuple[int, ...]
    group: str
    frames: Array
    values: Array
    rotation: str = ""
    held: bool = False

    def rows(self, chosen: NDArray[np.intp]) -> "Track":
        """The same track with keys at the `chosen` rows alone."""
        return replace(self, frames=self.frames[chosen], values=self.values[chosen])


def bone_path(bone: str, prop: str) -> str:
    """Data path of a transform property of a bone, of the object for its name."""
    if bone in {OBJECT, ROOT_IS_OBJECT}:
        return prop
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"].{prop}'


def tracks_of(plan: PosePlan, values: Array, frames: Array) -> list[Track]:
    """Tracks of everything that the plan's channels move.

    Parameters
    ----------
    values : (T, width) already placed in performance space.
    frames : (T,) increasing.
    """
    rotations = own_rotations(plan, values)
    root = plan.channels.skeleton.names[0]
    tracks = [Track(bone_path(root, "location"), (0, 1, 2), _group(root), frames, root_locations(plan, values))]
    for chosen in plan.sets:
        components = in_mode(chosen.mode, rotations[:, chosen.rows])
        width = tuple(range(components.shape[-1]))
        for row, name in enumerate(chosen.names):
            path = bone_path(name, chosen.property)
            tracks.append(Track(path, width, _group(name), frames, components[:, row], chosen.mode))
    return tracks + _scalar_tracks(plan, values, frames)


def _group(bone: str) -> str:
    return OBJECT_GROUP if bone in {OBJECT, ROOT_IS_OBJECT} else bone


def _scalar_tracks(plan: PosePlan, values: Array, frames: Array) -> list[Track]:
    found = []
    for scalar, column in zip(plan.channels.scalars, own_scalars(plan, values).T, strict=True):
        scaled = np.full(len(column), _switch(float(column[0]))) if scalar.held else column
        group = _group(parse_path(scalar.path)[0])
        found.append(Track(scalar.path, (max(scalar.axis, 0),), group, frames, scaled[:, None], held=scalar.held))
    return found


def _switch(value: float) -> float:
    """A held value, whole where it nearly is: Blender cuts off the decimals of what integers and switches are keyed."""
    return float(round(value)) if abs(value - round(value)) < NEARLY_WHOLE else value


def ancestor_tracks(plan: PosePlan, frame: float) -> list[Track]:
    """One key for every transform at rest of the bones over the root, so that nothing moves the root from above."""
    found = []
    for name in plan.rig.ancestors:
        part = plan.rig.bones[name]
        for prop in ("location", part.rotation_property, "scale"):
            rest = np.array(REST[prop])
            if np.allclose(part.values[prop], rest):
                width = tuple(range(len(rest)))
                found.append(Track(bone_path(name, prop), width, name, np.array([frame]), rest[None]))
    return found


def write_tracks(
    bag: object,
    tracks: Sequence[Track],
    progress: Callable[[float], None] | None = None,
    handles: bool = False,
    leave: Collection[tuple[str, int]] = (),
) -> list[FCurve]:
    """Key the tracks in what `versions.bag_for_write` returned; curves of anything else are removed from it.

    A component that never changes gets one key. Returns the curves.

    Parameters
    ----------
    progress : called with a fraction.
    handles : place the keys' handles, as whoever edits the curves will expect; nothing that is played here uses them.
    leave : path and component of further curves, which are left as they are.

    Notes
    -----
    The keys are in order and of different frames, so all that an update is needed for is that Blender evaluates the
    action anew; one curve's update does that for all of them.
    """
    there = {(curve.data_path, curve.array_index): curve for curve in bag.fcurves}
    wanted = {(track.path, index) for track in tracks for index in track.indices}
    for key, curve in there.items():
        if key not in wanted and key not in leave:
            bag.fcurves.remove(curve)
    _remove_empty_groups(bag)
    written = []
    for count, track in enumerate(tracks):
        for index, column in zip(track.indices, track.values.T, strict=True):
            curve = there.get((track.path, index)) or fcurve_ensure(bag, track.path, index, track.group)
            _write_curve(curve, track.frames, column, CONSTANT if track.held else LINEAR)
            written.append(curve)
        if progress:
            progress((count + 1) / len(tracks))
    for curve in written if handles else written[-1:]:
        curve.update()
    return written


def _write_curve(curve: FCurve, frames: Array, column: Array, interpolation: int) -> None:
    values = column.astype(np.float32)
    count = 1 if values.min() == values.max() else len(values)
    keys = np.empty((count, 2), dtype=np.float32)
    keys[:, 0], keys[:, 1] = frames[:count], values[:count]
    points = curve.keyframe_points
    if len(points) != count:
        points.clear()
        points.add(count)
    points.foreach_set("co", keys.ravel())
    points.foreach_set("interpolation", np.full(count, interpolation, dtype=np.uint8))


def _remove_empty_groups(bag: object) -> None:
    for group in [group for group in bag.groups if not len(group.channels)]:
        bag.groups.remove(group)
