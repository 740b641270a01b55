"""Transitions in built verbs: regions by keytimes or numbers, the generic time of a frame, what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from bpy.types import Object, PropertyGroup

from ...core.errors import GraphError
from ..blender.naming import told_frame
from ..data.listing import referenced
from ..data.markers import effective_keytimes
from ..data.transition_items import ENDS, label_of, verb_of
from .verbs import kept_verb

if TYPE_CHECKING:
    from ...core.graph.transition import Region, Transition
    from ...core.verb.verb import Verb


def end_verb(armature: Object, item: PropertyGroup, end: str) -> PropertyGroup | None:
    """The verb whose generic time one of the `ENDS` tells."""
    return verb_of(armature, item.source if end.startswith("leaves") else item.target)


def keytimes_of(armature: Object, verb: PropertyGroup) -> dict[str, float]:
    """Generic times of a verb's keytimes by name, as it was last built; the first of several by one name counts."""
    built = kept_verb(armature, verb)
    if built is None:
        return {}
    times = zip(reversed(built.keytime_names), reversed(built.phrasing.generic.tolist()), strict=True)
    return dict(sorted(dict(times).items(), key=lambda named: named[1]))


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
    from ...core.graph.transition import Region

    begin, end = (generic_of(verb, item, f"{side}_{which}") for which in ("begin", "end"))
    if verb.cyclic:
        begin, end = (begin % 1.0, end - begin // 1.0)
        end += 1.0 if end <= begin else 0.0
    return Region(begin, end)


def core_transition(item: PropertyGroup, source: Verb, target: Verb) -> Transition:
    """A stored transition as the graph takes it."""
    from ...core.graph.transition import Transition

    return Transition(
        source.name,
        target.name,
        region_of(source, item, "leaves"),
        region_of(target, item, "enters"),
        item.likelihood,
        "inertialised" if item.kind == "INERTIALISED" else "blended",
    )


def transition_remarks(armature: Object, item: PropertyGroup) -> list[str]:
    """What is wrong with one transition, each a sentence; cheap, and only what can be told without building a verb."""
    lost = list(_lost(armature, item))
    if lost:
        return lost
    from ...core.graph.check_graph import transition_complaints

    verbs = [verb_of(armature, uid) for uid in (item.source, item.target)]
    found = [
        f"Verb '{verb.name}' has no examples. Give it some, or switch the transition off."
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
                f"Verb '{verb.name}' has no keytime '{named}' (any more), so {getattr(item, end):.3g} counts. Choose"
                " another one."
            )
    known = {source.name: source, target.name: target}
    return found + list(transition_complaints(core_transition(item, source, target), known))


def check_verbs(armature: Object, items: Iterable[PropertyGroup]) -> None:
    """Check that the verbs of some transitions are there.

    Raises
    ------
    GraphError
        With each one that is not.
    """
    lost = [complaint for item in items for complaint in _lost(armature, item)]
    if lost:
        raise GraphError(*lost)


def _lost(armature: Object, item: PropertyGroup) -> Iterator[str]:
    for uid, name in ((item.source, item.source_name), (item.target, item.target_name)):
        if verb_of(armature, uid) is None:
            yield f"The transition {label_of(armature, item)} needs verb '{name}', which is gone. Remove it."


def generic_at(armature: Object, item: PropertyGroup, verb: Verb, frame: float) -> float:
    """Generic time of a verb at a frame of the example that the armature shows.

    Parameters
    ----------
    item, verb : a verb of the armature, and as it was built.
    frame : of the example's action.

    Raises
    ------
    GraphError
        If the armature shows no example of the verb, or the frame lies outside it.
    """
    import numpy as np

    data = armature.animation_data
    action = data.action if data is not None else None
    here = [referenced(ref) for ref in item.examples if ref.enabled and ref.action == action is not None]
    shown = [example for example in here if example is not None]
    if not shown:
        raise GraphError(
            f"'{armature.name}' shows no example of '{item.name}'. Show one by the button beside its examples and go to"
            " the frame."
        )
    for example in shown:
        frames = [at for _, at in effective_keytimes(action, example)]
        if frames[0] <= frame <= frames[-1]:
            return float(np.interp(frame, frames, verb.phrasing.generic))
    raise GraphError(
        f"Frame {told_frame(frame)} is not within the example of '{item.name}', which lasts from"
        f" {told_frame(frames[0])} to"
        f" {told_frame(frames[-1])}. Go to a frame within it."
    )
