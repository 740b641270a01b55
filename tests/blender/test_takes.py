"""FBX files of several takes: all of them come in, by their own names."""

from pathlib import Path

import bpy
import pytest
from blender.mixamo_file import export, write_mixamo_files
from blender.stage import walking_biped

OPS = bpy.ops.verbs_adverbs


def test_all_takes_of_a_file_come_in_by_their_names(extension, tmp_path: Path):
    armature = walking_biped()
    actions = [one.action for one in armature.verbs_adverbs.verbs["walk"].examples][:3]
    (tmp_path / "plain").mkdir()
    write_mixamo_files(armature, actions, tmp_path / "plain")
    (tmp_path / "takes").mkdir()
    export(tmp_path / "takes" / "all.fbx", bake_anim_use_all_actions=True)
    walks = {action.name for action in actions}
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    assert OPS.walks_import(directory=str(tmp_path / "takes")) == {"FINISHED"}
    assert {one.action.name for one in bpy.context.object.verbs_adverbs.verbs["walk"].examples} >= walks


def test_a_file_of_two_figures_that_move_is_refused_with_their_names(extension, tmp_path: Path):
    armature = walking_biped()
    (action,) = [one.action for one in armature.verbs_adverbs.verbs["walk"].examples][:1]
    (tmp_path / "plain").mkdir()
    write_mixamo_files(armature, [action], tmp_path / "plain")
    other = armature.copy()
    bpy.context.scene.collection.objects.link(other)
    other.name = "Other"
    other.animation_data.action = action
    (tmp_path / "two").mkdir()
    export(tmp_path / "two" / "two.fbx")
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with pytest.raises(RuntimeError, match="contains 2 moving figures: '.*', '.*'"):
        OPS.walks_import(directory=str(tmp_path / "two"))
