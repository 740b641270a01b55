"""What is stored on objects: on an armature its verbs, adverbs, reach and transitions; on a director its performance.

The version number `SCHEMA` is stored with the data. Data with a higher one is shown and kept, but not edited.
"""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import PropertyGroup

from ...core.bounds import FARTHEST_FRAME
from ..blender.events import redraw_areas
from . import layer_properties
from .action_properties import VERBS_ADVERBS_Between, VERBS_ADVERBS_Counted
from .bones import names as bone_properties
from .current import armature_of
from .example_list import VERBS_ADVERBS_ExampleRef
from .schema import (
    BUILT,
    EARLIEST,
    ENDS,
    KERNELS,
    LOOKS,
    MEASURES,
    MENDS,
    OWN,
    RESULTS,
    SEARCHES,
    SPACES,
    STEERINGS,
    TIMINGS,
    TOUCHES,
)
from .transition_items import VERBS_ADVERBS_TransitionItem


class VERBS_ADVERBS_ReportLine(PropertyGroup):
    """A report line about a verb, or about one of its examples, and the fix for it."""

    kind: EnumProperty(name="Kind", items=RESULTS, default="INFO")
    text: StringProperty(name="Text")
    row: IntProperty(name="Example", description="Row of the example in the verb's list; -1 for none", default=-1)
    mend: EnumProperty(name="Fix", items=MENDS, default="NONE")
    other: IntProperty(name="Other Example", description="Row of a second example; -1 for none", default=-1)
    number: IntProperty(name="Number", description="Row of a keytime, or degree of a kernel", default=-1)
    frame: FloatProperty(name="Frame", description="New frame of a keytime")
    word: StringProperty(name="Word", description="Name of an adverb, or identifier of a kernel")


class VERBS_ADVERBS_VerbAdverbItem(PropertyGroup):
    """An adverb that a verb varies along, and what it measures in this verb."""

    name: StringProperty(name="Name")
    measure: EnumProperty(name="Measures", description="What the adverb measures", items=MEASURES)
    bone: StringProperty(name="Bone", description="Bone to measure, such as a hand")
    end: EnumProperty(name="End", description="End of the bone to measure", items=ENDS, default="TAIL")
    keytime: StringProperty(name="Keytime", description="Keytime at which to measure")
    space: EnumProperty(name="Relative To", description="Origin and axes for the measurement", items=SPACES)


def _object_chosen(target: PropertyGroup, _context: bpy.types.Context) -> None:
    from .targets import settle_targets

    settle_targets(armature_of(target))


def _goes_its_own_way(target: PropertyGroup, candidate: bpy.types.Object) -> bool:
    armature = target.id_data
    return candidate not in {armature, armature.verbs_adverbs.director} and candidate.parent != armature


class VERBS_ADVERBS_TargetItem(PropertyGroup):
    """An object that a bone reaches for: it drives the adverbs that measure the bone's position."""

    object: PointerProperty(
        type=bpy.types.Object,
        name="Object",
        description="Object that the bone reaches for",
        poll=_goes_its_own_way,
        update=_object_chosen,
    )
    bone: StringProperty(name="Bone", description="Bone that reaches for the object")
    end: EnumProperty(name="End", description="End of the bone to measure", items=ENDS, default="TAIL")
    keytime: StringProperty(name="Keytime", description="Keytime at which the bone reaches the object")
    before: StringProperty(name="Before", description="Values of the sliders before the target moved them, as JSON")


def _redraw(_group: PropertyGroup, _context: bpy.types.Context) -> None:
    redraw_areas()


