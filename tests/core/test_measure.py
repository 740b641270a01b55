"""Measures read off a verb what its motions do."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from verbs_adverbs.core.figure.channels import world_points
from verbs_adverbs.core.reach.measures import aim_at_adverbs, combine, distortion, end_effector, slope, speed, turn_rate
from verbs_adverbs.core.reach.refine import lattice, scattered
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.verb import Verb
from verbs_adverbs.demo.diagnostics import root_relative

from .stepping import played
from .synthetic import some_verb
from .walks import ADVERBS, biped_channels, walk_example, walk_examples

OFFSET = np.array([0.1, -0.05, 0.2])
PLACES = np.random.default_rng(42).uniform(-1.0, 1.0, (6, 2))
PHASES = (0.0, 0.2, 0.63, 1.0)


@cache
def _walk() -> Verb:
    return build_verb("walk", biped_channels(), walk_examples(), ADVERBS, [[-1, 1], [-1, 1]])


@pytest.mark.parametrize("phase", PHASES)
def test_an_end_effector_is_where_the_motion_has_it(phase: float):
    verb = some_verb(43, climb=0.2)
    seen = end_effector(3, OFFSET, phase, world=True).at(verb, PLACES)
    near = end_effector(3, np.zeros(3), phase).at(verb, PLACES)
    for row, place in enumerate(PLACES):
        motion = verb.motion(place)
        values = motion.sample_phases(np.array([phase]))
        assert np.abs(seen[row] - world_points(verb.channels, values, 3, OFFSET)[0]).max() < 1e-5
        values[:, 5] -= motion.path(np.array([phase]))[:, 3]
        assert np.abs(near[row] - root_relative(verb.channels, values)[0, 3]).max() < 1e-5


def test_chosen_axes_and_combined_measures_stand_in_order():
    verb = some_verb(43)
    whole = end_effector(3, OFFSET, 0.4).at(verb, PLACES)
    both = combine(end_effector(3, OFFSET, 0.4, axes=(2,)), speed())
    assert both.labels == ("z", "speed")
    assert both.units == ("m", "m/s")
    assert np.abs(both.at(verb, PLACES)[:, 0] - whole[:, 2]).max() < 1e-6


def test_speed_and_turn_rate_are_those_of_a_performed_cycle():
    found = combine(speed(), turn_rate()).at(_walk(), PLACES)
    for row, place in enumerate(PLACES):
        seconds = _walk().duration(place)
        shown = played(_walk(), np.linspace(0.0, seconds, 400), place)
        way = np.hypot(*np.diff(shown.values[:, :2], axis=0).T).sum()
        assert found[row, 0] == pytest.approx(way / seconds, rel=1e-4)
        assert found[row, 1] == pytest.approx(shown.values[-1, 2] / seconds, abs=1e-9)


def test_the_slope_measured_is_the_slope_walked():
    examples = [replace(walk_example(0.0, 0.0, degrees), adverbs=np.array([degrees])) for degrees in (0.0, 8.0)]
    verb = build_verb("uphill", biped_channels(), examples, ("slope",), [[0, 8]])
    run = [np.hypot(*(drift[:, :2].sum(axis=0))) for drift in verb.drifts]
    rise = verb.drifts[:, :, 3].sum(axis=1)
    assert abs(rise[1]) > 0.01
    assert np.abs(slope().of_examples(verb)[:, 0] - np.arctan2(rise, run)).max() < 1e-3


def test_distortion_is_percent_of_the_diagonal_and_none_where_examples_stand():
    verb = build_verb("walk", biped_channels(), walk_examples(), ADVERBS, [[-1, 1], [-1, 1]])
    aim = aim_at_adverbs(verb, combine(speed(), turn_rate()), ADVERBS)
    found = distortion(verb, aim, PLACES)
    share = (found.achieved - found.asked) / 2.0
    assert np.abs(found.percent - 100.0 * np.linalg.norm(share, axis=1) / np.sqrt(2.0)).max() < 1e-9
    assert found.maximum >= found.average > 0.0


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_scattered_points_leave_no_gap(dimension: int):
    ranges = np.stack([np.zeros(dimension), np.full(dimension, 2.0)], axis=-1)
    points = scattered(ranges, 4**dimension * 8)
    centres = lattice([[0.25, 1.75]] * dimension, 4)
    nearest = np.abs(centres[:, None] - points).max(axis=-1).min(axis=1)
    assert points.min() >= 0.0
    assert points.max() <= 2.0
    assert nearest.max() <= 0.25
