"""The example biped in a real Blender: its rest pose, its actions and its body."""

import importlib

import bpy
import numpy as np
import pytest
from blender.installed import MODULE


def part(name: str):
    return importlib.import_module(f"{MODULE}.{name}")


def generated_joints(motion) -> tuple[np.ndarray, np.ndarray]:
    """Heads and tails (T, J, 3) of all bones as the generator means them."""
    kinematics, figure = part("core.figure.skeleton"), part("core.biped.figure")
    quat = part("core.figure.quaternion")
    skeleton = figure.biped_skeleton()
    locations = np.zeros(motion.rotations.shape[:2] + (3,))
    locations[:, 0] = motion.root
    heads, orientations = kinematics.forward_kinematics(skeleton, motion.rotations, locations)
    return heads, heads + quat.rotate(orientations, skeleton.tails)


def played_joints(armature, times: np.ndarray, example) -> tuple[np.ndarray, np.ndarray]:
    heads, tails = [], []
    for time in times:
        frame = example.frame(float(time))
        bpy.context.scene.frame_set(int(np.floor(frame)), subframe=frame - np.floor(frame))
        bones = [armature.pose.bones[bone.name] for bone in part("core.biped.figure").BONES]
        heads.append([tuple(armature.matrix_world @ bone.head) for bone in bones])
        tails.append([tuple(armature.matrix_world @ bone.tail) for bone in bones])
    return np.array(heads), np.array(tails)


@pytest.fixture
def armature():
    return part("bridge.authoring.biped").add_biped(bpy.context)


def test_its_bones_are_shown_before_its_solid_body_to_be_picked(armature):
    assert armature.show_in_front and armature.data.display_type == "STICK"


def test_the_rest_pose_is_the_one_of_the_data(armature):
    figure = part("core.biped.figure")
    quat = part("core.figure.quaternion")
    for bone, orientation in zip(figure.BONES, figure.rest_orientations(), strict=True):
        rest = armature.data.bones[bone.name]
        assert np.allclose(rest.head_local, bone.head, atol=1e-6)
        assert np.allclose(rest.tail_local, bone.tail, atol=1e-6)
        assert np.allclose(rest.matrix_local.to_3x3(), quat.to_matrix(orientation), atol=1e-5)
        assert (rest.parent.name if rest.parent else "") == bone.parent


@pytest.mark.parametrize("adverbs", [(0, 0, 0), (-1, 1, 0), (1, 0, -1)], ids=str)
def test_a_walk_plays_back_as_generated(armature, adverbs):
    biped, gait = part("bridge.authoring.biped"), part("core.biped.walk")
    motion = gait.walk(*adverbs, rate=24.0)
    example = biped.write_action(armature, motion, 24.0)
    expected_heads, expected_tails = generated_joints(motion)
    heads, tails = played_joints(armature, motion.times, example)
    assert np.max(np.abs(heads - expected_heads)) < 1e-4
    assert np.max(np.abs(tails - expected_tails)) < 1e-4


def test_a_wave_plays_back_as_generated(armature):
    biped, gesture = part("bridge.authoring.biped"), part("core.biped.standing")
    motion = gesture.wave(1.0, 1.0, rate=30.0)
    example = biped.write_action(armature, motion, 30.0, first_frame=10.0)
    heads, _ = played_joints(armature, motion.times, example)
    assert np.max(np.abs(heads - generated_joints(motion)[0])) < 1e-4


def test_the_example_walks_are_kept_and_the_plain_one_plays(armature):
    examples = part("bridge.authoring.biped").walk_actions(armature, 24.0)
    assert len({example.action.name for example in examples}) == len(part("core.biped.walk").WALK_EXAMPLES)
    assert all(example.action.use_fake_user for example in examples)
    assert armature.animation_data.action == examples[0].action
    curves = part("bridge.blender.versions").curves_of(examples[0].action, armature)
    assert len(curves) == 3 + 4 * len(armature.pose.bones)
    assert {curve.group.name for curve in curves} == {bone.name for bone in armature.pose.bones}


def test_the_body_follows_its_bones(armature):
    body = armature.children[0]
    examples = part("bridge.authoring.biped").walk_actions(armature, 24.0)
    bpy.context.scene.frame_set(int(examples[0].first_frame) + 8)
    evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.array([evaluated.matrix_world @ vertex.co for vertex in evaluated.data.vertices])
    groups = np.array([vertex.groups[0].group for vertex in body.data.vertices])
    for bone in armature.pose.bones:
        mine = points[groups == body.vertex_groups[bone.name].index]
        middle = np.array(armature.matrix_world @ (0.5 * (bone.head + bone.tail)))
        assert np.linalg.norm(np.mean(mine, axis=0) - middle) < 0.02
    assert points[:, 2].min() > -0.03


def test_the_biped_is_added_at_the_cursor_and_is_the_active_object():
    bpy.context.scene.cursor.location = (1.0, 2.0, 3.0)
    armature = part("bridge.authoring.biped").add_biped(bpy.context)
    assert bpy.context.object == armature
    assert bpy.context.selected_objects == [armature]
    assert tuple(armature.location) == (1.0, 2.0, 3.0)
    assert bpy.context.mode == "OBJECT"
