"""Keytimes and contacts found in captured motion that Blender imported, by the operator, against the annotation."""

import re
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.action_hash import digest
from blender.captured import annotation_of, find, imported
from verbs_adverbs.demo.captures import FIRST_FRAME, Folder, import_clips
from verbs_adverbs.demo.operate import do

SAME = 3.0
"""Frames within which a found keytime is the annotated one; the annotation, by limits of its own, tells no more."""
WALKS = (
    "bn2_walk_normal_003", "bn2_walk_active_028", "bn2_walk_exhausted_017", "bn2_walk-turn-left_active_015",
    "bn2_walk-turn-right_normal_029", "bn2_walk-turn-right_exhausted_003", "bn1_walk_normal_002_loop_x2",
)  # fmt: skip
RUNS = ("bn2_run_normal_041", "bn2_run_active_058", "bn2_run_exhausted_001")
LONG_TAKE, LONG_RUN = "bn2_walk_normal_001_full", "bn2_run_normal_048_full"


def example_of(name: str):
    (example,) = bpy.data.actions[name].verbs_adverbs.examples
    return example


@pytest.mark.parametrize("names", [WALKS, RUNS])
def test_keytimes_of_imported_clips_are_found_and_all_have_one_structure(mocap: Path, names: tuple[str, ...], tell):
    imported(mocap, names)
    before = {name: digest(bpy.data.actions[name]) for name in names}
    find(*names)
    apart = []
    for name in names:
        example, clip = example_of(name), annotation_of(mocap, name)
        assert [keytime.name for keytime in example.keytimes] == clip["keytime_names"]
        assert (example.kind, example.cyclic) == ("TRAVELLING", True)
        found = [keytime.frame - FIRST_FRAME for keytime in example.keytimes]
        apart.extend(np.abs(np.subtract(found, clip["keytimes_sub"])))
        for keytime in example.keytimes:
            small = "".join(chr(0x2080 + int(digit)) for digit in str(keytime.uid))
            assert f"{keytime.name}\u2009{small}" in bpy.data.actions[name].pose_markers
    tell(f"  {len(apart)} keytimes, at most {max(apart):.2f} frames from the annotation")
    assert max(apart) < SAME
    assert before == {name: digest(bpy.data.actions[name]) for name in names}


def test_contacts_are_the_balls_of_both_feet_while_they_stand_still(mocap: Path):
    imported(mocap, WALKS)
    find(*WALKS)
    for name in WALKS[:-1]:
        example, clip = example_of(name), annotation_of(mocap, name)
        assert [(contact.bone, contact.end) for contact in example.contacts] == [("Toes_L", "HEAD"), ("Toes_R", "HEAD")]
        for contact in example.contacts:
            (window,) = contact.windows
            planted = clip["toe_planted"][contact.bone[-1]]
            middle = 0.5 * (window.start + window.end) - FIRST_FRAME
            assert any(first <= middle <= last for first, last in planted), (name, contact.bone)


def test_examples_that_are_found_make_a_verb_that_builds(mocap: Path):
    armature = imported(mocap, WALKS)
    find(*WALKS[:3], verb="walk")
    verb = armature.verbs_adverbs.verbs["walk"]
    assert [reference.action_name for reference in verb.examples] == list(WALKS[:3])
    do("adverb_add", name="speed", minimum=0.0, maximum=2.0)
    verb.adverbs["speed"].measure = "SPEED"
    do("measure")
    do("verb_build")
    measured = [example_of(name).values["speed"].value for name in WALKS[:3]]
    annotated = [annotation_of(mocap, name)["adverbs"]["speed"] for name in WALKS[:3]]
    assert measured == pytest.approx(annotated, rel=0.03)


def test_finding_again_replaces_the_example_and_keeps_its_values(mocap: Path):
    imported(mocap, WALKS)
    find(WALKS[0])
    example = example_of(WALKS[0])
    uid, frames = example.uid, [keytime.frame for keytime in example.keytimes]
    do("value_set", adverb="mood", value=0.25)
    bpy.context.scene.frame_set(int(frames[1]) + 3)
    do("keytime_add", name="extra")
    find(WALKS[0])
    example = example_of(WALKS[0])
    assert (example.uid, example.values["mood"].value) == (uid, 0.25)
    assert [keytime.frame for keytime in example.keytimes] == frames
    assert len(bpy.data.actions[WALKS[0]].pose_markers) == len(frames)


def test_walks_and_runs_do_not_go_together_and_the_fewer_are_told(mocap: Path):
    mixed = (LONG_RUN, *WALKS[:2])
    imported(mocap, mixed)
    find(*mixed)
    run = bpy.data.actions[LONG_RUN].verbs_adverbs
    assert not run.examples
    assert any("a walk and a run" in line.text for line in run.found)
    assert len(example_of(WALKS[0]).keytimes) == 5


