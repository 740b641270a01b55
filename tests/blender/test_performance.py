"""On the timeline the score is what core performs, and each frame depends on nothing that comes after it."""

import bpy
import numpy as np
import pytest
from blender.performance import END, OPS, graph_of, performing_biped, recorded
from blender.stage import FPS, core_joints, drag, go_to, joints_of, part, pose_of, state_of

EXACT = 1e-5
COMMANDS = {"walk": 20, "wave": 110}


def _joints(armature, frames) -> np.ndarray:
    names, found = graph_of(armature).channels.skeleton.names, []
    for frame in frames:
        go_to(frame)
        found.append(joints_of(armature, names))
    return np.array(found)


def _expected(armature, recording, frames) -> np.ndarray:
    return core_joints(graph_of(armature), recording.values)[[frame - 1 for frame in frames]]


def _flush() -> int:
    return part("bridge.session.live").flush()


def _at(value: float):
    return part("core.play.score").Track(np.zeros(1), np.full(1, value))


@pytest.fixture
def armature():
    return performing_biped(**COMMANDS)


@pytest.fixture
def performance(director):
    return director.verbs_adverbs.performance


def test_the_timeline_is_what_core_performs(armature):
    wanted = recorded(armature, COMMANDS)
    assert {"stand", "walk", "wave"} == set(wanted.verbs)
    frames = range(1, END + 1, 7)
    assert np.abs(_joints(armature, frames) - _expected(armature, wanted, frames)).max() < EXACT


def test_it_begins_where_the_director_is_and_when_it_says(armature, director):
    director.location, director.rotation_euler = (1.0, -2.0, 0.0), (0.0, 0.0, 0.8)
    director.verbs_adverbs.start_frame = 17
    OPS.score_clear()
    OPS.command_add(verb="wave", frame=40.0)
    bpy.context.view_layer.update()
    assert _flush() == 1
    wanted, others = (recorded(armature, {"wave": frame}, origin=(1.0, -2.0, 0.0, 0.8)) for frame in (24, 40))
    assert wanted.verbs != others.verbs
    frames = range(17, END + 1, 13)
    assert np.abs(_joints(armature, frames) - _expected(armature, wanted, [f - 16 for f in frames])).max() < EXACT


def test_keyed_adverbs_are_followed(armature, director):
    for frame, mood in ((1, -1.0), (60, 1.0)):
        director["mood"] = mood
        director.keyframe_insert('["mood"]', frame=frame)
    _flush()
    (curve,) = (c for p, c in part("bridge.data.adverb_values").adverb_curves(director).items() if "mood" in p)
    frames = np.arange(1.0, END + 1.0)
    mood = part("core.play.score").Track((frames - 1.0) / FPS, np.array([curve.evaluate(f) for f in frames]))
    adverbs = {name: _at(0.0) for name in _adverbs(armature)} | {"mood": mood}
    settle = director.verbs_adverbs.performance.settle
    wanted = recorded(armature, COMMANDS, adverbs=adverbs, settle=settle, rate=FPS, lead=1)
    assert np.abs(_joints(armature, (90, 120, 150)) - _expected(armature, wanted, (90, 120, 150))).max() < EXACT


def _adverbs(armature) -> list[str]:
    return [item.name for item in armature.verbs_adverbs.adverbs]


def test_a_command_that_is_dragged_leaves_all_frames_before_it_as_they_were(armature, director):
    commands = part("bridge.data.commands")
    before = {frame: _pose(armature, frame) for frame in range(1, END + 1, 3)}
    key = commands.command_curve(director).keyframe_points[1]
    key.co_ui = (key.co[0] + 10.0, key.co[1])
    commands.command_curve(director).update()
    director.update_tag()
    bpy.context.view_layer.update()
    assert _flush() == 1
    after = {frame: _pose(armature, frame) for frame in before}
    same = [frame for frame in before if np.abs(before[frame] - after[frame]).max() < EXACT]
    assert same[: len([f for f in before if f < 110])] == [f for f in before if f < 110]
    wanted = recorded(armature, {"walk": 20, "wave": 120})
    assert np.abs(_joints(armature, (160, 190)) - _expected(armature, wanted, (160, 190))).max() < EXACT


def _pose(armature, frame: int) -> np.ndarray:
    go_to(frame)
    return pose_of(armature)


CHANGES = {
    "the seed": lambda director: setattr(director.verbs_adverbs.performance, "seed", 3),
    "the feet": lambda director: setattr(director.verbs_adverbs.performance, "lock_feet", False),
    "the first verb": lambda director: OPS.start_verb(verb=director.verbs_adverbs.directs.verbs_adverbs.verbs[2].uid),
    "a command": lambda director: OPS.command_add(verb="stand", frame=60.0),
    "no commands": lambda director: OPS.score_clear(),
    "a region": lambda director: setattr(
        director.verbs_adverbs.directs.verbs_adverbs.transitions[0], "enters_end", 0.3
    ),
    "a likelihood": lambda director: setattr(
        director.verbs_adverbs.directs.verbs_adverbs.transitions[0], "likelihood", 0.5
    ),
    "an option of a verb": lambda director: setattr(
        director.verbs_adverbs.directs.verbs_adverbs.verbs["walk"], "control_points", 24
    ),
    "one verb instead": lambda director: setattr(director.verbs_adverbs.performance, "active", False),
}


