"""A digest of what an action plays: F-curves, keys, modifiers and slots, but not its markers or annotations."""

import ctypes
import hashlib
from collections.abc import Iterable, Iterator

import bpy
import numpy as np

KEY_SIZE = 72
"""Bytes of a key in Blender's memory, in all its versions since 2.8 (`BezTriple`); a test looks at each property."""
PLAYED = [*(12 * point + byte for point in range(3) for byte in range(8)), 48, 49, 50, 54, 55, *range(56, 68)]
"""Those that play: times and values of handles and key, interpolation, handle types, type, easing and its numbers."""


def _value(owner: bpy.types.bpy_struct, name: str) -> object:
    value = getattr(owner, name)
    return value if isinstance(value, str | int | float | set) else tuple(value)


def _plain(owner: bpy.types.bpy_struct) -> str:
    """All values of a modifier or another small struct as text, without pointers."""
    names = sorted(p.identifier for p in owner.bl_rna.properties if p.type not in {"POINTER", "COLLECTION"})
    return repr([(name, _value(owner, name)) for name in names])


def _keys(keys: bpy.types.bpy_prop_collection) -> bytes:
    """What keys hold, as it lies in memory: reading property after property took a quarter of all tests' time."""
    if not len(keys):
        return b""
    begin, count = keys[0].as_pointer(), len(keys)
    assert keys[-1].as_pointer() - begin == (count - 1) * KEY_SIZE
    memory = ctypes.string_at(begin, count * KEY_SIZE)
    return np.frombuffer(memory, np.uint8).reshape(count, KEY_SIZE)[:, PLAYED].tobytes()


def _curve(curve: bpy.types.FCurve) -> Iterator[bytes]:
    group = curve.group.name if curve.group else ""
    state = (curve.data_path, curve.array_index, curve.extrapolation, curve.mute, curve.lock, curve.auto_smoothing)
    yield repr((state, group, [_plain(modifier) for modifier in curve.modifiers])).encode()
    yield _keys(curve.keyframe_points)


def _curves(action: bpy.types.Action) -> Iterator[tuple[str, bpy.types.FCurve]]:
    """Yield F-curves, each with a text that says in which layer, strip and slot it is; empty without slots."""
    if not hasattr(action, "layers"):
        yield from (("", curve) for curve in action.fcurves)
        return
    for layer in action.layers:
        for index, strip in enumerate(layer.strips):
            for bag in strip.channelbags:
                yield from ((f"{layer.name}/{index}/{bag.slot_handle}", curve) for curve in bag.fcurves)


def keys_in(action: bpy.types.Action) -> dict[tuple[str, int], list[tuple[float, float]]]:
    """Frames and values of all keys, by path and component of their curve."""
    return {
        (curve.data_path, curve.array_index): [tuple(key.co) for key in curve.keyframe_points]
        for _, curve in _curves(action)
    }


def digest(action: bpy.types.Action) -> str:
    """Hexadecimal digest of one action's content as it plays."""
    found = hashlib.sha256()
    slots = [(slot.identifier, slot.handle) for slot in getattr(action, "slots", ())]
    found.update(repr((slots, action.use_frame_range, action.use_cyclic, tuple(action.frame_range))).encode())
    for place, curve in _curves(action):
        found.update(place.encode())
        for part in _curve(curve):
            found.update(part)
    return found.hexdigest()


def digests(actions: Iterable[bpy.types.Action] | None = None) -> dict[str, str]:
    """Digest of every action by name; all of the file's when none are given."""
    return {action.name_full: digest(action) for action in (bpy.data.actions if actions is None else actions)}