def test_a_run_is_not_added_to_a_verb_of_walks(mocap: Path):
    armature = imported(mocap, (LONG_RUN, *WALKS[:2]))
    find(*WALKS[:2], verb="walk")
    with pytest.raises(RuntimeError, match="a walk and a run"):
        find(LONG_RUN, verb="walk")
    assert [reference.action_name for reference in armature.verbs_adverbs.verbs["walk"].examples] == list(WALKS[:2])


def test_the_next_cycle_of_a_long_take_is_cut_and_comes_round_again(mocap: Path):
    imported(mocap, (LONG_TAKE,))
    find(LONG_TAKE)
    example = example_of(LONG_TAKE)
    names = [keytime.name for keytime in example.keytimes]
    starts = [example.start]
    for _ in range(9):
        do("cycle_choose")
        assert [keytime.name for keytime in example.keytimes] == names
        starts.append(example.start)
        if starts[-1] == starts[0]:
            break
    assert starts[-1] == starts[0]
    assert len(set(starts)) == len(starts) - 1 >= 3
    assert all(contact.windows for contact in example.contacts)


def _tilted(file: Path, folder: Path, tilt: float) -> str:
    """Write a file whose floor rises by `tilt` towards X, and return its name; columns 6 to 8 are the hips' place."""
    head, separator, body = file.read_text(encoding="utf-8").partition("Frame Time")
    first, *rows = body.splitlines()
    raised = [row.split() for row in rows if row.strip()]
    for row in raised:
        row[7] = f"{float(row[7]) + tilt * float(row[6]):.6f}"
    (folder / file.name).write_text(
        "\n".join([head + separator + first, *(" ".join(row) for row in raised)]) + "\n", encoding="utf-8"
    )
    return file.name


def test_a_floor_that_is_not_quite_level_is_told_for_every_action(mocap: Path, tmp_path: Path):
    names = ("bn2_walk-turn-left_normal_006", "bn2_walk-turn-right_normal_007", *WALKS[:5])
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    files = [_tilted(mocap / "locomotion" / f"{name}.bvh", tmp_path, 0.019) for name in names]
    import_clips(Folder(tmp_path, {}, ()), files)
    find(*names)
    for name in names:
        (told,) = (line.text for line in bpy.data.actions[name].verbs_adverbs.found if "floor" in line.text)
        percent = re.match(r"The floor of the chosen actions rises by about ([0-9.]+) % towards \+X", told)
        assert percent, told
        assert abs(float(percent[1]) - 1.9) < 0.5


def test_any_cycle_may_be_chosen_of_whichever_foot(mocap: Path):
    imported(mocap, (LONG_TAKE,))
    find(LONG_TAKE)
    do("cycle_choose", cycle="0")
    first = example_of(LONG_TAKE).keytimes[0].name
    do("cycle_choose", cycle="1")
    assert {first, example_of(LONG_TAKE).keytimes[0].name} == {"L_down", "R_down"}


@pytest.mark.parametrize("name", ["bn2_walk_normal_003", "bn2_walk-turn-left_active_015"])
def test_feet_are_found_in_the_motion_where_neither_names_nor_the_rest_pose_tell_them(
    mocap: Path, tmp_path: Path, name: str, tell
):
    text = (mocap / "locomotion" / f"{name}.bvh").read_text(encoding="utf-8")
    joints = re.findall(r"(?:ROOT|JOINT) (\S+)", text)
    found = []
    for unnamed in (False, True):
        for place, joint in enumerate(joints if unnamed else ()):
            text = re.sub(rf"((?:ROOT|JOINT) ){joint}\b", rf"\g<1>b{place}", text)
        path = tmp_path / f"walk {unnamed}.bvh"
        path.write_text(text, encoding="utf-8")
        bpy.context.scene.render.fps = 30
        bpy.ops.import_anim.bvh(filepath=str(path), global_scale=0.01, rotate_mode="NATIVE", frame_start=FIRST_FRAME)
        action = bpy.context.object.animation_data.action
        find(action.name)
        found.append(action.verbs_adverbs.examples[0])
    keys = [{keytime.name: keytime.frame for keytime in example.keytimes} for example in found]
    assert list(keys[0]) == list(keys[1])
    apart = np.abs(np.subtract(list(keys[0].values()), list(keys[1].values())))
    tell(f"  {name} without names: keytimes at most {apart.max():.3f} frames from those found by names")
    assert apart.max() <= 0.01
    toes = {f"b{joints.index(f'Toes_{side}')}" for side in "LR"}
    assert {contact.bone for contact in found[1].contacts} == toes
    do("feet_find")
    feet = bpy.context.object.verbs_adverbs.feet
    assert [(foot.name, foot.ankle) for foot in feet] == [(side, f"b{joints.index(f'Foot_{side}')}") for side in "LR"]
