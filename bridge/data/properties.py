"""What is stored in the file: annotations on actions, definitions on armatures, a performance on its director.

Frames are kept as floats (an event may lie between frames); every example notes the frame rate that its frames were
made at. `SCHEMA` is written with the data: a newer number is shown, kept and not edited.
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
from .graph_properties import CLASSES as GRAPH_CLASSES
from .graph_properties import VERBS_ADVERBS_Performance, VERBS_ADVERBS_TransitionItem
from .reach_properties import CLASSES as REACH_CLASSES
from .reach_properties import (
    VERBS_ADVERBS_Refinement,
    VERBS_ADVERBS_TargetItem,
    VERBS_ADVERBS_VerbAdverbItem,
)
from .schema import ENDS, KERNELS, KINDS, RESULTS, TIMINGS


class VERBS_ADVERBS_FootItem(PropertyGroup):
    """Bones of one leg that tell when its foot is down."""

    name: StringProperty(name="Side", description="Names of keytimes begin with it, such as L in L_down")
    thigh: StringProperty(name="Thigh", description="Bone at whose head the leg begins")
    ankle: StringProperty(name="Ankle", description="Bone at whose head the leg ends")
    ball: StringProperty(name="Ball", description="Bone that carries the ball of the foot, such as the toes")
    ball_end: EnumProperty(name="End", description="Which end of it touches the floor", items=ENDS, default="HEAD")
    heel: StringProperty(name="Heel", description="Bone that lands first; empty to guess where the heel is")
    heel_end: EnumProperty(name="End", description="Which end of it touches the floor", items=ENDS, default="HEAD")


class VERBS_ADVERBS_TextItem(PropertyGroup):
    """A line of text in a list of results."""

    kind: EnumProperty(name="Kind", items=RESULTS, default="INFO")
    text: StringProperty(name="Text")


def _keytime_edited(keytime: PropertyGroup, _context: bpy.types.Context) -> None:
    from .markers import follow_keytime

    follow_keytime(keytime.id_data, keytime)


def _start_edited(example: PropertyGroup, _context: bpy.types.Context) -> None:
    from .markers import follow_span

    follow_span(example, "start")


def _end_edited(example: PropertyGroup, _context: bpy.types.Context) -> None:
    from .markers import follow_span

    follow_span(example, "end")


class VERBS_ADVERBS_KeytimeItem(PropertyGroup):
    """A named instant of an example; the first and the last are the ends of its span."""

    uid: IntProperty(name="Identifier", description="Number that stays when the keytime is renamed or moved")
    name: StringProperty(
        name="Name",
        description="Event at this instant, the same in all examples of a verb",
        update=_keytime_edited,
    )
    frame: FloatProperty(
        name="Frame",
        description="Frame of the event; may lie between frames",
        precision=2,
        step=100,
        update=_keytime_edited,
    )
    marker_frame: IntProperty(name="Marker Frame", description="Frame of the pose marker when it was last in step")
    marker_name: StringProperty(name="Marker Name", description="Name of the pose marker when it was last in step")
    placed: FloatProperty(name="Placed", description="Frame at which copying put it; elsewhere, the user moved it")


class VERBS_ADVERBS_WindowItem(PropertyGroup):
    """A span of frames in which a contact point stands still."""

    start: FloatProperty(name="Start", description="First frame of the contact", precision=2, step=100)
    end: FloatProperty(name="End", description="Last frame of the contact", precision=2, step=100)


class VERBS_ADVERBS_ContactItem(PropertyGroup):
    """A point of an end effector and the windows in which it is planted."""

    bone: StringProperty(name="Bone", description="Bone that carries the contact point")
    end: EnumProperty(name="End", description="Which end of the bone stands still", items=ENDS, default="HEAD")
    windows: CollectionProperty(type=VERBS_ADVERBS_WindowItem)
    active_window: IntProperty(name="Active Window", min=0)


class VERBS_ADVERBS_AdverbValueItem(PropertyGroup):
    """Where an example lies along one adverb."""

    name: StringProperty(name="Adverb", description="Name of the adverb on the armature")
    value: FloatProperty(name="Value", description="How much of the adverb this example shows")


class VERBS_ADVERBS_ExampleItem(PropertyGroup):
    """A named piece of an action that shows one mood of a verb."""

    uid: StringProperty(name="Identifier", description="Identifier that stays when the example is renamed")
    name: StringProperty(name="Name", description="Name of the example")
    start: FloatProperty(
        name="Start", description="First frame of the example", precision=2, step=100, update=_start_edited
    )
    end: FloatProperty(name="End", description="Last frame of the example", precision=2, step=100, update=_end_edited)
    kind: EnumProperty(
        name="Kind",
        items=KINDS,
        default="TRAVELLING",
        description="What the root does: travels, treads on the spot, or stays",
    )
    cyclic: BoolProperty(name="Cyclic", description="The last keytime is the first of the next cycle")
    keytimes: CollectionProperty(type=VERBS_ADVERBS_KeytimeItem)
    active_keytime: IntProperty(name="Active Keytime", min=0)
    contacts: CollectionProperty(type=VERBS_ADVERBS_ContactItem)
    active_contact: IntProperty(name="Active Contact", min=0)
    values: CollectionProperty(type=VERBS_ADVERBS_AdverbValueItem)
    fps: FloatProperty(name="Frame Rate", description="Frames per second that the frames were made at", min=0.0)


class VERBS_ADVERBS_TakeItem(PropertyGroup):
    """What a director's action cannot hold of a take: with what the performance began."""

    uid: StringProperty(name="Identifier", description="Identifier of the take, empty in an action that is none")
    start_verb: StringProperty(name="Begins With", description="Identifier of the verb that the take begins with")
    seed: IntProperty(name="Seed", min=0)
    settle: FloatProperty(name="Settle", min=0.0)
    last_frame: IntProperty(name="Last Frame", description="Frame at which the take ends")
    values: CollectionProperty(type=VERBS_ADVERBS_AdverbValueItem)


