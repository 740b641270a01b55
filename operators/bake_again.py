"""Baking again into the same action, and corrections by hand in a layer above a bake."""

from textwrap import wrap

import bpy
from bpy.props import EnumProperty, StringProperty
from bpy.types import Context, Event, Object, Operator

from .. import bridge
from ..bridge.data.current import current_armature, face_again, facings
from ..core.errors import VerbsError
from . import reasons
from .baking import hand_over
from .jobs import DIALOG, LETTERS, Lasting
from .operator_base import Intent

EDITS = (
    ("ASK", "Ask", "Write nothing if the bake was edited by hand"),
    (
        "LAYER",
        "Keep Edits in a Layer",
        "The edits become a layer above the bake, which is combined with what is baked now",
    ),
    ("NEW", "Bake to a New Action", "The edited bake stays as it is, and another action is made"),
    ("REPLACE", "Replace, Keep a Copy", "The bake is written over; a copy keeps it as it was edited"),
)


class OfBake(Intent):
    """Mixin of an operator that works on a bake of the current armature."""

    action: StringProperty(name="Bake", description="Name of the baked action; the one that plays, when empty")

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.directed(context)
        if reason:
            return reason
        there = bridge.session.bake_again.bakes_of(current_armature(context))
        return "" if there else "Bake first: no action says that it was baked from this character"


class VERBS_ADVERBS_OT_bake_again(Lasting, OfBake, Operator):
    """Bake the same again from what director and score say now, into the same action, without losing edits of it"""

    bl_idname = "verbs_adverbs.bake_again"
    bl_label = "Bake Again"

    edits: EnumProperty(
        name="Edits", description="What becomes of keys that were edited by hand since the bake", items=EDITS
    )
    told: StringProperty(name="Told", description="What was edited, a line each", options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: Context, _event: Event) -> set[str]:
        armature, kept = current_armature(context), facings()
        try:
            action = bridge.session.bake_again.bake_to_repeat(armature, self.action)
            bridge.session.bake_again.check_again(armature, action)
            found = bridge.session.bake_again.told_edits(armature, action)
        except VerbsError as error:
            face_again(kept)
            self.tell("ERROR", str(error))
            return {"CANCELLED"}
        self.action, self.told = action.name, "\n".join(found)
        if not found:
            return self.execute(context)
        self.edits = "LAYER"
        return context.window_manager.invoke_props_dialog(self, width=DIALOG, confirm_text="Bake")

    def draw(self, _context: Context) -> None:
        for told in self.told.splitlines():
            column = self.layout.column(align=True)
            for line in wrap(told, LETTERS):
                column.label(text=line)
        for choice, _, _ in EDITS[1:]:
            self.layout.prop_enum(self, "edits", choice)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        action = bridge.session.bake_again.bake_to_repeat(armature, self.action)
        return baked_again(armature, action, self.edits, context.scene)


def baked_again(armature: Object, action: bpy.types.Action, edits: str, scene: bpy.types.Scene) -> str:
    """Bake again, and return a sentence about it; a new action takes the place of one that is assigned.

    Raises
    ------
    VerbsError
        If it cannot be baked again; nothing has changed then.
    """
    data = armature.animation_data
    assigned = data is not None and data.action == action
    again = bridge.session.bake_again.bake_again(armature, action, edits, scene)
    if again.new:
        said = "".join(hand_over(armature, made, assigned) for made in again.actions)
        return f"Baked to new action '{again.actions[0].name}'; '{action.name}' stays as it was edited{said}"
    count = len(again.actions)
    what = f"'{again.actions[0].name}'" if count == 1 else f"{count} NLA strips"
    return f"Baked again to {what}. {' '.join(again.told)}".rstrip(" .")


class VERBS_ADVERBS_OT_bake_correct(OfBake, Operator):
    """Add an empty layer above the bake: what you key in it corrects the bake, also after it is baked again"""

    bl_idname = "verbs_adverbs.bake_correct"
    bl_label = "Correct in a Layer"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = super().reason(context)
        if reason or bridge.data.director.holder_of(current_armature(context)) is None:
            return reason
        return "A verb moves the character now: switch it off under Direct, so that the bake plays"

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        action = bridge.session.bake_again.bake_to_repeat(armature, self.action)
        made, told = bridge.session.corrections.correct_in_layer(armature, action)
        said = f"Key bones now: that goes to '{made.name}', which is combined with '{action.name}' below."
        return " ".join([said, *told])


CLASSES = (VERBS_ADVERBS_OT_bake_again, VERBS_ADVERBS_OT_bake_correct)
