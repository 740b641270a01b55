"""Switching off gives the armature back, and whatever happens meanwhile does no harm."""

import bpy
import numpy as np
import pytest
from blender.action_hash import digests
from blender.figurine import delete_bone
from blender.installed import MODULE
from blender.stage import core_joints, drag, go_to, joints_of, miss_of, part, pose_of, state_of, walking_biped


@pytest.fixture
def armature():
    return walking_biped()


@pytest.fixture
def director(armature):
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    return armature.verbs_adverbs.director


def test_switching_off_gives_everything_back(armature):
    armature.animation_data.action_influence = 0.75
    go_to(9)
    armature.pose.bones["Head"].rotation_quaternion = (0.9, 0.1, 0.3, 0.2)
    armature.pose.bones["Hips"].location = (0.3, 0.2, 0.1)
    armature.location, armature.rotation_euler = (0.5, 0.0, 0.0), (0.0, 0.0, 0.4)
    armature.update_tag(refresh={"OBJECT", "DATA"})
    bpy.context.view_layer.update()
    assert np.allclose(armature.pose.bones["Head"].rotation_quaternion, (0.9, 0.1, 0.3, 0.2))
    before, sources = state_of(armature), digests()
    bpy.ops.verbs_adverbs.live_on()
    drag(armature.verbs_adverbs.director, mood=0.5)
    part("bridge.session.live").flush()
    assert state_of(armature) != before
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    assert state_of(armature) == before
    assert digests() == sources


def test_an_armature_without_action_is_given_back_without_one(armature):
    armature.animation_data_clear()
    for bone in armature.pose.bones:
        bone.rotation_quaternion = (0.9, 0.1, 0.0, 0.1)
    bpy.context.view_layer.update()
    before = state_of(armature)
    bpy.ops.verbs_adverbs.live_on()
    bpy.ops.verbs_adverbs.live_off()
    assert armature.animation_data is None
    assert state_of(armature) == before


def test_what_was_saved_comes_back_after_reloading(armature, tmp_path):
    go_to(9)
    armature.pose.bones["Head"].rotation_quaternion = (0.9, 0.1, 0.3, 0.2)
    armature.update_tag(refresh={"OBJECT", "DATA"})
    before = state_of(armature)
    assert np.allclose(before["bones"]["Head"][1], (0.9, 0.1, 0.3, 0.2))
    bpy.ops.verbs_adverbs.live_on()
    drag(armature.verbs_adverbs.director, mood=0.5)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "live.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "live.blend"))
    armature = bpy.data.objects["Biped"]
    assert miss_of(armature, 9) < 1e-5
    bpy.context.view_layer.objects.active = armature
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    assert state_of(armature) == before


def test_a_verb_that_cannot_be_built_leaves_the_scene_as_it_was(armature):
    part("bridge.authoring.definitions").add_verb(armature, "nothing")
    before, objects = state_of(armature), sorted(bpy.data.objects.keys())
    with pytest.raises(RuntimeError, match="has no examples"):
        bpy.ops.verbs_adverbs.live_on(verb="nothing")
    assert state_of(armature) == before
    assert sorted(bpy.data.objects.keys()) == objects


def test_an_action_that_somebody_assigns_meanwhile_is_neither_overwritten_nor_replaced(armature, director):
    action = next(a for a in bpy.data.actions if a != director.verbs_adverbs.generated)
    sources = digests(a for a in bpy.data.actions if a != director.verbs_adverbs.generated)
    part("bridge.blender.versions").assign_action(armature, action)
    drag(director, mood=0.3)
    assert part("bridge.session.live").flush() == 0
    assert armature.animation_data.action == action
    assert "Another action" in part("bridge.session.live_characters").problem_of(director)
    assert sources == digests(a for a in bpy.data.actions if a != director.verbs_adverbs.generated)


def _with_object_travel():
    """A box-like armature whose object travels and turns, with a verb from that."""
    armature = walking_biped()
    annotate, definitions, versions = (
        part("bridge.data.annotate"),
        part("bridge.authoring.definitions"),
        part("bridge.blender.versions"),
    )
    action = bpy.data.actions.new("glide")
    bag = versions.bag_for_write(armature, action)
    for index, speed in ((0, 0.03), (1, -0.05), (2, 0.002)):
        curve = versions.fcurve_ensure(bag, "location", index, "Object Transforms")
        for frame in range(1, 31):
            curve.keyframe_points.insert(frame, speed * frame)
    curve = versions.fcurve_ensure(bag, "rotation_euler", 2, "Object Transforms")
    for frame in range(1, 31):
        curve.keyframe_points.insert(frame, 0.02 * frame)
    curve = versions.fcurve_ensure(bag, 'pose.bones["Head"].rotation_quaternion', 1, "Head")
    for frame in range(1, 31):
        curve.keyframe_points.insert(frame, 0.3 * np.sin(0.2 * frame))
    example = annotate.add_example(action, "glide", 1.0, 30.0, 24.0)
    verb = definitions.add_verb(armature, "glide")
    definitions.add_reference(verb, action, example)
    armature.verbs_adverbs.root = "<object>"
    return armature


