"""Objects that a hand reaches for: dragged, keyed, baked, and taken away again."""

import bpy
import numpy as np
import pytest
from blender.figurine import assert_says, refused
from blender.reaching import HAND, built, hand, hand_at, keytime_frame, reaching_biped, sliders, the_verb
from blender.stage import go_to, opened_again, part
from mathutils import Matrix, Vector

OPS = bpy.ops.verbs_adverbs
NEAR = 0.01


@pytest.fixture
def armature():
    found = reaching_biped()
    assert OPS.target_add() == {"FINISHED"}
    return found


@pytest.fixture
def target(armature):
    return the_verb(armature).targets[0].object


def drag(thing, place) -> None:
    """Move an object as the user does; what follows it is shown at once."""
    thing.matrix_world = Matrix.Translation(place)
    bpy.context.view_layer.update()


def places(seed: int, count: int) -> np.ndarray:
    """Places (count, 3) in the box that the examples span."""
    adverbs = bpy.context.object.verbs_adverbs.adverbs
    low, high = ([getattr(adverbs[n], side) for n in "xyz"] for side in ("minimum", "maximum"))
    return np.random.default_rng(seed).uniform(low, high, (count, 3))


def rest() -> int:
    return part("bridge.session.live").flush()


def test_a_target_begins_where_the_sliders_ask_and_moves_them(armature, target):
    before = sliders(armature)
    assert np.allclose(target.location, before, atol=1e-5)
    for place in places(1, 4):
        drag(target, place)
        assert np.abs(sliders(armature) - place).max() < 1e-5


def test_a_selected_target_shows_what_belongs_to_its_armature(armature, target):
    goal = bpy.data.objects.new("Goal", None)
    bpy.context.collection.objects.link(goal)
    for thing in (target, goal):
        bpy.context.view_layer.objects.active = thing
        assert OPS.verb_build.poll() == (thing == target)
    armature.verbs_adverbs.director.verbs_adverbs.performance.target = goal
    assert OPS.verb_build.poll() and part("bridge.data.current").current_armature(bpy.context) == armature
    OPS.live_on()
    armature.name = "Renamed"
    rest()
    bpy.context.view_layer.objects.active = target
    assert part("bridge.data.current").current_armature(bpy.context) == armature
    armature.verbs_adverbs.director.verbs_adverbs.performance.target = None
    bpy.context.view_layer.objects.active = goal
    assert part("bridge.data.current").current_armature(bpy.context) is None


def test_the_hand_follows_a_dragged_target_at_once_within_a_centimetre(armature, target):
    the_verb(armature).refinement.exactly = True
    OPS.live_on()
    for place in places(2, 6):
        go_to(keytime_frame(armature, place))
        drag(target, place)
        assert np.linalg.norm(hand(armature) - place) < NEAR
        at_once = hand(armature)
        assert rest() == 1
        assert np.abs(hand_at(armature, keytime_frame(armature, place)) - at_once).max() < 2e-3


def test_it_is_seen_from_where_the_character_starts(armature, target):
    the_verb(armature).refinement.exactly = True
    armature.location, armature.rotation_euler = (2.0, -1.0, 0.3), (0.0, 0.0, 0.8)
    bpy.context.view_layer.update()
    OPS.live_on()
    director = armature.verbs_adverbs.director
    director.location, director.rotation_euler = (1.0, 2.0, 0.5), (0.0, 0.0, -1.2)
    bpy.context.view_layer.update()
    rest()
    start = part("bridge.data.targets").start_space(armature, director)
    for place in places(3, 3):
        world = start @ Vector(place)
        drag(target, world)
        rest()
        assert np.abs(sliders(armature) - place).max() < 1e-4
        assert np.linalg.norm(hand_at(armature, keytime_frame(armature, place)) - np.array(world)) < NEAR


def test_an_arm_that_hangs_still_in_all_examples_hangs_while_the_verb_plays(armature, target):
    OPS.live_on()
    bpy.context.view_layer.update()
    assert armature.pose.bones["Hand_L"].tail.z < 0.8


def _key(target) -> None:
    low, high = places(4, 2)
    for frame, place in ((1, low), (40, high)):
        target.location = place
        target.keyframe_insert("location", frame=frame)


def test_a_keyed_target_is_met_on_the_timeline_and_in_bakes(armature, target):
    """Adverbs that a target moves do not settle."""
    the_verb(armature).refinement.exactly = True
    _key(target)
    OPS.live_on()
    armature = bpy.context.object
    frame = min(range(5, 40), key=lambda one: abs(_phase(armature, one) - _reached(armature)))
    shown = {one: hand_at(armature, one) for one in (5, frame, 30)}
    go_to(frame)
    assert np.linalg.norm(shown[frame] - np.array(target.matrix_world.translation)) < 0.03
    assert OPS.bake(length="RANGE", frame_start=1, frame_end=40, animated=True, assign=True) == {"FINISHED"}
    for one, place in shown.items():
        assert np.linalg.norm(hand_at(armature, one) - place) < 2e-3


def test_a_keyed_target_is_met_in_a_score_too():
    armature = opened_again("standing and reaching biped", _add_standing)
    assert OPS.target_add() == {"FINISHED"}
    the_verb(armature).refinement.exactly = True
    target = the_verb(armature).targets[0].object
    _key(target)
    assert OPS.start_verb(verb=armature.verbs_adverbs.verbs["stand"].uid) == {"FINISHED"}
    assert OPS.command_add(verb="reach", frame=1.0) == {"FINISHED"}
    armature.verbs_adverbs.director.verbs_adverbs.performance.active = True
    assert OPS.live_on() == {"FINISHED"}
    missed = []
    for frame in range(1, 41):
        go_to(frame)
        missed.append(float(np.linalg.norm(hand(armature) - np.array(target.matrix_world.translation))))
    assert min(missed) < 0.04


