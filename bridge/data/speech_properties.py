"""What is stored of the words that a character says, on its director, and of the gestures on them."""

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

AT_OBJECT, NO_LOOK = "OBJECT", "NONE"
LOOKS = (
    (NO_LOOK, "No look", "Keep looking at the same thing"),
    (AT_OBJECT, "At Object", "Look at an object"),
    ("LEFT", "Left", "Look to the character's left"),
    ("RIGHT", "Right", "Look to the character's right"),
    ("UP", "Up", "Look up"),
    ("DOWN", "Down", "Look down"),
    ("AWAY", "Away", "Look aside and down, away from the last thing looked at"),
    ("AHEAD", "Ahead", "Stop looking: eyes and head return to the motion below"),
)
EARLIEST = -1e9
"""Seconds at which words became known that were known from the beginning."""


def _changed(_group: PropertyGroup, context: bpy.types.Context) -> None:
    """Let Blender notice that a word has changed, so that what plays it follows."""
    director = _group.id_data
    director.update_tag()
    redraw_areas()


class VERBS_ADVERBS_WordItem(PropertyGroup):
    """A word, when it is said, and the gesture on it."""

    text: StringProperty(name="Word", description="The word; empty for a gesture without a word")
    start: FloatProperty(name="Start", description="Start time in scene seconds", precision=3)
    end: FloatProperty(name="End", description="End time in scene seconds", precision=3)
    target: FloatProperty(
        name="Emphasis",
        description="Time in scene seconds at which a stroke lands on the word",
        precision=3,
        update=_changed,
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
    take: StringProperty(
        name="Take", description="Identifier of the take in which it was said live; empty for any take"
    )


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


CLASSES = (VERBS_ADVERBS_WordItem, VERBS_ADVERBS_Speech)
