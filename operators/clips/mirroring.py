"""New actions made from others: mirrored copies, and copies of actions of other armatures."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, StringProperty
from bpy.types import Action, Context, Event, Operator, PropertyGroup

from ... import bridge
from ...bridge.data.current import current_action, current_armature, current_example, current_verb
from ...core.errors import ActionError, VerbsError, quoted
from .. import reasons
from ..finding import tell_warnings
from ..jobs import Lasting
from ..operator_base import Intent, Picker


class VERBS_ADVERBS_AdverbChoice(PropertyGroup):
    """An adverb whose values may change sign."""

    name: StringProperty(name="Name", description="Name of the adverb")
    chosen: BoolProperty(name="Negate", description="Change the sign of this value in the mirrored example")


class VERBS_ADVERBS_OT_action_mirror(Intent, Operator):
    """Make a mirrored copy of the current action and its example, such as a left turn from a right turn"""

    bl_idname = "verbs_adverbs.action_mirror"
    bl_label = "Mirror"

    choices: CollectionProperty(type=VERBS_ADVERBS_AdverbChoice, options={"SKIP_SAVE"})
    add_to_verb: BoolProperty(
        name="Add to Verb", description="Add the mirrored example to the verb that has the original", default=True
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.armature(context) or reasons.action(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        self.choices.clear()
        example = current_example(context)
        turning = _turning(context)
        for value in example.values if example is not None else ():  # pyright: ignore[reportGeneralTypeIssues]
            choice = self.choices.add()
            choice.name, choice.chosen = value.name, value.name in turning
        return context.window_manager.invoke_props_dialog(self, confirm_text="Mirror")

    def draw(self, _context: Context) -> None:
        column = self.layout.column()
        if self.choices:
            column.label(text="Change the sign of:")
        for choice in self.choices:
            column.prop(choice, "chosen", text=choice.name)
        column.prop(self, "add_to_verb")

    def do(self, context: Context) -> str:
        armature, action = current_armature(context), current_action(context)
        example, (verb, like) = current_example(context), _verb(context)
        # A script that names no adverbs gets the ones that the dialog would tick.
        names = {choice.name for choice in self.choices if choice.chosen} if self.choices else _turning(context)
        scene = context.scene
        fps = bridge.data.annotate.scene_fps(scene) if example is None else bridge.data.annotate.fps_of(example, scene)
        made = bridge.authoring.mirroring.mirror_action(armature, action, example, names, fps)
        said = f"Made action '{made.action.name}'"
        if self.add_to_verb and verb is not None and example is not None and made.item is not None:
            apart = bridge.authoring.mirroring.why_apart(verb, example, made.item)
            added = bridge.authoring.definitions.add_reference_like(verb, like, made.action, made.item)
            added.enabled = not apart
            said += f" as an example of verb '{verb.name}'"
            if apart:
                self.tell("WARNING", f"'{made.action.name}' was added to verb '{verb.name}' but not ticked: {apart}.")
        elif self.add_to_verb and made.item is not None:
            said += f"; '{example.name}' is in no verb, so neither is its mirror image"
        tell_warnings(self, made.warnings)
        return said


def _verb(context: Context) -> tuple[PropertyGroup | None, int]:
    """Return the verb that contains the current example, preferably the chosen one, and the example's row in it."""
    example = current_example(context)
    if example is None:
        return None, -1
    return bridge.data.example_list.verb_with(current_armature(context), example, current_verb(context))


def _turning(context: Context) -> set[str]:
    """Names of the current example's adverbs that say how much it turns."""
    example = current_example(context)
    names = [value.name for value in example.values] if example is not None else []  # pyright: ignore[reportGeneralTypeIssues]
    return bridge.authoring.mirroring.turning_adverbs(_verb(context)[0] or current_verb(context), names)


class VERBS_ADVERBS_ForeignChoice(PropertyGroup):
    """An action of another armature that can be copied."""

    name: StringProperty(name="Name", description="Name of the action")
    chosen: BoolProperty(name="Use", description="Copy this action for the armature")


class VERBS_ADVERBS_OT_actions_conform(Lasting, Picker, Operator):
    """Copy actions from other armatures with similar bone names, to play on this one"""

    bl_idname = "verbs_adverbs.actions_conform"
    bl_label = "Copy from Other Armatures"

    choices: CollectionProperty(type=VERBS_ADVERBS_ForeignChoice, options={"SKIP_SAVE"})

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.armature(context)
        if reason:
            return reason
        others = (
            thing for thing in bpy.data.objects if thing.type == "ARMATURE" and thing != current_armature(context)
        )
        return "" if any(others) else "This file has no other armature"

    def offer(self, context: Context) -> str:
        armature, left, alike = current_armature(context), list[str](), 0
        for action in bpy.data.actions:
            source = bridge.authoring.conforming.armature_of_action(action, armature)
            if source is None or bridge.action.generated_action.is_generated(action):
                continue
            if bridge.authoring.conforming.is_same(armature, source):
                alike += 1
                continue
            try:
                bridge.authoring.conforming.check_alike(armature, action)
            except VerbsError as unlike:
                left.append(str(unlike))
                continue
            choice = self.choices.add()
            choice.name, choice.chosen = action.name, True
        if left:
            return f"{left[0]}{f' {len(left) - 1} more cannot be copied.' if len(left) > 1 else ''}"
        return f"{alike} more can be used without copying, as their bones are the same" if alike else ""

    def do(self, context: Context) -> str:
        armature, names = current_armature(context), [choice.name for choice in self.picked()]
        actions = [_action(name) for name in names]
        if not actions:
            raise ActionError("No action was chosen. Tick at least one.")
        made = bridge.authoring.conforming.conform_actions(
            armature, actions, bridge.data.annotate.scene_fps(context.scene)
        )
        tell_warnings(self, made.warnings)
        return f"Made {quoted(action.name for action in made.actions)}"


def _action(name: str) -> Action:
    action = bpy.data.actions.get((name, None)) or bpy.data.actions.get(name)
    if action is None:
        raise ActionError(f"There is no action '{name}' in this file. Choose another one.")
    return action


CLASSES = (
    VERBS_ADVERBS_AdverbChoice,
    VERBS_ADVERBS_OT_action_mirror,
    VERBS_ADVERBS_ForeignChoice,
    VERBS_ADVERBS_OT_actions_conform,
)
