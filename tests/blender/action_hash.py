"""A digest of what an action plays: F-curves, keys, modifiers and slots, but not its markers or annotations."""

import hashlib
from collections.abc import Iterable, Iterator

import bpy
import numpy as np

KEY_FIELDS = ("interpolation", "easing", "type", "handle_left_type", "handle_right_type")
KEY_NUMBERS = ("amplitude", "back", "period")
CURVE_FIELDS = ("data_path", "array_index", "extrapolation", "mute", "lock", "auto_smoothing")


def _value(owner: bpy.types.bpy_struct, name: str) -> object:
    value = getattr(owner, name)
    return value if isinstance(value, str | int | float | set) else tuple(value)


def _plain(owner: bpy.types.bpy_struct) -> str:
    """Every value of a modifier or other small struct, pointers left out."""
    names = sorted(p.identifier for p in owner.bl_rna.properties if p.type not in {"POINTER", "COLLECTION"})
    return repr([(name, _value(owner, name)) for name in names])


def _curve_parts(curve: bpy.types.FCurve) -> Iterator[bytes]:
    yield repr([getattr(curve, name) for name in CURVE_FIELDS]).encode()
    yield (curve.group.name if curve.group else "").encode()
    keys = curve.keyframe_points
    for name, width in (("co", 2), ("handle_left", 2), ("handle_right", 2)):
        numbers = np.empty(width * len(keys), dtype=np.float32)
        keys.foreach_get(name, numbers)
        yield numbers.tobytes()
    for key in keys:
        yield repr([getattr(key, name) for name in (*KEY_FIELDS, *KEY_NUMBERS)]).encode()
    for modifier in curve.modifiers:
        yield _plain(modifier).encode()


def _curves(action: bpy.types.Action) -> Iterator[tuple[str, bpy.types.FCurve]]:
    """F-curves with the place where each is kept."""
    if not hasattr(action, "layers"):
        yield from (("", curve) for curve in action.fcurves)
        return
    for layer in action.layers:
        for index, strip in enumerate(layer.strips):
            for bag in strip.channelbags:
                yield from ((f"{layer.name}/{index}/{bag.slot_handle}", curve) for curve in bag.fcurves)


def digest(action: bpy.types.Action) -> str:
    """Hexadecimal digest of one action's content as it plays."""
    found = hashlib.sha256()
    for slot in getattr(action, "slots", ()):
        found.update(repr((slot.identifier, slot.handle)).encode())
    found.update(repr((action.use_frame_range, action.use_cyclic, tuple(action.frame_range))).encode())
    for place, curve in _curves(action):
        found.update(place.encode())
        for part in _curve_parts(curve):
            found.update(part)
    return found.hexdigest()


def digests(actions: Iterable[bpy.types.Action] | None = None) -> dict[str, str]:
    """Digest of every action by name; all of the file's when none are given."""
    return {action.name_full: digest(action) for action in (bpy.data.actions if actions is None else actions)}
