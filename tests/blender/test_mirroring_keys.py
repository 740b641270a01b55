"""Keys of mirrored actions: as few as the old action has, where that shows the same."""

import bpy
import numpy as np
from blender.bridge_scenes import put_keys
from blender.captured import played_frames
from blender.stage import part, walking_biped
from blender.test_mirroring import in_the_mirror
from mathutils import Matrix
from verbs_adverbs.demo.operate import do

KEYED = (1.0, 9.0, 14.0, 30.0)
BETWEEN = np.arange(1.0, 30.0, 0.5)
METRES = 1e-4


def _keyed_by_hand(armature) -> bpy.types.Action:
    """A few poses with smooth curves between them, a turned hand and a key that is held among them."""
    action, rng = bpy.data.actions.new("By hand"), np.random.default_rng(3)
    for bone in ("Hips", "Chest", "UpperArm_L", "UpperArm_R"):
        path = f'pose.bones["{bone}"].'
        if bone == "Hips":
            put_keys(armature, action, path + "location", KEYED, rng.normal(0.0, 0.2, (len(KEYED), 3)))
        if bone == "Chest":
            versions = part("bridge.blender.versions")
            curve = versions.fcurve_ensure(versions.bag_for_write(armature, action), path + "scale", 2, bone)
            for frame, value in zip(KEYED, rng.normal(1.0, 0.1, len(KEYED)), strict=True):
                curve.keyframe_points.insert(frame, value)
        put_keys(
            armature, action, path + "rotation_quaternion", KEYED, np.eye(4)[0] + rng.normal(0.0, 0.3, (len(KEYED), 4))
        )
    for curve in _curves(armature, action):
        for point, kind in zip(curve.keyframe_points, ("BEZIER", "CONSTANT", "BEZIER", "LINEAR"), strict=True):
            point.interpolation, point.handle_left_type, point.handle_right_type = kind, "AUTO", "AUTO_CLAMPED"
        curve.update()
    return action


def _curves(armature, action: bpy.types.Action) -> list[bpy.types.FCurve]:
    return list(part("bridge.blender.versions").bag_for_write(armature, action).fcurves)


def test_few_keys_stay_few_in_the_mirror_and_show_the_same_between_them():
    armature = walking_biped()
    action = _keyed_by_hand(armature)
    for bone in armature.pose.bones:
        bone.matrix_basis = Matrix()
    armature.animation_data.action = action
    do("action_mirror")
    made = bpy.data.actions["By hand mirrored"]
    expected = in_the_mirror(armature, played_frames(armature, action, BETWEEN)[0])
    assert np.abs(played_frames(armature, made, BETWEEN)[0] - expected).max() < METRES
    for curve in _curves(armature, made):
        frames = [point.co[0] for point in curve.keyframe_points]
        assert frames == list(KEYED) or len(frames) == 1, (curve.data_path, frames)
    kinds = {point.interpolation for curve in _curves(armature, made) for point in curve.keyframe_points}
    assert kinds == {"BEZIER", "CONSTANT", "LINEAR"}
