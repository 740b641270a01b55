"""Actions of other armatures, copied for one: what Blender plays of the copies, and what is said."""

from math import radians
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.captured import played_frames
from blender.figurine import assert_says, part, refused
from blender.mixamo_file import write_mixamo_files
from blender.small_bvh import JOINTS, PINKY, under_top, write_bvh
from blender.stage import walking_biped
from mathutils import Matrix
from verbs_adverbs.demo.operate import do, make_active

FRAMES = np.arange(1.0, 62.0, 7.0)
METRES, DEGREES = 1e-4, 0.02
BONES = list(JOINTS)
ARMS = [name for name in BONES if name.endswith(("ForeArm", "Hand"))]


def imported(path: Path, **axes: str):
    """Import a file as the user would; returns its armature."""
    bpy.ops.import_anim.bvh(filepath=str(path), global_scale=0.01, update_scene_fps=True, **axes)
    return bpy.context.object


def two(folder: Path, **second: object):
    """Two armatures with an action each; the first is active."""
    armature = imported(write_bvh(folder / "calm.bvh", swing=20.0))
    other = imported(write_bvh(folder / "walk2.bvh", **second))
    make_active(armature)
    return armature, other


def conform(*names: str) -> list[bpy.types.Action]:
    """Copy actions for the active armature."""
    known = set(bpy.data.actions)
    do("actions_conform", choices=[{"name": name, "chosen": True} for name in names])
    return [action for action in bpy.data.actions if action not in known]


def shown(armature, action, prefix: str = "", names: list[str] = BONES) -> np.ndarray:
    """Places (T, J, 3) of the joints' heads in the armature's space, as Blender plays an action."""
    return played_frames(armature, action, FRAMES)[0][:, [armature.pose.bones.find(prefix + name) for name in names]]


def ways(places: np.ndarray, bones: list[str] = BONES) -> np.ndarray:
    """Directions (T, K, 3) from the heads of the bones' parents to their own heads."""
    names = [name for name in bones if JOINTS[name][0]]
    found = np.stack([places[:, BONES.index(n)] - places[:, BONES.index(JOINTS[n][0])] for n in names], axis=1)
    return found / np.linalg.norm(found, axis=-1, keepdims=True)


def degrees(a: np.ndarray, b: np.ndarray) -> float:
    """Largest angle between unit vectors."""
    return float(np.degrees(2.0 * np.arcsin(0.5 * np.linalg.norm(a - b, axis=-1))).max())


def far(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.linalg.norm(a - b, axis=-1).max())


def test_bones_with_another_prefix_play_the_same(tmp_path: Path):
    armature, other = two(tmp_path, prefix="mixamorig1:")
    (made,) = conform("walk2")
    assert made.name == "walk2 on calm"
    assert far(shown(armature, made), shown(other, other.animation_data.action, "mixamorig1:")) < METRES


@pytest.mark.parametrize("at", [(0.0, 95.0, 0.0), (5.0, 91.0, -427.0), (700.0, 0.0, 0.0)])
def test_where_the_hips_rest_under_a_joint_on_top_does_not_matter(at: tuple[float, float, float], tmp_path: Path):
    up = {"axis_up": "Z", "axis_forward": "Y"}
    armature = imported(under_top(write_bvh(tmp_path / "calm.bvh", swing=20.0), (0.0, 90.0, 0.0)), **up)
    other = imported(under_top(write_bvh(tmp_path / "walk2.bvh"), at), **up)
    make_active(armature)
    (made,) = conform("walk2")
    wanted = played_frames(other, other.animation_data.action, FRAMES)[0]
    assert np.ptp(wanted[..., 2]) < 2.0 and far(played_frames(armature, made, FRAMES)[0], wanted) < METRES
    assert not made.verbs_adverbs.found


def test_where_the_objects_stand_and_face_does_not_matter(tmp_path: Path):
    armature, other = two(tmp_path, prefix="mixamorig1:")
    other.location, other.rotation_euler = (3.0, -2.0, 0.5), (0.0, 0.0, radians(70.0))
    armature.location, armature.rotation_euler = (-1.0, 4.0, 0.0), (0.0, 0.0, radians(-25.0))
    (made,) = conform("walk2")
    assert far(shown(armature, made), shown(other, other.animation_data.action, "mixamorig1:")) < METRES


def test_a_larger_figure_goes_with_larger_steps(tmp_path: Path):
    armature, other = two(tmp_path, scale=1.3)
    (made,) = conform("walk2")
    assert far(1.3 * shown(armature, made), shown(other, other.animation_data.action)) < METRES


