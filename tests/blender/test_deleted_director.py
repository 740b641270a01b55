"""A director deleted in the viewport while its verb was on: what the buttons do, and that nothing is lost."""

import bpy
import pytest
from blender.stage import go_to, part, state_of, walking_biped

OPS = bpy.ops.verbs_adverbs


@pytest.fixture
def armature():
    made = walking_biped()
    go_to(9)
    return made


@pytest.fixture
def before(armature):
    """State of the armature before its verb was switched on and its director deleted."""
    found = state_of(armature)
    OPS.live_on()
    with bpy.context.temp_override(selected_objects=[armature.verbs_adverbs.director]):
        assert bpy.ops.object.delete() == {"FINISHED"}
    bpy.context.view_layer.objects.active = armature
    assert part("bridge.director").director_of(armature) is None
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
    assert part("bridge.director").holder_of(armature) is None
    assert sorted(bpy.data.actions.keys()) == before["actions"]


def test_a_bake_stays_assigned(armature, before):
    assert OPS.bake(name="baked") == {"FINISHED"}
    assert armature.animation_data.action == bpy.data.actions["baked"]
    assert part("bridge.director").holder_of(armature) is None
    OPS.live_on()
    OPS.live_off()
    assert armature.animation_data.action == bpy.data.actions["baked"]


def test_what_the_verb_played_is_no_action_to_annotate(armature, before):
    with pytest.raises(RuntimeError, match="'walk' moves Biped: switch it off"):
        OPS.example_add()


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
    assert part("bridge.director").holder_of(armature) is not None
    assert part("bridge.director").holder_of(copy) not in {None, part("bridge.director").holder_of(armature)}
