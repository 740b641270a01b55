"""Verbs of the armature: add, rename, remove and build them, pick their examples, choose what carries travel."""

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, CollectionProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup

from .. import bridge
from ..bridge.blender.naming import told_frame
from ..bridge.data.current import at, current_armature, current_verb
from ..bridge.data.schema import ROOT_IS_OBJECT
from ..core.errors import ExampleError, RigError, VerbError, VerbsError, listed, quoted, shortened
from . import reasons
from .jobs import Lasting
from .operator_base import Intent, Picker

if TYPE_CHECKING:
    from ..bridge.authoring.verbs import Built
    from ..bridge.data.example_list import Listed


class VERBS_ADVERBS_OT_verb_add(Intent, Operator):
    """Add a verb: a motion built from examples, such as walk"""

    bl_idname = "verbs_adverbs.verb_add"
    bl_label = "Add Verb"
    bl_property = "name"

    name: StringProperty(name="Name", description="What the character does, such as walk", default="walk")

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.armature(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        taken = [item.name for item in current_armature(context).verbs_adverbs.verbs]
        self.name = bridge.blender.naming.free_name(self.name, taken)
        return context.window_manager.invoke_props_dialog(self)

    def do(self, context: Context) -> str:
        verb = bridge.authoring.definitions.add_verb(current_armature(context), self.name)
        return f"Added verb '{verb.name}'; now add its examples"


class VERBS_ADVERBS_OT_verb_remove(Intent, Operator):
    """Remove the chosen verb; its examples stay in their actions"""

    bl_idname = "verbs_adverbs.verb_remove"
    bl_label = "Remove Verb"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb(context)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        director = bridge.data.director.director_of(armature)
        if director is not None:
            bridge.layers.said.settle(director)  # Without its verb a gesture has no strip that tells of a drag.
        name, ways, frames = bridge.authoring.definitions.remove_verb(armature, armature.verbs_adverbs.active_verb)
        said = f"Removed verb '{name}'; its examples stay in their actions"
        if ways:
            said += f"; also removed {ways} transition{'s' if ways > 1 else ''}"
        if frames:
            at = listed(map(told_frame, frames))
            said += f"; commands for it no longer have an effect, at frame{'s' if len(frames) > 1 else ''} {at}"
        return said


class VERBS_ADVERBS_OT_verb_rename(Intent, Operator):
    """Rename the chosen verb, also in its directors"""

    bl_idname = "verbs_adverbs.verb_rename"
    bl_label = "Rename Verb"
    bl_property = "name"

    name: StringProperty(name="Name", description="New name of the verb; it must be unique")

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        self.name = current_verb(context).name
        return context.window_manager.invoke_props_dialog(self)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        bridge.authoring.definitions.rename_verb(armature, armature.verbs_adverbs.active_verb, self.name)
        return ""


class VERBS_ADVERBS_OT_verb_build(Lasting, Operator):
    """Build the chosen verb from its examples and report problems"""

    bl_idname = "verbs_adverbs.verb_build"
    bl_label = "Build Verb"

    every: BoolProperty(name="All Verbs", description="Build all verbs of the armature", options={"SKIP_SAVE"})

    @classmethod
    def description(cls, _context: Context, properties: "VERBS_ADVERBS_OT_verb_build") -> str:
        """Tooltip of the button."""
        return "Build all verbs of the armature from their examples and report problems" if properties.every else ""

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb(context)
        if reason:
            return reason
        verbs = current_armature(context).verbs_adverbs.verbs
        return "" if any(_has_examples(verb) for verb in verbs) else "Add examples to the verb first"

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        verbs = list(armature.verbs_adverbs.verbs) if self.every else [current_verb(context)]
        if not self.every and not _has_examples(verbs[0]):
            raise VerbError(f"Verb '{verbs[0].name}' has no examples. Add examples to it, or tick one.")
        bridge.data.content.read_anew(armature)
        found: list[tuple[PropertyGroup, Built]] = []
        failed: list[str] = []
        for verb in verbs:
            try:
                found.append((verb, bridge.authoring.verbs.built_for(armature, verb)))
            except VerbsError as error:
                failed.append(f"'{verb.name}': {error}")
        if not found:
            raise VerbError(" ".join(shortened(failed, "{count} more verbs cannot be built.")))
        for verb, built in found:
            bridge.authoring.verbs.note_built(armature, verb, built)
        for text in shortened(failed, "{count} more verbs cannot be built."):
            self.tell("WARNING", f"Not built: {text}")
        said = (line for verb, built in found for line in bridge.authoring.verbs.lines_of(armature, verb, built))
        complaints = sum(line.kind == "WARNING" for line in said)
        names = listed(verb.name for verb, _ in found)
        heard = f"; {complaints} warning{'s' if complaints > 1 else ''} under Report" if complaints else ""
        return f"Built {names}{heard}"


def _has_examples(verb: PropertyGroup) -> bool:
    return any(reference.enabled for reference in verb.examples)


class VERBS_ADVERBS_OT_root_set(Intent, Operator):
    """Use the active bone, such as the hips, as the root that carries the travel; without one, guess it again"""

    bl_idname = "verbs_adverbs.root_set"
    bl_label = "Set Root"

    root: StringProperty(name="Root", description="Bone name; empty to guess, <object> for the object itself")

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.armature(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        bone = context.active_pose_bone
        self.root = bone.name if bone else ""
        return self.execute(context)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        if self.root and self.root != ROOT_IS_OBJECT and self.root not in armature.data.bones:
            raise RigError(
                f"Armature '{armature.name}' has no bone '{self.root}'. Choose one of its bones as the root."
            )
        armature.verbs_adverbs.root = self.root
        return f"Root: {self.root}" if self.root else "The root will be guessed"


class VERBS_ADVERBS_ExampleChoice(PropertyGroup):
    """An example that can be picked."""

    name: StringProperty(name="Name", description="Action and example")
    action: StringProperty(name="Action", description="Name of the action")
    uid: StringProperty(name="Identifier", description="Identifier of the example")
    chosen: BoolProperty(name="Use", description="Build the verb from this example")


class VERBS_ADVERBS_OT_verb_examples_add(Picker, Operator):
    """Add examples to the verb from all actions that move the armature; those not yet in a verb are ticked"""

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
            return "All examples are already in this verb"
        fits = any(bridge.data.example_list.moves(example.action, armature) for example in further)
        return "" if fits else f"No other action with examples moves a bone of '{armature.name}'"

    def offer(self, context: Context) -> str:
        further, armature = _further(context), current_armature(context)
        fitting = [example for example in further if bridge.data.example_list.moves(example.action, armature)]
        verbs = armature.verbs_adverbs.verbs
        taken = {(reference.action, reference.example_uid) for verb in verbs for reference in verb.examples}
        for example in fitting:
            choice = self.choices.add()
            choice.name, choice.action, choice.uid = example.label, example.action.name, example.item.uid
            choice.chosen = (example.action, example.item.uid) not in taken
        others = len(further) - len(fitting)
        if not others:
            return ""
        return f"{others} more {'does' if others == 1 else 'do'} not move any bone of this armature"

    def do(self, context: Context) -> str:
        verb, chosen = current_verb(context), self.picked()
        if not chosen:
            raise ExampleError(f"No example was chosen for verb '{verb.name}'. Tick at least one.")
        found = [bridge.data.example_list.listed(choice.action, choice.uid) for choice in chosen]
        for example in found:
            bridge.authoring.definitions.add_reference(verb, example.action, example.item)
        return f"Added {len(found)} example{'s' if len(found) > 1 else ''} to verb '{verb.name}'"


class VERBS_ADVERBS_OT_verb_example_remove(Intent, Operator):
    """Remove the chosen example from the verb; it stays in its action"""

    bl_idname = "verbs_adverbs.verb_example_remove"
    bl_label = "Remove Example"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb_example(context)

    def do(self, context: Context) -> str:
        verb = current_verb(context)
        bridge.authoring.definitions.remove_reference(verb, verb.active_example)
        return ""


class VERBS_ADVERBS_OT_verb_example_show(Intent, Operator):
    """Assign the example's action to the armature, and go to its first frame or one of its keytimes"""

    bl_idname = "verbs_adverbs.verb_example_show"
    bl_label = "Show Example"

    row: IntProperty(
        name="Example",
        description="Row of the example in the verb's list; -1 for the chosen one",
        default=-1,
        options={"SKIP_SAVE"},
    )
    keytime: IntProperty(
        name="Keytime",
        description="Row of the keytime to go to; -1 for the first frame",
        default=-1,
        min=-1,
        options={"SKIP_SAVE"},
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb_example(context)
        if reason:
            return reason
        director = bridge.data.director.director_of(current_armature(context))
        live = director is not None and director.verbs_adverbs.live
        return "The director's verb is moving the armature: switch it off to see an example" if live else ""

    def do(self, context: Context) -> str:
        verb, armature = current_verb(context), current_armature(context)
        row = verb.active_example if self.row < 0 else self.row
        reference = at(verb.examples, row)
        if reference is None:
            raise ExampleError(f"Verb '{verb.name}' has no example {row + 1}. Choose one from its list.")
        example = bridge.data.example_list.referenced(reference)
        if example is None:
            raise ExampleError(
                f"Example '{reference.example_name}' of action '{reference.action_name}' no longer exists. Remove it "
                "from the verb."
            )
        action = reference.action
        bridge.data.director.check_free(armature)
        keytime = at(bridge.data.markers.effective_keytimes(example), self.keytime)
        frame = example.start if keytime is None else keytime[1]
        frame = bridge.data.structure.shown_frame(example, frame)
        bridge.data.annotate.check_frame(frame)
        abandoned = bridge.data.director.holder_of(armature)
        if abandoned is not None:
            bridge.session.switching.switch_off(abandoned)
        bridge.action.generated_action.replace_action(armature, action)
        action.verbs_adverbs.active_example = action.verbs_adverbs.examples.find(example.name)
        bridge.data.annotate.go_to(context.scene, frame)
        verb.active_example = row
        said = f"Showing example '{example.name}' of action '{action.name}'"
        former = bridge.data.bones.names.former_names(armature, action)
        told = (
            f"; its curves for {quoted(former)} have no effect in Blender, because those bones were renamed"
            if former
            else ""
        )
        return said + told


def _further(context: Context) -> "list[Listed]":
    """Examples that the verb does not have yet."""
    taken = {(reference.action, reference.example_uid) for reference in current_verb(context).examples}
    return [
        example
        for example in bridge.data.example_list.annotated_examples()
        if (example.action, example.item.uid) not in taken
    ]


CLASSES = (
    VERBS_ADVERBS_OT_verb_add,
    VERBS_ADVERBS_OT_verb_remove,
    VERBS_ADVERBS_OT_verb_rename,
    VERBS_ADVERBS_OT_verb_build,
    VERBS_ADVERBS_OT_root_set,
    VERBS_ADVERBS_ExampleChoice,
    VERBS_ADVERBS_OT_verb_examples_add,
    VERBS_ADVERBS_OT_verb_example_remove,
    VERBS_ADVERBS_OT_verb_example_show,
)


def register() -> None:
    """Start reacting to changes of actions."""
    bridge.data.content.watch()


def unregister() -> None:
    """Stop reacting to changes of actions, and forget the verbs that were built."""
    bridge.data.content.unwatch()
