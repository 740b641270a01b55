"""A computed bake, and writing it: to a new action, or again to the one it was written to before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bpy.types import Action, FCurve, Object

from ...action.bake_record import marked, note_origin, record_of
from ...action.baked_curves import keys_digest, packed, unpacked
from ...action.tracks import Keys, new_action, write_keys
from ...blender.versions import bag_of, bag_unassigned, curves_in, slot_number, slot_with
from ...data.annotate import remove_example
from ...data.bones.names import BoneNames
from ...data.director import director_of


@dataclass(frozen=True, eq=False)
class Baked:
    """A bake that is computed and not written yet.

    Parameters
    ----------
    kind : kind of bake, as stored.
    options : the options of the bake; a dataclass.
    name : name for a new action.
    keys : keys of its curves.
    written : the keys, packed for storing.
    verb : identifier of the verb, or of a verb of the character, to recognise it after renaming.
    repeats : whether modifiers repeat its curves.
    goes_on : data path of the property that accumulates when repeated, empty if none does.
    loops : whether repeating was requested, so that an earlier bake's modifiers are removed where it is not possible.
    mark : called with the action to mark its examples.
    score : digest of the score that was baked, empty if none was.
    """

    kind: str
    options: object
    name: str
    keys: list[Keys]
    written: str
    verb: str
    repeats: bool = False
    goes_on: str = ""
    loops: bool = False
    mark: Callable[[Action], object] = lambda _action: None
    score: str = ""

    @property
    def span(self) -> tuple[float, float]:
        """First and last frame that has a key."""
        return min(float(one.frames[0]) for one in self.keys), max(float(one.frames[-1]) for one in self.keys)


def first_verb(armature: Object) -> str:
    """Return the identifier of an armature's first verb, empty if it has none."""
    return next((item.uid for item in armature.verbs_adverbs.verbs), "")


def write_new(armature: Object, baked: Baked) -> Action:
    """Write a bake to a new, unassigned action with a slot that fits the armature, and store its origin.

    On failure no action is left behind.
    """
    with new_action(baked.name) as action:
        curves = write_keys(bag_unassigned(armature, action), baked.keys, handles=True)
        if baked.repeats:
            _repeat(curves, baked.goes_on)
        baked.mark(action)
        note_bake(armature, action, baked)
    return action


def note_bake(armature: Object, action: Action, baked: Baked) -> None:
    """Store on an action what it was baked from and what was written."""
    record = note_origin(action, baked.kind, baked.options, armature, director_of(armature))
    slot = slot_number(action, armature) if record.digest == "" else record.slot
    record.verb, record.slot, record.written = baked.verb, slot, baked.written
    record.first, record.last = baked.span
    keys = {(one.path, one.index) for one in baked.keys}
    curves = curves_in(action, slot_with(action, armature, slot))
    record.digest = keys_digest(curve for curve in curves if (curve.data_path, curve.array_index) in keys)
    record.annotated = marked(action)
    record.score = baked.score


def written_in(armature: Object, action: Action) -> list[Keys] | None:
    """Return the keys that were written to a bake, with the bones' current names; None if they cannot be read."""
    written = unpacked(record_of(action).written)
    names = BoneNames(armature).of_curves(action)
    if written is None or not names:
        return written
    return [replace(one, path=names.path(one.path) or one.path) for one in written]


def writes_over(armature: Object, action: Action, baked: Baked) -> bool:
    """Return whether curves that the user added to a bake are among those to be written now."""
    former = {(one.path, one.index) for one in written_in(armature, action) or ()}
    wanted = {(one.path, one.index) for one in baked.keys}
    curves = curves_in(action, slot_with(action, armature, record_of(action).slot))
    return any((curve.data_path, curve.array_index) in wanted - former for curve in curves)


def write_again(armature: Object, action: Action, baked: Baked) -> str:
    """Write a bake in place to the action it was written to before, and return a message for the user.

    Curves that the user added stay, and so do colours, locks, modifiers and groups of all curves. The action's examples
    are marked again with their previous identifiers, unless the user has edited them.
    """
    record = record_of(action)
    former = {(one.path, one.index) for one in written_in(armature, action) or ()}
    bag = bag_of(action, slot_with(action, armature, record.slot))
    wanted = {(one.path, one.index) for one in baked.keys}
    there = {(curve.data_path, curve.array_index) for curve in bag.fcurves}
    edited = record.annotated != marked(action)
    curves = write_keys(bag, baked.keys, handles=True, leave=there - former - wanted)
    if baked.repeats:
        _repeat(curves, baked.goes_on)
    elif baked.loops:
        _forget_repeats(curves)
    if not edited:
        _mark_again(action, baked)
    marks = record.annotated
    note_bake(armature, action, baked)
    if edited:
        record.annotated = marks
    return f"The examples marked in '{action.name}' were edited and stay as they are." if edited else ""


def empty(armature: Object, action: Action) -> None:
    """Remove the curves of a bake that is now empty; what the user added to the action stays."""
    record = record_of(action)
    former = {(one.path, one.index) for one in written_in(armature, action) or ()}
    bag = bag_of(action, slot_with(action, armature, record.slot))
    write_keys(bag, [], leave={(curve.data_path, curve.array_index) for curve in bag.fcurves} - former)
    record.written, record.digest = packed([]), keys_digest([])


def _mark_again(action: Action, baked: Baked) -> None:
    """Mark the examples of a bake again; they keep the identifiers and names that verbs refer to."""
    annotation = action.verbs_adverbs
    known = [(item.uid, item.name, item.shortest, item.longest) for item in annotation.examples]
    active = annotation.active_example
    for item in reversed(list(annotation.examples)):
        remove_example(action, item)
    baked.mark(action)
    for item, told in zip(annotation.examples, known, strict=False):
        item.uid, item.name, item.shortest, item.longest = told
    annotation.active_example = max(min(active, len(annotation.examples) - 1), 0)


def _repeat(curves: list[FCurve], goes_on: str) -> None:
    """Make curves repeat that do not do so yet; the one with the path `goes_on` repeats with offset."""
    for curve in curves:
        if len(curve.keyframe_points) > 1 and all(modifier.type != "CYCLES" for modifier in curve.modifiers):
            modifier = curve.modifiers.new("CYCLES")
            if curve.data_path == goes_on:
                modifier.mode_before = modifier.mode_after = "REPEAT_OFFSET"


def _forget_repeats(curves: list[FCurve]) -> None:
    """Remove the modifiers that repeated curves, when what is baked cannot be repeated any more."""
    for curve in curves:
        for modifier in [one for one in curve.modifiers if one.type == "CYCLES"]:
            curve.modifiers.remove(modifier)
