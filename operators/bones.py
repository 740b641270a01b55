"""Bones that were renamed: which of them are meant by the names that verbs, examples and actions mention."""

from textwrap import wrap

from bpy.props import BoolProperty, CollectionProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup, UILayout

from .. import bridge
from ..bridge.data.current import current_armature
from ..core.errors import listed
from . import reasons
from .operator_base import Intent

WIDTH, LINE = 560, 84
"""Width of the dialog, and letters in a line of it."""
MOST_PLACES = 2
GUESSED = "What stands on the right is guessed: look at each, and correct what is wrong. An empty row stays as it is."
SHARES = 0.42, 0.52


class VERBS_ADVERBS_BoneChoice(PropertyGroup):
    """A name that something mentions, and the bone that it is to mean."""

    name: StringProperty(name="Name", description="Name that verbs, examples or actions mention")
    bone: StringProperty(name="Bone", description="Bone that this name means now; empty to leave it as it is")
    left_out: BoolProperty(
        name="Leave Out", description="Play and read nothing of what has this name, as if it were not there"
    )
    places: StringProperty(name="Places", description="What mentions the name")
    guess: StringProperty(name="Guess", description="What the guess goes by, empty for none")
    is_bone: BoolProperty(name="Is a Bone", description="Whether a bone is called so now")


class VERBS_ADVERBS_OT_bones_map(Intent, Operator):
    """Say which bones are meant by names that verbs, examples and actions mention, after bones were renamed"""

    bl_idname = "verbs_adverbs.bones_map"
    bl_label = "Map Bones"

    choices: CollectionProperty(type=VERBS_ADVERBS_BoneChoice, options={"SKIP_SAVE"})
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
        for one in bridge.build.mapping_bones.mentioned(current_armature(context)):
            choice = self.choices.add()
            choice.name, choice.is_bone, choice.places = one.name, one.is_bone, listed(one.places, MOST_PLACES)
            choice.bone = one.guess.bone if one.guess else one.name if one.is_bone else ""
            choice.guess = one.guess.reason if one.guess else ""

    def draw(self, context: Context) -> None:
        """Draw a row for each name: the bone that is guessed, to be corrected, and what the guess goes by."""
        bones, column = current_armature(context).data, self.layout.column()
        lost = [choice for choice in self.choices if choice.guess or not choice.is_bone]
        for line in wrap(GUESSED if lost else "Every name that is mentioned is a bone.", LINE):
            column.label(text=line)
        for choice in [*lost, *(choice for choice in self.choices if self.every and choice not in lost)]:
            _draw_choice(column, choice, bones)
        column.prop(self, "every")

    def do(self, context: Context) -> str:
        if not self.choices:
            self._offer(context)
        asked = [c for c in self.choices if c.left_out or (c.bone and not (c.is_bone and c.bone == c.name))]
        mapped = {choice.name: "" if choice.left_out else choice.bone for choice in asked}
        return bridge.build.mapping_bones.map_bones(current_armature(context), mapped)


def _draw_choice(layout: UILayout, choice: PropertyGroup, bones: object) -> None:
    row = layout.split(factor=SHARES[0])
    row.label(text=f"{choice.name}  ({choice.places})", icon="BONE_DATA" if choice.is_bone else "ERROR")
    fields = row.split(factor=SHARES[1])
    bone = fields.row(align=True)
    field = bone.row(align=True)
    field.enabled = not choice.left_out
    field.prop_search(choice, "bone", bones, "bones", text="")
    bone.prop(choice, "left_out", text="", icon="X")
    fields.label(text="left out" if choice.left_out else f"guess: {choice.guess}" if choice.guess else "")


CLASSES = (VERBS_ADVERBS_BoneChoice, VERBS_ADVERBS_OT_bones_map)
