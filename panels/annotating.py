"""Panels that annotate the current action, in both sidebars: its examples, their keytimes, contacts and values."""

import bpy
from bpy.types import Context, Menu, Panel, PropertyGroup, Scene, UILayout

from .. import bridge
from ..bridge.blender.store import while_unchanged
from ..bridge.data.current import (
    at,
    current_action,
    current_armature,
    current_example,
    current_verb,
    is_linked,
    is_newer,
)
from ..operators import reasons
from ..operators.modes import SET_UP, TAB
from .sidebar import OfMode, Viewport, draw_choice, label_fields, sentence, with_unit


def draw_finding(layout: UILayout, context: Context) -> None:
    """Draw the buttons that find keytimes, choose a cycle, mirror and make new actions, and show the findings."""
    layout.operator("verbs_adverbs.keytimes_find", icon="VIEWZOOM", text="Find Keytimes\u2026")
    draw_bringing(layout)
    layout.menu("VERBS_ADVERBS_MT_new_action", icon="ACTION")
    if current_example(context) is not None:
        row = layout.row(align=True)
        row.operator("verbs_adverbs.cycle_choose", icon="FRAME_NEXT")
        row.operator("verbs_adverbs.action_mirror", icon="MOD_MIRROR", text="Mirror\u2026")
    for line in current_action(context).verbs_adverbs.found:
        sentence(layout, context, line.text, line.kind)


class VERBS_ADVERBS_MT_new_action(Menu):
    """Make a new action from the current one"""

    bl_label = "New Action From This"
    bl_idname = "VERBS_ADVERBS_MT_new_action"

    def draw(self, _context: Context) -> None:
        layout = self.layout
        layout.operator("verbs_adverbs.action_loop", icon="FILE_REFRESH", text="Loop\u2026")
        layout.operator("verbs_adverbs.action_revert", icon="BACK", text="Reverse\u2026")
        layout.operator("verbs_adverbs.action_smooth", icon="SMOOTHCURVE", text="Smooth\u2026")
        layout.operator("verbs_adverbs.action_warp", icon="PREVIEW_RANGE", text="Warp Time\u2026")
        layout.operator("verbs_adverbs.action_blend", icon="IPO_EASE_IN_OUT", text="Blend Into\u2026")
        layout.operator("verbs_adverbs.action_embed", icon="NLA", text="Embed\u2026")


def draw_bringing(layout: UILayout) -> None:
    """Draw the button that copies actions of other armatures, if there are any."""
    if bpy.ops.verbs_adverbs.actions_conform.poll():
        layout.operator("verbs_adverbs.actions_conform", icon="ARMATURE_DATA", text="Copy from Other Armatures\u2026")


class VERBS_ADVERBS_PT_feet(Viewport, Panel):
    """Foot bones for finding contacts. If empty, they are found by name"""

    bl_label = "Feet"
    bl_idname = "VERBS_ADVERBS_PT_feet"
    bl_parent_id = "VERBS_ADVERBS_PT_example"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 6

    @classmethod
    def poll(cls, context: Context) -> bool:
        return current_armature(context) is not None

    def draw(self, context: Context) -> None:
        layout, armature = self.layout, current_armature(context)
        chosen = armature.verbs_adverbs.feet
        row = layout.row(align=True)
        row.operator("verbs_adverbs.feet_find", icon="VIEWZOOM")
        row.operator("verbs_adverbs.feet_forget", icon="X", text="")
        if not chosen:
            sentence(layout, context, "Feet are found by bone names. Press Find Feet to check and correct them.")
        column = layout.column()
        column.enabled = not reasons.armature(context)
        for item in chosen:
            _draw_foot(column, item, armature.data)
            if not item.ball:
                sentence(column, context, "Select the toe in Pose Mode and press From Selected Bones.")


