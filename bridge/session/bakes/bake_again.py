"""Baking again: updating an earlier bake from the current director and score, in place in the same action.

All users of the action keep it: objects, NLA strips with their time, influence and blending, verbs with an example in
it. Edits made since are reported, and only overwritten on request.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import bpy
from bpy.types import Action, Object, Scene

from ....core.errors import ActionError, VerbError, VerbsError, listed, quoted
from ...action.bake_record import OF_STRIP, OF_VERB, forget_bake, is_bake, options_of, record_of
from ...action.baked_curves import Edits, edits_in, keys_digest
from ...action.nla_strips import follow, foreign_action, uses_of
from ...authoring.verbs import verb_for
from ...blender.naming import free_action_name, told_frame
from ...blender.store import while_unchanged
from ...blender.versions import curves_in, slot_with
from ...data.content import read_anew
from ...data.current import newer_told
from ...data.director import check_free, director_of, holder_of
from ..bake import BakeOptions, PerformanceOptions, bake_of_performance, bake_of_verb
from ..bake_strips import BakedStrip, StripOptions, bakes_of_strips, strips_again
from ..switching import switch_off_told
from ..timeline import score_digest
from .baked import Baked, write_again, write_new, writes_over, written_in
from .corrections import check_can_layer, keep_as_layer

ASK, LAYER, NEW, REPLACE = "ASK", "LAYER", "NEW", "REPLACE"
"""What to do with edits: write nothing, move them to a layer above, bake to a new action, back them up in a copy."""


class Again(NamedTuple):
    """The result of baking again.

    Parameters
    ----------
    actions : the actions that were written.
    told : messages for the user.
    new : whether they are new and unused.
    """

    actions: list[Action]
    told: list[str]
    new: bool = False


def bakes_of(armature: Object) -> list[Action]:
    """Return the bakes of an armature, used ones first; for strips baked together the lowest."""
    found: dict[str, Action] = {}
    for action in [*_used_by(armature), *bpy.data.actions]:
        if is_bake(action) and belongs(action, armature):
            found.setdefault(record_of(action).together or action.name_full, action)
    return list(found.values())


def shown_bakes(armature: Object) -> list[str]:
    """Return the names of an armature's bakes for panels, cached until something changes."""
    question = "bakes", armature.session_uid
    return while_unchanged(question, lambda: [action.name for action in bakes_of(armature)])


def is_outdated(armature: Object, name: str) -> bool:
    """Return whether the score has changed since it was baked; cached until something changes."""

    def found() -> bool:
        action, director = bpy.data.actions.get(name), director_of(armature)
        baked = record_of(action).score if action is not None else ""
        if not baked or director is None or director.verbs_adverbs.performance.in_hand:
            return False
        try:
            return baked != score_digest(director, armature)
        except VerbsError:
            return False

    return while_unchanged(("outdated", armature.session_uid, name), found)


def _used_by(armature: Object) -> list[Action]:
    data = armature.animation_data
    if data is None:
        return []
    strips = [strip.action for track in data.nla_tracks for strip in track.strips if strip.action is not None]
    return strips if data.action is None else [data.action, *strips]


def belongs(action: Action, armature: Object) -> bool:
    """Return whether an action is a bake of an armature.

    It is if the armature uses it, and no other user has the name it was baked for: a copied character owns the bake
    that was copied with it. An unused bake belongs to the armature with that name, or, if it was renamed since, to the
    only one that has its verb.
    """
    record = record_of(action)
    named = record.armature == armature.name
    if not named and not _knows(armature, record.verb):
        return False
    users = {use.owner for use in uses_of(action)} if action.users > action.use_fake_user else set()
    if users:
        return armature in users and (named or all(one.name != record.armature for one in users))
    others = (one for one in bpy.data.objects if one.type == "ARMATURE" and one != armature)
    return named or not any(one.name == record.armature or _knows(one, record.verb) for one in others)


def _knows(armature: Object, verb: str) -> bool:
    return any(item.uid == verb for item in armature.verbs_adverbs.verbs)


def bake_to_repeat(armature: Object, name: str = "") -> Action:
    """Return the bake of an armature with a name, or its first one.

    Raises
    ------
    ActionError
        If there is none.
    """
    found = bakes_of(armature)
    if not name and found:
        return found[0]
    action = bpy.data.actions.get(name)
    if not name or action is None:
        what = f"no action '{name}'" if name else f"no bake of '{armature.name}' to repeat"
        raise ActionError(f"There is {what} in this file; it may have been deleted. Make a new bake.")
    if not is_bake(action):
        raise ActionError(f"Action '{name}' was not baked. Bake it first.")
    if not belongs(action, armature):
        raise ActionError(
            f"Action '{name}' is a bake of '{record_of(action).armature}', not of '{armature.name}'. Select that"
            " character, or give this one a copy of the action."
        )
    return action


