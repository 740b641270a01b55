"""Examples of the current action: mark a part of it, set its adverb values, remove it."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import Action, Context, Event, Operator, PropertyGroup

from .. import bridge
from ..bridge.blender.naming import told_frame
from ..bridge.data.current import current_action, current_armature, current_example, current_verb, is_linked, is_newer
from ..bridge.data.schema import KINDS
from ..core.errors import ActionError, ExampleError
from . import reasons
from .operator_base import Intent, Picker

SPANS = (
    ("ACTION", "Action", "The action's frame range, or from its first to its last key"),
    ("SCENE", "Scene", "The scene's frame range, or the preview range if it is on"),
    ("CUSTOM", "Custom", "From Start to End"),
)


class VERBS_ADVERBS_OT_example_add(Intent, Operator):
    """Mark a part of the current action as an example"""

    bl_idname = "verbs_adverbs.example_add"
    bl_label = "Add Example"

    name: StringProperty(name="Name", description="Name of the example; if empty, the action's name")
    span: EnumProperty(name="Span", items=SPANS, default="ACTION", description="Which frames of the action to mark")
    start: FloatProperty(name="Start", description="First frame of the custom span", default=1.0)
    end: FloatProperty(name="End", description="Last frame of the custom span", default=25.0)
    kind: EnumProperty(
        name="Kind",
        items=KINDS,
        default="TRAVELLING",
        description="Whether the root travels, moves on the spot, or stays in place",
    )
    cyclic: BoolProperty(
        name="Cyclic", description="The motion loops: the last frame shows the same pose as the first", default=True
    )
    add_to_verb: BoolProperty(
        name="Add to Verb", description="Also add the example to the armature's chosen verb", default=False
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.action(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        self.name = current_action(context).name
        if context.scene.use_preview_range:
            self.span = "SCENE"
        self.start, self.end = _span(self.span, current_action(context), context)
        return context.window_manager.invoke_props_dialog(self, confirm_text="Add")

    def draw(self, _context: Context) -> None:
        column = self.layout.column()
        column.use_property_split = True
        for name in ("name", "span"):
            column.prop(self, name)
        if self.span == "CUSTOM":
            ends = column.column(align=True)
            ends.prop(self, "start")
            ends.prop(self, "end")
        for name in ("kind", "cyclic", "add_to_verb"):
            column.prop(self, name)

    def do(self, context: Context) -> str:
        action, scene = current_action(context), context.scene
        if self.span == "CUSTOM":
            start, end = self.start, self.end
        else:
            start, end = _span(self.span, action, context)
        item = bridge.data.annotate.add_example(
            action, self.name.strip() or action.name, start, end, bridge.data.annotate.scene_fps(scene)
        )
        item.kind, item.cyclic = self.kind, self.cyclic
        verb = current_verb(context)
        if self.add_to_verb and verb is not None:
            bridge.authoring.definitions.add_reference(verb, action, item)
        return f"Added example '{item.name}', frames {told_frame(start)} to {told_frame(end)}"


class VERBS_ADVERBS_OT_example_remove(Intent, Operator):
    """Remove the chosen example with its keytimes and contacts; the action's keyframes stay"""

    bl_idname = "verbs_adverbs.example_remove"
    bl_label = "Remove Example"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.example(context)

    def do(self, context: Context) -> str:
        item = current_example(context)
        name = item.name
        bridge.data.annotate.remove_example(current_action(context), item)
        return f"Removed example '{name}'"


class VERBS_ADVERBS_OT_example_span(Intent, Operator):
    """Start or end the chosen example at the current frame. Copied keytimes not yet moved keep their proportions"""

    bl_idname = "verbs_adverbs.example_span"
    bl_label = "Set Span"

    side: EnumProperty(
        name="Side",
        items=(("START", "Start", "First frame of the example"), ("END", "End", "Last frame of the example")),
        default="START",
        description="Which end of the example to move",
    )

    @classmethod
    def description(cls, _context: Context, properties: "VERBS_ADVERBS_OT_example_span") -> str:
        """Tooltip of the button."""
        what = "Start" if properties.side == "START" else "End"
        return f"{what} the chosen example at the current frame. Copied keytimes not yet moved keep their proportions"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.example(context)

    def do(self, context: Context) -> str:
        action, item = current_action(context), current_example(context)
        start, end = bridge.data.markers.effective_span(item)
        frame = context.scene.frame_current_final
        before = [at for _, at in bridge.data.markers.effective_keytimes(item)][1:-1]
        bridge.data.annotate.set_span(action, item, *((frame, end) if self.side == "START" else (start, frame)))
        moved = [keytime.frame for keytime in item.keytimes][1:-1] != before
        return "Copied keytimes not yet moved keep their proportions" if moved else ""


class VERBS_ADVERBS_OT_values_fill(Intent, Operator):
    """For every adverb without a value in the chosen example, fill in the adverb's default"""

    bl_idname = "verbs_adverbs.values_fill"
    bl_label = "Fill In Values"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.example(context) or reasons.adverb(context)

    def do(self, context: Context) -> str:
        adverbs = current_armature(context).verbs_adverbs.adverbs
        count = bridge.authoring.definitions.fill_values(current_action(context), current_example(context), adverbs)
        return f"Filled in {count} value{'' if count == 1 else 's'}"


