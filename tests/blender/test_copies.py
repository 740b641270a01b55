"""A character that is copied while it is live: nothing is played by two, and the first notices nothing."""

import bpy
import numpy as np
import pytest
from blender.performance import biped_with_graph
from blender.performer import begin, command, end, play
from blender.stage import drag, go_to, miss_of, part, pose_of, state_of, walking_biped


@pytest.fixture
def before():
    """What the biped was before it went live."""
    found = state_of(walking_biped())
    bpy.ops.verbs_adverbs.live_on()
    return found


@pytest.fixture
def armature(before):
    return bpy.data.objects["Biped"]


def duplicated(*chosen, **how):
    """Copies of objects as the user makes them, armatures first; the scene has rested then."""
    for one in bpy.data.objects:
        one.select_set(one in chosen)
    bpy.context.view_layer.objects.active = chosen[0]
    assert bpy.ops.object.duplicate(**how) == {"FINISHED"}
    rested()
    return sorted(bpy.context.selected_objects, key=lambda one: one.type)


def rested() -> None:
    bpy.context.view_layer.update()
    part("bridge.session.live").flush()
    bpy.context.view_layer.update()


def stops_as_it_was(armature, before) -> None:
    go_to(1)
    bpy.context.view_layer.objects.active = armature
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    after = state_of(armature)
    names = ("bones", "object", "action", "slot", "settings", "matrices")
    assert {name: after[name] for name in names} == {name: before[name] for name in names}


def test_a_director_that_is_copied_alone_is_not_live_and_the_first_goes_on(armature, director, before):
    (copy,) = duplicated(director)
    own = copy.verbs_adverbs
    assert (own.live, own.generated, own.saved_action, own.saved_pose) == (False, None, None, "")
    assert part("bridge.session.live_characters").directors() == [director]
    drag(director, mood=0.6)
    drag(copy, mood=-0.9)
    rested()
    go_to(20)
    assert miss_of(armature, 20) < 1e-5
    stops_as_it_was(armature, before)


@pytest.mark.parametrize("how", ["copied actions", "shared actions", "linked"])
def test_armature_and_director_copied_together_play_on_their_own(armature, director, before, how):
    edit = bpy.context.preferences.edit
    edit.use_duplicate_action = how == "copied actions"
    try:
        second, boss = duplicated(armature, director, linked=how == "linked")
    finally:
        edit.use_duplicate_action = True
    assert (second.verbs_adverbs.director, boss.verbs_adverbs.directs) == (boss, second)
    assert boss.verbs_adverbs.live and boss.verbs_adverbs.generated != director.verbs_adverbs.generated
    assert second.animation_data.action == boss.verbs_adverbs.generated
    assert armature.animation_data.action == director.verbs_adverbs.generated
    drag(director, mood=0.6)
    drag(boss, mood=-0.9, slope=0.4)
    rested()
    for frame in (20, 41):
        go_to(frame)
        assert miss_of(armature, frame) < 1e-5
        assert miss_of(second, frame) < 1e-5
    stops_as_it_was(armature, before)
    drag(boss, mood=0.3)
    rested()
    go_to(33)
    assert miss_of(second, 33) < 1e-5
    stops_as_it_was(second, before)


@pytest.mark.parametrize("linked", [False, True])
def test_an_armature_that_is_copied_alone_keeps_the_motion_and_can_play_for_itself(armature, director, before, linked):
    go_to(20)
    shown = pose_of(armature)
    (second,) = duplicated(armature, linked=linked)
    action = second.animation_data.action
    assert action not in {None, director.verbs_adverbs.generated}
    drag(director, mood=0.9)
    rested()
    go_to(20)
    assert np.abs(pose_of(second) - shown).max() < 1e-6
    bpy.context.view_layer.objects.active = second
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    assert director.verbs_adverbs.live and second.verbs_adverbs.director != director
    drag(second.verbs_adverbs.director, mood=-0.5)
    rested()
    go_to(27)
    assert miss_of(armature, 27) < 1e-5
    assert miss_of(second, 27) < 1e-5
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    assert second.animation_data.action == action
    stops_as_it_was(armature, before)


def test_a_copy_made_by_a_script_which_names_the_first_armature_is_at_rest(armature, director, before):
    copies = [armature.copy(), director.copy()]
    for copy in copies:
        bpy.context.collection.objects.link(copy)
    rested()
    second, boss = copies
    assert not boss.verbs_adverbs.live
    assert second.animation_data.action not in {None, director.verbs_adverbs.generated}
    stops_as_it_was(armature, before)
    assert second.animation_data.action is not None


def test_a_renamed_director_goes_on_and_keeps_what_is_known_of_it(armature, director):
    characters = part("bridge.session.live_characters").characters
    known = characters[director.session_uid]
    director.name = "Boss"
    drag(director, mood=0.4)
    assert miss_of(armature, bpy.context.scene.frame_current) < 1e-5
    assert characters[director.session_uid] is known
    assert part("bridge.session.live").flush() == 1


def test_a_copy_that_was_moved_aside_stays_there_when_it_is_baked_switched_off_and_performed(extension):
    armature = biped_with_graph()
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    copy, _ = duplicated(armature, armature.verbs_adverbs.director)
    copy.location.x = 3.0
    rested()
    go_to(20)
    before = _hips(copy)
    assert bpy.ops.verbs_adverbs.bake(length="RANGE", frame_start=1.0, frame_end=30.0) == {"FINISHED"}
    go_to(20)
    assert copy.location.x == 3.0 and np.allclose(_hips(copy), before, atol=1e-4)
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    assert copy.location.x == 3.0
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    copy.location.x = 4.0
    clock = begin(copy)
    command(copy, "stand")
    assert play(clock, 0.5) and end() == []
    assert copy.location.x == 4.0


def _hips(armature: bpy.types.Object) -> np.ndarray:
    """Where the hips are in the world, as Blender evaluates them."""
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(seen.matrix_world @ seen.pose.bones["Hips"].head)