class VERBS_ADVERBS_Refinement(PropertyGroup):
    """The refinement of a verb: its settings, its pseudo-examples, and the errors without and with them."""

    count: IntProperty(
        name="Pseudo-Examples", description="Maximum number of pseudo-examples", default=20, min=1, soft_max=60, max=200
    )
    percent: FloatProperty(
        name="Stop Below (%)",
        description="Stop when the largest error is below this percentage of the region's diagonal",
        default=0.2,
        min=0.0,
        soft_max=5.0,
        precision=2,
    )
    between: BoolProperty(
        name="Between Examples",
        description="Refine only between the examples instead of over the full ranges of the adverbs",
    )
    exactly: BoolProperty(
        name="Exactly", description="For every pose that is played, refine the result of the pseudo-examples further"
    )
    search: EnumProperty(name="Search", description="Search method of Exactly", items=SEARCHES, default="LEAST_SQUARES")
    last_millimetres: EnumProperty(
        name="With IK",
        description="Rotate the parents of the measured bone until it reaches the target",
        items=TOUCHES,
    )
    heat_map: BoolProperty(
        name="Heat Map",
        description="Draw the positions that the adverbs ask for, coloured by the error, with lines to the positions "
        "that are reached",
        update=_redraw,
    )
    text: StringProperty(
        name="Pseudo-Examples", description="Positions, weights and radii of the pseudo-examples, as JSON"
    )
    made_from: StringProperty(name="Made From", description="Digest of the verb that the pseudo-examples were made for")
    unit: StringProperty(name="Unit", description="Unit of the measure; empty if there are several")
    diagonal: FloatProperty(name="Diagonal", description="Diagonal of the requested region, in this unit")
    average_before: FloatProperty(name="Average Before", description="Error in percent of the diagonal")
    maximum_before: FloatProperty(name="Maximum Before", description="Error in percent of the diagonal")
    average_after: FloatProperty(name="Average After", description="Error in percent of the diagonal")
    maximum_after: FloatProperty(name="Maximum After", description="Error in percent of the diagonal")
    average_exact: FloatProperty(name="Average Exactly", description="Error in percent of the diagonal")
    maximum_exact: FloatProperty(name="Maximum Exactly", description="Error in percent of the diagonal")
    average_line: FloatProperty(name="Average by Line", description="Error in percent of the diagonal")
    maximum_line: FloatProperty(name="Maximum by Line", description="Error in percent of the diagonal")


def _is_floor(_group: PropertyGroup, candidate: bpy.types.Object) -> bool:
    """Return whether an object may be a floor: a mesh that is not a character's body."""
    moved = candidate.parent is not None and candidate.parent.type == "ARMATURE"
    return candidate.type == "MESH" and not moved and candidate.find_armature() is None


def _is_target(performance: PropertyGroup, candidate: bpy.types.Object) -> bool:
    """Return whether a character may be steered to an object: to a curve if it follows one, and never to itself."""
    director = performance.id_data
    own = {director, director.verbs_adverbs.directs}
    return candidate not in own and (performance.steer != "CURVE" or candidate.type == "CURVE")


def _target_chosen(performance: PropertyGroup, _context: bpy.types.Context) -> None:
    armature = performance.id_data.verbs_adverbs.directs
    if performance.target is not None and armature is not None:
        performance.target.verbs_adverbs.wanted_by = armature.name


class VERBS_ADVERBS_Performance(PropertyGroup):
    """How a director performs: its settings for commands, steering and takes."""

    active: BoolProperty(name="Perform", description="Play the director's score through the verb graph")
    start_verb: StringProperty(name="Begins With", description="Identifier of the verb at the start of the performance")
    seed: IntProperty(name="Variation", description="Random seed for choices that no command decides", min=0)
    settle: FloatProperty(
        name="Smooth Time",
        description="Time in seconds that adverbs take to follow their sliders and keys; 0 to follow at once",
        default=0.8,
        min=0.0,
        soft_max=2.0,
    )
    lock_feet: BoolProperty(name="Lock Feet", description="Keep planted points fixed in place", default=True)
    steps_home: BoolProperty(
        name="Steps Home",
        description="A locked foot that has been away from its place in the verb for long takes a step back to it",
        default=True,
    )
    hinged_knees: BoolProperty(
        name="Hinged Knees",
        description="Bend the knees of locked legs as in the examples, never backward",
        default=True,
    )
    floor: PointerProperty(
        type=bpy.types.Object, name="Floor", description="Mesh that the character walks on", poll=_is_floor
    )
    steer: EnumProperty(
        name="Steer", description="How the character is steered during a performance", items=STEERINGS, default="NONE"
    )
    steer_by: StringProperty(name="Turns With", description="Adverb that turns the character")
    target: PointerProperty(
        type=bpy.types.Object,
        name="Target",
        description="Object to go to, or curve to follow",
        poll=_is_target,
        update=_target_chosen,
    )
    stops: BoolProperty(name="Stop There", description="Stop at the target, or at the end of the curve")
    stop_verb: StringProperty(
        name="Stops With",
        description="Identifier of the verb to stop with; empty for the one that stands",
    )
    reach_verb: StringProperty(name="Reaches With", description="Identifier of the verb that reaches; empty for none")
    stop_frame: IntProperty(
        name="At Frame",
        description="Frame at which the character should arrive, if possible; 0 for as soon as possible",
        min=0,
        soft_max=FARTHEST_FRAME,
    )
    frames_ahead: IntProperty(
        name="Frames Ahead",
        description="Number of frames computed at once while there are no new commands; 1 to compute each when it is "
        "shown",
        default=8,
        min=1,
        max=60,
    )
    replaces: BoolProperty(
        name="Replace Take",
        description="Replace the current take with the next one; otherwise each take gets its own action",
    )
    take: StringProperty(name="Take", description="Identifier of the take that the director plays")
    active_command: IntProperty(name="Active Command", min=0)
    in_hand: BoolProperty(name="In Hand", description="The character is being performed")