def _draw_foot(layout: UILayout, item: PropertyGroup, data: object) -> None:
    row = layout.split(factor=0.25, align=True)
    row.label(text=f"Foot {item.name}")
    row.operator("verbs_adverbs.foot_take", icon="BONE_DATA", text="From Selected Bones").side = item.name
    column = layout.column(align=True)
    for name in ("thigh", "ankle"):
        column.prop_search(item, name, data, "bones")
    for name in ("ball", "heel"):
        row = column.split(factor=0.75, align=True)
        row.prop_search(item, name, data, "bones")
        row.prop(item, f"{name}_end", text="")


class DopeSheet:
    """Mixin of a panel in the tab Verbs of the Dope Sheet's sidebar."""

    bl_space_type = "DOPESHEET_EDITOR"
    bl_region_type = "UI"
    bl_category = TAB


class _Example:
    bl_label = "Example"
    bl_order = 60

    def draw(self, context: Context) -> None:
        layout, action, performance = self.layout, current_action(context), reasons.performance(context)
        if performance:
            sentence(layout, context, f"{performance}.")
            return
        _draw_action(layout, context)
        if action is None:
            draw_bringing(layout)
            return
        annotation = action.verbs_adverbs
        row = layout.row()
        row.template_list("VERBS_ADVERBS_UL_examples", "", annotation, "examples", annotation, "active_example", rows=3)
        column = row.column(align=True)
        column.operator("verbs_adverbs.example_add", icon="ADD", text="")
        column.operator("verbs_adverbs.example_remove", icon="REMOVE", text="")
        column.separator()
        column.operator("verbs_adverbs.structure_copy", icon="DUPLICATE", text="")
        draw_finding(layout, context)
        example = current_example(context)
        if example is None:
            sentence(layout, context, "An example is a part of this action that shows one variation of a verb.")
            return
        column = layout.column()
        column.enabled = not (is_linked(action) or is_newer(annotation))
        label_fields(column, context)
        draw_choice(column, context, example, "kind")
        column.prop(example, "cyclic")
        row = layout.row(align=True)
        row.operator("verbs_adverbs.example_span", text="Start Here", icon="TRIA_LEFT_BAR").side = "START"
        row.operator("verbs_adverbs.example_span", text="End Here", icon="TRIA_RIGHT_BAR").side = "END"


