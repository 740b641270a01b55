"""Verbs and adverbs of an armature: adding, naming, ordering and removing them."""

from collections.abc import Iterable, Iterator

import bpy
from bpy.types import Action, Object, PropertyGroup

from ...core.errors import VerbError
from ..action.bake_record import not_by_hand
from ..action.generated_action import keep
from ..blender.naming import checked_name, example_name
from ..data.annotate import rename_value, set_value, value_of
from ..data.bones.seen import note_bones
from ..data.commands import command_keys, describe_commands
from ..data.current import armature_of, at, is_linked, is_newer, ours
from ..data.director import check_range, director_of, keep_in_step, told_by
from ..data.example_list import used_examples
from ..data.layer_properties import layer_sliders
from ..data.schema import move_row, new_uid, note, remove_row
from ..data.targets import remove_target, settle_targets
from ..data.transition_items import note_names, remove_transitions_of
from .verb_cache import still_refined


def add_adverb(
    armature: Object, name: str, minimum: float = -1.0, maximum: float = 1.0, default: float = 0.0, unit: str = ""
) -> PropertyGroup:
    """Add an adverb to an armature and make it active.

    Raises
    ------
    VerbError
        If the name is empty, taken or reserved, or the range is empty.
    """
    rig = armature.verbs_adverbs
    wanted = checked_name(name, "adverb", (*(item.name for item in rig.adverbs), *layer_sliders(armature)))
    if not minimum < maximum:
        raise VerbError(
            f"Adverb '{wanted}' needs a minimum below its maximum, not {minimum:g} and {maximum:g}. Correct them."
        )
    check_range(wanted, minimum, maximum)
    note(rig)
    item = rig.adverbs.add()
    item.uid, item.name, item.unit = new_uid(), wanted, unit
    item.minimum, item.maximum, item.default = minimum, maximum, min(max(default, minimum), maximum)
    rig.active_adverb = len(rig.adverbs) - 1
    keep_in_step(armature)
    return item


def remove_adverb(armature: Object, index: int) -> str:
    """Remove an adverb from an armature and its verbs, and return its name; examples keep their values."""
    rig = armature.verbs_adverbs
    name = rig.adverbs[index].name
    for verb in rig.verbs:
        use_adverb(verb, name, False)
    remove_row(rig, "adverbs", "active_adverb", index)
    keep_in_step(armature)
    return name


def rename_adverb(armature: Object, index: int, name: str) -> None:
    """Rename an adverb, in the verbs of the armature and in the examples of its actions too.

    The adverb's values replace what the examples have under the new name, such as values of an adverb that was removed.
    An action that another armature plays as well keeps the value under the old name in addition to the new one.

    Raises
    ------
    VerbError
        If the name is empty, taken or reserved, or another armature has other values under it in the same examples.
    """
    rig = armature.verbs_adverbs
    old = rig.adverbs[index].name
    others = [item.name for row, item in enumerate(rig.adverbs) if row != index]
    wanted = checked_name(name, "adverb", (*others, *layer_sliders(armature)))
    if wanted == old:
        return
    own, keeping = set(_verb_actions(armature)), _actions_of_others(armature, old)
    meant = own & _actions_of_others(armature, wanted)
    _check_meant(meant, old, wanted)
    with still_refined(armature):
        rig.adverbs[index].name = wanted
        for used in (used for verb in rig.verbs for used in verb.adverbs if used.name == old):
            used.name = wanted
        for action in _actions_to_rename(armature):
            with not_by_hand(action):
                rename_value(action, old, wanted, action in keeping, action in own - meant)
        keep_in_step(armature)


def move_adverb(armature: Object, index: int, step: int) -> None:
    """Move an adverb up (-1) or down (+1) in the list."""
    if move_row(armature.verbs_adverbs, "adverbs", "active_adverb", index, step):
        keep_in_step(armature)


def add_verb(armature: Object, name: str) -> PropertyGroup:
    """Add a verb to an armature and make it active.

    Raises
    ------
    VerbError
        If the name is empty or taken.
    """
    rig = armature.verbs_adverbs
    wanted = checked_name(name, "verb", (item.name for item in rig.verbs))
    item = rig.verbs.add()
    note(rig)
    item.uid, item.name = new_uid(), wanted
    item.number, rig.next_number = rig.next_number, rig.next_number + 1
    rig.active_verb = len(rig.verbs) - 1
    return item


def remove_verb(armature: Object, index: int) -> tuple[str, int, list[float]]:
    """Remove a verb with its transitions; its examples stay in their actions, and the actions in the file.

    Commands for the verb remain as keys of the director.

    Returns
    -------
    name : name of the verb.
    transitions : number of transitions that were removed with it.
    commands : frames of commands for it, which have no effect now.
    """
    rig, director = armature.verbs_adverbs, director_of(armature)
    verb = rig.verbs[index]
    name, uid, number = verb.name, verb.uid, verb.number
    keys = command_keys(director) if director is not None and number > 0 else ()
    for reference in verb.examples:
        keep(reference.action)
    for target in reversed(range(len(verb.targets))):
        remove_target(armature, verb, target)
    remove_row(rig, "verbs", "active_verb", index)
    gone = remove_transitions_of(armature, uid)
    if director is not None:
        describe_commands(director)
    return name, gone, [key.frame for key in keys if key.number == number]


