"""A bake survives export and import: glTF, FBX and USD bring back the same joints, of a walk and of a performance."""

import bpy
import numpy as np
import pytest
from blender.performance import OPS, begin_with, biped_with_graph
from blender.stage import go_to, joints_of, walking_biped

MILLIMETRE = 1e-3
FPS, LAST = 24, 40


def _export_gltf(path: str) -> None:
    bpy.ops.export_scene.gltf(
        filepath=path, export_format="GLB", use_selection=True, export_animation_mode="SCENE",
        export_optimize_animation_size=False, export_force_sampling=True,
    )  # fmt: skip


def _export_fbx(path: str) -> None:
    bpy.ops.export_scene.fbx(
        filepath=path, use_selection=True, object_types={"ARMATURE"}, bake_anim_use_all_actions=False,
        bake_anim_use_nla_strips=False, bake_anim_simplify_factor=0.0, add_leaf_bones=False,
    )  # fmt: skip


def _export_usd(path: str) -> None:
    bpy.ops.wm.usd_export(filepath=path, selected_objects_only=True, export_animation=True, export_armatures=True)


FORMATS = {
    "glb": (_export_gltf, lambda path: bpy.ops.import_scene.gltf(filepath=path)),
    "fbx": (_export_fbx, lambda path: bpy.ops.import_scene.fbx(filepath=path)),
    "usdc": (_export_usd, lambda path: bpy.ops.wm.usd_import(filepath=path)),
}
"""How each format is written and read, by the ending of its files."""


def joints(armature, frames, names=None) -> np.ndarray:
    """Places of the joints (T, J, 3) in the world; bones in the order of their names, which USD writes otherwise."""
    found, names = [], sorted(armature.pose.bones.keys() if names is None else names)
    for frame in frames:
        go_to(float(frame))
        found.append(joints_of(armature, names))
    return np.array(found)


def select(armature) -> None:
    for candidate in bpy.context.view_layer.objects:
        candidate.select_set(candidate == armature or candidate.parent == armature)
    bpy.context.view_layer.objects.active = armature


def brought_back(ending: str, path: str):
    """Export the selected armature, and import it into an empty file."""
    write, read = FORMATS[ending]
    write(path)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.context.scene.render.fps = FPS
    read(path)
    bpy.context.scene.render.fps = FPS
    return next(candidate for candidate in bpy.data.objects if candidate.type == "ARMATURE")


def baked_walk(mode: str):
    armature = walking_biped()
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    OPS.director_add()
    armature.verbs_adverbs.director["mood"] = 0.6
    armature.verbs_adverbs.director["turn"] = 0.5
    OPS.bake(length="RANGE", frame_start=1.0, frame_end=float(LAST))
    return armature


def baked_performance(_mode: str):
    armature = biped_with_graph()
    begin_with(armature, "walk")
    assert OPS.command_add(verb="stand", frame=14.0) == {"FINISHED"}
    assert OPS.bake_performance(frame_start=1, frame_end=LAST, assign=True) == {"FINISHED"}
    return armature


@pytest.mark.parametrize(
    ("bake", "mode"),
    [(baked_walk, "QUATERNION"), (baked_walk, "XYZ"), (baked_performance, "QUATERNION")],
    ids=["walk by quaternions", "walk by Euler angles", "performance"],
)
@pytest.mark.parametrize("ending", FORMATS)
def test_joints_come_back(bake, mode, ending, tmp_path):
    armature = bake(mode)
    scene, frames = bpy.context.scene, np.arange(1, LAST + 1)
    scene.frame_start, scene.frame_end = 1, LAST
    before, names = joints(armature, frames), sorted(armature.pose.bones.keys())
    assert np.linalg.norm(before[-1] - before[0], axis=-1).min() > 0.3, "the root travels"
    select(armature)
    back = brought_back(ending, str(tmp_path / f"baked.{ending}"))
    first = back.animation_data.action.frame_range[0]
    after = joints(back, frames - 1 + first, names)
    assert np.linalg.norm(after - before, axis=-1).max() < MILLIMETRE


@pytest.mark.parametrize("ending", FORMATS)
def test_keys_between_frames_are_sampled_at_frames(ending, tmp_path):
    armature = walking_biped()
    assert OPS.bake(length="RANGE", frame_start=1.0, frame_end=21.0, step=0.5, assign=True) == {"FINISHED"}
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 21
    before, names, frames = joints(armature, np.arange(1, 22)), sorted(armature.pose.bones.keys()), np.arange(21)
    select(armature)
    back = brought_back(ending, str(tmp_path / f"baked.{ending}"))
    action = back.animation_data.action
    after = joints(back, frames + action.frame_range[0], names)
    assert np.linalg.norm(after - before, axis=-1).max() < MILLIMETRE
    assert action.frame_range[1] - action.frame_range[0] == pytest.approx(20.0)
    assert max(len(curve.keyframe_points) for curve in curves(back)) <= 21


@pytest.mark.parametrize("ending", FORMATS)
def test_cycles_that_modifiers_repeat_are_keys_as_far_as_the_scene_goes(ending, tmp_path):
    armature = walking_biped()
    assert OPS.bake(length="CYCLES", cycles=1, frame_start=1.0, assign=True) == {"FINISHED"}
    assert any(curve.modifiers for curve in curves(armature))
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 75
    before, names, frames = joints(armature, np.arange(1, 76)), sorted(armature.pose.bones.keys()), np.arange(75)
    select(armature)
    back = brought_back(ending, str(tmp_path / f"baked.{ending}"))
    assert not any(curve.modifiers for curve in curves(back))
    after = joints(back, frames + back.animation_data.action.frame_range[0], names)
    assert np.linalg.norm(after - before, axis=-1).max() < MILLIMETRE


def curves(armature) -> list:
    from blender.stage import part

    return part("bridge.blender.versions").curves_of(armature.animation_data.action, armature)
