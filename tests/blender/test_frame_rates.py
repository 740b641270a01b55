"""Changing the frame rate of a scene changes no seconds of what is played, and neither does *To Scene's Rate*."""

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.figurine import assert_says, refused
from blender.layering import add_layer, ask
from blender.performance import OPS, begin_with, biped_with_graph, performing_biped
from blender.performer import begin, command, end, play
from blender.stage import drag, go_to, pose_of, rested, saved_and_loaded, walking_biped
from blender.talking_biped import read_words, talking_biped

SECONDS = 6
SAME = 1e-6
"""By how much poses may differ, as a share of the figure's height."""
TALL = 1.7
"""Metres that the biped is about tall: errors are shares of this."""
SUBTITLES = """1
00:00:01,000 --> 00:00:01,400
<beat>First

2
00:00:03,000 --> 00:00:03,400
<beat>last
"""


def director_of(armature) -> bpy.types.Object:
    return armature.verbs_adverbs.director


def count(fps: int, base: float = 1.0) -> None:
    """Let the scene count so many frames a second, and last as long as before."""
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = fps, base
    scene.frame_end = round(SECONDS * fps)


def key(armature, name: str, values: dict[float, float]) -> None:
    for frame, value in values.items():
        director_of(armature)[name] = value
        director_of(armature).keyframe_insert(f'["{name}"]', frame=frame)


def curves_of(armature) -> list[bpy.types.FCurve]:
    action, slot = (
        director_of(armature).animation_data.action,
        getattr(director_of(armature).animation_data, "action_slot", None),
    )
    return list(action.fcurves if slot is None else action.layers[0].strips[0].channelbag(slot).fcurves)


def keys_of(armature) -> dict[str, np.ndarray]:
    """Frames and values of all keys of the director, by path."""
    return {c.data_path: np.array([point.co[:] for point in c.keyframe_points]) for c in curves_of(armature)}


def alone(_folder: Path):
    armature = walking_biped()
    assert OPS.live_on() == {"FINISHED"}
    drag(director_of(armature), mood=0.6, turn=12.0)
    return armature


def alone_keyed(folder: Path):
    armature = alone(folder)
    key(armature, "mood", {10.0: -0.5, 40.5: 1.0, 90.0: 0.0})
    key(armature, "turn", {1.0: 0.0, 100.0: 20.0})
    return armature


def alone_at_once(folder: Path):
    armature = alone_keyed(folder)
    director_of(armature).verbs_adverbs.performance.settle = 0.0
    return armature


def score(_folder: Path):
    armature = performing_biped(walk=20, wave=80.5, stand=110)
    key(armature, "mood", {10.0: -0.5, 40.5: 1.0, 90.0: 0.0})
    return armature


def free(folder: Path):
    armature = score(folder)
    director_of(armature).verbs_adverbs.performance.lock_feet = False
    return armature


def layered(_folder: Path):
    armature = biped_with_graph()
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    layer = add_layer(armature, "wave")
    ask(layer, "start", 25.0)
    key(armature, "mood", {10.0: 0.0, 60.0: 1.0})
    key(armature, f"{layer.name} weight", {20.0: 1.0, 70.0: 0.5})
    return armature


def talking(folder: Path):
    armature = talking_biped()
    read_words(SUBTITLES, folder)
    assert OPS.talk() == {"FINISHED"}
    assert OPS.plan_strips() == {"FINISHED"}
    return armature


PLAYED = [alone_keyed, score, talking]
LONG = [pytest.param(one, marks=pytest.mark.long) for one in (alone, alone_at_once, free, layered)]


@pytest.fixture(params=[*PLAYED, *LONG], ids=lambda made: made.__name__)
def armature(request, tmp_path):
    made: Callable[[Path], bpy.types.Object] = request.param
    bpy.context.scene.frame_end = SECONDS * 24
    armature = made(tmp_path)
    count(24)
    rested(tmp_path)
    return armature


def poses(armature, seconds: np.ndarray) -> np.ndarray:
    """Matrices (T, J, 4, 4) of all bones in the world at some seconds, which are whole frames of the scene."""
    render, found = bpy.context.scene.render, []
    for frame in seconds * (render.fps / render.fps_base):
        assert abs(frame - round(frame)) < 1e-6
        go_to(round(frame))
        found.append(pose_of(armature))
    return np.array(found)


