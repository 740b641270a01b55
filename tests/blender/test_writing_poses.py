"""Poses written frame by frame and keys written in bulk: what Blender then shows is what was written."""

import bpy
import numpy as np
import pytest
from blender.stage import part, pose_of

BONES = 8
MODES = ("QUATERNION", "AXIS_ANGLE", "XYZ", "YXZ", "ZYX")


def _star(order: np.ndarray):
    """An armature of a bone and its children, made in the given order of the joints."""
    armature = bpy.data.objects.new("Chain", bpy.data.armatures.new("Chain"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    made = {int(joint): armature.data.edit_bones.new(f"joint {joint}") for joint in order}
    for joint, bone in made.items():
        bone.head, bone.tail = (0.0, 0.1 * joint, 0.0), (0.0, 0.1 * (joint + 1), 0.0)
        bone.parent = made[0] if joint else None
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def _channels():
    skeletons, quat = part("core.figure.skeleton"), part("core.figure.quaternion")
    names, rests = tuple(f"joint {joint}" for joint in range(BONES)), np.tile(quat.IDENTITY, (BONES, 1))
    tails = np.tile([0.0, 0.1, 0.0], (BONES, 1))
    offsets = tails * np.arange(BONES)[:, None]
    skeleton = skeletons.Skeleton(names, np.minimum(np.arange(BONES), 1) - 1, offsets, rests, tails)
    return part("core.figure.channels").Channels(skeleton, np.arange(BONES), (), rests)


def _values(rows: int) -> np.ndarray:
    rng = np.random.default_rng(7)
    rotations = rng.normal(size=(rows, BONES, 4))
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    return np.concatenate([rng.normal(size=(rows, 6)), rotations.reshape(rows, -1)], axis=1)


def _differs(armature, channels, row: np.ndarray) -> float:
    """Largest difference between the bones' matrices as shown and those of a row of values."""
    armature.update_tag(refresh={"OBJECT"})
    bpy.context.view_layer.update()
    shown = pose_of(armature)[[armature.pose.bones.find(f"joint {joint}") for joint in range(BONES)]]
    places, turns = part("core.figure.channels").world_frames(channels, row[None])
    matrices = part("core.figure.quaternion").to_matrix(turns[0])
    return max(np.abs(shown[:, :3, 3] - places[0]).max(), np.abs(shown[:, :3, :3] - matrices).max())


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_pose_shows_alike_whatever_the_rotation_modes_and_the_order_of_bones(
    extension, mode: str, mixed: bool, seed: int
):
    order = np.arange(BONES) if seed == 0 else np.append(0, 1 + np.random.default_rng(seed).permutation(BONES - 1))
    armature, channels, values = _star(order), _channels(), _values(3)
    for joint, bone in enumerate(armature.pose.bones):
        bone.rotation_mode = MODES[joint % len(MODES)] if mixed else mode
    plan = part("bridge.action.write_pose").make_plan(armature, channels)
    writer = part("bridge.action.write_pose").LiveWriter(plan)
    for row in values:
        writer.write_row(armature, row)
        assert _differs(armature, channels, row) < 1e-5


def test_all_curves_that_are_written_anew_are_played_at_once(extension):
    armature, channels, frames = _star(np.arange(BONES)), _channels(), np.arange(1.0, 6.0)
    plan, tracks = part("bridge.action.write_pose").make_plan(armature, channels), part("bridge.action.tracks")
    bag = part("bridge.blender.versions").bag_for_write(armature, bpy.data.actions.new("Played"))
    scene, many = bpy.context.scene, _values(10)
    scene.frame_set(3)
    for values in (many[:5], many[5:], np.repeat(many[:1], 5, axis=0)):
        tracks.write_tracks(bag, tracks.tracks_of(plan, values, frames))
        armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
        scene.frame_set(3)
        assert _differs(armature, channels, values[2]) < 1e-5


def test_keys_for_someone_to_edit_have_their_handles_in_place(extension):
    armature, channels, frames = _star(np.arange(BONES)), _channels(), np.arange(1.0, 6.0)
    plan, tracks = part("bridge.action.write_pose").make_plan(armature, channels), part("bridge.action.tracks")
    bag = part("bridge.blender.versions").bag_for_write(armature, bpy.data.actions.new("Baked"))
    for curve in tracks.write_tracks(bag, tracks.tracks_of(plan, _values(5), frames), handles=True):
        for key in curve.keyframe_points:
            assert key.handle_left.x < key.co.x < key.handle_right.x
