"""Folders of BVH files that the demo takes: several skeletons, windows of one frame, any toes, any adverb values."""

from pathlib import Path

import bpy
import pytest
from blender.small_bvh import PINKY, clip, verb, write_bvh, write_folder
from verbs_adverbs.demo.captures import define_verbs, import_clips, read_folder
from verbs_adverbs.demo.operate import Refused

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


def test_a_clip_without_a_thigh_is_left_out_with_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture):
    folder, names = tmp_path, [f"walk {number}.bvh" for number in range(5)]
    for row, name in enumerate(names):
        write_bvh(folder / name, without=("LeftUpLeg",) if row == 3 else (), swing=20.0 + row)
    places = {name: [0.5 * row] for row, name in enumerate(names)}
    armature, actions = _made(write_folder(folder, [clip(name, TOES) for name in names], [verb("walk", places)]))
    told = capsys.readouterr().out
    assert "'LeftUpLeg'" in told
    assert "'walk 3'" in told
    assert list(actions) == [name for name in names if name != "walk 3.bvh"]
    assert len(armature.verbs_adverbs.verbs["walk"].examples) == 4
