"""Examples of a verb: pick several at once, remove them, look at one."""

from bpy.props import BoolProperty, CollectionProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup

from ..bridge import definitions
from ..bridge.current import current_armature, current_verb
from ..bridge.listing import Listed, annotated_examples, listed
from ..bridge.versions import assign_action
from ..core.errors import ExampleError
from . import reasons
from .intent import Intent


class VERBS_ADVERBS_ExampleChoice(PropertyGroup):
    """An example that can be picked."""

    name: StringProperty(name="Name", description="Action and example")
    action: StringProperty(name="Action", description="Name of the action")
    uid: StringProperty(name="Identifier", description="Identifier of the example")
    chosen: BoolProperty(name="Use", description="Build the verb from this example")


class VERBS_ADVERBS_OT_verb_examples_add(Intent, Operator):
    """Pick examples for the verb from all annotated actions"""

    bl_idname = "verbs_adverbs.verb_examples_add"
    bl_label = "Add Examples"

    choices: CollectionProperty(type=VERBS_ADVERBS_ExampleChoice, options={"SKIP_SAVE"})
    filter: StringProperty(
        name="", description="Show only names that contain this", options={"SKIP_SAVE", "TEXTEDIT_UPDATE"}
    )

    every: BoolProperty(name="All of These", description="Take all that are shown", options={"SKIP_SAVE"})

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb(context) or ("" if _offered(context) else "Every annotated example is in the verb already")

    def invoke(self, context: Context, _event: Event) -> set[str]:
        self.choices.clear()
        for example in _offered(context):
            choice = self.choices.add()
            choice.name, choice.action, choice.uid = example.label, example.action.name, example.item.uid
        return context.window_manager.invoke_props_dialog(self, width=400)

    def draw(self, _context: Context) -> None:
        column = self.layout.column()
        if len(self.choices) > 8:
            column.prop(self, "filter", icon="VIEWZOOM")
        column.prop(self, "every")
        shown = self._shown()
        flow = column.grid_flow(row_major=True, columns=2 if len(shown) > 12 else 1, even_columns=True)
        flow.enabled = not self.every
        for choice in shown:
            flow.prop(choice, "chosen", text=choice.name)

    def _shown(self) -> list[VERBS_ADVERBS_ExampleChoice]:
        return [choice for choice in self.choices if self.filter.lower() in choice.name.lower()]

    def do(self, context: Context) -> str:
        verb = current_verb(context)
        chosen = self._shown() if self.every else [choice for choice in self.choices if choice.chosen]
        if not chosen:
            raise ExampleError(f"No example was chosen for verb '{verb.name}'. Tick at least one.")
        found = [listed(choice.action, choice.uid) for choice in chosen]
        for example in found:
            definitions.add_reference(verb, example.action, example.item)
        return f"Added {len(found)} example{'s' if len(found) > 1 else ''} to verb '{verb.name}'"


class VERBS_ADVERBS_OT_verb_example_remove(Intent, Operator):
    """Take the chosen example out of the verb; it stays in its action"""

    bl_idname = "verbs_adverbs.verb_example_remove"
    bl_label = "Remove Example"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb_example(context)

    def do(self, context: Context) -> str:
        verb = current_verb(context)
        verb.examples.remove(verb.active_example)
        verb.active_example = max(0, min(verb.active_example, len(verb.examples) - 1))
        return ""


class VERBS_ADVERBS_OT_verb_example_show(Intent, Operator):
    """Assign the action of the chosen example to the armature and go to the example's first frame"""

    bl_idname = "verbs_adverbs.verb_example_show"
    bl_label = "Show Example"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb_example(context)
        if reason:
            return reason
        director = current_armature(context).verbs_adverbs.director
        if director is not None and director.verbs_adverbs.live:
            return "A director is playing its verb: switch it off to look at an example"
        return ""

    def do(self, context: Context) -> str:
        verb = current_verb(context)
        reference = verb.examples[verb.active_example]
        example = definitions.referenced(reference)
        if example is None:
            raise ExampleError(
                f"Example '{reference.example_name}' of action '{reference.action_name}' is gone. Take it out of the"
                " verb."
            )
        action = reference.action
        assign_action(current_armature(context), action)
        action.verbs_adverbs.active_example = action.verbs_adverbs.examples.find(example.name)
        frame = example.start
        context.scene.frame_set(int(frame // 1), subframe=frame % 1)
        return f"Showing example '{example.name}' of action '{action.name}'"


def _offered(context: Context) -> list[Listed]:
    taken = {(reference.action, reference.example_uid) for reference in current_verb(context).examples}
    return [example for example in annotated_examples() if (example.action, example.item.uid) not in taken]


CLASSES = (
    VERBS_ADVERBS_ExampleChoice,
    VERBS_ADVERBS_OT_verb_examples_add,
    VERBS_ADVERBS_OT_verb_example_remove,
    VERBS_ADVERBS_OT_verb_example_show,
)
