"""Baking in the sidebar."""

from bpy.types import Context, Panel

from .. import bridge
from ..bridge.current import current_armature
from .sidebar import Viewport, sentence


class VERBS_ADVERBS_PT_baking(Viewport, Panel):
    """Keyframes from what is directed"""

    bl_label = "Bake"
    bl_idname = "VERBS_ADVERBS_PT_baking"
    bl_order = 50
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        armature = current_armature(context)
        return armature is not None and bool(armature.verbs_adverbs.verbs)

    def draw(self, context: Context) -> None:
        layout, director = self.layout, bridge.director.director_of(current_armature(context))
        what = "at the sliders above" if director is not None else "at the adverbs' defaults"
        sentence(layout, context, f"Makes a new action of plain keyframes {what}; it plays without the extension.", "")
        layout.operator_context = "INVOKE_DEFAULT"
        column = layout.column(align=True)
        cycle = column.operator("verbs_adverbs.bake", text="Bake Cycles", icon="ACTION")
        cycle.length = "CYCLES"
        frames = column.operator("verbs_adverbs.bake", text="Bake Frame Range", icon="PREVIEW_RANGE")
        frames.length = "RANGE"


CLASSES = (VERBS_ADVERBS_PT_baking,)
