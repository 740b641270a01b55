"""A take begins with the first command: until then nothing is recorded, and Esc leaves the file as it was."""

import bpy
import numpy as np
import pytest
from blender.performance import OPS, begin_with, biped_with_graph, performing_biped
from blender.performer import command, end, missed, noting, play, shown_root, take, wait, walker
from blender.stage import drag, go_to, part, state_of
from mathutils import Vector

SAME = 1e-3
POINTERS = ("floor", "target")


@pytest.fixture
def armature():
    yield from walker()


def whole_file() -> dict:
    """Objects with their own properties, actions with their keys, and what is stored of directors and armatures."""
    kept = {}
    for one in bpy.data.objects:
        own = one.verbs_adverbs
        stored = [getattr(own, name) for name in ("live", "verb", "start_frame", "saved_pose", "saved_slot")]
        links = [getattr(own, name) for name in ("directs", "director", "generated", "saved_action")]
        sliders = {key: value for key, value in one.items() if isinstance(value, float | int)}
        performance = {key: value for key, value in own.performance.items() if value and key not in POINTERS}
        kept[one.name] = (stored, [link and link.name for link in links], sliders, performance)
        if one.type == "ARMATURE":
            kept[one.name] += (state_of(one),)
    kept["scene"] = (bpy.context.scene.frame_end, bpy.context.scene.frame_current)
    kept["actions"] = {one.name: (one.users, one.use_fake_user, tuple(one.frame_range)) for one in bpy.data.actions}
    return kept


def test_nothing_is_recorded_until_something_is_asked_for(armature):
    clock = wait(armature)
    before = shown_root(armature)
    assert play(clock, 3.0)
    assert np.abs(shown_root(armature) - before).max() == 0.0
    command(armature, "walk")
    assert play(clock, 2.0) and np.linalg.norm(shown_root(armature) - before) > 0.5
    assert end() == []
    director = armature.verbs_adverbs.director
    (key,) = part("bridge.data.commands").command_keys(director)
    assert key.frame == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("director", ["none", "at rest", "one verb on", "performance on"])
def test_an_end_before_anything_is_asked_for_changes_nothing(director: str, armature):
    if director == "performance on":
        armature = performing_biped(walk=20)
    elif director != "none":
        assert OPS.live_on() == {"FINISHED"}
        if director == "at rest":
            assert OPS.live_off() == {"FINISHED"}
    if director == "none":
        bpy.data.objects.remove(armature.verbs_adverbs.director)
    go_to(9)
    armature.pose.bones["Head"].scale = 1.1, 1.1, 1.1
    bpy.context.view_layer.update()
    before = whole_file()
    clock = wait(armature)
    assert play(clock, 1.0) and end() == []
    assert whole_file() == before
    go_to(20)
    go_to(9)
    assert whole_file()["Biped"][-1]["matrices"] == before["Biped"][-1]["matrices"]


@pytest.mark.parametrize("what", ["slider", "pointing", "target"])
def test_a_slider_or_a_place_to_go_begins_it_too(armature, what: str):
    director = part("bridge.data.director").ensure_director(armature)
    goal = bpy.data.objects.new("Goal", None)
    bpy.context.scene.collection.objects.link(goal)
    clock = wait(armature)
    assert play(clock, 1.0)
    before = shown_root(armature)
    if what == "slider":
        drag(director, turn=0.5)
    elif what == "pointing":
        take().point(Vector((0.0, 3.0, 4.0)), Vector((-2.0, -6.0, -4.0)))
    else:
        goal.location = 3.0, -3.0, 0.0
        director.verbs_adverbs.performance.steer, director.verbs_adverbs.performance.target = "TARGET", goal
        bpy.context.view_layer.update()
    seen = {}
    assert play(clock, 2.0, each=noting(armature, seen)) and len(seen) > 20
    assert np.linalg.norm(shown_root(armature) - before) > 0.5 and end() == []
    assert missed(armature, seen) < SAME


def test_an_action_that_was_renamed_meanwhile_is_given_back_by_its_identity(armature):
    mine = bpy.data.actions.new("Mine")
    armature.animation_data.action = mine
    clock = wait(armature)
    mine.name = "Renamed"
    bpy.data.actions.new("Mine")
    assert play(clock, 0.5) and end() == []
    assert armature.animation_data.action == mine


def test_the_first_take_waits_in_the_verb_that_stands_unless_another_one_was_chosen():
    armature = biped_with_graph()
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    wait(armature)
    assert take().player.verb == "stand"
    assert end() == []
    assert armature.verbs_adverbs.director.verbs_adverbs.performance.start_verb == ""
    begin_with(armature, "walk")
    wait(armature)
    assert take().player.verb == "walk"
    assert end() == []


def test_it_does_not_wait_where_no_way_leads_on_from():
    armature = biped_with_graph()
    stand = armature.verbs_adverbs.verbs["stand"].uid
    for item in armature.verbs_adverbs.transitions:
        item.enabled = item.source != stand
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    wait(armature)
    assert take().player.verb == "walk"
    assert end() == []
