"""Baking a verb to keyframes, baking again, and what all bakes share: reducing keys, assigning actions."""

from collections.abc import Callable, Sequence
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, TypeVar

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Action, Context, Event, Object, Operator, Scene, UILayout

from .. import bridge
from ..bridge.blender import jobs
from ..bridge.data.current import current_armature, face_again, facings, selected_armatures
from ..core.errors import VerbError, VerbsError
from . import reasons
from .jobs import DIALOG, LETTERS, Lasting
from .operator_base import Intent, told_of

if TYPE_CHECKING:
    from ..bridge.session.bakes.baked import Baked

Bakes = TypeVar("Bakes")
LENGTHS = (
    ("CYCLES", "Cycles", "Play the verb a number of times, starting at the first frame"),
    ("RANGE", "Frame Range", "Play the verb from the first frame to the last"),
)
ROOTS = (
    ("KEEP", "Keep", "The character travels as the verb moves it"),
    ("IN_PLACE", "In Place", "The character stays where it starts, for example for a game engine"),
)
CENTIMETRES = 0.01
EDITS = (
    ("ASK", "Ask", "Do nothing if the bake was edited by hand"),
    (
        "LAYER",
        "Keep Edits in a Layer",
        "Move the edits to a layer above the bake, where they are combined with the new bake",
    ),
    ("NEW", "Bake to a New Action", "Leave the edited bake as it is and bake to another action"),
    ("REPLACE", "Replace, Keep a Copy", "Overwrite the bake, but keep a copy with the edits"),
)


class Reducing:
    """Mixin of an operator that bakes: its settings for reducing keys, and which characters it bakes."""

    every: BoolProperty(
        name="All Selected",
        description="Bake all selected characters that have a verb in one step, each to its own actions",
        options={"SKIP_SAVE"},
    )
    reduce: BoolProperty(name="Reduce Keys", description="Remove keys that change the motion by less than this")
    degrees: FloatProperty(name="Degrees", description="Largest rotation error of a bone", default=0.5, min=0.0)
    centimetres: FloatProperty(name="Centimetres", description="Largest position error of a bone", default=0.2, min=0.0)

    def draw_reducing(self, layout: UILayout) -> None:
        """Draw the settings for reducing keys."""
        layout.prop(self, "reduce")
        column = layout.column(align=True)
        column.active = self.reduce
        column.prop(self, "degrees")
        column.prop(self, "centimetres")

    def draw_whose(self, layout: UILayout, context: Context) -> None:
        """Draw which characters are baked: if several are selected, one or all of them."""
        count = len(self.selected(context))
        if count > 1:
            layout.prop(self, "every", text=f"All {count} Selected")
            alone = f"{current_armature(context).name} only"
            layout.label(text="Each with its own director's settings" if self.every else alone, icon="INFO")

    def choose_all(self, context: Context) -> None:
        """Choose all characters if several, with the active one, are selected, unless the property was set."""
        if not self.properties.is_property_set("every"):
            found = self.selected(context)
            self.every = len(found) > 1 and current_armature(context) in found

    def ask(self, context: Context, title: str) -> set[str]:
        """Ask how to bake in a dialog."""
        return context.window_manager.invoke_props_dialog(self, width=360, title=title, confirm_text="Bake")

    def selected(self, context: Context) -> list[Object]:
        """Return the selected characters that have verbs."""
        return [one for one in selected_armatures(context) if one.verbs_adverbs.verbs]

    def characters(self, context: Context) -> list[Object]:
        """Return the armatures whose motion is baked.

        Raises
        ------
        VerbsError
            If one of several cannot be given a bake now.
        """
        found = self.selected(context) if self.every else [current_armature(context)]
        if not found:
            raise VerbError("No selected character has a verb. Select the characters to bake.")
        refused = [reason for one in found if (reason := reasons.resting_of(one))]
        if refused:
            raise VerbError(f"{'. '.join(refused)}.")
        return found

    def computed(self, context: Context, bake: Callable[[Object], Bakes]) -> list[tuple[Object, Bakes]]:
        """Compute what to write for each character before anything is written; in slices, each is computed once."""
        found, computed = self.characters(context), []
        for number, one in enumerate(found, 1):
            jobs.at_part(self.bl_label, number, len(found))
            computed.append((one, jobs.remembered(("to bake", one.session_uid), partial(bake, one))))
        return computed

    def named(self, armature: Object) -> str:
        """Requested name of the action; with several characters, each one's name is appended."""
        return f"{self.name} {armature.name}" if self.name and self.every else self.name

    def tolerances(self, context: Context) -> tuple[float, float]:
        """How much reducing keys may change the motion, in degrees and in world units; 0 and 0 keep all keys."""
        if not self.reduce:
            return 0.0, 0.0
        return self.degrees, self.centimetres * CENTIMETRES / (context.scene.unit_settings.scale_length or 1.0)


def check_assignable(armature: Object, assign: bool) -> None:
    """Check before baking that the new action can be assigned to the armature, if `assign` is set.

    Raises
    ------
    VerbsError
        If it is to be assigned and cannot be.
    """
    if assign:
        bridge.data.director.check_free(armature)


