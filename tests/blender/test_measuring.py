"""Adverbs that measure: the examples' values are read off their motions."""

import bpy
import numpy as np
import pytest
from blender.figurine import assert_says, refused
from blender.reaching import built, reaching_biped, the_verb
from blender.stage import part

OPS = bpy.ops.verbs_adverbs


@pytest.fixture
def armature():
    return reaching_biped()


def test_the_examples_lie_where_blender_shows_the_hand_at_their_keytime(armature):
    for reference in the_verb(armature).examples:
        action = reference.action
        example = action.verbs_adverbs.examples[0]
        part("bridge.blender.versions").assign_action(armature, action)
        frame = example.keytimes["reach"].frame
        bpy.context.scene.frame_set(int(frame // 1), subframe=frame % 1)
        bpy.context.view_layer.update()
        shown = np.array(armature.matrix_world @ armature.pose.bones["Hand_R"].tail)
        values = [example.values[name].value for name in "xyz"]
        assert np.linalg.norm(shown - values) < 0.003


def test_measuring_sets_ranges_and_the_verb_meets_its_examples(armature):
    verb = built(armature).verb
    adverbs = armature.verbs_adverbs.adverbs
    assert np.allclose(verb.places.min(axis=0), [adverbs[n].minimum for n in "xyz"], atol=1e-6)
    assert np.allclose(verb.places.max(axis=0), [adverbs[n].maximum for n in "xyz"], atol=1e-6)
    measuring = part("bridge.authoring.measuring")
    measured = measuring.measure_of(the_verb(armature), verb, built(armature).rig).at(verb, verb.places)
    assert np.abs(measured - verb.places).max() < 1e-5


def test_speed_turn_and_slope_of_walks_are_measured_in_metres_and_degrees():
    assert OPS.add_biped() == {"FINISHED"}
    armature = bpy.context.object
    verb = armature.verbs_adverbs.verbs["walk"]
    verb.adverbs["turn"].measure, verb.adverbs["slope"].measure = "TURN_RATE", "SLOPE"
    OPS.adverb_add(name="speed")
    verb.adverbs["speed"].measure = "SPEED"
    assert OPS.measure() == {"FINISHED"}
    found = {e.action.name: e.action.verbs_adverbs.examples[0].values for e in verb.examples}
    uphill = next(values for name, values in found.items() if "uphill" in name.lower() or values["slope"].value > 1)
    assert 5.0 < uphill["slope"].value < 20.0
    turns = sorted(values["turn"].value for values in found.values())
    assert turns[0] < -5.0 and turns[-1] > 5.0
    assert all(0.4 < values["speed"].value < 2.5 for values in found.values())
    assert armature.verbs_adverbs.adverbs["turn"].unit == "°/s"


def test_speed_and_turn_begin_at_the_middle_speed_and_straight_on():
    assert OPS.add_biped() == {"FINISHED"}
    armature = bpy.context.object
    verb, adverbs = armature.verbs_adverbs.verbs["walk"], armature.verbs_adverbs.adverbs
    while len(adverbs):
        assert OPS.adverb_remove() == {"FINISHED"}
    assert OPS.measure_travel() == {"FINISHED"}
    speeds = sorted(e.action.verbs_adverbs.examples[0].values["speed"].value for e in verb.examples)
    assert adverbs["speed"].default == speeds[len(speeds) // 2] > 1.05 * adverbs["speed"].minimum
    assert adverbs["turn"].default == 0.0 > adverbs["turn"].minimum


def test_verbs_share_an_adverb_whose_range_reaches_over_the_examples_of_all():
    assert OPS.add_biped(cast="GOING") == {"FINISHED"}
    armature = bpy.context.object
    verbs, adverbs = armature.verbs_adverbs.verbs, armature.verbs_adverbs.adverbs
    while len(adverbs):
        assert OPS.adverb_remove() == {"FINISHED"}
    for name in ("walk", "run"):
        armature.verbs_adverbs.active_verb = verbs.find(name)
        assert OPS.measure_travel() == {"FINISHED"}
    values = [
        reference.action.verbs_adverbs.examples[0].values["turn"].value
        for name in ("walk", "run")
        for reference in verbs[name].examples
    ]
    assert (adverbs["turn"].minimum, adverbs["turn"].maximum) == (min(values), max(values))


def test_an_adverb_that_has_no_values_yet_is_measured_too(armature):
    for reference in the_verb(armature).examples:
        reference.action.verbs_adverbs.examples[0].values.clear()
    assert OPS.measure() == {"FINISHED"}
    assert OPS.verb_build() == {"FINISHED"}


def test_a_place_is_measured_by_one_operator_that_adds_the_adverbs(armature):
    assert OPS.measure_place(bone="Hand_L", end="TAIL", keytime="reach", x="", y="", z="left height") == {"FINISHED"}
    used = the_verb(armature).adverbs["left height"]
    assert (used.measure, used.bone, used.keytime) == ("Z", "Hand_L", "reach")


def test_what_is_not_there_is_told_in_words(armature, capfd):
    used = the_verb(armature).adverbs["x"]
    used.bone = "Hnd"
    assert_says(refused(OPS.measure, capfd), "'x'", "'Hnd'", "Choose the bone")
    used.bone, used.keytime = "Hand_R", "grab"
    assert_says(refused(OPS.measure, capfd), "no keytime 'grab'", "'reach'")
    used.keytime = ""
    assert_says(refused(OPS.measure, capfd), "needs a keytime at which")
    said = refused(OPS.measure_place, capfd, bone="Hnd", keytime="reach")
    assert_says(said, "no bone 'Hnd'")
    assert_says(refused(OPS.measure_place, capfd, bone="Hand_R", keytime="grab"), "no keytime 'grab'")
