"""Transitions as an armature stores them: adding, naming, placing and removing them."""

from typing import TYPE_CHECKING, Any

from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import Object, PropertyGroup

from .current import MaybeNone
from .schema import TRANSITION_KINDS, new_uid, note, remove_row

if TYPE_CHECKING:
    from ...core.graph.transition import Region

ENDS = ("leaves_begin", "leaves_end", "enters_begin", "enters_end")


def _generic(name: str, description: str, default: float) -> Any:
    return FloatProperty(name=name, description=description, default=default, min=0.0, max=2.0, precision=3, step=1)


def _keytime(name: str) -> Any:
    return StringProperty(name=name, description="Keytime to use instead of the number; empty to use the number")


class VERBS_ADVERBS_TransitionItem(PropertyGroup):
    """A transition: which part of one verb leads into which part of another."""

    uid: StringProperty(name="Identifier", description="Identifier that stays the same when verbs are renamed")
    source: StringProperty(name="From", description="Identifier of the verb that the transition leaves")
    target: StringProperty(name="To", description="Identifier of the verb that the transition enters")
    source_name: StringProperty(name="From", description="Last known name of the verb that the transition leaves")
    target_name: StringProperty(name="To", description="Last known name of the verb that the transition enters")
    enabled: BoolProperty(name="Use", description="Let performances use this transition", default=True)
    kind: EnumProperty(
        name="Kind", description="How one verb changes to the other", items=TRANSITION_KINDS, default="BLENDED"
    )
    likelihood: FloatProperty(
        name="Likelihood",
        description="Likelihood of this transition among others, without a command; 0 to take it only on command",
        default=1.0,
        min=0.0,
        soft_max=10.0,
    )
    anywhere: BoolProperty(
        name="Leaves Anywhere",
        description="For cycles that lift no foot: a command leaves the old verb anywhere once it has stood for 0.6 s, "
        "and takes as long as the leaving region. Transitions chosen by likelihood still wait for that region",
    )
    leaves_begin: _generic("Leaves From", "Generic time at which the transition begins to leave the old verb", 0.0)
    leaves_end: _generic("Leaves To", "Generic time at which the old verb has been left", 0.25)
    enters_begin: _generic("Enters From", "Generic time at which the new verb begins to blend in", 0.0)
    enters_end: _generic("Enters To", "Generic time from which the new verb plays alone", 0.25)
    leaves_begin_keytime: _keytime("Leaves From Keytime")
    leaves_end_keytime: _keytime("Leaves To Keytime")
    enters_begin_keytime: _keytime("Enters From Keytime")
    enters_end_keytime: _keytime("Enters To Keytime")


def verb_of(armature: Object, uid: str) -> PropertyGroup | MaybeNone:
    """Return the armature's verb with an identifier, or None if it was removed."""
    return next((item for item in armature.verbs_adverbs.verbs if item.uid == uid), None)


def add_transition(armature: Object, source: PropertyGroup, target: PropertyGroup) -> PropertyGroup:
    """Add a transition between two of the armature's verbs and make it active."""
    rig = armature.verbs_adverbs
    note(rig)
    item = rig.transitions.add()
    item.uid, item.source, item.target = new_uid(), source.uid, target.uid
    item.source_name, item.target_name = source.name, target.name
    rig.active_transition = len(rig.transitions) - 1
    return item


def remove_transition(armature: Object, index: int) -> str:
    """Remove a transition; return its label."""
    rig = armature.verbs_adverbs
    label = label_of(armature, rig.transitions[index])
    remove_row(rig, "transitions", "active_transition", index)
    return label


def remove_transitions_of(armature: Object, uid: str) -> int:
    """Remove all transitions of a verb; return their number."""
    rig = armature.verbs_adverbs
    gone = [index for index, item in enumerate(rig.transitions) if uid in {item.source, item.target}]
    for index in reversed(gone):
        remove_row(rig, "transitions", "active_transition", index)
    return len(gone)


def note_names(armature: Object) -> None:
    """Store the current names of its verbs with each transition."""
    for item in armature.verbs_adverbs.transitions:
        item.source_name, item.target_name = names_of(armature, item)


def label_of(armature: Object, item: PropertyGroup) -> str:
    """Return the text for a transition: the names of its verbs."""
    return " → ".join(names_of(armature, item))


def names_of(armature: Object, item: PropertyGroup) -> tuple[str, str]:
    """Return the current names of a transition's verbs, or the stored ones of removed verbs."""
    source, target = verb_of(armature, item.source), verb_of(armature, item.target)
    return source.name if source else item.source_name, target.name if target else item.target_name


def set_regions(item: PropertyGroup, leaves: "Region", enters: "Region", anywhere: bool = False) -> None:
    """Set a transition's regions, as numbers, and whether a command may leave the old verb anywhere."""
    for name, value in zip(ENDS, (leaves.begin, leaves.end, enters.begin, enters.end), strict=True):
        set_end(item, name, value)
    item.anywhere = anywhere


def set_end(item: PropertyGroup, end: str, value: float) -> None:
    """Set an end of a transition's regions to a generic time, as a number; one that leaves a verb clears `anywhere`."""
    setattr(item, end, value)
    item.anywhere = item.anywhere and not end.startswith("leaves")
    setattr(item, f"{end}_keytime", "")


def ends_of(item: PropertyGroup) -> dict[str, float | str]:
    """Return a transition's regions as they are stored: numbers and names of keytimes of all ends, and `anywhere`."""
    return {name: getattr(item, name) for end in ENDS for name in (end, f"{end}_keytime")} | {"anywhere": item.anywhere}


def set_ends(item: PropertyGroup, ends: dict[str, float | str]) -> None:
    """Store the ends of a transition's regions as `ends_of` returned them."""
    for name, value in ends.items():
        setattr(item, name, value)
