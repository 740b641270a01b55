"""The extension in a real window."""

from collections.abc import Iterator

import bpy
from hand import Hand

MODULE = "bl_ext.user_default.verbs_adverbs"


def test_the_sidebar_of_an_armature_has_the_tab(gui: Hand) -> Iterator[float]:
    assert MODULE in bpy.context.preferences.addons
    with gui.context():
        bpy.ops.object.armature_add()
    yield from gui.sidebar("Verbs")
    region = gui.region("UI")
    assert region.active_panel_category == "Verbs"
    assert region.width > 1
    gui.picture("sidebar")


def test_simulated_keys_reach_blender(gui: Hand) -> Iterator[float]:
    assert bpy.context.object.name == "Cube"
    region = gui.region()
    gui.move(region.x + region.width / 2, region.y + region.height / 2)
    yield 0.2
    yield from gui.key("X")
    yield from gui.key("RET")
    yield 0.3
    assert "Cube" not in bpy.data.objects
