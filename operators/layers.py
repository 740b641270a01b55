"""Layers: adding, starting and stopping them, choosing what they move; and words, whose gestures are one of them."""

from bpy.props import EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup

from .. import bridge
from ..bridge.blender.naming import told_frame
from ..bridge.data.current import at, current_armature
from ..bridge.data.layer_properties import HELD
from ..bridge.session import live_characters
from ..core.errors import LayerError
from . import reasons
from .jobs import Lasting
from .operator_base import Intent, verb_choices

WISHES = (
    ("start", "Start", "Start the layer; whether it may, if another layer has its bones, is said by If Taken"),
    ("instead", "Start Instead", "Stop the layers that have its bones, and start it"),
    ("after", "Start After", "Start it as soon as the layers that have its bones are over"),
    ("stop", "Stop", "Let it play to its end and go, or fade out at once if it has none"),
    ("stop_hard", "Stop Hard", "End it at this very frame"),
)

BESIDE = (("USUAL", "As For Others", "As If Taken and Priority say"), *HELD)


def current_layer(context: Context) -> PropertyGroup | None:
    """The layer that is chosen in the list."""
    armature = current_armature(context)
    return at(armature.verbs_adverbs.layers, armature.verbs_adverbs.active_layer) if armature is not None else None


class OfLayer(Intent):
    """Mixin of an operator on the chosen layer."""

    @classmethod
    def reason(cls, context: Context) -> str:
        """Why there is no layer to edit."""
        return reasons.resting(context) or ("" if current_layer(context) is not None else "Add a layer first")


def _selected(context: Context) -> list[str]:
    armature = current_armature(context)
    if armature is None or armature.mode != "POSE":
        return []
    return [bone.name for bone in context.selected_pose_bones or () if bone.id_data == armature]


class VERBS_ADVERBS_OT_layer_add(Lasting, Operator):
    """Add a layer that plays a verb over what the director plays: on the bones selected in Pose Mode, or else on the
    limbs that it moves otherwise than what lies below
    """

    bl_idname = "verbs_adverbs.layer_add"
    bl_label = "Add Layer"
    bl_property = "verb"

    verb: EnumProperty(name="Verb", description="Verb that the layer plays", items=verb_choices)

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.resting(context) or reasons.verb(context)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        verb = bridge.data.transition_items.verb_of(armature, self.verb)
        item = bridge.build.layers.add_layer(armature, verb, _selected(context))
        return f"Layer '{item.name}' moves {', '.join(bone.text for bone in item.bones)}"


class VERBS_ADVERBS_OT_layer_remove(OfLayer, Operator):
    """Remove the chosen layer; its verb stays, and so do the keys of its sliders"""

    bl_idname = "verbs_adverbs.layer_remove"
    bl_label = "Remove Layer"

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        name = bridge.build.layers.remove_layer(armature, armature.verbs_adverbs.active_layer)
        return f"Removed layer '{name}'"


class VERBS_ADVERBS_OT_layer_move(OfLayer, Operator):
    """Move the chosen layer in the list: what stands lower lies over what stands above it"""

    bl_idname = "verbs_adverbs.layer_move"
    bl_label = "Move Layer"

    step: IntProperty(name="Step", description="Rows to move by: -1 is up", default=-1)

    def do(self, context: Context) -> str | None:
        armature = current_armature(context)
        moved = bridge.build.layers.move_layer(armature, armature.verbs_adverbs.active_layer, self.step)
        return "" if moved else None


class VERBS_ADVERBS_OT_layer_verb(OfLayer, Operator):
    """Choose the verb that the layer plays"""

    bl_idname = "verbs_adverbs.layer_verb"
    bl_label = "Choose Verb"

    verb: EnumProperty(name="Verb", description="Verb that the layer plays", items=verb_choices)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        verb = bridge.data.transition_items.verb_of(armature, self.verb)
        bridge.build.layers.change_verb(armature, current_layer(context), verb)
        return ""