def test_an_object_that_carries_the_travel_is_played_and_given_back():
    armature = _with_object_travel()
    go_to(9)
    before = state_of(armature)
    bpy.ops.verbs_adverbs.live_on(verb="glide")
    verb = part("bridge.authoring.verbs").verb_for(armature, armature.verbs_adverbs.verbs["glide"])
    for frame in (1, 20, 11):
        go_to(frame)
        expected = core_joints(verb, verb.motion([]).sample(np.array([(frame - 1) / 24.0])))
        names = verb.channels.skeleton.names[1:]
        moved = joints_of(armature, names) - expected[0, 1:]
        assert np.abs(moved - moved[0]).max() < 1e-4
        assert part("bridge.session.live").flush() == 0
    go_to(9)
    bpy.ops.verbs_adverbs.live_off()
    assert state_of(armature) == before


def test_nothing_is_listened_to_while_nothing_is_live(armature):
    bpy.context.view_layer.update()
    assert part("bridge.session.live_characters").directors() == []
    bpy.ops.verbs_adverbs.live_on()
    bpy.ops.verbs_adverbs.live_off()
    assert part("bridge.session.live_characters").directors() == []


def test_a_deleted_director_ends_the_session_without_an_error(armature, director, capfd):
    bpy.data.objects.remove(director)
    armature.update_tag()
    bpy.context.view_layer.update()
    assert part("bridge.session.live").flush() == 0
    assert part("bridge.data.director").director_of(armature) is None
    assert "Traceback" not in capfd.readouterr().err


def test_a_keyed_rotation_mode_is_given_back_too(armature):
    armature.pose.bones["Head"].keyframe_insert("rotation_mode", frame=1)
    go_to(9)
    before = state_of(armature)
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    drag(armature.verbs_adverbs.director, mood=0.4)
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    assert state_of(armature) == before


def test_the_extension_gives_the_armature_back_when_it_goes_and_can_come_back(armature):
    go_to(9)
    before = state_of(armature)
    bpy.ops.verbs_adverbs.live_on()
    go_to(20)
    played = pose_of(armature)
    bpy.ops.preferences.addon_disable(module=MODULE)
    go_to(9)
    bpy.ops.preferences.addon_enable(module=MODULE)
    assert state_of(armature) == before
    bpy.ops.verbs_adverbs.live_on()
    go_to(20)
    assert np.abs(pose_of(armature) - played).max() < 1e-6
    drag(armature.verbs_adverbs.director, mood=0.7)
    assert np.abs(pose_of(armature) - played).max() > 0.02
    assert miss_of(armature, 20) < 1e-5
    go_to(9)
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    assert state_of(armature) == before


def test_a_renamed_or_deleted_armature_does_no_harm(armature, director, capfd):
    armature.name, director.name = "Somebody", "Boss"
    drag(director, mood=0.6)
    part("bridge.session.live").flush()
    go_to(12)
    assert miss_of(armature, 12) < 1e-5
    bpy.data.objects.remove(armature)
    drag(director, mood=0.1)
    assert part("bridge.session.live").flush() == 0
    assert "Traceback" not in capfd.readouterr().err


def test_a_bone_deleted_or_renamed_meanwhile_is_said_in_words(armature, director, capfd):
    played = director.verbs_adverbs.generated.name
    armature.pose.bones["Head"].name = "Skull"
    drag(director, mood=0.6)
    part("bridge.session.live").flush()
    assert "Head" in part("bridge.session.live_characters").problem_of(director)
    delete_bone(armature, "Hand_L")
    drag(director, mood=0.2)
    part("bridge.session.live").flush()
    assert part("bridge.session.live_characters").problem_of(director)
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    assert "Traceback" not in capfd.readouterr().err
    assert [name for name in bpy.data.actions.keys() if name.startswith(played)] == []


def test_undo_takes_back_slider_and_performance(armature):
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.verbs_adverbs.live_on()
    bpy.ops.ed.undo_push(message="on")
    drag(armature.verbs_adverbs.director, mood=0.9)
    part("bridge.session.live").flush()
    bpy.ops.ed.undo_push(message="dragged")
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Biped"]
    assert armature.verbs_adverbs.director["mood"] == 0.0
    go_to(20)
    assert miss_of(armature, 20) < 1e-5
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Biped"]
    assert armature.verbs_adverbs.director is None
    assert armature.animation_data.action.name.startswith("Walk")
