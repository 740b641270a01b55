"""What is stored on actions (examples, takes, bakes), and also on directors about their frame rate."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import PropertyGroup

from ..blender.events import redraw_areas
from .current import action_of
from .markers import follow_keytime, follow_span
from .schema import BAKES, ENDS, KINDS, RESULTS, SOLES


def _read_otherwise(counted: PropertyGroup, _context: bpy.types.Context) -> None:
    """Notify Blender that the sampling of sliders changed, so that playback is updated."""
    counted.id_data.update_tag()
    redraw_areas()


class VERBS_ADVERBS_Counted(PropertyGroup):
    """The frame rate at which frames were set, and how often sliders are sampled.

    Both are stored as Blender stores the frame rate of a scene, as a number and its base, so that 24 / 1.001
    is exactly the same number again.
    """

    fps: FloatProperty(name="Frame Rate", description="Frame rate of the stored frames; 0 if not known", min=0.0)
    fps_base: FloatProperty(name="Base", description="Divisor of the frame rate", default=1.0, min=1e-5)
    reads: FloatProperty(
        name="Samples per Second",
        description=(
            "Samples per second of keyed or driven sliders; 0 for every frame. To Scene's Rate keeps this, so that "
            "the motion stays exactly the same"
        ),
        min=0.0,
        soft_max=240.0,
        update=_read_otherwise,
    )
    reads_base: FloatProperty(name="Base", description="Divisor of the samples per second", default=1.0, min=1e-5)


class VERBS_ADVERBS_Between(PropertyGroup):
    """Subframe offset of a time from the whole frame that is stored and shown for it.

    It applies only as long as that frame is the one that it was stored for: setting another frame overrides it.
    """

    frame: IntProperty(name="Frame", description="Whole frame before the stop")
    beyond: FloatProperty(name="Beyond", description="Fraction of a frame after that", min=0.0, max=1.0)


class VERBS_ADVERBS_TextItem(PropertyGroup):
    """A line of text in a list of results."""

    kind: EnumProperty(name="Kind", items=RESULTS, default="INFO")
    text: StringProperty(name="Text")


def _keytime_edited(keytime: PropertyGroup, _context: bpy.types.Context) -> None:
    follow_keytime(action_of(keytime), keytime)


def _start_edited(example: PropertyGroup, _context: bpy.types.Context) -> None:
    follow_span(example, "start")


def _end_edited(example: PropertyGroup, _context: bpy.types.Context) -> None:
    follow_span(example, "end")


def _warp_edited(example: PropertyGroup, _context: bpy.types.Context) -> None:
    """Notify Blender that the bounds of a gesture have changed, so that playback is updated."""
    action_of(example).update_tag()
    redraw_areas()


class VERBS_ADVERBS_KeytimeItem(PropertyGroup):
    """A named instant of an example; the first and the last are the ends of its span."""

    uid: IntProperty(name="Identifier", description="Number that stays the same when the keytime is renamed or moved")
    name: StringProperty(
        name="Name",
        description="Name of the event, the same in all examples of a verb",
        update=_keytime_edited,
    )
    frame: FloatProperty(
        name="Frame",
        description="Frame of the event; may be between whole frames",
        precision=2,
        step=100,
        update=_keytime_edited,
    )
    marker_frame: IntProperty(name="Marker Frame", description="Frame of the pose marker when last compared")
    marker_name: StringProperty(name="Marker Name", description="Name of the pose marker when last compared")
    placed: FloatProperty(name="Placed", description="Frame set by copying, unless it has been moved since")


class VERBS_ADVERBS_WindowItem(PropertyGroup):
    """A span of frames in which a contact point is planted."""

    start: FloatProperty(name="Start", description="First frame of the contact", precision=2, step=100)
    end: FloatProperty(name="End", description="Last frame of the contact", precision=2, step=100)


class VERBS_ADVERBS_ContactItem(PropertyGroup):
    """A point of an end effector and the windows in which it is planted."""

    bone: StringProperty(name="Bone", description="Bone with the contact point")
    end: EnumProperty(
        name="Point", description="Point of the bone that stands still", items=(*ENDS, *SOLES), default="HEAD"
    )
    windows: CollectionProperty(type=VERBS_ADVERBS_WindowItem)
    active_window: IntProperty(name="Active Window", min=0)


class VERBS_ADVERBS_AdverbValueItem(PropertyGroup):
    """The value of an example for one adverb."""

    name: StringProperty(name="Adverb", description="Name of the adverb on the armature")
    value: FloatProperty(name="Value", description="Value of the adverb in this example")


class VERBS_ADVERBS_ExampleItem(PropertyGroup):
    """A named piece of an action that shows one mood of a verb."""

    uid: StringProperty(name="Identifier", description="Identifier that stays the same when the example is renamed")
    name: StringProperty(name="Name", description="Name of the example")
    start: FloatProperty(
        name="Start", description="First frame of the example", precision=2, step=100, update=_start_edited
    )
    end: FloatProperty(name="End", description="Last frame of the example", precision=2, step=100, update=_end_edited)
    kind: EnumProperty(
        name="Kind",
        items=KINDS,
        default="TRAVELLING",
        description="Whether the root travels, moves on the spot, or stays in place",
    )
    cyclic: BoolProperty(
        name="Cyclic", description="The motion loops: the last keytime is the first one of the next cycle"
    )
    keytimes: CollectionProperty(type=VERBS_ADVERBS_KeytimeItem)
    active_keytime: IntProperty(name="Active Keytime", min=0)
    contacts: CollectionProperty(type=VERBS_ADVERBS_ContactItem)
    active_contact: IntProperty(name="Active Contact", min=0)
    values: CollectionProperty(type=VERBS_ADVERBS_AdverbValueItem)
    fps: FloatProperty(name="Frame Rate", description="Frame rate of the stored frames", min=0.0)
    shortest: FloatProperty(
        name="Shortest",
        description="Shortest a gesture phase may become when fitted to words, as a factor of its recorded length",
        default=0.7,
        min=0.05,
        soft_max=1.0,
        step=5,
        precision=2,
        update=_warp_edited,
    )
    longest: FloatProperty(
        name="Longest",
        description="Longest a gesture phase may become when fitted to words, as a factor of its recorded length",
        default=1.5,
        min=0.05,
        soft_min=1.0,
        soft_max=4.0,
        step=5,
        precision=2,
        update=_warp_edited,
    )


class VERBS_ADVERBS_TakeItem(PropertyGroup):
    """What a take needs besides the keys in the director's action: the verb that it begins with, and its end."""

    uid: StringProperty(name="Identifier", description="Identifier of the take; empty if the action is not a take")
    start_verb: StringProperty(name="Begins With", description="Identifier of the verb at the start of the take")
    seed: IntProperty(name="Variation", min=0)
    settle: FloatProperty(name="Smooth Time", min=0.0)
    last_frame: IntProperty(name="Last Frame", description="Last frame of the take")
    values: CollectionProperty(type=VERBS_ADVERBS_AdverbValueItem)


