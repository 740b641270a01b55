"""Adverbs of the armature: add, rename, order and remove them, choose those of a verb, and key their sliders."""

from textwrap import wrap

from bpy.props import EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Action, Context, Event, Object, Operator, PropertyGroup

from .. import bridge
from ..bridge.blender.naming import told_frame
from ..bridge.data.current import current_armature, current_verb
from ..core.errors import VerbError, listed
from . import reasons
from .directing import director_missing
from .jobs import LETTERS
from .operator_base import Intent, told_of

NAMED, ROWS = 6, 3
"""Largest number of example names that a dialog lists, and lines reserved for them."""
STEPS = (("UP", "Up", "Towards the top of the list"), ("DOWN", "Down", "Towards the bottom of the list"))


class VERBS_ADVERBS_OT_adverb_add(Intent, Operator):
    """Add an adverb: a quality with a range, such as energy from -1 (sad) to 1 (happy)"""

    bl_idname = "verbs_adverbs.adverb_add"
    bl_label = "Add Adverb"

    name: StringProperty(
        name="Name", description="What varies, such as energy, slope or turn", default="energy", options={"SKIP_SAVE"}
    )
    minimum: FloatProperty(name="Minimum", description="Lowest value of the slider", default=-1.0)
    maximum: FloatProperty(name="Maximum", description="Highest value of the slider", default=1.0)
    default: FloatProperty(
        name="Default", description="Value that the slider starts with and returns to with Reset", default=0.0
    )
    unit: StringProperty(name="Unit", description="Unit shown with the value, such as m/s; optional")

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.armature(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        taken = [item.name for item in current_armature(context).verbs_adverbs.adverbs]
        self.name = bridge.blender.naming.free_name(self.name, taken)
        return context.window_manager.invoke_props_dialog(self)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        item = bridge.authoring.definitions.add_adverb(
            armature, self.name, self.minimum, self.maximum, self.default, self.unit
        )
        verb = current_verb(context)
        if verb is None:
            return f"Added adverb '{item.name}'"
        bridge.authoring.definitions.use_adverb(verb, item.name, True)
        examples = [bridge.data.example_list.referenced(reference) for reference in verb.examples]
        values = [set(example.values.keys()) for example in examples if example is not None]
        kept = sum(item.name in names for names in values)
        heard = f"; {kept} of its examples already had a value for it" if kept else ""
        return f"Added adverb '{item.name}'; verb '{verb.name}' now varies along it{heard}"


class VERBS_ADVERBS_OT_adverb_remove(Intent, Operator):
    """Remove the chosen adverb from the armature and its verbs; the examples keep their values"""

    bl_idname = "verbs_adverbs.adverb_remove"
    bl_label = "Remove Adverb"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.adverb(context)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        name = bridge.authoring.definitions.remove_adverb(armature, armature.verbs_adverbs.active_adverb)
        return f"Removed adverb '{name}'"


class VERBS_ADVERBS_OT_adverb_rename(Intent, Operator):
    """Rename the chosen adverb, also in verbs, examples and directors"""

    bl_idname = "verbs_adverbs.adverb_rename"
    bl_label = "Rename Adverb"
    bl_property = "name"

    name: StringProperty(name="Name", description="New name of the adverb; it must be unique")

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.adverb(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        rig = current_armature(context).verbs_adverbs
        self.name = rig.adverbs[rig.active_adverb].name
        return context.window_manager.invoke_props_dialog(self)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        bridge.authoring.definitions.rename_adverb(armature, armature.verbs_adverbs.active_adverb, self.name)
        return ""


class VERBS_ADVERBS_OT_adverb_move(Intent, Operator):
    """Move the chosen adverb in the list; sliders follow this order"""

    bl_idname = "verbs_adverbs.adverb_move"
    bl_label = "Move Adverb"

    direction: EnumProperty(
        name="Direction", items=STEPS, default="UP", description="Direction in which the adverb moves in the list"
    )

    @classmethod
    def description(cls, _context: Context, properties: "VERBS_ADVERBS_OT_adverb_move") -> str:
        """Tooltip of the button."""
        told = told_of(STEPS, properties.direction)
        return f"Move the chosen adverb {told[0].lower()}{told[1:]}; sliders follow this order"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.adverb(context)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        step = -1 if self.direction == "UP" else 1
        bridge.authoring.definitions.move_adverb(armature, armature.verbs_adverbs.active_adverb, step)
        return ""


class VERBS_ADVERBS_OT_verb_adverb_toggle(Intent, Operator):
    """Turn this adverb on or off for the chosen verb"""

    bl_idname = "verbs_adverbs.verb_adverb_toggle"
    bl_label = "Vary Along Adverb"

    index: IntProperty(name="Adverb", description="Row of the adverb in the armature's list", min=0)

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb(context)

    def do(self, context: Context) -> str:
        adverbs = current_armature(context).verbs_adverbs.adverbs
        if self.index >= len(adverbs):
            raise VerbError(
                f"The armature has {len(adverbs)} adverbs, so there is no row {self.index + 1}. Choose another row."
            )
        verb, name = current_verb(context), adverbs[self.index].name
        bridge.authoring.definitions.use_adverb(verb, name, verb.adverbs.find(name) < 0)
        return ""


def _names_of_adverbs(_operator: Operator, context: Context, _typed: str) -> list[str]:
    return [used.name for used in current_verb(context).adverbs]


class VERBS_ADVERBS_OT_verb_values_set(Intent, Operator):
    """Set one adverb value for all examples of the chosen verb whose names contain a text, such as a style"""

    bl_idname = "verbs_adverbs.verb_values_set"
    bl_label = "Set Values"

    part: StringProperty(
        name="Names With",
        description="Text to look for in the names of actions and examples, such as happy; empty for all examples",
        options={"SKIP_SAVE", "TEXTEDIT_UPDATE"},
    )
    adverb: StringProperty(name="Adverb", description="Adverb to set", search=_names_of_adverbs, options={"SKIP_SAVE"})
    value: FloatProperty(name="Value", description="Value to set", precision=2, options={"SKIP_SAVE"})

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb_example(context)
        return reason or ("" if current_verb(context).adverbs else "Let the verb vary along an adverb first")

    def invoke(self, context: Context, _event: Event) -> set[str]:
        self.adverb = self._likely(current_verb(context))
        return context.window_manager.invoke_props_dialog(self, confirm_text="Set")

    def draw(self, context: Context) -> None:
        """Draw the fields, and the examples that they apply to."""
        layout = self.layout
        layout.use_property_split, layout.use_property_decorate = True, False
        for name in ("part", "adverb", "value"):
            layout.prop(self, name)
        found = self._found(current_verb(context))
        names = listed([action.name for action, _ in found], NAMED) if found else "no example"
        column = layout.column(align=True)
        lines = wrap(f"{len(found)} of {len(current_verb(context).examples)}: {names}", LETTERS)
        for line in (*lines, *[""] * (ROWS - len(lines))):
            column.label(text=line)
        adverb = current_verb(context).adverbs.get(self.adverb)
        if adverb is not None and adverb.measure != "NONE":
            column.label(text=f"'{self.adverb}' is measured: pressing Measure overwrites its values", icon="INFO")

    def do(self, context: Context) -> str:
        verb = current_verb(context)
        if self.adverb not in verb.adverbs:
            raise VerbError(f"Verb '{verb.name}' does not vary along '{self.adverb}'. Choose one of its adverbs.")
        found = self._found(verb)
        if not found:
            raise VerbError(
                f"No example of verb '{verb.name}' has '{self.part}' in its name. Type part of an example's name."
            )
        for action, _ in found:
            bridge.data.annotate.check_editable(action)
        for action, example in found:
            bridge.data.annotate.set_value(action, example, self.adverb, self.value)
        count = len(found)
        return f"Set '{self.adverb}' to {self.value:.4g} in {count} example{'' if count == 1 else 's'}"

    def _likely(self, verb: PropertyGroup) -> str:
        """Name of the adverb most likely meant: one that is not measured, if possible one that some examples lack."""
        examples = [one for _, one in self._found(verb)]

        def unlikely(used: PropertyGroup) -> tuple[bool, bool]:
            known = (bridge.data.annotate.value_of(one, used.name) is not None for one in examples)
            return used.measure != "NONE", all(known)

        return min(verb.adverbs, key=unlikely).name

    def _found(self, verb: PropertyGroup) -> list[tuple[Action, PropertyGroup]]:
        """Examples of a verb, with their actions, whose names contain the text; upper and lower case do not matter."""
        part = self.part.lower()
        rows = ((row.action, bridge.data.example_list.referenced(row)) for row in verb.examples)
        there = ((action, example) for action, example in rows if example is not None)
        return [(action, one) for action, one in there if part in f"{action.name} {one.name}".lower()]


class VERBS_ADVERBS_OT_adverbs_key(Intent, Operator):
    """Insert a keyframe at the current frame for every slider that affects what is playing"""

    bl_idname = "verbs_adverbs.adverbs_key"
    bl_label = "Key Adverbs"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = director_missing(context)
        if reason:
            return reason
        return "" if _to_key(current_armature(context)) else "What is playing has no adverbs: add one first"

    def do(self, context: Context) -> str:
        armature, frame = current_armature(context), context.scene.frame_current_final
        keyed = _to_key(armature)
        bridge.data.commands.key_sliders(armature, keyed, frame)
        count = len(keyed)
        return f"Keyed {count} adverb{'' if count == 1 else 's'} at frame {told_frame(frame)}"


def _to_key(armature: Object) -> list[PropertyGroup]:
    """Adverbs whose sliders are keyed: those that the director follows, or those of its layers if it follows none."""
    layers = bridge.layers.layers
    of_layers = (one for item in layers.used_layers(armature) for one in layers.layer_adverbs(armature, item))
    return bridge.authoring.definitions.directed_adverbs(armature) or list(
        {one.name: one for one in of_layers}.values()
    )


class VERBS_ADVERBS_OT_adverbs_reset(Intent, Operator):
    """Set all of the director's sliders to their defaults"""

    bl_idname = "verbs_adverbs.adverbs_reset"
    bl_label = "Reset Adverbs"

    @classmethod
    def reason(cls, context: Context) -> str:
        return director_missing(context)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        bridge.data.director.reset_sliders(bridge.data.director.ensure_director(armature))
        return ""


class VERBS_ADVERBS_OT_keys_show(Intent, Operator):
    """Also select the director, so that the Timeline and the Dope Sheet show the keys of its sliders and commands"""

    bl_idname = "verbs_adverbs.keys_show"
    bl_label = "Show Keys"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = director_missing(context)
        if reason:
            return reason
        director = bridge.data.director.director_of(current_armature(context))
        return "" if director.visible_get() else "The director is hidden: show it in the Outliner first"

    def do(self, context: Context) -> str:
        director = bridge.data.director.director_of(current_armature(context))
        director.select_set(not director.select_get())
        return ""


CLASSES = (
    VERBS_ADVERBS_OT_adverb_add,
    VERBS_ADVERBS_OT_adverb_remove,
    VERBS_ADVERBS_OT_adverb_rename,
    VERBS_ADVERBS_OT_adverb_move,
    VERBS_ADVERBS_OT_verb_adverb_toggle,
    VERBS_ADVERBS_OT_verb_values_set,
    VERBS_ADVERBS_OT_adverbs_key,
    VERBS_ADVERBS_OT_adverbs_reset,
    VERBS_ADVERBS_OT_keys_show,
)
