"""A verb that is searched once more wherever it is evaluated."""

import numpy as np
import pytest
from verbs_adverbs.bench.reach_scenes import ARM_REGION, REACHED, arm_reach
from verbs_adverbs.core.figure.channels import world_points
from verbs_adverbs.core.reach.measures import Aim
from verbs_adverbs.core.reach.refine import RefineOptions, refine, scattered
from verbs_adverbs.core.reach.search import CLOSE, STEPS, ExactVerb, exact, search, search_line

from .stepping import played

POINTS = scattered(ARM_REGION, 40)
NEAR = 1e-6
"""By which weights of the same search may differ: its slopes are differences of poses."""


@pytest.fixture(scope="module")
def arm() -> tuple[ExactVerb, Aim]:
    verb, aim = arm_reach(1)
    return exact(refine(verb, aim, RefineOptions(count=8, samples=300)).verb, aim), aim


def test_its_weights_are_those_of_a_search_in_the_shape_of_the_points(arm: tuple[ExactVerb, Aim]):
    verb, aim = arm
    expected = search(verb.searched, aim, POINTS, CLOSE * aim.diagonal, STEPS).weights
    assert np.abs(verb.weights(POINTS) - expected).max() < NEAR
    assert verb.weights(POINTS.reshape(4, 10, 2)).shape == (4, 10, len(verb.example_names))
    assert np.abs(verb.weights(POINTS[3]) - expected[3]).max() < NEAR


def test_poses_one_by_one_and_many_at_once_are_the_same(arm: tuple[ExactVerb, Aim]):
    verb, _ = arm
    for point in POINTS[:8]:
        times = verb.motion(point).clock([0.5 * REACHED, REACHED])
        one = played(verb, times[1:], point).values[0]
        many = verb.motion(point).sample(times)[1]
        assert np.abs(one - many).max() < 1e-5


def test_what_is_played_meets_what_is_asked(arm: tuple[ExactVerb, Aim]):
    verb, aim = arm
    for point in POINTS[:10]:
        shown = played(verb, np.linspace(0.0, 0.4, 50), point)
        tip = world_points(verb.channels, shown.values[-1:], 4, np.zeros(3))[0, :2]
        assert np.linalg.norm(tip - point) < 2.0 * CLOSE * aim.diagonal


def test_its_examples_stay_exact(arm: tuple[ExactVerb, Aim]):
    verb, _ = arm
    assert np.abs(verb.weights(verb.places) - np.eye(len(verb.places))).max() < 1e-9


def test_its_weights_by_lines_are_those_of_that_search_and_belong_to_adverbs(arm: tuple[ExactVerb, Aim]):
    verb, aim = exact(arm[0].searched, arm[1], "line"), arm[1]
    expected = search_line(verb.searched, aim, POINTS, CLOSE * aim.diagonal, STEPS)
    assert np.abs(verb.weights(POINTS) - expected.weights).max() < NEAR
    assert expected.errors.max() <= CLOSE * aim.diagonal
    assert 0 < expected.steps.max() <= STEPS
    assert np.abs(verb.weights(verb.places) - np.eye(len(verb.places))).max() < 1e-9


def test_verbs_that_are_searched_in_other_ways_are_other_motions(arm: tuple[ExactVerb, Aim]):
    verb, aim = arm
    assert exact(verb.searched, aim, "line").motion_key != verb.motion_key == exact(verb.searched, aim).motion_key
