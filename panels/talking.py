"""Panels of words and the gestures on them, of gesture phases, and of how one gesture blends into the next."""

from typing import Any

from bpy.types import Context, Object, Panel, PropertyGroup, UILayout, UIList

from .. import bridge
from ..bridge.blender.store import while_unchanged
from ..bridge.data.current import at, current_action, current_armature, current_example, is_linked, is_newer
from ..operators import reasons
from ..operators.modes import ANIMATE
from .annotating import DopeSheet, PartOfExample
from .sidebar import OfMode, Viewport, at_right, draw_sliders, label_fields, sentence

TOLD = 6
"""Number of sentences shown about compromises of the plan, and about looks that miss."""
DOUBTFUL = 0.5
"""Confidence below which the times of a word are marked."""
COLOURED = (
    "These adverbs apply to all gestures of the sentence. If they are keyed, each gesture uses their values at its "
    "word."
)

_said: list[Any] = []
"""The words as they are said now, for the rows of the list, which Blender draws one by one."""


class VERBS_ADVERBS_UL_words(UIList):
    """Words with their gestures"""

    def draw_item(
        self,
        context: Context,
        layout: UILayout,
        _data: object,
        item: PropertyGroup,
        _icon: int,
        _active_data: object,
        _active_property: str,
        index: int,
    ) -> None:
        """Draw a word, the time of its emphasis, its look and its gesture."""
        armature = current_armature(context)
        verb = bridge.data.transition_items.verb_of(armature, item.gesture) if armature is not None else None
        row = layout.row()
        row.active = _said[index].plays
        row.label(text=item.text or "(silence)", icon="ERROR" if item.confidence < DOUBTFUL else "NONE")
        row.label(text=f"{_said[index].target:.2f} s", icon="HIDE_OFF" if item.look != "NONE" else "NONE")
        at_right(row, verb.name if verb is not None else "", active=True)


class VERBS_ADVERBS_PT_talking(OfMode, Panel):
    """Words that the character says, and gestures timed to them"""

    bl_label = "Gestures"
    bl_idname = "VERBS_ADVERBS_PT_talking"
    tab_mode = ANIMATE
    bl_order = 8

    @classmethod
    def is_about(cls, context: Context) -> bool:
        armature = current_armature(context)
        if armature is None or bridge.data.director.director_of(armature) is None:
            return False
        question = "gestures", armature.session_uid
        return while_unchanged(question, lambda: bool(bridge.layers.talking.gesture_verbs(armature)))

    def draw(self, context: Context) -> None:
        layout, armature = self.layout, current_armature(context)
        column = layout.column(align=True)
        column.operator("verbs_adverbs.words_file", icon="FILE_TEXT")
        row = column.row(align=True)
        row.operator("verbs_adverbs.words_strips", icon="SEQ_SEQUENCER")
        row.operator("verbs_adverbs.words_markers", icon="MARKER")
        director = bridge.data.director.director_of(armature)
        speech = director.verbs_adverbs.speech
        _draw_say(layout, speech, bridge.session.live_characters.is_performed(director))
        if not len(speech.words):
            sentence(layout, context, "Read words and their times from a file, text strips or markers.")
            return
        _said[:] = bridge.layers.said.said_words(director)
        layout.template_list("VERBS_ADVERBS_UL_words", "", speech, "words", speech, "active_word", rows=4, maxrows=4)
        item = at(speech.words, speech.active_word)
        if item is not None:
            _draw_word(layout, armature, item, _said[speech.active_word])
        _draw_colours(layout, context, armature, director)
        layout.prop(speech, "patience")
        if any(word.look != "NONE" for word in speech.words):
            column = layout.column(align=True)
            column.prop(speech, "looks_for")
            column.prop(speech, "head_speed")
        layout.operator("verbs_adverbs.talk", icon="PLAY")
        shown = bridge.layers.plan_strips.is_shown(director)
        text = "Hide Plan" if shown else "Show Plan"
        layout.operator("verbs_adverbs.plan_strips", text=text, icon="SEQ_STRIP_DUPLICATE").show = not shown
        unrendered = bridge.layers.plan_strips.unrendered_told(director)
        if unrendered:
            sentence(layout, context, unrendered, "WARNING")
        for told in _told(armature)[:TOLD]:
            sentence(layout, context, told, "INFO")


def _told(armature: Object) -> list[str]:
    """Sentences about looks that miss, and about compromises of the gesture plan."""
    plays = bridge.layers.talking.plan_told(armature)
    played = bridge.session.live_characters.played_by(armature)
    looks = bridge.layers.looking.looks_told(armature, plays.gazing if plays is not None else None, played)
    return [*looks, *(plays.plans[-1].choice.given_up if plays is not None else ())]


