"""Transitions of an armature: adding and removing them, and what their regions are in its built verbs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bpy.types import Object, PropertyGroup

from ..core.errors import GraphError
from .properties import SCHEMA, new_uid

if TYPE_CHECKING:
    from ..core.verb.transition import Region, Transition
    from ..core.verb.verb import Verb

ENDS = ("leaves_begin", "leaves_end", "enters_begin", "enters_end")


def verb_of(armature: Object, uid: str) -> PropertyGroup | None:
    """The armature's verb of an identifier, None when it is gone."""
    return next((item for item in armature.verbs_adverbs.verbs if item.uid == uid), None)


def add_transition(armature: Object, source: PropertyGroup, target: PropertyGroup) -> PropertyGroup:
    """Add a transition between two of the armature's verbs and choose it."""
    rig = armature.verbs_adverbs
    rig.schema = SCHEMA
    item = rig.transitions.add()
    item.uid, item.source, item.target = new_uid(), source.uid, target.uid
    item.source_name, item.target_name = source.name, target.name
    rig.active_transition = len(rig.transitions) - 1
    return item


def remove_transition(armature: Object, index: int) -> str:
    """Take a transition out of the graph; returns how it was called."""
    rig = armature.verbs_adverbs
    label = label_of(armature, rig.transitions[index])
    rig.transitions.remove(index)
    rig.active_transition = max(0, min(rig.active_transition, len(rig.transitions) - 1))
    return label


def label_of(armature: Object, item: PropertyGroup) -> str:
    """How a transition is called to the user: its verbs, by the names that they have now."""
    source, target = verb_of(armature, item.source), verb_of(armature, item.target)
    return f"{source.name if source else item.source_name} → {target.name if target else item.target_name}"


def set_regions(item: PropertyGroup, leaves: Region, enters: Region) -> None:
    """Give a transition the regions, as numbers."""
    for name, value in zip(ENDS, (leaves.begin, leaves.end, enters.begin, enters.end), strict=True):
        setattr(item, name, value)
        setattr(item, f"{name}_keytime", "")


def generic_of(verb: Verb, item: PropertyGroup, end: str) -> float:
    """Generic time of one end of a transition's regions: that of its keytime where the verb has it, else its number."""
    named = getattr(item, f"{end}_keytime")
    if named in verb.keytime_names:
        return float(verb.phrasing.generic[verb.keytime_names.index(named)])
    return float(getattr(item, end))


def region_of(verb: Verb, item: PropertyGroup, side: str) -> Region:
    """Region of `verb` that a transition leaves or enters; in a cyclic verb it may end in the next cycle.

    Parameters
    ----------
    side : 'leaves' or 'enters'.
    """
    from ..core.verb.transition import Region

    begin, end = (generic_of(verb, item, f"{side}_{which}") for which in ("begin", "end"))
    if verb.cyclic:
        begin, end = (begin % 1.0, end - begin // 1.0)
        end += 1.0 if end <= begin else 0.0
    return Region(begin, end)


def core_transition(item: PropertyGroup, source: Verb, target: Verb) -> Transition:
    """A stored transition as the graph takes it."""
    from ..core.verb.transition import Transition

    return Transition(
        source.name,
        target.name,
        region_of(source, item, "leaves"),
        region_of(target, item, "enters"),
        item.likelihood,
        "inertialised" if item.kind == "INERTIALISED" else "blended",
    )


def check_verbs(armature: Object, items: Iterable[PropertyGroup]) -> None:
    """Check that the verbs of some transitions are there.

    Raises
    ------
    GraphError
        With each one that is not.
    """
    lost = [
        f"The transition {label_of(armature, item)} needs verb '{name}', which is gone. Remove the transition."
        for item in items
        for uid, name in ((item.source, item.source_name), (item.target, item.target_name))
        if verb_of(armature, uid) is None
    ]
    if lost:
        raise GraphError(*lost)
