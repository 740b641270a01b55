"""The command line: what it tells of a file, what it bakes, and with what it ends."""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.performance import OPS, begin_with, biped_with_graph
from blender.stage import part, poses_at

FRAMES = (1, 7, 23, 40)


@pytest.fixture
def armature():
    made = biped_with_graph()
    begin_with(made, "stand")
    assert OPS.command_add(verb="walk", frame=12) == {"FINISHED"}
    bpy.context.scene.frame_end = 40
    return made


def run(*words: str) -> int:
    return part("operators.command_line.commands").run(words)


def told(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def curves_of(action, armature) -> dict[tuple[str, int], np.ndarray]:
    """Key values of each curve, by path and index."""
    found = {}
    for curve in part("bridge.blender.versions").curves_of(action, armature):
        points = np.zeros(2 * len(curve.keyframe_points))
        curve.keyframe_points.foreach_get("co", points)
        found[curve.data_path, curve.array_index] = points
    return found


def test_it_is_a_command_of_blender(armature, tmp_path: Path):
    assert run("list", "--json", str(tmp_path / "list.json")) == 0
    (one,) = told(tmp_path / "list.json")["characters"]
    assert one["name"] == armature.name and one["director"]["commands"] == 1
    assert {verb["name"]: len(verb["examples"]) for verb in one["verbs"]} == {"stand": 1, "wave": 5, "walk": 15}


def test_a_file_in_order_is_checked_with_0_and_one_with_faults_with_1(armature, tmp_path: Path):
    path = tmp_path / "check.json"
    assert run("check", "--json", str(path)) == 0
    assert [one.get("verb") for one in told(path)["built"]] == ["stand", "wave", "walk", None]
    armature.verbs_adverbs.verbs["wave"].examples.clear()
    assert run("check", "--json", str(path)) == 1
    (wave,) = [one for one in told(path)["built"] if one.get("verb") == "wave"]
    assert [kind for kind, _ in wave["complaints"]] == ["error"]


def test_what_it_bakes_is_what_the_operator_bakes(armature, tmp_path: Path):
    assert OPS.bake_performance(frame_start=1, frame_end=40, name="by hand", assign=False) == {"FINISHED"}
    by_hand = curves_of(bpy.data.actions["by hand"], armature)
    path = tmp_path / "out.blend"
    assert run("bake", "--name", "without a window", "--out", str(path), "--json", str(tmp_path / "out.json")) == 0
    (baked,) = told(tmp_path / "out.json")["baked"]
    assert baked["frames"] == [1, 40] and baked["keys"] == sum(len(keys) for keys in by_hand.values()) // 2
    shown = poses_at(armature, FRAMES)
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)
    again = bpy.context.object
    found = curves_of(again.animation_data.action, again)
    assert again.animation_data.action.name == "without a window"
    assert found.keys() == by_hand.keys()
    assert all(np.array_equal(found[key], by_hand[key]) for key in found)
    assert np.abs(poses_at(again, FRAMES) - shown).max() < 1e-5


def test_a_verb_is_baked_by_name(armature, tmp_path: Path):
    path = tmp_path / "out.blend"
    words = ("bake", "--verb", "walk", "--character", armature.name, "--first", "5", "--last", "9", "--keep-live")
    assert run(*words, "--name", "a walk", "--out", str(path)) == 0
    assert bpy.data.actions["a walk"].frame_range[:] == (5.0, 9.0)
    assert path.is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("bake", "--verb", "fly", "--out", "OUT"), "has no verb 'fly'. It has: "),
        (("bake", "--character", "Nobody", "--out", "OUT"), "This file has no character 'Nobody' with verbs"),
        (("bake", "--out", "FOLDER/nowhere/out.blend"), "does not exist"),
        (("list", "--json", "FOLDER/nowhere/list.json"), "nowhere"),
    ],
    ids=["unknown verb", "unknown character", "no folder", "no folder for the answer"],
)
def test_what_cannot_be_done_ends_with_3_a_sentence_and_no_file(armature, tmp_path: Path, capsys, words, said: str):
    before = sorted(action.name for action in bpy.data.actions)
    out = tmp_path / "out.blend"
    assert run(*(word.replace("OUT", str(out)).replace("FOLDER", str(tmp_path)) for word in words)) == 3
    assert said in capsys.readouterr().err
    assert not out.exists()
    if words[0] == "list" or "--verb" in words or "--character" in words:
        assert sorted(action.name for action in bpy.data.actions) == before


def test_what_it_does_not_understand_ends_with_2(armature, capsys):
    assert run("fly") == 2
    assert "invalid choice: 'fly'" in capsys.readouterr().err


def test_a_file_without_directors_is_told(armature, tmp_path: Path, capsys):
    bpy.data.objects.remove(armature.verbs_adverbs.director)
    assert run("bake", "--out", str(tmp_path / "out.blend")) == 3
    assert "none has verbs and a director" in capsys.readouterr().err


def test_what_was_baked_is_baked_again_and_refused_where_it_was_edited(armature, tmp_path: Path, capsys):
    assert OPS.bake_performance(frame_start=1, frame_end=40, name="baked") == {"FINISHED"}
    action = armature.animation_data.action
    before = curves_of(action, armature)
    begin_with(armature, "walk")
    path, out = tmp_path / "bake.json", str(tmp_path / "out.blend")
    assert run("bake", "--again", "--out", out, "--json", str(path)) == 0
    (one,) = told(path)["baked"]
    assert (one["action"], one["frames"]) == ("baked", [1, 40])
    after = curves_of(action, armature)
    assert any(not np.array_equal(before[key], after[key]) for key in before)
    part("bridge.blender.versions").curves_of(action, armature)[0].keyframe_points[3].co[1] += 0.5
    assert run("bake", "--again", "--out", str(tmp_path / "not.blend")) == 3
    assert "1 key changed" in capsys.readouterr().err and not (tmp_path / "not.blend").exists()
