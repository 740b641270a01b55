"""Suggested transitions: regions in which two verbs are alike, told in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import bpy
from bpy.types import Object, PropertyGroup

from ...core.errors import GraphError
from ..blender.jobs import computed
from ..data.transition_items import add_transition, label_of, set_regions, verb_of
from .transitions import generic_of
from .verbs import verb_for

if TYPE_CHECKING:
    from ...core.graph.suggest import Suggestion
    from ...core.verb.verb import Verb

COUNT = 3
SAME_PLACE = 0.01


def suggestions(
    armature: Object, source: PropertyGroup, target: PropertyGroup, thorough: bool = True
) -> tuple[Suggestion, ...]:
    """The best regions between two verbs of an armature, best first; both are built if need be.

    Parameters
    ----------
    thorough : look at every key of the examples instead of trusting what Blender says of changes.

    Raises
    ------
    VerbsError
        If a verb cannot be built, or no regions are alike.
    """
    from ...core.graph.suggest import suggest_transitions

    verbs = [verb_for(armature, item, thorough) for item in (source, target)]
    key = "suggested", id(verbs[0]), id(verbs[1])
    found = computed(key, lambda _tell: suggest_transitions(*verbs, COUNT))
    if not found:
        raise GraphError(f"No pose of '{source.name}' is like one of '{target.name}'. Set the regions by hand.")
    return found


def add_suggested(armature: Object, source: PropertyGroup, target: PropertyGroup) -> str:
    """Add a transition where two verbs are most alike and none leads from the one to the other yet; tell it in words.

    Raises
    ------
    VerbsError
        As `suggestions`.
    """
    verb = verb_for(armature, source)
    there = [
        generic_of(verb, item, "leaves_begin")
        for item in armature.verbs_adverbs.transitions
        if (item.source, item.target) == (source.uid, target.uid)
    ]
    found = suggestions(armature, source, target)
    free = (one for one in found if all(abs(one.transition.leaves.begin - begin) > SAME_PLACE for begin in there))
    chosen = next(free, found[0])
    likelihood = usual_likelihood(armature, source, verb)
    item = add_transition(armature, source, target)
    item.likelihood = likelihood
    set_regions(item, chosen.transition.leaves, chosen.transition.enters)
    return f"Added {label_of(armature, item)}: {told(chosen)}"


def suggest(armature: Object, item: PropertyGroup, choice: int = 0) -> str:
    """Give a transition suggested regions; returns them in words.

    Parameters
    ----------
    choice : 0 for the best, or as many places further down; the last one when there are fewer.

    Raises
    ------
    VerbsError
        As `suggestions`, or if a verb is gone.
    """
    source, target = verb_of(armature, item.source), verb_of(armature, item.target)
    if source is None or target is None:
        raise GraphError(f"A verb of the transition {label_of(armature, item)} is gone. Remove the transition.")
    found = suggestions(armature, source, target)
    chosen = found[min(choice, len(found) - 1)]
    set_regions(item, chosen.transition.leaves, chosen.transition.enters)
    return f"{label_of(armature, item)}: {told(chosen)}"


def told(suggestion: Suggestion) -> str:
    """How well a suggestion would do, in words."""
    units = bpy.context.scene.unit_settings
    far = bpy.utils.units.to_string(units.system, "LENGTH", suggestion.distance * units.scale_length, precision=3)
    return f"poses differ by {far} on average, the feet agree in {100.0 * suggestion.agreement:.0f} % of the time"


def suggest_all(armature: Object) -> list[tuple[str, Suggestion]]:
    """Add the best transition for every two verbs that have none in that direction; returns each with its label.

    Raises
    ------
    VerbsError
        If a verb cannot be built. No transition is added then.
    """
    pairs = list(_pairs(armature))
    for uid in {verb.uid for pair in pairs for verb in pair}:
        verb_for(armature, verb_of(armature, uid), thorough=True)
    found = [suggestions(armature, source, target, thorough=False)[0] for source, target in pairs]
    added = []
    order = [item.uid for item in armature.verbs_adverbs.verbs]
    by_likeness = sorted(range(len(pairs)), key=lambda i: (order.index(pairs[i][0].uid), found[i].distance))
    for place in by_likeness:
        source, target = (verb_of(armature, verb.uid) for verb in pairs[place])
        likelihood = usual_likelihood(armature, source, verb_for(armature, source))
        item = add_transition(armature, source, target)
        item.likelihood = likelihood
        set_regions(item, found[place].transition.leaves, found[place].transition.enters)
        added.append((label_of(armature, item), found[place]))
    return added


def usual_likelihood(armature: Object, source: PropertyGroup, verb: Verb) -> float:
    """Likelihood of a new transition: a cycle goes on until something is asked, another verb by its first way on."""
    leads = (item for item in armature.verbs_adverbs.transitions if item.source == source.uid and item.enabled)
    return 0.0 if verb.cyclic or any(item.likelihood > 0.0 for item in leads) else 1.0


def _pairs(armature: Object) -> Iterator[tuple[PropertyGroup, PropertyGroup]]:
    """Verbs with examples, two by two, that no transition leads from and to, used or not."""
    rig = armature.verbs_adverbs
    verbs = [item for item in rig.verbs if any(reference.enabled for reference in item.examples)]
    there = {(item.source, item.target) for item in rig.transitions}
    for source in verbs:
        for target in verbs:
            if source != target and (source.uid, target.uid) not in there:
                yield source, target