def _changed(group: PropertyGroup, _context: bpy.types.Context) -> None:
    """Notify Blender that a word has changed, so that playback is updated."""
    group.id_data.update_tag()
    redraw_areas()


class VERBS_ADVERBS_WordItem(PropertyGroup):
    """A word, its timing, and the gesture on it."""

    text: StringProperty(name="Word", description="The word; empty for a gesture without a word")
    start: FloatProperty(name="Start", description="Start time in scene seconds", precision=3)
    end: FloatProperty(name="End", description="End time in scene seconds", precision=3)
    target: FloatProperty(
        name="Emphasis", description="Time in scene seconds of a stroke on the word", precision=3, update=_changed
    )
    confidence: FloatProperty(
        name="Confidence", description="Reliability of the word's times", default=1.0, min=0.0, max=1.0
    )
    gesture: StringProperty(
        name="Gesture", description="Identifier of the gesture's verb; empty for none", update=_changed
    )
    look: EnumProperty(
        name="Look", description="What the character looks at from this word on", items=LOOKS, update=_changed
    )
    look_at: PointerProperty(
        type=bpy.types.Object, name="Object", description="Object to look at on this word", update=_changed
    )
    tag: StringProperty(name="Tag", description="Tags of this word in the text")
    strip: StringProperty(name="Strip", description="Name of the text strip that the word came from; empty for none")
    strip_text: StringProperty(name="Strip Text", description="Text of that strip when it was read")
    strip_start: IntProperty(name="Strip Start", description="First frame of that strip when it was read")
    strip_end: IntProperty(name="Strip End", description="Frame after the last one of that strip when it was read")
    known: FloatProperty(
        name="Known",
        description="Time in scene seconds at which it was said live, replacing words not said yet",
        default=EARLIEST,
    )
    from_rest: BoolProperty(name="From Rest", description="No gestures were playing when it was said live")
    take: StringProperty(name="Take", description="Identifier of the take in which it was said live; empty for any")


class VERBS_ADVERBS_Speech(PropertyGroup):
    """The words of a director."""

    words: CollectionProperty(type=VERBS_ADVERBS_WordItem)
    active_word: IntProperty(name="Active Word", min=0)
    next_text: StringProperty(
        name="Say", description="Text to say next, with tags such as <offer> before words that should have a gesture"
    )
    rate: FloatProperty(
        name="Words per Second",
        description="Number of words spoken per second",
        default=2.5,
        min=0.1,
        soft_max=5.0,
        max=20.0,
    )
    rendered_strips: BoolProperty(
        name="Rendered Strips",
        description="Rendering through the sequencer was switched off to show the plan, and will be restored",
    )
    patience: FloatProperty(
        name="Patience",
        description="Time in seconds for which a hand holds after a stroke before relaxing",
        default=1.0,
        min=0.0,
        soft_max=4.0,
        update=_changed,
    )
    looks_for: FloatProperty(
        name="Looks For",
        description="Duration of a look in seconds; 0 to hold it until the next look",
        default=0.0,
        min=0.0,
        soft_max=10.0,
        update=_changed,
    )
    head_speed: FloatProperty(
        name="Head Speed",
        description="Maximum speed of the head when looking, in degrees per second",
        default=200.0,
        min=30.0,
        max=1000.0,
        update=_changed,
    )
    layer: StringProperty(name="Layer", description="Gesture layer that this file adds to a library override, as JSON")
    curve: PointerProperty(
        type=bpy.types.NodeTree,
        name="Blending Curve",
        description="Node group with the curve that blends one gesture into the next; empty for the default curve",
        update=_changed,
    )