def _draw_say(layout: UILayout, speech: PropertyGroup, performed: bool) -> None:
    """Draw the text to say next, and the button that says it, at once while performing."""
    column = layout.column(align=True)
    column.prop(speech, "next_text")
    row = column.row(align=True)
    row.prop(speech, "rate", text="Words/s")
    row.operator("verbs_adverbs.perform_say" if performed else "verbs_adverbs.say", icon="OUTLINER_OB_SPEAKER")


def _draw_word(layout: UILayout, armature: Object, item: PropertyGroup, said: Any) -> None:
    """Draw the choices for a word, and when it is said."""
    verb = bridge.data.transition_items.verb_of(armature, item.gesture)
    if not said.plays:
        layout.label(text="Replaced by other words while performing", icon="INFO")
    row = layout.row(align=True)
    row.operator_menu_enum("verbs_adverbs.word_gesture", "gesture", text=verb.name if verb else "No gesture")
    if said.target != item.target:
        row.label(text=f"Dragged to {said.target:.3f} s")
    else:
        row.prop(item, "target", text="At")
    row.operator("verbs_adverbs.word_nudge", text="", icon="TRIA_LEFT").frames = -1
    row.operator("verbs_adverbs.word_nudge", text="", icon="TRIA_RIGHT").frames = 1
    row = layout.row(align=True)
    row.prop(item, "look")
    if item.look == "OBJECT":
        row.prop(item, "look_at", text="")
    if item.confidence < 1.0:
        layout.label(text=f"Confidence of its times: {100.0 * item.confidence:.0f} %", icon="INFO")


def _draw_colours(layout: UILayout, context: Context, armature: Object, director: Object) -> None:
    """Draw the sliders of the adverbs that apply to the gestures on the words."""
    words = bridge.layers.talking.words_with_gestures(armature)
    adverbs = bridge.layers.gestures.colouring_adverbs(armature, words)
    if adverbs:
        sentence(layout, context, COLOURED, "")
        draw_sliders(layout.column(align=True), context, director, adverbs)


PHASES = (
    "A gesture has the keytimes start, ready, stroke_start, stroke, stroke_end, relax and end. Find them, then adjust "
    "their markers."
)


class _Gesture(PartOfExample):
    bl_label = "Gesture"
    bl_order = 4
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        layout, example, action = self.layout, current_example(context), current_action(context)
        layout.operator("verbs_adverbs.phases_find", icon="VIEWZOOM")
        complaints = bridge.layers.gestures.gesture_complaints(example, context.scene)
        for line in complaints:
            sentence(layout, context, line, "WARNING")
        if not bridge.layers.gestures.shows_gesture(example):
            if not complaints:
                sentence(layout, context, PHASES)
            return
        column = layout.column(align=True)
        column.enabled = not (is_linked(action) or is_newer(action.verbs_adverbs))
        label_fields(column, context)
        column.prop(example, "shortest")
        column.prop(example, "longest")
        sentence(layout, context, bridge.layers.gestures.phases_told(example, context.scene), "")


class VERBS_ADVERBS_PT_gesture(Viewport, _Gesture, Panel):
    """Phases of a gesture that the example shows, and how far they may be warped in time"""

    bl_idname = "VERBS_ADVERBS_PT_gesture"
    bl_parent_id = "VERBS_ADVERBS_PT_example"


class VERBS_ADVERBS_PT_dope_gesture(DopeSheet, _Gesture, Panel):
    """Phases of a gesture that the example shows, and how far they may be warped in time"""

    bl_idname = "VERBS_ADVERBS_PT_dope_gesture"
    bl_parent_id = "VERBS_ADVERBS_PT_dope_example"


class VERBS_ADVERBS_PT_blending(Viewport, Panel):
    """How one gesture blends into the next"""

    bl_label = "Blending Curve"
    bl_idname = "VERBS_ADVERBS_PT_blending"
    bl_parent_id = "VERBS_ADVERBS_PT_talking"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        layout = self.layout
        director = bridge.data.director.director_of(current_armature(context))
        tree, node = director.verbs_adverbs.speech.curve, bridge.layers.gestures.node_of(director)
        if tree is None:
            sentence(layout, context, "One gesture blends smoothly into the next, starting and ending at rest.")
            layout.operator("verbs_adverbs.curve_edit", icon="FCURVE")
            return
        if node is not None:
            column = layout.column()
            column.enabled = not reasons.directed(context)
            column.template_curve_mapping(node, "mapping")
        for line in bridge.layers.gestures.curve_told(director):
            sentence(layout, context, line, "WARNING")
        if bridge.layers.gestures.is_shared(director):
            sentence(layout, context, "Other characters share this curve.")
            layout.operator("verbs_adverbs.curve_edit", text="Make Single User", icon="DUPLICATE")
        layout.operator("verbs_adverbs.curve_reset", icon="LOOP_BACK")


CLASSES = (
    VERBS_ADVERBS_UL_words,
    VERBS_ADVERBS_PT_talking,
    VERBS_ADVERBS_PT_gesture,
    VERBS_ADVERBS_PT_dope_gesture,
    VERBS_ADVERBS_PT_blending,
)