@pytest.mark.parametrize("change", CHANGES)
def test_it_is_written_anew_when_something_changes_that_it_was_made_from(armature, director, change):
    director.verbs_adverbs.verb = "walk"
    _flush()
    assert _flush() == 0
    CHANGES[change](director)
    bpy.context.view_layer.update()
    assert (_flush(), part("bridge.session.live_characters").problem_of(director)) == (1, "")
    assert _flush() == 0


def test_it_is_given_back_exactly_when_it_is_switched_off(armature):
    OPS.live_off()
    go_to(33)
    before = state_of(armature)
    OPS.live_on()
    go_to(150)
    go_to(33)
    assert not np.array_equal(pose_of(armature).tobytes(), before["matrices"])
    OPS.live_off()
    assert state_of(armature) == before


def test_a_graph_that_is_wrong_leaves_everything_as_it_was(armature, director, capfd):
    OPS.live_off()
    before = state_of(armature)
    armature.verbs_adverbs.transitions[0].leaves_end = 2.0
    with pytest.raises(RuntimeError, match="longer than a whole cycle"):
        OPS.live_on()
    assert not director.verbs_adverbs.live and state_of(armature) == before


def test_a_slider_shows_at_once_where_the_character_would_be(armature, director):
    OPS.score_clear()
    OPS.command_add(verb="walk", frame=1.0)
    director.verbs_adverbs.performance.lock_feet = False
    _flush()
    go_to(140)
    before = pose_of(armature)
    drag(director, mood=1.0)
    shown = pose_of(armature)
    assert np.abs(shown - before).max() > 0.1
    _flush()
    go_to(140)
    assert np.abs(pose_of(armature) - shown).max() < EXACT


def test_what_nobody_can_follow_is_said_and_the_rest_goes_on(armature, director):
    commands = part("bridge.data.commands")
    director["command"] = 99
    director.keyframe_insert('["command"]', frame=50)
    OPS.command_add(verb="walk", frame=-5.0)
    _flush()
    said = {key.frame: part("bridge.authoring.graph").unheard(director, key) for key in commands.command_keys(director)}
    assert {frame for frame, sentence in said.items() if sentence} == {-5.0, 50.0}
    assert "number 99" in said[50.0] and "before the start of the performance" in said[-5.0]
    wanted = recorded(armature, COMMANDS)
    assert np.abs(_joints(armature, (100, 190)) - _expected(armature, wanted, (100, 190))).max() < EXACT


def test_a_command_that_holds_no_number_is_passed_over(armature, director):
    commands = part("bridge.data.commands")
    OPS.command_add(verb="wave", frame=50.0)
    point = commands.command_curve(director).keyframe_points[-1]
    frame, point.co[1] = point.co[0], np.nan
    _flush()
    assert part("bridge.session.live_characters").problem_of(director) == ""
    said = {key.frame: part("bridge.authoring.graph").unheard(director, key) for key in commands.command_keys(director)}
    assert "Remove the command" in said[frame]


def test_a_command_that_cannot_be_followed_is_told_by_its_frame(armature, director):
    rig = armature.verbs_adverbs
    for index in reversed(range(len(rig.transitions))):
        if rig.transitions[index].target == rig.verbs["walk"].uid:
            rig.transitions.remove(index)
    OPS.start_verb(verb=rig.verbs["walk"].uid)
    OPS.score_clear()
    OPS.command_add(verb="stand", frame=5.0)
    OPS.command_add(verb="walk", frame=120.0)
    assert _flush() == 0
    assert "at frame 120" in part("bridge.session.live_characters").problem_of(director)


def test_muted_commands_are_not_heard(armature, director):
    part("bridge.data.commands").command_curve(director).mute = True
    director.update_tag()
    bpy.context.view_layer.update()
    assert _flush() == 1
    frames = (100, 190)
    assert np.abs(_joints(armature, frames) - _expected(armature, recorded(armature, {}), frames)).max() < EXACT


def test_renamed_verbs_keep_their_commands(armature, director):
    before = _joints(armature, (60, 190))
    armature.verbs_adverbs.active_verb = armature.verbs_adverbs.verbs.find("wave")
    OPS.verb_rename(name="greet")
    _flush()
    assert np.abs(_joints(armature, (60, 190)) - before).max() < EXACT
    assert not part("bridge.session.live_characters").problem_of(director)


def test_a_file_that_is_opened_again_performs_the_same(armature, tmp_path):
    before = _joints(armature, (60, 190))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "score.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "score.blend"))
    armature = bpy.data.objects["Biped"]
    assert _flush() == 0
    OPS.performance_write()
    assert np.abs(_joints(armature, (60, 190)) - before).max() < EXACT
