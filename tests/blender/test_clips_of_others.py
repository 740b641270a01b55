"""Clips as people bring them: loops, fingers, files upside down, with two figures or without a frame rate."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.small_bvh import PERIOD, write_bvh
from blender.stage import part

OPS = bpy.ops.verbs_adverbs
SWINGS = {"slow": 18.0, "fast": 30.0}
FINGERS = {
    f"{side}Hand{finger}{joint}": (
        f"{side}Hand" if joint == 1 else f"{side}Hand{finger}{joint - 1}",
        (sign * (8.0 if joint == 1 else 3.0), 0.0, 2.0 * place - 4.0 if joint == 1 else 0.0),
    )
    for side, sign in (("Left", 1.0), ("Right", -1.0))
    for place, finger in enumerate(("Thumb", "Index", "Middle", "Ring", "Pinky"))
    for joint in (1, 2, 3)
}
TOES = ["LeftToeBase", "RightToeBase"]
FINGERTIPS = ["LeftHandIndex1", "LeftHandMiddle1"]
"""Joints without a partner."""


def rewrite(path: Path, change) -> None:
    """Change a file as text: what is before its frames, and their numbers (T, C)."""
    head, motion = path.read_text(encoding="utf-8").split("MOTION\n")
    rows = np.array([line.split() for line in motion.splitlines()[2:]], dtype=np.float64)
    head, rows = change(head, rows)
    told = ["MOTION", f"Frames: {len(rows)}", "Frame Time: 0.0333333"]
    lines = [" ".join(f"{value:.6f}" for value in row) for row in rows]
    path.write_text("\n".join([head.strip(), *told, *lines, ""]), encoding="utf-8")


def walks(folder: Path, change=lambda head, rows: (head, rows), **options) -> Path:
    """A folder of two walks, each changed as text."""
    for name, swing in SWINGS.items():
        rewrite(write_bvh(folder / f"{name}.bvh", swing=swing, **options), change)
    return folder


def add_with(path: Path, joint: str, axis: int, degrees) -> None:
    """Write a walk one of whose joints turns further, by `degrees` of each frame, about Z, X or Y."""

    def turned(head: str, rows: np.ndarray):
        order = [line.split()[1] for line in head.splitlines() if line.split()[:1] in (["ROOT"], ["JOINT"])]
        rows[:, 3 + 3 * order.index(joint) + axis] += degrees(np.arange(len(rows)))
        return head, rows

    rewrite(write_bvh(path, swing=24.0), turned)


def cut(first: int):
    """A change that leaves one cycle, whose last frame is its first one."""
    return lambda head, rows: (head, rows[first : first + PERIOD + 1])


def imported(folder: Path, **options) -> bpy.types.Object:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    assert OPS.walks_import(directory=str(folder), **options) == {"FINISHED"}
    return bpy.context.object


def refused(folder: Path, **options) -> str:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with pytest.raises(RuntimeError) as told:
        OPS.walks_import(directory=str(folder), **options)
    return str(told.value)


def examples(armature) -> dict[str, bpy.types.PropertyGroup]:
    """The examples of its only verb, by their actions' names."""
    (verb,) = armature.verbs_adverbs.verbs
    assert verb.name == "walk"
    return examples_of(verb)


def examples_of(verb: bpy.types.PropertyGroup) -> dict[str, bpy.types.PropertyGroup]:
    return {one.action.name: one.action.verbs_adverbs.examples[0] for one in verb.examples}


def speeds(armature) -> list[float]:
    return [examples(armature)[name].values["speed"].value for name in SWINGS]


def heads(armature) -> dict[str, np.ndarray]:
    bpy.context.view_layer.update()
    return {bone.name: np.array(armature.matrix_world @ bone.head) for bone in armature.pose.bones}


@pytest.fixture(scope="module")
def usual(extension, tmp_path_factory) -> list[float]:
    """The speeds of the walks in files without anything special."""
    return speeds(imported(walks(tmp_path_factory.mktemp("usual"))))


def assert_right(armature, usual: list[float], bone: str = "Head") -> None:
    """Two walks at their speeds, with contacts of both feet, of an upright figure of 1.5 m."""
    places = heads(armature)
    assert 1.3 < places[bone][2] < 1.6 and min(place[2] for place in places.values()) > -0.1
    assert speeds(armature) == pytest.approx(usual, rel=0.03)
    for example in examples(armature).values():
        assert sorted(contact.bone for contact in example.contacts) == TOES
        assert all(contact.windows for contact in example.contacts)


