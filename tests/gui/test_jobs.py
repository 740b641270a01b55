"""Whatever lasts goes on in slices while the window lives on: it shows how far it is, and Esc or a button stops it."""

from collections.abc import Generator, Iterator

import bpy
import numpy as np
from blender.crowding import chosen, crowd_of
from hand import Hand
from sidebar import expect
from stage import (
    MODULE,
    add_biped,
    add_live_biped,
    biped,
    director,
    drag_slider,
    hover_viewport,
    part,
    press_button,
)

MANY = 300
MINUTES = 10


def _verb():
    return biped().verbs_adverbs.verbs["walk"]


def test_a_long_build_shows_how_far_it_is_and_esc_stops_it(gui: Hand) -> Iterator[float]:
    yield from add_biped(gui)
    yield from gui.sidebar("Verbs")
    before = _verb().built_hash
    _verb().control_points = MANY
    with gui.context():
        assert bpy.ops.verbs_adverbs.verb_build("INVOKE_DEFAULT") == {"CANCELLED"}
    assert _is_computing()
    yield 0.5
    assert _is_computing()
    gui.picture("building")
    yield from hover_viewport(gui)
    yield from gui.key("ESC")
    yield from expect(lambda: not _is_computing(), "Esc stops the build")
    assert _verb().built_hash == before
    with gui.context():
        bpy.ops.verbs_adverbs.verb_build("INVOKE_DEFAULT")
    yield from expect(lambda: _verb().built_hash != before, "the build ends by itself", 60.0)
    assert not _is_computing()
    gui.picture("built")


def _play_for_ten_minutes(gui: Hand) -> Iterator[float]:
    """A live biped with a long timeline, its mood keyed, its feet locked, and everything of it up to date."""
    yield from add_live_biped(gui)
    bpy.context.scene.frame_end = 24 * 60 * MINUTES
    for frame, mood in ((1, -1.0), (200, 1.0)):
        director()["mood"] = mood
        director().keyframe_insert('["mood"]', frame=frame)
    director().update_tag()
    yield from expect(_is_computing, "the long motion is begun when the hand rests")
    yield from expect(lambda: not _is_computing(), "it is computed by itself", 90.0)
    assert _last_frame() == 24 * 60 * MINUTES


def _last_frame() -> float:
    return _last_frame_of("Biped")


def _curves() -> list:
    return part("bridge.blender.versions").curves_of(director().verbs_adverbs.generated, biped())


def _curves_of(action: bpy.types.Action) -> list:
    return part("bridge.blender.versions").curves_of(action)


def _written() -> list[bytes]:
    """All keys of the generated action."""
    found = []
    for curve in _curves():
        keys = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", keys)
        found.append(keys.tobytes())
    return found


def test_the_rest_of_a_slider_on_a_long_timeline_can_be_stopped_and_nothing_is_lost(gui: Hand) -> Iterator[float]:
    yield from _play_for_ten_minutes(gui)
    before = _written()
    yield from drag_slider(gui, '["slope"]')
    yield from expect(_is_computing, "the motion is computed when the hand rests")
    yield 0.6
    gui.picture("computing the motion")
    assert _is_computing()
    yield from hover_viewport(gui)
    yield from gui.key("ESC")
    yield from expect(lambda: not _is_computing(), "Esc stops it")
    yield 1.5
    gui.picture("stopped")
    assert not _is_computing() and _written() == before
    yield from drag_slider(gui, '["slope"]', -40)
    yield from expect(_is_computing, "a slider that moves again begins it anew")
    assert bpy.ops.verbs_adverbs.stop() == {"FINISHED"} and not _is_computing()
    yield 1.0
    assert not _is_computing()
    assert _written() == before
    yield from press_button(gui, "verbs_adverbs.performance_write", "Update begins it", _is_computing)
    yield from expect(lambda: not _is_computing(), "it ends by itself", 90.0)
    assert _written() != before
    bpy.context.scene.frame_set(100)
    gui.picture("up to date")


def test_undo_while_the_motion_is_computed_takes_the_slider_back(gui: Hand) -> Iterator[float]:
    yield from _play_for_ten_minutes(gui)
    bpy.ops.ed.undo_push(message="ten minutes")
    before, slope = _written(), director()["slope"]
    yield from drag_slider(gui, '["slope"]')
    yield from expect(_is_computing, "the motion is computed when the hand rests")
    yield from hover_viewport(gui)
    yield from gui.key("Z", ctrl=True)
    yield from expect(lambda: director()["slope"] == slope, "the slider is taken back")
    yield from expect(lambda: not _is_computing(), "what is computed for it now ends", 90.0)
    assert _written() == before


def test_deleting_renaming_and_loading_while_something_is_computed_do_no_harm(gui: Hand) -> Iterator[float]:
    yield from _play_for_ten_minutes(gui)
    yield from drag_slider(gui, '["slope"]')
    yield from expect(_is_computing, "the motion is computed when the hand rests")
    director().name = "Somebody else"
    biped().verbs_adverbs.verbs["walk"].name = "stroll"
    yield 0.5
    bpy.data.objects.remove(bpy.data.objects["Somebody else"])
    yield from expect(lambda: not _is_computing(), "nothing is computed for a director that is gone", 90.0)
    yield from add_biped(gui)
    _verb().control_points = MANY + 1
    with gui.context():
        bpy.ops.verbs_adverbs.verb_build("INVOKE_DEFAULT")
    assert _is_computing()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_splash=False)
    yield 0.5
    assert not _is_computing()


