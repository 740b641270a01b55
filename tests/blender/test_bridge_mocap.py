"""Captured motion, imported by Blender, is read to a hundredth of a millimetre."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.bridge_scenes import MODES, angle, bridge, in_mode, joints_of, put_keys, seen_joints, take_of

HUNDREDTH_OF_A_MILLIMETRE = 1e-5
TAKES = (
    "locomotion/bn2_walk-turn-left_active_015.bvh",
    "locomotion/bn2_run_exhausted_001.bvh",
    "gesture/bn2_raise-up-right-hand_normal_053.bvh",
    "gesture/bn1_bow_normal_001.bvh",
    "locomotion/bn1_walk_normal_002_loop_x2.bvh",
    "locomotion/bn1_walk-back_normal_001_loop_x2.bvh",
)


def import_take(folder: Path, name: str, **options: object) -> bpy.types.Object:
    """Import one take, walking along -Y in metres, and return its armature."""
    bpy.ops.import_anim.bvh(filepath=str(folder / name), global_scale=0.01, **options)
    return bpy.context.object


@pytest.mark.parametrize("name", TAKES)
def test_captured_joints_are_where_blender_shows_them(mocap: Path, name: str):
    armature = import_take(mocap, name)
    action = armature.animation_data.action
    first, last = bridge.data.annotate.key_range(action)
    channels, take, complaints = take_of(armature, action, first + 5.0, last - 5.0)
    frames = take.times * 30.0 + first + 5.0
    assert complaints == ()
    error = np.abs(joints_of(channels, take) - seen_joints(armature, channels, frames))
    assert error.max() < HUNDREDTH_OF_A_MILLIMETRE


@pytest.mark.parametrize(("name", "root"), [(TAKES[0], "Hips"), (TAKES[2], "Hips"), (TAKES[4], "joint_Root")])
def test_the_root_of_captured_motion_is_where_the_travel_is(mocap: Path, name: str, root: str):
    armature = import_take(mocap, name)
    channels, _, _ = take_of(armature, armature.animation_data.action, 5.0, 40.0)
    assert channels.skeleton.names[0] == root


def test_travel_above_the_hips_is_part_of_their_motion(mocap: Path):
    armature = import_take(mocap, TAKES[4])
    action = armature.animation_data.action
    channels, take, _ = take_of(armature, action, 4.0, 54.0, "Hips")
    seen = seen_joints(armature, channels, take.times * 30.0 + 4.0)
    assert np.ptp(take.root[:, 1]) > 2.0
    assert np.abs(joints_of(channels, take) - seen).max() < HUNDREDTH_OF_A_MILLIMETRE


@pytest.mark.parametrize("mode", MODES)
def test_captured_motion_in_any_encoding_at_its_worst_gives_the_same_take(mocap: Path, mode: str):
    armature = import_take(mocap, TAKES[0])
    action = armature.animation_data.action
    channels, expected, _ = take_of(armature, action, 21.0, 47.0)
    names, frames, rng = channels.skeleton.names, np.arange(1.0, 68.0), np.random.default_rng(9)
    whole = take_of(armature, action, 4.0, 64.0)[1]
    other = bpy.data.actions.new("other encoding")
    for row, joint in enumerate(channels.rotating[1:], start=1):
        armature.pose.bones[names[joint]].rotation_mode = mode
        prop = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")
        values = in_mode(whole.rotations[:, row], mode, rng)
        put_keys(armature, other, f'pose.bones["{names[joint]}"].{prop}', frames, values)
    _, take, _ = take_of(armature, other, 21.0, 47.0, "Hips")
    assert angle(take.rotations[:, 1:], expected.rotations[:, 1:]) < 0.1
