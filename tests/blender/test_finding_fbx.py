"""A character from an FBX file with the names, the scale of 0.01 and the object's 90 degrees of a Mixamo download."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.captured import find, played_frames
from blender.mixamo_file import CENTIMETRES, write_mixamo_files
from blender.stage import walking_biped
from verbs_adverbs.demo.operate import do

MIDDLE = np.arange(3.0, 24.0, 5.0)


def _mixamo_file(folder: Path) -> tuple[Path, list[float], list[str]]:
    """An FBX file of the biped as Mixamo has it with its first walk; frames and names of the walk's keytimes."""
    armature = walking_biped()
    action = armature.animation_data.action
    example = action.verbs_adverbs.examples[0]
    frames, names = [k.frame for k in example.keytimes], [k.name for k in example.keytimes]
    (path,) = write_mixamo_files(armature, [action], folder)
    return path, frames, names


def test_a_mixamo_character_has_its_keytimes_found_and_makes_a_verb(tmp_path: Path, tell):
    path, frames, names = _mixamo_file(tmp_path)
    fps = bpy.context.scene.render.fps
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.context.scene.render.fps = fps
    bpy.ops.import_scene.fbx(filepath=str(path), anim_offset=0.0)
    armature = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    bpy.context.view_layer.objects.active = armature
    action = armature.animation_data.action
    tell(f"  imported at scale {armature.scale[0]:g}, turned by {np.degrees(armature.rotation_euler[0]):.0f} degrees")
    assert armature.scale[0] == pytest.approx(1.0 / CENTIMETRES)
    find(action.name, verb="walk")
    (example,) = action.verbs_adverbs.examples
    assert [keytime.name for keytime in example.keytimes] == names
    later = np.subtract([keytime.frame for keytime in example.keytimes], frames)
    off = later - np.round(np.mean(later))  # the file begins at another whole frame
    tell(f"  a Mixamo walk: keytimes at most {np.abs(off).max():.2f} frames off")
    assert np.abs(off).max() <= 1.0
    assert {contact.bone for contact in example.contacts} == {"mixamorig:LeftToeBase", "mixamorig:RightToeBase"}
    seen = played_frames(armature, action, MIDDLE)[0]
    do("action_mirror")
    mirrored = played_frames(armature, bpy.data.actions[f"{action.name} mirrored"], MIDDLE)[0]
    rows = [[bone.name for bone in armature.pose.bones].index(f"mixamorig:{side}Hand") for side in ("Left", "Right")]
    left, right = (np.linalg.norm(np.diff(places[:, rows], axis=1), axis=-1) for places in (seen, mirrored))
    tell(f"  its hands are as far apart in the mirror, to {np.abs(left - right).max():.2g} cm")
    assert np.abs(left - right).max() < 1.0
    assert [r.action.name for r in armature.verbs_adverbs.verbs["walk"].examples] == [
        action.name,
        f"{action.name} mirrored",
    ]
