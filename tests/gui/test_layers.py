"""Layers in a real window: a wave over a slider-driven walk and while performing, a refusal read and its way out."""

from collections.abc import Generator, Iterator

import bpy
import numpy as np
from hand import BLINK, Hand
from performance import add_performing_biped, begin_at_once, goes_on, in_view, look_at_root
from sidebar import PITCH, expect, find, under_mouse
from stage import biped, director, part

Steps = Iterator[float]
ASK = "verbs_adverbs.layer_ask"
LIST_ABOVE_START, NAME_BESIDE_BOX = 90, 60
"""How far in pixels the first row of a list of two is above Start, and a name in it from the sidebar's left end."""


def _state(layer: str) -> str:
    armature = biped()
    states = part("bridge.session.live_characters")
    return states.layer_state(armature, armature.verbs_adverbs.layers[layer], bpy.context.scene).kind


def _hand_height() -> float:
    """How high the right hand is over the hips, in metres."""
    seen = biped().evaluated_get(bpy.context.view_layer.depsgraph)
    return seen.pose.bones["Hand_R"].head.z - seen.pose.bones["Hips"].head.z


def _begin(gui: Hand, start: str) -> Steps:
    """Add a biped with two layers that wave."""
    yield from add_performing_biped(gui, start)
    armature = biped()
    for layer in ("hail", "wave"):
        assert bpy.ops.verbs_adverbs.layer_add(verb=armature.verbs_adverbs.verbs["wave"].uid) == {"FINISHED"}
        armature.verbs_adverbs.layers[-1].name = layer
    armature.verbs_adverbs.layers["hail"].times = 0
    bpy.ops.ed.undo_push(message="two layers")
    yield 0.5


def _choose(gui: Hand, layer: str) -> Steps:
    armature = biped()
    yield from in_view(gui)
    armature.verbs_adverbs.active_layer = armature.verbs_adverbs.layers.find(layer)
    gui.region("UI").tag_redraw()
    yield 1.0


def _first_of_two(gui: Hand) -> Generator[float, None, tuple[int, int]]:
    """Return the left end of the row of the first of two layers, above the button Start."""
    _, y = yield from find(gui, ASK, across=0.2)
    return gui.region("UI").x + PITCH, y + LIST_ABOVE_START


def _click_box(gui: Hand) -> Steps:
    """Click into the row of the first of two layers, from the left on until its box has changed."""
    x, y = yield from _first_of_two(gui)
    for beside in range(0, 5 * PITCH, PITCH):
        yield from gui.click(x + beside, y)
        yield 0.5
        if not biped().verbs_adverbs.layers[0].enabled:
            return


def _press_below(gui: Hand, start: tuple[int, int], across: float) -> Steps:
    """Click the button of another wish for a layer that is drawn below the one at `start`."""
    region, seen_other = gui.region("UI"), False
    x = region.x + round(across * region.width)
    for height in range(start[1] - PITCH, region.y, -PITCH // 2):
        gui.move(x, height)
        yield 2 * BLINK
        if under_mouse(gui) != ASK:
            seen_other = True
        elif seen_other:
            yield from gui.click(x, height - PITCH // 4)
            return
    raise AssertionError("no way out of the refusal is offered")


def test_a_wave_is_layered_over_a_slider_driven_walk_and_a_refusal_is_mended(gui: Hand) -> Steps:
    yield from _begin(gui, "walk")
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    bpy.context.scene.frame_set(20)
    yield from _choose(gui, "hail")
    x, y = yield from find(gui, ASK, across=0.2)
    yield from gui.click(x, y)
    yield from expect(lambda: "hail plays" in director() and director()["hail plays"] == 1.0, "hail is started")
    bpy.context.scene.frame_set(40)
    yield from expect(lambda: _state("hail") == "executing", "hail plays at frame 40")
    yield from expect(lambda: _hand_height() > 0.2, "the hand is up")
    yield from look_at_root(gui)
    gui.picture("layer-wave-over-walk")
    yield from _choose(gui, "wave")
    x, y = yield from find(gui, ASK, across=0.2)
    yield from gui.click(x, y)
    yield from expect(lambda: _state("wave") == "refused", "wave is refused")
    yield 0.5
    gui.picture("layer-refused")
    yield from _press_below(gui, (x, y), across=0.2)
    yield from expect(lambda: _state("wave") == "started", "wave is started instead")
    bpy.context.scene.frame_set(60)
    yield from expect(lambda: _state("hail") == "finished" and _state("wave") == "executing", "wave took the arm")
    gui.picture("layer-instead")
    legs = np.array([bone.matrix_basis for bone in biped().pose.bones if bone.name.startswith("UpperLeg")])
    for layer in biped().verbs_adverbs.layers:
        layer.enabled = False
    yield from expect(lambda: _hand_height() < 0.2, "without layers the arm hangs")
    again = np.array([bone.matrix_basis for bone in biped().pose.bones if bone.name.startswith("UpperLeg")])
    assert np.abs(legs - again).max() < 1e-6


def test_a_wave_is_layered_while_performing_and_plays_from_the_score(gui: Hand) -> Steps:
    yield from _begin(gui, "walk")
    yield from begin_at_once(gui)
    yield from _choose(gui, "hail")
    x, y = yield from find(gui, ASK, across=0.2)
    yield from gui.click(x, y)
    yield from expect(lambda: _state("hail") == "executing", "hail is performed")
    yield 1.0
    yield from look_at_root(gui)
    gui.picture("layer-performed")
    assert _hand_height() > 0.2
    yield from in_view(gui)
    yield from gui.key("ESC")
    yield from expect(lambda: not goes_on(), "Esc ends the performance")
    yield 1.0
    last = bpy.context.scene.frame_end
    kinds = set()
    for frame in range(1, min(last, 240), 8):
        bpy.context.scene.frame_set(frame)
        kinds.add(_state("hail"))
        yield BLINK
    assert "executing" in kinds and director().verbs_adverbs.performance.active


def test_a_layer_is_renamed_in_the_list_and_its_box_is_grey_while_performing(gui: Hand) -> Steps:
    yield from _begin(gui, "walk")
    x, y = yield from _first_of_two(gui)
    gui.move(x + NAME_BESIDE_BOX, y)
    yield 0.5
    yield from gui.key("LEFTMOUSE", ctrl=True)
    yield 0.5
    for letter in "salute":
        gui.press(letter.upper(), unicode=letter)
        yield BLINK
        gui.release(letter.upper())
        yield BLINK
    yield from gui.key("RET")
    yield from expect(lambda: biped().verbs_adverbs.layers[0].name == "salute", "the layer has the name that was typed")
    assert [layer.name for layer in biped().verbs_adverbs.layers] == ["salute", "wave"]
    yield from begin_at_once(gui)
    yield from _click_box(gui)
    yield 1.0
    gui.picture("layer-box-while-performed")
    assert biped().verbs_adverbs.layers[0].enabled
    yield from in_view(gui)
    yield from gui.key("ESC")
    yield from expect(lambda: not goes_on(), "Esc ends the performance")
    yield from _click_box(gui)
    yield from expect(lambda: not biped().verbs_adverbs.layers[0].enabled, "the box can be clicked again")
