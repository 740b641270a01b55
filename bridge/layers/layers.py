"""Layers of an armature: adding, naming and removing them, and applying them over what its director plays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bpy.types import Object, PropertyGroup

from ...core.errors import LayerError, VerbsError, quoted
from ...core.layers.switches import sliders_named
from ..authoring.definitions import adverbs_of, verb_to_play
from ..authoring.graph import start_of
from ..authoring.verbs import built_for, verb_signature
from ..blender.naming import checked_name, free_name
from ..blender.store import digest_of, keep, kept
from ..data.content import plain
from ..data.director import director_of, keep_in_step
from ..data.layer_properties import (
    add_talk_layer,
    chosen_bones,
    keyed_before,
    members_of,
    switch_of,
    told_bones,
    weight_of,
)
from ..data.schema import move_row, new_uid, note, remove_row
from ..data.transition_items import verb_of
from ..rig.roles import roles_of
from .gestures import colouring_adverbs
from .talking import has_plan, plan_signature, plays_of_talk, talks, words_with_gestures

if TYPE_CHECKING:
    from ...core.graph.verb_graph import VerbGraph
    from ...core.layers.claims import Held
    from ...core.layers.layer import Layer
    from ...core.verb.verb import Verb

NOT_ITS_MOTION = frozenset({"uid", "verb"})
"""Settings that do not affect a layer's motion."""


def used_layers(armature: Object) -> list[PropertyGroup]:
    """Return an armature's layers that can be started; a gesture layer needs gestures, or words with looks."""
    used = [item for item in armature.verbs_adverbs.layers if item.enabled]
    return [item for item in used if not item.talks or talks(armature)]


def layers_signature(armature: Object, root: str = "") -> str:
    """Return a digest of everything the layers of an armature are built from; empty if there are none."""
    used = used_layers(armature)
    if not used:
        return ""
    told: list[object] = []
    for item in used:
        verb = verb_of(armature, item.verb)
        played = "" if verb is None else (verb.name, verb_signature(armature, verb, root))
        if item.talks:
            played = plan_signature(armature, root)
        told.append((plain(item, NOT_ITS_MOTION), members_of(armature, item.collection), played))
    return f" {digest_of(told)}"


def layer_names(armature: Object) -> list[tuple[str, ...]]:
    """Return, for each layer that can be started, the names of its sliders and of the adverbs of what it plays."""
    return [
        (switch_of(item), weight_of(item), *(adverb.name for adverb in layer_adverbs(armature, item)))
        for item in used_layers(armature)
    ]


def layer_adverbs(armature: Object, item: PropertyGroup) -> list[PropertyGroup]:
    """Return the adverbs of what a layer plays: of its verb, or of all gestures on the director's words."""
    if item.talks:
        return colouring_adverbs(armature, words_with_gestures(armature))
    verb = verb_of(armature, item.verb)
    return adverbs_of(armature, verb) if verb is not None else []


def with_layers_of(armature: Object, graph: VerbGraph) -> VerbGraph:
    """Return a graph of an armature's verbs with the armature's layers on top.

    Raises
    ------
    VerbsError
        If a layer cannot be built.
    """
    used = used_layers(armature)
    if not used:
        return graph
    found = kept(("layered", graph, layers_signature(armature)))
    if found is None:
        from ...core.layers.layer_set import with_layers

        found = with_layers(graph, [_layer(armature, item) for item in used], _table(used))
        keep(("layered", graph, layers_signature(armature)), found)
    return found


def _table(used: Sequence[PropertyGroup]) -> dict[tuple[str, str], Held]:
    """Return what happens to a layer when another one holds what it claims, by the names of both."""
    names = {item.uid: item.name for item in used}
    pairs = [(item, pair) for item in used for pair in item.pairs if pair.layer in names]
    return {(item.name, names[pair.layer]): pair.held.lower() for item, pair in pairs}


