"""Keytimes found on control rigs, whose feet are moved by constraints: in the pose that Blender shows."""

import bpy
import numpy as np
import pytest
from blender.captured import find, played_frames
from blender.control_rig import FPS, part
from blender.rigify_rig import key_rigify_walk, make_rigify
from verbs_adverbs.demo.operate import do

FRAMES = 1.0


@pytest.mark.parametrize("in_place", [False, True])
def test_keytimes_of_a_rigify_walk_are_found(in_place: bool, tell):
    armature = make_rigify()
    bpy.context.scene.render.fps = round(FPS)
    written = key_rigify_walk(armature, part("core.motion.gait").walk(0.0, rate=FPS), in_place=in_place)
    objects, scenes = len(bpy.data.objects), len(bpy.data.scenes)
    find(written.action.name, verb="walk")
    (example,) = written.action.verbs_adverbs.examples
    assert [keytime.name for keytime in example.keytimes] == list(written.generated.keytime_names)
    wanted = [written.frame(float(seconds)) for seconds in written.generated.keytimes]
    off = [keytime.frame - frame for keytime, frame in zip(example.keytimes, wanted, strict=True)]
    tell(f"  Rigify{' in place' if in_place else ''}: keytimes at most {np.abs(off).max():.2f} frames off")
    assert np.abs(off).max() <= FRAMES
    assert example.kind == ("IN_PLACE" if in_place else "TRAVELLING")
    assert (len(bpy.data.objects), len(bpy.data.scenes)) == (objects, scenes)


def test_a_rigify_walk_in_the_mirror_has_its_feet_on_the_other_side():
    armature = make_rigify()
    bpy.context.scene.render.fps = round(FPS)
    written = key_rigify_walk(armature, part("core.motion.gait").walk(0.0, rate=FPS))
    find(written.action.name)
    do("action_mirror")
    made = bpy.data.actions[f"{written.action.name} mirrored"]
    frames = np.arange(6.0, 26.0, 5.0)
    names = [bone.name for bone in armature.pose.bones]
    rows = [[names.index(f"DEF-foot.{side}") for side in order] for order in ("LR", "RL")]
    seen = played_frames(armature, made, frames)[0][:, rows[0]]
    expected = played_frames(armature, written.action, frames)[0][:, rows[1]] * np.array([-1.0, 1.0, 1.0])
    assert np.abs(seen - expected).max() < 0.02