def baked_together(armature: Object, action: Action) -> list[Action]:
    """Return a bake of an armature with those baked to NLA strips together with it.

    Copies that another character plays belong to that one. Of several copies of the same strip's action the one in use
    counts, so that a backup stays as it is.
    """
    together = record_of(action).together
    if not together:
        return [action]
    found, used = dict[str, Action](), _used_by(armature)
    for one in bpy.data.actions:
        if record_of(one).together == together and (one == action or belongs(one, armature)):
            layer = record_of(one).layer
            found[layer] = max(found.get(layer, one), one, key=lambda it: (it == action, it in used))
    return list(found.values())


def edits_of(armature: Object, action: Action) -> Edits | None:
    """Return the edits made to a bake since it was written; None if they can no longer be determined."""
    record = record_of(action)
    curves, written = curves_in(action, slot_with(action, armature, record.slot)), written_in(armature, action)
    if written is None:
        return None
    keys = {(one.path, one.index) for one in written}
    ours = (curve for curve in curves if (curve.data_path, curve.array_index) in keys)
    return Edits() if keys_digest(ours) == record.digest else edits_in(armature, curves, written)


def is_edited(edits: Edits | None) -> bool:
    """Return whether there are edits, or they cannot be determined."""
    return edits is None or bool(edits)


def told_edits(armature: Object, action: Action) -> list[str]:
    """Return messages on the edits made to a bake, and those baked together with it, since it was written."""
    found = [(one, edits_of(armature, one)) for one in baked_together(armature, action)]
    return [_told(one, edits) for one, edits in found if is_edited(edits)]


def _told(action: Action, edits: Edits | None) -> str:
    begun = f"'{action.name}' was edited by hand after it was baked"
    if edits is None:
        return (
            f"'{action.name}' may have been edited after it was baked: it can no longer be compared with the original "
            "bake."
        )
    counted = ((edits.changed, "changed"), (edits.added, "added"), (edits.removed, "removed"))
    keys = listed(f"{count} {'key' if count == 1 else 'keys'} {what}" for count, what in counted if count)
    gone = f" with {edits.deleted} deleted curves" if edits.deleted else ""
    first, last = edits.frames
    amounts = ((edits.degrees, "degrees"), (edits.distance, "units"))
    much = " and ".join(f"{amount:.3g} {unit}" for amount, unit in amounts if amount) or "0 degrees"
    bones = quoted(bone or "the object" for bone in edits.bones)
    span = f"frame {told_frame(first)}" if first == last else f"frames {told_frame(first)} to {told_frame(last)}"
    return f"{begun}: {keys}{gone}, on {bones}, in {span}, by up to {much}."


def check_again(armature: Object, action: Action) -> None:
    """Check that a bake can be baked again.

    Raises
    ------
    VerbsError
        If its curves belong to another file or are locked, or its source is gone.
    """
    director, record = director_of(armature), record_of(action)
    if record.director and director is None:
        raise VerbError(
            f"'{action.name}' cannot be baked again: the director '{record.director}' of '{armature.name}' and its "
            "score no longer exist. The bake stays as it is."
        )
    for one in baked_together(armature, action):
        _check_writable(armature, one)


def _check_writable(armature: Object, action: Action) -> None:
    reason = foreign_action(action) or newer_told("Action", action)
    if reason:
        raise ActionError(f"{reason.rstrip('.')}. Bake again there, or make a new bake here.")
    slot, uses = slot_with(action, armature, record_of(action).slot), uses_of(action)
    curves = curves_in(action, slot)
    if slot is None and hasattr(action, "slots"):
        raise ActionError(f"The slot of '{armature.name}' was removed from '{action.name}'. Make a new bake.")
    locked = {curve.group.name if curve.group else curve.data_path for curve in curves if _is_locked(curve)}
    if locked:
        raise ActionError(f"Curves of {quoted(sorted(locked))} in '{action.name}' are locked. Unlock them first.")
    track = next((use.track for use in uses if use.track is not None and use.track.lock), None)
    if track is not None:
        raise ActionError(f"The NLA track '{track.name}', in which '{action.name}' plays, is locked. Unlock it first.")
    for use in uses:
        check_free(use.owner)


def _is_locked(curve: bpy.types.FCurve) -> bool:
    return curve.lock or (curve.group is not None and curve.group.lock)