def _layer(armature: Object, item: PropertyGroup) -> Layer:
    """Build a layer from its stored settings."""
    from ...core.layers.claims import Claims
    from ...core.layers.layer import Layer, PlaysVerb
    from ...core.layers.mask import joints_of, mask_of

    if item.talks:
        plays = plays_of_talk(armature)
    else:
        plays = PlaysVerb(built_for(armature, _verb_of(armature, item)).verb, item.times, item.follows)
    skeleton = plays.channels.skeleton
    chosen = chosen_bones(armature, item)
    if not chosen:
        told = f"moves bone collection '{item.collection}', which has" if item.collection else "has"
        raise LayerError(f"Layer '{item.name}' {told} no bones. Choose its bones under Layers.")
    missing = [name for name in chosen if name not in skeleton.names]
    if missing:
        raise LayerError(
            f"Layer '{item.name}' should move {quoted(missing)}, which '{armature.name}' does not have. Choose its "
            "bones again under Layers, or press Map Bones if they were renamed."
        )
    mask = mask_of(skeleton, chosen, item.taper, not item.collection)
    hands = tuple(roles_of(armature).hands) if item.apart else ()
    return Layer(
        item.name,
        plays,
        mask,
        item.space.lower(),
        item.mode.lower(),
        item.fade_in,
        item.fade_out,
        Claims(
            joints_of(skeleton, mask) if item.claims else frozenset(),
            ((hands[0], hands[1]),) if len(hands) == 2 else (),
        ),
        item.priority,
        item.when_held.lower(),
        item.finishes,
    )


def _verb_of(armature: Object, item: PropertyGroup) -> PropertyGroup:
    verb = verb_of(armature, item.verb)
    if verb is None:
        raise LayerError(
            f"Layer '{item.name}' plays verb '{item.verb_name}', which '{armature.name}' does not have. Choose another "
            "verb for it, or remove the layer."
        )
    return verb


def add_layer(armature: Object, verb: PropertyGroup, bones: Iterable[str] = ()) -> PropertyGroup:
    """Add a layer that plays a verb, on top of the others, and select it.

    Parameters
    ----------
    bones : roots of the limbs it moves; if empty, those that the verb moves differently from the verb that the director
        plays.

    Raises
    ------
    VerbsError
        If the verb cannot be built, or moves none of the bones, or none above the legs. Nothing has changed then.
    """
    from ...core.layers.mask import suggested_bones

    rig = armature.verbs_adverbs
    motion, below = built_for(armature, verb).verb, _below(armature, verb)
    chosen = _highest(armature, bones) or suggested_bones(motion, below, _hands(armature, motion))
    if not chosen:
        raise LayerError(
            f"'{verb.name}' moves arms and head the same way as '{below.name}'. In Pose Mode, select the bones that "
            "the layer should move, and add it again."
        )
    name = free_name(verb.name, [*(item.name for item in rig.layers), *keyed_before(armature)])
    _check_name(armature, name, rig.layers)
    item = rig.layers.add()
    item.uid, item.name, item.verb, item.verb_name = new_uid(), name, verb.uid, verb.name
    _put_bones(item, chosen)
    _guess(armature, item, motion, below)
    try:
        _check(armature, item, below)
    except VerbsError:
        rig.layers.remove(len(rig.layers) - 1)
        raise
    _note_added(armature)
    return item


def _note_added(armature: Object) -> None:
    """Select the layer added last, and update data and director."""
    rig = armature.verbs_adverbs
    note(rig)
    rig.active_layer = len(rig.layers) - 1
    keep_in_step(armature)


def _check(armature: Object, item: PropertyGroup, below: Verb) -> None:
    """Check that a layer can be applied over a verb.

    Raises
    ------
    VerbsError
        If it cannot, such as a layer whose verb moves none of its bones.
    """
    from ...core.layers.layer_set import widened

    widened(below.channels, [_layer(armature, item)])


def _put_bones(item: PropertyGroup, names: Iterable[str]) -> None:
    item.bones.clear()
    for name in names:
        item.bones.add().text = name


def _highest(armature: Object, bones: Iterable[str]) -> tuple[str, ...]:
    """Return those of some bones that are not below another one of them."""
    chosen = {name: armature.data.bones[name] for name in bones if name in armature.data.bones}
    return tuple(name for name, bone in chosen.items() if not any(up.name in chosen for up in bone.parent_recursive))


