"""Turning rows of values into keys, leaving out keys that add little, and writing keys to actions in bulk."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import bpy
import numpy as np
from bpy.types import Action, FCurve
from numpy.typing import NDArray

from ...core.figure import quaternion as quat
from ...core.motion.resampling import needed_rows
from ...core.progress import Progress, untold
from ..blender.animation import REST, rotation_property
from ..blender.naming import free_action_name
from ..blender.versions import fcurve_ensure
from ..data.bones.names import OBJECT, bone_path, parse_path
from ..data.schema import ROOT_IS_OBJECT
from ..rig.parts import quaternions
from .write_pose import PosePlan, in_mode, own_rotations, own_scalars, root_locations

Array = NDArray[np.float64]
Array32 = NDArray[np.float32]

CONSTANT, LINEAR = 0, 1
NEARLY_WHOLE = 1e-4
COMBINED = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")
"""Path endings whose differences Blender combines; for other properties it would subtract their defaults."""
OBJECT_GROUP = "Object Transforms"
STILL = 1e-7
"""Largest change of a rotation's component that counts as rounding: in radians, or of a unit quaternion."""
AT_ONCE = 100_000
"""Number of rotations converted at a time."""


@dataclass(frozen=True, eq=False)
class Track:
    """A property with the values to key for all its components.

    Parameters
    ----------
    path : data path from the armature object.
    indices : (C,) components.
    group : name of the group of its F-curves.
    frames : (T,) frames of the keys.
    values : (T, C) values of the keys.
    rotation : rotation mode if the property is a rotation, else empty.
    held : whether keys are held, not interpolated.
    """

    path: str
    indices: tuple[int, ...]
    group: str
    frames: Array
    values: Array
    rotation: str = ""
    held: bool = False

    def rows(self, chosen: NDArray[np.intp]) -> "Track":
        """Return the same track with keys at the `chosen` rows only."""
        return replace(self, frames=self.frames[chosen], values=self.values[chosen])


@dataclass(frozen=True, eq=False)
class Keys:
    """The keys to write to one F-curve.

    Parameters
    ----------
    path, index, group : data path, component and group of the F-curve.
    frames, values : (K,) in single precision, as Blender stores them.
    held : whether keys are held, not interpolated.
    """

    path: str
    index: int
    group: str
    frames: Array32
    values: Array32
    held: bool


def tracks_of(plan: PosePlan, values: Array, frames: Array, progress: Progress | None = None) -> Iterator[Track]:
    """Yield tracks of everything a plan's channels move, computed for a few joints at a time.

    Parameters
    ----------
    values : (T, width) rows of the channels, placed in performance space.
    frames : (T,) increasing.
    progress : called with the fraction that is done, as `core.progress` says.
    """
    count, tell = 1 + len(plan.channels.rotating) + len(plan.channels.scalars), progress or untold
    for done, track in enumerate(_tracks(plan, values, frames)):
        yield track
        tell((done + 1) / count)


