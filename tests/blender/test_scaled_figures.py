"""FBX files that scale their figure above its armature or at its topmost bones."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.mixamo_file import curves_in, export, write_mixamo_files
from blender.stage import walking_biped
from mathutils import Vector

OPS = bpy.ops.verbs_adverbs
HUNDRED = 100.0


def written(folder: Path, count: int = 1) -> tuple[bpy.types.Object, list[bpy.types.Action]]:
    """A figure like Mixamo's that is in the file and in FBX files, with as many of its walks."""
    armature = walking_biped()
    actions = [one.action for one in armature.verbs_adverbs.verbs["walk"].examples][:count]
    folder.mkdir()
    write_mixamo_files(armature, actions, folder)
    return armature, actions


def carried(armature, action) -> None:
    """Let an empty of a hundredth carry the figure, which is as large as before."""
    empty = bpy.data.objects.new("group", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.scale, armature.parent = [1.0 / HUNDRED] * 3, empty
    armature.scale *= HUNDRED


def blown_up(armature, action) -> None:
    """Let the topmost bones scale the figure, which is as large as before."""
    armature.scale /= HUNDRED
    for bone in [bone for bone in armature.pose.bones if bone.parent is None]:
        place = f'pose.bones["{bone.name}"].location'
        rest = bone.bone.matrix_local.to_3x3().transposed() @ bone.bone.head_local
        bone.scale = [HUNDRED] * 3
        bone.keyframe_insert("scale", frame=1)
        for curve in [curve for curve in curves_in(action) if curve.data_path == place]:
            for key in curve.keyframe_points:
                key.co[1] = HUNDRED * (key.co[1] + rest[curve.array_index]) - rest[curve.array_index]
            curve.update()


def imported(folder: Path) -> bpy.types.Object:
    """Import a folder of files into an empty file."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    assert OPS.walks_import(directory=str(folder)) == {"FINISHED"}
    return bpy.context.object


def keytimes_and_heads(armature) -> tuple[list[float], list[Vector]]:
    """Frames of the keytimes of the first example, and where the bones are as the verb plays."""
    (example,) = armature.verbs_adverbs.verbs[0].examples[0].action.verbs_adverbs.examples
    bpy.context.view_layer.update()
    heads = [armature.matrix_world @ bone.head for bone in armature.pose.bones]
    return [keytime.frame for keytime in example.keytimes], heads


@pytest.mark.parametrize("change", [carried, blown_up])
def test_a_figure_that_something_else_scales_is_as_large_and_walks_as_its_own_object(change, extension, tmp_path: Path):
    armature, (action,) = written(tmp_path / "plain")
    change(armature, action)
    (tmp_path / "scaled").mkdir()
    export(tmp_path / "scaled" / f"{action.name}.fbx")
    frames, heads = keytimes_and_heads(imported(tmp_path / "plain"))
    armature = imported(tmp_path / "scaled")
    found, places = keytimes_and_heads(armature)
    assert found == pytest.approx(frames, abs=0.02)
    assert np.abs(np.array(places) - np.array(heads)).max() < 1e-3
    assert armature.parent is None and armature.scale[0] == pytest.approx(1.0 / HUNDRED, rel=1e-3)


def test_what_moves_above_an_armature_is_told(extension, tmp_path: Path):
    armature, (action,) = written(tmp_path / "plain")
    carried(armature, action)
    for frame in (1, 20):
        armature.parent.location.x = frame
        armature.parent.keyframe_insert("location", frame=frame)
    (tmp_path / "moved").mkdir()
    export(tmp_path / "moved" / "walk.fbx", bake_anim_use_all_bones=False)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with pytest.raises(RuntimeError, match=r"animates 'group', the parent of its armature"):
        OPS.walks_import(directory=str(tmp_path / "moved"))
