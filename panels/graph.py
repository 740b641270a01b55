"""The panel for the verb graph: transitions between the armature's verbs, and what is wrong with them."""

from typing import TYPE_CHECKING

from bpy.types import Context, Object, Panel, PropertyGroup, UILayout, UIList

from .. import bridge
from ..bridge.data.current import armature_of, current_armature, current_transition, is_newer
from ..core.errors import listed
from ..operators import reasons
from ..operators.modes import SET_UP
from ..operators.view.distance_map import lacks_room
from .sidebar import (
    OfMode,
    Searched,
    at_right,
    beside,
    both_fitting,
    draw_choice,
    is_narrow,
    label_fields,
    sentence,
    titled,
)

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import IconItems

KIND_ICONS: "dict[str, IconItems]" = {"BLENDED": "IPO_EASE_IN_OUT", "INERTIALISED": "FORCE_DRAG"}
STATE_KINDS = {"NONE": "INFO", "UNCHECKED": "STALE", "READY": "DONE", "BROKEN": "ERROR"}
SIDES = (("leaves", "Leaves"), ("enters", "Enters"))
MOST_LINES = 8


class VERBS_ADVERBS_UL_transitions(Searched, UIList):
    """Transitions of an armature."""

    def text_of(self, item: PropertyGroup) -> str:
        return bridge.data.transition_items.label_of(armature_of(item), item)

    def draw_row(self, context: Context, row: UILayout, item: PropertyGroup) -> None:
        armature = armature_of(item)
        used = row.row()
        used.enabled = not is_newer(armature.verbs_adverbs)
        used.prop(item, "enabled", text="")
        wrong = item.enabled and bool(bridge.authoring.transitions.shown_remarks(armature, item))
        name = row.row()
        name.active, name.alert = item.enabled, wrong
        kind = "NONE" if is_narrow(context) else KIND_ICONS.get(item.kind, "ERROR")
        icon = "ERROR" if wrong else kind
        verbs = bridge.data.transition_items.names_of(armature, item)
        name.label(text=" → ".join(both_fitting(context, *verbs)), icon=icon)
        if not is_narrow(context):
            at_right(row, f"{item.likelihood:g}", active=item.enabled)


class VERBS_ADVERBS_PT_graph(OfMode, Panel):
    """Transitions between verbs, used in performances"""

    bl_label = "Verb Graph"
    bl_idname = "VERBS_ADVERBS_PT_graph"
    tab_mode = SET_UP
    bl_order = 15
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def is_about(cls, context: Context) -> bool:
        armature = current_armature(context)
        return armature is not None and bool(armature.verbs_adverbs.verbs)

    def draw(self, context: Context) -> None:
        layout, armature = self.layout, current_armature(context)
        rig = armature.verbs_adverbs
        row = layout.row()
        row.template_list("VERBS_ADVERBS_UL_transitions", "", rig, "transitions", rig, "active_transition", rows=4)
        column = row.column(align=True)
        column.operator("verbs_adverbs.transition_add", icon="ADD", text="")
        column.operator("verbs_adverbs.transition_remove", icon="REMOVE", text="")
        _draw_status(layout, context, armature)
        item = current_transition(context)
        if item is not None:
            _draw_transition(layout, context, armature, item)


def _draw_status(layout: UILayout, context: Context, armature: Object) -> None:
    found = bridge.authoring.graph.shown_graph_status(armature)
    row = beside(layout, context)
    row.operator("verbs_adverbs.transitions_suggest", icon="LIGHT")
    row.operator("verbs_adverbs.graph_check", icon="CHECKMARK", text="Check")
    layout.operator("verbs_adverbs.nodes_show", icon="NODETREE")
    box = layout.box()
    sentence(box, context, f"{found.headline}.", STATE_KINDS[found.state])
    for line in found.complaints[:MOST_LINES]:
        sentence(box, context, line, "ERROR")
    if len(found.complaints) > MOST_LINES:
        sentence(box, context, f"and {len(found.complaints) - MOST_LINES} more", "")
    if found.state != "NONE" and found.outside:
        sentence(box, context, f"Not in the graph, because they have no transitions: {listed(found.outside)}.")


def _draw_transition(layout: UILayout, context: Context, armature: Object, item: PropertyGroup) -> None:
    column = layout.column()
    column.enabled = not reasons.armature(context)
    label_fields(column, context)
    for line in bridge.authoring.transitions.shown_remarks(armature, item):
        sentence(column, context, line, "ERROR")
    for side, does in SIDES:
        verb = bridge.data.transition_items.verb_of(armature, item.source if side == "leaves" else item.target)
        if verb is not None:
            column.label(text=f"{does} {verb.name}")
            ends = column.column(align=True)
            for which, name in (("begin", "From"), ("end", "To")):
                _draw_end(titled(ends, context, name), armature, item, verb, f"{side}_{which}")
    row = column.row(align=True)
    row.operator("verbs_adverbs.transition_suggest", icon="LIGHT", text="Suggest").choice = 1
    _draw_map_switch(row, context, armature, item)
    if context.window_manager.verbs_adverbs_map.shown and lacks_room(context):
        sentence(column, context, "This view is too small for the map: enlarge it, or switch the pad off.", "INFO")
    draw_choice(column, context, item, "kind")
    column.prop(item, "likelihood")
    source = bridge.data.transition_items.verb_of(armature, item.source)
    built = bridge.authoring.verbs.kept_verb(armature, source) if source is not None else None
    if built is not None and built.cyclic:
        column.prop(source, "goes_on", text=f"{source.name} Repeats")
    if built is not None and built.stands:
        column.prop(item, "anywhere")


def _draw_map_switch(row: UILayout, context: Context, armature: Object, item: PropertyGroup) -> None:
    """Draw the switch of the distance map, and a button to update a map that is out of date."""
    shown = context.window_manager.verbs_adverbs_map.shown
    row.operator("verbs_adverbs.transition_map", icon="IMAGE_DATA", text="Map", depress=shown).shown = not shown
    if shown and bridge.authoring.distance_map.outdated(armature, item):
        row.operator("verbs_adverbs.transition_map", icon="FILE_REFRESH", text="Update Map").shown = True


def _draw_end(row: UILayout, armature: Object, item: PropertyGroup, verb: PropertyGroup, end: str) -> None:
    named, times = getattr(item, f"{end}_keytime"), bridge.authoring.transitions.keytimes_of(armature, verb)
    row.operator_menu_enum("verbs_adverbs.transition_keytime", "keytime", text=named or "Time").end = end
    if named in times:
        value = row.row(align=True)
        value.enabled = False
        value.label(text=f"{times[named]:.3f}")
    else:
        row.prop(item, end, text="")
    row.operator("verbs_adverbs.transition_end_here", text="", icon="TIME").end = end


CLASSES = (VERBS_ADVERBS_UL_transitions, VERBS_ADVERBS_PT_graph)
