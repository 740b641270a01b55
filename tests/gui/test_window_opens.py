"""The extension in a real window."""

from collections.abc import Iterator

import bpy
from hand import Hand

MODULE = "bl_ext.user_default.verbs_adverbs"


def test_window_opens_with_the_extension_and_its_sidebar(gui: Hand) -> Iterator[float]:
    assert MODULE in bpy.context.preferences.addons
    gui.area().spaces.active.show_region_ui = True
    yield 1.0
    assert gui.region("UI").width > 1
    picture = gui.picture("window")
    assert picture.stat().st_size > 10_000


def test_simulated_keys_reach_blender(gui: Hand) -> Iterator[float]:
    cube = bpy.context.object
    region = gui.region()
    gui.move(region.x + region.width / 2, region.y + region.height / 2)
    yield 0.2
    yield from gui.key("X")
    yield from gui.key("RET")
    yield 0.3
    assert cube is None or "Cube" not in bpy.data.objects
