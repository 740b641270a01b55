"""A director deleted while its verb was on, from the scene or the file: what the buttons do; nothing is lost."""

import bpy
import numpy as np
import pytest
from blender.installed import MODULE
from blender.performer import begin, end, play
from blender.stage import drag, go_to, miss_of, part, pose_of, state_of, walking_biped

OPS = bpy.ops.verbs_adverbs


@pytest.fixture
def armature():
    made = walking_biped()
    go_to(9)
    return made


@pytest.fixture(params=["scene", "file"])
def before(armature, request):
    """State of the armature before its verb was switched on and its director deleted."""
    armature.animation_data.action_influence = 0.75
    go_to(9)
    found = state_of(armature)
    OPS.live_on()
    director = armature.verbs_adverbs.director
    drag(director, mood=0.5)
    if request.param == "file":
        bpy.data.objects.remove(director)
    else:
        with bpy.context.temp_override(selected_objects=[director]):
            assert bpy.ops.object.delete() == {"FINISHED"}
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()
    assert part("bridge.data.director").director_of(armature) is None
    return found


def test_switching_off_gives_back_what_was(armature, before):
    assert OPS.live_off() == {"FINISHED"}
    assert state_of(armature) == before
    assert not OPS.live_off.poll()


def test_an_example_is_shown_after_what_was_is_given_back(armature, before):
    armature.verbs_adverbs.verbs[0].active_example = 3
    action = armature.verbs_adverbs.verbs[0].examples[3].action
    assert OPS.verb_example_show() == {"FINISHED"}
    assert armature.animation_data.action == action
    assert armature.animation_data.use_nla
    assert part("bridge.data.director").holder_of(armature) is None
    assert sorted(bpy.data.actions.keys()) == before["actions"]


def test_a_bake_stays_assigned(armature, before):
    assert OPS.bake(name="baked") == {"FINISHED"}
    assert armature.animation_data.action == bpy.data.actions["baked"]
    assert part("bridge.data.director").holder_of(armature) is None
    OPS.live_on()
    OPS.live_off()
    assert armature.animation_data.action == bpy.data.actions["baked"]


def test_what_the_verb_played_is_no_action_to_annotate(armature, before):
    with pytest.raises(RuntimeError, match="moving Biped.* switch it off"):
        OPS.example_add()


def test_what_was_is_given_back_after_saving_and_loading(armature, before, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "deleted.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "deleted.blend"))
    assert OPS.live_off() == {"FINISHED"}
    assert state_of(bpy.context.object) == before


def test_switching_on_and_off_gives_back_what_was_before_both(armature, before):
    assert OPS.live_on() == {"FINISHED"}
    assert miss_of(armature, 9) < 1e-5
    assert OPS.live_off() == {"FINISHED"}
    assert state_of(armature) == before


def test_a_director_that_is_added_after_that_changes_nothing_of_it(armature, before):
    assert OPS.director_add() == {"FINISHED"}
    assert OPS.live_off() == {"FINISHED"}
    assert state_of(armature) == before


def test_a_performance_after_that_is_taken_off_to_what_was_before(armature, before):
    clock = begin(armature)
    play(clock, 0.3)
    assert end() == []
    assert OPS.live_off() == {"FINISHED"}
    go_to(9)
    assert {**state_of(armature), "actions": before["actions"]} == before


def test_disabling_the_extension_gives_back_what_was(armature, before):
    bpy.ops.preferences.addon_disable(module=MODULE)
    found = state_of(armature)
    bpy.ops.preferences.addon_enable(module=MODULE)
    assert found == before


def test_a_copy_without_its_director_keeps_the_motion_when_the_first_director_goes(armature):
    OPS.live_on()
    copy = armature.copy()
    bpy.context.collection.objects.link(copy)
    bpy.context.view_layer.objects.active = copy
    assert part("bridge.session.live").flush() == 0
    bpy.data.objects.remove(armature.verbs_adverbs.director)
    go_to(30)
    played = pose_of(copy)
    assert not OPS.live_off.poll()
    assert OPS.live_on() == {"FINISHED"}
    assert OPS.live_off() == {"FINISHED"}
    go_to(30)
    assert np.abs(pose_of(copy) - played).max() < 1e-6
    bpy.context.view_layer.objects.active = armature
    assert OPS.live_off() == {"FINISHED"}
    assert armature.animation_data.action.name == "Walk plain"


def test_while_a_director_is_there_no_example_is_shown(armature):
    OPS.live_on()
    with pytest.raises(RuntimeError, match="switch it off"):
        OPS.verb_example_show()


def test_a_copy_of_a_live_armature_does_not_switch_it_off(armature):
    OPS.live_on()
    copy = armature.copy()
    bpy.context.collection.objects.link(copy)
    bpy.context.view_layer.objects.active = copy
    assert not OPS.live_off.poll()
    assert OPS.live_on() == {"FINISHED"}
    assert part("bridge.data.director").holder_of(armature) is not None
    assert part("bridge.data.director").holder_of(copy) not in {None, part("bridge.data.director").holder_of(armature)}
