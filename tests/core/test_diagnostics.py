"""Leaving examples out, extrapolation, and how much planted points slide."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.verb.build import VerbOptions, build_verb
from verbs_adverbs.demo.diagnostics import (
    contact_slip,
    extrapolation,
    inverse_distance,
    leave_one_out,
    nearest,
    radial_scheme,
)

from .synthetic import make_example, random_channels, some_examples, some_verb
from .walks import ADVERBS, biped_channels, walk_examples

RANGES = [[-1, 1], [-1, 1]]
SCHEMES = {"radial": radial_scheme(VerbOptions()), "nearest": nearest, "inverse distance": inverse_distance}


def test_an_example_that_is_the_same_as_its_neighbours_is_predicted_exactly():
    channels = random_channels(np.random.default_rng(40))
    same = make_example("same", (0.0, 0.0), 40, channels)
    places = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (-1.0, -1.0), (1.0, 1.0)]
    examples = [replace(same, name=f"e{i}", adverbs=np.array(place)) for i, place in enumerate(places)]
    found = leave_one_out("walk", channels, examples, ("a", "b"), RANGES, SCHEMES)
    for left in found.values():
        assert max(left.relative) < 1e-9 and max(left.world) < 1e-9


def test_the_nearest_example_predicts_by_itself():
    channels = random_channels(np.random.default_rng(41))
    examples = some_examples(41, channels)
    found = leave_one_out("walk", channels, examples, ("a", "b"), RANGES, SCHEMES)
    assert all(0.0 < distance < np.inf for left in found.values() for distance in (*left.relative, *left.world))
    twins = [*examples, replace(examples[0], name="twin", adverbs=examples[0].adverbs + [0.01, 0.0])]
    twin = leave_one_out("walk", channels, twins, ("a", "b"), RANGES, SCHEMES)["nearest"]
    assert twin.relative[0] < 1e-9 and twin.relative[-1] < 1e-9


def test_an_example_without_which_the_others_span_nothing_is_not_predicted():
    channels = random_channels(np.random.default_rng(42))
    examples = some_examples(42, channels, 3)
    found = leave_one_out("walk", channels, examples, ("a", "b"), RANGES, SCHEMES)
    assert np.isnan(found["radial"].relative).all() and np.isfinite(found["nearest"].relative).all()


def test_one_example_alone_cannot_be_predicted():
    channels = random_channels(np.random.default_rng(43))
    example = make_example("only", (), 43, channels)
    found = leave_one_out("wave", channels, [example], (), np.zeros((0, 2)), SCHEMES)
    assert all(np.isnan(left.relative).all() and np.isnan(left.world).all() for left in found.values())


def test_examples_of_different_numbers_of_control_points_are_compared_too():
    channels = random_channels(np.random.default_rng(44))
    examples = some_examples(44, channels)
    mixed = [replace(e, control_points=n) for e, n in zip(examples, (0, 16, 48, 0, 64, 0), strict=True)]
    ours = leave_one_out("walk", channels, mixed, ("a", "b"), RANGES, SCHEMES)["radial"]
    theirs = leave_one_out("walk", channels, examples, ("a", "b"), RANGES, SCHEMES)["radial"]
    assert np.abs(np.array(ours.relative) / theirs.relative - 1.0).max() < 0.05


def test_extrapolation_is_nothing_at_the_examples_and_grows_outside():
    verb = some_verb(45)
    for place in verb.places:
        assert abs(extrapolation(verb, place)) < 1e-9
    outside = [extrapolation(verb, [reach, reach]) for reach in (2.0, 4.0, 8.0)]
    assert 0.0 < outside[0] < outside[1] < outside[2]


@pytest.mark.parametrize("adverbs", [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
def test_the_feet_of_the_examples_hardly_slip(adverbs: list[float]):
    verb = build_verb("walk", biped_channels(), walk_examples(), ADVERBS, RANGES)
    slips = contact_slip(verb, adverbs)
    assert slips.shape == (2,) and slips.max() < 0.04
