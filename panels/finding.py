"""Finding keytimes by themselves: the buttons, what was found in words, and the bones of the feet to correct."""

from bpy.types import Context, Panel, PropertyGroup, UILayout

from ..bridge.data.current import current_action, current_armature, current_example
from ..operators import reasons
from .sidebar import Viewport, sentence


def draw_finding(layout: UILayout, context: Context) -> None:
    """Buttons that find, cut and mirror, and what was found in the current action."""
    layout.operator("verbs_adverbs.keytimes_find", icon="VIEWZOOM", text="Find Keytimes\u2026")
    if current_example(context) is not None:
        row = layout.row(align=True)
        row.operator("verbs_adverbs.cycle_choose", icon="FRAME_NEXT")
        row.operator("verbs_adverbs.action_mirror", icon="MOD_MIRROR", text="Mirror\u2026")
    for line in current_action(context).verbs_adverbs.found:
        sentence(layout, context, line.text, line.kind)


class VERBS_ADVERBS_PT_feet(Viewport, Panel):
    """Bones by which contacts are found; empty, they are found by their names"""

    bl_label = "Feet"
    bl_idname = "VERBS_ADVERBS_PT_feet"
    bl_parent_id = "VERBS_ADVERBS_PT_example"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 5

    @classmethod
    def poll(cls, context: Context) -> bool:
        return current_armature(context) is not None

    def draw(self, context: Context) -> None:
        layout, armature = self.layout, current_armature(context)
        chosen = armature.verbs_adverbs.feet
        row = layout.row(align=True)
        row.operator("verbs_adverbs.feet_find", icon="VIEWZOOM")
        row.operator("verbs_adverbs.feet_forget", icon="X", text="")
        if not chosen:
            sentence(layout, context, "Found by the bones' names each time. Press Find Feet to see and correct them.")
        column = layout.column()
        column.enabled = not reasons.armature(context)
        for item in chosen:
            _draw_foot(column, item, armature.pose)


def _draw_foot(layout: UILayout, item: PropertyGroup, pose: object) -> None:
    layout.label(text=f"Foot {item.name}")
    column = layout.column(align=True)
    for name in ("thigh", "ankle"):
        column.prop_search(item, name, pose, "bones")
    for name in ("ball", "heel"):
        row = column.split(factor=0.75, align=True)
        row.prop_search(item, name, pose, "bones")
        row.prop(item, f"{name}_end", text="")


CLASSES = (VERBS_ADVERBS_PT_feet,)
