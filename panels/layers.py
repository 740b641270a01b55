"""The panel for layers: what plays on top of the verb or score, on which bones, and why a layer could not start."""

from typing import TYPE_CHECKING

from bpy.types import Context, Object, Panel, PropertyGroup, UILayout, UIList

from .. import bridge
from ..bridge.blender.naming import told_frame
from ..bridge.data.current import at, current_armature
from ..bridge.session import live_characters
from ..core.errors import listed
from ..operators import reasons
from ..operators.layers import BESIDE, WISHES
from ..operators.modes import ANIMATE
from .sidebar import (
    SHARE_OF_NAME,
    List,
    OfMode,
    Viewport,
    at_right,
    draw_choice,
    draw_sliders,
    label_fields,
    sentence,
    titled,
)

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import IconItems

STATE_ICONS: "dict[str, IconItems]" = {
    "off": "RADIOBUT_OFF",
    "started": "PLAY",
    "executing": "PLAY",
    "finished": "RADIOBUT_OFF",
    "stopping": "PAUSE",
    "queued": "TIME",
    "refused": "ERROR",
    "broken": "CANCEL",
}
TELLING = {"refused": "WARNING", "broken": "ERROR"}
"""Icons of sentences about layers that cannot play as requested."""
KEYS_TOLD = 3
"""Number of starts and stops listed before and after the current frame."""
BUTTONS: "tuple[tuple[str, str, IconItems], ...]" = (
    ("start", "Start", "PLAY"),
    ("stop", "Stop", "PAUSE"),
    ("stop_hard", "", "X"),
)


class VERBS_ADVERBS_UL_layers(List, UIList):
    """Layers of an armature, from the lowest to the highest."""

    def draw_row(self, context: Context, row: UILayout, item: PropertyGroup) -> None:
        armature = current_armature(context)
        state = live_characters.layer_state(armature, item, context.scene)
        refused = bool(live_characters.refused_at(armature, item))
        row.alert = state.kind == "refused" or refused
        edited = row.row(align=True)
        edited.enabled = not reasons.resting(context)
        edited.prop(item, "enabled", text="")
        parts = row.split(factor=SHARE_OF_NAME)
        name = parts.row()
        name.active, name.enabled = item.enabled, edited.enabled
        shown = "refused" if refused and state.kind == "off" else state.kind
        name.prop(item, "name", text="", emboss=False, icon=STATE_ICONS[shown])
        at_right(parts, _bones_told(item), active=item.enabled)


class VERBS_ADVERBS_PT_layers(OfMode, Panel):
    """Play a verb on some bones, on top of whatever else the character does"""

    bl_label = "Layers"
    bl_idname = "VERBS_ADVERBS_PT_layers"
    tab_mode = ANIMATE
    bl_order = 7

    @classmethod
    def is_about(cls, context: Context) -> bool:
        armature = current_armature(context)
        return armature is not None and bridge.data.director.director_of(armature) is not None

    def draw(self, context: Context) -> None:
        layout, armature = self.layout, current_armature(context)
        rig = armature.verbs_adverbs
        row = layout.row()
        rows = max(2, min(len(rig.layers), 5))
        row.template_list("VERBS_ADVERBS_UL_layers", "", rig, "layers", rig, "active_layer", rows=rows)
        column = row.column(align=True)
        column.operator_menu_enum("verbs_adverbs.layer_add", "verb", text="", icon="ADD")
        column.operator("verbs_adverbs.layer_remove", text="", icon="REMOVE")
        if len(rig.layers) > 1:
            column.separator()
            column.operator("verbs_adverbs.layer_move", text="", icon="TRIA_UP").step = -1
            column.operator("verbs_adverbs.layer_move", text="", icon="TRIA_DOWN").step = 1
        item = at(rig.layers, rig.active_layer)
        if item is None:
            sentence(layout, context, "A layer plays a verb on some bones while the others go on as before.")
            return
        _draw_play(layout, context, armature, item)
        _draw_settings(layout, context, armature, item)


def _draw_play(layout: UILayout, context: Context, armature: Object, item: PropertyGroup) -> None:
    """Draw the buttons and weight of a layer, and what it does at this frame."""
    director = bridge.data.director.director_of(armature)
    row = layout.row(align=True)
    row.enabled = item.enabled
    for wish, text, icon in BUTTONS:
        row.operator("verbs_adverbs.layer_ask", text=text, icon=icon).wish = wish
    row.operator("verbs_adverbs.layer_clear", text="", icon="TRASH")
    state = live_characters.layer_state(armature, item, context.scene)
    sentence(layout, context, state.text, TELLING.get(state.kind, ""))
    if state.kind == "refused":
        row = layout.row(align=True)
        for wish, text in (("instead", f"Instead of {state.holder}"), ("after", f"After {state.holder}")):
            row.operator("verbs_adverbs.layer_ask", text=text).wish = wish
    if director is not None:
        _draw_keys(layout, context, armature, item, state.kind == "refused")
    weight = bridge.data.layer_properties.weight_of(item)
    if director is not None and weight in director:
        row = layout.row()
        row.use_property_decorate = True
        row.prop(director, bridge.data.adverb_values.path_of(weight), text="Weight", slider=True)
        column = layout.column(align=True)
        draw_sliders(column, context, director, bridge.layers.layers.layer_adverbs(armature, item))


