"""A director counts the frames of its own scene, whichever is in front."""

import bpy
import numpy as np
import pytest
from blender.stage import drag, go_to, miss_of, part, state_of, walking_biped


@pytest.fixture
def armature():
    return walking_biped()


@pytest.fixture
def other():
    found = bpy.data.scenes.new("other")
    found.frame_end, found.render.fps = 200, 60
    return found


def _front(scene) -> None:
    bpy.context.window.scene = scene


def last_frame(director) -> float:
    return float(director.verbs_adverbs.generated.frame_range[1])


def test_another_scene_in_front_changes_nothing(armature, other):
    home = bpy.context.scene
    bpy.ops.verbs_adverbs.live_on()
    director, live = armature.verbs_adverbs.director, part("bridge.session.live")
    made = part("bridge.session.timeline").made_from(director.verbs_adverbs.generated)
    _front(other)
    part("bridge.data.content").forget_actions()
    assert live.flush() == 0
    assert part("bridge.session.timeline").made_from(director.verbs_adverbs.generated) == made
    director["mood"] = 0.7
    assert live.flush() == 1
    assert last_frame(director) == 60.0
    _front(home)
    assert live.flush() == 0
    go_to(31)
    assert miss_of(armature, 31) < 1e-5


def test_frames_of_another_scene_do_not_move_the_armature(armature, other):
    bpy.ops.verbs_adverbs.live_on()
    go_to(12)
    home, director = bpy.context.scene, armature.verbs_adverbs.director
    was = np.array([bone.location for bone in armature.pose.bones])
    _front(other)
    other.frame_set(90)
    mover = bpy.data.objects.new("mover", None)
    other.collection.objects.link(mover)
    director["mood"] = 0.7
    bpy.context.view_layer.update()
    mover.location.x = 1.0
    bpy.context.view_layer.update()
    assert np.array_equal(np.array([bone.location for bone in armature.pose.bones]), was)
    part("bridge.session.live").flush()
    _front(home)
    go_to(12)
    assert miss_of(armature, 12) < 1e-5


def test_a_render_of_its_scene_uses_that_scene_though_another_is_in_front(armature, other):
    home = bpy.context.scene
    bpy.ops.verbs_adverbs.live_on()
    director = armature.verbs_adverbs.director
    other.collection.objects.link(armature)
    other.collection.objects.link(director)
    _front(other)
    part("bridge.session.live").flush()
    assert last_frame(director) == 200.0
    part("bridge.session.handlers").before_render(home, None)
    assert last_frame(director) == 60.0
    drag(director, mood=0.2)


def test_an_armature_is_given_back_though_another_scene_is_in_front(armature, other):
    go_to(9)
    home, before = bpy.context.scene, state_of(armature)
    bpy.ops.verbs_adverbs.live_on()
    _front(other)
    part("bridge.session.switching").switch_all_off()
    _front(home)
    bpy.context.view_layer.update()
    assert state_of(armature) == before
