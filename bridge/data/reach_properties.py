"""What is stored of a verb's reach: what its adverbs measure, objects that ask for places, and its refinement."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import PropertyGroup

from ..blender.redraw import redraw_areas
from .schema import ENDS, MEASURES, SPACES


class VERBS_ADVERBS_VerbAdverbItem(PropertyGroup):
    """An adverb that a verb varies along, and what it measures there."""

    name: StringProperty(name="Name")
    measure: EnumProperty(name="Measures", description="What the adverb is a measure of", items=MEASURES)
    bone: StringProperty(name="Bone", description="Bone whose place is measured, such as a hand")
    end: EnumProperty(name="End", description="Which end of the bone is measured", items=ENDS, default="TAIL")
    keytime: StringProperty(name="Keytime", description="Moment at which the place is measured")
    space: EnumProperty(name="Seen", description="From where the place is seen", items=SPACES)


def _object_chosen(target: PropertyGroup, _context: bpy.types.Context) -> None:
    from .targets import settle_targets

    settle_targets(target.id_data)


def _goes_its_own_way(target: PropertyGroup, candidate: bpy.types.Object) -> bool:
    armature = target.id_data
    return candidate not in {armature, armature.verbs_adverbs.director} and candidate.parent != armature


class VERBS_ADVERBS_TargetItem(PropertyGroup):
    """An object that a bone reaches for: it moves the adverbs that measure the bone's place."""

    object: PointerProperty(
        type=bpy.types.Object,
        name="Object",
        description="Object that the bone reaches for",
        poll=_goes_its_own_way,
        update=_object_chosen,
    )
    bone: StringProperty(name="Bone", description="Bone that reaches for the object")
    end: EnumProperty(name="End", description="Which end of the bone is measured", items=ENDS, default="TAIL")
    keytime: StringProperty(name="Keytime", description="Moment at which the bone is there")
    before: StringProperty(name="Before", description="What the sliders said before the object moved them, as JSON")


def _redraw(_group: PropertyGroup, _context: bpy.types.Context) -> None:
    redraw_areas()


class VERBS_ADVERBS_Refinement(PropertyGroup):
    """Pseudo-examples of a verb, and what they came to."""

    count: IntProperty(
        name="Pseudo-Examples", description="How many are put in at most", default=20, min=1, soft_max=60, max=200
    )
    percent: FloatProperty(
        name="Good Enough",
        description="Stop when nothing is missed by more, in percent of the region's diagonal",
        default=0.2,
        min=0.0,
        soft_max=5.0,
        precision=2,
    )
    between: BoolProperty(
        name="Between Examples",
        description="Look only at what lies between the examples, not throughout the ranges of the adverbs",
        default=False,
    )
    exactly: BoolProperty(
        name="Exactly",
        description="Search once more at every pose that is played, from where the pseudo-examples lead",
        default=False,
    )
    heat_map: BoolProperty(
        name="Heat Map",
        description="Draw where the adverbs ask the bone to be, coloured by how far it is off, joined to where it is",
        default=False,
        update=_redraw,
    )
    text: StringProperty(name="Pseudo-Examples", description="Their places, weights and radii, as JSON")
    made_from: StringProperty(name="Made From", description="Digest of the verb that they were made for")
    unit: StringProperty(name="Unit", description="Of what is measured, empty where it has several")
    diagonal: FloatProperty(name="Diagonal", description="Of the region that is asked for, in the unit")
    average_before: FloatProperty(name="Average Before", description="Error in percent of the diagonal")
    maximum_before: FloatProperty(name="Maximum Before", description="Error in percent of the diagonal")
    average_after: FloatProperty(name="Average After", description="Error in percent of the diagonal")
    maximum_after: FloatProperty(name="Maximum After", description="Error in percent of the diagonal")
    average_exact: FloatProperty(name="Average Exactly", description="Error in percent of the diagonal")
    maximum_exact: FloatProperty(name="Maximum Exactly", description="Error in percent of the diagonal")


CLASSES = (VERBS_ADVERBS_VerbAdverbItem, VERBS_ADVERBS_TargetItem, VERBS_ADVERBS_Refinement)
