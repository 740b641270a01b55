"""Transitions of built verbs: their regions in generic time, checks, and suggestions for new ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bpy.types import Object, PropertyGroup

from ...core.errors import GraphError, VerbsError
from ..blender.animation import keyed_in
from ..blender.jobs import computed, first_time
from ..blender.naming import told_frame, told_length
from ..blender.store import while_unchanged
from ..blender.undo import Reference
from ..data.content import read_anew
from ..data.current import MaybeNone
from ..data.example_list import referenced
from ..data.markers import effective_keytimes
from ..data.structure import NEARLY, shown_frame
from ..data.transition_items import ENDS, add_transition, label_of, remove_transition, set_regions, verb_of
from .verbs import kept_verb, verb_for

if TYPE_CHECKING:
    from ...core.graph.distance_map import Suggestion
    from ...core.graph.transition import Region, Transition
    from ...core.verb.verb import Verb

COUNT = 3
SAME_PLACE = 0.01


def end_verb(armature: Object, item: PropertyGroup, end: str) -> PropertyGroup | MaybeNone:
    """Return the verb whose generic time one of the `ENDS` of a transition's regions refers to."""
    return verb_of(armature, item.source if end.startswith("leaves") else item.target)


def keytimes_of(armature: Object, verb: PropertyGroup) -> dict[str, float]:
    """Return generic times of a verb's keytimes by name, as last built; the first one if several have the same name."""
    built = kept_verb(armature, verb)
    if built is None:
        return {}
    times = zip(reversed(built.keytime_names), reversed(built.phrasing.generic.tolist()), strict=True)
    return dict(sorted(dict(times).items(), key=lambda named: named[1]))


def generic_of(verb: Verb, item: PropertyGroup, end: str) -> float:
    """Return the generic time of an end of a transition's region: its keytime's if the verb has it, else its number."""
    named = getattr(item, f"{end}_keytime")
    if named in verb.keytime_names:
        return float(verb.phrasing.generic[verb.keytime_names.index(named)])
    return float(getattr(item, end))