class VERBS_ADVERBS_ActionAnnotation(PropertyGroup):
    """The examples of an action, or the take that it is."""

    schema: IntProperty(name="Schema")
    next_id: IntProperty(name="Next Identifier", default=1)
    examples: CollectionProperty(type=VERBS_ADVERBS_ExampleItem)
    active_example: IntProperty(name="Active Example", min=0)
    found: CollectionProperty(type=VERBS_ADVERBS_TextItem)
    cycles: IntProperty(name="Cycles", description="Usable cycles that were found in it, -1 before a look", default=-1)
    take: PointerProperty(type=VERBS_ADVERBS_TakeItem)


class VERBS_ADVERBS_AdverbItem(PropertyGroup):
    """An adverb of the armature: a name with a range."""

    uid: StringProperty(name="Identifier", description="Identifier that stays when the adverb is renamed")
    name: StringProperty(name="Name", description="Name of the adverb")
    minimum: FloatProperty(name="Minimum", description="Lowest value that its slider can be dragged to", default=-1.0)
    maximum: FloatProperty(name="Maximum", description="Highest value that its slider can be dragged to", default=1.0)
    default: FloatProperty(name="Default", description="Value that the slider has when nothing is said", default=0.0)
    unit: StringProperty(name="Unit", description="Unit for display, such as m/s")
    description: StringProperty(name="Description", description="What the adverb means, for its slider's tooltip")


class VERBS_ADVERBS_ExampleRef(PropertyGroup):
    """An example that a verb is built from."""

    action: PointerProperty(type=bpy.types.Action, name="Action")
    example_uid: StringProperty(name="Example", description="Identifier of the example in its action")
    enabled: BoolProperty(name="Use", description="Build the verb from this example", default=True)
    action_name: StringProperty(name="Action Name", description="Name of the action when it was last seen")
    example_name: StringProperty(name="Example Name", description="Name of the example when it was last seen")


