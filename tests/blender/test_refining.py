"""Refinements: made, stored, used by every build, told stale, and taken out again."""

import json

import bpy
import numpy as np
import pytest
from blender.figurine import assert_says, everything, lines, refused, state
from blender.reaching import built, hand_at, keytime_frame, reaching_biped, refined_biped, the_verb
from blender.stage import part

OPS = bpy.ops.verbs_adverbs


@pytest.fixture
def armature():
    found = reaching_biped()
    the_verb(found).refinement.count = 6
    return found


@pytest.fixture
def refined():
    return refined_biped()


def own(armature):
    return the_verb(armature).refinement


def distortion(armature, points=None):
    refinement, found = part("bridge.authoring.refinement"), built(armature)
    places = refinement.judged_at(found.verb, own(armature).between) if points is None else points
    aim = part("bridge.authoring.measuring").aim_of(the_verb(armature), found.verb, found.rig)
    return part("core.reach.measures").distortion(found.verb, aim, places)


def warnings(armature) -> str:
    return " ".join(lines(armature, the_verb(armature), "WARNING"))


def test_a_refined_verb_misses_less_and_its_figures_are_true(armature):
    before = distortion(armature)
    assert OPS.refine() == {"FINISHED"}
    after, told = distortion(armature), own(armature)
    assert after.maximum < 0.6 * before.maximum and after.average < 0.6 * before.average
    figures = (told.average_before, told.maximum_before, told.average_after, told.maximum_after)
    assert figures == pytest.approx((before.average, before.maximum, after.average, after.maximum), rel=1e-3)
    assert (told.unit, len(json.loads(told.text)["radii"])) == ("m", 6)
    adverbs = [armature.verbs_adverbs.adverbs[name] for name in "xyz"]
    extents = [adverb.maximum - adverb.minimum for adverb in adverbs]
    assert told.diagonal == pytest.approx(np.linalg.norm(extents), rel=1e-4)


def test_its_examples_stay_exact_and_exactly_misses_next_to_nothing(refined):
    verb = built(refined).verb
    assert np.abs(verb.weights(verb.places) - np.eye(len(verb.places))).max() < 1e-9
    own(refined).exactly = True
    searched = distortion(refined)
    assert searched.maximum < 0.1
    assert own(refined).maximum_exact == pytest.approx(searched.maximum, abs=0.02)


def test_exactly_searches_by_lineswhere_that_is_chosen_and_its_figure_is_true(refined):
    own(refined).exactly = True
    squares = distortion(refined)
    own(refined).search = "LINE"
    assert state(refined, the_verb(refined)) == "OUT_OF_DATE"
    assert built(refined).verb.by == "line"
    by_lines = distortion(refined)
    assert np.abs(by_lines.percent - squares.percent).max() > 1e-4
    assert own(refined).average_line == pytest.approx(by_lines.average, rel=0.02)
    assert own(refined).maximum_line == pytest.approx(by_lines.maximum, rel=0.02)


def test_what_is_searched_with_is_of_no_account_until_exactly_is_ticked_and_least_squares_where_nothing_is_stored(
    refined,
):
    assert not own(refined).is_property_set("search")
    before = built(refined).signature
    own(refined).search = "LINE"
    assert built(refined).signature == before
    own(refined).property_unset("search")
    own(refined).exactly = True
    assert built(refined).verb.by == "least_squares"


def test_a_file_that_is_opened_again_builds_the_refined_verb(refined, tmp_path):
    expected = distortion(refined).percent
    saved = str(tmp_path / "refined.blend")
    bpy.ops.wm.save_as_mainfile(filepath=saved)
    part("bridge.blender.store").forget()
    bpy.ops.wm.open_mainfile(filepath=saved)
    armature = bpy.context.object
    assert state(armature, the_verb(armature)) == "UP_TO_DATE"
    assert np.abs(distortion(armature).percent - expected).max() < 1e-3
    assert "refine" not in warnings(armature)


def test_a_verb_that_was_refined_before_it_was_ever_built_stays_refined_when_its_file_is_opened(extension, tmp_path):
    assert OPS.add_biped(walk=False, reach=True) == {"FINISHED"} and OPS.measure() == {"FINISHED"}
    bpy.context.object.verbs_adverbs.verbs["reach"].refinement.count = 2
    assert OPS.refine() == {"FINISHED"}
    saved = str(tmp_path / "refined.blend")
    bpy.ops.wm.save_as_mainfile(filepath=saved)
    bpy.ops.preferences.addon_disable(module=extension.__name__)
    bpy.ops.preferences.addon_enable(module=extension.__name__)
    bpy.ops.wm.open_mainfile(filepath=saved)
    assert OPS.verb_build() == {"FINISHED"}
    said = [line.text for line in bpy.context.object.verbs_adverbs.verbs["reach"].results]
    assert said and not any("refine" in text for text in said)


def test_a_live_verb_plays_refined_as_soon_as_it_is(armature):
    OPS.live_on()
    director, place = armature.verbs_adverbs.director, (-0.3, -0.5, 1.2)
    for name, value in zip("xyz", place, strict=True):
        director[name] = value
    frame = keytime_frame(armature, place)
    part("bridge.session.live").flush()
    before = np.linalg.norm(hand_at(armature, frame) - place)
    own(armature).count = 20
    assert OPS.refine() == {"FINISHED"}
    after = np.linalg.norm(hand_at(armature, keytime_frame(armature, place)) - place)
    assert after < 0.4 * before


