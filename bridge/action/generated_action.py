"""Keeping actions in the file: those that lose a user, and generated ones that the user has changed or assigned.

Blender drops an action that nothing uses when the file is saved; a fake user keeps it. A generated action is rewritten
and removed without asking as long as nobody has changed it. To detect changes, digests of its curves are stored on it
when they are written, and compared before the curves are overwritten or removed.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import bpy
from bpy.types import Action, AnimData, FCurve, Object

from ..blender.animation import keyed_in, nla_strips
from ..blender.naming import free_action_name
from ..blender.undo import note_replaced
from ..blender.versions import all_curves_of, assign_action, assigned_slot_name, curves_of, users_may_be_miscounted
from ..data.content import curve_digest
from ..data.current import is_linked

DIGEST = "verbs_adverbs_generated_from"
NOTE = "verbs_adverbs_generated_curves"
ROOT = "verbs_adverbs_generated_root"
UNTIL = "verbs_adverbs_generated_until"
NUMBERED = re.compile(r"\.\d{3,}$")

Key = tuple[str, int]


@dataclass(frozen=True)
class Note:
    """The state of a generated action when it was last written.

    Parameters
    ----------
    name : name of the action.
    written : digest of each curve that the verb writes, by the curve's label (see `_label`).
    kept : the same for curves that the user added and that are also in an action kept earlier.
    beside : text describing its markers and the number of curves in other slots.
    unfinished : whether writing has begun but not finished.
    """

    name: str
    written: dict[str, str] = field(default_factory=dict)
    kept: dict[str, str] = field(default_factory=dict)
    beside: str = ""
    unfinished: bool = False


def keep(action: Action | None) -> None:
    """Keep a user's action in the file although it is no longer assigned."""
    if action is not None and not is_linked(action) and not _is_generated(action):
        action.use_fake_user = True


def _is_generated(action: Action) -> bool:
    return DIGEST in action and any(one.verbs_adverbs.generated == action for one in bpy.data.objects)


def replace_action(owner: Object, action: Action | None, slot_name: str = "", slotless: bool = False) -> AnimData:
    """Assign an action as `versions.assign_action` does, and keep the one it replaces in the file."""
    keep_replaced(owner, action)
    return assign_action(owner, action, slot_name, slotless)


def keep_replaced(owner: Object, action: Action | None) -> None:
    """Keep the action assigned to an object in the file, unless it is `action`, which will replace it."""
    if keyed_in(owner) != action:
        keep(keyed_in(owner))


def begin_writing(armature: Object, director: Object, wanted: Collection[Key]) -> tuple[Action, set[Key]]:
    """Return the director's generated action, ready to be written.

    If the user has changed it in curves that will be written, or has renamed or used it, it is kept as one of the
    user's actions, and a copy is returned. Until `note_written` is called the action counts as half written.

    Parameters
    ----------
    wanted : data path and component of the curves that will be written.

    Returns
    -------
    action : the action to write.
    leave : data path and component of curves that the user added to it, which must be left as they are.
    """
    own, labels = director.verbs_adverbs, {_label(*key) for key in wanted}
    if own.generated is None or not is_generated(own.generated):
        former, own.generated = own.generated, bpy.data.actions.new(_generated_name(armature))
        note_replaced(director, former)
        _write_note(own.generated, Note(own.generated.name))
    else:
        edited = _loses(armature, own.generated, labels)
        if edited or is_taken(armature, own.generated):
            let_go(director, edited=edited)
    action = own.generated
    note = _note_of(action) or Note(action.name)
    keys = (_key(curve) for curve in curves_of(action, armature))
    leave = {key for key in keys if _label(*key) not in note.written and key not in wanted}
    kept = {label: digest for label, digest in note.kept.items() if label not in labels}
    _write_note(action, Note(note.name, dict.fromkeys(note.written.keys() | labels, ""), kept, note.beside, True))
    action[DIGEST] = ""
    keep_replaced(armature, action)
    return action, leave


def note_written(action: Action, written: Iterable[FCurve]) -> None:
    """Store digests of the curves that were just written."""
    note = _note_of(action)
    _write_note(action, Note(note.name, _told(written), note.kept, note.beside))


def let_go(director: Object, name: str = "", edited: bool = False) -> Action:
    """Hand the generated action over to the user, and return it; a copy becomes the generated one.

    Parameters
    ----------
    name : name for the kept action. If empty, the action keeps its name, or gets a descriptive one.
    edited : whether the user has set keys in it; then the director refers to it, for a message to the user.
    """
    own, armature = director.verbs_adverbs, director.verbs_adverbs.directs
    old, slot = own.generated, assigned_slot_name(armature)
    new = old.copy()
    found = _told(curves_of(old, armature))
    ours = _note_of(old)
    written = found.keys() if ours is None else ours.written.keys() & found.keys()
    _set_aside(armature, old, name)
    new.use_fake_user, new.name = False, _generated_name(armature)
    if new.asset_data is not None:
        new.asset_clear()
    _write_note(
        new,
        Note(
            new.name,
            {label: found[label] for label in written},
            {label: digest for label, digest in found.items() if label not in written},
            _beside(armature, new),
        ),
    )
    if keyed_in(armature) == old:
        assign_action(armature, new, slot)
    own.generated = new
    note_replaced(director, old)
    if edited:
        own.kept = old
    return old


def abandoned_action(armature: Object) -> Action | None:
    """Return the generated action that an armature without a director still plays; None if it plays another one."""
    action = keyed_in(armature)
    return action if action is not None and is_generated(action) and not is_linked(action) else None


