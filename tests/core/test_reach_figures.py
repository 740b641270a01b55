"""A whole figure's hand in space and on a board, beside [Rose2001] sections 4.1 to 4.3."""

from collections.abc import Callable

import numpy as np
import pytest
from verbs_adverbs.bench.reach_figures import BOARD, SPACE, board_reach, space_reach
from verbs_adverbs.core.reach.measures import Aim, Distortion, distortion, distortion_of
from verbs_adverbs.core.reach.refine import RefineOptions, lattice, refine
from verbs_adverbs.core.reach.search import exact, search, search_line, search_weights
from verbs_adverbs.core.verb.verb import Verb

IN_SPACE, ON_BOARD = lattice(SPACE, 12), lattice(BOARD, 29)
SEEDS = (1, 2)
TENTH_OF_A_MILLIMETRE = 1e-4

pytestmark = pytest.mark.long


@pytest.fixture(scope="module", params=SEEDS)
def in_space(request: pytest.FixtureRequest) -> tuple[Verb, Aim]:
    return space_reach(request.param)


@pytest.fixture(scope="module", params=SEEDS)
def on_board(request: pytest.FixtureRequest) -> tuple[Verb, Aim]:
    return board_reach(request.param)


def _shown(name: str, found: Distortion) -> str:
    return f"{name} {found.average:.3f} / {found.maximum:.3f}"


def _before(name: str, verb: Verb, aim: Aim, points: np.ndarray) -> tuple[Distortion, str]:
    start = distortion(verb, aim, points)
    searched = distortion_of(verb, aim, points, search_line(verb, aim, points, 0.0).weights)
    return start, f"{_shown(name + ': start', start)}; {_shown('line search', searched)}"


def _meets(found: Distortion, average: float, maximum: float) -> None:
    assert found.average <= average
    assert found.maximum <= maximum


def test_the_reach_in_space_meets_its_bounds(in_space: tuple[Verb, Aim], tell: Callable[[str], None]):
    verb, aim = in_space
    start, said = _before("space", verb, aim, IN_SPACE)
    assert start.average > 5.27
    assert start.maximum > 8.98
    forty, twenty = (refine(verb, aim, RefineOptions(count=count)).verb for count in (40, 20))
    alone = distortion(forty, aim, IN_SPACE)
    both = distortion(exact(twenty, aim), aim, IN_SPACE)
    tell("; ".join([said, _shown("40 pseudo", alone), _shown("20 and hybrid", both)]))
    _meets(alone, 0.5, 1.4)
    _meets(both, 0.02, 0.2)
    polished = search(twenty, aim, IN_SPACE, TENTH_OF_A_MILLIMETRE, 10)
    assert polished.errors.max() <= TENTH_OF_A_MILLIMETRE
    assert polished.steps.mean() <= 3.0


def test_examples_of_a_refined_reach_stay_exact(in_space: tuple[Verb, Aim]):
    verb = refine(*in_space, RefineOptions(samples=300)).verb
    assert np.abs(verb.weights(verb.places) - np.eye(len(verb.places))).max() < 1e-9


def test_off_the_board_no_adverbs_lead_back_but_weights_do(on_board: tuple[Verb, Aim]):
    verb, aim = on_board
    searched = distortion_of(verb, aim, ON_BOARD, search_line(verb, aim, ON_BOARD, 0.0, 5).weights)
    assert searched.maximum > 5.0
    found = search_weights(verb, aim, ON_BOARD, verb.weights(ON_BOARD), TENTH_OF_A_MILLIMETRE)
    assert found.errors.max() <= TENTH_OF_A_MILLIMETRE


def test_the_board_meets_its_bounds(on_board: tuple[Verb, Aim], tell: Callable[[str], None]):
    verb, aim = on_board
    start, said = _before("board", verb, aim, ON_BOARD)
    assert start.average > 8.11
    assert start.maximum > 23.86
    forty = refine(verb, aim, RefineOptions(count=40, exchanges=15)).verb
    alone = distortion(forty, aim, ON_BOARD)
    both = distortion(exact(forty, aim), aim, ON_BOARD)
    tell("; ".join([said, _shown("40 pseudo", alone), _shown("40 and hybrid", both)]))
    _meets(alone, 0.2, 0.6)
    _meets(both, 0.1, 0.45)
    polished = search(forty, aim, ON_BOARD, TENTH_OF_A_MILLIMETRE, 10)
    assert polished.errors.max() <= TENTH_OF_A_MILLIMETRE
    assert polished.steps.mean() <= 3.0
