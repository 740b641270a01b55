"""Verbs as assets: a part of the panel Verbs, and entries in the menus of the Asset Browser."""

import bpy
from bpy.types import Context, Menu, Panel

from ..bridge.data.current import current_armature, current_verb
from ..bridge.data.verb_assets import marked_for
from ..operators.bones.assets import holds_verb
from .sidebar import sentence
from .verbs import PartOfVerb

MENUS = "ASSETBROWSER_MT_context_menu", "ASSETBROWSER_MT_asset"


class VERBS_ADVERBS_PT_verb_asset(PartOfVerb, Panel):
    """Share the verb with other files through the Asset Browser"""

    bl_label = "Asset"
    bl_idname = "VERBS_ADVERBS_PT_verb_asset"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 8

    def draw(self, context: Context) -> None:
        layout, verb = self.layout, current_verb(context)
        if current_armature(context).verbs_adverbs.asset_of:
            sentence(layout, context, "This armature is an asset. Select the character that should get its verb.")
            return
        marked = marked_for(verb.uid)
        row = layout.row(align=True)
        text = "Update Asset" if marked is not None else "Mark as Asset"
        row.operator("verbs_adverbs.verb_asset_mark", text=text, icon="ASSET_MANAGER")
        if marked is not None:
            row.operator("verbs_adverbs.verb_asset_clear", text="", icon="X")


def _draw_put(menu: Menu, context: Context) -> None:
    asset = getattr(context, "asset", None)
    if asset is not None and holds_verb(asset):
        menu.layout.separator()
        menu.layout.operator("verbs_adverbs.verb_put", icon="ARMATURE_DATA")


CLASSES = (VERBS_ADVERBS_PT_verb_asset,)


def register() -> None:
    """Add *Put on Character* to the menus of the Asset Browser."""
    for name in MENUS:
        getattr(bpy.types, name).append(_draw_put)


def unregister() -> None:
    """Remove *Put on Character* from the menus, which are gone already when Blender quits."""
    for menu in (getattr(bpy.types, name, None) for name in MENUS):
        if menu is not None:
            menu.remove(_draw_put)
