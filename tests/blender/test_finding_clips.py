"""Keytimes found in clips from the command line: split over processes or not, in BVH files or in the open file."""

import json
from pathlib import Path

import bpy
import pytest
from blender.farming import begun, ended, executable, opened, openjd_run, run
from blender.small_bvh import write_bvh
from blender.stage import walking_biped


@pytest.fixture
def clips(tmp_path: Path) -> Path:
    """A folder with a BVH file, two in a folder within it, and one that cannot be read as a walk."""
    folder = tmp_path / "clips"
    (folder / "more").mkdir(parents=True)
    for name, size in (("b.bvh", 100.0), ("more/a.bvh", 90.0), ("more/c.BVH", 110.0)):
        write_bvh(folder / name, scale=size)
    return folder


def told(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def test_shares_that_are_collected_in_any_order_are_what_one_process_finds(clips: Path, tmp_path: Path):
    whole, again, parts = tmp_path / "whole.json", tmp_path / "again.json", []
    assert run("find", str(clips), "--json", str(whole)) == 0
    found = told(whole)["clips"]
    assert [clip["clip"] for clip in found] == ["b.bvh", "more/a.bvh", "more/c.BVH"]
    assert all(clip["kind"] and clip["cycles"] for clip in found)
    for share in ("3/3", "1/3", "2/3"):
        parts.append(str(tmp_path / f"{share[0]}.found.json"))
        assert run("find", str(clips), "--share", share, "--json", parts[-1]) == 0
    assert run("collect", *parts, "--json", str(again)) == 0
    assert again.read_bytes() == whole.read_bytes()
    assert run("collect", str(tmp_path), "--json", str(again)) == 0
    assert again.read_bytes() == whole.read_bytes()
    assert not bpy.data.actions and not bpy.data.armatures and bpy.context.scene.render.fps == 24


def test_what_is_found_is_what_the_operator_finds_and_can_be_marked_in_a_file(clips: Path, tmp_path: Path):
    out, found = tmp_path / "marked.blend", tmp_path / "found.json"
    assert run("find", str(clips), "--out", str(out), "--json", str(found)) == 0
    opened(out)
    assert sorted(bpy.data.actions.keys()) == ["a", "b", "c"]
    for clip in told(found)["clips"]:
        example = bpy.data.actions[Path(clip["clip"]).stem].verbs_adverbs.examples[0]
        marked = [(keytime.name, round(keytime.frame, 3)) for keytime in example.keytimes]
        cycles = [[(one["name"], round(one["frame"], 3)) for one in cycle["keytimes"]] for cycle in clip["cycles"]]
        assert marked in cycles


def test_actions_of_the_open_file_are_looked_at(tmp_path: Path):
    walking_biped()
    found = tmp_path / "found.json"
    assert run("find", "--json", str(found)) == 0
    walks = [clip for clip in told(found)["clips"] if clip["cycles"]]
    assert len(walks) == 15 and not any(action.verbs_adverbs.found for action in bpy.data.actions)


def test_a_clip_that_cannot_be_read_is_told_in_its_place_and_leaves_nothing(clips: Path, tmp_path: Path):
    (clips / "broken.bvh").write_text("HIERARCHY\nROOT a\n")
    (clips / "text.bvh").write_text("no motion")
    bpy.ops.object.armature_add()
    assert run("find", str(clips), "--json", str(tmp_path / "found.json")) == 0
    found = {clip["clip"]: clip for clip in told(tmp_path / "found.json")["clips"]}
    assert [name for name, clip in found.items() if clip["kind"] is None] == ["broken.bvh", "text.bvh"]
    assert "not a BVH file" in found["text.bvh"]["remarks"][0] and found["broken.bvh"]["remarks"]
    assert bpy.data.objects.keys() == ["Armature"] and not bpy.data.actions


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("find", "CLIPS"), "Say where to write the result"),
        (("find", "FOLDER/none.bvh", "--json", "OUT"), "There is no file"),
        (("find", "FOLDER/empty", "--json", "OUT"), "has no BVH files"),
        (("find", "--list", "FOLDER/no list", "--json", "OUT"), "no list"),
        (("find", "FOLDER/notes.txt", "--json", "OUT"), "is not a BVH file"),
        (("find", "--json", "OUT"), "No file is open"),
        (("collect", "FOLDER/notes.txt", "--json", "OUT"), "was not written by `find --json`"),
        (("collect", "FOLDER/1.found.json", "--json", "OUT"), "Share 2/2 is missing"),
        (("collect", "FOLDER/spoilt.json", "--json", "OUT"), "was not written by `find --json`"),
        (("collect", "FOLDER/1.found.json", "FOLDER/1 again.found.json", "--json", "OUT"), "is in both '"),
        (("collect", "FOLDER/empty", "--json", "OUT"), "has no parts"),
    ],
)
def test_bad_input_ends_with_3_and_a_sentence(clips: Path, tmp_path: Path, capsys, words, said: str):
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("notes")
    (tmp_path / "spoilt.json").write_text('{"verbs_adverbs_found": 1, "share": [1], "clips": []}')
    for name in ("1.found.json", "1 again.found.json"):
        assert run("find", str(clips), "--share", "1/2", "--json", str(tmp_path / name)) == 0
    out = tmp_path / "out.json"
    placed = {"OUT": str(out), "CLIPS": str(clips)}
    assert run(*(placed.get(word, word.replace("FOLDER", str(tmp_path))) for word in words)) == 3
    assert said in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.long
def test_a_job_of_three_tasks_finds_in_captured_walks_what_one_process_finds(
    openjd: str, mocap: Path, tmp_path: Path, tell
):
    clips, whole, out = mocap / "locomotion", tmp_path / "whole.json", tmp_path / "out"
    out.mkdir()
    blender = executable(tmp_path)
    code, said = ended(begun(blender, "--command", "verbs", "find", clips, "--json", whole))
    assert code == 0, said
    job = openjd_run(openjd, "find_keytimes", Clips=clips, OutFolder=out, Blender=blender, Tasks=3)
    code, said = ended(begun(*job, "--step", "Collect", "--run-dependencies"))
    assert code == 0, said
    assert (out / "found.json").read_bytes() == whole.read_bytes()
    found = told(whole)["clips"]
    assert len(found) == len(list(clips.rglob("*.bvh"))) and len(list(out.glob("*.found.json"))) == 3
    tell(
        f"Keytimes: {sum(len(clip['cycles']) for clip in found)} cycles in {len(found)} captured clips, 3 tasks as one"
    )
