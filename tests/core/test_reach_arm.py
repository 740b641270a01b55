"""An arm of three links in the plane: how far its tip is from where it is asked to be, beside [Rose2001] section 4."""

from collections.abc import Callable

import numpy as np
import pytest
from verbs_adverbs.bench.reach_scenes import ARM_REGION, arm_reach
from verbs_adverbs.core.reach.measures import Distortion, distortion, distortion_of
from verbs_adverbs.core.reach.refine import Refinement, lattice, refine
from verbs_adverbs.core.reach.search import exact, search, search_line

UNSEEN = lattice(ARM_REGION, 47)
SEEDS = (1, 2, 3)


@pytest.fixture(scope="module", params=[1, *(pytest.param(seed, marks=pytest.mark.long) for seed in SEEDS[1:])])
def refined(request: pytest.FixtureRequest) -> tuple[int, Refinement]:
    return request.param, refine(*arm_reach(request.param))


def _shown(name: str, found: Distortion) -> str:
    return f"{name} {found.average:.3f} / {found.maximum:.3f}"


@pytest.mark.parametrize("seed", SEEDS)
def test_the_arm_starts_at_least_as_badly_as_the_papers(seed: int):
    verb, aim = arm_reach(seed)
    found = distortion(verb, aim, UNSEEN)
    assert found.average > 6.85
    assert found.maximum > 14.15


def test_twenty_pseudo_examples_and_the_hybrid_meet_their_bounds(
    refined: tuple[int, Refinement], tell: Callable[[str], None]
):
    seed, refinement = refined
    verb, aim = arm_reach(seed)
    searched = distortion_of(verb, aim, UNSEEN, search_line(verb, aim, UNSEEN, 0.0).weights)
    alone = distortion(refinement.verb, aim, UNSEEN)
    both = distortion(exact(refinement.verb, aim), aim, UNSEEN)
    before = _shown("arm: start", distortion(verb, aim, UNSEEN))
    tell("; ".join([before, _shown("line search", searched), _shown("pseudo", alone), _shown("hybrid", both)]))
    assert len(refinement.pseudo.places) <= 20
    assert alone.average <= 0.35
    assert alone.maximum <= 1.0
    assert both.average <= 0.03
    assert both.maximum <= 0.2


def test_a_search_meets_every_point_in_at_most_three_steps_on_average(refined: tuple[int, Refinement]):
    _, aim = arm_reach(refined[0])
    found = search(refined[1].verb, aim, UNSEEN, 1e-4, 10)
    assert found.errors.max() <= 1e-4
    assert found.steps.mean() <= 3.0


def test_the_samples_of_a_refinement_are_not_the_lattice_it_is_judged_by(refined: tuple[int, Refinement]):
    places = refined[1].pseudo.places
    apart = np.linalg.norm(places[:, None] - UNSEEN, axis=-1).min(axis=1)
    inside = np.all((places > ARM_REGION[:, 0]) & (places < ARM_REGION[:, 1]), axis=1)
    assert apart[inside].min() > 1e-6
