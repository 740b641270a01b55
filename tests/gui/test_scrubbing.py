"""A live verb under the user's hand: sliders, undo, playing and scrubbing the timeline."""

from collections.abc import Iterator

import bpy
import numpy as np
from hand import BLINK, Hand
from sidebar import expect, find
from stage import (
    CLOSE,
    MOOD,
    add_live_biped,
    as_computed,
    biped,
    changed_pixels,
    core_joints,
    director,
    drag_slider,
    hover_viewport,
    joints,
    miss,
    written,
)

HAND = ["Hand_L"]


def _is_playing() -> bool:
    return bpy.context.window_manager.windows[0].screen.is_animation_playing


def test_a_dragged_slider_moves_the_hand_by_what_core_computes(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    x, y = yield from find(gui, MOOD)
    yield from as_computed()
    was, made, picture = joints(HAND), written(), gui.picture("slider-before")
    gui.move(x, y)
    yield BLINK
    gui.press()
    yield BLINK
    for step in range(1, 7):
        gui.move(x + 15 * step, y)
        yield BLINK
        yield from expect(lambda: miss() < CLOSE, "the armature follows while the slider is being dragged")
    gui.release()
    yield from expect(lambda: written() != made, "the generated action follows when the hand rests")
    assert director()["mood"] > 0.2
    moved, computed = joints(HAND) - was, core_joints(HAND) - core_joints(HAND, mood=0.0)
    assert np.linalg.norm(moved) > 0.02
    assert np.abs(moved - computed).max() < CLOSE
    assert changed_pixels(gui, picture, gui.picture("slider-after")) > 200
    for frame in (3, 40, 17):
        bpy.context.scene.frame_set(frame)
        yield from as_computed()


def test_undo_takes_a_drag_back_and_redo_brings_it(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    yield from drag_slider(gui)
    value = director()["mood"]
    yield from as_computed()
    yield from hover_viewport(gui)
    yield from gui.key("Z", ctrl=True)
    yield from expect(lambda: director()["mood"] == 0.0, "the slider is back")
    yield from as_computed()
    yield from gui.key("Z", ctrl=True, shift=True)
    yield from expect(lambda: director()["mood"] == value, "the slider is moved again")
    yield from as_computed()
    for _ in range(2):
        yield from gui.key("Z", ctrl=True)
    yield from expect(lambda: director() is None, "playing is taken back too")
    assert biped().animation_data.action.name == "Walk plain"


def test_the_timeline_plays_while_live_and_a_slider_is_dragged_meanwhile(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    x, y = yield from find(gui, MOOD)
    yield from hover_viewport(gui)
    yield from gui.key("SPACE")
    yield from expect(_is_playing, "the timeline plays")
    frames, hands = [], []
    for _ in range(10):
        frame = bpy.context.scene.frame_current
        yield from expect(lambda last=frame: bpy.context.scene.frame_current != last, "frames advance")
        frames.append(bpy.context.scene.frame_current)
        yield from expect(lambda: miss() < CLOSE, "the armature is where core computes it as the timeline plays")
        hands.append(joints(HAND)[0])
    assert len(set(frames)) > 5 and np.ptp(np.array(hands), axis=0).max() > 0.05
    yield from gui.drag((x, y), (x + 60, y))
    yield from expect(lambda: director()["mood"] > 0.0, "the slider was moved while the timeline plays")
    for _ in range(3):
        frame = bpy.context.scene.frame_current
        yield from expect(lambda last=frame: bpy.context.scene.frame_current != last, "the timeline plays on")
        yield from expect(lambda: _is_playing() and miss() < CLOSE, "the armature follows while the timeline plays")
    yield from hover_viewport(gui)
    yield from gui.key("SPACE")
    yield from expect(lambda: not _is_playing(), "the timeline stops")
    yield from as_computed()
    bpy.context.scene.frame_set(30)
    yield from as_computed()


def test_the_mouse_scrubs_the_timeline_while_live(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    region = gui.region("WINDOW", "DOPESHEET_EDITOR")
    view, height = region.view2d, region.y + region.height - 10

    def place(frame: float) -> tuple[int, int]:
        return region.x + view.view_to_region(frame, 0.0, clip=False)[0], height

    gui.move(*place(5))
    yield BLINK
    gui.press()
    seen = []
    for frame in (5, 20, 37, 61, 44, 12):
        gui.move(*place(frame))
        yield from expect(lambda wanted=frame: abs(bpy.context.scene.frame_current - wanted) < 2, f"at frame {frame}")
        yield from as_computed()
        seen.append(joints(HAND)[0])
    gui.release()
    yield BLINK
    assert np.ptp(np.array(seen), axis=0).max() > 0.05
    gui.picture("scrubbed")


def test_a_file_that_was_saved_out_of_date_is_brought_up_to_date_once_it_is_shown(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    yield from as_computed()
    made, path, handlers = written(), str(gui.folder / "out of date.blend"), bpy.app.handlers.save_pre
    kept = list(handlers)
    director()["mood"] = 0.8
    handlers.clear()
    try:
        bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    finally:
        handlers.extend(kept)
    bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
    assert director()["mood"] == 0.8 and written() == made
    yield from expect(lambda: written() != made, "what was changed before the file was saved is seen")
    yield from as_computed()
