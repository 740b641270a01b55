"""What actions hold, in short: digests of what verbs are built from, cheap enough for a panel that is drawn.

What is known of an action is kept until Blender says that it changed, or until it is asked for thoroughly.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import bpy
from bpy.app.handlers import persistent
from bpy.types import Action, Depsgraph, FCurve, FModifier, Object, PropertyGroup, Scene, bpy_prop_collection

from .listening import Heard, listen, stop_listening
from .versions import curves_of, first_curve_of, slot_of

if TYPE_CHECKING:
    from array import array

BEZIER = 2
STRAIGHT = b"\0\1"
"""Interpolations that no handle and no easing shapes: constant and linear."""
HANDLE_FIELDS = (("handle_left", 2, "f"), ("handle_right", 2, "f"))
EASING_FIELDS = (("easing", 1, "i"), ("amplitude", 1, "f"), ("back", 1, "f"), ("period", 1, "f"))
SHOWN_ONLY = frozenset({"name", "show_expanded", "active", "is_valid"})


class ActionContent(NamedTuple):
    """What an action does to an object, muted curves left out.

    Parameters
    ----------
    digest : of the F-curves.
    moved : (bone, property) of every curve, even a muted one; the bone is empty for the object.
    keyed : (bone, kind) of what has a curve; the kind is ``'location'``, ``'rotation'`` or ``'scale'``.
    lacking : (bone, property, component) that have no curve while another component of the property has one.
    paths : data paths of everything else that has a curve.
    ends : first and last frame that has a key, None where there is no key.
    """

    digest: str
    moved: frozenset[tuple[str, str]]
    keyed: frozenset[tuple[str, str]]
    lacking: frozenset[tuple[str, str, int]]
    paths: frozenset[str]
    ends: tuple[float, float] | None


_contents: dict[tuple[int, int], tuple[int, ActionContent]] = {}
"""By action and slot, for owners of a slot are moved alike; with the place of the curves when they were read."""


def action_content(action: Action, owner: Object, thorough: bool = False) -> ActionContent:
    """What `action` holds for `owner`.

    Parameters
    ----------
    thorough : look at all keys even when nothing was said to have changed.
    """
    key = (action.session_uid, getattr(slot_of(action, owner), "handle", 0))
    if thorough or key not in _contents:
        _contents[key] = (place_of_curves(action), _read(action, owner))
    return _contents[key][1]


def action_digest(action: Action, owner: Object, thorough: bool = False) -> str:
    """Digest of the F-curves of `action` that move `owner`; parameters are those of `action_content`."""
    return action_content(action, owner, thorough).digest


def place_of_curves(action: Action) -> int:
    """Where in memory an action's curves begin, 0 without any: elsewhere when undo has read the action anew."""
    curve = first_curve_of(action)
    return curve.as_pointer() if curve is not None else 0


def _read(action: Action, owner: Object) -> ActionContent:
    from .curves import TRANSFORMS, parse_path, plays

    digest = blake2b(str(getattr(slot_of(action, owner), "handle", 0)).encode(), digest_size=16)
    moved: set[tuple[str, str]] = set()
    found: dict[tuple[str, str], set[int]] = {}
    paths: set[str] = set()
    frames: list[float] = []
    for curve in curves_of(action, owner):
        bone, prop = parse_path(curve.data_path)
        moved.add((bone, prop))
        if not plays(curve):
            continue
        if curve.array_index < TRANSFORMS.get(prop, 0):
            found.setdefault((bone, prop), set()).add(curve.array_index)
        else:
            paths.add(curve.data_path)
        frames += _digest_curve(curve, digest.update)
    return ActionContent(
        digest.hexdigest(),
        frozenset(moved),
        frozenset((bone, prop.partition("_")[0]) for bone, prop in found),
        frozenset((*key, index) for key, there in found.items() for index in set(range(TRANSFORMS[key[1]])) - there),
        frozenset(paths),
        (min(frames), max(frames)) if frames else None,
    )


def _digest_curve(curve: FCurve, update: Callable[[bytes], None]) -> tuple[float, ...]:
    """Digest everything that a curve's values depend on; returns its first and last frame."""
    keys, samples = curve.keyframe_points, curve.sampled_points
    told = (curve.data_path, curve.array_index, curve.extrapolation, len(keys), len(samples))
    update(repr(told).encode())
    places = _numbers(keys if len(keys) else samples, "co", 2, "f")
    kinds = _numbers(keys, "interpolation", 1, "i")
    update(places.tobytes() + kinds.tobytes())
    most = max(kinds, default=0)
    for name, width, code in (*(HANDLE_FIELDS if most >= BEZIER else ()), *(EASING_FIELDS if most > BEZIER else ())):
        update(_numbers(keys, name, width, code).tobytes())
    for modifier in curve.modifiers:
        if not modifier.mute:
            update(plain(modifier, SHOWN_ONLY).encode())
    return (places[0], places[-2]) if places else ()


def curve_digest(curve: FCurve) -> str:
    """Digest of everything that a curve's values depend on; quick where it goes straight from key to key."""
    from array import array

    keys = curve.keyframe_points
    kinds = array("B", bytes(len(keys)))
    keys.foreach_get("interpolation", kinds)
    if not kinds.tobytes().strip(STRAIGHT) and not len(curve.modifiers) and not len(curve.sampled_points):
        return f"{curve.extrapolation} {len(keys)} {crc32(kinds, crc32(_numbers(keys, 'co', 2, 'f'))):08x}"
    digest = blake2b(digest_size=8)
    _digest_curve(curve, digest.update)
    return digest.hexdigest()


def _numbers(points: bpy_prop_collection, name: str, width: int, code: str) -> array:
    from array import array

    found = array(code, bytes(4 * width * len(points)))
    points.foreach_get(name, found)
    return found


def plain(group: PropertyGroup | FModifier, leave_out: frozenset[str] = frozenset()) -> str:
    """Text of everything in a property group, lists included, except the rows chosen in lists and what is left out."""
    found: list[object] = []
    for prop in group.bl_rna.properties:
        name = prop.identifier
        if name == "rna_type" or name.startswith("active_") or name in leave_out:
            continue
        if prop.type == "COLLECTION":
            found.append((name, [plain(item, leave_out) for item in getattr(group, name)]))
        elif prop.type != "POINTER":
            value = getattr(group, name)
            found.append((name, list(value) if getattr(prop, "is_array", False) else value))
    return repr(found)


def forget_actions() -> None:
    """Look at all actions anew when they are next asked for."""
    _contents.clear()


@persistent
def note_changes(_scene: Scene, depsgraph: Depsgraph) -> None:
    """Handler: forget actions that changed; one that nothing uses changes without being named."""
    if not _contents or not depsgraph.id_type_updated("ACTION"):
        return
    changed = {update.id.original.session_uid for update in depsgraph.updates if isinstance(update.id, Action)}
    for key in [key for key in _contents if not changed or key[0] in changed]:
        del _contents[key]


@persistent
def note_undo(*_args: object) -> None:
    """Handler: undo or redo; actions that were read anew may be different."""
    places = {action.session_uid: place_of_curves(action) for action in bpy.data.actions}
    for key, (place, _) in list(_contents.items()):
        if not place or places.get(key[0]) != place:
            del _contents[key]


@persistent
def note_other_file(*_args: object) -> None:
    """Handler: another file; everything is different."""
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
    """Begin to listen to changes."""
    listen(_handlers())


def unwatch() -> None:
    """Stop listening."""
    stop_listening(_handlers())
    forget_actions()
