"""F-curves gathered by what they move, and sampled where it is safe to sample them.

Euler angles of captured motion jump by 360 degrees from one key to the next, and quaternions change sign. Between such
keys the curve itself is meaningless, so rotations are taken at the keys, turned to quaternions, and only then
interpolated; a curve is evaluated between its keys only where they lie further apart than a frame.
"""

import re
from dataclasses import dataclass, field

import bpy
import numpy as np
from bpy.types import Action, FCurve, Object
from numpy.typing import NDArray

from ..core.errors import ActionError
from .versions import curves_of

Array = NDArray[np.float64]

OBJECT = ""
SAME_FRAME = 1e-2
WRAPPED_GAP = 3.0
HUGE = 1e6

ROTATIONS = {"rotation_euler": 3, "rotation_quaternion": 4, "rotation_axis_angle": 4}
TRANSFORMS = {"location": 3, "scale": 3, **ROTATIONS}

_BONE = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\](.+)', re.DOTALL)


@dataclass(frozen=True, eq=False)
class Keyed:
    """The curves of one action that move one armature.

    Parameters
    ----------
    action : name of the action.
    transforms : for each bone (`OBJECT` for the object) and property the curves by component.
    values : every other curve: (data path, component) to curve, with the bone it belongs to, `OBJECT` if none.
    """

    action: str
    transforms: dict[str, dict[str, dict[int, FCurve]]] = field(default_factory=dict)
    values: dict[tuple[str, int], tuple[str, FCurve]] = field(default_factory=dict)

    def bones(self) -> set[str]:
        """Names of all bones that the action mentions."""
        return {name for name in self.transforms if name != OBJECT} | {bone for bone, _ in self.values.values() if bone}

    def curves(self, owner: str, prop: str) -> dict[int, FCurve]:
        """Curves of one property by component, empty when it is not keyed."""
        return self.transforms.get(owner, {}).get(prop, {})


def parse_path(path: str) -> tuple[str, str]:
    """Split a data path into the bone's name, `OBJECT` when there is none, and the rest without its leading dot."""
    found = _BONE.fullmatch(path)
    if not found:
        return OBJECT, path
    return bpy.utils.unescape_identifier(found[1]), found[2].removeprefix(".")


def plays(curve: FCurve) -> bool:
    """Whether Blender would evaluate the curve: not muted, alone or with its group, and not empty."""
    muted = curve.mute or (curve.group is not None and curve.group.mute)
    return not muted and bool(len(curve.keyframe_points) or len(curve.sampled_points) or len(curve.modifiers))


def gather(action: Action, armature: Object) -> Keyed:
    """Sort the curves of `action` by what they move on `armature`.

    Raises
    ------
    ActionError
        If nothing is animated.
    """
    keyed = Keyed(action.name)
    for curve in curves_of(action, armature):
        if not plays(curve):
            continue
        bone, rest = parse_path(curve.data_path)
        if rest in TRANSFORMS and curve.array_index < TRANSFORMS[rest]:
            keyed.transforms.setdefault(bone, {}).setdefault(rest, {})[curve.array_index] = curve
        else:
            keyed.values[curve.data_path, curve.array_index] = bone, curve
    if not keyed.transforms and not keyed.values:
        raise ActionError(
            f"Action '{action.name}' has no keys for '{armature.name}'. Choose an action that animates this armature."
        )
    return keyed


def keys_of(curve: FCurve) -> Array:
    """Keys (K, 2) of a curve: frame and value, in order of time."""
    points = curve.keyframe_points if len(curve.keyframe_points) else curve.sampled_points
    flat = np.empty(2 * len(points), dtype=np.float32)
    points.foreach_get("co", flat)
    return flat.reshape(-1, 2).astype(np.float64)


def goes_on(curve: FCurve) -> bool:
    """Whether a modifier moves the curve on beyond its keys."""
    return any(modifier.active and not modifier.mute for modifier in curve.modifiers)


def stepped(curve: FCurve) -> bool:
    """Whether every key is held until the next one, as switches are keyed."""
    kinds = np.zeros(len(curve.keyframe_points), dtype=np.int32)
    curve.keyframe_points.foreach_get("interpolation", kinds)
    return len(kinds) > 0 and not kinds.any()


def at_frames(curve: FCurve, frames: Array, where: str) -> Array:
    """Values (F,) of a curve at `frames` (F,); keys are read as they are, anything else is evaluated.

    Parameters
    ----------
    where : what the curve moves, for the message.

    Raises
    ------
    ActionError
        If a value is not a number or beyond all bounds.
    """
    values = np.empty(len(frames))
    evaluated = np.ones(len(frames), dtype=bool)
    keys = keys_of(curve)
    if len(keys) and not goes_on(curve):
        near = np.clip(np.searchsorted(keys[:, 0], frames - SAME_FRAME), 0, len(keys) - 1)
        evaluated = np.abs(keys[near, 0] - frames) > SAME_FRAME
        values = keys[near, 1]
    if evaluated.any():
        values[evaluated] = [curve.evaluate(frame) for frame in frames[evaluated]]
    bad = ~(np.abs(values) <= HUGE)
    if bad.any():
        frame, value = frames[bad][0], values[bad][0]
        raise ActionError(f"{where} is {value:g} at frame {frame:g}. Delete or correct that key in the Graph Editor.")
    return values


def components(curves: dict[int, FCurve], frames: Array, default: Array, where: str) -> Array:
    """Values (F, C) of a property at `frames` (F,); a component without a curve keeps its default (C,)."""
    values = np.tile(np.asarray(default, dtype=np.float64), (len(frames), 1))
    for index, curve in curves.items():
        values[:, index] = at_frames(curve, frames, where)
    return values


def merged(frames: Array) -> Array:
    """Frames in order, without those that are the same up to the precision of keys."""
    ordered = np.sort(frames)
    return ordered[np.concatenate([[True], np.diff(ordered) > SAME_FRAME])] if len(ordered) else ordered


def subdivided(frames: Array, whole: NDArray[np.bool_] | None = None) -> Array:
    """Frames with gaps longer than one frame cut into equal steps, except where `whole` (F - 1,) says not to."""
    parts = np.maximum(np.ceil(np.diff(frames) - SAME_FRAME), 1).astype(int)
    if whole is not None:
        parts[whole] = 1
    inner = [
        start + (end - start) * np.arange(1, n) / n
        for start, end, n in zip(frames[:-1], frames[1:], parts, strict=True)
        if n > 1
    ]
    return merged(np.concatenate([frames, *inner]))


def key_frames(curves: dict[int, FCurve], where: str) -> Array:
    """Frames of all keys of a property's curves, merged.

    Raises
    ------
    ActionError
        If a key's frame is not a number.
    """
    frames = np.concatenate([keys_of(curve)[:, 0] for curve in curves.values()])
    if not np.isfinite(frames).all() or np.abs(frames).max(initial=0.0) > HUGE:
        raise ActionError(f"{where} has a key at an impossible frame. Delete that key in the Graph Editor.")
    return merged(frames)