class VERBS_ADVERBS_VerbItem(PropertyGroup):
    """A verb of the armature: examples, the adverbs they lie in, and how it is built."""

    uid: StringProperty(name="Identifier", description="Identifier that stays when the verb is renamed")
    name: StringProperty(name="Name", description="Name of the verb")
    adverbs: CollectionProperty(type=VERBS_ADVERBS_VerbAdverbItem)
    active_adverb: IntProperty(name="Active Adverb", min=0)
    examples: CollectionProperty(type=VERBS_ADVERBS_ExampleRef)
    active_example: IntProperty(name="Active Example", min=0)
    control_points: IntProperty(
        name="Control Points", description="B-spline control points of every curve", default=32, min=4, soft_max=128
    )
    kernel: EnumProperty(
        name="Kernel",
        description="How the influence of an example fades with distance from it",
        items=KERNELS,
        default="CUBIC_B_SPLINE",
    )
    degree: IntProperty(
        name="Degree",
        description="Degree of the polynomial under the kernels: 2 a paraboloid, 1 a plane, 0 the mean",
        default=1,
        min=0,
        max=2,
    )
    radius_factor: FloatProperty(
        name="Radius",
        description="Reach of a kernel, times the distance to the nearest example",
        default=2.0,
        min=0.1,
        soft_max=10.0,
    )
    timing: EnumProperty(
        name="Timing",
        description="How generic time is shared among the segments between keytimes",
        items=TIMINGS,
        default="MEAN_SHARE",
    )
    hold_contacts: BoolProperty(
        name="Hold Contacts",
        description="Keep planted points still while a cycle is closed, at one height over the ground in all examples",
        default=True,
    )
    number: IntProperty(name="Number", description="Number that commands call the verb by; stays when it is renamed")
    goes_on: FloatProperty(
        name="Goes On",
        description="How likely a cyclic verb follows itself, against its transitions, when nothing is asked",
        default=1.0,
        min=0.0,
        soft_max=10.0,
    )
    built_hash: StringProperty(name="Built From", description="Digest of what the verb was last built from")
    built_root: StringProperty(name="Built With Root", description="Root that the verb was last built with")
    results: CollectionProperty(type=VERBS_ADVERBS_TextItem)
    targets: CollectionProperty(type=VERBS_ADVERBS_TargetItem)
    active_target: IntProperty(name="Active Target", min=0)
    refinement: PointerProperty(type=VERBS_ADVERBS_Refinement)


def _is_armature(_group: PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "ARMATURE"


def _is_empty(_group: PropertyGroup, candidate: bpy.types.Object) -> bool:
    return candidate.type == "EMPTY"


class VERBS_ADVERBS_RigDefinition(PropertyGroup):
    """On an armature object its verbs and adverbs; on a director what it performs."""

    schema: IntProperty(name="Schema")
    root: StringProperty(
        name="Root", description="Bone that carries the travel; empty to guess, <object> for the object itself"
    )
    feet: CollectionProperty(type=VERBS_ADVERBS_FootItem)
    adverbs: CollectionProperty(type=VERBS_ADVERBS_AdverbItem)
    active_adverb: IntProperty(name="Active Adverb", min=0)
    verbs: CollectionProperty(type=VERBS_ADVERBS_VerbItem)
    active_verb: IntProperty(name="Active Verb", min=0)
    next_number: IntProperty(name="Next Number", description="Number of the next verb", default=1)
    transitions: CollectionProperty(type=VERBS_ADVERBS_TransitionItem)
    active_transition: IntProperty(name="Active Transition", min=0)
    director: PointerProperty(type=bpy.types.Object, name="Director", poll=_is_empty)
    reference: FloatVectorProperty(
        name="Reference", description="Rotation of the root that counts as heading 0 for all verbs", size=4
    )
    reference_root: StringProperty(name="Reference Root", description="Root that the reference was measured on")

    directs: PointerProperty(type=bpy.types.Object, name="Armature", poll=_is_armature)
    wanted_by: StringProperty(name="Wanted By", description="Name of the armature that it is a target of")
    verb: StringProperty(name="Verb", description="Verb that the director plays")
    live: BoolProperty(name="Live", description="The verb moves the armature")
    start_frame: IntProperty(
        name="Start Frame",
        description="Frame at which the performance begins",
        default=1,
        soft_min=-FARTHEST_FRAME,
        soft_max=FARTHEST_FRAME,
    )
    generated: PointerProperty(type=bpy.types.Action, name="Generated Action")
    kept: PointerProperty(
        type=bpy.types.Action, name="Kept Action", description="What was changed by hand while the verb played"
    )
    saved_action: PointerProperty(type=bpy.types.Action, name="Action Before")
    saved_slot: StringProperty(name="Slot Before", description="Slot that was assigned before the verb went live")
    saved_pose: StringProperty(name="Pose Before", description="Pose before the verb went live, as JSON")
    performance: PointerProperty(type=VERBS_ADVERBS_Performance)


CLASSES = (
    *GRAPH_CLASSES,
    *REACH_CLASSES,
    VERBS_ADVERBS_FootItem,
    VERBS_ADVERBS_TextItem,
    VERBS_ADVERBS_KeytimeItem,
    VERBS_ADVERBS_WindowItem,
    VERBS_ADVERBS_ContactItem,
    VERBS_ADVERBS_AdverbValueItem,
    VERBS_ADVERBS_ExampleItem,
    VERBS_ADVERBS_TakeItem,
    VERBS_ADVERBS_ActionAnnotation,
    VERBS_ADVERBS_AdverbItem,
    VERBS_ADVERBS_ExampleRef,
    VERBS_ADVERBS_VerbItem,
    VERBS_ADVERBS_RigDefinition,
)
