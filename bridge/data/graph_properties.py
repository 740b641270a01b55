"""What is stored of a verb graph on its armature, and of a performance on its director."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import PropertyGroup

from ...core.bounds import FARTHEST_FRAME
from .schema import STEERINGS, TRANSITION_KINDS


def _generic(name: str, description: str, default: float) -> FloatProperty:
    return FloatProperty(name=name, description=description, default=default, min=0.0, max=2.0, precision=3, step=1)


def _keytime(name: str) -> StringProperty:
    return StringProperty(name=name, description="Keytime that counts instead of the number, empty for the number")


class VERBS_ADVERBS_TransitionItem(PropertyGroup):
    """A way from one verb into another: which part of the one becomes which part of the other."""

    uid: StringProperty(name="Identifier", description="Identifier that stays when verbs are renamed")
    source: StringProperty(name="From", description="Identifier of the verb that is left")
    target: StringProperty(name="To", description="Identifier of the verb that is entered")
    source_name: StringProperty(name="From", description="Name of the verb that is left when it was last seen")
    target_name: StringProperty(name="To", description="Name of the verb that is entered when it was last seen")
    enabled: BoolProperty(name="Use", description="The performance may take this way", default=True)
    kind: EnumProperty(
        name="Kind", description="How one verb becomes the other", items=TRANSITION_KINDS, default="BLENDED"
    )
    likelihood: FloatProperty(
        name="Likelihood",
        description="How likely this way is drawn, against the others, when nothing is asked; 0 only on command",
        default=1.0,
        min=0.0,
        soft_max=10.0,
    )
    leaves_begin: _generic("Leaves From", "Generic time at which the old verb begins to be left", 0.0)
    leaves_end: _generic("Leaves To", "Generic time at which the old verb is left", 0.25)
    enters_begin: _generic("Enters From", "Generic time at which the new verb begins to be entered", 0.0)
    enters_end: _generic("Enters To", "Generic time at which the new verb plays alone", 0.25)
    leaves_begin_keytime: _keytime("Leaves From Keytime")
    leaves_end_keytime: _keytime("Leaves To Keytime")
    enters_begin_keytime: _keytime("Enters From Keytime")
    enters_end_keytime: _keytime("Enters To Keytime")


def _is_floor(_group: PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "MESH"


def _target_chosen(performance: PropertyGroup, _context: bpy.types.Context) -> None:
    armature = performance.id_data.verbs_adverbs.directs
    if performance.target is not None and armature is not None:
        performance.target.verbs_adverbs.wanted_by = armature.name


class VERBS_ADVERBS_Performance(PropertyGroup):
    """What a director performs besides single verbs: a walk through the verb graph, told by commands."""

    active: BoolProperty(name="Perform", description="The director plays its score through the verb graph")
    start_verb: StringProperty(
        name="Begins With", description="Identifier of the verb that the performance begins with"
    )
    seed: IntProperty(name="Seed", description="Number that decides what is drawn when nothing is asked", min=0)
    settle: FloatProperty(
        name="Settle",
        description="Seconds that adverbs take to follow their sliders",
        default=0.8,
        min=0.0,
        soft_max=2.0,
    )
    lock_feet: BoolProperty(name="Lock Feet", description="Planted points stay where they are", default=True)
    floor: PointerProperty(
        type=bpy.types.Object, name="Floor", description="Mesh that the character walks on", poll=_is_floor
    )
    steer: EnumProperty(
        name="Steer", description="Where the character is steered while it performs", items=STEERINGS, default="NONE"
    )
    steer_by: StringProperty(name="Steer By", description="Adverb that turns the character")
    target: PointerProperty(
        type=bpy.types.Object,
        name="Target",
        description="Object to go to, or curve to follow",
        update=_target_chosen,
    )
    stops: BoolProperty(name="Stop There", description="The character stops at the target, or at the curve's end")
    stop_verb: StringProperty(
        name="Stops With",
        description="Identifier of the verb that the character stops with, empty for the one that stands",
    )
    stop_frame: IntProperty(
        name="At Frame",
        description="Frame at which the character stands there if it can; 0 for as soon as it comes there",
        min=0,
        soft_max=FARTHEST_FRAME,
    )
    replaces: BoolProperty(
        name="Replace Take",
        description="The next take replaces the one that is there; otherwise each gets an action of its own",
    )
    take: StringProperty(name="Take", description="Identifier of the take that the director plays")
    active_command: IntProperty(name="Active Command", min=0)
    in_hand: BoolProperty(name="In Hand", description="The character is being performed at the moment")


CLASSES = (VERBS_ADVERBS_TransitionItem, VERBS_ADVERBS_Performance)
