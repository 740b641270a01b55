"""The distance map in a window: the transition leaves and enters where it is clicked; Esc and undo take it back."""

from collections.abc import Iterator

import bpy
import numpy as np
from hand import Hand
from performance import add_performing_biped
from sidebar import expect
from stage import biped, part

Steps = Iterator[float]
Place = tuple[float, float]
WITHIN = 1.0
"""Pixels by which the transition may miss the mouse."""


def _item():
    rig = biped().verbs_adverbs
    return rig.transitions[rig.active_transition]


def _choose(source: str, target: str) -> None:
    rig = biped().verbs_adverbs
    pairs = [(item.source, item.target) for item in rig.transitions]
    rig.active_transition = pairs.index((rig.verbs[source].uid, rig.verbs[target].uid))


def _map(gui: Hand):
    """Where the map lies, or None."""
    with gui.context():
        return part("operators.view.distance_map").place_in(bpy.context, bpy.context.region)


def _pixel(gui: Hand, share: Place) -> Place:
    square = _map(gui).square
    region = gui.region()
    return region.x + square.x + share[0] * square.side, region.y + square.y + share[1] * square.side


def _whole_pixel(gui: Hand, share: Place) -> tuple[int, int]:
    x, y = _pixel(gui, share)
    return round(x), round(y)


def _off(gui: Hand, asked: Place) -> float:
    begins = _item().leaves_begin, _item().enters_begin
    return float(np.abs(np.subtract(_pixel(gui, begins), asked)).max())


def _press_and_move(gui: Hand, first: Place, then: Place) -> Steps:
    gui.move(*_whole_pixel(gui, first))
    yield 0.3
    gui.press()
    yield 0.2
    gui.move(*_whole_pixel(gui, then))
    yield 0.3


def test_the_transition_leaves_and_enters_where_the_map_is_clicked(gui: Hand) -> Steps:
    yield from add_performing_biped(gui)
    _choose("walk", "wave")
    with gui.context():
        assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
        assert bpy.ops.verbs_adverbs.transition_map() == {"FINISHED"}
    yield from gui.sidebar("Verbs")
    bpy.ops.ed.undo_push(message="a map is shown")
    before = _item().leaves_begin, _item().enters_begin
    try:
        for scale, place in ((1.0, (0.8, 0.3)), (2.0, (0.25, 0.15))):
            bpy.context.preferences.view.ui_scale = scale
            bpy.context.window_manager.verbs_adverbs_pad.shown = scale < 2.0
            for kind in ("TOOLS", "UI", "WINDOW"):
                yield from gui.drawn(kind)
            yield from expect(lambda: _map(gui) is not None, "the view has room for the map")
            at = _whole_pixel(gui, place)
            yield from gui.click(*at)
            yield 0.3
            assert _off(gui, at) <= WITHIN
            gui.move(*_pixel(gui, (0.5, 0.45)))
            yield from gui.drawn()
            gui.picture(f"map at scale {scale:g}")
            bpy.ops.ed.undo()
            yield 0.3
            assert (_item().leaves_begin, _item().enters_begin) == before
            yield from _press_and_move(gui, (0.4, 0.2), (0.7, 0.3))
            assert _off(gui, _whole_pixel(gui, (0.7, 0.3))) <= WITHIN
            yield from gui.key("ESC")
            gui.release()
            yield 0.3
            assert (_item().leaves_begin, _item().enters_begin) == before
    finally:
        bpy.context.preferences.view.ui_scale = 1.0
        bpy.context.window_manager.verbs_adverbs_pad.shown = True