class VERBS_ADVERBS_AdverbItem(PropertyGroup):
    """An adverb of the armature: a name with a range."""

    uid: StringProperty(name="Identifier", description="Identifier that stays the same when the adverb is renamed")
    name: StringProperty(name="Name", description="Name of the adverb")
    minimum: FloatProperty(name="Minimum", description="Lowest value of the slider", default=-1.0)
    maximum: FloatProperty(name="Maximum", description="Highest value of the slider", default=1.0)
    default: FloatProperty(
        name="Default", description="Value that the slider starts with and returns to with Reset", default=0.0
    )
    unit: StringProperty(name="Unit", description="Unit shown with the value, such as m/s")
    description: StringProperty(name="Description", description="Meaning of the adverb, shown as the slider's tooltip")
    low_end: StringProperty(name="Low End", description="Meaning of the lowest value, such as sad; optional")
    high_end: StringProperty(name="High End", description="Meaning of the highest value, such as happy; optional")


class VERBS_ADVERBS_VerbItem(PropertyGroup):
    """A verb of the armature: its examples, its adverbs, and how it is built."""

    uid: StringProperty(name="Identifier", description="Identifier that stays the same when the verb is renamed")
    name: StringProperty(name="Name", description="Name of the verb")
    adverbs: CollectionProperty(type=VERBS_ADVERBS_VerbAdverbItem)
    active_adverb: IntProperty(name="Active Adverb", min=0)
    examples: CollectionProperty(type=VERBS_ADVERBS_ExampleRef)
    active_example: IntProperty(name="Active Example", min=0)
    control_points: IntProperty(
        name="Control Points",
        description="Number of B-spline control points of every curve",
        default=BUILT["control_points"],
        min=4,
        soft_max=128,
    )
    kernel: EnumProperty(
        name="Kernel",
        description="How the influence of an example decreases with distance from it",
        items=KERNELS,
        default=BUILT["kernel"],
    )
    degree: IntProperty(
        name="Degree",
        description="Degree of the polynomial below the kernels: 2 for a paraboloid, 1 for a plane, 0 for a constant",
        default=BUILT["degree"],
        min=0,
        max=2,
    )
    radius_factor: FloatProperty(
        name="Radius",
        description="Radius of a kernel, as a multiple of the distance to the nearest example",
        default=BUILT["radius_factor"],
        min=0.1,
        soft_max=10.0,
    )
    timing: EnumProperty(
        name="Timing",
        description="How generic time is divided among the segments between keytimes",
        items=TIMINGS,
        default=BUILT["timing"],
    )
    hold_contacts: BoolProperty(
        name="Hold Contacts",
        description="Keep planted points still when closing cycles, at the same height above ground in all examples",
        default=BUILT["hold_contacts"],
    )
    smoothing: FloatProperty(
        name="Smoothing",
        description="Time in seconds over which to smooth the keys of noisy examples; 0 for no smoothing",
        default=BUILT["smoothing"],
        min=0.0,
        soft_max=0.2,
        step=1,
        precision=3,
    )
    number: IntProperty(name="Number", description="Number of the verb in commands; stays the same when it is renamed")
    goes_on: FloatProperty(
        name="Repeats",
        description="Likelihood that a cyclic verb repeats rather than taking a transition, when there is no command",
        default=1.0,
        min=0.0,
        soft_max=10.0,
    )
    built_hash: StringProperty(name="Built From", description="Digest of what the verb was last built from")
    built_root: StringProperty(name="Built With Root", description="Root that the verb was last built with")
    results: CollectionProperty(type=VERBS_ADVERBS_ReportLine)
    checked_hash: StringProperty(name="Checked From", description="Digest of what was last checked for mistakes")
    suspects: CollectionProperty(type=VERBS_ADVERBS_ReportLine)
    targets: CollectionProperty(type=VERBS_ADVERBS_TargetItem)
    active_target: IntProperty(name="Active Target", min=0)
    refinement: PointerProperty(type=VERBS_ADVERBS_Refinement)


