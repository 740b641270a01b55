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
    (NO_LOOK, "No look", "Look on at what was looked at before"),
    (AT_OBJECT, "At Object", "Look at an object"),
    ("LEFT", "Left", "Look to the left, seen from where the character faces"),
    ("RIGHT", "Right", "Look to the right, seen from where the character faces"),
    ("UP", "Up", "Look up"),
    ("DOWN", "Down", "Look down"),
    ("AWAY", "Away", "Look aside and down, away from what was looked at before"),
    ("AHEAD", "Ahead", "Look at nothing any more: eyes and head go back to the motion below"),
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

    text: StringProperty(name="Word", description="The word, or nothing for a gesture in silence")
    start: FloatProperty(name="Start", description="Seconds of the scene at which it begins", precision=3)
    end: FloatProperty(name="End", description="Seconds of the scene at which it ends", precision=3)
    target: FloatProperty(
        name="Emphasis", description="Seconds of the scene at which a stroke lands on it", precision=3, update=_changed
    )
    confidence: FloatProperty(
        name="Confidence", description="How far its times are to be trusted", default=1.0, min=0.0, max=1.0
    )
    gesture: StringProperty(
        name="Gesture", description="Identifier of the verb that is played on it, empty for none", update=_changed
    )
    look: EnumProperty(
        name="Look", description="What the character looks at from this word on", items=LOOKS, update=_changed
    )
    look_at: PointerProperty(
        type=bpy.types.Object, name="Object", description="Object that is looked at on this word", update=_changed
    )
    tag: StringProperty(name="Tag", description="What the text asks for on this word")
    strip: StringProperty(name="Strip", description="Name of the user's text strip that it came from, empty for none")
    strip_text: StringProperty(name="Strip Text", description="What that strip said when it was taken over")
    strip_start: IntProperty(name="Strip Start", description="Frame at which that strip began when it was taken over")
    strip_end: IntProperty(name="Strip End", description="Frame after the last one of that strip then")
    known: FloatProperty(
        name="Known",
        description="Seconds of the scene at which it was said live, in the place of words that were not said yet",
        default=EARLIEST,
    )
    from_rest: BoolProperty(name="From Rest", description="Whether no gestures were played when it was said live")
    take: StringProperty(name="Take", description="Identifier of the take that it was said live in, empty for any take")


class VERBS_ADVERBS_Speech(PropertyGroup):
    """The words of a director."""

    words: CollectionProperty(type=VERBS_ADVERBS_WordItem)
    active_word: IntProperty(name="Active Word", min=0)
    next_text: StringProperty(
        name="Say", description="What is said next, with tags such as <offer> before words that are to have a gesture"
    )
    rate: FloatProperty(
        name="Words a Second",
        description="How many words are said in a second",
        default=2.5,
        min=0.1,
        soft_max=5.0,
        max=20.0,
    )
    rendered_strips: BoolProperty(
        name="Rendered Strips",
        description="Whether rendering through the sequencer was switched off to show the plan, and is to be on again",
    )
    patience: FloatProperty(
        name="Patience",
        description="Seconds for which a hand is held after a stroke before it is relaxed",
        default=1.0,
        min=0.0,
        soft_max=4.0,
        update=_changed,
    )
    looks_for: FloatProperty(
        name="Looks For",
        description="Seconds for which something is looked at, 0 for until the next look",
        default=0.0,
        min=0.0,
        soft_max=10.0,
        update=_changed,
    )
    head_speed: FloatProperty(
        name="Head Speed",
        description="Degrees a second by which the head turns at most when it looks at something",
        default=200.0,
        min=30.0,
        max=1000.0,
        update=_changed,
    )
    layer: StringProperty(
        name="Layer", description="Layer of gestures that this file has added to a library override, as JSON"
    )
    curve: PointerProperty(
        type=bpy.types.NodeTree,
        name="Blending Curve",
        description="Node group that holds the curve by which one gesture becomes the next, empty for the smooth one",
        update=_changed,
    )


CLASSES = (VERBS_ADVERBS_WordItem, VERBS_ADVERBS_Speech)
