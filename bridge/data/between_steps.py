"""Actions that are generated between two steps of undo: what points to them is let go of before an undo, and put back.

Undo takes a data-block over as it is where its two steps hold the same of it. What was made to point, after the last
step, to an action that no step knows would then point to nothing, and Blender would crash when it looks there.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import bpy
from bpy.types import Action, Object

from ..blender.versions import assign_action, assigned_slot_name


class Held(NamedTuple):
    """Session identifiers of a director's actions, 0 for none; whether its armature played the first, and the slot."""

    generated: int
    kept: int
    played: bool
    slot: str


_between = False
_former: dict[int, list[int]] = {}
"""Of directors whose generated action was replaced between two steps, those that they had before, oldest first."""
_held: dict[int, Held] = {}


@contextmanager
def between_steps() -> Iterator[None]:
    """What is changed meanwhile, by a timer or a handler, is no step of undo."""
    global _between
    before, _between = _between, True
    try:
        yield
    finally:
        _between = before


def note_replaced(director: Object, former: Action | None) -> None:
    """A director's generated action has just been replaced by one that was made now."""
    if _between:
        _former.setdefault(director.session_uid, []).append(_uid(former))


def forget() -> None:
    """Another file was opened."""
    _former.clear()
    _held.clear()


def before_undo() -> None:
    """Let go of what undo may not know."""
    _held.clear()
    for director in _noted():
        own, data = director.verbs_adverbs, _animation_of(director)
        played = data is not None and data.action is not None and data.action == own.generated
        slot = assigned_slot_name(own.directs) if played else ""
        _held[director.session_uid] = Held(_uid(own.generated), _uid(own.kept), played, slot)
        if played:
            data.action = None
        own.generated = own.kept = None


def after_undo() -> None:
    """Put back what is still there where undo has taken directors and armatures over as they were."""
    if not _held:
        return
    there = {action.session_uid: action for action in bpy.data.actions}
    for director in _noted():
        own, held = director.verbs_adverbs, _held.get(director.session_uid)
        if held is None:
            continue
        if own.generated is None:
            known = (there.get(uid) for uid in (held.generated, *reversed(_former[director.session_uid])))
            own.generated = next((action for action in known if action is not None), None)
            own.kept = there.get(held.kept)
        data = _animation_of(director)
        if held.played and data is not None and data.action is None and own.generated is not None:
            assign_action(own.directs, own.generated, held.slot)
    _held.clear()


def _noted() -> list[Object]:
    """Live directors whose action was replaced; one that was switched off was, with all it points to, in a step."""
    return [one for one in bpy.data.objects if one.session_uid in _former and one.verbs_adverbs.live] if _former else []


def _uid(action: Action | None) -> int:
    return action.session_uid if action is not None else 0


def _animation_of(director: Object) -> bpy.types.AnimData | None:
    armature = director.verbs_adverbs.directs
    return armature.animation_data if armature is not None else None
