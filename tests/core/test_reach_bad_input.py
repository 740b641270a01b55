"""What cannot be reached is told in sentences that say what to do."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.bench.reach_scenes import ARM_REGION, REACHED, arm_channels, arm_reach, held_pose
from verbs_adverbs.core.errors import BasisError, VerbError
from verbs_adverbs.core.reach.measures import Aim, Measure, aim_at_adverbs, aim_at_plane, combine, end_effector
from verbs_adverbs.core.reach.refine import RefineOptions, refine
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.verb import Verb

TIP = 4
NOWHERE = np.zeros(3)


@pytest.fixture(scope="module")
def arm() -> tuple[Verb, Aim]:
    return arm_reach(1)


def test_a_region_with_no_examples(arm: tuple[Verb, Aim]):
    verb, aim = arm
    elsewhere = replace(verb, adverb_ranges=ARM_REGION + 3.0)
    with pytest.raises(VerbError, match=r"No example of verb 'arm' is in the region x 3\.35.*Set the ranges"):
        refine(elsewhere, aim)


def test_a_region_about_some_of_the_examples_is_refined(arm: tuple[Verb, Aim]):
    verb, aim = arm
    half = np.array([ARM_REGION[0], [0.0, ARM_REGION[1, 1]]])
    assert refine(replace(verb, adverb_ranges=half), aim, RefineOptions(count=2, samples=100)).pseudo.places.size


def test_a_measure_that_is_not_a_number_in_one_part_of_the_region(arm: tuple[Verb, Aim]):
    verb, aim = arm

    def of_weights(which: Verb, weights: np.ndarray) -> np.ndarray:
        found = aim.measure.of_weights(which, weights)
        return np.where(np.all(weights > 0.1, axis=1)[:, None], np.nan, found)

    partly = replace(aim, measure=Measure(("x", "y"), ("m", "m"), of_weights))
    with pytest.raises(VerbError, match=r"The measure of verb 'arm' at x .* is not a number.*smaller region"):
        refine(verb, partly)


def test_two_examples_measured_at_one_place():
    turns = np.array([0.2, 0.4, -0.3])
    axis = np.array([0.0, 0.0, 1.0])
    places = [[0.5, 0.1], [0.5, 0.1], [0.7, 0.0], [0.4, -0.2]]
    examples = [held_pose(f"pose {i}", np.array(place), turns, axis) for i, place in enumerate(places)]
    with pytest.raises(
        BasisError, match=r"Examples 'pose 0' and 'pose 1' have the same adverb values.*Change the values of one"
    ):
        build_verb("arm", arm_channels(), examples, ("x", "y"), ARM_REGION)


@pytest.mark.parametrize("joint", [5, -1, 40])
def test_an_end_effector_that_is_not_of_the_figure(arm: tuple[Verb, Aim], joint: int):
    beyond = end_effector(joint, NOWHERE, REACHED, axes=(0, 1))
    with pytest.raises(VerbError, match=r"is not among the 5 bones of verb 'arm'.*Choose a bone"):
        aim_at_adverbs(arm[0], beyond, ("x", "y"))
    with pytest.raises(VerbError, match="is not among the 5 bones"):
        aim_at_plane(arm[0], combine(beyond), [0.0, 0.0], np.eye(2))


@pytest.mark.parametrize("joint", [0, 1])
def test_an_end_effector_that_hangs_from_no_joint_that_moves(arm: tuple[Verb, Aim], joint: int):
    still = end_effector(joint, NOWHERE, REACHED, axes=(0, 1))
    with pytest.raises(VerbError, match=r"Adverb 'x' .* the same in all examples.*Measure a bone"):
        aim_at_adverbs(arm[0], still, ("x", "y"))


def test_an_end_effector_that_moves_is_aimed_at(arm: tuple[Verb, Aim]):
    aim = aim_at_adverbs(arm[0], end_effector(TIP, NOWHERE, REACHED, axes=(0, 1)), ("x", "y"))
    assert (aim.directions == np.eye(2)).all()