def _tracks(plan: PosePlan, values: Array, frames: Array) -> Iterator[Track]:
    root, few = plan.channels.skeleton.names[0], max(AT_ONCE // len(frames), 1)
    yield Track(bone_path(root, "location"), (0, 1, 2), _group(root), frames, root_locations(plan, values))
    for chosen in plan.sets:
        for begin in range(0, len(chosen.rows), few):
            components = in_mode(chosen.mode, own_rotations(plan, values, chosen.rows[begin : begin + few]))
            width = tuple(range(components.shape[-1]))
            for row, name in enumerate(chosen.names[begin : begin + few]):
                path = bone_path(name, chosen.property)
                yield Track(path, width, _group(name), frames, components[:, row], chosen.mode)
    yield from _scalar_tracks(plan, values, frames)


def _group(bone: str) -> str:
    return OBJECT_GROUP if bone in {OBJECT, ROOT_IS_OBJECT} else bone


def _scalar_tracks(plan: PosePlan, values: Array, frames: Array) -> Iterator[Track]:
    for scalar, column in zip(plan.channels.scalars, own_scalars(plan, values).T, strict=True):
        scaled = _switches(column) if scalar.held else column
        group = _group(parse_path(scalar.path)[0])
        yield Track(scalar.path, (max(scalar.axis, 0),), group, frames, scaled[:, None], held=scalar.held)


def _switches(values: Array) -> Array:
    """Round held `values` (T,) that are nearly whole, since Blender truncates integers and switches."""
    whole = np.round(values)
    return np.where(np.abs(values - whole) < NEARLY_WHOLE, whole, values)


def difference(below: Track, above: Track) -> Track:
    """Return the track that, combined by Blender with the one below, gives the one above."""
    if above.rotation == "QUATERNION":
        ways = quat.multiply(quat.conjugate(quat.normalize(below.values)), quat.normalize(above.values))
        return replace(above, values=quat.continuous(quat.align(ways, quat.IDENTITY)))
    if above.path.endswith(".scale"):
        return replace(above, values=above.values / below.values)
    return replace(above, values=above.values - below.values)


def rest_track(bone: str, prop: str, frame: float) -> Track:
    """Return a track with one key at rest for a transform property of a bone, or of the object."""
    rest = np.array(REST[prop])
    return Track(bone_path(bone, prop), tuple(range(len(rest))), _group(bone), np.array([frame]), rest[None])


def ancestor_tracks(plan: PosePlan, frame: float) -> list[Track]:
    """Return tracks with one key at rest for transforms of the bones above the root, so that they do not move it."""
    parts = (plan.rig.bones[name] for name in plan.rig.ancestors)
    moved = ((part, prop) for part in parts for prop in ("location", part.rotation_property, "scale"))
    return [rest_track(part.name, prop, frame) for part, prop in moved if np.allclose(part.values[prop], REST[prop])]


def keys_of(tracks: Iterable[Track]) -> list[Keys]:
    """Return keys for each component of some tracks; a component constant up to rounding gets a single key."""
    found: list[Keys] = []
    frames, told = np.zeros(0), np.zeros(0, dtype=np.float32)
    for track in tracks:
        if track.frames is not frames:
            frames, told = track.frames, track.frames.astype(np.float32)
        columns = track.values.T.astype(np.float32, order="C")
        still = np.ptp(columns, axis=-1) <= (STILL if track.rotation else 0.0)
        for index, values, one in zip(track.indices, columns, still.tolist(), strict=True):
            kept = slice(None, 1 if one else None)
            found.append(Keys(track.path, index, track.group, told[kept], values[kept].copy(), track.held))
    return found


def write_tracks(bag: object, tracks: Iterable[Track], handles: bool = False) -> list[FCurve]:
    """Write the keys of some tracks; the other parameters are those of `write_keys`."""
    return write_keys(bag, keys_of(tracks), handles=handles)


def write_keys(
    bag: object,
    keys: Sequence[Keys],
    progress: Progress | None = None,
    handles: bool = False,
    leave: Collection[tuple[str, int]] = (),
) -> list[FCurve]:
    """Write keys into a container of F-curves, remove its other curves, and return those written.

    Parameters
    ----------
    bag : what `versions.bag_for_write` returned.
    progress : called with the fraction that is done, see `core.progress`. When it raises, some curves are written
        and others are not.
    handles : whether to place the keys' handles, for users who edit the curves; playing does not need them.
    leave : data path and component of other curves, which are left as they are.

    Notes
    -----
    The keys are in order and no two are on the same frame. So an update is only needed to make Blender evaluate the
    action again, and updating a single curve is enough for that.
    """
    there = {(curve.data_path, curve.array_index): curve for curve in bag.fcurves}
    wanted = {(one.path, one.index) for one in keys}
    for key, curve in there.items():
        if key not in wanted and key not in leave:
            bag.fcurves.remove(curve)
    _remove_empty_groups(bag)
    written = []
    for one in keys:
        curve = there.get((one.path, one.index)) or fcurve_ensure(bag, one.path, one.index, one.group)
        _write_curve(curve, one)
        if handles or len(written) + 1 == len(keys):
            curve.update()
        written.append(curve)
        if progress:
            progress(len(written) / len(keys))
    return written


def _write_curve(curve: FCurve, keys: Keys) -> None:
    count = len(keys.frames)
    points = curve.keyframe_points
    if len(points) != count:
        points.clear()
        points.add(count)
    places = np.empty((count, 2), dtype=np.float32)
    places[:, 0], places[:, 1] = keys.frames, keys.values
    points.foreach_set("co", places.ravel())
    points.foreach_set("interpolation", np.full(count, CONSTANT if keys.held else LINEAR, dtype=np.uint8))


def _remove_empty_groups(bag: object) -> None:
    for group in [group for group in bag.groups if not len(group.channels)]:
        bag.groups.remove(group)


def thinned_within(track: Track, degrees: float, distance: float) -> Track:
    """Remove keys of a rotation within `degrees` or of a location within `distance`; 0 removes none.

    `distance` is in units of the armature. Held tracks and other properties keep all their keys.
    """
    if track.held or len(track.frames) < 3:
        return track
    if track.rotation and degrees > 0.0:
        return thinned(track, degrees)
    if track.path.endswith("location") and distance > 0.0:
        return thinned(track, distance)
    return track


def thinned(track: Track, tolerance: float) -> Track:
    """Remove keys of a track where linear interpolation stays within `tolerance`, in degrees or in its own units."""
    error = turned_by(track.rotation) if track.rotation else _apart
    return track.rows(needed_rows(track.frames, track.values, error, tolerance))


def _apart(played: Array, true: Array) -> Array:
    return np.linalg.norm(played - true, axis=-1)


def turned_by(mode: str) -> Callable[[Array, Array], Array]:
    """Return a function for the angle in degrees between rotations given as components of a rotation mode."""
    prop = rotation_property(mode)

    def turned(played: Array, true: Array) -> Array:
        a, b = quaternions(prop, played, mode), quaternions(prop, true, mode)
        return np.degrees(quat.angle_between(a, b))

    return turned


@contextmanager
def new_action(name: str) -> Iterator[Action]:
    """Create an action with a free name, to be filled in the `with` block; it is removed if the block raises."""
    action = bpy.data.actions.new(free_action_name(name))
    try:
        yield action
    except BaseException:
        bpy.data.actions.remove(action)
        raise


def baked_tracks(
    plan: PosePlan, values: Array, frames: Array, degrees: float, distance: float, progress: Progress | None = None
) -> Iterator[Track]:
    """Yield the tracks of a bake: `values` (n, C) at `frames` (n,), with fewer keys, and rest keys above the root.

    Keys are left out within `degrees` and `distance` (performance units); 0 leaves out none. `progress` is called as
    `core.progress` says.
    """
    for track in tracks_of(plan, values, frames, progress):
        yield thinned_within(track, degrees, distance / plan.rig.scale)
    yield from ancestor_tracks(plan, frames[0])
