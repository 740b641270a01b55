"""The figures of a verb's report equal those of a planar arm that the test computes in closed form by itself."""

from functools import cache

import numpy as np
import pytest
from verbs_adverbs.core.figure.channels import Channels
from verbs_adverbs.core.figure.skeleton import Skeleton
from verbs_adverbs.core.verb.build import VerbOptions, build_verb
from verbs_adverbs.core.verb.example import Contact, Example, Take
from verbs_adverbs.core.verb.verb import Verb

PLACES = np.array([[-1.0, -0.9], [-0.2, -1.0], [0.9, -0.8], [-1.0, 0.1], [0.1, 0.0], [1.0, 0.9], [-0.3, 0.8]])
LENGTHS = 0.5, 0.3
RATE, SECONDS = 60.0, 1.0
GAP, SWING = np.radians(6.0), 3
WINDOW = 0.1, 0.4
STILL = np.array([1.0, 0.0, 0.0, 0.0])


def angles(row: int, times: np.ndarray) -> np.ndarray:
    """Angles (T, 2) of shoulder and elbow of an example; the shoulder of one does not come back by `GAP`."""
    energy, height = PLACES[row]
    turn = 2.0 * np.pi * times / SECONDS
    shoulder = 0.3 * energy**2 + (0.2 + 0.1 * height) * np.sin(turn)
    elbow = 0.5 * height * energy + 0.15 * energy * np.cos(turn)
    return np.stack([shoulder + (GAP * times / SECONDS if row == SWING else 0.0), elbow], axis=-1)


def places(shoulder: np.ndarray, elbow: np.ndarray) -> np.ndarray:
    """Places (T, 3, 2) of shoulder, elbow and hand over the floor."""
    upper = LENGTHS[0] * np.stack([np.cos(shoulder), np.sin(shoulder)], axis=-1)
    lower = LENGTHS[1] * np.stack([np.cos(shoulder + elbow), np.sin(shoulder + elbow)], axis=-1)
    return np.stack([np.zeros_like(upper), upper, upper + lower], axis=-2)


def about_z(turned: np.ndarray) -> np.ndarray:
    quaternions = np.zeros((*turned.shape, 4))
    quaternions[..., 0], quaternions[..., 3] = np.cos(0.5 * turned), np.sin(0.5 * turned)
    return quaternions


@cache
def arm(closed: bool = True) -> Verb:
    """A verb of the arm's examples; a fixed root below the shoulder carries no travel."""
    names, parents = ("root", "shoulder", "elbow", "hand"), np.array([-1, 0, 1, 2])
    offsets = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [LENGTHS[0], 0.0, 0.0], [LENGTHS[1], 0.0, 0.0]])
    rests = np.tile(STILL, (4, 1))
    skeleton = Skeleton(names, parents.astype(np.intp), offsets, rests, offsets + [0.1, 0.0, 0.0])
    channels = Channels(skeleton, np.arange(3, dtype=np.intp), (), rests)
    times = np.arange(-6, round(SECONDS * RATE) + 7) / RATE
    examples = []
    for row, place in enumerate(PLACES):
        rotations = np.concatenate([np.tile(STILL, (len(times), 1, 1)), about_z(angles(row, times))], axis=1)
        take = Take(times, rotations, np.zeros((len(times), 3)), np.zeros((len(times), 0)))
        contact = Contact("hand", 3, np.zeros(3), (WINDOW,))
        keytimes = np.array([0.0, 0.5, 1.0]) * SECONDS
        examples.append(Example(f"arm {row}", place, ("a", "b", "c"), keytimes, take, (contact,), "stationary", closed))
    options = VerbOptions(hold_contacts=False, close=closed)
    return build_verb("arm", channels, examples, ("energy", "height"), [[-1.0, 1.0]] * 2, options)


def kriged(centres: np.ndarray) -> np.ndarray:
    """System (N + 1, N + 1) of ordinary kriging over places in ranges of the adverbs, its corners rounded."""
    distances = np.linalg.norm(centres[:, None] - centres[None], axis=-1)
    nearest = np.where(np.eye(len(centres)) > 0.0, np.inf, distances).min(axis=1)
    near = -np.sqrt(distances**2 + (0.15 * nearest) ** 2) - distances**2
    system = np.ones((len(centres) + 1, len(centres) + 1))
    system[:-1, :-1], system[-1, -1] = near, 0.0
    return system


def weights_at(place: np.ndarray, centres: np.ndarray) -> np.ndarray:
    distances = np.linalg.norm(centres - place, axis=1)
    between = np.linalg.norm(centres[:, None] - centres[None], axis=-1)
    corners = 0.15 * np.where(np.eye(len(centres)) > 0.0, np.inf, between).min(axis=1)
    row = np.append(-np.sqrt(distances**2 + corners**2) - distances**2, 1.0)
    return row @ np.linalg.solve(kriged(centres), np.eye(len(centres) + 1)[:, :-1])


def test_what_is_left_out_is_as_far_from_its_prediction_as_is_told():
    times = np.linspace(0.0, 1.0, 12) * SECONDS
    scaled = 0.5 * PLACES
    told = arm(closed=False).report.left_out
    assert len(told) == len(PLACES)
    for left, distance in enumerate(told):
        rest = [row for row in range(len(PLACES)) if row != left]
        weights = weights_at(scaled[left], scaled[rest])
        mixed = np.tensordot(weights, [about_z(angles(row, times)) for row in rest], axes=1)
        turned = 2.0 * np.arctan2(mixed[..., 3], mixed[..., 0])
        apart = np.linalg.norm(places(*turned.T) - places(*angles(left, times).T), axis=-1)
        mean = np.mean(np.concatenate([np.zeros((len(times), 1)), apart], axis=1))
        assert abs(distance - mean) < 0.01 * mean + 1e-5


def test_the_condition_is_that_of_the_system_of_the_places():
    assert arm().report.condition == pytest.approx(np.linalg.cond(kriged(0.5 * PLACES)), rel=1e-6)


def test_the_seam_is_the_angle_by_which_the_cycle_does_not_come_back():
    seams = arm().report.seam_degrees
    assert seams[SWING] == pytest.approx(np.degrees(GAP), rel=1e-3)
    assert max(seam for row, seam in enumerate(seams) if row != SWING) < 1e-6


def test_the_fit_is_how_far_what_is_played_is_from_what_was_keyed():
    verb = arm(closed=False)
    times = np.linspace(0.0, SECONDS, 257)
    for row, told in enumerate(verb.report.fit_degrees):
        values = verb.motion(PLACES[row]).sample(times)[:, verb.channels.rotation_columns].reshape(-1, 3, 4)
        turned = np.degrees(2.0 * np.arctan2(values[:, 1:, 3], values[:, 1:, 0]) - angles(row, times))
        assert abs(np.abs(turned).max() - told) < 0.25 * told + 1e-3


def test_the_slip_is_how_far_the_hand_goes_from_the_middle_of_where_it_stands():
    times = np.linspace(*WINDOW, 12)
    for row, told in enumerate(arm(closed=False).report.slips):
        hand = places(*angles(row, times).T)[:, 2]
        assert told == pytest.approx(np.linalg.norm(hand - hand.mean(axis=0), axis=1).max(), rel=0.01)
