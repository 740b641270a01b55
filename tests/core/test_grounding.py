"""Contact windows know how high their points stand over the ground."""

import numpy as np
from verbs_adverbs.core.figure.biped import BALL_HEIGHT
from verbs_adverbs.core.figure.channels import world_points
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.grounding import on_one_ground
from verbs_adverbs.core.verb.verb import Verb

from .walks import ADVERBS, biped_channels, walk_example

PLACES = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]


def _walk(slope: float = 0.0) -> Verb:
    examples = [walk_example(*place, slope=slope) for place in PLACES]
    return build_verb("walk", biped_channels(), examples, ADVERBS, [[-1, 1], [-1, 1]])


def test_the_ball_of_the_foot_stands_at_its_height_on_the_flat():
    for contact in _walk().contacts:
        assert np.abs(contact.clearances - BALL_HEIGHT).max() < 0.003
        assert np.abs(contact.drops).max() < 0.003


def test_on_a_slope_heights_count_from_where_the_ground_has_climbed_to():
    for contact in _walk(0.5).contacts:
        assert np.abs(contact.clearances - BALL_HEIGHT).max() < 0.05
        assert np.ptp(contact.clearances) < 0.02


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
    drops = on_one_ground(clearances, np.zeros((3, 1)), 0.85)
    assert np.abs(drops[:, 0] - [-0.01, 0.0, 0.0]).max() < 1e-12
    assert np.abs(on_one_ground(100.0 * clearances, np.zeros((3, 1)), 85.0) - 100.0 * drops).max() < 1e-10
