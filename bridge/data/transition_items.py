"""Transitions as an armature stores them: adding, naming, placing and removing them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.types import Object, PropertyGroup

from .current import MaybeNone
from .schema import new_uid, note

if TYPE_CHECKING:
    from ...core.graph.transition import Region

ENDS = ("leaves_begin", "leaves_end", "enters_begin", "enters_end")


def verb_of(armature: Object, uid: str) -> PropertyGroup | MaybeNone:
    """Return the armature's verb with an identifier, or None if it is gone."""
    return next((item for item in armature.verbs_adverbs.verbs if item.uid == uid), None)


def add_transition(armature: Object, source: PropertyGroup, target: PropertyGroup) -> PropertyGroup:
    """Add a transition between two of the armature's verbs and choose it."""
    rig = armature.verbs_adverbs
    note(rig)
    item = rig.transitions.add()
    item.uid, item.source, item.target = new_uid(), source.uid, target.uid
    item.source_name, item.target_name = source.name, target.name
    rig.active_transition = len(rig.transitions) - 1
    return item


def remove_transition(armature: Object, index: int) -> str:
    """Remove a transition; returns its label."""
    rig = armature.verbs_adverbs
    label = label_of(armature, rig.transitions[index])
    rig.transitions.remove(index)
    rig.active_transition = max(0, min(rig.active_transition, len(rig.transitions) - 1))
    return label


def remove_transitions_of(armature: Object, uid: str) -> int:
    """Remove all transitions of a verb; returns how many there were."""
    rig = armature.verbs_adverbs
    gone = [index for index, item in enumerate(rig.transitions) if uid in {item.source, item.target}]
    for index in reversed(gone):
        rig.transitions.remove(index)
    rig.active_transition = max(0, min(rig.active_transition, len(rig.transitions) - 1))
    return len(gone)


def note_names(armature: Object) -> None:
    """Store the present names of its verbs with each transition."""
    for item in armature.verbs_adverbs.transitions:
        source, target = verb_of(armature, item.source), verb_of(armature, item.target)
        item.source_name = source.name if source is not None else item.source_name
        item.target_name = target.name if target is not None else item.target_name


def label_of(armature: Object, item: PropertyGroup) -> str:
    """Text for a transition: the present names of its verbs, or the stored ones of verbs that are gone."""
    source, target = verb_of(armature, item.source), verb_of(armature, item.target)
    return f"{source.name if source else item.source_name} → {target.name if target else item.target_name}"


def set_regions(item: PropertyGroup, leaves: Region, enters: Region) -> None:
    """Set a transition's regions, as numbers."""
    for name, value in zip(ENDS, (leaves.begin, leaves.end, enters.begin, enters.end), strict=True):
        set_end(item, name, value)


def set_end(item: PropertyGroup, end: str, value: float) -> None:
    """Set one end of a transition's regions to a generic time, as a number."""
    setattr(item, end, value)
    setattr(item, f"{end}_keytime", "")