def _add_standing() -> None:
    bpy.context.scene.frame_end = 60
    assert OPS.add_biped(walk=False, stand=True, reach=True) == {"FINISHED"}
    armature = bpy.context.object
    armature.verbs_adverbs.active_verb = armature.verbs_adverbs.verbs.find("reach")
    assert OPS.measure() == {"FINISHED"}
    assert OPS.verb_build() == {"FINISHED"}
    assert OPS.transitions_suggest() == {"FINISHED"}


def _phase(armature, frame: int) -> float:
    played = part("bridge.session.live_characters").characters[armature.verbs_adverbs.director.session_uid].played
    return float(np.interp(frame, played.frames, played.phases))


def _reached(armature) -> float:
    return float(built(armature).verb.phrasing.generic[1])


def test_a_target_on_a_moving_thing_is_followed(armature, target):
    OPS.live_on()
    carrier = bpy.data.objects.new("carrier", None)
    bpy.context.collection.objects.link(carrier)
    target.parent = carrier
    target.location = (0.1, 0.0, 0.0)
    for frame, place in ((1, (-0.4, -0.5, 1.0)), (60, (-0.2, -0.5, 1.4))):
        carrier.location = place
        carrier.keyframe_insert("location", frame=frame)
    part("bridge.session.live").flush(listen=True)
    for frame in (1, 60):
        go_to(frame)
        assert np.allclose(sliders(armature), np.array(carrier.location) + [0.1, 0.0, 0.0], atol=1e-4)
    played = part("bridge.session.live_characters").characters[armature.verbs_adverbs.director.session_uid].played
    assert np.allclose(played.adverbs[-1], [-0.1, -0.5, 1.4], atol=1e-4)


def test_removing_it_gives_the_sliders_back_and_leaves_the_object(armature, target):
    director = armature.verbs_adverbs.director
    OPS.target_remove()
    before = (-0.1, -0.45, 1.3)
    for name, value in zip("xyz", before, strict=True):
        director[name] = value
    assert OPS.target_add(object=target.name) == {"FINISHED"}
    drag(target, (-0.3, -0.5, 1.1))
    assert np.allclose(sliders(armature), (-0.3, -0.5, 1.1), atol=1e-5)
    assert OPS.target_remove() == {"FINISHED"}
    bpy.context.view_layer.update()
    assert np.allclose(sliders(armature), before, atol=1e-6)
    assert not director.animation_data.drivers
    assert target.name in bpy.data.objects


def test_removing_the_verb_or_its_adverb_takes_the_drivers_away(armature, target):
    director = armature.verbs_adverbs.director
    OPS.verb_adverb_toggle(index=0)
    assert len(director.animation_data.drivers) == 2
    OPS.verb_remove()
    assert not director.animation_data.drivers


def test_two_hands_reach_for_two_targets(armature, target):
    assert OPS.measure_place(bone="Hand_L", keytime="reach", x="left x", y="", z="left z") == {"FINISHED"}
    assert OPS.target_add(point="1") == {"FINISHED"}
    left = the_verb(armature).targets[1]
    assert left.bone == "Hand_L"
    left.object.location = (0.4, -0.2, 1.1)
    target.location = (-0.2, -0.5, 1.2)
    bpy.context.view_layer.update()
    director = armature.verbs_adverbs.director
    assert np.allclose([director["left x"], director["left z"]], (0.4, 1.1), atol=1e-5)
    assert np.allclose(sliders(armature), (-0.2, -0.5, 1.2), atol=1e-5)


def test_what_cannot_be_reached_for_is_told_in_words(armature, capfd):
    assert_says(refused(OPS.target_add, capfd), "'x'", "already follows a target of verb 'reach'")
    OPS.target_remove()
    child = bpy.data.objects.new("held", None)
    bpy.context.collection.objects.link(child)
    child.parent, child.parent_type, child.parent_bone = armature, "BONE", HAND
    assert_says(refused(OPS.target_add, capfd, object="held"), "'held' cannot be a target", "moves independently")
    assert_says(refused(OPS.target_add, capfd, object="nobody"), "no object 'nobody'")
    armature.verbs_adverbs.director.driver_add('["y"]')
    assert_says(refused(OPS.target_add, capfd), "'y' already has a driver")


def test_a_deleted_target_lets_the_sliders_go(armature, target):
    OPS.live_on()
    bpy.data.objects.remove(target)
    bpy.context.view_layer.update()
    part("bridge.session.live").flush(force=True)
    assert not armature.verbs_adverbs.director.animation_data.drivers
    assert part("bridge.session.live_characters").problem_of(armature.verbs_adverbs.director) == ""


def test_a_target_that_is_in_no_scene_any_more_lets_the_sliders_go(armature, target):
    OPS.live_on()
    with bpy.context.temp_override(selected_objects=[target], active_object=target, object=target):
        bpy.ops.object.delete()
    assert the_verb(armature).targets[0].object == target
    part("bridge.session.live").flush(force=True)
    assert not armature.verbs_adverbs.director.animation_data.drivers