class PartOfExample:
    """Mixin of a panel on the chosen example."""

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Whether an example is chosen."""
        return current_example(context) is not None


class _Keytimes(PartOfExample):
    bl_label = "Keytimes"
    bl_order = 1

    def draw(self, context: Context) -> None:
        layout, example = self.layout, current_example(context)
        space = context.space_data
        if space.type == "DOPESHEET_EDITOR" and space.mode == "ACTION":
            layout.prop(space, "show_pose_markers", text="Show as Markers to Drag")
        row = layout.row()
        row.template_list(
            "VERBS_ADVERBS_UL_keytimes", "", example, "keytimes", example, "active_keytime", rows=4, maxrows=10
        )
        column = row.column(align=True)
        column.operator("verbs_adverbs.keytime_add", icon="ADD", text="")
        column.operator("verbs_adverbs.keytime_remove", icon="REMOVE", text="")
        column.separator()
        column.operator("verbs_adverbs.keytime_rename", icon="GREASEPENCIL", text="")
        column.operator("verbs_adverbs.keytime_move", icon="SNAP_ON", text="")
        keytime = at(example.keytimes, example.active_keytime)
        row = layout.row(align=True)
        row.operator("verbs_adverbs.keytime_jump", text="", icon="PREV_KEYFRAME").to = "PREVIOUS"
        here = f"Go to {keytime.name}" if keytime else "Go There"
        row.operator("verbs_adverbs.keytime_jump", text=here).to = "ACTIVE"
        row.operator("verbs_adverbs.keytime_jump", text="", icon="NEXT_KEYFRAME").to = "NEXT"
        if space.type != "DOPESHEET_EDITOR" or space.mode != "ACTION":
            sentence(layout, context, "In the Action Editor, keytimes are markers that you can drag.")
        row = layout.row(align=True)
        row.operator("verbs_adverbs.markers_sync", icon="FILE_REFRESH")
        row.operator("verbs_adverbs.keytimes_sort", icon="SORTTIME", text="Sort")


class _Contacts(PartOfExample):
    bl_label = "Contacts"
    bl_order = 2

    def draw(self, context: Context) -> None:
        layout, example = self.layout, current_example(context)
        row = layout.row()
        row.template_list(
            "VERBS_ADVERBS_UL_contacts", "", example, "contacts", example, "active_contact", rows=3, maxrows=8
        )
        column = row.column(align=True)
        column.operator("verbs_adverbs.contact_add", icon="ADD", text="")
        column.operator("verbs_adverbs.contact_remove", icon="REMOVE", text="")
        contact = at(example.contacts, example.active_contact)
        if contact is None:
            sentence(layout, context, "A contact is a point that stands still for a while, such as the ball of a foot.")
            return
        action = current_action(context)
        column = layout.column()
        column.enabled = not (is_linked(action) or is_newer(action.verbs_adverbs))
        for index, window in enumerate(contact.windows):
            row = column.row(align=True)
            row.prop(window, "start", text="Down")
            row.prop(window, "end", text="Up")
            row.operator("verbs_adverbs.window_remove", text="", icon="X").index = index
        row = layout.row(align=True)
        row.operator("verbs_adverbs.window_edge", text="Down Here", icon="TRIA_DOWN").edge = "DOWN"
        row.operator("verbs_adverbs.window_edge", text="Up Here", icon="TRIA_UP").edge = "UP"
        layout.operator("verbs_adverbs.window_from_keytimes", icon="PMARKER_SEL")


class _Values(PartOfExample):
    bl_label = "Adverb Values"
    bl_order = 3

    def draw(self, context: Context) -> None:
        layout, example, action = self.layout, current_example(context), current_action(context)
        armature = current_armature(context)
        known = {adverb.name: adverb for adverb in armature.verbs_adverbs.adverbs} if armature else {}
        column = layout.column()
        column.enabled = not (is_linked(action) or is_newer(action.verbs_adverbs))
        label_fields(column, context)
        for value in example.values:  # pyright: ignore[reportGeneralTypeIssues]
            row = column.row(align=True)
            unit = known[value.name].unit if value.name in known else ""
            row.prop(value, "value", text=with_unit(value.name, unit))
            row.active = value.name in known
        layout.operator("verbs_adverbs.values_fill", icon="IMPORT")


class _Check(PartOfExample):
    bl_label = "Check"
    bl_order = 5

    def draw(self, context: Context) -> None:
        layout, example, verb = self.layout, current_example(context), _verb_of_example(context)
        question = "example", example.id_data.session_uid, example.uid, verb.uid if verb is not None else ""
        lines = while_unchanged(question, lambda: _complaints(example, verb, context.scene))
        for line in lines:
            sentence(layout, context, line, "WARNING")
        coming = bridge.data.structure.still_to_come(example, verb)
        if coming:
            sentence(layout, context, f"{'Still missing' if lines else 'Valid so far. Still missing'}: {coming}.")
        elif not lines:
            sentence(layout, context, f"Complete for verb '{verb.name}'", "DONE")


def _complaints(example: PropertyGroup, verb: PropertyGroup | None, scene: Scene) -> list[str]:
    found = bridge.data.structure.complaints(example, verb)
    found += bridge.layers.gestures.gesture_complaints(example, scene)
    if verb is None:
        return found
    odd = bridge.authoring.diagnosis.told.odd_segments(verb, bridge.data.markers.ActionMarkers())
    return found + [text for other, _, text in odd if other == example]


def _draw_action(layout: UILayout, context: Context) -> None:
    armature, action = current_armature(context), current_action(context)
    if armature is not None and context.space_data.type == "VIEW_3D" and armature.animation_data is not None:
        layout.template_ID(armature.animation_data, "action")
    elif action is not None:
        layout.label(text=action.name, icon="ACTION")
    if action is None:
        what = "Assign an action to the armature" if armature else "Select an armature"
        sentence(layout, context, f"{what} to mark an example in it.")
    elif is_linked(action):
        sentence(layout, context, "This action is linked from another file. Edit its examples there.", "WARNING")
    elif is_newer(action.verbs_adverbs):
        sentence(
            layout,
            context,
            "Made by a newer version of Verbs & Adverbs, so it cannot be edited here. Update the extension.",
            "WARNING",
        )


def _verb_of_example(context: Context) -> PropertyGroup | None:
    """Return the armature's chosen verb if the current example belongs to it, else the first verb that has it."""
    armature, example = current_armature(context), current_example(context)
    return bridge.data.example_list.verb_with(armature, example, current_verb(context))[0] if armature else None