def _draw_keys(layout: UILayout, context: Context, armature: Object, item: PropertyGroup, told_already: bool) -> None:
    """Draw the keys that start and stop a layer around the current frame, and other frames where it could not start."""
    director = bridge.data.director.director_of(armature)
    keys, now = bridge.data.commands.layer_keys(director, item), context.scene.frame_current_final
    if not keys:
        return
    past = sum(frame <= now for frame, _ in keys)
    first, last = max(past - KEYS_TOLD, 0), past + KEYS_TOLD
    named = {wish: name for wish, name, _ in WISHES}
    told = ", ".join(f"{named[wish]} {told_frame(frame)}" for frame, wish in keys[first:last])
    sentence(layout, context, f"{'… ' if first else ''}{told}{' …' if last < len(keys) else ''}", "KEYS")
    refused = live_characters.refused_at(armature, item)
    if refused and not told_already:
        frames = listed(map(told_frame, refused), 4)
        text = (
            f"Could not start at frame {frames}: go there for solutions, or drag the key in the director's Dope Sheet."
        )
        sentence(layout, context, text, "WARNING")


def _draw_settings(layout: UILayout, context: Context, armature: Object, item: PropertyGroup) -> None:
    column = layout.column()
    column.enabled = not reasons.resting(context)
    label_fields(column, context)
    verb = bridge.data.transition_items.verb_of(armature, item.verb)
    row = titled(column, context, "Plays")
    if item.talks:
        row.label(text="Gestures on words")
    else:
        text = verb.name if verb is not None else f"{item.verb_name} (missing)"
        row.operator_menu_enum("verbs_adverbs.layer_verb", "verb", text=text)
        column.prop(item, "times")
        column.prop(item, "follows")
    row = titled(column, context, "Moves")
    row.operator("verbs_adverbs.layer_bones", text=_bones_told(item), icon="BONE_DATA")


class VERBS_ADVERBS_PT_layer_more(Viewport, Panel):
    """Bones, space, fades and claims of the chosen layer"""

    bl_label = "Layer Options"
    bl_idname = "VERBS_ADVERBS_PT_layer_more"
    bl_parent_id = "VERBS_ADVERBS_PT_layers"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        armature = current_armature(context)
        return armature is not None and bool(armature.verbs_adverbs.layers)

    def draw(self, context: Context) -> None:
        armature = current_armature(context)
        item = at(armature.verbs_adverbs.layers, armature.verbs_adverbs.active_layer)
        if item is not None:
            _draw_more(self.layout, context, armature, item)


def _draw_more(layout: UILayout, context: Context, armature: Object, item: PropertyGroup) -> None:
    """Draw the settings of a layer that are rarely needed."""
    column = layout.column()
    column.enabled = not reasons.resting(context)
    label_fields(column, context)
    row = titled(column, context, "Collection")
    row.use_property_split = False
    row.prop_search(item, "collection", armature.data, "collections_all", text="")
    column.prop(item, "taper")
    for name in ("space", "mode"):
        draw_choice(column, context, item, name)
    row = column.row(align=True)
    row.prop(item, "fade_in", text="In, Out")
    row.prop(item, "fade_out", text="")
    for name in ("finishes", "claims"):
        column.prop(item, name)
    row = column.column()
    row.active = item.claims
    draw_choice(row, context, item, "when_held")
    row.prop(item, "priority")
    for other in armature.verbs_adverbs.layers:
        if other != item and item.claims and other.claims:
            held = bridge.data.layer_properties.held_beside(item, other)
            line = titled(column, context, f"By {other.name}")
            told = next(text for kind, text, _ in BESIDE if kind == (held or BESIDE[0][0]))
            line.operator_menu_enum("verbs_adverbs.layer_beside", "held", text=told).other = other.uid
    column.prop(item, "apart")


def _bones_told(item: PropertyGroup) -> str:
    return item.collection or listed((bone.text for bone in item.bones), 2) or "no bones"


CLASSES = (VERBS_ADVERBS_UL_layers, VERBS_ADVERBS_PT_layers, VERBS_ADVERBS_PT_layer_more)
