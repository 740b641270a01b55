"""A character that is performed walks up to an object and reaches for it; the score does the same."""

import bpy
import numpy as np
import pytest
from blender.performance import OPS
from blender.performer import begin, character, command, end, play, session, take, walker
from blender.stage import FPS, go_to, opened_again

NEAR, SAME = 0.03, 1e-3
"""Metres from the target that the hand may be, and from what was performed on the timeline."""
PLACE = (1.4, -3.6, 1.2)
HAND = "Hand_R"
LONGEST = 40
"""Seconds after which a character counts as never having reached."""


def _add() -> None:
    assert OPS.add_biped(stand=True, reach=True) == {"FINISHED"}
    armature = bpy.context.object
    armature.verbs_adverbs.active_verb = armature.verbs_adverbs.verbs.find("reach")
    assert OPS.refine("EXEC_DEFAULT") == {"FINISHED"}
    assert OPS.transitions_suggest() == {"FINISHED"}


@pytest.fixture
def armature():
    yield from walker("stand", directed=True, make=lambda: opened_again("biped that can reach", _add))


def reach_for(armature, place: tuple[float, float, float]):
    """Let the character reach for a new Empty."""
    made = bpy.data.objects.new("Door", None)
    bpy.context.scene.collection.objects.link(made)
    made.location = place
    own = armature.verbs_adverbs.director.verbs_adverbs.performance
    own.steer, own.target, own.stops = "TARGET", made, True
    assert OPS.reach_there(verb=armature.verbs_adverbs.verbs["reach"].uid) == {"FINISHED"}
    bpy.context.view_layer.update()
    return made


def hand(armature) -> np.ndarray:
    return np.array(armature.matrix_world @ armature.pose.bones[HAND].tail)


def hands(clock, armature) -> dict[float, np.ndarray]:
    """Place of the hand by frame of what is shown until the reach is done."""
    seen = {}

    def see() -> None:
        if take().player.verb == "reach":
            bpy.context.view_layer.update()
            seen[1.0 + session().frames.shown[-1].time * FPS] = hand(armature)

    for _ in range(LONGEST):
        assert play(clock, 1.0, each=see)
        if take().player.verb == "stand" and seen:
            return seen
    pytest.fail("It never reached")


def test_it_walks_to_an_object_reaches_for_it_and_the_timeline_shows_the_same(armature, tell):
    reach_for(armature, PLACE)
    clock = begin(armature)
    seen = hands(clock, armature)
    assert character().problem == ""
    nearest = min(np.linalg.norm(place - PLACE) for place in seen.values())
    tell(f"Hand {1000.0 * nearest:.0f} mm from what it walked to and reached for")
    assert nearest < NEAR
    assert [name for _, name in take().player.heard][-1] == "reach"
    assert end() == []
    if OPS.fit_scene.poll():
        OPS.fit_scene()
    missed = []
    for frame, place in seen.items():
        if abs(frame - round(frame)) < 1e-6:
            go_to(round(frame))
            missed.append(np.abs(hand(armature) - place).max())
    assert len(missed) > 5 and max(missed) < SAME


def test_an_object_that_is_moved_is_walked_to_and_reached_for_again(armature):
    goal = reach_for(armature, PLACE)
    clock = begin(armature)
    hands(clock, armature)
    goal.location = (-2.0, -5.0, 1.1)
    bpy.context.view_layer.update()
    seen = hands(clock, armature)
    assert min(np.linalg.norm(place - goal.location[:]) for place in seen.values()) < NEAR


def test_what_lies_too_high_is_told_with_what_is_missing(armature):
    reach_for(armature, (0.5, -3.0, 1.95))
    clock = begin(armature)
    hands(clock, armature)
    assert "'Door' is 0.50 m out of reach of the verb" in character().problem


def test_a_verb_that_measures_nothing_cannot_be_chosen_and_nothing_is_stored_of_it(armature):
    reach_for(armature, PLACE)
    with pytest.raises(TypeError, match="not found in"):
        OPS.reach_there(verb=armature.verbs_adverbs.verbs["walk"].uid)
    assert OPS.reach_there(verb="NONE") == {"FINISHED"}
    assert armature.verbs_adverbs.director.verbs_adverbs.performance.reach_verb == ""


def test_a_target_of_the_verb_is_in_the_way(armature):
    rig = armature.verbs_adverbs
    rig.active_verb = rig.verbs.find("reach")
    assert OPS.target_add() == {"FINISHED"}
    reach_for(armature, PLACE)
    clock = begin(armature)
    assert play(clock, 1.0)
    command(armature, "walk")
    assert play(clock, 1.0)
    assert "already follows target 'Target', relative to where the character starts" in character().problem
