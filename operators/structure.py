"""The structure of an example - keytimes, kind, contacts - given to other actions."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, StringProperty
from bpy.types import Action, Context, Operator, PropertyGroup

from .. import bridge
from ..bridge.data.current import current_action, current_armature, current_example, is_linked
from ..core.errors import ActionError
from . import reasons
from .picking import Picker


class VERBS_ADVERBS_ActionChoice(PropertyGroup):
    """An action that can be picked."""

    name: StringProperty(name="Name", description="Name of the action")
    chosen: BoolProperty(name="Use", description="Give this action the example's structure")


class VERBS_ADVERBS_OT_structure_copy(Picker, Operator):
    """Copy keytimes, kind and contacts of the chosen example to other actions, in proportion to their length"""

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
        return f"Copied the structure of '{source.name}' to {len(targets)} action{'s' if len(targets) > 1 else ''}"


def _target(name: str, source: Action) -> Action:
    action = next((a for a in bpy.data.actions if a.name == name and not is_linked(a)), None)
    if action is None:
        raise ActionError(f"There is no action '{name}' in this file. Choose another one.")
    if action == source:
        raise ActionError(f"Action '{name}' is the one to copy from. Choose another one.")
    bridge.data.annotate.check_editable(action)
    bridge.data.annotate.key_range(action)
    return action


def _others(context: Context) -> list[Action]:
    """Local actions that move a bone of the current armature, apart from the current one."""
    armature, current = current_armature(context), current_action(context)
    local = [action for action in bpy.data.actions if not is_linked(action) and action != current]
    return [action for action in local if armature is None or bridge.data.listing.moves(action, armature)]


CLASSES = (
    VERBS_ADVERBS_ActionChoice,
    VERBS_ADVERBS_OT_structure_copy,
)