def apart(some: np.ndarray, others: np.ndarray) -> float:
    """By how much poses differ at most: turns as they are, places as shares of the figure's height."""
    scale = np.ones(some.shape[-2:])
    scale[:3, 3] = TALL
    return float((np.abs(some - others) / scale).max())


def test_what_is_played_keeps_its_seconds(armature, tmp_path):
    twelfths, whole = np.arange(1, 12 * SECONDS) / 12.0, np.arange(1.0, SECONDS)
    keys = {} if director_of(armature).animation_data is None else keys_of(armature)
    before, at_whole = poses(armature, twelfths), poses(armature, whole)
    assert apart(before[:1], before[-1:]) > 0.05
    count(25)
    rested(tmp_path)
    assert apart(at_whole, poses(armature, whole)) < SAME
    count(60)
    rested(tmp_path)
    assert apart(before, poses(armature, twelfths)) < SAME
    assert all(np.array_equal(keys[path], now) for path, now in (keys_of(armature).items() if keys else ()))

    at_sixty = poses(armature, np.arange(2, 60 * SECONDS) / 60.0)
    assert OPS.to_scene_rate.poll()
    assert OPS.to_scene_rate() == {"FINISHED"}
    assert apart(at_sixty, poses(armature, np.arange(2, 60 * SECONDS) / 60.0)) < SAME
    for path, now in keys_of(armature).items() if keys else ():
        assert np.abs(now[:, 0] - 2.5 * keys[path][:, 0]).max() < 1e-4
        assert np.array_equal(now[:, 1], keys[path][:, 1])
    assert not OPS.to_scene_rate.poll()
    loaded = saved_and_loaded(tmp_path)
    assert apart(at_sixty[::30], poses(loaded, np.arange(2, 60 * SECONDS, 30) / 60.0)) < SAME


def test_a_command_and_a_key_added_at_the_current_frame_are_heard_at_that_moment(tmp_path):
    """The score counts 24 frames a second, the scene 60: frame 120 is what frame 48 was."""
    count(24)
    armature = performing_biped(walk=20)
    director = director_of(armature)
    key(armature, "mood", {1.0: 0.0, 73.0: 0.9})
    key(armature, "turn", {1.0: 0.0, 73.0: 18.0})
    count(60)
    rested(tmp_path)
    assert OPS.to_scene_rate.poll()
    go_to(120)
    assert OPS.command_add(verb="wave") == {"FINISHED"}
    assert OPS.adverbs_key() == {"FINISHED"}
    now = {path: points for path, points in keys_of(armature).items() if path != '["command"]'}
    for path, slope in (('["mood"]', 0.0125), ('["turn"]', 0.25)):
        frame, value = now[path][np.argmin(np.abs(now[path][:, 0] - 48.0))]
        assert abs(frame - 48.0) < 1e-4 and len(now[path]) == 3
        curve = next(one for one in curves_of(armature) if one.data_path == path)
        assert abs(value - curve.evaluate(48.0)) < 1e-5 and value > 20.0 * slope
    assert keys_of(armature)['["command"]'][:, 0].tolist() == pytest.approx([20.0, 48.0])
    director.verbs_adverbs.performance.active_command = 1
    go_to(1)
    assert OPS.command_go() == {"FINISHED"}
    assert bpy.context.scene.frame_current_final == pytest.approx(120.0)
    assert OPS.command_remove() == {"FINISHED"}
    assert keys_of(armature)['["command"]'][:, 0].tolist() == pytest.approx([20.0])


def test_dragging_a_keyed_slider_leaves_the_other_ones_where_the_score_has_them(tmp_path):
    count(24)
    armature = alone(tmp_path)
    key(armature, "mood", {1.0: 0.0, 73.0: 0.9})
    key(armature, "turn", {1.0: 0.0, 73.0: 18.0})
    rested(tmp_path)
    go_to(48)
    drag(director_of(armature), mood=-0.8)
    wanted = pose_of(armature)
    go_to(1)
    count(60)
    rested(tmp_path)
    go_to(120)
    before = pose_of(armature)
    drag(director_of(armature), mood=-0.8)
    assert apart(before, wanted) > 0.01
    assert apart(pose_of(armature), wanted) < SAME


