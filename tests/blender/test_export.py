"""A bake survives export and import: glTF and FBX bring back the same joints."""

import bpy
import numpy as np
import pytest
from blender.stage import go_to, joints_of, part, walking_biped

MILLIMETRE = 1e-3


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


def _joints(armature, names, frames) -> np.ndarray:
    found = []
    for frame in frames:
        go_to(float(frame))
        found.append(joints_of(armature, names))
    return np.array(found)


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ"])
@pytest.mark.parametrize(
    ("export", "read", "ending"),
    [(_export_gltf, "gltf", "glb"), (_export_fbx, "fbx", "fbx")],
    ids=["gltf", "fbx"],
)
def test_joints_come_back(export, read, ending, mode, tmp_path):
    armature = walking_biped()
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    bpy.ops.verbs_adverbs.director_add()
    armature.verbs_adverbs.director["mood"] = 0.6
    armature.verbs_adverbs.director["turn"] = 0.5
    bpy.ops.verbs_adverbs.bake(length="RANGE", frame_start=1.0, frame_end=40.0)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 40
    names, frames = list(armature.pose.bones.keys()), np.arange(1, 41)
    before = _joints(armature, names, frames)
    for candidate in bpy.context.view_layer.objects:
        candidate.select_set(candidate == armature)
    path = str(tmp_path / f"walk.{ending}")
    export(path)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.context.scene.render.fps = 24
    getattr(bpy.ops.import_scene, read)(filepath=path)
    back = next(candidate for candidate in bpy.data.objects if candidate.type == "ARMATURE")
    first = back.animation_data.action.frame_range[0]
    after = _joints(back, names, frames - 1 + first)
    assert np.linalg.norm(after - before, axis=-1).max() < MILLIMETRE
    assert part("core.errors")