def hand_over(armature: Object, action: Action, assign: bool) -> str:
    """Switch the armature's director off and assign the new action; or, without `assign`, only keep the action.

    Returns the end of a sentence for the user, which says where earlier changes by hand were kept and what plays
    differently from now on. It is empty when there is nothing to say.
    """
    if not assign:
        bridge.action.generated_action.keep(action)
        return ""
    told = _switch_off(armature)
    bridge.action.generated_action.replace_action(armature, action)
    told = f"{told} {bridge.session.switching.play_alone(armature)}".strip()
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return f". {told}" if told else ""


def write(armature: Object, baked: "Baked", assign: bool) -> tuple[Action, str]:
    """Write a bake to a new action and hand it over; return the action, and what `hand_over` returns."""
    action = bridge.session.bakes.baked.write_new(armature, baked)
    return action, hand_over(armature, action, assign)


def told_together(written: Sequence[tuple[object, str]]) -> str:
    """Return a sentence about the bakes of several characters; remarks that repeat are given once."""
    count, told = len(written), dict.fromkeys(said.strip(". ") for _, said in written if said)
    return ". ".join([f"Baked {count} character{'' if count == 1 else 's'}", *told])


def let_strips_play(armature: Object) -> str:
    """Switch the armature's director off and unassign its action, so that only its NLA strips play.

    Returns the end of a sentence for the user as `hand_over` does.
    """
    told = _switch_off(armature)
    bridge.action.generated_action.replace_action(armature, None)
    armature.animation_data.use_nla = True
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return f". {told}" if told else ""


def _switch_off(armature: Object) -> str:
    """Switch the armature's director off; return what to tell the user about it."""
    holder = bridge.data.director.holder_of(armature)
    return bridge.session.switching.switch_off_told(holder) if holder is not None else ""


class VERBS_ADVERBS_OT_bake(Reducing, Lasting, Operator):
    """Bake the verb at the director's sliders to keyframes in a new action"""

    bl_idname = "verbs_adverbs.bake"
    bl_label = "Bake Verb"

    verb: StringProperty(name="Verb", description="Verb to bake; if empty, the director's verb or the chosen one")
    name: StringProperty(
        name="Name", description="Name of the new action; if empty, made from the verb and its adverbs"
    )
    length: EnumProperty(name="Length", description="How much of the motion to bake", items=LENGTHS, default="CYCLES")
    cycles: IntProperty(name="Cycles", description="How many times to play the verb", default=1, min=1, soft_max=20)
    frame_start: FloatProperty(name="First Frame", description="Frame of the first key", default=1.0, precision=2)
    frame_end: FloatProperty(name="Last Frame", description="Frame of the last key", default=250.0, precision=2)
    step: FloatProperty(
        name="Step", description="Number of frames between keys", default=1.0, min=0.01, soft_min=1.0, soft_max=10.0
    )
    animated: BoolProperty(
        name="Follow Keyed Adverbs",
        description="Follow the keys and drivers of the director's sliders from its start frame on; otherwise their "
        "current values are used throughout",
        default=True,
    )
    root: EnumProperty(
        name="Root Motion", description="Whether the character travels in the baked action", items=ROOTS, default="KEEP"
    )
    lock_feet: BoolProperty(
        name="Lock Feet",
        description="Hold planted points still if the director does. When off, a bake at an example's adverb values "
        "matches that example most closely",
        default=True,
    )
    loop: BoolProperty(
        name="Loop",
        description="Repeat whole cycles with Cycles modifiers, if the character does not turn",
        default=True,
    )
    annotate: BoolProperty(
        name="Keep Keytimes",
        description="Mark the first 20 cycles as examples, with keytimes and contacts",
        default=True,
    )
    assign: BoolProperty(
        name="Assign", description="Assign the new action to the armature and switch its verb off", default=True
    )

    @classmethod
    def description(cls, _context: Context, properties: "VERBS_ADVERBS_OT_bake") -> str:
        """Tooltip of the button."""
        told = told_of(LENGTHS, properties.length)
        return f"Bake the verb at the director's sliders to keyframes in a new action. {told}"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.directed(context)
        if reason:
            return reason
        return "" if current_armature(context).verbs_adverbs.verbs else "Add a verb first"

    def invoke(self, context: Context, _event: Event) -> set[str]:
        self.choose_all(context)
        self.frame_start, self.frame_end = context.scene.frame_start, context.scene.frame_end
        title = "Bake Frame Range" if self.length == "RANGE" else "Bake Cycles"
        return self.ask(context, title)

    def draw(self, context: Context) -> None:
        layout = self.layout
        layout.use_property_split, layout.use_property_decorate = True, False
        self.draw_whose(layout, context)
        layout.prop(self, "name", placeholder="From verb and adverbs")
        layout.prop(self, "length")
        column = layout.column(align=True)
        if self.length == "CYCLES":
            column.prop(self, "cycles")
        column.prop(self, "frame_start")
        if self.length == "RANGE":
            column.prop(self, "frame_end")
        column.prop(self, "step")
        layout.prop(self, "root")
        layout.prop(self, "animated")
        layout.prop(self, "lock_feet")
        self.draw_reducing(layout)
        if self.length == "CYCLES":
            layout.prop(self, "loop")
        for name in ("annotate", "assign"):
            layout.prop(self, name)

    def do(self, context: Context) -> str:
        computed = self.computed(context, partial(self._baked, context))
        written = [write(armature, baked, self.assign) for armature, (_, baked) in computed]
        if self.every:
            return told_together(written)
        (_, (verb, _)), (action, said) = computed[0], written[0]
        return f"Baked '{verb}' to action '{action.name}'{said}"

    def _baked(self, context: Context, armature: Object) -> tuple[str, "Baked"]:
        """Return the name of one character's verb, and its bake, ready to be written."""
        name = self.verb or bridge.authoring.definitions.verb_to_play(armature)
        if name not in armature.verbs_adverbs.verbs:
            raise VerbError(f"'{armature.name}' has no verb '{name}'. Choose one of its verbs.")
        check_assignable(armature, self.assign)
        degrees, distance = self.tolerances(context)
        options = bridge.session.bake.BakeOptions(
            name=self.named(armature),
            cycles=self.cycles if self.length == "CYCLES" else 0,
            start=self.frame_start,
            end=self.frame_end,
            step=self.step,
            animated=self.animated,
            in_place=self.root == "IN_PLACE",
            loop=self.loop,
            degrees=degrees,
            distance=distance,
            annotate=self.annotate,
            lock_feet=self.lock_feet,
        )
        bridge.data.content.read_anew(armature)
        verb = bridge.authoring.verbs.verb_for(armature, armature.verbs_adverbs.verbs[name])
        return name, bridge.session.bake.bake_of_verb(armature, verb, options, context.scene)


