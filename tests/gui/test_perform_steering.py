"""Arrows, the mouse on the floor and a heavy scene, while the biped is performed in a window."""

import math
import time
from collections.abc import Iterator

import bpy
import numpy as np
from hand import BLINK, Hand
from performance import (
    add_performing_biped,
    begin_walking,
    drawings,
    drawn,
    fit_scene,
    goes_on,
    in_view,
    player,
    root,
    roots_at,
    session,
)
from sidebar import expect
from stage import biped, director, part

Steps = Iterator[float]
NEAR, LOAD = 0.8, 0.25


def test_arrows_move_adverbs_over_the_view_alone(gui: Hand) -> Steps:
    yield from add_performing_biped(gui, "walk")
    yield from begin_walking(gui)
    yield from in_view(gui)
    yield from gui.key("RIGHT_ARROW")
    yield from gui.key("RIGHT_ARROW")
    yield from expect(lambda: abs(director()["turn"] + 0.4) < 1e-6, "two arrows turn the slider")
    yield from gui.key("LEFT_ARROW", ctrl=True)
    yield 0.5
    assert abs(director()["turn"] + 0.4) < 1e-6
    area = gui.area("PROPERTIES")
    gui.move(area.x + area.width / 2, area.y + 20)
    yield from gui.key("LEFT_ARROW")
    yield 0.5
    assert abs(director()["turn"] + 0.4) < 1e-6 and goes_on()
    yield from in_view(gui)
    yield from gui.key("RET")
    yield from expect(lambda: not goes_on(), "Enter ends the performance")


def test_the_biped_walks_where_the_mouse_points(gui: Hand) -> Steps:
    yield from add_performing_biped(gui, "walk")
    yield from begin_walking(gui)
    yield from in_view(gui, 0.35, 0.25)
    selected = biped().select_get()
    gui.press(ctrl=True)
    yield BLINK
    gui.release(ctrl=True)
    steered = session().take_of(biped()).guide
    yield from expect(lambda: steered.pointed is not None, "the mouse points at the floor")
    goal = np.array(steered.pointed)
    gui.picture("perform-pointed")
    yield from expect(lambda: math.dist(player().travel[:2], goal) < NEAR, "the biped gets there")
    assert biped().select_get() == selected
    yield from gui.key("ESC")
    yield from expect(lambda: not goes_on(), "Esc ends the performance")


def test_a_heavy_scene_slows_frames_and_not_the_walk(gui: Hand) -> Steps:
    yield from add_performing_biped(gui, "walk")
    yield from begin_walking(gui)
    yield from expect(lambda: len(drawings()) > 4, "the walk is drawn")
    light = drawn()
    handler = bpy.types.SpaceView3D.draw_handler_add(lambda: time.sleep(LOAD), (), "WINDOW", "POST_PIXEL")
    try:
        yield 6.0
        heavy = drawn()
        gui.picture("perform-heavy")
    finally:
        bpy.types.SpaceView3D.draw_handler_remove(handler, "WINDOW")
    print("lateness and intervals, light and heavy:", light, heavy)
    assert heavy[1] > LOAD and heavy[1] > light[1]
    frames, places = roots_at()
    yield from in_view(gui)
    yield from gui.key("ESC")
    yield from expect(lambda: not goes_on(), "Esc ends the performance")
    yield from fit_scene(gui)
    missed = []
    for frame, place in zip(frames, places, strict=True):
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
        missed.append(np.abs(root() - place)[:2].max())
    assert max(missed) < 0.01
    assert part("bridge.session.live_characters").performance is None