def region_of(verb: Verb, item: PropertyGroup, side: str) -> Region:
    """Return the region of `verb` that a transition leaves or enters; in a cyclic verb it may end in the next cycle.

    Parameters
    ----------
    side : 'leaves' or 'enters'.
    """
    from ...core.graph.transition import Region

    begin, end = (generic_of(verb, item, f"{side}_{which}") for which in ("begin", "end"))
    if verb.cyclic:
        begin, end = (begin % 1.0, end - begin // 1.0)
        end += 1.0 if end <= begin else 0.0
    return Region(begin, end)


def core_transition(item: PropertyGroup, source: Verb, target: Verb) -> Transition:
    """Return a stored transition as core's graph represents it."""
    from ...core.graph.transition import Transition

    return Transition(
        source.name,
        target.name,
        region_of(source, item, "leaves"),
        region_of(target, item, "enters"),
        item.likelihood,
        "inertialised" if item.kind == "INERTIALISED" else "blended",
        item.anywhere and source.stands,
    )


def transition_remarks(armature: Object, item: PropertyGroup) -> list[str]:
    """Return sentences about what is wrong with a transition, as far as that is known without building a verb."""
    lost = list(_lost(armature, item))
    if lost:
        return lost
    from ...core.graph.check_graph import transition_complaints

    verbs = [verb_of(armature, uid) for uid in (item.source, item.target)]
    found = [
        f"Verb '{verb.name}' has no examples. Add some, or disable the transition."
        for verb in verbs
        if not any(reference.enabled for reference in verb.examples)
    ]
    source, target = (kept_verb(armature, verb) for verb in verbs)
    if source is None or target is None:
        return found
    for end in ENDS:
        verb, named = source if end.startswith("leaves") else target, getattr(item, f"{end}_keytime")
        if named and named not in verb.keytime_names:
            found.append(
                f"Verb '{verb.name}' has no keytime '{named}', so the number {getattr(item, end):.3g} is used. Choose "
                "another keytime."
            )
    known = {source.name: source, target.name: target}
    return found + list(transition_complaints(core_transition(item, source, target), known))


def shown_remarks(armature: Object, item: PropertyGroup) -> list[str]:
    """Return what is wrong with a transition for panels, cached until something changes."""
    question = "remarks", armature.session_uid, item.uid
    return while_unchanged(question, lambda: transition_remarks(armature, item))


def check_verbs(armature: Object, items: Iterable[PropertyGroup]) -> None:
    """Check that the verbs of some transitions exist.

    Raises
    ------
    GraphError
        If some do not; it contains a sentence for each.
    """
    lost = [complaint for item in items for complaint in _lost(armature, item)]
    if lost:
        raise GraphError(*lost)


def _lost(armature: Object, item: PropertyGroup) -> Iterator[str]:
    for uid, name in ((item.source, item.source_name), (item.target, item.target_name)):
        if verb_of(armature, uid) is None:
            yield (
                f"The transition {label_of(armature, item)} needs verb '{name}', which no longer exists. Remove the "
                "transition."
            )


def generic_at(armature: Object, item: PropertyGroup, verb: Verb, frame: float) -> float:
    """Return the generic time of a verb at a frame of the example that the armature shows.

    Parameters
    ----------
    item, verb : a verb of the armature, as stored and as built.
    frame : frame of the example's action.

    Raises
    ------
    GraphError
        If the armature shows no example of the verb, or the frame is outside it.
    """
    import numpy as np

    action = keyed_in(armature)
    here = [referenced(ref) for ref in item.examples if ref.enabled and ref.action == action is not None]
    shown = [example for example in here if example is not None]
    if action is None or not shown:
        raise GraphError(
            f"'{armature.name}' shows no example of '{item.name}'. Show one with the button beside its examples, and "
            "go to the frame."
        )
    for example in shown:
        frames = [at for _, at in effective_keytimes(example)]
        rounds = (frame, frame + frames[-1] - frames[0], frame - frames[-1] + frames[0])
        for at in rounds:
            if frames[0] <= at <= frames[-1] and abs(shown_frame(example, at) - frame) < NEARLY:
                return float(np.interp(at, frames, verb.phrasing.generic))
    raise GraphError(
        f"Frame {told_frame(frame)} is outside the example of '{item.name}', which spans frames "
        f"{told_frame(frames[0])} to {told_frame(frames[-1])}. Go to a frame within it."
    )


def suggestions(armature: Object, source: PropertyGroup, target: PropertyGroup) -> tuple[Suggestion, ...]:
    """Return the best regions for a transition between two verbs, best first; both are built if necessary.

    Raises
    ------
    VerbsError
        If a verb cannot be built, or no regions are similar.
    """
    from ...core.graph.distance_map import suggest_transitions

    read_anew(armature)
    left, entered = (verb_for(armature, item) for item in (source, target))
    key = "suggested", id(left), id(entered)
    found = computed(key, lambda tell: suggest_transitions(left, entered, COUNT, progress=tell))
    return _some(found, source.name, target.name)


def add_suggested(armature: Object, source: PropertyGroup, target: PropertyGroup) -> str:
    """Add a transition where two verbs are most similar, away from existing ones; return a sentence about it.

    Raises
    ------
    VerbsError
        See `suggestions`.
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
    item = _add_as(armature, source, target, verb, chosen)
    return f"Added {label_of(armature, item)}: {told(chosen)}"


def suggest(armature: Object, item: PropertyGroup, choice: int = 0) -> str:
    """Set a transition's regions to suggested ones; return a sentence about them.

    Parameters
    ----------
    choice : which suggestion to take, 0 for the best; the last one if there are fewer.

    Raises
    ------
    VerbsError
        See `suggestions`; also if a verb was removed.
    """
    source, target = verb_of(armature, item.source), verb_of(armature, item.target)
    if source is None or target is None:
        raise GraphError(
            f"A verb of the transition {label_of(armature, item)} no longer exists. Remove the transition."
        )
    found = suggestions(armature, source, target)
    chosen = found[min(choice, len(found) - 1)]
    _place_as(item, chosen)
    return f"{label_of(armature, item)}: {told(chosen)}"


def told(suggestion: Suggestion) -> str:
    """Return the text that says how similar the verbs are in a suggestion."""
    far = told_distance(suggestion.distance)
    return f"poses differ by {far} on average, feet match {100.0 * suggestion.agreement:.0f} % of the time"


def told_distance(distance: float) -> str:
    """Return the text for a distance between poses, in the scene's units."""
    return told_length(distance, precision=3)


def suggest_all(armature: Object, only: Collection[tuple[str, str]] | None = None) -> list[tuple[str, Suggestion]]:
    """Add transitions for all pairs of verbs that have none in that direction; return each with its label.

    Parameters
    ----------
    only : pairs of names of the verbs to join, from the first to the second; None for all.

    Raises
    ------
    VerbsError
        If a verb cannot be built. No transition is added then.
    """
    pairs = [(a.uid, b.uid) for a, b in _pairs(armature) if only is None or (a.name, b.name) in only]
    order = [item.uid for item in armature.verbs_adverbs.verbs]
    verbs = {uid: _built_once(armature, uid) for uid in order if any(uid in pair for pair in pairs)}
    found = _best_of([(verbs[source], verbs[target]) for source, target in pairs])
    added = []
    by_likeness = sorted(zip(pairs, found, strict=True), key=lambda one: (order.index(one[0][0]), one[1].distance))
    for (left, entered), suggestion in by_likeness:
        source, target = verb_of(armature, left), verb_of(armature, entered)
        item = _add_as(armature, source, target, verbs[left], suggestion)
        added.append((label_of(armature, item), suggestion))
    return added


def _add_as(
    armature: Object, source: PropertyGroup, target: PropertyGroup, verb: Verb, suggestion: Suggestion
) -> PropertyGroup:
    """Add a suggested transition with the usual likelihood; `verb` is the one that it leaves, as built."""
    likelihood = usual_likelihood(armature, source, verb)
    item = add_transition(armature, source, target)
    item.likelihood = likelihood
    _place_as(item, suggestion)
    return item


def _place_as(item: PropertyGroup, suggestion: Suggestion) -> None:
    transition = suggestion.transition
    set_regions(item, transition.leaves, transition.enters, transition.anywhere)


class Joined(NamedTuple):
    """Verbs that were joined because there were no transitions between them.

    Parameters
    ----------
    armature : the armature of the verbs.
    added : identifiers of the transitions.
    said : a sentence about them, or on why there are none.
    """

    armature: Reference[Object]
    added: frozenset[str]
    said: str


def join_where_none(armatures: Iterable[Object]) -> list[Joined]:
    """Add all suggested transitions to armatures with verbs but without a transition; where there are none, say why.

    If that is paused or fails, none is added.
    """
    joined: list[Joined] = []
    try:
        for armature in armatures:
            if not len(armature.verbs_adverbs.transitions) and any(_pairs(armature)):
                joined.append(_joined(armature))
    except BaseException:
        part_again(joined)
        raise
    return joined


def _joined(armature: Object) -> Joined:
    try:
        suggest_all(armature)
    except VerbsError as error:
        said = f"'{armature.name}' has no transitions, and none could be suggested: {error}"
        return Joined(Reference(armature), frozenset(), said)
    added = frozenset(item.uid for item in armature.verbs_adverbs.transitions)
    said = f"'{armature.name}' had no transitions, so {len(added)} were added (see Verb Graph)."
    return Joined(Reference(armature), added, said)


def part_again(joined: Iterable[Joined]) -> None:
    """Remove the transitions that `join_where_none` has added, but none that were added later."""
    for one in joined:
        armature = one.armature.find()
        if armature is None:
            continue
        items = armature.verbs_adverbs.transitions
        for index in reversed([at for at, item in enumerate(items) if item.uid in one.added]):
            remove_transition(armature, index)


def _built_once(armature: Object, uid: str) -> Verb:
    """Return a built verb; all keys of its examples are read only once, however often a job calls this."""
    item = verb_of(armature, uid)
    if first_time(("built", armature.session_uid, uid)):
        read_anew(armature)
    return verb_for(armature, item)


def _best_of(pairs: Sequence[tuple[Verb, Verb]]) -> list[Suggestion]:
    """Return the best suggestion for each pair of verbs; all are one computation, whose progress is reported.

    Raises
    ------
    GraphError
        If no regions of a pair are similar.
    """
    from ...core.graph.distance_map import suggest_transitions

    def compute(tell: Callable[..., None]) -> list[Suggestion]:
        best: list[Suggestion] = []
        for number, (left, entered) in enumerate(pairs):
            tell(number / len(pairs))
            best.append(_some(suggest_transitions(left, entered, 1), left.name, entered.name)[0])
        return best

    return computed(("suggested", *((id(left), id(entered)) for left, entered in pairs)), compute)


def _some(found: tuple[Suggestion, ...], source: str, target: str) -> tuple[Suggestion, ...]:
    if not found:
        raise GraphError(f"No pose of '{source}' is similar to one of '{target}'. Set the transition's times by hand.")
    return found


def usual_likelihood(armature: Object, source: PropertyGroup, verb: Verb) -> float:
    """Return a new transition's likelihood: 0 from a cycle, which repeats until a command; 1 for others' first one."""
    leads = (item for item in armature.verbs_adverbs.transitions if item.source == source.uid and item.enabled)
    return 0.0 if verb.cyclic or any(item.likelihood > 0.0 for item in leads) else 1.0


def _pairs(armature: Object) -> Iterator[tuple[PropertyGroup, PropertyGroup]]:
    """Yield pairs of verbs with examples that have no transition from the first to the second, enabled or not."""
    rig = armature.verbs_adverbs
    verbs = [item for item in rig.verbs if any(reference.enabled for reference in item.examples)]
    there = {(item.source, item.target) for item in rig.transitions}
    for source in verbs:
        for target in verbs:
            if source != target and (source.uid, target.uid) not in there:
                yield source, target
