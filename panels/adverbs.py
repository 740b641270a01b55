"""Adverbs of the armature."""

from bpy.types import Context, Panel

from ..bridge.data.current import at, current_armature
from ..operators import reasons
from .sidebar import Viewport, sentence


class VERBS_ADVERBS_PT_adverbs(Viewport, Panel):
    """Qualities of motion that verbs of this armature can vary along"""

    bl_label = "Adverbs"
    bl_idname = "VERBS_ADVERBS_PT_adverbs"
    bl_order = 20
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        return current_armature(context) is not None

    def draw(self, context: Context) -> None:
        layout = self.layout
        rig = current_armature(context).verbs_adverbs
        row = layout.row()
        row.template_list("VERBS_ADVERBS_UL_adverbs", "", rig, "adverbs", rig, "active_adverb", rows=4)
        column = row.column(align=True)
        column.operator("verbs_adverbs.adverb_add", icon="ADD", text="")
        column.operator("verbs_adverbs.adverb_remove", icon="REMOVE", text="")
        column.separator()
        column.operator("verbs_adverbs.adverb_move", icon="TRIA_UP", text="").direction = "UP"
        column.operator("verbs_adverbs.adverb_move", icon="TRIA_DOWN", text="").direction = "DOWN"
        item = at(rig.adverbs, rig.active_adverb)
        if item is None:
            sentence(layout, context, "An adverb is a quality that can vary, such as energy from sad to happy.")
            return
        layout = layout.column()
        layout.enabled = not reasons.armature(context)
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.operator("verbs_adverbs.adverb_rename", text=f"Rename {item.name}", icon="GREASEPENCIL")
        extent = layout.column(align=True)
        extent.prop(item, "minimum")
        extent.prop(item, "maximum")
        extent.prop(item, "default")
        layout.prop(item, "unit")
        layout.prop(item, "description")
        if not item.minimum < item.maximum:
            sentence(layout, context, "The minimum must lie below the maximum.", "ERROR")


CLASSES = (VERBS_ADVERBS_PT_adverbs,)
