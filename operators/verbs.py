"""Verbs of the armature: add, rename, remove and build them, and choose the bone that carries the travel."""

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup

from .. import bridge
from ..bridge.blender.naming import told_frame
from ..bridge.data.current import current_armature, current_verb
from ..bridge.data.schema import ROOT_IS_OBJECT
from ..core.errors import RigError, VerbError, VerbsError, listed, shortened
from . import reasons
from .intent import Intent
from .working import Lasting

if TYPE_CHECKING:
    from ..bridge.build.verbs import Built


class VERBS_ADVERBS_OT_verb_add(Intent, Operator):
    """Add a verb: a motion that is built from examples, such as walk"""

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
        verb = bridge.build.definitions.add_verb(current_armature(context), self.name)
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
        name, ways, frames = bridge.build.definitions.remove_verb(armature, armature.verbs_adverbs.active_verb)
        said = f"Removed verb '{name}'; its examples stay in their actions"
        if ways:
            said += f"; {ways} transition{'s' if ways > 1 else ''} went with it"
        if frames:
            at = listed(map(told_frame, frames))
            said += f"; commands that ask for it are passed over, at frame{'s' if len(frames) > 1 else ''} {at}"
        return said


class VERBS_ADVERBS_OT_verb_rename(Intent, Operator):
    """Rename the chosen verb, for its directors too"""

    bl_idname = "verbs_adverbs.verb_rename"
    bl_label = "Rename Verb"
    bl_property = "name"

    name: StringProperty(name="Name", description="New name of the verb, which no other verb has")

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        self.name = current_verb(context).name
        return context.window_manager.invoke_props_dialog(self)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        bridge.build.definitions.rename_verb(armature, armature.verbs_adverbs.active_verb, self.name)
        return ""


class VERBS_ADVERBS_OT_verb_build(Lasting, Operator):
    """Build the chosen verb from its examples and say what was found"""

    bl_idname = "verbs_adverbs.verb_build"
    bl_label = "Build Verb"

    every: BoolProperty(name="All Verbs", description="Build all verbs of the armature")

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
            raise VerbError(
                f"Verb '{verbs[0].name}' has no examples. Add examples to the verb first, or switch one on."
            )
        found: list[tuple[PropertyGroup, Built]] = []
        failed: list[str] = []
        for verb in verbs:
            try:
                found.append((verb, bridge.build.verbs.built_for(armature, verb, True)))
            except VerbsError as error:
                failed.append(f"'{verb.name}': {error}")
        if not found:
            raise VerbError(" ".join(shortened(failed, "{count} more verbs cannot be built.")))
        for verb, built in found:
            bridge.build.verbs.note_built(armature, verb, built)
        for text in shortened(failed, "{count} more verbs cannot be built."):
            self.tell("WARNING", f"Not built: {text}")
        said = (line for verb, built in found for line in bridge.build.verbs.lines_of(armature, verb, built))
        complaints = sum(line.kind == "WARNING" for line in said)
        names = listed(verb.name for verb, _ in found)
        heard = f"; {complaints} remark{'s' if complaints > 1 else ''} in its panel" if complaints else ""
        return f"Built {names}{heard}"


def _has_examples(verb: PropertyGroup) -> bool:
    return any(reference.enabled for reference in verb.examples)


class VERBS_ADVERBS_OT_root_set(Intent, Operator):
    """Let the active bone carry the character's travel, such as the hips; without a bone it is guessed again"""

    bl_idname = "verbs_adverbs.root_set"
    bl_label = "Set Root"

    root: StringProperty(name="Root", description="Name of a bone; empty to guess, <object> for the object itself")

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
        return f"Root: {self.root}" if self.root else "The root is guessed"


CLASSES = (
    VERBS_ADVERBS_OT_verb_add,
    VERBS_ADVERBS_OT_verb_remove,
    VERBS_ADVERBS_OT_verb_rename,
    VERBS_ADVERBS_OT_verb_build,
    VERBS_ADVERBS_OT_root_set,
)


def register() -> None:
    """Begin to listen to changes of actions."""
    bridge.data.content.watch()


def unregister() -> None:
    """Stop listening and drop what was built."""
    bridge.session.idle.stop()
    bridge.data.content.unwatch()
    bridge.build.verbs.forget_built()