class VERBS_ADVERBS_BakeRecord(PropertyGroup):
    """What a baked action was made from, so that it can be baked again; and its keys, so that edits can be detected."""

    kind: EnumProperty(name="Bake", items=BAKES, default="NONE")
    options: StringProperty(name="Options", description="Settings of the bake, as JSON")
    armature: StringProperty(name="Armature", description="Name of the baked armature")
    director: StringProperty(name="Director", description="Name of the director that the bake was made from, if any")
    verb: StringProperty(name="Verb", description="Identifier of the baked verb, or of a verb of the character")
    slot: IntProperty(name="Slot", description="Handle of the baked slot; 0 where there are no slots")
    together: StringProperty(name="Together", description="Identifier shared by NLA strips that were baked together")
    layer: StringProperty(name="Layer", description="Which of these strips this is")
    first: FloatProperty(name="First Frame", description="Frame of the first key")
    last: FloatProperty(name="Last Frame", description="Frame of the last key")
    digest: StringProperty(name="Digest", description="Digest of the curves as baked")
    written: StringProperty(name="Written", description="The keys as baked, compressed")
    annotated: StringProperty(name="Annotated", description="Digest of the examples as marked")
    score: StringProperty(name="Score", description="Digest of the baked score; empty if there was none")


class VERBS_ADVERBS_ActionAnnotation(PropertyGroup):
    """The examples of an action, the data of a take if it is one, and what it was baked from if it is a bake."""

    schema: IntProperty(name="Schema")
    next_id: IntProperty(name="Next Identifier", default=1)
    examples: CollectionProperty(type=VERBS_ADVERBS_ExampleItem)
    active_example: IntProperty(name="Active Example", min=0)
    found: CollectionProperty(type=VERBS_ADVERBS_TextItem)
    cycles: IntProperty(name="Cycles", description="Number of usable cycles; -1 before a search", default=-1)
    structures: StringProperty(name="Structures", description="Keytimes of the usable cycles, one cycle per line")
    take: PointerProperty(type=VERBS_ADVERBS_TakeItem)
    bake: PointerProperty(type=VERBS_ADVERBS_BakeRecord)
    counted: PointerProperty(type=VERBS_ADVERBS_Counted)


CLASSES = (
    VERBS_ADVERBS_Counted,
    VERBS_ADVERBS_Between,
    VERBS_ADVERBS_TextItem,
    VERBS_ADVERBS_KeytimeItem,
    VERBS_ADVERBS_WindowItem,
    VERBS_ADVERBS_ContactItem,
    VERBS_ADVERBS_AdverbValueItem,
    VERBS_ADVERBS_ExampleItem,
    VERBS_ADVERBS_TakeItem,
    VERBS_ADVERBS_BakeRecord,
    VERBS_ADVERBS_ActionAnnotation,
)
