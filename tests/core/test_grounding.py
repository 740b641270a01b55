"""Contact windows know how high their points stand over the ground."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import BALL_HEIGHT
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import world_points
from verbs_adverbs.core.verb.build import VerbOptions, build_verb
from verbs_adverbs.core.verb.example_contacts import over_one_ground
from verbs_adverbs.core.verb.verb import Verb

from .walks import ADVERBS, biped_channels, walk_example

PLACES = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]


def _walk() -> Verb:
    examples = [walk_example(*place) for place in PLACES]
    return build_verb("walk", biped_channels(), examples, ADVERBS, [[-1, 1], [-1, 1]])


def test_the_ball_of_the_foot_stands_at_its_height_on_the_flat():
    for contact in _walk().contacts:
        assert np.abs(contact.clearances - BALL_HEIGHT).max() < 0.003
        assert np.abs(contact.drops).max() < 0.003


@pytest.mark.parametrize("slope", [-1.0, 0.5, 1.0])
@pytest.mark.parametrize("turn", [-1.0, 0.0, 1.0])
def test_on_a_slope_heights_count_from_the_ground_under_the_point(slope: float, turn: float):
    """Where the walk turns as well, the ground winds up around the middle of its circle."""
    channels, options = biped_channels(), VerbOptions(hold_contacts=False)
    example = replace(walk_example(0.0, turn, slope), adverbs=np.zeros(0))
    verb = build_verb("walk", channels, [example], (), np.zeros((0, 2)), options)
    for contact in verb.contacts:
        assert np.abs(contact.clearances - BALL_HEIGHT).max() < 0.003


@pytest.mark.parametrize("heading", [0.0, 1.0, 2.5, 4.0])
def test_a_capture_whose_floor_is_not_quite_level_is_as_good_as_one_that_is(heading: float):
    """Each walk goes its own way over a floor that rises by 1.9 % towards X."""
    tip = quat.multiply(quat.from_axis_angle([0.0, 1.0, 0.0], -np.arctan(0.019)), quat.from_yaw(heading))
    example = walk_example(0.0, 0.0)
    rotations = example.take.rotations.copy()
    rotations[:, 0] = quat.multiply(tip, rotations[:, 0])
    take = replace(example.take, rotations=rotations, root=quat.rotate(tip, example.take.root))
    example = replace(example, take=take, adverbs=np.zeros(0))
    verb = build_verb("walk", biped_channels(), [example], (), np.zeros((0, 2)))
    motion = verb.motion(np.zeros(0))
    rows = motion.sample_phases(np.array([0.0, 1.0]))
    for contact in verb.contacts:
        assert np.abs(contact.clearances - np.median(contact.clearances)).max() < 0.003
    assert abs(rows[1, 5] - rows[0, 5]) < 1e-6


def test_feet_are_held_at_one_height_in_all_examples():
    lifted = walk_example(0.0, 1.0)
    lifted = replace(lifted, take=replace(lifted.take, root=lifted.take.root + np.array([0.0, 0.0, 0.015])))
    examples = [walk_example(0.0, 0.0), walk_example(1.0, 0.0), lifted]
    for contact in build_verb("walk", biped_channels(), examples, ADVERBS, [[-1, 1], [-1, 1]]).contacts:
        assert np.abs(contact.clearances - BALL_HEIGHT).max() < 0.002
        assert np.abs(contact.drops).max() < 0.003


def test_a_point_drops_from_where_its_window_opens_to_one_height():
    verb = _walk()
    for index, contact in enumerate(verb.contacts):
        for place, drop in zip(verb.places, contact.drops[:, 0], strict=True):
            motion = verb.motion(place)
            opening = motion.sample_phases(motion.windows[index][:1, 0])
            height = world_points(verb.channels, opening, contact.joint, contact.offset)[0, 2]
            assert abs(height - drop - np.median(contact.clearances)) < 0.003


def test_heights_between_examples_are_mixed_and_beyond_them_kept():
    contact = _walk().contacts[0]
    clearances, _ = contact.heights(np.array([0.5, 0.5, 0.0]))
    assert np.abs(clearances - contact.clearances[:2].mean(axis=0)).max() < 1e-12
    far, _ = contact.heights(np.array([1e3, -1e3, 1.0]))
    assert contact.clearances.min() <= far[0] <= contact.clearances.max()


def test_what_stands_on_a_box_stays_on_it():
    clearances = np.array([[0.02], [0.03], [0.32]])
    drops = over_one_ground(clearances, 0.85)
    assert np.abs(drops[:, 0] - [-0.01, 0.0, 0.0]).max() < 1e-12
    assert np.abs(over_one_ground(100.0 * clearances, 85.0) - 100.0 * drops).max() < 1e-10
