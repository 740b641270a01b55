"""Digests of actions, fast enough to compute while a panel is drawn.

What was read of an action is cached until Blender reports that the action changed, or until a thorough reading is
requested.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection
from typing import NamedTuple
from zlib import crc32

import bpy
from bpy.app.handlers import persistent
from bpy.types import Action, Depsgraph, FCurve, FModifier, Object, PropertyGroup, Scene, bpy_prop_collection

from ..blender.animation import REST, plays
from ..blender.events import Heard, listen, stop_listening
from ..blender.store import digest_of, keys_and_floors, made
from ..blender.versions import all_curves_of, curves_of, slot_number
from .bones.names import LEFT_OUT, NOTHING, Names, parse_path

BEZIER = 2
STRAIGHT = b"\0\1"
"""Interpolations that do not depend on handles or easing: constant and linear."""
HANDLE_FIELDS = (("handle_left", 2, "f"), ("handle_right", 2, "f"))
EASING_FIELDS = (("easing", 1, "i"), ("amplitude", 1, "f"), ("back", 1, "f"), ("period", 1, "f"))
SHOWN_ONLY = frozenset({"name", "show_expanded", "active", "is_valid"})


class ActionContent(NamedTuple):
    """What an action animates on an object, without muted curves.

    Parameters
    ----------
    digest : digest of the F-curves.
    keyed : (bone, kind) of what has a curve, with an empty bone for the object; the kind is ``'location'``,
        ``'rotation'`` or ``'scale'``.
    lacking : (bone, property, component) that have no curve while another component of the property has one.
    paths : data paths of everything else that has a curve.
    ends : first and last frame that has a key, None where there is no key.
    """

    digest: str
    keyed: frozenset[tuple[str, str]]
    lacking: frozenset[tuple[str, str, int]]
    paths: frozenset[str]
    ends: tuple[float, float] | None


class Known(NamedTuple):
    """What was read of an action, and how a change of it is detected.

    Parameters
    ----------
    place : address of the curves in memory when they were read.
    glance : checksum of the frames and values of their keys.
    content : what the action animates.
    """

    place: int
    glance: int
    content: ActionContent


_contents: dict[tuple[int, int], Known] = {}
"""What was read, by action and slot: a slot moves all of its owners alike."""


def action_content(action: Action, owner: Object, thorough: bool = False) -> ActionContent:
    """Return what `action` animates on `owner`, as it was last read if no change was noticed since.

    Parameters
    ----------
    thorough : whether to read all keys even if no change was noticed.
    """
    key = _key(action, owner)
    if thorough or key not in _contents:
        _contents[key] = Known(place_of_curves(action), _glance(action, owner), read_content(action, owner))
    return _contents[key].content


def glance_at(action: Action, owner: Object) -> None:
    """Discard what was read of an action if its keys have moved; scripts can do that without Blender reporting it.

    Only frames and values of keys are compared, which is fast; inside `rest` that is done only once.
    """
    key = _key(action, owner)
    known = _contents.get(key)
    if known is not None and known.glance != keys_and_floors.once(("glance", key), lambda: _glance(action, owner)):
        del _contents[key]


def _key(action: Action, owner: Object) -> tuple[int, int]:
    return action.session_uid, slot_number(action, owner)


def _glance(action: Action, owner: Object) -> int:
    seen, rooms = 0, dict[int, array]()
    for curve in curves_of(action, owner):
        keys = curve.keyframe_points
        count = len(keys)
        if count not in rooms:
            rooms[count] = array("f", bytes(8 * count))
        keys.foreach_get("co", rooms[count])
        seen = crc32(rooms[count], seen)
    return seen


def place_of_curves(action: Action) -> int:
    """Return the memory address of an action's first curve, 0 without one; it changes if undo reloads the action."""
    curve = next(iter(all_curves_of(action)), None)
    return curve.as_pointer() if curve is not None else 0


def read_content(action: Action, owner: Object, names: Names = NOTHING) -> ActionContent:
    """Return what an action animates, or would if its bone names meant what `names` says; nothing is cached."""
    told = [str(slot_number(action, owner)).encode()]
    found: dict[tuple[str, str], set[int]] = {}
    paths: set[str] = set()
    ends: set[tuple[float, ...]] = set()
    for curve in curves_of(action, owner):
        if not plays(curve):
            continue
        path = names.path(curve.data_path) if names else curve.data_path
        bone, prop = parse_path(path)
        if curve.array_index < len(REST.get(prop, ())):
            found.setdefault((bone, prop), set()).add(curve.array_index)
        else:
            paths.add(path)
        ends.add(_tell_curve(curve, path, told))
    frames = [frame for pair in ends for frame in pair]
    return ActionContent(
        digest_of(*told),
        frozenset((bone, prop.partition("_")[0]) for bone, prop in found),
        frozenset((*key, index) for key, there in found.items() for index in set(range(len(REST[key[1]]))) - there),
        frozenset(paths),
        (min(frames), max(frames)) if frames else None,
    )


def called_now(content: ActionContent, names: Names) -> ActionContent:
    """Return what an action animates under the current bone names; the digest includes which names are mapped."""
    if not names:
        return content
    known = {name for name, _ in content.keyed} | {parse_path(path)[0] for path in content.paths}
    meant = {name: bone for name in known if name and (bone := names.bone(name)) != name}
    key = tuple(sorted(meant.items()))
    return made(("called", content, key), lambda: _called(content, key)) if meant else content


