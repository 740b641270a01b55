"""Baked curves: their keys packed into a text that stays on the action, and the edits made to them since.

The keys as they were written have to be stored, since they cannot be computed again once the score has changed. All
curves of a bake share their frames, so a key takes about 3 bytes, never more than 6, while a Blender key takes about
80; a copy of the action would double the file.
"""

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from bpy.types import FCurve, Object
from numpy.typing import NDArray

from ...core.bounds import FARTHEST_FRAME
from ...core.progress import Progress, untold
from ..blender.animation import ROTATION_PROPERTY
from ..blender.store import digest_of
from ..data.curves import OBJECT, parse_path
from .tracks import CONSTANT, LINEAR, Keys, Track, turned_by

Array = NDArray[np.float64]
Array32 = NDArray[np.float32]
Key = tuple[str, int]

FORM = 1
"""Version of the format of packed keys."""
AT_ONCE = 1 << 20
"""Number of bytes compressed at a time."""
SAME_FRAME = 1e-2
"""Frames closer than this are the same to Blender."""
BEZIER = 2
ROUNDED = 2e-7
"""Difference of a value in single precision, and share of it, that comes from rounding between keys."""


def packed(keys: Sequence[Keys], progress: Progress | None = None) -> str:
    """Return the keys of some curves as a text, from which `unpacked` restores them exactly.

    `progress` is called as described in `core.progress`.
    """
    times: dict[bytes, int] = {}
    curves = []
    for one in keys:
        row = times.setdefault(one.frames.tobytes(), len(times))
        curves.append((one.path, one.index, one.group, one.held, row))
    head = json.dumps((FORM, [len(frames) // 4 for frames in times], curves)).encode()
    body = b"".join(times) + b"".join(one.values.tobytes() for one in keys)
    apart = np.frombuffer(body, dtype=np.uint8).reshape(-1, 4).T.tobytes()
    return b64encode(_compressed(len(head).to_bytes(4, "little") + head + apart, progress or untold)).decode()


def _compressed(told: bytes, tell: Progress) -> bytes:
    """Compress bytes in chunks; numbers compress best when their bytes are separated, all the highest first."""
    worker, found = zlib.compressobj(), bytearray()
    for begin in range(0, len(told), AT_ONCE):
        found += worker.compress(told[begin : begin + AT_ONCE])
        tell(min((begin + AT_ONCE) / len(told), 1.0))
    return bytes(found + worker.flush())


def unpacked(text: str) -> list[Keys] | None:
    """Return the keys passed to `packed`; None if the text is damaged or from a newer version."""
    try:
        told = zlib.decompress(b64decode(text, validate=True))
        length = int.from_bytes(told[:4], "little")
        form, counts, curves = json.loads(told[4 : 4 + length])
        apart = np.frombuffer(told[4 + length :], dtype=np.uint8).reshape(4, -1)
        numbers = np.frombuffer(apart.T.tobytes(), dtype=np.float32)
        if form != FORM:
            return None
        ends = np.cumsum([0, *counts]).tolist()
        times = [numbers[a:b] for a, b in zip(ends[:-1], ends[1:], strict=True)]
        found, at = [], ends[-1]
        for path, index, group, held, row in curves:
            values = numbers[at : at + counts[row]]
            found.append(Keys(str(path), int(index), str(group), times[row], values, bool(held)))
            at += counts[row]
        return found if at == len(numbers) and all(counts) else None
    except (ValueError, TypeError, IndexError, zlib.error):
        return None


def keys_digest(curves: Iterable[FCurve]) -> str:
    """Return a digest of the keys of some curves in any order: frames, values, interpolation, and handles in use.

    Modifiers, colours, locks and extrapolation do not count, since baking again leaves them as they are.
    """
    return digest_of(sorted((curve.data_path, curve.array_index, _told(curve)) for curve in curves))


def _told(curve: FCurve) -> str:
    kinds = _kinds(curve)
    handles = ("handle_left", "handle_right") if (kinds >= BEZIER).any() else ()
    numbers = (_numbers(curve, name).tobytes() for name in handles)
    return digest_of(_places(curve).tobytes(), kinds.tobytes(), *numbers)


def _numbers(curve: FCurve, name: str) -> Array32:
    found = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
    curve.keyframe_points.foreach_get(name, found)
    return found.reshape(-1, 2)


def _places(curve: FCurve) -> Array32:
    return _numbers(curve, "co")


def _kinds(curve: FCurve) -> NDArray[np.uint8]:
    found = np.zeros(len(curve.keyframe_points), dtype=np.uint8)
    curve.keyframe_points.foreach_get("interpolation", found)
    return found


@dataclass(frozen=True, eq=False)
class EditedProperty:
    """A property of which at least one baked curve was edited or deleted.

    Parameters
    ----------
    path, group, mode : data path, group of its curves, and rotation mode if it is a rotation, else empty.
    indices : (C,) its components that were baked.
    held : whether its keys are held.
    frames : (T,) those of all keys, before and now, and the whole frames between them.
    before, now : (T, C) what was baked and the curves' present values, at these frames.
    """

    path: str
    group: str
    mode: str
    indices: tuple[int, ...]
    held: bool
    frames: Array
    before: Array
    now: Array

    @property
    def bone(self) -> str:
        """Name of its bone, empty for the object."""
        return parse_path(self.path)[0]

    @property
    def differs(self) -> NDArray[np.bool_]:
        """Mask of the frames (T,) at which it plays differently from the bake, beyond rounding between keys."""
        close = np.isclose(self.now, self.before, rtol=ROUNDED, atol=ROUNDED)
        return ~close.all(axis=-1)

    @property
    def tracks(self) -> tuple[Track, Track]:
        """Keys as baked and as they are now, where they differ, next to those and at both ends; empty if nowhere."""
        apart = np.flatnonzero(self.differs)
        last = len(self.frames) - 1
        near = np.unique(np.clip(np.append(np.add.outer(apart, (-1, 0, 1)), (0, last)), 0, last)).astype(np.intp)
        near = near if len(apart) else apart
        made = Track(self.path, self.indices, self.group, self.frames, self.before, self.mode, self.held)
        return made.rows(near), replace(made, values=self.now).rows(near)


@dataclass(frozen=True, eq=False)
class Edits:
    """Edits made to baked curves.

    Parameters
    ----------
    properties : those that were edited.
    changed, added, removed : numbers of keys: with another value or interpolation at the same frame, at new frames, and
        at frames where there is none any more.
    deleted : number of curves that were deleted.
    """

    properties: tuple[EditedProperty, ...] = ()
    changed: int = 0
    added: int = 0
    removed: int = 0
    deleted: int = 0

    def __bool__(self) -> bool:
        return bool(self.properties)

    @property
    def bones(self) -> tuple[str, ...]:
        """Names of the bones that were edited, each once; the object's name is empty."""
        return tuple(dict.fromkeys(one.bone for one in self.properties))

    @property
    def frames(self) -> tuple[float, float]:
        """First and last frame at which playback differs; those of the keys if it does not."""
        apart = [one.frames[one.differs] for one in self.properties]
        every = np.concatenate(
            [rows if len(rows) else one.frames for rows, one in zip(apart, self.properties, strict=True)]
        )
        return float(every.min()), float(every.max())

    @property
    def degrees(self) -> float:
        """Largest angle between a bone's rotation as it was baked and as it is now."""
        turned = (turned_by(one.mode)(one.before, one.now).max() for one in self.properties if one.mode)
        return max(map(float, turned), default=0.0)

    @property
    def distance(self) -> float:
        """Largest distance between a position as it was baked and as it is now, in the units of the bone."""
        places = (one for one in self.properties if parse_path(one.path)[1] == "location")
        return max((float(np.linalg.norm(one.now - one.before, axis=-1).max()) for one in places), default=0.0)


def edits_in(armature: Object, curves: Iterable[FCurve], written: Sequence[Keys]) -> Edits | None:
    """Compare curves with the keys that were written; added curves do not count as edits.

    Returns None if a key has an invalid frame or value, so that the extent of the edits is unknown.

    Parameters
    ----------
    armature : source of rotation modes, and of the values of properties whose curves were deleted.
    """
    there = {(curve.data_path, curve.array_index): curve for curve in curves}
    written = _with_names_of(there, written)
    by_path: dict[str, list[Keys]] = {}
    for one in written:
        by_path.setdefault(one.path, []).append(one)
    found, counts = [], np.zeros(4, dtype=int)
    for keys in by_path.values():
        told = np.array([_counted(there.get((one.path, one.index)), one) for one in keys])
        if told.any():
            if not all(_is_possible(there.get((one.path, one.index))) for one in keys):
                return None
            counts += told.sum(axis=0)
            found.append(_edited(armature, there, keys))
    return Edits(tuple(found), *counts.tolist())


def _with_names_of(there: dict[Key, FCurve], written: Sequence[Keys]) -> list[Keys]:
    """Return keys with the current paths of bones renamed since, which are recognised by their unchanged keys.

    Blender renames the paths of curves along with a bone.
    """
    gone: dict[str, dict[Key, Keys]] = {}
    new: dict[str, dict[Key, FCurve]] = {}
    known = {(one.path, one.index) for one in written}
    for one in written:
        if (one.path, one.index) not in there:
            bone, prop = parse_path(one.path)
            gone.setdefault(bone, {})[prop, one.index] = one
    for key, curve in there.items():
        if key not in known:
            bone, prop = parse_path(key[0])
            new.setdefault(bone, {})[prop, key[1]] = curve
    paths: dict[Key, str] = {}
    for keys in gone.values():
        alike = {
            bone: sum(_is_whole(curves.get(key), one) for key, one in keys.items()) for bone, curves in new.items()
        }
        bone = max(alike, key=lambda name: alike[name], default="")
        if alike.get(bone):
            curves = new.pop(bone)
            paths.update({(one.path, one.index): curves[key].data_path for key, one in keys.items() if key in curves})
    return [replace(one, path=paths.get((one.path, one.index), one.path)) for one in written]


def _is_possible(curve: FCurve | None) -> bool:
    return curve is None or bool((np.abs(_places(curve)) <= FARTHEST_FRAME).all())


def _is_whole(curve: FCurve | None, keys: Keys) -> bool:
    return curve is not None and not any(_counted(curve, keys))


def _counted(curve: FCurve | None, keys: Keys) -> tuple[int, int, int, int]:
    """Return the numbers of changed, added and removed keys of one curve, and whether it was deleted."""
    if curve is None:
        return 0, 0, len(keys.frames), 1
    places, kinds = _places(curve), _kinds(curve)
    straight = CONSTANT if keys.held else LINEAR
    if len(places) == len(keys.frames) and np.array_equal(places[:, 0], keys.frames):
        return int(((places[:, 1] != keys.values) | (kinds != straight)).sum()), 0, 0, 0
    at = np.searchsorted(keys.frames, places[:, 0] - np.float32(SAME_FRAME))
    at = np.minimum(at, len(keys.frames) - 1)
    same = np.abs(keys.frames[at] - places[:, 0]) < SAME_FRAME
    other = (places[:, 1] != keys.values[at]) | (kinds != straight) | (places[:, 0] != keys.frames[at])
    return int((same & other).sum()), int((~same).sum()), len(keys.frames) - len(np.unique(at[same])), 0


def _edited(armature: Object, there: dict[Key, FCurve], keys: Sequence[Keys]) -> EditedProperty:
    path = keys[0].path
    now = [there.get((one.path, one.index)) for one in keys]
    times = [one.frames for one in keys] + [_places(curve)[:, 0] for curve in now if curve is not None]
    marks = np.unique(np.concatenate(times).astype(np.float64))
    frames = np.union1d(marks, np.arange(np.ceil(marks[0]), np.floor(marks[-1]) + 1.0))
    before = np.stack([_played(one, frames) for one in keys], axis=-1)
    seen = [
        _evaluated(curve, frames) if curve is not None else np.full(len(frames), _present(armature, one))
        for curve, one in zip(now, keys, strict=True)
    ]
    indices = tuple(one.index for one in keys)
    mode = _mode(armature, path)
    return EditedProperty(path, keys[0].group, mode, indices, keys[0].held, frames, before, np.stack(seen, axis=-1))


def _mode(armature: Object, path: str) -> str:
    """Return the rotation mode of a rotation property, empty for other properties."""
    bone, prop = parse_path(path)
    fixed = {name: mode for mode, name in ROTATION_PROPERTY.items()}
    if prop in fixed or prop != "rotation_euler":
        return fixed.get(prop, "")
    owner = armature if bone == OBJECT else armature.pose.bones.get(bone)
    mode = owner.rotation_mode if owner is not None else "XYZ"
    return "XYZ" if mode in ROTATION_PROPERTY else mode


def _played(keys: Keys, frames: Array) -> Array:
    if keys.held:
        rows = np.searchsorted(keys.frames, frames, side="right") - 1
        return keys.values[np.maximum(rows, 0)].astype(np.float64)
    return np.interp(frames, keys.frames, keys.values)


def _evaluated(curve: FCurve, frames: Array) -> Array:
    with _without_modifiers(curve):
        return np.array([curve.evaluate(frame) for frame in frames.tolist()])


@contextmanager
def _without_modifiers(curve: FCurve) -> Iterator[None]:
    """Mute a curve's modifiers in the `with` block, since they stay on the curve whatever happens to its keys."""
    heard = [modifier for modifier in curve.modifiers if not modifier.mute]
    for modifier in heard:
        modifier.mute = True
    try:
        yield
    finally:
        for modifier in heard:
            modifier.mute = False


def _present(armature: Object, keys: Keys) -> float:
    """Return the value of a property that is no longer animated; its first baked value if the property is gone."""
    try:
        value: Any = armature.path_resolve(keys.path)
        return float(value[keys.index] if hasattr(value, "__len__") else value)
    except (ValueError, TypeError, IndexError):
        return float(keys.values[0])