def test_a_take_is_played_at_the_seconds_at_which_it_was_recorded(tmp_path):
    count(24)
    armature = biped_with_graph()
    begin_with(armature, "walk")
    record(armature, 2.0)
    seen = poses(armature, np.arange(1, 24) / 12.0)
    first = director_of(armature).animation_data.action.name
    count(60)
    rested(tmp_path)
    assert apart(seen, poses(armature, np.arange(1, 24) / 12.0)) < SAME
    record(armature, 1.5)
    second, seen_second = director_of(armature).animation_data.action.name, poses(armature, np.arange(1, 18) / 12.0)
    assert second != first
    assert OPS.to_scene_rate() == {"FINISHED"}
    assert apart(seen_second, poses(armature, np.arange(1, 18) / 12.0)) < SAME
    assert OPS.take_choose(take=first) == {"FINISHED"}
    assert apart(seen, poses(armature, np.arange(1, 24) / 12.0)) < SAME
    assert not OPS.to_scene_rate.poll()


def record(armature, seconds: float) -> None:
    """Perform for some seconds on a virtual clock, with a slider that moves and a command."""
    director = director_of(armature)
    clock = begin(armature)
    asked = {0.3: lambda: drag(director_of(armature), mood=0.7), 0.8: lambda: command(armature, "wave")}
    assert play(clock, seconds, asked)
    assert end() == []
    assert director is None or director.animation_data.action is not None


def test_to_scene_rate_is_one_step_that_is_undone_and_done_again(tmp_path):
    bpy.context.preferences.edit.use_global_undo = True
    count(24)
    armature = performing_biped(walk=20, wave=49)
    key(armature, "mood", {1.0: 0.0, 73.0: 0.9})
    director_of(armature).verbs_adverbs.performance.stop_frame = 97
    count(60)
    rested(tmp_path)
    bpy.ops.ed.undo_push(message="before")
    name, keys, seen = armature.name, keys_of(armature), poses(armature, np.arange(1, 24) / 12.0)
    assert OPS.to_scene_rate("EXEC_DEFAULT", True) == {"FINISHED"}
    moved = keys_of(armature)
    own = director_of(armature).verbs_adverbs
    assert (own.start_frame, own.performance.stop_frame) == (2, 242)
    assert (own.start_between.beyond, own.stop_between.beyond) == (0.5, 0.5)
    for _ in range(2):
        bpy.ops.ed.undo()
        armature = bpy.data.objects[name]
        own = director_of(armature).verbs_adverbs
        assert (own.start_frame, own.performance.stop_frame) == (1, 97)
        assert all(np.array_equal(keys[path], now) for path, now in keys_of(armature).items())
        assert apart(seen, poses(armature, np.arange(1, 24) / 12.0)) < SAME
        bpy.ops.ed.redo()
        armature = bpy.data.objects[name]
        assert all(np.array_equal(moved[path], now) for path, now in keys_of(armature).items())
        assert apart(seen, poses(armature, np.arange(1, 24) / 12.0)) < SAME


def test_a_director_that_stores_no_rate_has_that_of_its_scene_when_the_file_is_opened(tmp_path):
    count(24)
    armature = performing_biped(walk=20)
    own = director_of(armature).verbs_adverbs
    own.counted.fps = director_of(armature).animation_data.action.verbs_adverbs.counted.fps = 0.0
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 24, 1.001
    armature = saved_and_loaded(tmp_path)
    assert not OPS.to_scene_rate.poll()
    counted = director_of(armature).verbs_adverbs.counted
    assert (counted.fps, round(counted.fps_base, 6)) == (24.0, 1.001)
    bpy.context.scene.render.fps_base = 1.0
    assert OPS.to_scene_rate.poll()
    bpy.context.scene.render.fps_base = 1.001
    assert not OPS.to_scene_rate.poll()


@pytest.mark.parametrize("rated", [True, False])
def test_keys_are_told_their_rate_when_they_are_set_and_not_by_a_switch_that_is_refused(rated: bool):
    count(24)
    armature = walking_biped()
    assert OPS.director_add() == {"FINISHED"} and OPS.adverbs_key() == {"FINISHED"}
    counted = director_of(armature).animation_data.action.verbs_adverbs.counted
    assert counted.fps == 24.0
    counted.fps = 24.0 if rated else 0.0
    empty = bpy.data.objects.new("No floor", bpy.data.meshes.new("No floor"))
    bpy.context.scene.collection.objects.link(empty)
    director_of(armature).verbs_adverbs.performance.floor = empty
    with pytest.raises(RuntimeError, match="has no faces"):
        OPS.live_on()
    assert counted.fps == (24.0 if rated else 0.0)


