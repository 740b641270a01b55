"""The first row of the tab Verbs: its two modes."""

from bpy.types import Context, Panel, UILayout

from .. import bridge
from ..bridge.data.current import current_armature, current_verb
from ..operators.modes import ANIMATE, can_animate, mode_of
from .sidebar import Viewport, sentence


class VERBS_ADVERBS_PT_modes(Viewport, Panel):
    """What the tab shows: what is used every day, or what is set up once"""

    bl_label = "Modes"
    bl_idname = "VERBS_ADVERBS_PT_modes"
    bl_options = {"HIDE_HEADER"}
    bl_order = 0

    def draw(self, context: Context) -> None:
        layout = self.layout
        row = layout.row(align=True)
        row.scale_y = 1.2
        row.prop(context.window_manager.verbs_adverbs_tab, "mode", expand=True)
        _build_what_changed(context)
        if mode_of(context) == ANIMATE:
            _draw_what_lacks(layout, context)


def _build_what_changed(context: Context) -> None:
    """Have the chosen verb built when nothing else happens, if something of it has changed; in both modes."""
    armature, verb = current_armature(context), current_verb(context)
    if verb is not None and bridge.build.verbs.shown_status(armature, verb).state == "OUT_OF_DATE":
        bridge.session.handlers.build_soon(armature, verb)


def _draw_what_lacks(layout: UILayout, context: Context) -> None:
    """Draw why there is nothing to animate, if so."""
    armature = current_armature(context)
    if armature is None:
        sentence(layout, context, "Select an armature with verbs, its body, its director or a target.")
    elif not can_animate(armature):
        sentence(layout, context, f"{armature.name} has no verb yet: choose Set Up to make its first one.")


CLASSES = (VERBS_ADVERBS_PT_modes,)