class VERBS_ADVERBS_OT_layer_bones(OfLayer, Operator):
    """Let the layer move the bones that are selected in Pose Mode, and what hangs on them"""

    bl_idname = "verbs_adverbs.layer_bones"
    bl_label = "Take Selected Bones"

    def do(self, context: Context) -> str:
        armature, item = current_armature(context), current_layer(context)
        bridge.build.layers.take_bones(armature, item, _selected(context))
        return f"Layer '{item.name}' moves {', '.join(bone.text for bone in item.bones)}"


class VERBS_ADVERBS_OT_layer_beside(OfLayer, Operator):
    """Choose what happens to the chosen layer when one certain other layer has bones that it claims"""

    bl_idname = "verbs_adverbs.layer_beside"
    bl_label = "If One Layer Has Its Bones"

    other: StringProperty(name="Layer", description="Identifier of the other layer")
    held: EnumProperty(name="If Taken", description="What happens when that layer has the bones", items=BESIDE)

    def do(self, context: Context) -> str:
        armature, item = current_armature(context), current_layer(context)
        held = "" if self.held == BESIDE[0][0] else self.held
        name = bridge.data.layer_properties.hold_beside(armature, item, self.other, held)
        told = next(text for kind, text, _ in BESIDE if kind == self.held)
        return f"'{item.name}', when '{name}' has its bones: {told.lower()}"


class VERBS_ADVERBS_OT_layer_ask(Intent, Operator):
    """Start or stop a layer: by a key at the current frame, or at once while the character is performed"""

    bl_idname = "verbs_adverbs.layer_ask"
    bl_label = "Start Layer"

    wish: EnumProperty(name="Wish", description="What the layer is to do", items=WISHES)
    layer: StringProperty(name="Layer", description="Name of the layer, the chosen one if empty")

    @classmethod
    def description(cls, _context: Context, properties: "VERBS_ADVERBS_OT_layer_ask") -> str:
        """What the button does."""
        told = next(text for name, _, text in WISHES if name == properties.wish)
        return f"{told}. A key at the current frame says so, and can be dragged; a performed character does it at once"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.armature(context) or ("" if current_layer(context) is not None else "Add a layer first")

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        layers = armature.verbs_adverbs.layers
        item = layers.get(self.layer) if self.layer else current_layer(context)
        if item is None:
            raise LayerError(f"'{armature.name}' has no layer '{self.layer}'. Choose one of its layers.")
        director = bridge.data.director.director_of(armature)
        performed = director is not None and live_characters.is_performed(director)
        frame = None if performed else context.scene.frame_current_final
        bridge.data.commands.ask_layer(armature, item, self.wish, frame)
        if frame is None:
            return ""
        director = bridge.data.director.director_of(armature)
        if self.wish not in bridge.data.commands.STOPS and director.verbs_adverbs.live:
            refusal = bridge.session.playable.refusal_of(director, item.name, frame, context.scene)
            if refusal:
                self.tell("WARNING", f"{refusal} Or choose one of the ways out under Layers.")
                return ""
        named = next(name for wish, name, _ in WISHES if wish == self.wish)
        return f"{named} '{item.name}' at frame {told_frame(frame)}"


class VERBS_ADVERBS_OT_layer_clear(OfLayer, Operator):
    """Take back all starts and stops of the chosen layer"""

    bl_idname = "verbs_adverbs.layer_clear"
    bl_label = "Clear Starts"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = super().reason(context)
        if reason:
            return reason
        director = bridge.data.director.director_of(current_armature(context))
        return "" if director is not None else "The layer was not started yet"

    def do(self, context: Context) -> str:
        armature, item = current_armature(context), current_layer(context)
        keyed = bridge.data.commands.forget_layer_keys(bridge.data.director.director_of(armature), item)
        return f"Layer '{item.name}' is not started any more" if keyed else f"Layer '{item.name}' was not keyed"


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
    found = bridge.build.talking.gesture_verbs(armature) if armature is not None else []
    _gestures[:] = [("NONE", "None", "No gesture on this word")]
    _gestures.extend((item.uid, item.name, f"Gesture {item.name}") for item in found)
    return _gestures


