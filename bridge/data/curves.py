"""Data paths: F-curves grouped by what they move and sampled where that is safe, and properties set by their paths.

Euler angles of captured motion jump by 360 degrees from one key to the next, and quaternions change sign. Between such
keys the curve itself is meaningless, so rotations are read at the keys, converted to quaternions, and only then
interpolated; a curve is evaluated between its keys only where they are more than a frame apart.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, FCurve, Object
from numpy.typing import NDArray

from ...core.errors import ActionError
from ..blender.animation import REST, plays
from ..blender.naming import told_frame
from ..blender.versions import curves_of
from .bones.names import LEFT_OUT, OBJECT, names_in_curves, parse_path

Array = NDArray[np.float64]

SAME_FRAME = 1e-2
WRAPPED_GAP = 3.0
HUGE = 1e6

LARGEST = 3e38
"""Approximately the largest number that a single-precision property can hold."""


@dataclass(frozen=True, eq=False)
class Curve:
    """An F-curve whose keys are read once.

    Parameters
    ----------
    fcurve : F-curve of an action; it is never modified.
    where : beginning of an error message that says what the curve moves and in which action it is.
    """

    fcurve: FCurve
    where: str

    @cached_property
    def keys(self) -> Array:
        """Keys (K, 2): frame and value, in chronological order."""
        points = self.fcurve.keyframe_points if len(self.fcurve.keyframe_points) else self.fcurve.sampled_points
        flat = np.empty(2 * len(points), dtype=np.float32)
        points.foreach_get("co", flat)
        return flat.reshape(-1, 2).astype(np.float64)

    @cached_property
    def frames(self) -> Array:
        """Frames (K,) of the keys.

        Raises
        ------
        ActionError
            If one is not a number, or too large for a frame.
        """
        frames = self.keys[:, 0].copy()
        if not (np.abs(frames) <= HUGE).all():
            raise ActionError(f"{self.where} has a key at an invalid frame. Delete it in the Graph Editor.")
        return frames

    @cached_property
    def goes_on(self) -> bool:
        """Whether a modifier extends the curve beyond its keys."""
        return any(not modifier.mute for modifier in self.fcurve.modifiers)

    @cached_property
    def stepped(self) -> bool:
        """Whether every key has constant interpolation, as switches are keyed."""
        kinds = np.zeros(len(self.fcurve.keyframe_points), dtype=np.int32)
        self.fcurve.keyframe_points.foreach_get("interpolation", kinds)
        return len(kinds) > 0 and not kinds.any()

    @property
    def bends_at_its_ends(self) -> bool:
        """Whether repeating it changes its shape next to its first or last key, by automatic handles."""
        points = self.fcurve.keyframe_points
        if len(points) < 3 or self.goes_on:
            return False
        wide = np.diff(self.frames)[[0, -1]] > 1.0 + SAME_FRAME
        kinds = [(points[0].interpolation, points[0].handle_right_type)]
        kinds += [(points[-2].interpolation, points[-1].handle_left_type)]
        return any(
            one == "BEZIER" and how.startswith("AUTO") for (one, how), far in zip(kinds, wide, strict=True) if far
        )

    def at(self, frames: Array) -> Array:
        """Return values (F,) at `frames` (F,); keys give their own value, elsewhere the curve is evaluated.

        Raises
        ------
        ActionError
            If a value is not a number, or impossibly large.
        """
        values = self._evaluated(frames) if self.goes_on or not len(self.keys) else self._keyed(frames)
        bad = ~(np.abs(values) <= HUGE)
        if bad.any():
            frame, value = frames[bad][0], values[bad][0]
            raise ActionError(
                f"{self.where} is {value:g} at frame {told_frame(frame)}. Delete or correct that key in the Graph"
                " Editor."
            )
        return values

    def _keyed(self, frames: Array) -> Array:
        first = int(np.searchsorted(self.keys[:, 0], frames[0] - SAME_FRAME)) if len(frames) else 0
        run = self.keys[first : first + len(frames)]
        if len(run) == len(frames) and (np.abs(run[:, 0] - frames) <= SAME_FRAME).all():
            return run[:, 1].copy()
        near = np.minimum(np.searchsorted(self.keys[:, 0], frames - SAME_FRAME), len(self.keys) - 1)
        values = self.keys[near, 1]
        between = np.abs(self.keys[near, 0] - frames) > SAME_FRAME
        if between.any():
            values[between] = self._evaluated(frames[between])
        return values

    def _evaluated(self, frames: Array) -> Array:
        return np.array([self.fcurve.evaluate(frame) for frame in frames], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Keyed:
    """The curves of one action that move one armature.

    Parameters
    ----------
    action : name of the action.
    transforms : curves by component, for each bone (`OBJECT` for the object) and property.
    values : all other curves by data path and component.
    owners : the bone of each data path and component, `OBJECT` if none.
    """

    action: str
    transforms: dict[str, dict[str, dict[int, Curve]]] = field(default_factory=dict)
    values: dict[tuple[str, int], Curve] = field(default_factory=dict)
    owners: dict[tuple[str, int], str] = field(default_factory=dict)

    def bones(self) -> set[str]:
        """Return names of all bones that the action mentions."""
        return {*self.transforms, *self.owners.values()} - {OBJECT}

    def curves(self, owner: str, prop: str) -> dict[int, Curve]:
        """Return curves of one property by component, empty if it is not keyed."""
        return self.transforms.get(owner, {}).get(prop, {})

    @property
    def has_keys(self) -> bool:
        """Whether any of the curves has a key; those that consist only of modifiers have none."""
        return any(len(curve.frames) for curve in self.all_curves())

    def all_curves(self) -> list[Curve]:
        """Return all curves."""
        inner = [c for props in self.transforms.values() for curves in props.values() for c in curves.values()]
        return inner + list(self.values.values())


def animated(armature: Object, path: str, index: int) -> tuple[bool | int | float | None, str]:
    """Return the current value that an F-curve with this data path and component animates, or None and the reason."""
    owner, _, name = path.rpartition(".")
    try:
        present: Any = armature.path_resolve(path)
        fixed = not path.endswith("]") and _owner(armature, owner).is_property_readonly(name)
    except (ValueError, TypeError, AttributeError):
        return None, "which the armature does not have"
    if isinstance(present, str):
        return None, "an enum or a text"
    if hasattr(present, "__len__") and not hasattr(present, "keys"):
        if index >= len(present):
            return None, f"which has no index {index}"
        present = present[index]
    if fixed or not isinstance(present, bool | int | float):
        return None, "which cannot be animated"
    return present, ""


def _owner(armature: Object, path: str) -> object:
    return armature.path_resolve(path) if path else armature


def gather(action: Action, armature: Object) -> Keyed:
    """Group the curves of `action` by what they move on `armature`, with former bone names resolved.

    Raises
    ------
    ActionError
        If the action does not animate the armature, or a bone under two names.
    """
    keyed, names = Keyed(action.name), names_in_curves(armature, action)
    for curve in curves_of(action, armature):
        path, index = names.path(curve.data_path) if names else curve.data_path, curve.array_index
        if not plays(curve) or (names and path == LEFT_OUT):
            continue
        bone, rest = parse_path(path)
        if index < len(REST.get(rest, ())):
            where = f"{rest} of {_who(bone)} in action '{action.name}'"
            inner = keyed.transforms.setdefault(bone, {}).setdefault(rest, {})
            twice = index in inner
            inner[index] = Curve(curve, where)
        else:
            twice = (path, index) in keyed.values
            keyed.values[path, index] = Curve(curve, f"{path} in action '{action.name}'")
            keyed.owners[path, index] = bone
        if names and twice:
            raise ActionError(
                f"Action '{action.name}' moves bone '{bone}' under two names, its current one and an old one. Delete "
                "the curves of one name, or leave one out with Map Bones."
            )
    if not keyed.transforms and not keyed.values:
        raise ActionError(
            f"Action '{action.name}' has no keys for '{armature.name}'. Choose an action that animates this armature."
        )
    return keyed


def _who(bone: str) -> str:
    return f"bone '{bone}'" if bone else "the object"


def components(curves: dict[int, Curve], frames: Array, default: Array) -> Array:
    """Return values (F, C) of a property at `frames` (F,); a component without a curve keeps its default (C,)."""
    values = np.tile(np.asarray(default, dtype=np.float64), (len(frames), 1))
    for index, curve in curves.items():
        values[:, index] = curve.at(frames)
    return values


def key_frames(curves: Iterable[Curve]) -> Array:
    """Return frames of all keys of some curves, merged.

    Raises
    ------
    ActionError
        If a key's frame is invalid.
    """
    found = [curve.frames for curve in curves]
    if found and all(len(frames) == len(found[0]) for frames in found[1:]):
        found = found[:1] if all(np.array_equal(frames, found[0]) for frames in found[1:]) else found
    return merged(np.concatenate(found)) if found else np.zeros(0)


def key_ends(curves: Iterable[Curve]) -> tuple[float, float]:
    """Return the first and last frame that has a key in one of some curves; errors are those of `key_frames`."""
    found = [curve.frames for curve in curves if len(curve.frames)]
    return min(float(frames.min()) for frames in found), max(float(frames.max()) for frames in found)


def merged(frames: Array) -> Array:
    """Sort frames, and remove duplicates within the precision of keys."""
    ordered = np.sort(frames)
    return ordered[np.concatenate([[True], np.diff(ordered) > SAME_FRAME])] if len(ordered) else ordered


def subdivided(frames: Array, whole: NDArray[np.bool_] | None = None) -> Array:
    """Divide gaps of more than one frame into equal steps, except gaps that `whole` (F - 1,) marks."""
    parts = np.maximum(np.ceil(np.diff(frames) - SAME_FRAME), 1).astype(int)
    if whole is not None:
        parts[whole] = 1
    if (parts == 1).all():
        return merged(frames)
    inner = [
        start + (end - start) * np.arange(1, n) / n
        for start, end, n in zip(frames[:-1], frames[1:], parts, strict=True)
        if n > 1
    ]
    return merged(np.concatenate([frames, *inner]))


def set_property(armature: Object, path: str, value: Any, index: int | None = None) -> bool:
    """Set a property by its data path, or one component of it; return whether that was possible.

    Integers and booleans get the nearest whole number. Nothing happens if there is no such property, or if the value is
    not of its type.

    Parameters
    ----------
    armature : object that the path starts from.
    path : data path.
    value : number, boolean or list of these.
    index : which component, None for the whole property.
    """
    owner_path, name, is_key = _split(path)
    try:
        owner: Any = armature.path_resolve(owner_path) if owner_path else armature
        present: Any = owner[name] if is_key else getattr(owner, name)
    except (ValueError, KeyError, AttributeError, TypeError):
        return False
    if index is not None and hasattr(present, "__len__"):
        if index >= len(present):
            return False
        present[index] = _like(present[index], value)
        return True
    if hasattr(present, "__len__") and not isinstance(present, str):
        return _set_array(present, value)
    fits = isinstance(present, bool | int | float) and (isinstance(value, bool) or is_storable(value))
    if fits and is_key:
        owner[name] = _like(present, value)
    elif fits:
        setattr(owner, name, _like(present, value))
    return fits


def _like(present: Any, value: float) -> bool | int | float:
    return value if isinstance(present, float) else type(present)(round(value))


def _set_array(present: Any, values: Any) -> bool:
    fits = isinstance(values, list) and len(values) == len(present) and not hasattr(present, "keys")
    fits = fits and all(isinstance(value, bool) or is_storable(value) for value in values)
    for index, value in enumerate(values if fits else ()):
        present[index] = _like(present[index], value)
    return fits


def _split(path: str) -> tuple[str, str, bool]:
    """Return the owner's path, the name, and whether the name is a key in brackets."""
    if path.endswith('"]'):
        owner, _, key = path[:-2].rpartition('["')
        return owner, bpy.utils.unescape_identifier(key), True
    owner, _, name = path.rpartition(".")
    return owner, name, False


def is_storable(value: object) -> bool:
    """Return whether a value is a number that a Blender property can hold; a boolean is not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST
