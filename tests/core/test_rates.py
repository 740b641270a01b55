"""Speed and turning of a verb, and the steering adverb that turns as asked."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from verbs_adverbs.core.errors import VerbError
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.speed_and_turn import rates, steering_table
from verbs_adverbs.core.verb.verb import Verb

from .stepping import played
from .synthetic import some_verb
from .walks import ADVERBS, biped_channels, walk_examples

PLACES = np.random.default_rng(41).uniform(-1.0, 1.0, (8, 2))
"""Mood and turn."""


@cache
def _walk() -> Verb:
    return build_verb("walk", biped_channels(), walk_examples(), ADVERBS, [[-1, 1], [-1, 1]])


def test_rates_are_those_of_a_performed_cycle():
    found = rates(_walk(), PLACES)
    for index, place in enumerate(PLACES):
        seconds = _walk().duration(place)
        shown = played(_walk(), np.linspace(0.0, seconds, 400), place)
        steps = np.hypot(*np.diff(shown.values[:, :2], axis=0).T)
        assert found.seconds[index] == pytest.approx(seconds, abs=1e-12)
        assert np.abs(found.travel[index, :3] - shown.values[-1, :3]).max() < 1e-6
        assert found.travel[index, 3] == pytest.approx(shown.heights[-1], abs=1e-9)
        assert found.length[index] == pytest.approx(steps.sum(), rel=1e-4)
        assert found.speed[index] * seconds == pytest.approx(found.length[index])
        assert found.turn_rate[index] * seconds == pytest.approx(shown.values[-1, 2], abs=1e-9)


def test_the_course_is_where_a_straight_walk_goes():
    found = rates(_walk(), [0.0, 0.0])
    assert float(found.course) == pytest.approx(np.arctan2(found.travel[1], found.travel[0]), abs=1e-3)


@given(st.floats(-1.0, 1.0), st.floats(-0.6, 0.6))
def test_the_value_found_turns_as_fast_as_asked(mood: float, wanted: float):
    """Or as near to it as the range goes: at some moods it ends before 0.6 radians a metre."""
    table = steering_table(_walk(), "turn", [mood, 0.0])
    value, reached = table.for_turn_rate(wanted), np.clip(wanted, *_extent(table.rates.turn_rate))
    assert float(rates(_walk(), [mood, value]).turn_rate) == pytest.approx(reached, abs=0.01)
    value, reached = table.for_curvature(wanted), np.clip(wanted, *_extent(table.rates.curvature))
    assert float(rates(_walk(), [mood, value]).curvature) == pytest.approx(reached, abs=0.01)


def _extent(values: np.ndarray) -> tuple[float, float]:
    return float(values.min()), float(values.max())


@given(st.floats(-1e6, 1e6))
def test_what_is_found_never_leaves_the_range(wanted: float):
    table = steering_table(_walk(), "turn", PLACES[0])
    for value in (table.for_turn_rate(wanted), table.for_curvature(wanted)):
        assert -1.0 <= value <= 1.0


def test_a_curve_of_no_one_direction_is_inverted_where_it_turns_least():
    verb = some_verb(12)
    name = verb.adverb_names[0]
    table = steering_table(verb, name, np.zeros(len(verb.adverb_names)))
    least = float(np.abs(table.rates.turn_rate).min())
    found = np.interp(table.neutral, table.values, table.rates.turn_rate)
    assert abs(found) <= least + 1e-9


def test_a_verb_without_the_adverb_cannot_be_steered_by_it():
    with pytest.raises(
        VerbError, match="'walk' has no adverb 'lean' to steer with. Choose one of its adverbs: 'mood', 'turn'"
    ):
        steering_table(_walk(), "lean", PLACES[0])
