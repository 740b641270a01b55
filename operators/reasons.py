"""Reasons why operators cannot run now, as sentences for their tooltips; empty if an operator can run."""

from bpy.types import Context, Object

from .. import bridge
from ..bridge.data.current import (
    at,
    current_action,
    current_armature,
    current_example,
    current_transition,
    current_verb,
    is_linked,
    newer_told,
)

NOBODY = "Select an armature, or its mesh, director or target first"


def armature(context: Context) -> str:
    """Why the verbs, adverbs and layers that the current armature stores cannot be edited."""
    found = current_armature(context)
    return (bridge.data.director.not_edited(found) if found is not None else NOBODY) or _editing(context)


def resting(context: Context) -> str:
    """Why the verbs, adverbs and layers of the current armature, and what moves it, cannot be edited now."""
    return armature(context) or _performed(current_armature(context))


def character(context: Context) -> str:
    """Why the current armature cannot be directed; a library override can, as its director is stored in this file."""
    found = current_armature(context)
    return (bridge.data.director.not_directed(found) if found is not None else NOBODY) or _editing(context)


def directed(context: Context) -> str:
    """Why what moves the current armature cannot be changed or switched off now."""
    return character(context) or _performed(current_armature(context))


def resting_of(rig: Object) -> str:
    """Why what moves one of several armatures cannot be changed or switched off now."""
    return bridge.data.director.not_directed(rig) or _performed(rig)


def _performed(rig: Object) -> str:
    director = rig.verbs_adverbs.director
    performed = director is not None and director.verbs_adverbs.performance.in_hand
    return f"'{rig.name}' is being performed: end the performance first, with Esc over a 3D view" if performed else ""


def action(context: Context) -> str:
    """Why the current action cannot be annotated."""
    found = current_action(context)
    if found is None:
        return performance(context) or "Assign an action to the armature first"
    if is_linked(found):
        how = "is a library override" if found.override_library is not None else "is linked from another file"
        return f"Action '{found.name}' {how}: edit it there, or make it local"
    return newer_told("Action", found) or performance(context) or _editing(context)


def action_to_read(context: Context) -> str:
    """Why the user has no current action from which another one can be made."""
    found, rig = current_action(context), current_armature(context)
    data = rig.animation_data if rig is not None else None
    if found is None or data is None or data.action != found:
        return "Assign an action to the armature first"
    if data.use_tweak_mode:
        return f"An NLA strip of '{rig.name}' is in tweak mode: leave it first, with Tab over the NLA Editor"
    return newer_told("Action", found) or performance(context)


def performance(context: Context) -> str:
    """Why the current action cannot be edited: a director's verb plays it, or a performance is running."""
    rig, found = current_armature(context), current_action(context)
    if rig is None:
        return ""
    director, performed = rig.verbs_adverbs.director, _performed(rig)
    if found is None or performed:
        return performed
    if bridge.data.director.holder_of(rig) == rig and bridge.action.generated_action.abandoned_action(rig) == found:
        return (
            f"A verb whose director was deleted is moving {rig.name}: switch it off under Direct, in the mode Animate, "
            "to edit examples"
        )
    if director is None or director.verbs_adverbs.generated != found:
        return ""
    what = "The score" if director.verbs_adverbs.performance.active else f"'{director.verbs_adverbs.verb}'"
    return f"{what} is moving {rig.name}: switch it off under Direct, in the mode Animate, to edit examples"


def example(context: Context) -> str:
    """Why there is no example to edit."""
    return action(context) or ("" if current_example(context) else "Add an example to the action first")


def keytime(context: Context) -> str:
    """Why there is no keytime to edit."""
    return example(context) or _row(context, "keytimes", "active_keytime", "Add a keytime first")


def contact(context: Context) -> str:
    """Why there is no contact to edit."""
    return example(context) or _row(context, "contacts", "active_contact", "Add a contact point first")


def adverb(context: Context) -> str:
    """Why there is no adverb to edit."""
    reason = resting(context)
    if reason:
        return reason
    rig = current_armature(context).verbs_adverbs
    return "" if at(rig.adverbs, rig.active_adverb) else "Add an adverb first"


def verb(context: Context) -> str:
    """Why there is no verb to edit."""
    return armature(context) or ("" if current_verb(context) else "Add a verb first")


def verb_built(context: Context) -> str:
    """Why the chosen verb of the current armature cannot be built and reported on."""
    reason = verb(context)
    if reason:
        return reason
    enabled = any(reference.enabled for reference in current_verb(context).examples)
    return "" if enabled else "Add examples to the verb first, or tick one"


def verb_played(context: Context) -> str:
    """Why no verb of the current armature can be commanded now."""
    return directed(context) or ("" if current_verb(context) else "Add a verb first")


def transition(context: Context) -> str:
    """Why there is no transition to edit."""
    reason = armature(context)
    if reason:
        return reason
    item, verbs = current_transition(context), current_armature(context).verbs_adverbs.verbs
    return "" if item is not None else "Add a transition first" if len(verbs) else "Add a verb first"


def command(context: Context) -> str:
    """Why there is no command to edit."""
    reason = directed(context)
    if reason:
        return reason
    director = bridge.data.director.director_of(current_armature(context))
    if director is None or not bridge.data.commands.command_count(director):
        return "Add a command first"
    chosen = director.verbs_adverbs.performance.active_command
    return "" if chosen < bridge.data.commands.command_count(director) else "Choose a command first"


def measured(context: Context) -> str:
    """Why there is no measured adverb to work with."""
    reason = verb(context)
    if reason:
        return reason
    used = any(used.measure != "NONE" for used in current_verb(context).adverbs)
    return "" if used else "Choose what one of its adverbs measures first"


def verb_example(context: Context) -> str:
    """Why there is no example of the verb to edit."""
    reason = verb(context)
    if reason:
        return reason
    item = current_verb(context)
    return "" if at(item.examples, item.active_example) else "Add examples to the verb first"


def _row(context: Context, items: str, active: str, otherwise: str) -> str:
    item = current_example(context)
    return "" if at(getattr(item, items), getattr(item, active)) else otherwise


def _editing(context: Context) -> str:
    return "Leave Edit Mode first" if context.mode.startswith("EDIT") else ""
