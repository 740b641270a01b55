"""The timeline is a pure function of the frame: with keyed adverbs every way to a frame shows the same."""

import math
import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.action_hash import digests
from blender.stage import (
    FPS,
    built_verb,
    core_joints,
    drag,
    go_to,
    joints_of,
    live_biped,
    part,
    planted,
    pose_of,
    saved_and_loaded,
)

PLAYER = Path(__file__).with_name("fresh_player.py")
EXACT = 1e-6


def _key(director, name: str, values: dict[float, float]) -> None:
    for frame, value in values.items():
        director[name] = value
        director.keyframe_insert(f'["{name}"]', frame=frame)


@pytest.fixture
def armature():
    return live_biped()


@pytest.fixture
def keyed(director):
    _key(director, "mood", {1: -1.0, 25: 1.0, 50: 0.0})
    _key(director, "turn", {10: 0.0, 40: 0.8})
    part("bridge.session.live").flush()
    return director


def _played_to(frame: int) -> None:
    for before in range(1, frame + 1):
        go_to(before)


def test_a_frame_played_to_jumped_to_and_reached_backward_is_the_same(armature, keyed):
    _played_to(30)
    played = pose_of(armature)
    go_to(58)
    go_to(30)
    assert np.abs(pose_of(armature) - played).max() <= EXACT
    for frame in range(45, 29, -1):
        go_to(frame)
    assert np.abs(pose_of(armature) - played).max() <= EXACT