def _is_armature(_group: PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "ARMATURE"


def _is_empty(_group: PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "EMPTY"


class VERBS_ADVERBS_RigDefinition(PropertyGroup):
    """What the extension stores on an object: on an armature its verbs and adverbs, on a director what it plays."""

    schema: IntProperty(name="Schema")
    root: StringProperty(
        name="Root", description="Bone that carries the travel; empty to guess, <object> for the object itself"
    )
    feet: CollectionProperty(type=bone_properties.VERBS_ADVERBS_FootItem)
    bone_names: PointerProperty(type=bone_properties.VERBS_ADVERBS_BoneNames)
    adverbs: CollectionProperty(type=VERBS_ADVERBS_AdverbItem)
    active_adverb: IntProperty(name="Active Adverb", min=0, override=OWN)
    verbs: CollectionProperty(type=VERBS_ADVERBS_VerbItem)
    active_verb: IntProperty(name="Active Verb", min=0, override=OWN)
    next_number: IntProperty(name="Next Number", description="Number for the next verb", default=1)
    transitions: CollectionProperty(type=VERBS_ADVERBS_TransitionItem)
    active_transition: IntProperty(name="Active Transition", min=0, override=OWN)
    nodes: PointerProperty(type=bpy.types.NodeTree, name="Nodes", description="Node tree that shows the verb graph")
    layers: CollectionProperty(type=layer_properties.VERBS_ADVERBS_LayerItem, override=layer_properties.ADDED)
    active_layer: IntProperty(name="Active Layer", min=0, override=OWN)
    director: PointerProperty(type=bpy.types.Object, name="Director", poll=_is_empty, override=OWN)
    reference: FloatVectorProperty(
        name="Reference", description="Root rotation that counts as heading 0 in all verbs", size=4, override=OWN
    )
    reference_root: StringProperty(
        name="Reference Root", description="Root that the rotation was measured on", override=OWN
    )

    directs: PointerProperty(type=bpy.types.Object, name="Armature", poll=_is_armature)
    wanted_by: StringProperty(name="Target Of", description="Name of the armature that this object is a target for")
    verb: StringProperty(name="Verb", description="Verb that the director plays")
    live: BoolProperty(name="Live", description="The verb moves the armature")
    start_frame: IntProperty(
        name="Start Frame",
        description="Frame at which the performance starts",
        default=1,
        soft_min=-FARTHEST_FRAME,
        soft_max=FARTHEST_FRAME,
    )
    counted: PointerProperty(type=VERBS_ADVERBS_Counted)
    start_between: PointerProperty(type=VERBS_ADVERBS_Between)
    stop_between: PointerProperty(type=VERBS_ADVERBS_Between)
    generated: PointerProperty(type=bpy.types.Action, name="Generated Action")
    kept: PointerProperty(
        type=bpy.types.Action, name="Kept Action", description="Action edited while the verb played", override=OWN
    )
    saved_action: PointerProperty(type=bpy.types.Action, name="Action Before", override=OWN)
    saved_slot: StringProperty(name="Slot Before", description="Slot before the verb was switched on", override=OWN)
    saved_pose: StringProperty(
        name="Pose Before", description="Pose before the verb was switched on, as JSON", override=OWN
    )
    performance: PointerProperty(type=VERBS_ADVERBS_Performance)
    speech: PointerProperty(type=VERBS_ADVERBS_Speech)
    asset_of: StringProperty(
        name="Asset Of",
        description="Identifier of the verb whose asset this armature is; otherwise empty",
    )


CLASSES = (
    VERBS_ADVERBS_TransitionItem,
    VERBS_ADVERBS_Performance,
    VERBS_ADVERBS_ReportLine,
    VERBS_ADVERBS_VerbAdverbItem,
    VERBS_ADVERBS_TargetItem,
    VERBS_ADVERBS_Refinement,
    *bone_properties.CLASSES,
    VERBS_ADVERBS_AdverbItem,
    VERBS_ADVERBS_ExampleRef,
    VERBS_ADVERBS_VerbItem,
    *layer_properties.CLASSES,
    VERBS_ADVERBS_WordItem,
    VERBS_ADVERBS_Speech,
    VERBS_ADVERBS_RigDefinition,
)
