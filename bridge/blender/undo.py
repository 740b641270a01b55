"""Undo with actions that were generated between two undo steps: pointers to them are cleared before and restored after.

Undo leaves a data-block as it is if it is the same in both steps. If such a data-block was set, after the
last step, to point to an action that no step contains, the pointer would dangle, and Blender would crash on using it.
Undo also moves data-blocks in memory: anything that refers to one for longer looks it up again, by a `Reference`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, NamedTuple, TypeVar

import bpy
from bpy.types import Action, Object

from .versions import assign_action, assigned_slot_name

Block = TypeVar("Block", Action, Object)


class Reference(Generic[Block]):
    """An action or object that is looked up whenever it is needed, because it may be renamed, moved or deleted.

    Parameters
    ----------
    block : the action or object.

    Attributes
    ----------
    name, uid : its name when it was last looked up, and its session identifier.
    """

    def __init__(self, block: Block) -> None:
        self.name, self.uid = block.name, block.session_uid
        self._kind = "actions" if isinstance(block, Action) else "objects"

    def find(self) -> Block | None:
        """Return the action or object, None if it is no longer in the file."""
        blocks = getattr(bpy.data, self._kind)
        found = blocks.get((self.name, None))
        if found is None or found.session_uid != self.uid:
            found = next((one for one in blocks if one.session_uid == self.uid), None)
            self.name = found.name if found is not None else self.name
        return found


class Held(NamedTuple):
    """Pointers that are cleared during an undo.

    They hold the session identifiers of the generated and the kept action, 0 for none; whether the armature played the
    generated one; and its slot.
    """

    generated: int
    kept: int
    played: bool
    slot: str


_between = False
_former: dict[int, list[int]] = {}
"""Earlier actions, oldest first, of directors whose generated action was replaced between two steps."""
_held: dict[int, Held] = {}


@contextmanager
def between_steps() -> Iterator[None]:
    """Mark the changes in the `with` block, made by a timer or a handler, as belonging to no undo step."""
    global _between
    before, _between = _between, True
    try:
        yield
    finally:
        _between = before


def note_replaced(director: Object, former: Action | None) -> None:
    """Record that a director's generated action was just replaced by a new one."""
    if _between:
        _former.setdefault(director.session_uid, []).append(_uid(former))


def forget() -> None:
    """Clear everything, because another file was opened."""
    _former.clear()
    _held.clear()


def before_undo() -> None:
    """Clear pointers to actions that the undo steps may not contain."""
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
    """Restore the cleared pointers of directors and armatures that undo left unchanged, if the actions exist."""
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
    """Return enabled directors whose action was replaced; disabling one makes an undo step of its own."""
    return [one for one in bpy.data.objects if one.session_uid in _former and one.verbs_adverbs.live] if _former else []


def _uid(action: Action | None) -> int:
    return action.session_uid if action is not None else 0


def _animation_of(director: Object) -> bpy.types.AnimData | None:
    armature = director.verbs_adverbs.directs
    return armature.animation_data if armature is not None else None
