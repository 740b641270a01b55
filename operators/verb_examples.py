"""Examples of a verb: pick several at once, remove them, look at one."""

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, CollectionProperty, StringProperty
from bpy.types import Context, Operator, PropertyGroup

from .. import bridge
from ..bridge.data.current import current_armature, current_verb
from ..core.errors import ExampleError
from . import reasons
from .intent import Intent
from .picking import Picker

if TYPE_CHECKING:
    from ..bridge.data.listing import Listed


class VERBS_ADVERBS_ExampleChoice(PropertyGroup):
    """An example that can be picked."""

    name: StringProperty(name="Name", description="Action and example")
    action: StringProperty(name="Action", description="Name of the action")
    uid: StringProperty(name="Identifier", description="Identifier of the example")
    chosen: BoolProperty(name="Use", description="Build the verb from this example")


class VERBS_ADVERBS_OT_verb_examples_add(Picker, Operator):
    """Pick examples for the verb from all annotated actions that move the armature"""

    bl_idname = "verbs_adverbs.verb_examples_add"
    bl_label = "Add Examples"

    choices: CollectionProperty(type=VERBS_ADVERBS_ExampleChoice, options={"SKIP_SAVE"})

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb(context)
        if reason:
            return reason
        further, armature = _further(context), current_armature(context)
        if not further:
            return "Every annotated example is in the verb already"
        fits = any(bridge.data.listing.moves(example.action, armature) for example in further)
        return "" if fits else f"No further annotated action moves a bone of '{armature.name}'"

    def offer(self, context: Context) -> str:
        further, armature = _further(context), current_armature(context)
        fitting = [example for example in further if bridge.data.listing.moves(example.action, armature)]
        for example in fitting:
            choice = self.choices.add()
            choice.name, choice.action, choice.uid = example.label, example.action.name, example.item.uid
            choice.chosen = True
        others = len(further) - len(fitting)
        if not others:
            return ""
        return f"{others} more {'moves' if others == 1 else 'move'} no bone of this armature"

    def do(self, context: Context) -> str:
        verb, chosen = current_verb(context), self.picked()
        if not chosen:
            raise ExampleError(f"No example was chosen for verb '{verb.name}'. Tick at least one.")
        found = [bridge.data.listing.listed(choice.action, choice.uid) for choice in chosen]
        for example in found:
            bridge.build.definitions.add_reference(verb, example.action, example.item)
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
        bridge.build.definitions.remove_reference(verb, verb.active_example)
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
        director = bridge.data.director.director_of(current_armature(context))
        live = director is not None and director.verbs_adverbs.live
        return "The director's verb moves the armature: switch it off to look at an example" if live else ""

    def do(self, context: Context) -> str:
        verb, armature = current_verb(context), current_armature(context)
        reference = verb.examples[verb.active_example]
        example = bridge.data.listing.referenced(reference)
        if example is None:
            raise ExampleError(
                f"Example '{reference.example_name}' of action '{reference.action_name}' is gone. Take it out of the"
                " verb."
            )
        action = reference.action
        bridge.data.director.check_free(armature)
        bridge.data.annotate.check_frame(example.start)
        abandoned = bridge.data.director.holder_of(armature)
        if abandoned is not None:
            bridge.session.live.switch_off(abandoned)
        bridge.data.kept.replace_action(armature, action)
        action.verbs_adverbs.active_example = action.verbs_adverbs.examples.find(example.name)
        bridge.data.annotate.go_to(context.scene, example.start)
        return f"Showing example '{example.name}' of action '{action.name}'"


def _further(context: Context) -> "list[Listed]":
    """Annotated examples that the verb does not have yet."""
    taken = {(reference.action, reference.example_uid) for reference in current_verb(context).examples}
    return [
        example
        for example in bridge.data.listing.annotated_examples()
        if (example.action, example.item.uid) not in taken
    ]


CLASSES = (
    VERBS_ADVERBS_ExampleChoice,
    VERBS_ADVERBS_OT_verb_examples_add,
    VERBS_ADVERBS_OT_verb_example_remove,
    VERBS_ADVERBS_OT_verb_example_show,
)
