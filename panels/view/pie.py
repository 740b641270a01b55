"""The pie menu of everyday tools in 3D views, and the shortcuts; all of them are in Blender's key map."""

import bpy
from bpy.types import Context, KeyMap, KeyMapItem, Menu, Object, UILayout

from ... import bridge
from ...bridge.data.current import current_armature
from ...bridge.session import live_characters
from ...operators.modes import can_animate

MENU = "VERBS_ADVERBS_MT_pie"
SHORTCUTS = (("verbs_adverbs.perform", "shift"), ("verbs_adverbs.adverbs_key", "alt"))
"""Operators, and the modifiers held with the key of the pie menu."""
KEY = "V"
"""Blender's own key maps use it only in some edit modes, which take precedence over ours."""

_keys: list[tuple[KeyMap, KeyMapItem]] = []


class VERBS_ADVERBS_MT_pie(Menu):
    """Everyday tools for a character with verbs"""

    bl_label = "Verbs"
    bl_idname = MENU

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Whether the current armature has something to animate; else the key is left to others."""
        return can_animate(current_armature(context))

    def draw(self, context: Context) -> None:
        pie, armature = self.layout.menu_pie(), current_armature(context)
        pie.operator_context = "INVOKE_DEFAULT"
        director = bridge.data.director.director_of(armature)
        scored = director is not None and director.verbs_adverbs.performance.active
        if bridge.data.director.holder_of(armature) is not None:
            pie.operator("verbs_adverbs.live_off", text="Switch Off", icon="QUIT")
        else:
            verb = bridge.authoring.definitions.verb_to_play(armature)
            pie.operator("verbs_adverbs.live_on", text="Switch On", icon="QUIT").verb = verb
        pie.operator("verbs_adverbs.perform", icon="REC" if live_characters.performance is not None else "PLAY")
        if scored:
            pie.operator("verbs_adverbs.bake_performance", text="Bake Performance…", icon="ACTION")
        else:
            pie.operator("verbs_adverbs.bake", text="Bake…", icon="ACTION").length = "RANGE"
        pie.operator("verbs_adverbs.adverbs_key", text="Key Sliders", icon="KEYFRAME_HLT")
        pie.operator("verbs_adverbs.adverbs_reset", text="Reset Sliders", icon="LOOP_BACK")
        pie.prop(context.window_manager.verbs_adverbs_pad, "shown", text="Pad")
        _draw_verb(pie, armature, director, scored)
        pie.operator("verbs_adverbs.performance_write", text="Compute", icon="FILE_REFRESH")


def _draw_verb(pie: UILayout, armature: Object, director: Object | None, scored: bool) -> None:
    """Draw the choice of the verb to play; nothing if there is none."""
    if director is None or scored or len(armature.verbs_adverbs.verbs) < 2:
        pie.separator()
        return
    name = bridge.authoring.definitions.verb_to_play(armature)
    pie.operator_menu_enum("verbs_adverbs.director_verb", "verb", text=name or "Verb", icon="ANIM")


CLASSES = (VERBS_ADVERBS_MT_pie,)


def register() -> None:
    """Add the shortcuts to the add-on key map, if there is a window."""
    configuration = bpy.context.window_manager.keyconfigs.addon
    if configuration is None:
        return
    keys = configuration.keymaps.new("3D View", space_type="VIEW_3D")
    item = keys.keymap_items.new("wm.call_menu_pie", KEY, "PRESS")
    item.properties.name = MENU
    _keys.append((keys, item))
    for operator, held in SHORTCUTS:
        _keys.append((keys, keys.keymap_items.new(operator, KEY, "PRESS", **{held: True})))


def unregister() -> None:
    """Remove the shortcuts from the key map."""
    while _keys:
        keys, item = _keys.pop()
        keys.keymap_items.remove(item)
