"""Panels for the adverbs and verbs of the armature: a verb's examples, adverbs, options and report."""

from typing import TYPE_CHECKING

import bpy
from bpy.types import Context, Panel, PropertyGroup, UILayout

from .. import bridge
from ..bridge.blender import jobs
from ..bridge.data.current import at, current_armature, current_verb, is_linked, is_newer
from ..bridge.data.schema import MENDS, ROOT_IS_OBJECT, is_unreleased
from ..bridge.data.verb_assets import shown_arrived
from ..operators import reasons
from ..operators.modes import SET_UP
from .sidebar import (
    ICONS,
    OfMode,
    Viewport,
    draw_choice,
    draw_progress,
    first_line,
    label_fields,
    sentence,
    with_unit,
)

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import IconItems

    from ..bridge.authoring.diagnosis.told import Line

STATE_KINDS = {"NEVER_BUILT": "INFO", "UP_TO_DATE": "DONE", "OUT_OF_DATE": "STALE", "BROKEN": "ERROR"}

MEND_ICONS: "dict[str, IconItems]" = {
    "EXCHANGE": "ARROW_LEFTRIGHT",
    "KEYTIME": "PMARKER_ACT",
    "CYCLE": "FILE_REFRESH",
    "MIRROR": "MOD_MIRROR",
    "UNTICK": "CHECKBOX_DEHLT",
    "RANGE": "DRIVER_DISTANCE",
    "KERNEL": "IPO_SINE",
}

MOST_LINES = 10


class VERBS_ADVERBS_PT_adverbs(OfMode, Panel):
    """Qualities of motion that verbs of this armature can vary along"""

    bl_label = "Adverbs"
    bl_idname = "VERBS_ADVERBS_PT_adverbs"
    tab_mode = SET_UP
    bl_order = 20
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def is_about(cls, context: Context) -> bool:
        return current_armature(context) is not None

    def draw(self, context: Context) -> None:
        layout = self.layout
        rig = current_armature(context).verbs_adverbs
        row = layout.row()
        row.template_list("VERBS_ADVERBS_UL_adverbs", "", rig, "adverbs", rig, "active_adverb", rows=4)
        column = row.column(align=True)
        column.operator("verbs_adverbs.adverb_add", icon="ADD", text="")
        column.operator("verbs_adverbs.adverb_remove", icon="REMOVE", text="")
        column.separator()
        column.operator("verbs_adverbs.adverb_move", icon="TRIA_UP", text="").direction = "UP"
        column.operator("verbs_adverbs.adverb_move", icon="TRIA_DOWN", text="").direction = "DOWN"
        item = at(rig.adverbs, rig.active_adverb)
        if item is None:
            sentence(layout, context, "An adverb is a quality that can vary, such as mood from sad to happy.")
            return
        layout = layout.column()
        layout.enabled = not reasons.armature(context)
        label_fields(layout, context)
        layout.operator("verbs_adverbs.adverb_rename", text=f"Rename {item.name}", icon="GREASEPENCIL")
        extent = layout.column(align=True)
        extent.prop(item, "minimum")
        extent.prop(item, "maximum")
        extent.prop(item, "default")
        ends = layout.column(align=True)
        draw_choice(ends, context, item, "low_end")
        draw_choice(ends, context, item, "high_end")
        draw_choice(layout, context, item, "unit")
        draw_choice(layout, context, item, "description")
        if not item.minimum < item.maximum:
            sentence(layout, context, "The minimum must be below the maximum.", "ERROR")


class PartOfVerb(Viewport):
    """Mixin of a panel inside the panel Verbs, about the chosen verb."""

    bl_parent_id = "VERBS_ADVERBS_PT_verbs"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return current_verb(context) is not None


