"""Folders of BVH files that the demo takes: several skeletons, windows of one frame, any toes, any adverb values."""

import json
from collections.abc import Callable
from pathlib import Path

import bpy
import pytest
from blender.small_bvh import PINKY, clip, verb, write_bvh, write_folder
from verbs_adverbs.demo import detect
from verbs_adverbs.demo.captures import define_verbs, import_clips, read_folder
from verbs_adverbs.demo.operate import Refused
from verbs_adverbs.demo.run import main

pytestmark = pytest.mark.long

TOES = {"LeftToeBase": [[2, 14], [32, 44]], "RightToeBase": [[17, 29]]}


def _made(folder: Path):
    """The armature with the verbs of a folder, as the demo makes them."""
    read = read_folder(folder)
    files = list(dict.fromkeys(file for one in read.verbs for file in one.clips))
    armature, actions = import_clips(read, files)
    define_verbs(armature, actions, read)
    return armature, actions


def _two_walks(folder: Path, planted=TOES, places=(-1.0, 1.0), **second: object) -> Path:
    write_bvh(folder / "calm.bvh", swing=20.0)
    write_bvh(folder / "eager.bvh", **{"swing": 30.0, **second})
    records = [clip("calm.bvh", planted), clip("eager.bvh", planted)]
    return write_folder(folder, records, [verb("walk", {"calm.bvh": [places[0]], "eager.bvh": [places[1]]})])


def _windows(action) -> dict[str, list[tuple[float, float]]]:
    contacts = action.verbs_adverbs.examples[0].contacts
    return {contact.bone: [(window.start, window.end) for window in contact.windows] for contact in contacts}


def test_toes_of_any_name_are_planted(tmp_path: Path):
    armature, actions = _made(_two_walks(tmp_path))
    assert _windows(actions["calm.bvh"])["LeftToeBase"] == [(3.0, 15.0), (33.0, 45.0)]
    assert armature.verbs_adverbs.verbs["walk"].examples[0].action == actions["calm.bvh"]


def test_a_bone_that_no_file_has_is_named_in_a_sentence(tmp_path: Path):
    with pytest.raises(Refused, match=r"'calm.bvh'.*'LeftPaw'"):
        _made(_two_walks(tmp_path, {"LeftPaw": [[2, 14]]}))


def test_a_window_of_one_frame_is_that_frame_and_half_of_each_interval_beside_it(tmp_path: Path):
    _, actions = _made(_two_walks(tmp_path, {"LeftToeBase": [[2, 14], [20, 20]]}))
    assert _windows(actions["calm.bvh"])["LeftToeBase"] == [(3.0, 15.0), (20.5, 21.5)]


def test_adverbs_reach_as_far_as_the_examples(tmp_path: Path):
    armature, _ = _made(_two_walks(tmp_path, places=(-3.0, 0.5)))
    adverb = armature.verbs_adverbs.adverbs["energy"]
    assert (adverb.minimum, adverb.maximum) == (-3.0, 1.0)
    armature, _ = _made(_two_walks(tmp_path, places=(2.0, 5.0)))
    adverb = armature.verbs_adverbs.adverbs["energy"]
    assert (adverb.minimum, adverb.maximum, adverb.default) == (-1.0, 5.0, 0.0)


def test_files_of_several_skeletons_become_one_verb(tmp_path: Path, capsys: pytest.CaptureFixture):
    folder = _two_walks(tmp_path, prefix="mixamorig1:", more=PINKY, scale=1.2)
    armature, actions = _made(folder)
    told = capsys.readouterr().out
    assert "Bone 'mixamorig1:LeftHandPinky1' of 'eager' is not in 'Captured': left out." in told
    assert {armature} == {thing for thing in bpy.data.objects if thing.type == "ARMATURE"}
    assert [one.action for one in armature.verbs_adverbs.verbs["walk"].examples] == list(actions.values())
    assert _windows(actions["eager.bvh"]).keys() == {"LeftToeBase", "RightToeBase"}
    assert actions["eager.bvh"].name == "eager"


@pytest.mark.parametrize("odd", [0, 3])
def test_a_clip_without_a_thigh_is_left_out_with_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture, odd: int):
    folder, names = tmp_path, [f"walk {number}.bvh" for number in range(5)]
    for row, name in enumerate(names):
        write_bvh(folder / name, without=("LeftUpLeg",) if row == odd else (), swing=20.0 + row)
    places = {name: [0.5 * row] for row, name in enumerate(names)}
    armature, actions = _made(write_folder(folder, [clip(name, TOES) for name in names], [verb("walk", places)]))
    told = capsys.readouterr().out
    assert "'LeftUpLeg'" in told
    assert f"'walk {odd}'" in told
    assert list(actions) == [name for name in names if name != f"walk {odd}.bvh"]
    assert len(armature.verbs_adverbs.verbs["walk"].examples) == 4


def test_a_verb_of_which_no_clip_can_be_used_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture):
    folder = _two_walks(tmp_path)
    write_bvh(folder / "odd.bvh", without=("RightUpLeg",))
    records = [clip(file, TOES) for file in ("calm.bvh", "eager.bvh", "odd.bvh")]
    verbs = [verb("walk", {"calm.bvh": [-1.0], "eager.bvh": [1.0]}), verb("odd", {"odd.bvh": [0.0]})]
    armature, _ = _made(write_folder(folder, records, verbs))
    assert "Verb 'odd' is left out" in capsys.readouterr().out
    assert armature.verbs_adverbs.verbs.keys() == ["walk"]


def test_keytimes_are_found_in_what_can_be_used(tmp_path: Path):
    folder = _two_walks(tmp_path / "in", prefix="mixamorig1:", scale=1.2)
    write_bvh(folder / "odd.bvh", without=("LeftUpLeg",))
    records = [clip(f"{name}.bvh", TOES) for name in ("calm", "eager", "odd")]
    write_folder(folder, records, [verb("walk", {"calm.bvh": [-1.0], "eager.bvh": [2.0], "odd.bvh": [0.0]})])
    (tmp_path / "out").mkdir()
    assert detect.main(tmp_path / "out", folder) == 0
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert list(report["found"]) == ["calm.bvh", "eager.bvh"]
    assert report["verbs"]["walk"]["examples"] == 2


def _without_the_file(folder: Path) -> None:
    (folder / "eager.bvh").unlink()


def _without_keytimes(folder: Path) -> None:
    (folder / "keytimes.json").unlink()


def _without_commas(folder: Path) -> None:
    (folder / "keytimes.json").write_text('{"clips": [] "suggested_verbs": []}', encoding="utf-8")


def _without_a_record(folder: Path) -> None:
    write_folder(folder, [clip("calm.bvh", TOES)], [verb("walk", {"calm.bvh": [0.0], "eager.bvh": [1.0]})])


def _without_verbs(folder: Path) -> None:
    write_folder(folder, [], [])


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_without_the_file, "has no file 'eager.bvh'"),
        (_without_keytimes, "has no keytimes.json. Add one"),
        (_without_commas, "cannot be read: Expecting"),
        (_without_a_record, "'eager.bvh' for verb 'walk', but has no record"),
        (_without_verbs, "has no BVH files for its verbs"),
    ],
)
def test_a_folder_that_lacks_something_ends_the_demo_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture, spoil: Callable[[Path], None], words: str
):
    spoil(_two_walks(tmp_path))
    assert main(tmp_path / "out", tmp_path) == 1
    assert words in capsys.readouterr().out
