"""Panels on what gestures are made of: the phases of an example and how far they may be warped, and blending."""

from bpy.types import Context, Panel

from .. import bridge
from ..bridge.data.current import current_action, current_armature, current_example, is_linked, is_newer
from ..operators import reasons
from .annotating import DopeSheet, PartOfExample
from .sidebar import Viewport, label_fields, sentence

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
        label_fields(column, context)
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


class VERBS_ADVERBS_PT_blending(Viewport, Panel):
    """How one gesture becomes the next"""

    bl_label = "Blending Curve"
    bl_idname = "VERBS_ADVERBS_PT_blending"
    bl_parent_id = "VERBS_ADVERBS_PT_talking"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        layout = self.layout
        director = bridge.data.director.director_of(current_armature(context))
        tree, node = director.verbs_adverbs.speech.curve, bridge.layers.gestures.node_of(director)
        if tree is None:
            sentence(layout, context, "One gesture becomes the next smoothly, from rest to rest.")
            layout.operator("verbs_adverbs.curve_edit", icon="FCURVE")
            return
        if node is not None:
            column = layout.column()
            column.enabled = not reasons.directed(context)
            column.template_curve_mapping(node, "mapping")
        for line in bridge.layers.gestures.curve_told(director):
            sentence(layout, context, line, "WARNING")
        if bridge.layers.gestures.is_shared(director):
            sentence(layout, context, "Other characters have this curve too.")
            layout.operator("verbs_adverbs.curve_edit", text="Make It This One's Own", icon="DUPLICATE")
        layout.operator("verbs_adverbs.curve_reset", icon="LOOP_BACK")


CLASSES = (VERBS_ADVERBS_PT_gesture, VERBS_ADVERBS_PT_dope_gesture, VERBS_ADVERBS_PT_blending)