class VERBS_ADVERBS_PT_verbs(OfMode, Panel):
    """Motions built from examples, which can be played with any mix of adverbs"""

    bl_label = "Verbs"
    bl_idname = "VERBS_ADVERBS_PT_verbs"
    tab_mode = SET_UP
    bl_order = 10

    def draw(self, context: Context) -> None:
        layout = self.layout
        armature = current_armature(context)
        if armature is None:
            sentence(layout, context, "Select an armature, or its mesh, director or target.")
            layout.operator("verbs_adverbs.add_biped", icon="ARMATURE_DATA")
            more = layout.operator_menu_enum("verbs_adverbs.add_biped", "cast", text="With Stand, Wave and More")
            more.stand = more.wave = True
            layout.operator("verbs_adverbs.walks_choose", text="Import Walks…", icon="IMPORT")
            return
        rig = armature.verbs_adverbs
        row = layout.row()
        row.template_list("VERBS_ADVERBS_UL_verbs", "", rig, "verbs", rig, "active_verb", rows=3)
        column = row.column(align=True)
        column.operator("verbs_adverbs.verb_add", icon="ADD", text="")
        column.operator("verbs_adverbs.verb_remove", icon="REMOVE", text="")
        column.separator()
        column.operator("verbs_adverbs.verb_rename", icon="GREASEPENCIL", text="")
        if bpy.ops.verbs_adverbs.verbs_copy.poll():
            column.operator("verbs_adverbs.verbs_copy", icon="ARMATURE_DATA", text="")
        _draw_arrived(layout, context)
        verb = current_verb(context)
        if verb is None:
            sentence(layout, context, "A verb is a motion, such as walk.")
            text = "For walks, press Find Keytimes under Example. For other motions, press + there, then + here."
            sentence(layout, context, text, "")
            if bpy.ops.verbs_adverbs.verbs_copy.poll():
                layout.operator("verbs_adverbs.verbs_copy", icon="ARMATURE_DATA", text="Copy Verbs from…")
            return
        if reasons.armature(context):
            sentence(layout, context, f"{reasons.armature(context)}.", "WARNING")
        if is_unreleased(rig):
            sentence(layout, context, "Saved by a version before the first release, so its verbs are rebuilt.")
        _draw_headline(layout, context, verb)
        if verb.examples and not verb.adverbs:
            sentence(layout, context, "This verb has no adverbs yet. Add some, or measure them from its examples:")
            layout.operator("verbs_adverbs.measure_travel", icon="CON_FOLLOWPATH")


class VERBS_ADVERBS_PT_verb_examples(PartOfVerb, Panel):
    """Examples of the verb, each a different variation"""

    bl_label = "Its Examples"
    bl_idname = "VERBS_ADVERBS_PT_verb_examples"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 1

    def draw(self, context: Context) -> None:
        layout, verb = self.layout, current_verb(context)
        if verb.examples and verb.adverbs:
            _draw_heading(layout, verb)
        row = layout.row()
        row.template_list(
            "VERBS_ADVERBS_UL_verb_examples", "", verb, "examples", verb, "active_example", rows=5, maxrows=8
        )
        column = row.column(align=True)
        column.operator("verbs_adverbs.verb_examples_add", icon="ADD", text="")
        column.operator("verbs_adverbs.verb_example_remove", icon="REMOVE", text="")
        column.separator()
        column.operator("verbs_adverbs.verb_example_show", icon="RESTRICT_VIEW_OFF", text="")
        _draw_values(layout, context, verb)
        if not verb.examples:
            sentence(layout, context, "Mark examples in your actions under Example, then add them here all at once.")


