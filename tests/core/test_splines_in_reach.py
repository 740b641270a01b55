"""Verbs of many pseudo-examples: weights from the splines in reach are those from all of them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import BSpline
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from verbs_adverbs.core.reach.pseudo_examples import PseudoExamples, refined_basis
from verbs_adverbs.core.verb.cardinal_basis import CardinalBasis, cardinal_basis

KERNELS = ("cubic_b_spline", "kriging")
SPLINE = BSpline.basis_element(np.arange(-2.0, 3.0), extrapolate=False)


def _from_all(basis: CardinalBasis, points: np.ndarray) -> np.ndarray:
    """Weights (P, N) at `points` (P, D) as the formulas have them, with a term for each centre."""
    scaled = (points - basis.origin) / basis.scale
    distances = cdist(scaled, basis.centres)
    bases = np.nan_to_num(SPLINE(np.minimum(distances / basis.radii, 3.0)))
    if basis.kernel == "kriging":
        count = basis.radial.shape[1]
        straight = distances[:, :count]
        bases[:, :count] = -np.hypot(straight, basis.radii[:count]) - straight**2
    plane = np.prod(scaled[:, None] ** basis.powers, axis=2)
    return bases @ basis.radial + plane @ basis.polynomial


def _missed(basis: CardinalBasis, points: np.ndarray, found: np.ndarray) -> float:
    """The largest error of the weights `found`, relative to their size."""
    wanted = _from_all(basis, points)
    return float(np.abs(found - wanted).max() / max(1.0, np.abs(wanted).max()))


def _scattered(rng: np.random.Generator, count: int, dimension: int) -> np.ndarray:
    """Places (K, D) that are spread evenly, or in heaps, or on a lattice, or all at one value of an adverb."""
    places = rng.uniform(-0.5, 0.5, (count, dimension))
    kind = rng.integers(4)
    if kind == 0:
        heaps = rng.uniform(-0.5, 0.5, (5, dimension))
        return heaps[rng.integers(5, size=count)] + 0.05 * places
    if kind == 1:
        return np.round(places * 32.0) / 32.0 + 1e-3 * rng.uniform(size=(count, 1))
    if kind == 2 and dimension > 1:
        places[:, rng.integers(dimension)] = 0.25
    return places


def _random_basis(seed: int) -> CardinalBasis:
    """Random coefficients at 10 to 2,000 centres over 1 to 6 adverbs, some of their radii wide."""
    rng = np.random.default_rng(seed)
    dimension, count = int(rng.integers(1, 7)), round(10.0 ** rng.uniform(1.0, np.log10(2000.0)))
    examples = dimension + 2
    kernel = KERNELS[rng.integers(2)]
    centres = _scattered(rng, examples + count, dimension)
    radii = cKDTree(centres).query(centres, k=2)[0][:, 1] * rng.uniform(0.5, 3.0, len(centres)) + 1e-3
    wide = rng.uniform(size=len(centres)) < rng.choice([0.0, 0.02, 0.3])
    radii[wide] = 10.0 ** rng.uniform(-1.0, 1.0, np.count_nonzero(wide))
    radial = rng.normal(size=(len(centres), examples))
    if kernel == "kriging":
        radial[:examples] -= radial[:examples].mean(axis=0)
    powers = np.concatenate([np.zeros((1, dimension)), np.eye(dimension)]).astype(np.intp)[
        : rng.choice([1, 1 + dimension])
    ]
    polynomial = rng.normal(size=(len(powers), examples))
    scale, origin = 10.0 ** rng.uniform(-3.0, 3.0, dimension), rng.normal(size=dimension)
    return CardinalBasis(centres, scale, origin * scale, radii, powers, radial, polynomial, kernel, 1.0)


def _tried(basis: CardinalBasis, rng: np.random.Generator) -> np.ndarray:
    """Points (P, D) among the centres, on borders of every grid over them, at the end of splines, and far outside."""
    centres, dimension = basis.centres, basis.centres.shape[1]
    low, extents = centres.min(axis=0), np.ptp(centres, axis=0)
    cells = rng.integers(1, 80, (60, dimension))
    borders = low + extents * (rng.integers(0, 80, (60, dimension)) % (cells + 1)) / cells
    chosen = rng.integers(len(centres), size=(2, 40))
    ways = rng.normal(size=(40, dimension))
    ways *= 2.0 * basis.radii[chosen[0], None] / np.linalg.norm(ways, axis=1)[:, None]
    outside = rng.uniform(-1.0, 1.0, (40, dimension)) * 10.0 ** rng.uniform(0.0, 1.5, (40, 1))
    inside = low + extents * rng.uniform(-0.1, 1.1, (120, dimension))
    scaled = np.concatenate([inside, borders, centres[chosen[0]] + ways, centres[chosen[1]], outside])
    return scaled * basis.scale + basis.origin


def _check(seeds: range) -> None:
    for seed in seeds:
        basis, rng = _random_basis(seed), np.random.default_rng(seed)
        points = _tried(basis, rng)
        assert _missed(basis, points, basis.weights(points)) < 1e-12, seed
        few = points[rng.integers(len(points), size=12)]
        one_by_one = np.concatenate([basis.weights(point[None]) for point in few])
        assert _missed(basis, few, one_by_one) < 1e-12, seed
        assert _missed(basis, few, basis.weights(few)) < 1e-12, seed


def test_weights_are_those_of_all_centres():
    _check(range(60))


@pytest.mark.long
def test_weights_of_a_thousand_bases_are_those_of_all_centres():
    _check(range(60, 1060))


def _refined(count: int, kernel: str) -> CardinalBasis:
    """Eight examples and `count` pseudo-examples over three adverbs, as refinement puts them into a basis."""
    rng = np.random.default_rng(count)
    places = np.concatenate([np.indices((2, 2, 2)).reshape(3, 8).T, rng.uniform(0.0, 1.0, (count, 3))])
    basis = cardinal_basis(places[:8], np.ones(3), kernel=kernel, degree=0 if kernel == "kriging" else 1)
    radii = cKDTree(places).query(places, k=2)[0][8:, 1]
    weights = basis.weights(places[8:]) + 0.02 * rng.normal(size=(count, 8))
    pseudo = PseudoExamples(places[8:], weights / weights.sum(axis=1)[:, None], radii)
    refined = refined_basis(basis, pseudo)
    assert refined is not None
    assert np.abs(refined.weights(places[8:]) - pseudo.weights).max() < 1e-9
    return refined


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("count", [150, 800])
def test_refined_weights_are_those_of_all_centres(count: int, kernel: str):
    basis, rng = _refined(count, kernel), np.random.default_rng(1)
    points = rng.uniform(-0.5, 1.5, (700, 3))
    assert _missed(basis, points, basis.weights(points)) < 1e-12
    one_by_one = np.concatenate([basis.weights(point[None]) for point in points])
    assert _missed(basis, points, one_by_one) < 1e-12
    features = basis.features(points) @ basis.coefficients
    assert _missed(basis, points, features) < 1e-12


@pytest.mark.parametrize("points", [1, 30, 700])
def test_splines_far_out_of_reach_are_not_evaluated(points: int):
    """Were one of them in a sum at all, its coefficients, which are no numbers, would spread."""
    basis = _refined(800, "kriging")
    far = np.flatnonzero((basis.centres[8:] > 0.2).any(axis=1)) + 8
    radial = basis.radial.copy()
    radial[far[basis.radii[far] < 0.08]] = np.nan
    basis = replace(basis, radial=radial)
    near = np.random.default_rng(2).uniform(0.0, 0.2, (points, 3))
    assert np.isnan(basis.features(near) @ basis.coefficients).all()
    assert np.isfinite(basis.weights(near)).all()


@pytest.mark.parametrize("points", [1, 700])
def test_no_number_has_no_weights(points: int):
    places = np.random.default_rng(3).uniform(0.0, 1.0, (points, 3))
    places[0, 1] = np.nan
    found = _refined(800, "kriging").weights(places)
    assert np.isnan(found[0]).all()
    assert np.isfinite(found[1:]).all()
