"""Laws of rays and of the turns by which they are brought to places."""

import numpy as np
import pytest
from verbs_adverbs.core.aim.aiming import Ray, turn_between
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.vector_components import joined, parted


def ray_at(origins: np.ndarray, directions: np.ndarray) -> Ray:
    return Ray(parted(origins), parted(directions))


def as_far(ray: Ray, centres: np.ndarray, places: np.ndarray) -> np.ndarray:
    return joined(ray.as_far(parted(centres), parted(places)))


def turn(arms: np.ndarray, ways: np.ndarray, left: np.ndarray, upright: bool) -> np.ndarray:
    return joined(turn_between(parted(arms), parted(ways), left, upright))


def test_a_place_on_the_ray_is_found_there_however_near_it_is():
    rng = np.random.default_rng(1)
    directions = rng.normal(size=(200, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    origins, centres = rng.normal(size=(2, 200, 3))
    ray = ray_at(origins, directions)
    places = origins + rng.uniform(0.0, 4.0, (200, 1)) * directions
    assert np.abs(as_far(ray, centres, places) - (places - centres)).max() < 1e-6


def test_a_ray_is_found_as_far_away_as_any_place_that_is_far_enough():
    rng = np.random.default_rng(2)
    directions = rng.normal(size=(200, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    origins, places = rng.normal(size=(200, 3)), 20.0 * rng.normal(size=(200, 3))
    arms = as_far(ray_at(origins, directions), np.zeros((200, 3)), places)
    far = np.linalg.norm(places, axis=1) > 6.0
    assert np.abs(np.linalg.norm(arms, axis=1) - np.linalg.norm(places, axis=1))[far].max() < 1e-9
    assert np.linalg.norm(np.cross(arms - origins, directions), axis=1).max() < 1e-9


@pytest.mark.parametrize("upright", [False, True])
def test_a_turn_leaves_as_large_an_angle_as_is_asked(upright: bool):
    rng = np.random.default_rng(3)
    arms, ways = rng.normal(size=(2, 500, 3))
    angles = np.arccos(np.sum(arms * ways, axis=1) / np.linalg.norm(arms, axis=1) / np.linalg.norm(ways, axis=1))
    for left in (np.zeros(500), 0.3 * angles):
        turned = quat.rotate(turn(arms, ways, left, upright), arms)
        cosine = np.sum(turned * ways, axis=1) / np.linalg.norm(arms, axis=1) / np.linalg.norm(ways, axis=1)
        over = np.arccos(np.clip(cosine, -1.0, 1.0)) - left
        assert over.max() < 1e-6
        assert upright or over.min() > -1e-6


def test_an_upright_turn_keeps_a_level_axis_level():
    rng = np.random.default_rng(4)
    arms, ways = rng.normal(size=(2, 300, 3)) * [1.0, 1.0, 0.4]
    flat = np.minimum(*(np.hypot(one[:, 0], one[:, 1]) / np.linalg.norm(one, axis=1) for one in (arms, ways))) > 0.5
    axis = np.cross(arms, [0.0, 0.0, 1.0])
    turned = quat.rotate(turn(arms, ways, np.zeros(300), True), axis)
    assert flat.sum() > 100
    assert np.abs(turned[flat, 2]).max() < 1e-9


def test_an_upright_turn_from_straight_down_does_not_jump_as_the_place_goes_round():
    round_it = np.linspace(0.0, 2.0 * np.pi, 721)
    arms = np.tile([0.01, 0.0, -1.0], (721, 1))
    ways = np.stack([0.6 * np.cos(round_it), 0.6 * np.sin(round_it), np.full(721, -0.8)], axis=-1)
    made = turn(arms, ways, np.full(721, 0.3), True)
    assert np.degrees(quat.angle_between(made[1:], made[:-1])).max() < 1.0