class VERBS_ADVERBS_PT_verb_adverbs(PartOfVerb, Panel):
    """Adverbs along which the verb varies"""

    bl_label = "Varies Along"
    bl_idname = "VERBS_ADVERBS_PT_verb_adverbs"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 2

    def draw(self, context: Context) -> None:
        layout, verb = self.layout, current_verb(context)
        adverbs = current_armature(context).verbs_adverbs.adverbs
        if not adverbs:
            sentence(layout, context, "This armature has no adverbs yet.")
            layout.operator("verbs_adverbs.adverb_add", icon="ADD")
        flow = layout.grid_flow(columns=2, even_columns=True, row_major=True, align=True)
        for index, adverb in enumerate(adverbs):
            used = verb.adverbs.find(adverb.name) >= 0
            icon = "CHECKBOX_HLT" if used else "CHECKBOX_DEHLT"
            flow.operator("verbs_adverbs.verb_adverb_toggle", text=adverb.name, icon=icon, depress=used).index = index
        for used in verb.adverbs:
            if adverbs.find(used.name) < 0:
                sentence(layout, context, f"Adverb '{used.name}' no longer exists on the armature.", "ERROR")


class VERBS_ADVERBS_PT_verb_options(PartOfVerb, Panel):
    """Options for building the verb; the defaults suit most verbs"""

    bl_label = "How It Is Built"
    bl_idname = "VERBS_ADVERBS_PT_verb_options"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 3

    def draw(self, context: Context) -> None:
        layout, verb = self.layout, current_verb(context)
        layout.enabled = not reasons.armature(context)
        label_fields(layout, context)
        layout.prop(verb, "control_points")
        draw_choice(layout, context, verb, "timing")
        draw_choice(layout, context, verb, "kernel")
        column = layout.column(align=True)
        column.prop(verb, "degree")
        column.prop(verb, "radius_factor")
        layout.prop(verb, "hold_contacts")
        layout.prop(verb, "smoothing")
        root = current_armature(context).verbs_adverbs.root
        carrier = {"": "guessed", ROOT_IS_OBJECT: "the object"}.get(root, root)
        layout.separator()
        layout.label(text="Travel carried by:")
        row = layout.row(align=True)
        row.label(text=carrier)
        row.operator("verbs_adverbs.root_set", text="", icon="BONE_DATA")


class VERBS_ADVERBS_PT_verb_report(PartOfVerb, Panel):
    """How closely the verb follows its examples, and what you should check"""

    bl_label = "Report"
    bl_idname = "VERBS_ADVERBS_PT_verb_report"
    bl_order = 4

    def draw(self, context: Context) -> None:
        layout = self.layout
        lines = bridge.authoring.verbs.shown_status(current_armature(context), current_verb(context)).lines
        if not lines:
            sentence(layout, context, "The report appears when the verb is built.", "")
        for number, line in enumerate(lines[:MOST_LINES]):
            _draw_line(layout, context, number, line)
        if len(lines) > MOST_LINES:
            sentence(layout, context, f"and {len(lines) - MOST_LINES} more", "")
        layout.operator("verbs_adverbs.examples_check", icon="VIEWZOOM")
        row = layout.row()
        row.operator_context = "INVOKE_DEFAULT"
        row.operator("verbs_adverbs.bones_map", text="Map Bones…", icon="BONE_DATA")


def _draw_line(layout: UILayout, context: Context, number: int, line: "Line") -> None:
    """Draw a line of the report with buttons that show its example and fix it; a long line can be unfolded."""
    mends = line.mend.mend in MEND_ICONS
    begin, rest = first_line(context, line.text, 1 + (line.row >= 0))
    body = None
    if rest:
        row, body = layout.panel(f"verbs_adverbs_report_{number}", default_closed=number > 0)
    else:
        row = layout.row(align=True)
    row.label(text=f"{begin} …" if rest and body is None else begin, icon=ICONS[line.kind])
    if mends and body is None:
        _draw_mend(row, line, "")
    if line.row >= 0:
        shown = row.operator("verbs_adverbs.verb_example_show", text="", icon="RESTRICT_VIEW_OFF")
        shown.row, shown.keytime = line.row, line.mend.number
    if body is not None:
        sentence(body, context, rest, "")
        if mends:
            _draw_mend(body, line, next(label for name, label, _ in MENDS if name == line.mend.mend))