class VERBS_ADVERBS_PT_example(OfMode, _Example, Panel):
    """Parts of the current action, each showing one variation of a verb"""

    bl_idname = "VERBS_ADVERBS_PT_example"
    tab_mode = SET_UP

    @classmethod
    def is_about(cls, context: Context) -> bool:
        return current_armature(context) is not None


class VERBS_ADVERBS_PT_keytimes(Viewport, _Keytimes, Panel):
    """Instants that all examples of a verb share, such as heel strikes"""

    bl_idname = "VERBS_ADVERBS_PT_keytimes"
    bl_parent_id = "VERBS_ADVERBS_PT_example"


class VERBS_ADVERBS_PT_contacts(Viewport, _Contacts, Panel):
    """Points that stand still on the floor for a while"""

    bl_idname = "VERBS_ADVERBS_PT_contacts"
    bl_parent_id = "VERBS_ADVERBS_PT_example"


class VERBS_ADVERBS_PT_values(Viewport, _Values, Panel):
    """Where the example lies along the armature's adverbs"""

    bl_idname = "VERBS_ADVERBS_PT_values"
    bl_parent_id = "VERBS_ADVERBS_PT_example"


class VERBS_ADVERBS_PT_check(Viewport, _Check, Panel):
    """What the example lacks, and what should be looked at"""

    bl_idname = "VERBS_ADVERBS_PT_check"
    bl_parent_id = "VERBS_ADVERBS_PT_example"


class VERBS_ADVERBS_PT_dope_example(DopeSheet, _Example, Panel):
    """Parts of the shown action, each showing one variation of a verb"""

    bl_idname = "VERBS_ADVERBS_PT_dope_example"


class VERBS_ADVERBS_PT_dope_keytimes(DopeSheet, _Keytimes, Panel):
    """Instants that all examples of a verb share, such as heel strikes"""

    bl_idname = "VERBS_ADVERBS_PT_dope_keytimes"
    bl_parent_id = "VERBS_ADVERBS_PT_dope_example"


class VERBS_ADVERBS_PT_dope_contacts(DopeSheet, _Contacts, Panel):
    """Points that stand still on the floor for a while"""

    bl_idname = "VERBS_ADVERBS_PT_dope_contacts"
    bl_parent_id = "VERBS_ADVERBS_PT_dope_example"


class VERBS_ADVERBS_PT_dope_values(DopeSheet, _Values, Panel):
    """Where the example lies along the armature's adverbs"""

    bl_idname = "VERBS_ADVERBS_PT_dope_values"
    bl_parent_id = "VERBS_ADVERBS_PT_dope_example"


class VERBS_ADVERBS_PT_dope_check(DopeSheet, _Check, Panel):
    """What the example lacks, and what should be looked at"""

    bl_idname = "VERBS_ADVERBS_PT_dope_check"
    bl_parent_id = "VERBS_ADVERBS_PT_dope_example"


CLASSES = (
    VERBS_ADVERBS_MT_new_action,
    VERBS_ADVERBS_PT_example,
    VERBS_ADVERBS_PT_keytimes,
    VERBS_ADVERBS_PT_contacts,
    VERBS_ADVERBS_PT_values,
    VERBS_ADVERBS_PT_check,
    VERBS_ADVERBS_PT_dope_example,
    VERBS_ADVERBS_PT_dope_keytimes,
    VERBS_ADVERBS_PT_dope_contacts,
    VERBS_ADVERBS_PT_dope_values,
    VERBS_ADVERBS_PT_dope_check,
    VERBS_ADVERBS_PT_feet,
)
