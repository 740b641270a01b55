"""Source actions under a user's keys: with auto-key on, sliders dragged and I pressed, they stay what they were."""

from collections.abc import Iterator

import bpy
from blender.action_hash import digests
from hand import Hand
from sidebar import expect, find
from stage import MOOD, add_live_biped, as_computed, biped, director, drag_slider, hover_viewport, part


def _sources() -> dict[str, str]:
    """Digests of the example actions."""
    return digests(action for action in bpy.data.actions if action.verbs_adverbs.examples)


def _keys_of_mood() -> int:
    curve = part("bridge.data.director").adverb_curves(director()).get(MOOD)
    return len(curve.keyframe_points) if curve else 0


def _press_i_over_the_slider(gui: Hand) -> Iterator[float]:
    place = yield from find(gui, MOOD)
    gui.move(*place)
    yield 0.3
    yield from gui.key("I")


def test_keying_a_live_slider_keys_the_director_alone(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    before = _sources()
    assert len(before) > 3
    yield from drag_slider(gui)
    yield from _press_i_over_the_slider(gui)
    yield from expect(lambda: _keys_of_mood() == 1, "I over the slider keys the director")
    bpy.context.scene.frame_set(40)
    yield from drag_slider(gui, pixels=-50)
    yield from expect(lambda: _keys_of_mood() == 2, "auto-key keys the dragged slider")
    assert _sources() == before
    gui.picture("slider-keyed")


def test_keys_in_the_viewport_of_a_live_armature_miss_its_sources(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    before = _sources()
    yield from drag_slider(gui)
    yield from hover_viewport(gui)
    yield from gui.key("I")
    with gui.context():
        bpy.ops.object.mode_set(mode="POSE")
        bpy.ops.pose.select_all(action="SELECT")
    yield from hover_viewport(gui)
    yield from gui.key("I")
    yield from gui.key("R")
    gui.move(gui.at[0] + 60, gui.at[1] + 20)
    yield 0.2
    yield from gui.click(*gui.at)
    yield 0.6
    assert _sources() == before
    yield from drag_slider(gui)
    yield from as_computed()
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    assert _sources() == before


def test_an_example_assigned_to_a_live_armature_is_not_touched_by_its_sliders(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    before = _sources()
    happy = bpy.data.actions["Walk happy"]
    part("bridge.blender.versions").assign_action(biped(), happy)
    gui.region("UI").tag_redraw()
    yield 0.6  # what the sidebar says now moves its sliders down
    yield from drag_slider(gui)
    yield from _press_i_over_the_slider(gui)
    yield from expect(lambda: _keys_of_mood() == 1, "I over the slider keys the director")
    bpy.context.scene.frame_set(33)
    yield from drag_slider(gui, pixels=-50)
    yield from expect(lambda: _keys_of_mood() == 2, "auto-key keys the dragged slider")
    biped().select_set(False)
    director().select_set(True)
    bpy.context.view_layer.objects.active = director()
    yield from hover_viewport(gui)
    yield from gui.key("I")
    yield 0.6
    assert biped().animation_data.action == happy
    assert _sources() == before
    gui.picture("taken-over")