def test_hands_with_fingers_tip_nobody_over(usual, tmp_path: Path):
    armature = imported(walks(tmp_path, more=FINGERS))
    assert_right(armature, usual)
    assert len(armature.data.bones) > 45


def test_a_figure_that_hangs_head_down_in_its_file_stands(usual, tmp_path: Path):
    def turned(head: str, rows: np.ndarray):
        rows[:, :2] *= -1.0
        rows[:, 3] += 180.0
        return head, rows

    assert_right(imported(walks(tmp_path, turned)), usual)


@pytest.mark.parametrize("begin", [0, 8, 21])
def test_a_clip_that_is_one_loop_is_an_example_wherever_it_is_cut(usual, tmp_path: Path, begin: int):
    armature = imported(walks(tmp_path, cut(begin)))
    assert_right(armature, usual)
    action = bpy.data.actions["fast"]
    curves = part("bridge.blender.versions").curves_of(action, armature)
    assert not any(curve.modifiers for curve in curves)
    assert {len(curve.keyframe_points) for curve in curves} == {PERIOD + 1}
    (verb,) = armature.verbs_adverbs.verbs
    assert not [
        text
        for one in verb.examples
        for text in part("bridge.data.structure").complaints(one.action.verbs_adverbs.examples[0], verb)
    ]


def test_what_is_shown_copied_and_turned_of_a_loop_goes_around_too(usual, tmp_path: Path):
    armature = imported(walks(tmp_path, cut(8)))
    (verb,) = armature.verbs_adverbs.verbs
    slow, fast = (examples(armature)[name] for name in ("slow", "fast"))
    beyond = [row for row, keytime in enumerate(slow.keytimes) if keytime.frame > 1 + PERIOD]
    assert beyond
    row = next(row for row, one in enumerate(verb.examples) if one.action.name == "slow")
    OPS.live_off()
    assert OPS.verb_example_show(row=row, keytime=beyond[0]) == {"FINISHED"}
    shown = bpy.context.scene.frame_current_final
    rounds = (slow.keytimes[beyond[0]].frame - shown) / PERIOD
    assert 1 <= shown <= 1 + PERIOD and rounds == pytest.approx(round(rounds), abs=0.51 / PERIOD)
    structure, turning = part("bridge.data.structure"), part("bridge.authoring.diagnosis.checking")
    turned = turning.begins_elsewhere(armature, fast, 2)
    assert turned is not None and turned.keytimes[-1][1] - turned.keytimes[0][1] == pytest.approx(PERIOD)
    span = [keytime.frame for keytime in fast.keytimes]
    structure.copy_structure(slow, [bpy.data.actions["fast"]], 30.0)
    copied = [keytime.frame for keytime in examples(armature)["fast"].keytimes]
    assert copied[-1] - copied[0] == pytest.approx(span[-1] - span[0], abs=0.01)


def test_a_clip_with_a_foot_adrift_is_left_out_and_the_others_stay(usual, tmp_path: Path, capfd):
    folder = walks(tmp_path)
    add_with(folder / "adrift.bvh", "LeftUpLeg", 0, lambda rows: 7.0 * np.sin(2.0 * np.pi * rows / 5.0))
    imported(folder)
    said = capfd.readouterr().out
    verbs = {verb.name: [one.action.name for one in verb.examples] for verb in bpy.context.object.verbs_adverbs.verbs}
    assert sorted(verbs["walk"]) == ["fast", "slow"]
    assert "adrift" in said


