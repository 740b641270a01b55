"""What a swing is foreseen to pass over, and where one that is brief leads."""

import numpy as np
import pytest
from verbs_adverbs.core.feet.footholds_off_edges import Floor, Sole, edge_between
from verbs_adverbs.core.feet.swing_clearance import Left, Swing, needed_over
from verbs_adverbs.core.feet.swing_curve import Arch

SOLE = Sole(behind=0.15, before=0.07)
RISE = 0.12
NOWHERE = 0.0, 0.0, 0.0


def _needed(floor: Floor, ways: np.ndarray, along: np.ndarray, height: float = 0.0) -> float:
    """How high a point at most must be lifted that swings `ways` (S,) along -Y, `height` over the ground."""
    own = np.stack([np.zeros(len(ways)), -ways, np.full(len(ways), height)], axis=-1)
    swing = Swing(Left(0.0, NOWHERE, np.zeros(2)), 0.5, own, along, own[-1], 0.0)
    return float(needed_over(swing, Arch(0.0, 0.5, *[NOWHERE] * 3), np.zeros(2), SOLE, floor, 0.0)[1].max())


def test_a_foot_that_hangs_upright_is_not_lifted_over_what_its_toes_would_reach():
    def wall(places: np.ndarray) -> np.ndarray:
        return np.where(places[:, 1] < -0.05, RISE, 0.0)

    still = np.zeros(12)
    assert _needed(wall, still, np.tile([0.0, -1.0, 0.0], (12, 1))) == pytest.approx(RISE)
    assert _needed(wall, still, np.tile([0.0, -0.28, 0.0], (12, 1))) == 0.0


def _higher(places: np.ndarray) -> np.ndarray:
    return np.where(np.abs(places[:, 1] + 0.7) < 0.25, RISE, 0.0)


def test_a_foot_whose_toes_point_down_is_lifted_as_far_as_they_reach():
    ways, toes_down = np.linspace(0.0, 1.0, 12), np.tile([0.0, -0.6, -0.8], (12, 1))
    assert _needed(_higher, ways, toes_down, 0.1) == pytest.approx(RISE - 0.1 + 0.8 * SOLE.before, rel=0.1)


def test_a_foot_need_not_be_higher_over_the_floor_than_over_the_ground_of_its_examples():
    ways, toes_down = np.linspace(0.0, 1.0, 12), np.tile([0.0, -0.6, -0.8], (12, 1))
    assert _needed(lambda places: np.zeros(len(places)), ways, toes_down) == pytest.approx(0.0, abs=1e-12)
    assert _needed(_higher, ways, toes_down) == pytest.approx(RISE)


def test_a_swing_passes_over_what_lies_between_the_places_that_are_foreseen():
    def ridge(places: np.ndarray) -> np.ndarray:
        return np.where(np.abs(places[:, 1] + 0.8) < 0.02, RISE, 0.0)

    ways = np.linspace(0.0, 1.65, 12)
    assert np.abs(ways - 0.8).min() > 0.04
    assert _needed(ridge, ways, np.zeros((12, 3))) == pytest.approx(RISE)


def test_between_two_places_there_is_an_edge_on_stairs_and_none_on_slopes():
    here, there = np.array([0.0, -0.1]), np.array([0.1, -0.3])
    for grade in (0.0, 0.3, 1.0):
        assert not edge_between(lambda places, g=grade: g * places[:, 1], here, there, SOLE)
    for side in (-1.0, 1.0):
        assert edge_between(lambda places, s=side: s * RISE * (places[:, 1] < -0.2), here, there, SOLE)
