"""Targets of a verb: objects that its bones reach for."""

from bpy.props import EnumProperty, StringProperty
from bpy.types import Context, Operator

from .. import bridge
from ..bridge.data.current import at, current_armature, current_verb
from ..core.errors import VerbError
from . import reasons
from .intent import Intent

_points: list[tuple[str, str, str]] = []


def _point_items(_operator: Operator, context: Context) -> list[tuple[str, str, str]]:
    verb = current_verb(context) if context is not None else None
    found = bridge.data.targets.measured_points(verb) if verb is not None else []
    _points[:] = [
        (str(row), f"{bone} ({end.lower()}) at {keytime}", f"The {end.lower()} of {bone} at the keytime {keytime}")
        for row, (bone, end, keytime) in enumerate(found)
    ]
    return _points


class VERBS_ADVERBS_OT_target_add(Intent, Operator):
    """Let a measured bone reach for an object, a new Empty; drag it and the character follows"""

    bl_idname = "verbs_adverbs.target_add"
    bl_label = "Add Target"

    point: EnumProperty(
        name="Reaches", description="Which of the verb's measured places the target stands for", items=_point_items
    )
    object: StringProperty(name="Object", description="Name of the object; empty for a new Empty")

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb(context)
        if reason:
            return reason
        return (
            ""
            if bridge.data.targets.measured_points(current_verb(context))
            else "Let adverbs measure the place of a bone first"
        )

    def do(self, context: Context) -> str:
        armature, verb = current_armature(context), current_verb(context)
        reached = context.scene.objects.get(self.object) if self.object else None
        if self.object and reached is None:
            raise VerbError(f"There is no object '{self.object}' in this scene. Choose one that is.")
        point = bridge.data.targets.measured_points(verb)[int(self.point)]
        target = bridge.data.targets.add_target(armature, verb, point, reached)
        context.view_layer.update()
        return f"'{target.bone}' reaches for '{target.object.name}' at '{target.keytime}'"


class VERBS_ADVERBS_OT_target_remove(Intent, Operator):
    """Let the sliders go: they say again what they said before the target moved them; the object stays"""

    bl_idname = "verbs_adverbs.target_remove"
    bl_label = "Remove Target"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb(context)
        if reason:
            return reason
        verb = current_verb(context)
        return "" if at(verb.targets, verb.active_target) is not None else "Add a target first"

    def do(self, context: Context) -> str:
        verb = current_verb(context)
        bridge.data.targets.remove_target(current_armature(context), verb, verb.active_target)
        return ""


CLASSES = (VERBS_ADVERBS_OT_target_add, VERBS_ADVERBS_OT_target_remove)
