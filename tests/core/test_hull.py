"""What lies between the examples, against SciPy's convex hulls; and refinements that look there alone."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from verbs_adverbs.bench.reach_scenes import arm_reach
from verbs_adverbs.core.reach.refine import RefineOptions, inside_hull, refine, sample_points


@pytest.mark.parametrize(("dimension", "count"), [(2, 3), (2, 15), (3, 8), (3, 20), (4, 16)])
def test_points_inside_are_those_of_scipys_hull(dimension: int, count: int):
    rng = np.random.default_rng(10 * dimension + count)
    scale = np.arange(1.0, dimension + 1.0)
    places, points = rng.normal(size=(count, dimension)) * scale, rng.normal(size=(400, dimension)) * scale
    ranges = np.stack([-scale, 3.0 * scale], axis=-1)
    hull = ConvexHull(places)
    expected = np.all(points @ hull.equations[:, :-1].T + hull.equations[:, -1] <= 1e-12, axis=1)
    assert 0 < expected.sum() < len(points)
    assert (inside_hull(places, ranges, points) == expected).all()
    assert inside_hull(places, ranges, places).all()


def test_one_adverb_has_an_interval_between_its_outer_examples():
    points = np.linspace(-2.0, 3.0, 51)[:, None]
    inside = inside_hull([[0.5], [-1.0], [2.0]], [[-1, 2]], points)
    assert (inside == ((points[:, 0] > -1.0 - 1e-9) & (points[:, 0] < 2.0 + 1e-9))).all()


def test_a_refinement_between_the_examples_puts_nothing_beyond_them():
    verb, aim = arm_reach(1)
    fewer = verb.places[:3]
    triangle = inside_hull(fewer, verb.adverb_ranges, sample_points(verb, 400))
    assert 0 < triangle.sum() < 400
    found = refine(verb, aim, RefineOptions(count=5, samples=300, hull=True))
    points = sample_points(verb, 300, hull=True)
    assert len(points) == 300
    assert inside_hull(verb.places, verb.adverb_ranges, points).all()
    assert inside_hull(verb.places, verb.adverb_ranges, found.pseudo.places).all()