def rename_verb(armature: Object, index: int, name: str) -> None:
    """Rename a verb, also where the armature's director and transitions store its name.

    Raises
    ------
    VerbError
        If the name is empty or taken.
    """
    rig = armature.verbs_adverbs
    old = rig.verbs[index].name
    wanted = checked_name(name, "verb", (item.name for row, item in enumerate(rig.verbs) if row != index))
    rig.verbs[index].name = wanted
    for director in ours():
        if director.verbs_adverbs.directs == armature:
            if director.verbs_adverbs.verb == old:
                director.verbs_adverbs.verb = wanted
            describe_commands(director)
    note_names(armature)


def verb_to_play(armature: Object, director: Object | None = None) -> str:
    """Return the name of the verb that the director is set to, else of the active one; empty if there is none.

    Parameters
    ----------
    director : the armature's, if the caller knows it.
    """
    rig, director = armature.verbs_adverbs, director or told_by(armature)
    if director is not None and director.verbs_adverbs.verb in rig.verbs:
        return director.verbs_adverbs.verb
    chosen = at(rig.verbs, rig.active_verb)
    return chosen.name if chosen is not None else ""


def adverbs_of(armature: Object, verb: PropertyGroup | None) -> list[PropertyGroup]:
    """Return adverbs of the armature that a verb varies along; all of the armature's if `verb` is None."""
    return [item for item in armature.verbs_adverbs.adverbs if verb is None or item.name in verb.adverbs]


def directed_adverbs(armature: Object) -> list[PropertyGroup]:
    """Return adverbs that affect what the armature's director plays: its verb's, or all of them for a performance."""
    rig, director = armature.verbs_adverbs, director_of(armature)
    own = director.verbs_adverbs.performance if director is not None else None
    performs = own is not None and (own.active or own.in_hand)
    return adverbs_of(armature, None if performs else rig.verbs.get(verb_to_play(armature)))


def use_adverb(verb: PropertyGroup, name: str, use: bool) -> None:
    """Make a verb vary along an adverb if `use` is true, else stop it."""
    index = verb.adverbs.find(name)
    if use and index < 0:
        verb.adverbs.add().name = name
    elif not use and index >= 0:
        remove_row(verb, "adverbs", "active_adverb", index)
        settle_targets(armature_of(verb))


def fill_values(action: Action, example: PropertyGroup, adverbs: Iterable[PropertyGroup]) -> int:
    """Give an example the default value of adverbs for which it has none; return their number."""
    lacking = [adverb for adverb in adverbs if value_of(example, adverb.name) is None]
    for adverb in lacking:
        set_value(action, example, adverb.name, adverb.default)
    return len(lacking)


def keytimes_of(verb: PropertyGroup) -> list[str]:
    """Return names of the keytimes of a verb, taken from the first of its examples that exists."""
    example = next(used_examples(verb), None)
    return [keytime.name for keytime in example.keytimes] if example is not None else []


def add_reference(verb: PropertyGroup, action: Action, example: PropertyGroup) -> PropertyGroup:
    """Add an example to a verb, unless the verb already has it; return the row of the verb's list."""
    for reference in verb.examples:
        if reference.action == action and reference.example_uid == example.uid:
            return reference
    reference = verb.examples.add()
    reference.action, reference.example_uid = action, example.uid
    reference.action_name, reference.example_name = action.name, example.name
    verb.active_example = len(verb.examples) - 1
    note_bones(armature_of(verb), [reference])
    return reference


def add_reference_like(verb: PropertyGroup, row: int, action: Action, example: PropertyGroup) -> PropertyGroup:
    """Add an example to a verb, with the curve settings of the example in a row of its list; return its row."""
    own = verb.examples[row].control_points, verb.examples[row].encoding
    added = add_reference(verb, action, example)
    added.control_points, added.encoding = own
    return added


def remove_reference(verb: PropertyGroup, index: int) -> None:
    """Remove an example from a verb; the example stays in its action."""
    keep(verb.examples[index].action)
    remove_row(verb, "examples", "active_example", index)


def _verb_actions(armature: Object) -> Iterator[Action]:
    for verb in armature.verbs_adverbs.verbs:
        yield from (reference.action for reference in verb.examples if reference.action)


def _actions_to_rename(armature: Object) -> list[Action]:
    """Return local actions whose examples may be renamed: those of the armature's verbs, and those of no verb."""
    own = set(_verb_actions(armature))
    all_others = {a for o in bpy.data.objects if o != armature for a in _verb_actions(o)}
    named = [a for a in bpy.data.actions if a.verbs_adverbs.examples and (a in own or a not in all_others)]
    return [a for a in named if not (is_linked(a) or is_newer(a.verbs_adverbs))]


def _actions_of_others(armature: Object, adverb: str) -> set[Action]:
    others = (o for o in ours() if o != armature and o.verbs_adverbs.adverbs.find(adverb) >= 0)
    return {action for other in others for action in _verb_actions(other)}


def _check_meant(actions: set[Action], old: str, new: str) -> None:
    """Check that renaming `old` to `new` would not overwrite values of another armature's adverb of that name."""
    for action in sorted(actions, key=lambda action: action.name):
        for example in action.verbs_adverbs.examples:
            values = value_of(example, old), value_of(example, new)
            if None not in values and values[0] != values[1]:
                raise VerbError(
                    f"Example '{example_name(action, example)}' is also used by another armature, where its value for "
                    f"adverb '{new}' is {values[1]:g} and not {values[0]:g}. Choose another name."
                )
