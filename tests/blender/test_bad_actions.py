"""Actions and armatures that cannot be used: a sentence names the place and the remedy, the file stays as it was."""

import bpy
import numpy as np
import pytest
from blender.figurine import (
    FIRST,
    LAST,
    add_to_verb,
    annotate,
    assert_says,
    assign,
    build_refused,
    delete_bone,
    everything,
    figurine,
    part,
    refused,
    striding_figurine,
    write_curves,
)

OPS = bpy.ops.verbs_adverbs


def example_of(verb, index: int):
    return verb.examples[index].action.verbs_adverbs.examples[0]


def test_a_span_that_reaches_beyond_the_keys_is_remarked_on(armature, verb):
    bpy.context.scene.frame_set(90)
    OPS.example_span(side="END")
    OPS.verb_build()
    remarks = [
        line.text for line in part("bridge.authoring.verbs").status(armature, verb).lines if line.kind == "WARNING"
    ]
    assert_says(" ".join(remarks), "'stride 2'", "1 to 90", "1 to 25", "held")


def test_an_action_of_another_armature(armature, verb, capfd):
    stranger = figurine("Stranger")
    for bone in stranger.data.bones:
        bone.name = f"Other {bone.name}"
    action = bpy.data.actions.new("foreign")
    frames = np.arange(FIRST, LAST + 1.0)
    write_curves(stranger, action, {('pose.bones["Other Leg"].location', 0): np.sin(frames)}, frames)
    annotate(stranger, action, energy=0.5)
    bpy.context.view_layer.objects.active = armature
    with pytest.raises(RuntimeError):
        add_to_verb(action)
    reference = verb.examples.add()
    reference.action, reference.example_uid = action, action.verbs_adverbs.examples[0].uid
    assert_says(build_refused(capfd), "'foreign'", "Figurine")


def test_an_empty_action_is_not_an_example(armature, capfd):
    assign(armature, bpy.data.actions.new("empty"))
    assert_says(refused(OPS.example_add, capfd), "'empty'", "no keys")


def test_an_action_that_was_emptied(armature, verb, capfd):
    action = verb.examples[1].action
    for one in part("bridge.blender.versions").curves_of(action, armature):
        one.keyframe_points.clear()
    assert_says(build_refused(capfd), "'stride 1'", "no keys")


def test_a_bone_that_was_deleted_after_the_build(armature, verb, capfd):
    OPS.verb_build()
    delete_bone(armature, "Leg")
    assert_says(build_refused(capfd), "'stride 0'", "'Leg'")


def test_a_bone_that_was_renamed_after_the_build(armature, verb, capfd):
    OPS.verb_build()
    armature.data.bones["Leg"].name = "Limb"
    assert_says(build_refused(capfd), "'stride 0'", "'Leg'")


def test_an_action_that_was_renamed_stays_an_example(armature, verb):
    OPS.verb_build()
    verb.examples[1].action.name = "renamed"
    assert OPS.verb_build() == {"FINISHED"}
    assert verb.examples[1].action_name == "renamed"


def test_a_linked_action_can_be_an_example(tmp_path):
    striding_figurine()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    armature = figurine()
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (there, wanted):
        wanted.actions = list(there.actions)
    OPS.verb_add(name="stride")
    OPS.adverb_add(name="energy")
    add_to_verb(*bpy.data.actions)
    before = {key: value for key, value in everything().items() if not key.startswith("object")}
    assert OPS.verb_build() == {"FINISHED"}
    assert {key: value for key, value in everything().items() if not key.startswith("object")} == before
    assert len(armature.verbs_adverbs.verbs[0].examples) == 3