def add_talk(armature: Object) -> PropertyGroup:
    """Return the layer that plays the gestures on the director's words; create and start it if there is none.

    It uses the upper body, starts at once, and plays until it is stopped: without a gesture it shows what is below.

    Raises
    ------
    VerbsError
        If no word has a gesture or a look, or one of the verbs cannot be built.
    """
    from ...core.layers.mask import upper_body

    rig = armature.verbs_adverbs
    present = next((item for item in rig.layers if item.talks), None)
    if present is not None:
        return present
    if not has_plan(armature):
        raise LayerError("No word has a gesture. Read words, or choose a gesture for one of them.")
    words = words_with_gestures(armature)
    motion = built_for(armature, verb_of(armature, words[0].gesture) if words else rig.verbs[0]).verb
    name = free_name("Gestures", [item.name for item in rig.layers])
    bones = upper_body(motion, _hands(armature, motion))
    item = add_talk_layer(armature, director_of(armature), new_uid(), name, bones)
    _note_added(armature)
    return item


def _below(armature: Object, verb: PropertyGroup) -> Verb:
    """Return the verb that a layer of `verb` will most likely play over: the one the director plays or starts with."""
    rig, own = armature.verbs_adverbs, armature.verbs_adverbs.director
    performs = own is not None and own.verbs_adverbs.performance.active
    played = start_of(armature) if performs else rig.verbs.get(verb_to_play(armature))
    others = [item for item in (played, start_of(armature), *rig.verbs) if item is not None and item != verb]
    return built_for(armature, next(iter(others), verb)).verb


def _hands(armature: Object, motion: Verb) -> list[int]:
    names = motion.channels.skeleton.names
    return [names.index(name) for name in roles_of(armature).hands if name in names]


def _guess(armature: Object, item: PropertyGroup, motion: Verb, below: Verb) -> None:
    """Guess suitable settings for a layer."""
    from ...core.layers.mask import held_between, keeps_step, mask_of

    item.times = 0 if motion.cyclic else 1
    item.follows = keeps_step(motion, below)
    mask = mask_of(motion.channels.skeleton, told_bones(item))
    item.apart = held_between(motion, _hands(armature, motion), mask)
    item.space = "CHARACTER" if item.apart else "PARENT"


def remove_layer(armature: Object, index: int) -> str:
    """Remove a layer, and return its name; keys of its sliders stay in their actions."""
    rig = armature.verbs_adverbs
    name, uid = rig.layers[index].name, rig.layers[index].uid
    remove_row(rig, "layers", "active_layer", index)
    for item in rig.layers:
        for row in [row for row, pair in enumerate(item.pairs) if pair.layer == uid][::-1]:
            item.pairs.remove(row)
    keep_in_step(armature)
    return name


def move_layer(armature: Object, index: int, step: int) -> bool:
    """Move a layer up (-1) or down (+1) in the list; the last one is on top of all. Return whether it can move."""
    moved = move_row(armature.verbs_adverbs, "layers", "active_layer", index, step)
    if moved:
        keep_in_step(armature)
    return moved


def _check_name(armature: Object, name: str, others: Iterable[PropertyGroup]) -> None:
    """Check that the names of a layer's sliders are free: no adverb and no other layer may use them.

    Raises
    ------
    VerbError
        If they cannot.
    """
    taken = [item.name for item in armature.verbs_adverbs.adverbs]
    taken += [slider for item in others for slider in sliders_named(item.name)]
    for slider in sliders_named(name):
        checked_name(slider, "adverb", taken)


def take_bones(armature: Object, item: PropertyGroup, bones: Iterable[str]) -> None:
    """Set the bones that a layer moves, with everything below them.

    Raises
    ------
    VerbsError
        If there are none, or the layer's verb moves none of them. Nothing is changed then.
    """
    chosen = _highest(armature, bones)
    if not chosen:
        raise LayerError(
            "No bones are selected. In Pose Mode, select the first bone of each limb, such as the upper arm."
        )
    collection, former = item.collection, told_bones(item)
    item.collection = ""
    _put_bones(item, chosen)
    try:
        _check(armature, item, _below(armature, _verb_of(armature, item)))
    except VerbsError:
        item.collection = collection
        _put_bones(item, former)
        raise


def change_verb(armature: Object, item: PropertyGroup, verb: PropertyGroup) -> None:
    """Change the verb that a layer plays.

    Raises
    ------
    VerbsError
        If the verb cannot be built, or moves none of the layer's bones. Nothing has changed then.
    """
    former = item.verb, item.verb_name
    item.verb, item.verb_name = verb.uid, verb.name
    try:
        _check(armature, item, _below(armature, verb))
    except VerbsError:
        item.verb, item.verb_name = former
        raise
    keep_in_step(armature)