def test_it_is_told_stale_and_not_used_when_an_example_changes(refined):
    keytime = the_verb(refined).examples[0].action.verbs_adverbs.examples[0].keytimes["reach"]
    frame = keytime.frame
    keytime.frame = frame + 1.0
    assert state(refined, the_verb(refined)) == "OUT_OF_DATE"
    found = built(refined)
    assert len(found.verb.basis.centres) == len(found.verb.example_names)
    assert_says(warnings(refined).rstrip(), "have changed since it was refined", "Refine it again")
    keytime.frame = frame
    assert len(built(refined).verb.basis.centres) == len(found.verb.example_names) + 6
    assert "refined" not in warnings(refined)


def test_it_stays_when_something_else_is_annotated_in_an_action(armature):
    action = the_verb(armature).examples[0].action
    assert OPS.refine() == {"FINISHED"}
    annotate = part("bridge.data.annotate")
    annotate.begin(action)
    annotate.add_example(action, "another", 1.0, 2.0, 24.0)
    found = built(armature)
    assert "refine" not in warnings(armature)
    assert len(found.verb.basis.centres) > len(found.verb.example_names)


def test_renaming_an_adverb_keeps_it(refined):
    armature = refined
    armature.verbs_adverbs.active_adverb = armature.verbs_adverbs.adverbs.find("x")
    expected = distortion(armature).percent
    assert OPS.adverb_rename(name="across") == {"FINISHED"}
    assert built(armature).verb.adverb_names[0] == "across"
    assert np.abs(distortion(armature).percent - expected).max() < 1e-3
    assert "refine" not in warnings(armature)


def test_another_measure_makes_it_stale_too(refined):
    the_verb(refined).adverbs["x"].end = "HEAD"
    assert "have changed since it was refined" in warnings(refined) or built(refined)
    assert "have changed since it was refined" in warnings(refined)


def test_removing_it_gives_the_plain_verb_back(armature):
    before = distortion(armature).percent
    OPS.refine()
    assert OPS.refinement_remove() == {"FINISHED"}
    assert np.abs(distortion(armature).percent - before).max() < 1e-9
    assert not own(armature).text and own(armature).count == 6


def test_text_that_is_no_refinement_is_told_and_not_used(refined):
    for text in ("rubbish", '{"places": [[0, 0, 0]], "weights": [[1]], "radii": [1]}', '{"places": 1}', "[]"):
        own(refined).text = text
        assert len(built(refined).verb.basis.centres) == 8
        assert "does not match the verb and is not used" in warnings(refined)


def test_being_given_up_it_changes_nothing(armature):
    before = everything()
    going = part("bridge.authoring.refinement").Refining(armature, the_verb(armature))
    assert going.step() and going.step() and going.share == pytest.approx(2.0 / 6.0)
    assert "2 pseudo-examples" in going.told
    assert everything() == before


def test_it_is_one_step_to_undo(armature):
    bpy.ops.ed.undo_push(message="before")
    assert OPS.refine() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="refine")
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Biped"]
    assert not own(armature).text
    assert len(built(armature).verb.basis.centres) == 8
    bpy.ops.ed.redo()
    assert len(built(bpy.data.objects["Biped"]).verb.basis.centres) == 14


def test_what_stands_in_the_way_is_told_in_words(armature, capfd):
    the_verb(armature).examples[0].action.verbs_adverbs.examples[0].values["x"].value += 0.2
    assert_says(refused(OPS.refine, capfd), "differ from its measured values", "% of the region", "Press Measure first")
    OPS.measure()
    the_verb(armature).adverbs["x"].keytime = "grab"
    assert_says(refused(OPS.refine, capfd), "no keytime 'grab'")
    for used in the_verb(armature).adverbs:
        used.measure = "NONE"
    assert "Choose what one of its adverbs measures first" in refused(OPS.refine, capfd) + "."


def test_a_region_without_examples_and_two_examples_at_one_place_are_told(armature, capfd):
    values = [reference.action.verbs_adverbs.examples[0].values for reference in the_verb(armature).examples[:2]]
    was = [values[1][name].value for name in "xyz"]
    for name in "xyz":
        values[1][name].value = values[0][name].value
    assert_says(refused(OPS.refine, capfd), "have the same adverb values", "Change the values of one")
    for name, value in zip("xyz", was, strict=True):
        values[1][name].value = value
    adverb = armature.verbs_adverbs.adverbs["x"]
    adverb.maximum, adverb.minimum = 6.0, 5.0
    assert_says(refused(OPS.refine, capfd), "No example of verb 'reach' is in the region x 5", "Set the ranges")


def test_it_may_look_at_what_lies_between_the_examples_alone(armature):
    reach = the_verb(armature)
    for reference in reach.examples[:2]:
        reference.enabled = False
    own(armature).between, own(armature).count = True, 2
    assert OPS.refine() == {"FINISHED"}
    verb, judged = built(armature).verb, part("bridge.authoring.refinement").judged_at
    between, throughout = (judged(verb, choice) for choice in (True, False))
    assert 50 < len(between) < 0.95 * len(throughout)
    places = np.array(json.loads(own(armature).text)["places"])
    hull = part("core.reach.refine")
    assert hull.inside_hull(verb.places, verb.adverb_ranges, places).all()
