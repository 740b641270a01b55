"""What is stored of an armature's layers, and the sliders with which a director starts and weights them."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Context, Object, PropertyGroup

from ...core.errors import LayerError
from ...core.layers.switches import STOP, SWITCH_NUMBERS, SWITCH_WISHES, WEIGHT, layer_of, sliders_named
from ..blender.naming import cut, free_name
from .action_properties import VERBS_ADVERBS_TextItem
from .adverb_values import all_curves, slider_of
from .current import armature_of
from .schema import ADDED

SPACES = (
    ("PARENT", "Parent", "Bones keep the layer's rotation relative to their parents"),
    (
        "CHARACTER",
        "Character",
        "Bones keep the layer's rotation relative to the character, however the motion below leans or turns",
    ),
)
MODES = (
    ("OVERRIDE", "Override", "The layer replaces the motion below"),
    ("ADDITIVE", "Additive", "The layer's change from its first pose is added to the motion below"),
)
HELD = (
    ("REFUSE", "Refuse", "The layer does not start, and the panel says why"),
    ("WAIT", "Wait", "The layer starts as soon as the other one is over"),
    ("REPLACE", "Replace", "The other layer fades out for this one"),
    ("SHARE", "Share", "Both play, the one lower in the list on top"),
)
LAYER_STATES = {
    "started": "Fading in, started at {since}.",
    "executing": "Playing, started at {since}.",
    "stopping": "Stopping since {at}: playing to its end or fading out.",
    "finished": "Ended at {at}.",
    "queued": "Waiting since {at} for the layers that have its bones.",
    "refused": "Could not start at {at}.",
}
"""Events of layers, and the text shown for each."""
NUMBERED = f" 999{WEIGHT}"
"""The longest suffix that has to fit after the name of a layer."""


def _seconds(name: str, description: str) -> Any:
    return FloatProperty(
        name=name, description=description, default=0.4, min=0.0, soft_max=2.0, max=60.0, step=5, precision=2
    )


def told_bones(item: PropertyGroup) -> list[str]:
    """Return names of the bones that were chosen for a layer."""
    return [bone.text for bone in item.bones]


def members_of(armature: Object, collection: str) -> list[str]:
    """Return the bones' names in one of an armature's bone collections; in Edit Mode they are read from edit bones."""
    data = armature.data
    found = data.collections_all.get(collection) if collection else None
    if found is None:
        return []
    if data.is_editmode:
        return sorted(
            one.name for one in data.edit_bones if found in one.collections.values() and one.name in data.bones
        )
    return sorted(bone.name for bone in found.bones)


def chosen_bones(armature: Object, item: PropertyGroup) -> list[str]:
    """Return names of the bones that a layer should move: those in its bone collection, or else those chosen for it."""
    return members_of(armature, item.collection) if item.collection else told_bones(item)


def keyed_before(armature: Object) -> set[str]:
    """Return names of removed layers whose sliders still have keys in what the director plays."""
    director = armature.verbs_adverbs.director
    if director is None:
        return set()
    known = {item.name for item in director.verbs_adverbs.adverbs}
    sliders = {slider_of(curve.data_path) for curve in all_curves(director)} - known
    return {name for slider in sliders if (name := layer_of(slider))}


def _named(layer: PropertyGroup, _context: Context) -> None:
    """Correct a typed name, so that it is unique among layers and short enough for the layer's sliders."""
    armature = armature_of(layer)
    rig = armature.verbs_adverbs
    taken = {item.name for item in rig.layers if item.uid != layer.uid} | {layer_of(item.name) for item in rig.adverbs}
    taken |= keyed_before(armature)
    typed = cut(layer.name.strip() or layer.verb_name, NUMBERED).removesuffix(NUMBERED)
    name = free_name(typed, taken)
    if name != layer.name:
        layer.name = name


class VERBS_ADVERBS_LayerPair(PropertyGroup):
    """What happens to a layer if one particular other layer holds bones that it claims."""

    layer: StringProperty(name="Layer", description="Identifier of the other layer")
    held: EnumProperty(name="If Taken", description="What happens when that layer has the bones", items=HELD)


class VERBS_ADVERBS_LayerItem(PropertyGroup):
    """A layer: a verb, or the gestures on a director's words, on some bones, on top of whatever the director plays."""

    uid: StringProperty(name="Identifier", description="Identifier that stays the same when the layer is renamed")
    name: StringProperty(
        name="Name",
        description="Name of the layer; its sliders and their keys use this name",
        update=_named,
    )
    enabled: BoolProperty(name="Use", description="Whether the layer can be started", default=True)
    talks: BoolProperty(name="Gestures", description="Plays the gestures on the director's words instead of a verb")
    verb: StringProperty(name="Verb", description="Identifier of the verb that the layer plays")
    verb_name: StringProperty(name="Verb", description="Last known name of the verb")
    bones: CollectionProperty(type=VERBS_ADVERBS_TextItem, override=ADDED)
    collection: StringProperty(
        name="Collection", description="Bone collection that the layer moves, instead of individual bones"
    )
    taper: IntProperty(
        name="Taper",
        description="Number of parent bones, such as those of the spine, over which the layer's influence fades out",
        default=0,
        min=0,
        soft_max=4,
        max=20,
    )
    space: EnumProperty(name="Space", description="Space in which the layer rotates bones", items=SPACES)
    mode: EnumProperty(name="Mode", description="How the layer combines with the motion below", items=MODES)
    fade_in: _seconds("In", "Fade-in time in seconds")
    fade_out: _seconds("Out", "Fade-out time in seconds")
    times: IntProperty(
        name="Times",
        description="Number of times the verb or its cycle plays; 0 to play until the layer is stopped",
        default=1,
        min=0,
        soft_max=20,
        max=10000,
    )
    follows: BoolProperty(
        name="In Step", description="Synchronise the layer's cycle with the cycle below, such as a walk"
    )
    finishes: BoolProperty(
        name="Finish",
        description="When stopped, play the verb to its end; otherwise fade out at once",
        default=True,
    )
    claims: BoolProperty(
        name="Claim", description="While this layer plays, no other layer may use its bones", default=True
    )
    when_held: EnumProperty(
        name="If Taken", description="What happens if another layer is using bones that this one claims", items=HELD
    )
    pairs: CollectionProperty(type=VERBS_ADVERBS_LayerPair)
    priority: IntProperty(
        name="Priority",
        description="A layer with higher priority takes bones from layers with lower priority",
        default=0,
    )
    apart: BoolProperty(
        name="Keep Hands Apart", description="Keep the distance between both hands as it is in the layer's own motion"
    )


