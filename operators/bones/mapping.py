"""Pairing bones: bones that were renamed, and bones of another armature whose verbs are copied."""

from collections import Counter
from textwrap import wrap
from typing import ClassVar

from bpy.props import BoolProperty, CollectionProperty, StringProperty
from bpy.types import Context, Event, Object, Operator, PropertyGroup, UILayout

from ... import bridge
from ...bridge.data.current import current_armature
from ...bridge.data.verb_assets import is_marked
from ...core.errors import RigError, VerbsError, quoted
from .. import reasons
from ..finding import tell_warnings
from ..jobs import Lasting
from ..operator_base import Intent

WIDTH, LINE = 640, 90
"""Width of the dialog, and letters in a line of it."""
GUESSED = (
    "The bones on the right are guesses: check each one and correct it if it is wrong. Empty rows stay as they are."
)
SHARES = 0.4, 0.5


class VERBS_ADVERBS_BoneChoice(PropertyGroup):
    """A bone name in use, and the bone that it should mean."""

    name: StringProperty(name="Name", description="Bone name that verbs, examples or actions use")
    bone: StringProperty(name="Bone", description="Bone that now has this name; empty to leave it as it is")
    left_out: BoolProperty(name="Leave Out", description="Ignore everything with this bone name")


class VERBS_ADVERBS_OT_bones_map(Intent, Operator):
    """After renaming bones, match the old bone names in verbs, examples and actions to the bones"""

    bl_idname = "verbs_adverbs.bones_map"
    bl_label = "Map Bones"

    choices: CollectionProperty(type=VERBS_ADVERBS_BoneChoice, options={"SKIP_SAVE"})
    offered: ClassVar[dict[str, tuple[str, str]]] = {}
    every: BoolProperty(
        name="Existing Bones Too",
        description="Also list names of existing bones, for example to map two bones that swapped names",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.armature(context)
        if reason:
            return reason
        armature = current_armature(context)
        return "" if armature.verbs_adverbs.verbs else f"'{armature.name}' has no verbs, so there are no bones to map"

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Show the guesses and ask."""
        self._offer(context)
        return context.window_manager.invoke_props_dialog(self, width=WIDTH, confirm_text="Map")

    def _offer(self, context: Context) -> None:
        self.choices.clear()
        self.offered.clear()
        for one in bridge.authoring.mapping_bones.mentioned(current_armature(context)):
            choice = self.choices.add()
            choice.name = one.name
            choice.bone = one.guess.bone if one.guess else one.name if one.is_bone else ""
            reason = f"guess: {one.guess.reason}" if one.guess else ""
            self.offered[one.name] = _in_short(one.places), reason

    def draw(self, context: Context) -> None:
        """Draw a row for each name: the guessed bone, which can be corrected, and the reason for the guess."""
        armature, column = current_armature(context), self.layout.column()
        bones = armature.data.bones
        lost = [one for one in self.choices if self.offered.get(one.name, ("", ""))[1] or one.name not in bones]
        for line in wrap(GUESSED if lost else "All bone names in use are bones of this armature.", LINE):
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
        return bridge.authoring.mapping_bones.map_bones(
            current_armature(context), mapped if mapped or offered else asked
        )


def _in_short(places: tuple[str, ...]) -> str:
    """Where a name is used: each kind of place with its count."""
    kinds = Counter(place.partition(" '")[0].removesuffix(" of") for place in places)
    return ", ".join(f"{count} × {kind}" if count > 1 else kind for kind, count in kinds.items())


def draw_choice(layout: UILayout, choice: PropertyGroup, armature: Object, places: str, reason: str) -> None:
    """Draw a name and where it is used, the bone that it should mean, and the reason for a guess."""
    row = layout.split(factor=SHARES[0])
    row.label(text=f"{choice.name}  ({places})", icon="BONE_DATA" if choice.name in armature.data.bones else "ERROR")
    fields = row.split(factor=SHARES[1])
    bone = fields.row(align=True)
    field = bone.row(align=True)
    field.enabled = not choice.left_out
    field.prop_search(choice, "bone", armature.data, "bones", text="")
    bone.prop(choice, "left_out", text="", icon="X")
    fields.label(text="left out" if choice.left_out else reason)


class VERBS_ADVERBS_VerbToCopy(PropertyGroup):
    """A verb of another armature that can be copied."""

    name: StringProperty(name="Name", description="Name of the verb")
    uid: StringProperty(name="Identifier", description="Identifier of the verb")
    chosen: BoolProperty(name="Use", description="Copy this verb", default=True)


def _sources(context: Context) -> list[Object]:
    """Other armatures that have verbs."""
    own, objects = current_armature(context), context.blend_data.objects
    others = (rig for rig in objects if rig.type == "ARMATURE" and rig != own and not is_marked(rig))
    return [rig for rig in others if len(rig.verbs_adverbs.verbs)]


def _names(_operator: Operator, context: Context, _typed: str) -> list[str]:
    """Names of the armatures that have verbs, for the search field."""
    return [rig.name for rig in _sources(context)]


class VERBS_ADVERBS_OT_verbs_copy(Lasting, Operator):
    """Copy complete verbs from another armature: examples, adverbs, measures, layers, transitions and feet"""

    bl_idname = "verbs_adverbs.verbs_copy"
    bl_label = "Copy Verbs from"

    source: StringProperty(name="Armature", description="Name of the armature that has the verbs", search=_names)
    verbs: CollectionProperty(type=VERBS_ADVERBS_VerbToCopy, options={"SKIP_SAVE"})
    choices: CollectionProperty(type=VERBS_ADVERBS_BoneChoice, options={"SKIP_SAVE"})
    offered: ClassVar[dict[str, tuple[str, str]]] = {}

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.resting(context)
        if reason:
            return reason
        return "" if _sources(context) else "No other armature in this file has verbs"

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Show the verbs of the most likely armature, and the bones that are guessed to correspond."""
        known = _sources(context)
        self.source = self.source if self.source in {rig.name for rig in known} else known[0].name
        self.check(context)
        return context.window_manager.invoke_props_dialog(self, width=WIDTH, confirm_text="Copy")

    def check(self, context: Context) -> bool:
        """List verbs and bones again when another armature is chosen."""
        rig = next((rig for rig in _sources(context) if rig.name == self.source), None)
        listed_now = [verb.uid for verb in self.verbs]
        if rig is None or listed_now == [verb.uid for verb in rig.verbs_adverbs.verbs]:
            return False
        self.verbs.clear()
        self.choices.clear()
        for verb in rig.verbs_adverbs.verbs:
            one = self.verbs.add()
            one.name, one.uid = verb.name, verb.uid
        try:
            partners = bridge.authoring.copying_verbs.bones_to_pair(current_armature(context), rig)
        except VerbsError:  # copying says why
            partners = []
        self.offered.clear()
        for name, bone, what in partners:
            choice = self.choices.add()
            choice.name, choice.bone = name, bone
            self.offered[name] = what, "guess: corresponding bone" if bone else ""
        return True

    def draw(self, context: Context) -> None:
        """Draw the armature, its verbs, and the bones whose names differ."""
        column, armature = self.layout.column(), current_armature(context)
        column.prop(self, "source", icon="ARMATURE_DATA")
        flow = column.grid_flow(row_major=True, columns=3, even_columns=True)
        for verb in self.verbs:
            flow.prop(verb, "chosen", text=verb.name)
        if self.choices:
            column.label(text="Bones that the verbs need, and the guessed counterparts:")
        for choice in self.choices:
            draw_choice(column, choice, armature, *self.offered.get(choice.name, ("", "")))

    def do(self, context: Context) -> str:
        armature, name = current_armature(context), self.source
        every = (*_sources(context), *(one for one in context.blend_data.objects if one.type == "ARMATURE"))
        rig = next((rig for rig in every if rig.name == name), None)
        if rig is None:
            raise RigError(f"There is no armature '{name}' in this file. Choose one that has verbs.")
        own = rig.verbs_adverbs.verbs
        uids = {verb.uid for verb in self.verbs if verb.chosen} if self.verbs else {verb.uid for verb in own}
        told = {choice.bone: choice.name for choice in self.choices if choice.bone and not choice.left_out}
        fps = bridge.data.annotate.scene_fps(context.scene)
        made = bridge.authoring.copying_verbs.copy_verbs(armature, rig, uids, told, fps)
        tell_warnings(self, made.warnings)
        return f"Copied {quoted(made.verbs)} from '{rig.name}'"


CLASSES = (VERBS_ADVERBS_BoneChoice, VERBS_ADVERBS_OT_bones_map, VERBS_ADVERBS_VerbToCopy, VERBS_ADVERBS_OT_verbs_copy)