class VERBS_ADVERBS_OT_value_set(Intent, Operator):
    """Set the chosen example's value for an adverb"""

    bl_idname = "verbs_adverbs.value_set"
    bl_label = "Set Value"

    adverb: StringProperty(name="Adverb", description="Name of the adverb")
    value: FloatProperty(name="Value", description="Value of the adverb in this example")

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.example(context)

    def do(self, context: Context) -> str:
        if not self.adverb.strip():
            raise ExampleError("No adverb was named. Name the adverb that the value is for.")
        bridge.data.annotate.set_value(
            current_action(context), current_example(context), self.adverb.strip(), self.value
        )
        return ""


class VERBS_ADVERBS_OT_verb_values_fill(Intent, Operator):
    """For every adverb without a value in the chosen verb's examples, fill in the adverb's default"""

    bl_idname = "verbs_adverbs.verb_values_fill"
    bl_label = "Fill In Values of All"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb_example(context)

    def do(self, context: Context) -> str:
        verb, known = current_verb(context), current_armature(context).verbs_adverbs.adverbs
        adverbs = [known[used.name] for used in verb.adverbs if used.name in known]
        count = 0
        for reference in verb.examples:
            example = bridge.data.example_list.referenced(reference)
            if example is not None and not (is_linked(reference.action) or is_newer(example.id_data.verbs_adverbs)):
                count += bridge.authoring.definitions.fill_values(reference.action, example, adverbs)
        return f"Filled in {count} value{'' if count == 1 else 's'}"


def _span(kind: str, action: Action, context: Context) -> tuple[float, float]:
    scene = context.scene
    if kind == "ACTION" and action.use_frame_range:
        return action.frame_start, action.frame_end
    if kind == "ACTION":
        return bridge.data.annotate.key_range(action)
    if scene.use_preview_range:
        return scene.frame_preview_start, scene.frame_preview_end
    return scene.frame_start, scene.frame_end


class VERBS_ADVERBS_ActionChoice(PropertyGroup):
    """An action that can be picked."""

    name: StringProperty(name="Name", description="Name of the action")
    chosen: BoolProperty(name="Use", description="Copy keytimes, kind and contacts to this action")


class VERBS_ADVERBS_OT_structure_copy(Picker, Operator):
    """Copy the keytimes, kind and contacts of the chosen example to other actions, scaled to their length"""

    bl_idname = "verbs_adverbs.structure_copy"
    bl_label = "Copy to Other Actions"

    choices: CollectionProperty(type=VERBS_ADVERBS_ActionChoice, options={"SKIP_SAVE"})

    @classmethod
    def reason(cls, context: Context) -> str:
        if current_example(context) is None:
            return reasons.example(context) or "Add an example to the action first"
        return "" if len(bpy.data.actions) > 1 else "There is no other action to copy to"

    def offer(self, context: Context) -> str:
        others = _others(context)
        for action in others:
            choice = self.choices.add()
            choice.name, choice.chosen = action.name, not action.verbs_adverbs.examples
        return "" if others else "No other action moves this armature"

    def do(self, context: Context) -> str:
        source, scene = current_example(context), context.scene
        targets = [_target(choice.name, current_action(context)) for choice in self.picked()]
        if not targets:
            raise ActionError("No action was chosen. Tick at least one.")
        bridge.data.structure.copy_structure(source, targets, bridge.data.annotate.scene_fps(scene))
        return (
            f"Copied keytimes, kind and contacts of '{source.name}' to {len(targets)} "
            f"action{'s' if len(targets) > 1 else ''}"
        )


def _target(name: str, source: Action) -> Action:
    action = next((a for a in bpy.data.actions if a.name == name and not is_linked(a)), None)
    if action is None:
        raise ActionError(f"There is no action '{name}' in this file. Choose another one.")
    if action == source:
        raise ActionError(f"Action '{name}' is the one being copied. Choose another one.")
    bridge.data.annotate.check_editable(action)
    bridge.data.annotate.key_range(action)
    return action


def _others(context: Context) -> list[Action]:
    """Local actions that move a bone of the current armature, apart from the current one."""
    armature, current = current_armature(context), current_action(context)
    local = [action for action in bpy.data.actions if not is_linked(action) and action != current]
    return [action for action in local if armature is None or bridge.data.example_list.moves(action, armature)]


CLASSES = (
    VERBS_ADVERBS_OT_example_add,
    VERBS_ADVERBS_OT_example_remove,
    VERBS_ADVERBS_OT_example_span,
    VERBS_ADVERBS_OT_values_fill,
    VERBS_ADVERBS_OT_value_set,
    VERBS_ADVERBS_OT_verb_values_fill,
    VERBS_ADVERBS_ActionChoice,
    VERBS_ADVERBS_OT_structure_copy,
)