class Slider(NamedTuple):
    """A slider of a director that is not an adverb's; its fields are those of an adverb's definition."""

    uid: str
    name: str
    minimum: float
    maximum: float
    default: float
    unit: str
    description: str


def switch_of(layer: PropertyGroup) -> str:
    """Return the name of the slider that starts and stops a layer."""
    return sliders_named(layer.name)[0]


def weight_of(layer: PropertyGroup) -> str:
    """Return the name of the slider of a layer's weight."""
    return sliders_named(layer.name)[1]


def sliders_of(armature: Object) -> "list[PropertyGroup | Slider]":
    """Return what an armature's director has sliders for: its adverbs, and two for each of its layers."""
    rig = armature.verbs_adverbs
    found: list[PropertyGroup | Slider] = list(rig.adverbs)
    bounds = float(min(SWITCH_WISHES)), float(max(SWITCH_WISHES)), float(STOP)
    numbers = {wish: ", ".join(map(str, several)) for wish, several in SWITCH_NUMBERS.items()}
    told = (
        "{stop} stops it and {stop_hard} at once; {start} start it, {instead} instead of what has its bones, "
        "{after} after that"
    ).format_map(numbers)
    for layer in rig.layers:
        found.append(Slider(f"{layer.uid}s", switch_of(layer), *bounds, "", f"Layer '{layer.name}': {told}"))
        found.append(
            Slider(f"{layer.uid}w", weight_of(layer), 0.0, 1.0, 1.0, "", f"How much of layer '{layer.name}' is seen")
        )
    return found


def add_talk_layer(armature: Object, director: Object, uid: str, name: str, bones: Iterable[str]) -> PropertyGroup:
    """Add the layer that plays the gestures on a director's words, and return it; on an override, store it there too.

    Parameters
    ----------
    uid, name : identifier and name of the layer.
    bones : the topmost of the bones that it moves.
    """
    item, bones = armature.verbs_adverbs.layers.add(), list(bones)
    item.uid, item.talks, item.verb_name, item.name, item.times, item.fade_in = uid, True, name, name, 0, 0.0
    item.claims = False
    for bone in bones:
        item.bones.add().text = bone
    if armature.override_library is not None:
        director.verbs_adverbs.speech.layer = json.dumps({"uid": uid, "name": name, "bones": bones})
    return item


def restore_talk_layer(armature: Object, director: Object) -> None:
    """Restore the layer of gestures that was added to an override here, if it is missing.

    Blender 5.2 saves what is added to a list of an override only if the list is not empty in its own file.
    """
    told, layers = director.verbs_adverbs.speech.layer, armature.verbs_adverbs.layers
    if not told or armature.override_library is None or any(item.talks for item in layers):
        return
    try:
        found = json.loads(told)
        uid, name, bones = str(found["uid"]), str(found["name"]), [str(bone) for bone in found["bones"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        return
    add_talk_layer(armature, director, uid, name, bones)


def layer_sliders(armature: Object) -> tuple[str, ...]:
    """Return names of the sliders of an armature's layers."""
    return tuple(name for layer in armature.verbs_adverbs.layers for name in sliders_named(layer.name))


def held_beside(item: PropertyGroup, other: PropertyGroup) -> str:
    """Return what happens to a layer if another one holds what it claims; empty for the same as with all others."""
    return next((pair.held for pair in item.pairs if pair.layer == other.uid), "")


def hold_beside(armature: Object, item: PropertyGroup, uid: str, held: str) -> str:
    """Set what happens to a layer if another one holds what it claims; if empty, the same as with all others.

    Returns
    -------
    Name of the other layer.

    Raises
    ------
    LayerError
        If there is no other layer with this identifier.
    """
    other = next((one for one in armature.verbs_adverbs.layers if one.uid == uid and uid != item.uid), None)
    if other is None:
        raise LayerError(f"'{armature.name}' does not have that layer. Choose one of its layers.")
    known = next((row for row, pair in enumerate(item.pairs) if pair.layer == uid), -1)
    if known >= 0:
        item.pairs.remove(known)
    if held:
        pair = item.pairs.add()
        pair.layer, pair.held = uid, held
    return other.name


CLASSES = (VERBS_ADVERBS_LayerPair, VERBS_ADVERBS_LayerItem)