def test_around_the_seam_of_a_loop_feet_stand_as_elsewhere(usual, tmp_path: Path):
    slips = {}
    for begin in (None, 8):
        armature = imported(walks(tmp_path / str(begin), cut(begin) if begin is not None else (lambda *both: both)))
        built = part("bridge.authoring.verbs").verb_for(armature, armature.verbs_adverbs.verbs["walk"])
        motion = built.motion(built.places[0])
        times = np.linspace(0.0, motion.duration, 200, endpoint=False)
        joints = part("core.figure.channels").world_joints(built.channels, motion.sample(times))
        toes = joints[:, [built.channels.skeleton.index(name) for name in TOES]]
        speed = np.linalg.norm(np.diff(toes, axis=0), axis=2) / np.diff(times)[:, None]
        slips[begin] = np.sort(speed.min(axis=1))[len(speed) // 2]
    assert slips[8] < slips[None] + 0.02


def test_loops_that_begin_at_different_feet_are_one_verb(usual, tmp_path: Path):
    walks(tmp_path, cut(0))
    half = walks(tmp_path / "half", cut(PERIOD // 2)) / "fast.bvh"
    half.replace(tmp_path / "fast.bvh")
    names = {tuple(keytime.name for keytime in one.keytimes) for one in examples(imported(tmp_path)).values()}
    assert len(names) == 1


def test_of_two_figures_in_a_file_one_walks_and_that_is_said(usual, tmp_path: Path, capfd):
    def doubled(head: str, rows: np.ndarray):
        other = head.replace("HIERARCHY\n", "").replace("JOINT ", "JOINT B_").replace("ROOT ", "ROOT B_")
        return head + other, np.concatenate([rows, rows], axis=1)

    assert_right(imported(walks(tmp_path, doubled)), usual)
    assert "'Hips' was used, 'B_Hips' left out" in capfd.readouterr().out


def test_without_a_frame_time_the_rate_is_asked_for(usual, tmp_path: Path):
    folder = walks(tmp_path)
    for path in folder.iterdir():
        path.write_text(path.read_text(encoding="utf-8").replace("Frame Time: 0.0333333\n", ""), encoding="utf-8")
    assert "Set Frame Rate (in scripts: rate)" in refused(folder)
    assert_right(imported(folder, rate=30.0), usual)
    files = part("bridge.authoring.clips.clip_files")
    figure = files.first_figure(sorted(folder.iterdir()), bpy.context.scene)
    assert not figure.timed and figure.fps == files.USUAL_RATE


def without_ends(folder: Path, scale: float = 1.0) -> Path:
    """Let the feet of a folder's figures without toes end at the ankle."""
    end = f"OFFSET 0.000000 {-11.4 * scale:.6f} 0.000000"
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        assert text.count(end) == 2
        path.write_text(text.replace(end, "OFFSET 0 0 0"), encoding="utf-8")
    return folder


def test_feet_that_end_at_the_ankle_are_found_where_constraints_turn_them(usual, tmp_path: Path):
    armature = imported(without_ends(walks(tmp_path, without=TOES)))
    OPS.live_off()
    for name in ("LeftFoot", "RightFoot"):
        constraint = armature.pose.bones[name].constraints.new("LIMIT_ROTATION")
        constraint.use_limit_z, constraint.min_z, constraint.max_z = True, -3.0, 3.0
    rows = [{"name": name, "chosen": True} for name in SWINGS]
    assert OPS.keytimes_find(choices=rows, verb="again") == {"FINISHED"}
    assert all(example.contacts for example in examples_of(armature.verbs_adverbs.verbs["again"]).values())


@pytest.mark.parametrize("scale", [1.0, 1.3])
def test_feet_whose_end_the_file_does_not_tell_stand_on_their_ankles(usual, tmp_path: Path, scale: float):
    armature = imported(without_ends(walks(tmp_path, without=TOES, scale=scale), scale))
    for example in examples(armature).values():
        assert sorted(one.bone for one in example.contacts) == ["LeftFoot", "RightFoot"]
        bones = [armature.data.bones[one.bone] for one in example.contacts if one.end == "TAIL"]
        assert all(bone.length < 0.01 for bone in bones)


def test_one_clip_that_cannot_be_built_leaves_the_others(usual, tmp_path: Path, capfd):
    folder = walks(tmp_path)
    add_with(folder / "usual.bvh", "RightToeBase", 1, lambda rows: 12.0 * rows)
    assert_right(imported(folder), usual)
    assert "'usual' was not added to a verb. Bone 'RightToeBase' makes a full rotation" in capfd.readouterr().out


def test_a_figure_of_no_person_s_size_is_asked_about(usual, tmp_path: Path):
    assert "Set Scale" in refused(walks(tmp_path, scale=3.0))
    imported(tmp_path, scale=0.004)


def test_the_report_says_which_clips_a_set_lacks(usual, tmp_path: Path):
    armature = imported(walks(tmp_path))
    lines = part("bridge.authoring.verbs").status(armature, armature.verbs_adverbs.verbs["walk"]).lines
    assert [line.text for line in lines[-2:]] == [
        "It cannot turn yet: add a walk that turns, and mirror it.",
        "The character has no standing verb yet: add an idle.",
    ]


def test_the_report_says_with_which_foot_no_clip_starts_or_stops(usual, tmp_path: Path):
    armature = imported(walks(tmp_path))
    definitions, status = part("bridge.authoring.definitions"), part("bridge.authoring.verbs").status

    def with_verb(name: str, kind: str, cyclic: bool) -> str:
        action = bpy.data.actions["slow"].copy()
        action.name = name
        example = action.verbs_adverbs.examples[0]
        example.name, example.kind, example.cyclic = name, kind, cyclic
        definitions.add_reference(definitions.add_verb(armature, name), action, example)
        return status(armature, armature.verbs_adverbs.verbs["walk"]).lines[-1].text

    assert with_verb("stand", "STATIONARY", True).startswith(
        "It starts and stops by blending only. For real first and last steps, add a clip"
    )
    assert with_verb("set out", "TRAVELLING", False) == "It starts and stops with foot 'R' only: mirror 'set out'."


def test_a_mirrored_example_joins_its_verb_from_a_script_with_its_turn_negated(usual, tmp_path: Path):
    armature = imported(walks(tmp_path, without=FINGERTIPS))
    OPS.live_off()
    (verb,) = armature.verbs_adverbs.verbs
    OPS.adverb_add(name="turn", minimum=-90.0, maximum=90.0)
    action, example = bpy.data.actions["fast"], examples(armature)["fast"]
    part("bridge.data.annotate").set_value(action, example, "turn", 30.0)
    other = part("bridge.authoring.definitions").add_verb(armature, "other")
    armature.verbs_adverbs.active_verb = armature.verbs_adverbs.verbs.find(other.name)
    armature.animation_data.action = action
    assert OPS.action_mirror() == {"FINISHED"}
    added = verb.examples[-1]
    assert added.action.name == "fast mirrored" and len(other.examples) == 0
    assert part("bridge.data.example_list").referenced(added).values["turn"].value == -30.0


def test_the_mirror_image_of_an_example_in_no_verb_is_in_none_and_that_is_said(usual, tmp_path: Path, capfd):
    armature = imported(walks(tmp_path, without=FINGERTIPS))
    OPS.live_off()
    (verb,) = armature.verbs_adverbs.verbs
    armature.animation_data.action = bpy.data.actions["fast"]
    verb.examples.clear()
    assert OPS.action_mirror() == {"FINISHED"}
    assert "'fast' is in no verb, so neither is its mirror image" in capfd.readouterr().out
    assert not verb.examples


def test_keytimes_are_found_in_rows_as_the_documents_print_them(usual, tmp_path: Path):
    armature = imported(walks(tmp_path))
    OPS.live_off()
    names = list(SWINGS)
    call = 'keytimes_find(choices=[{"name": name, "chosen": True} for name in names], verb="walk")'
    assert f"`{call}`" in (Path(__file__).parents[2] / "docs" / "scripting.md").read_text(encoding="utf-8")
    armature.verbs_adverbs.verbs.clear()
    assert OPS.keytimes_find(choices=[{"name": name, "chosen": True} for name in names], verb="walk") == {"FINISHED"}
    assert len(armature.verbs_adverbs.verbs["walk"].examples) == len(SWINGS)


def test_a_first_frame_with_a_pose_of_its_own_spoils_no_loop(extension, tmp_path: Path, capfd):
    def posed(head: str, rows: np.ndarray):
        _, rows = cut(5)(head, rows)
        pose = np.zeros(rows.shape[1])
        pose[:3] = rows[0, :3]
        return head, np.concatenate([pose[None], rows])

    armature = imported(walks(tmp_path, posed))
    for example in examples(armature).values():
        assert example.keytimes[-1].frame - example.keytimes[0].frame == pytest.approx(PERIOD, abs=0.1)
    assert capfd.readouterr().out.count(
        "was left out, because it is a separate pose that the motion jumps away from"
    ) == len(SWINGS)