def test_objects_of_other_scales_and_axes_play_the_same(tmp_path: Path):
    """Armatures from FBX files are scaled by 0.01 and turned by 90 degrees."""
    armature, other = two(tmp_path)
    expected = shown(other, other.animation_data.action)
    turn = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    matrix = np.eye(4)
    matrix[:3, :3] = 100.0 * turn
    armature.animation_data.action = None
    armature.data.transform(Matrix(matrix))
    armature.scale, armature.rotation_euler = (0.01, 0.01, 0.01), (radians(90.0), 0.0, 0.0)
    (made,) = conform("walk2")
    seen = 0.01 * shown(armature, made) @ turn
    assert far(seen, expected) < METRES


def test_bones_that_are_rolled_otherwise_play_the_same(tmp_path: Path):
    armature, other = two(tmp_path, prefix="b:")
    bpy.ops.object.mode_set(mode="EDIT")
    for row, bone in enumerate(armature.data.edit_bones):
        bone.roll += 0.7 * row
    bpy.ops.object.mode_set(mode="OBJECT")
    (made,) = conform("walk2")
    assert far(shown(armature, made), shown(other, other.animation_data.action, "b:")) < METRES


@pytest.mark.parametrize("mode", ["QUATERNION", "AXIS_ANGLE", "YZX"])
def test_bones_of_another_rotation_mode_play_the_same(tmp_path: Path, mode: str):
    armature, other = two(tmp_path, prefix="b:")
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    (made,) = conform("walk2")
    assert far(shown(armature, made), shown(other, other.animation_data.action, "b:")) < METRES


def test_other_proportions_keep_the_angles_and_put_the_hips_where_the_legs_have_them(tmp_path: Path):
    longer = {"LeftForeArm": (33.0, 0.0, 0.0), "LeftLeg": (0.0, -48.0, 0.0), "RightLeg": (0.0, -48.0, 0.0)}
    armature, other = two(tmp_path, offsets={**longer, "Head": (0.0, 30.0, 0.0)})
    (made,) = conform("walk2")
    seen, expected = shown(armature, made), shown(other, other.animation_data.action)
    assert degrees(ways(seen), ways(expected)) < DEGREES
    hips = [BONES.index(f"{side}UpLeg") for side in ("Left", "Right")]
    ratio = (40.0 + 38.0) / (48.0 + 38.0)
    assert far(seen[:, hips].mean(axis=1), ratio * expected[:, hips].mean(axis=1)) < METRES
    lengths = np.linalg.norm(seen[:, BONES.index("LeftForeArm")] - seen[:, BONES.index("LeftArm")], axis=-1)
    assert lengths == pytest.approx(0.28, abs=METRES)


def test_arms_that_hang_at_rest_point_where_those_that_are_stretched_out_do(tmp_path: Path):
    """The other's arms hang by 45 degrees at rest, and its keys turn them from there."""
    down = {"LeftForeArm": (20.0, -20.0, 0.0), "LeftHand": (18.0, -18.0, 0.0), "LeftHandMiddle1": (7.0, -7.0, 0.0)}
    down |= {"LeftHandIndex1": (6.4, -6.4, 2.0)}
    down |= {"RightForeArm": (-20.0, -20.0, 0.0), "RightHand": (-18.0, -18.0, 0.0)}
    armature, other = two(tmp_path, offsets=down)
    (made,) = conform("walk2")
    seen, expected = shown(armature, made), shown(other, other.animation_data.action)
    assert degrees(ways(seen, ARMS), ways(expected, ARMS)) < DEGREES
    legs = [name for name in BONES if "Leg" in name or "Foot" in name or "Toe" in name]
    assert far(seen[:, [BONES.index(n) for n in legs]], expected[:, [BONES.index(n) for n in legs]]) < METRES


