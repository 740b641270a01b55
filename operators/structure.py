"""The structure of an example - keytimes, kind, contacts - given to other actions."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, StringProperty
from bpy.types import Action, Context, Event, Operator, PropertyGroup

from ..bridge.annotate import check_editable, key_range, scene_fps
from ..bridge.current import current_action, current_armature, current_example
from ..bridge.structure import copy_structure
from ..bridge.versions import curves_of
from ..core.errors import ActionError
from . import reasons
from .intent import Intent


class VERBS_ADVERBS_ActionChoice(PropertyGroup):
    """An action that can be picked."""

    name: StringProperty(name="Name", description="Name of the action")
    chosen: BoolProperty(name="Use", description="Give this action the example's structure")


class VERBS_ADVERBS_OT_structure_copy(Intent, Operator):
    """Copy keytimes, kind and contacts of the chosen example to other actions, in proportion to their length"""

    bl_idname = "verbs_adverbs.structure_copy"
    bl_label = "Copy to Other Actions"

    choices: CollectionProperty(type=VERBS_ADVERBS_ActionChoice, options={"SKIP_SAVE"})
    filter: StringProperty(
        name="", description="Show only names that contain this", options={"SKIP_SAVE", "TEXTEDIT_UPDATE"}
    )

    every: BoolProperty(name="All of These", description="Copy to all that are shown", options={"SKIP_SAVE"})

    @classmethod
    def reason(cls, context: Context) -> str:
        if current_example(context) is None:
            return reasons.example(context) or "Add an example to the action first"
        return "" if len(bpy.data.actions) > 1 else "There is no other action to copy to"

    def invoke(self, context: Context, _event: Event) -> set[str]:
        self.choices.clear()
        for action in _others(context):
            self.choices.add().name = action.name
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
        if not shown:
            column.label(text="No other action moves this armature", icon="INFO")

    def _shown(self) -> list[VERBS_ADVERBS_ActionChoice]:
        return [choice for choice in self.choices if self.filter.lower() in choice.name.lower()]

    def do(self, context: Context) -> str:
        source, scene = current_example(context), context.scene
        names = [
            choice.name for choice in (self._shown() if self.every else self.choices) if self.every or choice.chosen
        ]
        targets = [_target(name, current_action(context)) for name in names]
        if not targets:
            raise ActionError("No action was chosen. Tick at least one.")
        for target in targets:
            copy_structure(source, target, scene_fps(scene))
        return f"Copied the structure of '{source.name}' to {len(targets)} action{'s' if len(targets) > 1 else ''}"


def _target(name: str, source: Action) -> Action:
    action = next((a for a in bpy.data.actions if a.name == name and a.library is None), None)
    if action is None:
        raise ActionError(f"There is no action '{name}' in this file. Choose another one.")
    if action == source:
        raise ActionError(f"Action '{name}' is the one to copy from. Choose another one.")
    check_editable(action)
    key_range(action)
    return action


def _others(context: Context) -> list[Action]:
    """Local actions that move a bone of the current armature, apart from the current one."""
    armature, current = current_armature(context), current_action(context)
    local = [action for action in bpy.data.actions if action.library is None and action != current]
    return [action for action in local if armature is None or _moves(action, armature)]


def _moves(action: Action, armature: bpy.types.Object) -> bool:
    from ..bridge.curves import parse_path

    paths = {curve.data_path for curve in curves_of(action, armature)}
    return any(parse_path(path)[0] in armature.data.bones for path in paths)


CLASSES = (VERBS_ADVERBS_ActionChoice, VERBS_ADVERBS_OT_structure_copy)
