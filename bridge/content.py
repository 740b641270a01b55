"""Digests of what verbs are built from, cheap enough to be asked for while a panel is drawn.

The digest of an action's F-curves is kept until Blender says that the action changed, or until it is asked for
thoroughly; everything else is read each time.
"""

from array import array
from collections.abc import Iterator
from hashlib import blake2b

import bpy
from bpy.app.handlers import persistent
from bpy.types import Action, Depsgraph, FCurve, Object, PropertyGroup, Scene

from .properties import ROOT_IS_OBJECT
from .versions import curves_of, slot_of

KEY_FIELDS = (("co", 2, "f"), ("handle_left", 2, "f"), ("handle_right", 2, "f"), ("interpolation", 1, "i"))

_digests: dict[tuple[int, int], str] = {}


def action_digest(action: Action, armature: Object, thorough: bool = False) -> str:
    """Digest of the F-curves of `action` that move `armature`.

    Parameters
    ----------
    thorough : look at all keys even when nothing was said to have changed.
    """
    key = (action.session_uid, armature.session_uid)
    if thorough or key not in _digests:
        digest = blake2b(digest_size=16)
        slot = slot_of(action, armature)
        digest.update(str(getattr(slot, "handle", 0)).encode())
        for curve in curves_of(action, armature):
            for part in _curve_parts(curve):
                digest.update(part)
        _digests[key] = digest.hexdigest()
    return _digests[key]


def rig_digest(armature: Object) -> str:
    """Digest of what an armature is at rest: bones, root, rotation modes, own scale, own rotation if still."""
    digest = blake2b(digest_size=16)
    bones = armature.data.bones
    digest.update("\n".join(f"{b.name}<{b.parent.name if b.parent else ''}" for b in bones).encode())
    rests = array("f", bytes(4 * 16 * len(bones)))
    bones.foreach_get("matrix_local", rests)
    digest.update(rests.tobytes())
    modes = [(bone.rotation_mode, len(bone.constraints)) for bone in armature.pose.bones]
    own = (armature.verbs_adverbs.root, armature.rotation_mode, armature.type, tuple(armature.scale))
    data = armature.animation_data
    keyed = {curve.data_path for curve in curves_of(data.action, armature)} if data and data.action else set()
    travels = ROOT_IS_OBJECT in {armature.verbs_adverbs.root, armature.verbs_adverbs.reference_root}
    own_turns = () if travels else ("rotation_euler", "rotation_quaternion")
    turned = [list(getattr(armature, name)) for name in own_turns if name not in keyed]
    digest.update(repr((modes, own, turned)).encode())
    return digest.hexdigest()


def plain(group: PropertyGroup, leave_out: frozenset[str] = frozenset()) -> str:
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


def _curve_parts(curve: FCurve) -> Iterator[bytes]:
    keys = curve.keyframe_points
    yield repr((curve.data_path, curve.array_index, curve.mute, curve.extrapolation, len(keys))).encode()
    for name, width, code in KEY_FIELDS:
        numbers = array(code, bytes(4 * width * len(keys)))
        keys.foreach_get(name, numbers)
        yield numbers.tobytes()
    for modifier in curve.modifiers:
        yield plain(modifier).encode()


def forget_actions() -> None:
    """Look at all actions anew when they are next asked for."""
    _digests.clear()


@persistent
def note_changes(_scene: Scene, depsgraph: Depsgraph) -> None:
    """Handler: forget the digests of actions that changed; one that nothing uses changes without being named."""
    if not _digests or not depsgraph.id_type_updated("ACTION"):
        return
    changed = {update.id.original.session_uid for update in depsgraph.updates if isinstance(update.id, Action)}
    for key in [key for key in _digests if not changed or key[0] in changed]:
        del _digests[key]


@persistent
def note_other_file(*_args: object) -> None:
    """Handler: undo, redo or another file; anything may be different."""
    forget_actions()


def _handlers() -> tuple[tuple[list, object], ...]:
    lists = bpy.app.handlers
    others = (lists.undo_post, lists.redo_post, lists.load_post)
    return ((lists.depsgraph_update_post, note_changes), *((one, note_other_file) for one in others))


def watch() -> None:
    """Begin to listen to changes."""
    for functions, handler in _handlers():
        functions.append(handler)


def unwatch() -> None:
    """Stop listening."""
    for functions, handler in _handlers():
        if handler in functions:
            functions.remove(handler)
    forget_actions()
