"""Taking an armature over for a performance, and making as if that had never been when nothing came of it."""

from collections.abc import Iterable
from dataclasses import dataclass

import bpy
from bpy.types import Action, Object

from ..blender.versions import assign_action, assigned_slot_name
from ..build.definitions import verb_to_play
from ..build.graph import start_of
from ..data.director import director_of, ensure_director
from . import in_hand
from .saved_state import prepare, put_back, save_state, save_values, state_of, with_values

OWN = ("live", "verb", "saved_pose", "saved_slot")


@dataclass(frozen=True)
class Before:
    """An armature and its director before they were taken over.

    Parameters
    ----------
    had_director : whether there was one.
    own : the director's properties by name, those in `OWN`.
    start_verb : the verb that its performances began with.
    state, action, slot : the armature's, as `saved_state.state_of` says them; of the action its name.
    saved_action : name of the action that the director keeps for the armature.
    kept : the armature's own copy of that, and name of the action that is kept of a verb.
    """

    had_director: bool
    own: dict[str, object]
    start_verb: str
    state: dict
    action: str
    slot: str
    saved_action: str
    kept: tuple[str, str, str, str]


def take_over(armature: Object, paths: Iterable[str]) -> tuple[Object, Before]:
    """From now on a performance moves the armature; returns its director, made if there was none, and what was before.

    Parameters
    ----------
    paths : of its properties that the performance sets.
    """
    paths = tuple(paths)
    start, before = start_of(armature), _before(armature, paths)
    director = ensure_director(armature)
    own = director.verbs_adverbs
    own.performance.start_verb = start.uid
    if not own.live:
        own.verb = verb_to_play(armature)
        save_state(armature, director)
        prepare(armature)
        own.live = True
    in_hand.take_in_hand(director)
    save_values(armature, director, paths)
    assign_action(armature, None)
    return director, before


def _before(armature: Object, paths: tuple[str, ...]) -> Before:
    director, data, rig = director_of(armature), armature.animation_data, armature.verbs_adverbs
    own = director.verbs_adverbs if director is not None else None
    state = with_values(armature, state_of(armature), paths)
    return Before(
        had_director=own is not None,
        own={name: getattr(own, name) for name in OWN} if own is not None else {},
        start_verb=own.performance.start_verb if own is not None else "",
        state=state,
        action=_name(data.action) if data is not None else "",
        slot=assigned_slot_name(armature),
        saved_action=_name(own.saved_action) if own is not None else "",
        kept=(rig.saved_pose, rig.saved_slot, _name(rig.saved_action), _name(rig.kept)),
    )


def _name(action: Action | None) -> str:
    return action.name if action is not None else ""


def take_back(director: Object, before: Before) -> None:
    """Make the armature and its director what they were before they were taken over."""
    armature = director.verbs_adverbs.directs
    put_back(armature, before.state, bpy.data.actions.get(before.action), before.slot)
    rig, actions = armature.verbs_adverbs, bpy.data.actions
    rig.saved_pose, rig.saved_slot = before.kept[:2]
    rig.saved_action, rig.kept = (actions.get(name) for name in before.kept[2:])
    if not before.had_director:
        bpy.data.objects.remove(director)
        return
    own = director.verbs_adverbs
    for name, value in before.own.items():
        setattr(own, name, value)
    own.saved_action = bpy.data.actions.get(before.saved_action)
    own.performance.start_verb = before.start_verb