def test_a_fresh_process_without_the_extension_plays_and_renders_the_same(armature, keyed, tmp_path):
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    bpy.context.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "keyed.blend"))
    done = subprocess.run(
        [sys.executable, str(PLAYER), str(tmp_path / "keyed.blend"), str(tmp_path / "seen"), "30"],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    seen = np.load(tmp_path / "seen.npz")
    rendered = [name for name in seen.files if name.startswith("rendered")]
    assert any(float(name.split()[1]) % 1.0 for name in rendered), f"no sub-frame was rendered: {rendered}"
    for name in seen.files:
        go_to(float(name.split()[1]))
        assert np.abs(pose_of(armature) - seen[name]).max() <= EXACT, name


@pytest.mark.parametrize("settle", [0.0, 0.8], ids=["at once", "settling"])
def test_the_performance_is_what_core_integrates(armature, keyed, settle: float):
    """Adverbs that settle are read at every frame; those that do not are read between frames too, and go straight."""
    performance = keyed.verbs_adverbs.performance
    performance.lock_feet, performance.settle = False, settle
    part("bridge.session.live").flush()
    verb, score = built_verb(armature), part("core.play.score")
    curves = part("bridge.data.adverb_values").adverb_curves(keyed)
    often = 1 if settle else math.ceil(part("bridge.session.request").READ / FPS)
    seconds = np.arange(59 * often + 1) / often / FPS

    def track(name: str):
        curve = curves.get(f'["{name}"]')
        return score.Track(seconds, np.array([curve.evaluate(1.0 + FPS * s) if curve else 0.0 for s in seconds]))

    tracks = {name: track(name) for name in verb.adverb_names}
    wanted = score.Score(verb.name, adverbs=tracks, settle=settle, rate=FPS, between=often, straight=not settle)
    player = score.player_of(part("core.graph.verb_graph").graph_of(verb), wanted)
    expected = core_joints(verb, score.record(player, wanted, np.arange(60.0) / FPS).values)
    for frame in (1, 19, 37, 60):
        go_to(frame)
        assert np.abs(joints_of(armature, verb.channels.skeleton.names) - expected[frame - 1]).max() < 1e-5


def test_keys_that_say_the_same_all_the_time_play_as_an_unkeyed_slider_does(armature, director):
    director["mood"] = 0.5
    part("bridge.session.live").flush()
    go_to(60)
    even = pose_of(armature)
    _key(director, "mood", {1: 0.5, 60: 0.5})
    assert part("bridge.session.live").flush() == 1
    go_to(60)
    assert np.abs(pose_of(armature) - even).max() < 1e-4


CHANGES = {
    "a key of an adverb": lambda director, armature: _key(director, "mood", {30: 0.7}),
    "a slider": lambda director, armature: director.__setitem__("slope", 0.4),
    "the start frame": lambda director, armature: setattr(director.verbs_adverbs, "start_frame", 5),
    "the scene's end": lambda director, armature: setattr(bpy.context.scene, "frame_end", 70),
    "the frame rate": lambda director, armature: setattr(bpy.context.scene.render, "fps", 30),
    "the director's place": lambda director, armature: setattr(director, "location", (1.0, 0.0, 0.0)),
    "the director's heading": lambda director, armature: setattr(director, "rotation_euler", (0.0, 0.0, 1.0)),
    "an example's adverb value": lambda director, armature: setattr(
        armature.verbs_adverbs.verbs["walk"].examples[1].action.verbs_adverbs.examples[0].values[0], "value", -0.9
    ),
    "an option of the verb": lambda director, armature: setattr(
        armature.verbs_adverbs.verbs["walk"], "control_points", 24
    ),
    "a rotation mode": lambda director, armature: setattr(armature.pose.bones["Head"], "rotation_mode", "XYZ"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_it_is_written_anew_when_something_changes_that_it_was_made_from(armature, director, change):
    assert part("bridge.session.live").flush() == 0
    CHANGES[change](director, armature)
    bpy.context.view_layer.update()
    assert part("bridge.session.live").flush() == 1
    assert part("bridge.session.live").flush() == 0


def test_a_file_that_was_changed_without_us_is_brought_up_to_date_when_it_is_opened(armature, director, tmp_path):
    path = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    for functions, handler in part("bridge.session.handlers")._handlers():
        functions.remove(handler)
    director["mood"] = 0.9
    bpy.ops.wm.save_as_mainfile(filepath=path)
    part("bridge.session.handlers").register()
    bpy.ops.wm.open_mainfile(filepath=path)
    armature = bpy.data.objects["Biped"]
    verb = built_verb(armature)
    go_to(33)
    values = planted(verb, [0.9, 0.0, 0.0], [32.0 / FPS])
    assert np.abs(joints_of(armature, verb.channels.skeleton.names) - core_joints(verb, values)[0]).max() < 1e-5


def test_keyed_sliders_are_dragged_after_the_file_was_opened(armature, keyed, tmp_path, capfd):
    armature = saved_and_loaded(tmp_path)
    go_to(23)
    before = pose_of(armature)
    drag(armature.verbs_adverbs.director, mood=0.2)
    assert np.abs(pose_of(armature) - before).max() > 0.005
    assert "Traceback" not in capfd.readouterr().err


def test_a_key_that_is_no_number_is_named_and_does_not_hang(armature, director):
    director.keyframe_insert('["mood"]', frame=10)
    (curve,) = part("bridge.data.adverb_values").adverb_curves(director).values()
    curve.keyframe_points[0].co = (10.0, float("nan"))
    curve.update()
    director.update_tag()
    bpy.context.view_layer.update()
    assert part("bridge.session.live").flush(force=True) == 0
    assert "'mood'" in part("bridge.session.live_characters").problem_of(director) and "finite" in part(
        "bridge.session.live_characters"
    ).problem_of(director)


def test_a_render_uses_no_outdated_action(armature, director, tmp_path):
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    bpy.context.collection.objects.link(camera)
    scene = bpy.context.scene
    scene.camera, scene.render.engine, scene.cycles.samples = camera, "CYCLES", 1
    scene.render.resolution_x = scene.render.resolution_y = 4
    scene.render.filepath = str(tmp_path / "picture.png")
    go_to(30)
    director["mood"] = -1.0
    rendered = []
    note = lambda scene, depsgraph: rendered.append(pose_of(armature))  # noqa: E731
    bpy.app.handlers.render_post.append(note)
    bpy.ops.render.render(write_still=True)
    bpy.app.handlers.render_post.remove(note)
    verb = built_verb(armature)
    values = verb.motion([-1.0, 0.0, 0.0]).sample(np.array([29.0 / FPS]))
    hips = list(armature.pose.bones.keys()).index("Hand_L")
    expected = core_joints(verb, values)[0, verb.channels.skeleton.names.index("Hand_L")]
    assert np.abs(rendered[0][hips, :3, 3] - expected).max() < 1e-5


def test_source_actions_stay_as_they_are(armature, director):
    def sources() -> dict[str, str]:
        return digests(a for a in bpy.data.actions if a != director.verbs_adverbs.generated)

    before = sources()
    director["mood"] = 0.3
    part("bridge.session.live").flush()
    for frame in (1, 20, 60):
        go_to(frame)
    assert sources() == before


def test_a_slider_moved_after_opening_the_file_shows_the_same_as_before_it_was_saved(armature, director, tmp_path):
    bpy.context.scene.frame_end = 700
    _key(director, "mood", {1: -1.0, 300: 1.0})
    part("bridge.session.live").flush()
    go_to(600)
    drag(director, slope=0.5)
    before = pose_of(armature)
    drag(director, slope=0.0)
    again = saved_and_loaded(tmp_path)
    go_to(600)
    drag(again.verbs_adverbs.director, slope=0.5)
    assert np.abs(pose_of(again) - before).max() < 1e-4
