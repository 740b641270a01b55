"""Panels of a verb: what its adverbs measure, what its bones reach for, and how it is refined."""

from bpy.types import Context, Object, Panel, PropertyGroup, UILayout, UIList

from .. import bridge
from ..bridge.blender.naming import told_length
from ..bridge.data.current import at, current_armature, current_verb
from ..operators import reasons
from .sidebar import List, at_right, label_fields, sentence
from .verbs import PartOfVerb


class VERBS_ADVERBS_UL_targets(List, UIList):
    """Targets of a verb."""

    def draw_row(self, context: Context, row: UILayout, item: PropertyGroup) -> None:
        name = item.object.name if item.object is not None else "nothing"
        row.label(text=f"{item.bone} to {name}", icon="EMPTY_AXIS" if item.object is not None else "ERROR")
        at_right(row, ", ".join(bridge.data.targets.bound_adverbs(current_verb(context), item).values()))


class VERBS_ADVERBS_PT_verb_measures(PartOfVerb, Panel):
    """What the verb's adverbs measure, such as a speed or the position of a hand at a keytime"""

    bl_label = "Measures"
    bl_idname = "VERBS_ADVERBS_PT_verb_measures"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 5

    def draw(self, context: Context) -> None:
        layout, verb = self.layout, current_verb(context)
        layout.enabled = not reasons.armature(context)
        if not verb.adverbs:
            sentence(layout, context, "The verb has no adverbs yet. Add some that measure where a bone is:")
        for used in verb.adverbs:
            layout.prop(used, "measure", text=used.name)
            if used.measure in bridge.data.schema.PLACES:
                _draw_point(layout, current_armature(context), verb, used)
        row = layout.row(align=True)
        row.operator("verbs_adverbs.measure_place", text="Place…", icon="ADD")
        row.operator("verbs_adverbs.measure", icon="DRIVER_DISTANCE")
        layout.operator("verbs_adverbs.measure_travel", icon="CON_FOLLOWPATH")


class VERBS_ADVERBS_PT_verb_targets(PartOfVerb, Panel):
    """Objects that bones reach for. Drag one and the character follows"""

    bl_label = "Targets"
    bl_idname = "VERBS_ADVERBS_PT_verb_targets"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 6

    def draw(self, context: Context) -> None:
        layout, verb, armature = self.layout, current_verb(context), current_armature(context)
        row = layout.row()
        row.template_list("VERBS_ADVERBS_UL_targets", "", verb, "targets", verb, "active_target", rows=2)
        column = row.column(align=True)
        column.operator_menu_enum("verbs_adverbs.target_add", "point", icon="ADD", text="")
        column.operator("verbs_adverbs.target_remove", icon="REMOVE", text="")
        target = at(verb.targets, verb.active_target)
        if target is None:
            sentence(layout, context, "Let an adverb measure a position, then add an object to reach for.")
            return
        row = layout.row()
        row.enabled = not reasons.armature(context)
        row.prop(target, "object")
        for one in verb.targets:
            problem = bridge.authoring.reach_report.target_problem(armature, verb, one)
            if problem:
                sentence(layout, context, problem, "WARNING")


class VERBS_ADVERBS_PT_verb_refinement(PartOfVerb, Panel):
    """Pseudo-examples that make the verb match its measured adverb values"""

    bl_label = "Refinement"
    bl_idname = "VERBS_ADVERBS_PT_verb_refinement"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 7

    def draw(self, context: Context) -> None:
        layout, own = self.layout, current_verb(context).refinement
        column = layout.column()
        column.enabled = not reasons.armature(context)
        label_fields(column, context)
        column.prop(own, "count", text="At Most")
        column.prop(own, "percent")
        column.prop(own, "between")
        row = layout.row(align=True)
        row.operator("verbs_adverbs.refine", icon="MOD_SUBSURF")
        row.operator("verbs_adverbs.refinement_remove", icon="X", text="")
        if own.text:
            _draw_figures(layout, context, own)
        column = layout.column()
        column.enabled = not reasons.measured(context)
        row = column.row(align=True)
        row.prop(own, "exactly")
        row.prop(own, "search", text="")
        column.prop(own, "last_millimetres")
        column.prop(own, "heat_map")
        if own.heat_map:
            _draw_maps(layout, context, current_armature(context), current_verb(context))


def _draw_point(layout: UILayout, armature: Object, verb: PropertyGroup, used: PropertyGroup) -> None:
    """Draw the fields that say which bone is measured, and when."""
    found = (bridge.data.example_list.referenced(reference) for reference in verb.examples)
    example = next((example for example in found if example is not None), None)
    column = layout.column(align=True)
    row = column.row(align=True)
    row.prop_search(used, "bone", armature.pose, "bones", text="")
    row.prop(used, "end", text="")
    row = column.row(align=True)
    if example is not None:
        row.prop_search(used, "keytime", example, "keytimes", text="", icon="PMARKER_ACT")
    row.prop(used, "space", text="")


def _draw_figures(layout: UILayout, context: Context, own: PropertyGroup) -> None:
    """Draw the verb's errors with and without its pseudo-examples."""
    searched = "line" if own.search == "LINE" else "exact"
    told = [("before", "Before"), ("after", "Refined")]
    if own.is_property_set(f"average_{searched}"):
        told.append((searched, "Exactly"))
    for name, what in told:
        percents = [getattr(own, f"{figure}_{name}") for figure in ("average", "maximum")]
        mean, most = (_told(percent, own) for percent in percents)
        sentence(layout, context, f"{what}: average error {mean}, largest {most}", "")


def _told(percent: float, own: PropertyGroup) -> str:
    """An error as text, in percent and in the unit of what is measured."""
    if not own.unit:
        return f"{percent:.2g} %"
    amount = 0.01 * percent * own.diagonal
    told = told_length(amount) if own.unit == "m" else f"{amount:.2g} {own.unit}"
    return f"{percent:.2g} % ({told})"


def _draw_maps(layout: UILayout, context: Context, armature: Object, verb: PropertyGroup) -> None:
    found = bridge.authoring.reach_report.heat_maps(armature, verb)
    if not found:
        sentence(layout, context, "To see a heat map, build the verb with adverbs that measure a position.")
    for one in found:
        sentence(layout, context, f"{one.told}.")
    if found:
        layout.operator("verbs_adverbs.reach_render", icon="IMAGE_DATA")


CLASSES = (
    VERBS_ADVERBS_UL_targets,
    VERBS_ADVERBS_PT_verb_measures,
    VERBS_ADVERBS_PT_verb_targets,
    VERBS_ADVERBS_PT_verb_refinement,
)