def test_switching_the_extension_off_while_something_is_computed_does_no_harm(gui: Hand) -> Iterator[float]:
    yield from add_biped(gui)
    _verb().control_points = MANY + 2
    with gui.context():
        bpy.ops.verbs_adverbs.verb_build("INVOKE_DEFAULT")
    assert _is_computing()
    bpy.ops.preferences.addon_disable(module=MODULE)
    yield 0.5
    bpy.ops.preferences.addon_enable(module=MODULE)
    yield 0.5
    assert not _is_computing() and _verb().control_points == MANY + 2


def test_a_bake_that_lasts_holds_what_is_asked_for_when_it_ends(gui: Hand) -> Iterator[float]:
    yield from add_biped(gui)
    bpy.context.scene.frame_end = 24 * 60 * MINUTES
    assert bpy.ops.verbs_adverbs.director_add() == {"FINISHED"}
    mine = {"length": "RANGE", "loop": False, "annotate": False, "assign": False}
    yield from hover_viewport(gui)
    with gui.context():
        bpy.ops.verbs_adverbs.bake("INVOKE_DEFAULT", name="long", **mine)
    yield 0.5
    yield from gui.key("RET")
    yield from expect(_is_computing, "the bake is computed in slices")
    assert "long" not in bpy.data.actions
    director().location.x += 1.0
    yield from expect(lambda: "long" in bpy.data.actions, "the bake ends by itself", 90.0)
    with gui.context():
        assert bpy.ops.verbs_adverbs.bake(name="short", frame_start=1.0, frame_end=24.0, **mine) == {"FINISHED"}
    for frame in (1.0, 12.0):
        long, short = (
            {
                (curve.data_path, curve.array_index): curve.evaluate(frame)
                for curve in _curves_of(bpy.data.actions[name])
            }
            for name in ("long", "short")
        )
        assert long.keys() == short.keys() and max(abs(long[one] - short[one]) for one in long) < 1e-3


def test_a_slider_that_is_moved_far_along_after_opening_shows_its_pose_and_does_not_block(gui: Hand) -> Iterator[float]:
    yield from _play_for_ten_minutes(gui)
    bpy.context.scene.frame_set(24 * 60 * MINUTES - 240)
    yield 0.5
    part("bridge.session.live").forget_characters()
    part("bridge.session.live").flush()
    before = [bone.matrix_basis.copy() for bone in biped().pose.bones]
    director()["slope"] = 0.8
    director().update_tag()
    bpy.context.view_layer.update()
    assert _is_computing(), "what the generated action holds is computed in slices"
    yield from expect(lambda: not _is_computing(), "it ends by itself", 120.0)
    assert before != [bone.matrix_basis for bone in biped().pose.bones]


def _is_computing() -> bool:
    """Whether something can be stopped."""
    return bpy.ops.verbs_adverbs.stop.poll()


def _crowd(gui: Hand, count: int) -> Generator[float, None, list[str]]:
    """Bipeds in a row that are all selected, with a mood each and fifty seconds to play; returns their names."""
    yield from add_biped(gui)
    bpy.context.scene.frame_end = 1200
    assert bpy.ops.verbs_adverbs.director_add() == {"FINISHED"}
    crowd = crowd_of(biped(), count)
    for row, one in enumerate(crowd):
        one.verbs_adverbs.director.location.x = 1.2 * row
        one.verbs_adverbs.director["mood"] = row / 4.0 - 1.0
    chosen(*crowd)
    return [one.name for one in crowd]


def test_a_crowd_that_is_switched_on_together_plays_at_once_and_the_rest_follows(gui: Hand) -> Iterator[float]:
    names = yield from _crowd(gui, 8)
    with gui.context():
        bpy.ops.view3d.view_selected()
        bpy.ops.verbs_adverbs.live_on("INVOKE_DEFAULT", True, every=True)
    yield from expect(lambda: all(_generated(name) is not None for name in names), "all of them are on", 60.0)
    begun = [_last_frame_of(name) for name in names]
    bpy.context.scene.frame_set(9)
    yield 0.3
    gui.picture("crowd-begun")
    assert max(begun) < 200
    yield from expect(lambda: all(_last_frame_of(name) == 1200 for name in names), "the rest follows by itself", 120.0)
    gui.picture("crowd-whole")


def _last_frame_of(name: str) -> float:
    """Where the generated action of an armature ends."""
    versions = part("bridge.blender.versions")
    return max(curve.range()[1] for curve in versions.curves_of(_generated(name), bpy.data.objects[name]))


def _generated(name: str) -> bpy.types.Action | None:
    made = bpy.data.objects[name].verbs_adverbs.director
    return made.verbs_adverbs.generated if made is not None and made.verbs_adverbs.live else None


def test_many_are_baked_in_slices_and_nothing_is_written_before_all_is_known(gui: Hand) -> Iterator[float]:
    names = yield from _crowd(gui, 5)
    before = {name: bpy.data.objects[name].animation_data.action for name in names}
    yield from hover_viewport(gui)
    with gui.context():
        bpy.ops.verbs_adverbs.bake("INVOKE_DEFAULT", True, every=True, length="RANGE", name="take")
    yield 0.5
    gui.picture("bake of all selected")
    yield from gui.key("RET")
    yield from expect(_is_computing, "the bakes are computed in slices")
    assert {name: bpy.data.objects[name].animation_data.action for name in names} == before
    yield from expect(lambda: not _is_computing(), "it ends by itself", 120.0)
    actions = [bpy.data.objects[name].animation_data.action for name in names]
    assert [action.name for action in actions] == [f"take {name}" for name in names]
    assert all(action.frame_range[1] == 1200.0 for action in actions)