def test_characters_of_two_fbx_files_play_the_same(tmp_path: Path):
    """Downloads of Mixamo: names with prefixes that differ, a scale of 0.01 and an object turned by 90 degrees."""
    biped = walking_biped()
    paths = write_mixamo_files(biped, [one.action for one in biped.verbs_adverbs.verbs[0].examples][:2], tmp_path)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    rigs = []
    for path in paths:
        bpy.ops.import_scene.fbx(filepath=str(path), anim_offset=0.0)
        rigs += [thing for thing in bpy.data.objects if thing.type == "ARMATURE" and thing not in rigs]
    armature, other = rigs
    for bone in other.data.bones:
        bone.name = bone.name.replace("mixamorig:", "mixamorig1:")
    make_active(armature)
    (made,) = conform(other.animation_data.action.name)
    names = [bone.name.partition(":")[2] for bone in armature.data.bones]
    seen = in_world(armature, shown(armature, made, "mixamorig:", names))
    expected = in_world(other, shown(other, other.animation_data.action, "mixamorig1:", names))
    assert far(seen, expected) < METRES
    assert np.ptp(seen, axis=0).max() > 1.0


def in_world(armature, places: np.ndarray) -> np.ndarray:
    """Places (T, J, 3) in the world of an armature whose object stands still."""
    matrix = np.array(armature.matrix_world)
    return places @ matrix[:3, :3].T + matrix[:3, 3]


def key_bone(armature, bone: str, prop: str, values: list[tuple[float, float, float]]) -> None:
    """Key a property of a bone at frames 1, 31 and 61."""
    for frame, value in zip((1, 31, 61), values, strict=True):
        setattr(armature.pose.bones[bone], prop, value)
        armature.pose.bones[bone].keyframe_insert(prop, frame=frame)


def test_bones_that_are_shifted_within_the_body_are_shifted_as_far_for_their_size(tmp_path: Path):
    armature, other = two(tmp_path, scale=1.3)
    key_bone(other, "LeftArm", "location", [(0.0, 0.1, 0.0), (0.2, 0.0, -0.1), (0.0, 0.0, 0.1)])
    bpy.ops.object.mode_set(mode="EDIT")
    for row, bone in enumerate(armature.data.edit_bones):
        bone.roll += 0.7 * row
    bpy.ops.object.mode_set(mode="OBJECT")
    (made,) = conform("walk2")
    assert far(1.3 * shown(armature, made), shown(other, other.animation_data.action)) < METRES


@pytest.mark.parametrize("assigned", [True, False])
def test_what_moves_the_other_object_moves_the_root(tmp_path: Path, assigned: bool):
    armature, other = two(tmp_path, prefix="b:")
    for frame, place, turn in ((1, (0.0, 0.0, 0.0), 0.0), (61, (2.0, 1.0, 0.3), 1.2)):
        other.location, other.rotation_euler = place, (0.0, 0.0, turn)
        other.keyframe_insert("location", frame=frame)
        other.keyframe_insert("rotation_euler", frame=frame)
    expected = shown(other, other.animation_data.action, "b:")
    matrices = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(int(frame))
        matrices.append(np.array(other.matrix_world))
    if not assigned:
        other.animation_data.action.use_fake_user = True
        other.animation_data.action = None
    world = np.einsum("tij,tkj->tki", np.array(matrices)[:, :3, :3], expected) + np.array(matrices)[:, None, :3, 3]
    (made,) = conform("walk2")
    assert far(shown(armature, made), world) < METRES


def test_constraints_of_the_other_armature_count(tmp_path: Path):
    armature, other = two(tmp_path, prefix="b:")
    held = other.pose.bones["b:LeftForeArm"].constraints.new("COPY_ROTATION")
    held.target, held.subtarget = other, "b:RightForeArm"
    (made,) = conform("walk2")
    assert far(shown(armature, made), shown(other, other.animation_data.action, "b:")) < METRES


def test_scales_that_are_animated_are_told(tmp_path: Path, capfd: pytest.CaptureFixture):
    _, other = two(tmp_path, prefix="b:")
    key_bone(other, "b:Head", "scale", [(1.0, 1.0, 1.0), (2.0, 1.0, 1.0), (1.0, 1.0, 1.0)])
    conform("walk2")
    told = capfd.readouterr().out
    assert "'walk2' also animates b:Head scale X: left out" in told


def test_bones_that_point_across_at_rest_are_told(tmp_path: Path, capfd: pytest.CaptureFixture):
    two(tmp_path, offsets={"LeftForeArm": (-28.0, 0.0, 0.0)})
    conform("walk2")
    assert (
        "In the rest poses of 'calm' and 'walk2', bones 'LeftArm', 'LeftForeArm' point in quite different"
        in capfd.readouterr().out
    )


