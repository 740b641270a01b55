"""Mirroring the current action: a new action with left and right exchanged, and its example."""

from bpy.props import BoolProperty, CollectionProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup

from .. import bridge
from ..bridge.data.current import current_action, current_armature, current_example, current_verb
from . import reasons
from .finding import tell_warnings
from .operator_base import Intent

TURNING = "turn"


class VERBS_ADVERBS_AdverbChoice(PropertyGroup):
    """An adverb whose values may change their sign."""

    name: StringProperty(name="Name", description="Name of the adverb")
    chosen: BoolProperty(name="Negate", description="The mirrored example gets the value with the other sign")


class VERBS_ADVERBS_OT_action_mirror(Intent, Operator):
    """Make a new action that shows the current one in the mirror, with its example: a left turn from a right one"""

    bl_idname = "verbs_adverbs.action_mirror"
    bl_label = "Mirror"

    choices: CollectionProperty(type=VERBS_ADVERBS_AdverbChoice, options={"SKIP_SAVE"})
    add_to_verb: BoolProperty(
        name="Add to Verb", description="Add the mirrored example to the verb that has the old one", default=True
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.armature(context) or reasons.action(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        self.choices.clear()
        example = current_example(context)
        for value in example.values if example is not None else ():  # pyright: ignore[reportGeneralTypeIssues]
            choice = self.choices.add()
            choice.name, choice.chosen = value.name, _turns(context, value.name)
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
        example, verb = current_example(context), current_verb(context)
        names = {choice.name for choice in self.choices if choice.chosen}
        scene = context.scene
        fps = bridge.data.annotate.scene_fps(scene) if example is None else bridge.data.annotate.fps_of(example, scene)
        made = bridge.build.mirroring.mirror_action(armature, action, example, names, fps)
        said = f"Made action '{made.action.name}'"
        used = verb is not None and example is not None and any(r.example_uid == example.uid for r in verb.examples)
        if self.add_to_verb and used and made.item is not None:
            bridge.build.definitions.add_reference(verb, made.action, made.item)
            said += f", an example of verb '{verb.name}' too"
        tell_warnings(self, made.warnings)
        return said


def _turns(context: Context, adverb: str) -> bool:
    """Whether an adverb says how much something turns, judged by what it measures or, if nothing, by its name."""
    verb = current_verb(context)
    used = verb.adverbs.get(adverb) if verb is not None else None
    if used is not None and used.measure != "NONE":
        return used.measure == "TURN_RATE"
    return TURNING in adverb.lower()


CLASSES = (VERBS_ADVERBS_AdverbChoice, VERBS_ADVERBS_OT_action_mirror)