class OfBake(Intent):
    """Mixin of an operator that works on a bake of the current armature."""

    action: StringProperty(
        name="Bake", description="Name of the baked action; if empty, the one that is playing", options={"SKIP_SAVE"}
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.directed(context)
        if reason:
            return reason
        there = bridge.session.bakes.bake_again.shown_bakes(current_armature(context))
        return "" if there else "Bake first: this character has no bake yet"


class VERBS_ADVERBS_OT_bake_again(Lasting, OfBake, Operator):
    """Bake into the same action again, using the current director and score, without losing edits to the bake"""

    bl_idname = "verbs_adverbs.bake_again"
    bl_label = "Bake Again"

    edits: EnumProperty(
        name="Edits",
        description="What to do with keys that were edited by hand since the bake",
        items=EDITS,
        options={"SKIP_SAVE"},
    )
    told: StringProperty(name="Told", description="The edits, one per line", options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: Context, _event: Event) -> set[str]:
        armature, kept = current_armature(context), facings()
        try:
            action = bridge.session.bakes.bake_again.bake_to_repeat(armature, self.action)
            bridge.session.bakes.bake_again.check_again(armature, action)
            found = bridge.session.bakes.bake_again.told_edits(armature, action)
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
        action = bridge.session.bakes.bake_again.bake_to_repeat(armature, self.action)
        return baked_again(armature, action, self.edits, context.scene)


def baked_again(armature: Object, action: Action, edits: str, scene: Scene) -> str:
    """Bake again, and return a sentence about it; a new action takes the place of one that is assigned.

    Raises
    ------
    VerbsError
        If it cannot be baked again; nothing has changed then.
    """
    data = armature.animation_data
    assigned = data is not None and data.action == action
    again = bridge.session.bakes.bake_again.bake_again(armature, action, edits, scene)
    if again.new:
        said = "".join(hand_over(armature, made, assigned) for made in again.actions)
        return f"Baked to new action '{again.actions[0].name}'; '{action.name}' keeps its edits{said}"
    count = len(again.actions)
    what = f"'{again.actions[0].name}'" if count == 1 else f"{count} NLA strips"
    return f"Baked again to {what}. {' '.join(again.told)}".rstrip(" .")


class VERBS_ADVERBS_OT_bake_correct(OfBake, Operator):
    """Add an empty layer above the bake. Keys in it correct the bake, and stay when you bake again"""

    bl_idname = "verbs_adverbs.bake_correct"
    bl_label = "Correct in a Layer"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = super().reason(context)
        if reason or bridge.data.director.holder_of(current_armature(context)) is None:
            return reason
        return "A verb is moving the character: switch it off under Direct, so that the bake plays"

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        action = bridge.session.bakes.bake_again.bake_to_repeat(armature, self.action)
        made, told = bridge.session.bakes.corrections.correct_in_layer(armature, action)
        said = f"Key bones now: the keys go to '{made.name}', which is combined with '{action.name}' below."
        return " ".join([said, *told])


CLASSES = (VERBS_ADVERBS_OT_bake, VERBS_ADVERBS_OT_bake_again, VERBS_ADVERBS_OT_bake_correct)
