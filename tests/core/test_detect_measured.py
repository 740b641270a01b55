"""What a generated walk is made with is measured in it: speed, turn, slope, steps; and how high a hand comes."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.biped.gait import build_gait
from verbs_adverbs.core.biped.gait_style import FASTEST_TURN, STEEPEST
from verbs_adverbs.core.detect.measured import highest, measure_example
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.verb.travel import headings_of

from .detected import known_walk
from .walks import biped_channels, walk_example

CHANNELS = biped_channels()
PLACES = list(itertools.product((-1.0, 0.0, 1.0), repeat=3))
WITHIN = 0.01


def _on_the_spot(example):
    """Without travel, heading and climb: what the floor would do under it is done by the feet."""
    take = example.take
    headings = headings_of(take.rotations[:, 0], quat.mean(take.rotations[:, 0]))
    rotations = take.rotations.copy()
    rotations[:, 0] = quat.multiply(quat.from_yaw(-headings), rotations[:, 0])
    first, last = np.interp(example.keytimes[[0, -1]], take.times, take.root[:, 2])
    climb = (last - first) / example.keytimes[-1] * take.times
    root = take.root * [0.0, 0.0, 1.0] - climb[:, None] * [0.0, 0.0, 1.0]
    return replace(example, take=replace(take, rotations=rotations, root=root), kind="in_place")


@pytest.mark.parametrize("on_the_spot", [False, True])
@pytest.mark.parametrize("place", PLACES)
def test_speed_turn_slope_and_steps_are_those_the_walk_was_made_with(place, on_the_spot: bool):
    mood, slope, turn = place
    style = build_gait(*place).style
    walk = walk_example(mood, turn, slope)
    found = measure_example(_on_the_spot(walk) if on_the_spot else walk, CHANNELS)
    speed = style.stride / style.period
    assert abs(found.speed / speed - 1.0) < WITHIN
    assert abs(found.step_length / (0.5 * style.stride) - 1.0) < WITHIN
    assert abs(found.turn_rate - turn * FASTEST_TURN) < (2.0 if on_the_spot else 1.0) * WITHIN * FASTEST_TURN
    assert abs(found.slope - slope * STEEPEST) < WITHIN * STEEPEST


def test_what_stays_goes_nowhere():
    found = measure_example(replace(walk_example(0.0, 0.0), kind="stationary"), CHANNELS)
    assert (found.speed, found.turn_rate, found.slope, found.step_length) == (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("slope", [-1.0, 0.0, 1.0])
def test_the_height_of_a_hand_is_counted_from_the_floor_below_it(slope: float):
    observed = known_walk(0.0, slope, 0.0, rate=120.0).observed
    rise = np.tan(slope * STEEPEST)
    path = observed.root * [1.0, 1.0, 0.0]
    path[:, 2] = -rise * path[:, 1] + 1.3 + 0.2 * np.sin(3.0 * observed.times)
    inside = (observed.times >= 0.5) & (observed.times <= 1.0)
    truth = float((1.3 + 0.2 * np.sin(3.0 * observed.times[inside])).max())
    assert abs(highest(observed, path, 0.5, 1.0) / truth - 1.0) < WITHIN