def _called(content: ActionContent, meant: tuple[tuple[str, str], ...]) -> ActionContent:
    names = Names(dict(meant))
    keyed = ((names.bone(name) if name else name, kind, name) for name, kind in content.keyed)
    lacking = ((names.bone(name) if name else name, prop, row, name) for name, prop, row in content.lacking)
    paths = frozenset(path for old in content.paths if (path := names.path(old)) != LEFT_OUT)
    return content._replace(
        digest=f"{content.digest} {digest_of(meant)}",
        keyed=frozenset((bone, kind) for bone, kind, name in keyed if bone or not name),
        lacking=frozenset((bone, prop, row) for bone, prop, row, name in lacking if bone or not name),
        paths=paths,
    )


def _tell_curve(curve: FCurve, path: str, told: list[bytes]) -> tuple[float, ...]:
    """Append everything that a curve's values depend on to `told`; return the curve's first and last frame."""
    keys, samples = curve.keyframe_points, curve.sampled_points
    count = len(keys)
    told.append(f"({path!r}, {curve.array_index}, {curve.extrapolation!r}, {count}, {len(samples)})".encode())
    places, kinds = _numbers(keys if count else samples, "co", 2, "f"), _kinds(keys).tobytes()
    told += places.tobytes(), kinds
    most = max(kinds, default=0)
    for name, width, code in (*(HANDLE_FIELDS if most >= BEZIER else ()), *(EASING_FIELDS if most > BEZIER else ())):
        told.append(_numbers(keys, name, width, code).tobytes())
    told += [plain(modifier, SHOWN_ONLY).encode() for modifier in curve.modifiers if not modifier.mute]
    return (places[0], places[-2]) if places else ()


def curve_digest(curve: FCurve) -> str:
    """Return the digest of everything that a curve's values depend on; fast for constant and linear interpolation."""
    keys = curve.keyframe_points
    kinds = _kinds(keys)
    if not kinds.tobytes().strip(STRAIGHT) and not len(curve.modifiers) and not len(curve.sampled_points):
        return f"{curve.extrapolation} {len(keys)} {crc32(kinds, crc32(_numbers(keys, 'co', 2, 'f'))):08x}"
    told: list[bytes] = []
    _tell_curve(curve, curve.data_path, told)
    return digest_of(*told)


def _kinds(keys: bpy_prop_collection) -> array:
    """Return the interpolation of each key as a byte, all read at once."""
    found = array("B", bytes(len(keys)))
    keys.foreach_get("interpolation", found)
    return found


def _numbers(points: bpy_prop_collection, name: str, width: int, code: str) -> array:
    found = array(code, bytes(4 * width * len(points)))
    points.foreach_get(name, found)
    return found


def plain(group: PropertyGroup | FModifier, leave_out: frozenset[str] = frozenset()) -> str:
    """Return everything that a property group stores as text, with its lists, without active rows and `leave_out`."""
    found: list[object] = []
    for prop in group.bl_rna.properties:
        name = prop.identifier
        if name == "rna_type" or name.startswith("active_") or name in leave_out or prop.is_skip_save:
            continue
        if prop.type == "COLLECTION":
            found.append((name, [plain(item, leave_out) for item in getattr(group, name)]))
        elif prop.type != "POINTER":
            value = getattr(group, name)
            found.append((name, list(value) if getattr(prop, "is_array", False) else value))
    return repr(found)


def forget_actions(changed: Collection[int] | None = None) -> None:
    """Discard everything that was read of actions, or only of those with the given session identifiers."""
    for key in [key for key in _contents if changed is None or key[0] in changed]:
        del _contents[key]


def read_anew(*armatures: Object) -> None:
    """Discard what was read of the examples of armatures, so that all their keys are read again.

    Whatever builds, bakes or checks a verb calls this first, since scripts can move keys without Blender reporting it.
    """
    verbs = (verb for armature in armatures for verb in armature.verbs_adverbs.verbs)
    forget_actions({row.action.session_uid for verb in verbs for row in verb.examples if row.action is not None})


@persistent
def note_changes(_scene: Scene, depsgraph: Depsgraph) -> None:
    """Handler: discard actions that changed; if none is listed, one without users has changed, so discard all."""
    if not _contents or not depsgraph.id_type_updated("ACTION"):
        return
    changed = {update.id.original.session_uid for update in depsgraph.updates if isinstance(update.id, Action)}
    forget_actions(changed or None)


@persistent
def note_undo(*_args: object) -> None:
    """Handler for undo and redo: discard actions that Blender has reloaded, as they may be different."""
    places = {action.session_uid: place_of_curves(action) for action in bpy.data.actions}
    for key, known in list(_contents.items()):
        if not known.place or places.get(key[0]) != known.place:
            del _contents[key]


@persistent
def note_other_file(*_args: object) -> None:
    """Handler for another file: discard everything."""
    forget_actions()


def _handlers() -> tuple[Heard, ...]:
    lists = bpy.app.handlers
    return (
        (lists.depsgraph_update_post, note_changes),
        (lists.undo_post, note_undo),
        (lists.redo_post, note_undo),
        (lists.load_post, note_other_file),
    )


def watch() -> None:
    """Start watching for changes of actions."""
    listen(_handlers())


def unwatch() -> None:
    """Stop watching for changes of actions."""
    stop_listening(_handlers())
    forget_actions()