def _draw_mend(layout: UILayout, line: "Line", text: str) -> None:
    """Draw the button that fixes what a line of the report is about."""
    mended = layout.operator("verbs_adverbs.verb_mend", text=text, icon=MEND_ICONS[line.mend.mend])
    mended.row, mended.mend = line.row, line.mend.mend
    for name in ("other", "number", "frame", "word"):
        setattr(mended, name, getattr(line.mend, name))


def _draw_heading(layout: UILayout, verb: PropertyGroup) -> None:
    row = layout.row()
    names = row.row()
    names.active = False
    names.label(text="Example")
    adverbs = names.row()
    adverbs.alignment = "RIGHT"
    adverbs.label(text=", ".join(adverb.name for adverb in verb.adverbs))
    row.label(text="", icon="BLANK1")


def _draw_values(layout: UILayout, context: Context, verb: PropertyGroup) -> None:
    """Draw the adverb values of the chosen example, and how this verb fits its curves."""
    reference = at(verb.examples, verb.active_example)
    example = bridge.data.example_list.referenced(reference) if reference is not None else None
    if example is None:
        return
    layout.label(text=f"Values of '{example.name}':")
    column = layout.column(align=True)
    label_fields(column, context)
    column.enabled = not (is_linked(reference.action) or is_newer(reference.action.verbs_adverbs))
    adverbs = current_armature(context).verbs_adverbs.adverbs
    for used in verb.adverbs:
        value, adverb = example.values.get(used.name), adverbs.get(used.name)
        if value is not None:
            unit = adverb.unit if adverb is not None else ""
            column.prop(value, "value", text=with_unit(used.name, unit))
    if len(verb.adverbs) and len(verb.examples) > 1:
        layout.operator("verbs_adverbs.verb_values_set", text="Set for Several…", icon="PRESET")
    if any(used.name not in example.values for used in verb.adverbs):
        layout.operator("verbs_adverbs.verb_values_fill", icon="IMPORT")
    curves = layout.column(align=True)
    label_fields(curves, context)
    curves.enabled = not reasons.armature(context)
    curves.prop(reference, "control_points")
    draw_choice(curves, context, reference, "encoding")


def _draw_arrived(layout: UILayout, context: Context) -> None:
    """Draw a button for each asset appended or linked without a character, which puts its verb on the character."""
    armature = current_armature(context)
    for one in shown_arrived() if not armature.verbs_adverbs.asset_of else ():
        text = f"Put '{one.name}' on {armature.name}"
        layout.operator("verbs_adverbs.verb_put", text=text, icon="ASSET_MANAGER").asset = one.name


def _draw_headline(layout: UILayout, context: Context, verb: PropertyGroup) -> None:
    found = bridge.authoring.verbs.shown_status(current_armature(context), verb)
    warned = found.state == "UP_TO_DATE" and found.warnings
    more = f"; {warned} warning{'s' if warned > 1 else ''} under Report" if warned else ""
    if found.state == "BROKEN":
        more = f": {found.hindrance}"
    job = jobs.going()
    if job is not None:
        draw_progress(layout, job)
    else:
        sentence(layout, context, found.headline + more, "WARNING" if warned else STATE_KINDS[found.state])
    row = layout.row(align=True)
    one = row.row(align=True)
    one.enabled = any(reference.enabled for reference in verb.examples)
    one.operator("verbs_adverbs.verb_build", icon="MOD_BUILD", text=f"Build {verb.name}")
    if len(current_armature(context).verbs_adverbs.verbs) > 1:
        row.operator("verbs_adverbs.verb_build", text="Build All").every = True


CLASSES = (
    VERBS_ADVERBS_PT_adverbs,
    VERBS_ADVERBS_PT_verbs,
    VERBS_ADVERBS_PT_verb_examples,
    VERBS_ADVERBS_PT_verb_adverbs,
    VERBS_ADVERBS_PT_verb_options,
    VERBS_ADVERBS_PT_verb_report,
)