class Reads(Intent):
    """Mixin of an operator that takes words over."""

    seed: IntProperty(
        name="Seed", description="Number by which gestures are drawn that the text does not ask for", min=0
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        """Why no words can be taken over."""
        return reasons.resting(context) or reasons.verb(context)

    def told(self, utterance: object) -> str:
        """Tell what was read."""
        for remark in utterance.remarks[:3]:
            self.tell("WARNING", remark)
        return f"Read {len(utterance.words)} words"


class VERBS_ADVERBS_OT_words_file(Reads, Operator):
    """Take over the words of a file: subtitles (SubRip, WebVTT), a transcript of Whisper or WhisperX, or a TextGrid"""

    bl_idname = "verbs_adverbs.words_file"
    bl_label = "Read Words"

    filepath: StringProperty(name="File", description="File of words with their times", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.srt;*.vtt;*.json;*.TextGrid;*.textgrid;*.txt", options={"HIDDEN"})
    begin: FloatProperty(
        name="Begins at", description="Seconds of the scene at which the sound begins that the file is of"
    )

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Let the user choose the file."""
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        return self.told(bridge.build.hearing.read_file(armature, self.filepath, self.begin, self.seed))


class VERBS_ADVERBS_OT_words_strips(Reads, Operator):
    """Take over the words of the text strips in the sequencer"""

    bl_idname = "verbs_adverbs.words_strips"
    bl_label = "From Text Strips"

    def do(self, context: Context) -> str:
        return self.told(bridge.build.hearing.read_strips(current_armature(context), context.scene, self.seed))


class VERBS_ADVERBS_OT_words_markers(Reads, Operator):
    """Take over the markers of the timeline as words"""

    bl_idname = "verbs_adverbs.words_markers"
    bl_label = "From Markers"

    def do(self, context: Context) -> str:
        return self.told(bridge.build.hearing.read_markers(current_armature(context), context.scene, self.seed))


class VERBS_ADVERBS_OT_word_gesture(Intent, Operator):
    """Choose the gesture on the chosen word"""

    bl_idname = "verbs_adverbs.word_gesture"
    bl_label = "Choose Gesture"

    gesture: EnumProperty(name="Gesture", description="Gesture that is played on the word", items=gesture_choices)

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.resting(context) or ("" if current_word(context) is not None else "Read words first")

    def do(self, context: Context) -> str:
        current_word(context).gesture = "" if self.gesture == "NONE" else self.gesture
        return ""


class VERBS_ADVERBS_OT_talk(Lasting, Operator):
    """Play gestures on the words, from the start frame on, over whatever the character does: a layer of its own"""

    bl_idname = "verbs_adverbs.talk"
    bl_label = "Talk"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.resting(context) or reasons.verb(context)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        item = bridge.build.layers.add_talk(armature)
        plan = bridge.build.talking.plays_of_words(armature).plan
        director = bridge.data.director.director_of(armature)
        if not bridge.data.commands.layer_keys(director, item):
            bridge.data.commands.ask_layer(armature, item, "start", director.verbs_adverbs.start_frame)
        dropped = len(plan.choice.dropped)
        left = f", {dropped} left out" if dropped else ""
        return f"{len(plan.placed)} gestures on {len(plan.placed) + dropped} words{left}"


CLASSES = (
    VERBS_ADVERBS_OT_layer_add,
    VERBS_ADVERBS_OT_layer_remove,
    VERBS_ADVERBS_OT_layer_move,
    VERBS_ADVERBS_OT_layer_verb,
    VERBS_ADVERBS_OT_layer_bones,
    VERBS_ADVERBS_OT_layer_beside,
    VERBS_ADVERBS_OT_layer_ask,
    VERBS_ADVERBS_OT_layer_clear,
    VERBS_ADVERBS_OT_words_file,
    VERBS_ADVERBS_OT_words_strips,
    VERBS_ADVERBS_OT_words_markers,
    VERBS_ADVERBS_OT_word_gesture,
    VERBS_ADVERBS_OT_talk,
)
