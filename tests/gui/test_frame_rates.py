"""The sentence on frame rates in a real window, the button below it, and undo of what that did."""

from collections.abc import Iterator

import bpy
from hand import Hand
from performance import add_performing_biped, in_view
from sidebar import find
from stage import director


def test_to_scene_rate_is_pressed_and_undone(gui: Hand) -> Iterator[float]:
    yield from add_performing_biped(gui, "walk")
    assert bpy.ops.verbs_adverbs.command_add(verb="wave", frame=48.0) == {"FINISHED"}
    bpy.context.scene.render.fps = 60
    bpy.ops.ed.undo_push(message="another frame rate")
    yield from in_view(gui)
    yield 1.0
    x, y = yield from find(gui, "verbs_adverbs.to_scene_rate")
    gui.picture("frame rates told")
    yield from gui.click(x, y)
    yield 1.0
    assert director().verbs_adverbs.start_frame == 2
    gui.picture("frame rates moved")
    bpy.ops.ed.undo()
    yield 1.0
    assert director().verbs_adverbs.start_frame == 1
