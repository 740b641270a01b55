"""Verbs copied to an armature with other names of bones and other proportions build and play without complaint."""

import bpy
import numpy as np
import pytest
from blender.action_hash import digests
from blender.figurine import assert_says, delete_bone, everything, refused
from blender.renaming import OPS, active_biped, shown
from blender.stage import part
from mathutils import Matrix

LEGS = ("UpperLeg", "LowerLeg", "Foot")
CALLED = {
    "Hips": "pelvis", "Spine": "spine_01", "Chest": "spine_02", "Neck": "neck_01", "Head": "head",
    "Shoulder": "clavicle", "UpperArm": "upperarm", "LowerArm": "lowerarm", "Hand": "hand",
    "UpperLeg": "thigh", "LowerLeg": "calf", "Foot": "foot", "Toe": "ball",
}  # fmt: skip


SIZE = 1.2
FAR = 5e-3


def other_rig():
    """Return another, larger armature with longer arms, whose bones have the names of another kind of rig."""
    bpy.ops.object.select_all(action="DESELECT")
    assert OPS.add_biped(walk=False) == {"FINISHED"}
    other = bpy.context.object
    other.name = "Tall"
    other.data.transform(Matrix.Scale(SIZE, 4))
    bpy.ops.object.mode_set(mode="EDIT")
    for side in "LR":
        lower, hand = (other.data.edit_bones[f"{name}_{side}"] for name in ("LowerArm", "Hand"))
        longer = 0.3 * (lower.tail - lower.head)
        lower.tail, hand.head, hand.tail = lower.tail + longer, hand.head + longer, hand.tail + longer
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in other.data.bones:
        part_of, side = (bone.name[:-2], bone.name[-2:].lower()) if bone.name[-2] == "_" else (bone.name, "")
        bone.name = CALLED.get(part_of, part_of) + side
    return other


@pytest.mark.long
def test_all_of_a_biped_s_verbs_play_on_a_rig_with_other_names_and_proportions():
    armature = active_biped()
    kept = digests()
    before = shown(armature, "walk")
    other = other_rig()
    armature.verbs_adverbs.active_verb = 1
    assert OPS.verbs_copy(source=armature.name) == {"FINISHED"}
    own = other.verbs_adverbs
    assert [verb.name for verb in own.verbs] == [verb.name for verb in armature.verbs_adverbs.verbs]
    assert own.active_verb == 1
    for verb in own.verbs:
        built = part("bridge.authoring.verbs").built_for(other, verb)
        assert [line.text for line in built.lines if line.kind != "INFO"] == [], verb.name
    assert [used.bone for used in own.verbs["reach"].adverbs] == ["hand_r"] * 3
    assert [bone.text for bone in own.layers[0].bones] == ["clavicle_r"]
    assert own.root == "pelvis" and {foot.ankle for foot in own.feet} == {"foot_l", "foot_r"}
    assert {name: value for name, value in digests().items() if name in kept} == kept
    legs = [row for row, bone in enumerate(armature.data.bones) if bone.name.startswith(LEGS)]
    ways = [seen[:, legs][..., :3, 3] - seen[:, :1, :3, 3] for seen in (shown(other, "walk"), before)]
    assert np.abs(ways[0] - SIZE * ways[1]).max() < FAR


def test_what_does_not_correspond_is_named_and_nothing_is_left_behind(capfd):
    armature = active_biped()
    other = other_rig()
    other.data.bones["foot_l"].name = "foot_l.end"
    delete_bone(other, "hand_r")
    source = {"source": armature.name}
    assert_says(refused(OPS.verbs_copy, capfd, **source), "no bone that corresponds to", "'Hand_R'", "Biped")
    assert_says(refused(OPS.verbs_copy, capfd, source="Nobody"), "no armature 'Nobody'")
    assert_says(refused(OPS.verbs_copy, capfd, source=other.name), "already has these verbs")


def test_a_copy_that_is_refused_at_the_end_leaves_all_that_is_stored_as_it_was(capfd):
    """The keytime is missed when the reach is measured anew, after everything has been written."""
    armature, other = active_biped(), other_rig()
    for used in armature.verbs_adverbs.verbs["reach"].adverbs:
        used.keytime = "nowhere"
    assert_says(refused(OPS.verbs_copy, capfd, source=armature.name), "has no keytime 'nowhere'")
    own = other.verbs_adverbs
    assert (own.next_number, len(own.bone_names.seen), len(own.verbs), len(own.adverbs)) == (1, 0, 0, 0)


def layer_on_collection(armature, bones: tuple[str, ...]) -> None:
    """Let the biped's layer move a bone collection, and not what hangs on its bones."""
    made = armature.data.collections.new("Waving")
    for bone in bones:
        made.assign(armature.data.bones[bone])
    armature.verbs_adverbs.layers[0].collection = "Waving"


@pytest.mark.parametrize("there", ["alike", "wider"])
def test_a_layer_on_a_bone_collection_moves_no_other_bones_on_another_rig(there, capfd):
    armature = active_biped()
    layer_on_collection(armature, ("Chest", "UpperArm_R", "LowerArm_R"))
    other = other_rig()
    alike = ("spine_02", "upperarm_r", "lowerarm_r")
    theirs = other.data.collections.new("Waving")
    for bone in (*alike, *(("spine_01",) if there == "wider" else ())):
        theirs.assign(other.data.bones[bone])
    assert OPS.verbs_copy(source=armature.name) == {"FINISHED"}
    layer = other.verbs_adverbs.layers[0]
    found = other.data.collections_all[layer.collection]
    assert {bone.name for bone in found.bones} == set(alike)
    assert len(other.data.collections_all) == len(armature.data.collections_all) + (there == "wider")
    said = capfd.readouterr()
    assert ("bone collection 'Waving'" in said.out + said.err) == (there != "alike")


def test_copying_verbs_is_one_step_of_undo():
    armature, other = active_biped(), other_rig()
    source, before = armature.name, everything()
    bpy.ops.ed.undo_push(message="two characters")
    assert OPS.verbs_copy(source=source) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="copied")
    copied = everything()
    assert len(other.verbs_adverbs.verbs) > 0
    bpy.ops.ed.undo()
    assert everything() == before
    bpy.ops.ed.redo()
    assert everything() == copied


def test_what_is_computed_in_slices_is_copied_once_and_whole(monkeypatch):
    """Measuring the reach anew takes longer than a slice, and what is copied must not be left half done then."""
    jobs, copying = part("bridge.blender.jobs"), part("bridge.authoring.copying_verbs")
    monkeypatch.setattr(jobs, "SLICE", 0.0)
    armature = active_biped()
    other, uids = other_rig(), {verb.uid for verb in armature.verbs_adverbs.verbs}
    actions = len(bpy.data.actions)
    job = jobs.Job("operator", "Copy", lambda: copying.copy_verbs(other, armature, uids, {}, 24.0))
    done = job.attempt(0.0)
    while not done:
        assert (len(other.verbs_adverbs.verbs), len(bpy.data.actions)) == (0, actions)
        done = job.go_on()
    own = other.verbs_adverbs
    assert [verb.name for verb in own.verbs] == [verb.name for verb in armature.verbs_adverbs.verbs]
    assert len(own.transitions) == len(armature.verbs_adverbs.transitions) and len(own.layers) == 1
    values = [
        row.values["x"].value
        for row in bpy.data.actions[own.verbs["reach"].examples[0].action_name].verbs_adverbs.examples
    ]
    assert all(np.isfinite(values))