def test_a_bake_lies_at_the_frames_of_the_scene(tmp_path):
    count(24)
    armature = alone_keyed(tmp_path)
    count(60)
    rested(tmp_path)
    seen = poses(armature, np.arange(1, 24) / 12.0)
    assert OPS.bake(length="RANGE", frame_start=2.0, frame_end=120.0, animated=True) == {"FINISHED"}
    baked = max(bpy.data.actions, key=lambda action: action.session_uid)
    assert armature.animation_data.action == baked and not director_of(armature).verbs_adverbs.live
    assert [example.fps for example in baked.verbs_adverbs.examples] == [60.0]
    assert apart(seen, poses(armature, np.arange(1, 24) / 12.0)) < SAME


MODIFIERS = {
    "a range": ("LIMITS", {"use_restricted_range": True, "frame_start": 20.0, "frame_end": 40.0, "use_max_y": True}),
    "a part": ("LIMITS", {"use_min_x": True, "use_max_x": True, "min_x": 20.0, "max_x": 40.0}),
    "a line": ("GENERATOR", {"mode": "POLYNOMIAL", "coefficients": (0.1, 0.02)}),
    "a product": (
        "GENERATOR",
        {"mode": "POLYNOMIAL_FACTORISED", "poly_order": 2, "coefficients": (0.1, 0.5, 0.02, 1.0)},
    ),
}


@pytest.mark.parametrize("fps", [60, 12])
@pytest.mark.parametrize("name", MODIFIERS)
def test_modifiers_do_the_same_at_the_same_seconds(name: str, fps: int):
    armature = walking_biped()
    assert OPS.director_add() == {"FINISHED"}
    key(armature, "mood", {1.0: -0.8, 30.0: 0.9, 60.0: -0.2})
    (curve,) = curves_of(armature)
    kind, values = MODIFIERS[name]
    modifier = curve.modifiers.new(kind)
    for prop, value in values.items():
        setattr(modifier, prop, value)
    curve.update()
    moments = np.arange(2.0, 60.0, 3.0)
    before = [curve.evaluate(moment) for moment in moments]
    count(fps)
    assert OPS.to_scene_rate() == {"FINISHED"}
    after = [curve.evaluate(moment * fps / 24.0) for moment in moments]
    assert np.abs(np.subtract(after, before)).max() < 2e-3 * (1.0 + np.abs(before).max())


def test_to_scene_rate_moves_nothing_where_something_would_lie_beyond_all_frames(capfd):
    count(24)
    armature = performing_biped(walk=20)
    assert OPS.live_off() == {"FINISHED"}
    own = director_of(armature).verbs_adverbs
    own.start_frame = 2**30
    count(60)
    assert_says(refused(OPS.to_scene_rate, capfd), "starts at", "1.07e+09", "2.68e+09")
    own.start_frame = 1
    marker = director_of(armature).animation_data.action.pose_markers.new("far")
    marker.frame = 1000000
    assert_says(refused(OPS.to_scene_rate, capfd), "marker 'far'", "1000000", "2500000")


def test_to_scene_rate_takes_stored_readings_that_are_none_for_those_of_the_keys(tmp_path):
    count(24)
    armature = performing_biped(walk=20)
    director_of(armature)["mood"] = 0.0
    key(armature, "mood", {1.0: 0.0, 73.0: 0.9})
    counted = director_of(armature).animation_data.action.verbs_adverbs.counted
    raw = counted.bl_system_properties_get() if hasattr(counted, "bl_system_properties_get") else counted
    raw["reads"], raw["reads_base"] = 24.0, 0.0
    rested(tmp_path)
    seen = poses(armature, np.arange(1, 24) / 12.0)
    count(60)
    assert OPS.to_scene_rate() == {"FINISHED"}
    assert apart(seen, poses(armature, np.arange(1, 24) / 12.0)) < SAME
    assert (counted.reads, counted.reads_base) == (24.0, 1.0)
