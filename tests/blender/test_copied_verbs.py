"""Verbs copied to an armature with other names of bones and other proportions build and play without complaint."""

import bpy
import numpy as np
from blender.action_hash import digests
from blender.renaming import OPS, active_biped, shown
from blender.stage import part
from mathutils import Matrix

CALLED = {
    "Hips": "pelvis", "Spine": "spine_01", "Chest": "spine_02", "Neck": "neck_01", "Head": "head",
    "Shoulder": "clavicle", "UpperArm": "upperarm", "LowerArm": "lowerarm", "Hand": "hand",
    "UpperLeg": "thigh", "LowerLeg": "calf", "Foot": "foot", "Toe": "ball",
}  # fmt: skip


def other_rig(size: float = 1.2):
    """Return another, larger armature with longer arms whose bones have the names of another kind of rig."""
    bpy.ops.object.select_all(action="DESELECT")
    assert OPS.add_biped(walk=False) == {"FINISHED"}
    other = bpy.context.object
    other.name = "Tall"
    other.data.transform(Matrix.Scale(size, 4))
    for bone in other.data.bones:
        part_of, side = (bone.name[:-2], bone.name[-2:].lower()) if bone.name[-2] == "_" else (bone.name, "")
        bone.name = CALLED.get(part_of, part_of) + side
    return other


def test_all_of_a_biped_s_verbs_play_on_a_rig_with_other_names_and_proportions():
    armature = active_biped()
    print([bone.name for bone in armature.data.bones])
    kept = digests()
    before = shown(armature, "walk")
    other = other_rig()
    print([bone.name for bone in other.data.bones])
    assert OPS.verbs_copy(source=armature.name) == {"FINISHED"}
    own = other.verbs_adverbs
    assert [verb.name for verb in own.verbs] == [verb.name for verb in armature.verbs_adverbs.verbs]
    for verb in own.verbs:
        built = part("bridge.build.verbs").built_for(other, verb)
        assert [line.text for line in built.lines if line.kind != "INFO"] == [], verb.name
    assert [used.bone for used in own.verbs["reach"].adverbs] == ["hand_r"] * 3
    assert [bone.text for bone in own.layers[0].bones] == ["clavicle_r"]
    assert own.root == "pelvis" and {foot.ankle for foot in own.feet} == {"foot_l", "foot_r"}
    assert {name: value for name, value in digests().items() if name in kept} == kept
    seen = shown(other, "walk")
    ways = seen[:, 1:, :3, 3] - seen[:, :1, :3, 3], before[:, 1:, :3, 3] - before[:, :1, :3, 3]
    assert np.abs(ways[0] - 1.2 * ways[1]).max() < 5e-3
