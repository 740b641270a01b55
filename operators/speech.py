"""Words that a character says, the gestures on them, finding gesture phases, and the curve that blends gestures."""

from typing import ClassVar

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Object, Operator, PropertyGroup

from .. import bridge
from ..bridge.blender.naming import told_frame
from ..bridge.data.current import at, current_action, current_armature, current_example
from ..bridge.session import live_characters
from ..core.errors import VerbsError, quoted
from . import reasons
from .jobs import Lasting
from .operator_base import Intent
from .perform import mark_beginning

_gestures: list[tuple[str, str, str]] = []


def current_word(context: Context) -> PropertyGroup | None:
    """The word that is chosen in the list."""
    armature = current_armature(context)
    director = bridge.data.director.director_of(armature) if armature is not None else None
    speech = director.verbs_adverbs.speech if director is not None else None
    return at(speech.words, speech.active_word) if speech is not None else None


def gesture_choices(_operator: Operator, context: Context | None) -> list[tuple[str, str, str]]:
    """Menu items for the gestures of the current armature, and for none."""
    armature = current_armature(context)
    found = bridge.layers.talking.gesture_verbs(armature) if armature is not None else []
    _gestures[:] = [("NONE", "None", "No gesture on this word")]
    _gestures.extend((item.uid, item.name, f"Gesture {item.name}") for item in found)
    return _gestures


def _words(utterance: object) -> str:
    count = len(utterance.words)
    return f"{count} word{'' if count == 1 else 's'}"


