"""Bones that were renamed: which of them are meant by the names that verbs, examples and actions mention."""

from collections import Counter
from textwrap import wrap
from typing import ClassVar

from bpy.props import BoolProperty, CollectionProperty, StringProperty
from bpy.types import Context, Event, Object, Operator, PropertyGroup, UILayout

from ... import bridge
from ...bridge.data.current import current_armature
from .. import reasons
from ..operator_base import Intent

WIDTH, LINE = 640, 90
"""Width of the dialog, and letters in a line of it."""
GUESSED = "What stands on the right is guessed: look at each, and correct what is wrong. An empty row stays as it is."
SHARES = 0.4, 0.5


class VERBS_ADVERBS_BoneChoice(PropertyGroup):
    """A name that something mentions, and the bone that it is to mean."""

    name: StringProperty(name="Name", description="Name that verbs, examples or actions mention")
    bone: StringProperty(name="Bone", description="Bone that this name means now; empty to leave it as it is")
    left_out: BoolProperty(
        name="Leave Out", description="Play and read nothing of what has this name, as if it were not there"
    )


class VERBS_ADVERBS_OT_bones_map(Intent, Operator):
    """Say which bones are meant by names that verbs, examples and actions mention, after bones were renamed"""

    bl_idname = "verbs_adverbs.bones_map"
    bl_label = "Map Bones"

    choices: CollectionProperty(type=VERBS_ADVERBS_BoneChoice, options={"SKIP_SAVE"})
    offered: ClassVar[dict[str, tuple[str, str]]] = {}
    every: BoolProperty(
        name="Names of Bones Too",
        description="List also the names that are bones, to be mapped where two bones have exchanged their names",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.armature(context)
        if reason:
            return reason
        armature = current_armature(context)
        return "" if armature.verbs_adverbs.verbs else f"'{armature.name}' has no verbs whose bones could be mapped"

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Show what is guessed, and ask."""
        self._offer(context)
        return context.window_manager.invoke_props_dialog(self, width=WIDTH, confirm_text="Map")

    def _offer(self, context: Context) -> None:
        self.choices.clear()
        self.offered.clear()
        for one in bridge.build.mapping_bones.mentioned(current_armature(context)):
            choice = self.choices.add()
            choice.name = one.name
            choice.bone = one.guess.bone if one.guess else one.name if one.is_bone else ""
            reason = f"guess: {one.guess.reason}" if one.guess else ""
            self.offered[one.name] = _in_short(one.places), reason

    def draw(self, context: Context) -> None:
        """Draw a row for each name: the bone that is guessed, to be corrected, and what the guess goes by."""
        armature, column = current_armature(context), self.layout.column()
        bones = armature.data.bones
        lost = [one for one in self.choices if self.offered.get(one.name, ("", ""))[1] or one.name not in bones]
        for line in wrap(GUESSED if lost else "Every name that is mentioned is a bone.", LINE):
            column.label(text=line)
        for choice in [*lost, *(choice for choice in self.choices if self.every and choice not in lost)]:
            draw_choice(column, choice, armature, *self.offered.get(choice.name, ("", "")))
        column.prop(self, "every")

    def do(self, context: Context) -> str:
        offered = not self.choices or self.options.is_invoke
        if not self.choices:
            self._offer(context)
        asked = {one.name: "" if one.left_out else one.bone for one in self.choices if one.left_out or one.bone}
        mapped = {name: bone for name, bone in asked.items() if bone != name}
        return bridge.build.mapping_bones.map_bones(current_armature(context), mapped if mapped or offered else asked)


def _in_short(places: tuple[str, ...]) -> str:
    """What mentions a name, each kind with its number."""
    kinds = Counter(place.partition(" '")[0].removesuffix(" of") for place in places)
    return ", ".join(f"{count} × {kind}" if count > 1 else kind for kind, count in kinds.items())


def draw_choice(layout: UILayout, choice: PropertyGroup, armature: Object, places: str, reason: str) -> None:
    """Draw a name with what mentions it, the bone that it is to mean, and what a guess goes by."""
    row = layout.split(factor=SHARES[0])
    row.label(text=f"{choice.name}  ({places})", icon="BONE_DATA" if choice.name in armature.data.bones else "ERROR")
    fields = row.split(factor=SHARES[1])
    bone = fields.row(align=True)
    field = bone.row(align=True)
    field.enabled = not choice.left_out
    field.prop_search(choice, "bone", armature.data, "bones", text="")
    bone.prop(choice, "left_out", text="", icon="X")
    fields.label(text="left out" if choice.left_out else reason)


CLASSES = (VERBS_ADVERBS_BoneChoice, VERBS_ADVERBS_OT_bones_map)