def test_a_finger_more_or_less_is_told(tmp_path: Path, capfd: pytest.CaptureFixture):
    armature, other = two(tmp_path, more=PINKY, without=("LeftHandIndex1",))
    (made,) = conform("walk2")
    told = capfd.readouterr().out
    (sentence,) = (line.text for line in made.verbs_adverbs.found)
    assert sentence in told and sentence == (
        "Bone 'LeftHandPinky1' of 'walk2' is not in 'calm': left out; "
        "bone 'LeftHandIndex1' of 'calm' is not in 'walk2': not moved."
    )
    arm = BONES[:6]
    assert far(shown(armature, made, names=arm), shown(other, other.animation_data.action, names=arm)) < METRES


@pytest.mark.parametrize("bone", ["LeftUpLeg", "RightLeg", "Hips", "RightFoot"])
def test_without_a_thigh_shin_ankle_or_root_it_is_refused_by_the_bones_name(
    tmp_path: Path, capfd: pytest.CaptureFixture, bone: str
):
    _, other = two(tmp_path)
    other.data.bones[bone].name = "Thing"
    sentence = refused(bpy.ops.verbs_adverbs.actions_conform, capfd, choices=[{"name": "walk2", "chosen": True}])
    assert_says(sentence, f"'{bone}'", "'walk2'", "'calm'", "the same name")


def test_without_a_bone_inside_an_arm_all_others_are_turned_as_they_are(tmp_path: Path, capfd: pytest.CaptureFixture):
    armature, other = two(tmp_path, without=("LeftForeArm",))
    (made,) = conform("walk2")
    assert "Bone 'LeftForeArm' of 'calm' is not in 'walk2': not moved." in capfd.readouterr().out
    others = [name for name in BONES if not name.startswith(("LeftForeArm", "LeftHand"))]
    assert far(shown(armature, made, names=others), shown(other, other.animation_data.action, names=others)) < METRES


def test_if_one_of_several_cannot_be_copied_none_is(tmp_path: Path, capfd: pytest.CaptureFixture):
    armature, _ = two(tmp_path, prefix="a:")
    imported(write_bvh(tmp_path / "walk3.bvh", prefix="a:"))
    spoilt = imported(write_bvh(tmp_path / "walk4.bvh", prefix="a:")).animation_data.action
    part("bridge.blender.versions").curves_of(spoilt)[4].keyframe_points[3].co[1] = float("nan")
    make_active(armature)
    choices = [{"name": f"walk{number}", "chosen": True} for number in (2, 3, 4)]
    sentence = refused(bpy.ops.verbs_adverbs.actions_conform, capfd, choices=choices)
    assert_says(sentence, "'walk4'")
    assert not [action for action in bpy.data.actions if " on " in action.name]


def test_examples_of_the_action_come_along(tmp_path: Path):
    armature, other = two(tmp_path, prefix="a:")
    make_active(other)
    do("example_add", span="CUSTOM", start=16.0, end=46.0, kind="TRAVELLING", cyclic=True)
    bpy.context.scene.frame_set(31)
    do("keytime_add", name="L_down")
    do("contact_add", bone="a:LeftToeBase", end="HEAD")
    do("window_add", start=31.0, end=43.0, snap=False)
    do("value_set", adverb="energy", value=0.5)
    make_active(armature)
    (made,) = conform("walk2")
    (example,) = made.verbs_adverbs.examples
    assert [(keytime.name, keytime.frame) for keytime in example.keytimes][1] == ("L_down", 31.0)
    assert [(c.bone, c.end, c.windows[0].start, c.windows[0].end) for c in example.contacts] == [
        ("LeftToeBase", "HEAD", 31.0, 43.0)
    ]
    assert (example.kind, example.cyclic, example.values["energy"].value) == ("TRAVELLING", True, 0.5)
    assert other.animation_data.action.verbs_adverbs.examples[0].uid != example.uid


def test_without_another_armature_the_button_is_grey(tmp_path: Path):
    imported(write_bvh(tmp_path / "calm.bvh"))
    assert not bpy.ops.verbs_adverbs.actions_conform.poll()


def test_clips_of_two_armatures_become_one_verb(tmp_path: Path):
    armature, _ = two(tmp_path, prefix="mixamorig1:", more=PINKY, scale=0.9, swing=32.0)
    (made,) = conform("walk2")
    names = [armature.animation_data.action.name, made.name]
    do("keytimes_find", choices=[{"name": name, "chosen": True} for name in names], verb="walk")
    verb = armature.verbs_adverbs.verbs["walk"]
    assert [one.action.name for one in verb.examples] == names
    do("measure_travel")
    do("verb_build")