class Reads(Intent):
    """Mixin of an operator that reads words."""

    seed: IntProperty(
        name="Variation", description="Random seed for choosing gestures where the text does not ask for any", min=0
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        """Why no words can be read."""
        return reasons.verb_played(context)

    def told(self, utterance: object) -> str:
        """Report what was read."""
        for remark in utterance.remarks[:3]:
            self.tell("WARNING", remark)
        return f"Read {_words(utterance)}"


class VERBS_ADVERBS_OT_words_file(Reads, Operator):
    """Read words from a file: subtitles (SubRip, WebVTT), a transcript of Whisper or WhisperX, or a TextGrid"""

    bl_idname = "verbs_adverbs.words_file"
    bl_label = "Read Words"

    filepath: StringProperty(name="File", description="File with words and their times", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.srt;*.vtt;*.json;*.TextGrid;*.textgrid;*.txt", options={"HIDDEN"})
    begin: FloatProperty(
        name="Begins At", description="Time in the scene, in seconds, at which the sound for these words begins"
    )

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Let the user choose the file; by default its words begin with the sound in the sequencer, if there is one."""
        if not self.properties.is_property_set("begin"):
            self.begin = bridge.layers.hearing.sound_begins(context.scene)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        return self.told(bridge.layers.hearing.read_file(armature, self.filepath, self.begin, self.seed))


class VERBS_ADVERBS_OT_words_strips(Reads, Operator):
    """Read the words from the text strips in the sequencer"""

    bl_idname = "verbs_adverbs.words_strips"
    bl_label = "From Text Strips"

    def do(self, context: Context) -> str:
        return self.told(bridge.layers.hearing.read_strips(current_armature(context), context.scene, self.seed))


class VERBS_ADVERBS_OT_words_markers(Reads, Operator):
    """Read the timeline markers as words"""

    bl_idname = "verbs_adverbs.words_markers"
    bl_label = "From Markers"

    def do(self, context: Context) -> str:
        return self.told(bridge.layers.hearing.read_markers(current_armature(context), context.scene, self.seed))


class OfWords(Intent):
    """Mixin of an operator on words that were read."""

    @classmethod
    def reason(cls, context: Context) -> str:
        """Why there are no words."""
        return reasons.directed(context) or ("" if current_word(context) is not None else "Read words first")


class VERBS_ADVERBS_OT_word_gesture(OfWords, Operator):
    """Choose the gesture on the chosen word"""

    bl_idname = "verbs_adverbs.word_gesture"
    bl_label = "Choose Gesture"

    gesture: EnumProperty(name="Gesture", description="Gesture to play on the word", items=gesture_choices)

    def do(self, context: Context) -> str:
        bridge.layers.said.settle(bridge.data.director.director_of(current_armature(context)))
        current_word(context).gesture = "" if self.gesture == "NONE" else self.gesture
        return ""


class VERBS_ADVERBS_OT_word_nudge(OfWords, Operator):
    """Move the chosen word and its emphasis by frames; the gesture follows"""

    bl_idname = "verbs_adverbs.word_nudge"
    bl_label = "Nudge Word"

    frames: FloatProperty(
        name="Frames", description="Number of frames to move the word by; negative for earlier", default=1
    )

    @classmethod
    def description(cls, _context: Context, properties: "VERBS_ADVERBS_OT_word_nudge") -> str:
        """Tooltip of the button."""
        when = "earlier" if properties.frames < 0.0 else "later"
        return f"Move the chosen word and its emphasis one frame {when}; the gesture follows"

    def do(self, context: Context) -> str | None:
        director = bridge.data.director.director_of(current_armature(context))
        moved = bridge.layers.hearing.nudge_word(director, self.frames)
        if not moved:
            self.tell("INFO", "The word cannot move past its neighbour")
        return "" if moved else None


class VERBS_ADVERBS_OT_plan_strips(OfWords, Lasting, Operator):
    """Show the words and the planned gestures as strips in the sequencer, which you can drag, or hide them"""

    bl_idname = "verbs_adverbs.plan_strips"
    bl_label = "Show Plan"

    show: BoolProperty(name="Show", description="Show the strips, or remove them", default=True)

    def do(self, context: Context) -> str:
        director = bridge.data.director.director_of(current_armature(context))
        if not self.show:
            effects = bridge.layers.plan_strips.hide_plan(director)
            along = f", and {effects} effect strip{'s' if effects > 1 else ''} on them" if effects else ""
            return f"Removed the strips of the plan{along}"
        bridge.layers.plan_strips.show_plan(director)
        return "The plan is in the Video Sequencer: drag its strips to change it"


class VERBS_ADVERBS_OT_talk(Lasting, Operator):
    """Play gestures on the words from the start frame on, in a separate layer on top of whatever the character does"""

    bl_idname = "verbs_adverbs.talk"
    bl_label = "Talk"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb_played(context)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        item = bridge.layers.layers.add_talk(armature)
        plays = bridge.layers.talking.plays_of_words(armature)
        looks = len(bridge.layers.looking.looked_words(armature))
        director = bridge.data.director.director_of(armature)
        if not bridge.data.commands.layer_keys(director, item):
            begins = bridge.data.frames.counting.counting_of(director).start
            bridge.data.commands.ask_layer(armature, item, "start", begins)
        placed, dropped = len(plays.placed()), len(plays.dropped())
        left = f", {dropped} left out" if dropped else ""
        looked = f", {looks} looks" if looks else ""
        return f"{placed} gestures on {placed + dropped} words{left}{looked}"


class VERBS_ADVERBS_OT_say(Intent, Operator):
    """Say the text at the current frame with gestures: those in its tags, or one in each phrase"""

    bl_idname = "verbs_adverbs.say"
    bl_label = "Say It"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb_played(context)

    def do(self, context: Context) -> str:
        armature, frame = current_armature(context), context.scene.frame_current_final
        seconds = frame / bridge.data.annotate.scene_fps(context.scene)
        utterance = bridge.layers.saying.say_there(armature, seconds)
        for remark in utterance.remarks[:3]:
            self.tell("WARNING", remark)
        return f"Added {_words(utterance)} from frame {told_frame(frame)} on"


class VERBS_ADVERBS_OT_perform_say(Operator):
    """Say the text now, instead of what the character has not said yet. Its gestures continue into the new words"""

    bl_idname = "verbs_adverbs.perform_say"
    bl_label = "Say It"
    bl_options: ClassVar[set[str]] = {"INTERNAL"}

    @classmethod
    def poll(cls, _context: Context) -> bool:
        going = live_characters.performance is not None
        if not going:
            cls.poll_message_set("Press Perform first")
        return going

    def execute(self, context: Context) -> set[str]:
        mark_beginning()
        try:
            live_characters.performance.take_of(current_armature(context)).say()
        except VerbsError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


WIDTH, MOST = 460, 5
"""Width of the dialog, and keytimes that it names."""


class VERBS_ADVERBS_OT_phases_find(Intent, Operator):
    """Find the phases of the gesture (preparation, stroke, hold and relaxation) from the speed of the hands"""

    bl_idname = "verbs_adverbs.phases_find"
    bl_label = "Find Gesture Phases"

    replace: BoolProperty(
        name="Replace Keytimes",
        description="Replace the keytimes between the ends of the example with the phases that are found",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.example(context) or reasons.armature(context)
        if reason or not current_example(context).cyclic:
            return reason
        return f"'{current_example(context).name}' is cyclic, but a gesture plays once: untick Cyclic first"

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask before keytimes are replaced."""
        if not bridge.authoring.gesture_phases.keytimes_between(current_example(context)):
            return self.execute(context)
        self.replace = True
        return context.window_manager.invoke_props_dialog(self, width=WIDTH, confirm_text="Replace")

    def draw(self, context: Context) -> None:
        """Draw which keytimes are replaced."""
        names = bridge.authoring.gesture_phases.keytimes_between(current_example(context))
        self.layout.label(text=f"This replaces the keytimes {quoted(names, MOST)}.", icon="INFO")

    def do(self, context: Context) -> str:
        armature, action, example = current_armature(context), current_action(context), current_example(context)
        fps = bridge.data.annotate.fps_of(example, context.scene)
        told = bridge.authoring.gesture_phases.find_phases(armature, action, example, fps, self.replace)
        for line in action.verbs_adverbs.found:
            if line.kind != "INFO":
                self.tell("WARNING", line.text)
        return told


def _director(context: Context) -> Object:
    return bridge.data.director.director_of(current_armature(context))


class VERBS_ADVERBS_OT_curve_edit(Intent, Operator):
    """Edit the curve that blends one gesture into the next; a curve shared by other characters is copied first"""

    bl_idname = "verbs_adverbs.curve_edit"
    bl_label = "Edit Blending Curve"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.directed(context)
        if reason or _director(context) is not None:
            return reason
        return "Switch a verb on first: the curve belongs to the director"

    def do(self, context: Context) -> str:
        bridge.layers.gestures.edit_curve(_director(context))
        return ""


class VERBS_ADVERBS_OT_curve_reset(Intent, Operator):
    """Reset the blending between gestures to the default smooth curve"""

    bl_idname = "verbs_adverbs.curve_reset"
    bl_label = "Reset"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.directed(context)
        if reason:
            return reason
        director = _director(context)
        own = director is not None and director.verbs_adverbs.speech.curve is not None
        return "" if own else "It is already the default curve"

    def do(self, context: Context) -> str:
        bridge.layers.gestures.drop_curve(_director(context))
        return ""


CLASSES = (
    VERBS_ADVERBS_OT_words_file,
    VERBS_ADVERBS_OT_words_strips,
    VERBS_ADVERBS_OT_words_markers,
    VERBS_ADVERBS_OT_word_gesture,
    VERBS_ADVERBS_OT_word_nudge,
    VERBS_ADVERBS_OT_plan_strips,
    VERBS_ADVERBS_OT_talk,
    VERBS_ADVERBS_OT_say,
    VERBS_ADVERBS_OT_perform_say,
    VERBS_ADVERBS_OT_phases_find,
    VERBS_ADVERBS_OT_curve_edit,
    VERBS_ADVERBS_OT_curve_reset,
)
