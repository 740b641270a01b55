"""The blending curve, by which one gesture becomes the next: taken in hand, and reset."""

from bpy.types import Context, Object, Operator

from ... import bridge
from ...bridge.data.current import current_armature
from .. import reasons
from ..operator_base import Intent


def _director(context: Context) -> Object:
    return bridge.data.director.director_of(current_armature(context))


class VERBS_ADVERBS_OT_curve_edit(Intent, Operator):
    """Show the curve by which one gesture becomes the next; one that others have too becomes this character's own"""

    bl_idname = "verbs_adverbs.curve_edit"
    bl_label = "Edit Blending Curve"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.directed(context)
        if reason or _director(context) is not None:
            return reason
        return "Switch a verb on first: the curve is the director's"

    def do(self, context: Context) -> str:
        bridge.layers.gestures.edit_curve(_director(context))
        return ""


class VERBS_ADVERBS_OT_curve_reset(Intent, Operator):
    """Let one gesture become the next by the usual curve, from rest to rest"""

    bl_idname = "verbs_adverbs.curve_reset"
    bl_label = "Reset"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.directed(context)
        if reason:
            return reason
        director = _director(context)
        own = director is not None and director.verbs_adverbs.speech.curve is not None
        return "" if own else "It is the usual curve already"

    def do(self, context: Context) -> str:
        bridge.layers.gestures.drop_curve(_director(context))
        return ""


CLASSES = (VERBS_ADVERBS_OT_curve_edit, VERBS_ADVERBS_OT_curve_reset)
