"""Switching on that fails leaves everything as it was, and what is odd about an armature comes back."""

import bpy
import pytest
from blender.action_hash import digests
from blender.stage import drag, go_to, miss_of, part, state_of, walking_biped


@pytest.fixture
def armature():
    return walking_biped()


def with_edited_strip(armature):
    """An NLA strip of the armature's action, being edited."""
    data = armature.animation_data
    action = data.action
    strip = data.nla_tracks.new().strips.new("walk", 1, action)
    part("bridge.blender.versions").assign_action(armature, None)
    data.nla_tracks[0].select = strip.select = True
    data.nla_tracks.active = data.nla_tracks[0]
    data.use_tweak_mode = True
    assert data.use_tweak_mode
    go_to(9)
    return data


def test_no_director_is_left_behind_where_an_nla_strip_is_being_edited(armature):
    data = with_edited_strip(armature)
    before, objects, sources = state_of(armature), sorted(bpy.data.objects.keys()), digests()
    with pytest.raises(RuntimeError, match="tweak mode"):
        bpy.ops.verbs_adverbs.live_on()
    assert data.use_tweak_mode
    assert state_of(armature) == before
    assert sorted(bpy.data.objects.keys()) == objects
    assert armature.verbs_adverbs.director is None
    assert digests() == sources
    data.use_tweak_mode = False
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}


def _key_glow(armature) -> None:
    """A custom property that all examples key."""
    versions, first = part("bridge.blender.versions"), armature.animation_data.action
    for reference in armature.verbs_adverbs.verbs["walk"].examples:
        armature["glow"] = 0.25
        versions.assign_action(armature, reference.action)
        armature.keyframe_insert('["glow"]', frame=1)
    versions.assign_action(armature, first)
    bpy.context.view_layer.update()


def test_a_verb_plays_without_a_custom_property_that_was_deleted_since_it_was_built(armature, capfd):
    _key_glow(armature)
    assert bpy.ops.verbs_adverbs.verb_build() == {"FINISHED"}
    del armature["glow"]
    go_to(9)
    before = state_of(armature)
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    drag(armature.verbs_adverbs.director, mood=0.5)
    part("bridge.session.live").flush()
    assert miss_of(armature, 9) < 1e-5
    assert "glow" not in armature
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    assert state_of(armature) == before
    assert "Traceback" not in capfd.readouterr().err


def test_a_custom_property_that_is_deleted_while_the_verb_plays_does_no_harm(armature, capfd):
    _key_glow(armature)
    go_to(9)
    before = state_of(armature)
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    del armature["glow"]
    drag(armature.verbs_adverbs.director, mood=0.5)
    part("bridge.session.live").flush()
    assert part("bridge.session.live_characters").problem_of(armature.verbs_adverbs.director) == ""
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    assert state_of(armature) == before
    assert "Traceback" not in capfd.readouterr().err


def test_an_action_without_slot_comes_back_without_one(armature):
    versions = part("bridge.blender.versions")
    if not versions.has_slots():
        pytest.skip("actions have no slots before Blender 4.4")
    armature.animation_data.action_slot = None
    go_to(9)
    before = state_of(armature)
    assert before["action"] and before["slot"] is None
    told = armature.animation_data.last_slot_identifier
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    drag(armature.verbs_adverbs.director, mood=0.5)
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    assert state_of(armature) == before
    assert armature.animation_data.last_slot_identifier == told


def test_a_verb_is_not_taken_off_while_an_nla_strip_is_being_edited_but_the_extension_can_go(armature):
    bpy.ops.verbs_adverbs.live_on()
    with_edited_strip(armature)
    with pytest.raises(RuntimeError, match="tweak mode"):
        bpy.ops.verbs_adverbs.live_off()
    assert armature.verbs_adverbs.director.verbs_adverbs.live
    with pytest.raises(RuntimeError, match="tweak mode"):
        bpy.ops.verbs_adverbs.performance_write()
    part("bridge.session.switching").switch_all_off()
    assert not armature.verbs_adverbs.director.verbs_adverbs.live
    assert armature.animation_data.action.name == "Walk plain"