def bake_again(armature: Object, action: Action, choice: str, scene: Scene) -> Again:
    """Bake again, and report what was done with edits.

    Parameters
    ----------
    armature : the character.
    action : one of its bakes.
    choice : what to do with edits: ``'ASK'``, ``'LAYER'``, ``'NEW'`` or ``'REPLACE'``.
    scene : for the frame rate.

    Raises
    ------
    VerbsError
        If it cannot be baked again, or was edited and nothing was chosen. Nothing is changed then.
    """
    check_again(armature, action)
    actions = baked_together(armature, action)
    edits = {one.name_full: edits_of(armature, one) for one in actions}
    edited = [one for one in actions if is_edited(edits[one.name_full])]
    _check_choice(armature, edited, edits, choice)
    found = _computed(armature, action, scene)
    if edited and choice == NEW:
        return Again([write_new(armature, one) for one in found], [], new=True)
    told = [_other_director(armature, action), *_switch_off(armature, actions)]
    for one in edited:
        told.append(_kept(armature, one, edits[one.name_full], choice))
    for one, baked in _pairs(actions, found):
        if writes_over(armature, one, baked) and not (one in edited and choice == REPLACE):
            told.append(_copied(one))
    told.append(_told_others(armature, actions))
    if record_of(action).kind == OF_STRIP:
        strips = [one for one in found if isinstance(one, BakedStrip)]
        written, more = strips_again(armature, actions, strips)
        return Again(written, [one for one in (*told, *more) if one])
    before = record_of(action).first, record_of(action).last
    told.append(write_again(armature, action, found[0]))
    for use in uses_of(action):
        if use.track is not None and use.strip is not None:
            follow(use.track, use.strip, before, found[0].span)
        use.owner.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return Again([action], [one for one in told if one])


def _check_choice(armature: Object, edited: Sequence[Action], edits: dict[str, Edits | None], choice: str) -> None:
    if not edited:
        return
    if choice == ASK:
        told = " ".join(_told(one, edits[one.name_full]) for one in edited)
        raise ActionError(
            f"{told} Choose what to do with the edits: keep them in a layer, bake to a new action, or keep a copy."
        )
    for one in edited:
        if choice == NEW and record_of(one).kind == OF_STRIP:
            raise ActionError("NLA strips cannot be baked to new actions. Keep the edits in a layer, or keep a copy.")
        if choice == LAYER:
            check_can_layer(armature, one, edits[one.name_full])


def _computed(armature: Object, action: Action, scene: Scene) -> Sequence[Baked]:
    """Return the bakes to write, several for NLA strips."""
    record = record_of(action)
    kinds = {OF_VERB: BakeOptions, OF_STRIP: StripOptions}
    options = options_of(record, kinds.get(record.kind, PerformanceOptions))
    if isinstance(options, BakeOptions):
        item = next((one for one in armature.verbs_adverbs.verbs if one.uid == record.verb), None)
        if item is None:
            raise VerbError(
                f"'{armature.name}' no longer has the verb that '{action.name}' was baked from. Make a new bake."
            )
        read_anew(armature)
        return [bake_of_verb(armature, verb_for(armature, item), options, scene)]
    if isinstance(options, StripOptions):
        return bakes_of_strips(armature, options, scene)
    if options is None:
        raise ActionError(f"The bake settings of '{action.name}' cannot be read. Make a new bake.")
    return [bake_of_performance(armature, options, scene)]


def _other_director(armature: Object, action: Action) -> str:
    """Return a message that the director differs from the previous one, empty if it is the same."""
    director, before = director_of(armature), record_of(action).director
    name = director.name if director is not None else ""
    return f"Earlier it was baked from director '{before}', now from '{name}'." if before not in ("", name) else ""


def _pairs(actions: Sequence[Action], found: Sequence[Baked]) -> list[tuple[Action, Baked]]:
    """Return pairs of an action and the bake to write to it; strips that had no action before are left out."""
    known = {record_of(one).layer: one for one in actions}
    pairs = ((known.get(one.layer if isinstance(one, BakedStrip) else ""), one) for one in found)
    return [(action, one) for action, one in pairs if action is not None]


def _told_others(armature: Object, actions: Sequence[Action]) -> str:
    """Return a message naming the other objects that play some bakes; empty if there are none."""
    others = {use.owner.name for one in actions for use in uses_of(one)} - {armature.name}
    return f"{quoted(sorted(others))} also uses this bake and now plays the new version." if others else ""


def _switch_off(armature: Object, actions: Sequence[Action]) -> list[str]:
    """Switch the armature's director off if that lets the bakes play; return messages about it."""
    holder = holder_of(armature)
    if holder is None or not any(use.owner == armature for one in actions for use in uses_of(one)):
        return []
    return [switch_off_told(holder)]


def _kept(armature: Object, action: Action, edits: Edits | None, choice: str) -> str:
    """Save the edits of a bake before it is written; return a message on where they are."""
    if choice == LAYER and edits is not None:
        names = keep_as_layer(armature, action, edits)
        return f"The edits of '{action.name}' were moved to the layer above it, {quoted(names)}." if names else ""
    return _copied(action)


def _copied(action: Action) -> str:
    """Back up a bake in a copy; return a message about it."""
    copy: Any = action.copy()
    copy.name, copy.use_fake_user = free_action_name(f"{action.name} edited"), True
    forget_bake(copy)
    return f"The edited version of '{action.name}' was kept as '{copy.name}'."
