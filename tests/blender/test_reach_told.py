"""What is said and shown of a reach: targets out of reach, and heat maps."""

import bpy
import numpy as np
import pytest
from blender.figurine import assert_says
from blender.reaching import built, reaching_biped, the_verb
from blender.stage import part
from mathutils import Matrix

OPS = bpy.ops.verbs_adverbs


@pytest.fixture
def armature():
    found = reaching_biped()
    assert OPS.target_add() == {"FINISHED"}
    built(found)
    return found


def said_at(armature, place) -> str:
    target = the_verb(armature).targets[0]
    if target.object is not None:
        target.object.matrix_world = Matrix.Translation(place)
        bpy.context.view_layer.update()
    return part("bridge.authoring.reach_report").target_problem(armature, the_verb(armature), target)


def test_a_target_among_the_examples_is_not_complained_of(armature):
    assert said_at(armature, (-0.25, -0.5, 1.2)) == ""


def test_a_target_that_no_example_reaches_is_told_with_its_distance(armature):
    assert_says(said_at(armature, (-0.25, -0.5, 2.4)), "cannot reach", "m away", "add an example there")


def test_a_target_outside_what_the_examples_span_is_told_with_its_distance(armature):
    low = armature.verbs_adverbs.adverbs["x"].minimum
    said = said_at(armature, (low - 0.08, -0.5, 1.2))
    assert_says(said, "'Target' is 8 cm outside", "(along x)", "Move it closer")


def test_what_a_target_lacks_is_told(armature):
    the_verb(armature).targets[0].object = None
    assert_says(said_at(armature, (0, 0, 0)), "'Hand_R' has no object to reach for", "remove the target")
    OPS.target_remove()
    OPS.target_add()
    for used in the_verb(armature).adverbs:
        used.measure = "NONE"
    assert_says(said_at(armature, (0, 0, 0)), "No adverb measures 'Hand_R'")


def test_a_heat_map_shows_what_the_verb_does_and_cools_when_it_is_refined(armature):
    told = part("bridge.authoring.reach_report")
    (before,) = told.heat_maps(armature, the_verb(armature))
    verb = built(armature).verb
    row = int(before.percent.argmax())
    assert before.percent[row] > 8.0
    assert np.linalg.norm(before.achieved[row] - before.asked[row]) == pytest.approx(
        0.01 * before.percent[row] * before.diagonal
    )
    corner = verb.adverb_ranges[:, 0]
    assert np.linalg.norm(before.asked - corner, axis=1).min() < 1e-9
    assert "average error" in before.told and "Hand_R: " in before.told
    the_verb(armature).refinement.count = 6
    OPS.refine()
    (after,) = told.heat_maps(armature, the_verb(armature))
    assert after.percent.max() < 0.7 * before.percent.max()


def test_colours_go_from_cold_to_hot():
    colour_of = part("bridge.session.drawing.heat").colour_of
    reds = [colour_of(percent)[0] for percent in (0.0, 1.0, 4.0)]
    assert reds == sorted(reds)
    assert colour_of(10.0) == colour_of(50.0) != colour_of(5.0)
