"""Panels on what gestures are made of: the phases of an example and how far they may be warped, in both sidebars."""

from bpy.types import Context, Panel

from .. import bridge
from ..bridge.data.current import current_action, current_example, is_linked, is_newer
from .annotating import DopeSheet, PartOfExample
from .sidebar import Viewport, sentence

PHASES = (
    "A gesture has the keytimes start, ready, stroke_start, stroke, stroke_end, relax and end. Find them, then correct"
    " them as markers."
)


class _Gesture(PartOfExample):
    bl_label = "Gesture"
    bl_order = 4
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        layout, example, action = self.layout, current_example(context), current_action(context)
        layout.operator("verbs_adverbs.phases_find", icon="VIEWZOOM")
        complaints = bridge.layers.gestures.gesture_complaints(example, context.scene)
        for line in complaints:
            sentence(layout, context, line, "WARNING")
        if not bridge.layers.gestures.shows_gesture(example):
            if not complaints:
                sentence(layout, context, PHASES)
            return
        column = layout.column(align=True)
        column.enabled = not (is_linked(action) or is_newer(action.verbs_adverbs))
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(example, "shortest")
        column.prop(example, "longest")
        sentence(layout, context, bridge.layers.gestures.phases_told(example, context.scene), "")


class VERBS_ADVERBS_PT_gesture(Viewport, _Gesture, Panel):
    """Phases of a gesture that the example shows, and how far they may be warped in time"""

    bl_idname = "VERBS_ADVERBS_PT_gesture"
    bl_parent_id = "VERBS_ADVERBS_PT_example"


class VERBS_ADVERBS_PT_dope_gesture(DopeSheet, _Gesture, Panel):
    """Phases of a gesture that the example shows, and how far they may be warped in time"""

    bl_idname = "VERBS_ADVERBS_PT_dope_gesture"
    bl_parent_id = "VERBS_ADVERBS_PT_dope_example"


CLASSES = (VERBS_ADVERBS_PT_gesture, VERBS_ADVERBS_PT_dope_gesture)
