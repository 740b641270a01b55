"""Layers: adding, starting and stopping them, and choosing what they move."""

from bpy.props import EnumProperty, IntProperty, StringProperty
from bpy.types import Context, Operator, PropertyGroup

from .. import bridge
from ..bridge.blender.naming import told_frame
from ..bridge.data.current import MaybeNone, at, current_armature
from ..bridge.data.layer_properties import HELD
from ..bridge.session import live_characters
from ..core.errors import LayerError
from . import reasons
from .jobs import Lasting
from .operator_base import Intent, told_of, verb_choices

WISHES = (
    ("start", "Start", "Start the layer. If another layer uses its bones, If Taken decides what happens"),
    ("instead", "Start Instead", "Stop the other layers that use its bones, and start this one"),
    ("after", "Start After", "Start this layer as soon as the other layers that use its bones have finished"),
    ("stop", "Stop", "Let the layer play to its end, or fade out at once if it has no end"),
    ("stop_hard", "Stop Hard", "End the layer exactly at this frame"),
)

BESIDE = (("USUAL", "As For Others", "Decided by If Taken and Priority"), *HELD)


def current_layer(context: Context) -> PropertyGroup | MaybeNone:
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
    """Play a verb on top of the director's, on the bones selected in Pose Mode or the limbs it moves differently"""

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
        item = bridge.layers.layers.add_layer(armature, verb, _selected(context))
        return f"Layer '{item.name}' moves {', '.join(bone.text for bone in item.bones)}"


class VERBS_ADVERBS_OT_layer_remove(OfLayer, Operator):
    """Remove the chosen layer; its verb and the keys of its sliders stay"""

    bl_idname = "verbs_adverbs.layer_remove"
    bl_label = "Remove Layer"

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        name = bridge.layers.layers.remove_layer(armature, armature.verbs_adverbs.active_layer)
        return f"Removed layer '{name}'"


class VERBS_ADVERBS_OT_layer_move(OfLayer, Operator):
    """Move the chosen layer in the list. Layers lower in the list are applied on top of those above"""

    bl_idname = "verbs_adverbs.layer_move"
    bl_label = "Move Layer"

    step: IntProperty(name="Step", description="Number of rows to move; -1 is up", default=-1)

    @classmethod
    def description(cls, _context: Context, properties: "VERBS_ADVERBS_OT_layer_move") -> str:
        """Tooltip of the button."""
        if properties.step < 0:
            return "Move the chosen layer up in the list, so that it is applied before the layer that was above it"
        return "Move the chosen layer down in the list, so that it is applied after the layer that was below it"

    def do(self, context: Context) -> str | None:
        armature = current_armature(context)
        moved = bridge.layers.layers.move_layer(armature, armature.verbs_adverbs.active_layer, self.step)
        return "" if moved else None


class VERBS_ADVERBS_OT_layer_verb(OfLayer, Operator):
    """Choose the verb that the layer plays"""

    bl_idname = "verbs_adverbs.layer_verb"
    bl_label = "Choose Verb"

    verb: EnumProperty(name="Verb", description="Verb that the layer plays", items=verb_choices)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        verb = bridge.data.transition_items.verb_of(armature, self.verb)
        bridge.layers.layers.change_verb(armature, current_layer(context), verb)
        return ""


class VERBS_ADVERBS_OT_layer_bones(OfLayer, Operator):
    """Let the layer move the bones selected in Pose Mode and their children"""

    bl_idname = "verbs_adverbs.layer_bones"
    bl_label = "Take Selected Bones"

    def do(self, context: Context) -> str:
        armature, item = current_armature(context), current_layer(context)
        bridge.layers.layers.take_bones(armature, item, _selected(context))
        return f"Layer '{item.name}' moves {', '.join(bone.text for bone in item.bones)}"


class VERBS_ADVERBS_OT_layer_beside(OfLayer, Operator):
    """Choose what happens to the chosen layer when a particular other layer has the bones that it claims"""

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
    """Start or stop a layer: with a key at the current frame, or at once while performing"""

    bl_idname = "verbs_adverbs.layer_ask"
    bl_label = "Start Layer"

    wish: EnumProperty(name="Action", description="What to do with the layer", items=WISHES)
    layer: StringProperty(name="Layer", description="Name of the layer; if empty, the chosen one")

    @classmethod
    def description(cls, _context: Context, properties: "VERBS_ADVERBS_OT_layer_ask") -> str:
        """Tooltip of the button."""
        told = told_of(WISHES, properties.wish)
        return (
            f"{told}. This inserts a key at the current frame, which can be dragged; while performing, it happens at "
            "once"
        )

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.character(context) or ("" if current_layer(context) is not None else "Add a layer first")

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
                self.tell("WARNING", f"{refusal} Or choose a solution under Layers.")
                return ""
        named = next(name for wish, name, _ in WISHES if wish == self.wish)
        return f"{named} '{item.name}' at frame {told_frame(frame)}"


class VERBS_ADVERBS_OT_layer_clear(Intent, Operator):
    """Remove all starts and stops of the chosen layer"""

    bl_idname = "verbs_adverbs.layer_clear"
    bl_label = "Clear Starts"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.directed(context)
        if reason or current_layer(context) is None:
            return reason or "Add a layer first"
        director = bridge.data.director.director_of(current_armature(context))
        return "" if director is not None else "The layer has no starts yet"

    def do(self, context: Context) -> str:
        armature, item = current_armature(context), current_layer(context)
        keyed = bridge.data.commands.forget_layer_keys(bridge.data.director.director_of(armature), item)
        return (
            f"Removed all starts and stops of layer '{item.name}'"
            if keyed
            else f"Layer '{item.name}' had no starts or stops"
        )


CLASSES = (
    VERBS_ADVERBS_OT_layer_add,
    VERBS_ADVERBS_OT_layer_remove,
    VERBS_ADVERBS_OT_layer_move,
    VERBS_ADVERBS_OT_layer_verb,
    VERBS_ADVERBS_OT_layer_bones,
    VERBS_ADVERBS_OT_layer_beside,
    VERBS_ADVERBS_OT_layer_ask,
    VERBS_ADVERBS_OT_layer_clear,
)