def remove_generated(holder: Object, armature: Object | None) -> Action | None:
    """Remove the action generated for an armature. If the user has changed or used it, keep and return it.

    Parameters
    ----------
    holder : the director that refers to it, or the armature itself.
    """
    own = holder.verbs_adverbs
    action = own.generated
    if action is None or not is_generated(action):
        own.generated = None
        return None
    edited = _is_edited(armature, action)
    if not edited and not is_taken(armature, action):
        bpy.data.actions.remove(action)
        return None
    own.generated = None
    _set_aside(armature, action, "")
    if edited:
        own.kept = action
    return action


def is_generated(action: Action) -> bool:
    """Return whether an action was generated for a director, by its stored digest; damaged files may mislead."""
    return DIGEST in action


def written_until(action: Action | None) -> float | None:
    """Return the last frame of a generated action that holds only the first part of its motion; None if complete."""
    told = action.get(UNTIL) if action is not None else None
    return float(told) if isinstance(told, int | float) else None


def is_taken(armature: Object | None, action: Action) -> bool:
    """Return whether the user has renamed a generated action, given it a fake user, or also assigned it elsewhere."""
    note = _note_of(action)
    renamed = note is not None and NUMBERED.sub("", action.name) != NUMBERED.sub("", note.name)
    return renamed or action.use_fake_user or is_shared(armature, action)


def is_shared(armature: Object | None, action: Action) -> bool:
    """Return whether anything other than an armature and its director uses a generated action, such as an NLA strip."""
    data = armature.animation_data if armature is not None else None
    if data is not None and data.use_tweak_mode:
        return False
    assigned = data is not None and data.action == action
    counted = action.users - action.use_fake_user > 1 + assigned
    return counted and (not users_may_be_miscounted() or _is_used_elsewhere(armature, action))


def _is_used_elsewhere(armature: Object | None, action: Action) -> bool:
    """Return whether an action is used beyond an armature and its director, or in its strips or constraints."""
    if len(bpy.data.user_map(subset=[action])[action] - {armature}) > 1:
        return True
    if armature is None:
        return False
    held = (constraint for bone in armature.pose.bones for constraint in bone.constraints)
    return any(getattr(user, "action", None) == action for user in (*nla_strips(armature), *held))


def sentence_of(director: Object, kept: Action | None) -> str:
    """Return a message on why and under which name a generated action was kept; empty if none was."""
    if kept is None:
        return ""
    if director.verbs_adverbs.kept == kept:
        return f"Changes made by hand while the verb was playing were saved in action '{kept.name}'."
    return f"Action '{kept.name}', which the verb was playing, was kept because it was renamed or is in use."


def _generated_name(armature: Object) -> str:
    return f"{armature.name} performance"


def _set_aside(armature: Object | None, action: Action, name: str) -> None:
    """Hand a generated action over to the user, so that it stays in the file."""
    note = _note_of(action)
    own_name = armature is not None and NUMBERED.sub("", action.name) == _generated_name(armature)
    if name and name != action.name:
        action.name = free_action_name(name)
    elif not name and (own_name or (note is not None and action.name == note.name)):
        action.name = free_action_name(f"{NUMBERED.sub('', action.name)} kept")
    action.use_fake_user = True
    for prop in (DIGEST, NOTE, ROOT, UNTIL):
        action.pop(prop, None)


def _loses(armature: Object, action: Action, wanted: set[str]) -> bool:
    """Return whether writing some curves would overwrite the user's changes."""
    note, found = _note_of(action), _told(curves_of(action, armature))
    if note is None:
        return bool(found)
    return _differs(note, found, found.keys() & (wanted | note.written.keys()))


def _is_edited(armature: Object | None, action: Action) -> bool:
    """Return whether a generated action contains anything neither written nor kept in another action before."""
    note, found = _note_of(action), _told(curves_of(action, armature))
    if note is None:
        return bool(found)
    return _differs(note, found, found.keys()) or _beside(armature, action) != note.beside


def _differs(note: Note, found: dict[str, str], labels: Iterable[str]) -> bool:
    """Return whether some curves differ from their digests or are missing, apart from renamed bones."""
    if note.unfinished:
        return any(found[label] != note.kept.get(label) for label in labels if label not in note.written)
    known = note.kept | note.written
    strange = Counter(found[label] for label in labels if found[label] != known.get(label))
    return strange != Counter(digest for label, digest in note.written.items() if label not in found)


def _told(curves: Iterable[FCurve]) -> dict[str, str]:
    return {_label(*_key(curve)): curve_digest(curve) for curve in curves}


def _beside(armature: Object | None, action: Action) -> str:
    others = len(list(all_curves_of(action))) - len(curves_of(action, armature))
    markers = [(marker.name, marker.frame) for marker in action.pose_markers]
    return repr((others, markers)) if others or markers else ""


def _key(curve: FCurve) -> Key:
    return curve.data_path, curve.array_index


def _label(path: str, index: int) -> str:
    return f"{path} {index}"


def _note_of(action: Action) -> Note | None:
    """Read the note stored on an action; None if there is none, or this version cannot read it."""
    told = action.get(NOTE)
    try:
        note = Note(**json.loads(told)) if isinstance(told, str) else None
    except (TypeError, ValueError):
        return None
    return note if note is not None and _is_whole(note) else None


def _is_whole(note: Note) -> bool:
    """Return whether everything in a note is of the right type."""
    tables = (note.written, note.kept)
    return (
        isinstance(note.name, str)
        and isinstance(note.beside, str)
        and isinstance(note.unfinished, bool)
        and all(isinstance(table, dict) and all(isinstance(v, str) for v in table.values()) for table in tables)
    )


def _write_note(action: Action, note: Note) -> None:
    action[NOTE] = json.dumps(vars(note))
