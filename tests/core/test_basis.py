"""The cardinal basis: its laws, its two forms, SciPy as oracle, and each singular case."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import BSpline, RBFInterpolator
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from verbs_adverbs.core.errors import BasisError
from verbs_adverbs.core.verb.cardinal_basis import cardinal_basis, exponents, fit_polynomial, monomials
from verbs_adverbs.core.verb.radial_bases import Kernel, cubic_b_spline, radii_of, solve_radial

SEEDS = st.integers(0, 100_000)
SIZES = st.integers(1, 6).flatmap(lambda d: st.tuples(st.just(d), st.integers(d + 1, 64)))


def _places(seed: int, dimension: int, count: int) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    """Examples (N, D) in adverbs of very different ranges (D,)."""
    rng = np.random.default_rng(seed)
    ranges = 10.0 ** rng.uniform(-3.0, 3.0, dimension)
    return (rng.uniform(-0.5, 0.5, (count, dimension)) + rng.normal(size=dimension)) * ranges, ranges, rng


def _fitted_values(
    points: np.ndarray, values: np.ndarray, scale: np.ndarray, kernel: Kernel, degree: int, radius_factor: float
) -> tuple[np.ndarray, np.ndarray]:
    """The 1998 form: coefficients fitted to data itself, one problem for each column ([Rose1998] eqs. 3 and 4).

    Returns
    -------
    radial : (N, V)
    polynomial : (L, V)
    """
    centres = (points - points.mean(axis=0)) / scale
    radii = radii_of(centres, kernel, radius_factor)
    powers = exponents(centres.shape[1], degree)
    polynomial = fit_polynomial(centres, powers, values)
    radial, constant, _ = solve_radial(
        centres, radii, kernel, values - monomials(centres, powers) @ polynomial, len(points)
    )
    polynomial[0] += constant
    return radial, polynomial


USUAL = st.sampled_from([("cubic_b_spline", 1), ("kriging", 0), ("kriging", 1)])
"""Kernels and degrees that have weights of their own, evaluated quickly."""


@settings(max_examples=90)
@given(SEEDS, SIZES, USUAL)
def test_each_weight_is_1_at_its_own_example_and_0_at_the_others(
    seed: int, size: tuple[int, int], usual: tuple[Kernel, int]
):
    places, ranges, _ = _places(seed, *size)
    basis = cardinal_basis(places, ranges, kernel=usual[0], degree=usual[1])
    assert np.abs(basis.weights(places) - np.eye(len(places))).max() < 1e-9


@settings(max_examples=90)
@given(SEEDS, SIZES, USUAL)
def test_weights_sum_to_1_everywhere(seed: int, size: tuple[int, int], usual: tuple[Kernel, int]):
    places, ranges, rng = _places(seed, *size)
    points = places.mean(axis=0) + rng.uniform(-3.0, 3.0, (40, size[0])) * ranges
    basis = cardinal_basis(places, ranges, kernel=usual[0], degree=usual[1])
    assert np.abs(basis.weights(points).sum(axis=1) - 1.0).max() < 1e-9


@settings(max_examples=60)
@given(SEEDS, SIZES, USUAL)
def test_weights_are_what_the_features_give(seed: int, size: tuple[int, int], usual: tuple[Kernel, int]):
    places, ranges, rng = _places(seed, *size)
    points = places.mean(axis=0) + rng.uniform(-2.0, 2.0, (40, size[0])) * ranges
    basis = cardinal_basis(places, ranges, kernel=usual[0], degree=usual[1])
    wanted = basis.features(points) @ basis.coefficients
    assert np.abs(basis.weights(points) - wanted).max() < 1e-9 * max(1.0, np.abs(wanted).max())


@settings(max_examples=60)
@given(SEEDS, SIZES, st.sampled_from(["cubic_b_spline", "kriging"]))
def test_affine_data_are_reproduced_everywhere(seed: int, size: tuple[int, int], kernel: Kernel):
    places, ranges, rng = _places(seed, *size)
    points = places.mean(axis=0) + rng.uniform(-2.0, 2.0, (40, size[0])) * ranges
    slope, constant = rng.normal(size=(size[0], 3)) / ranges[:, None], rng.normal(size=3)
    found = cardinal_basis(places, ranges, kernel=kernel).weights(points) @ (places @ slope + constant)
    wanted = points @ slope + constant
    assert np.abs(found - wanted).max() < 1e-9 * max(1.0, np.abs(wanted).max())


@settings(max_examples=40)
@given(SEEDS, SIZES, st.sampled_from(get_args(Kernel)), st.floats(1.2, 3.0))
def test_the_cardinal_form_is_the_1998_form(seed: int, size: tuple[int, int], kernel: str, factor: float):
    places, ranges, rng = _places(seed, *size)
    values = rng.normal(size=(len(places), 4))
    basis = cardinal_basis(places, ranges, kernel=kernel, radius_factor=factor)
    radial, polynomial = _fitted_values(places, values, ranges, kernel, 1, factor)
    points = places.mean(axis=0) + rng.uniform(-1.0, 1.0, (30, size[0])) * ranges
    paper = basis.features(points) @ np.concatenate([radial, polynomial])
    ours = basis.weights(points) @ values
    assert np.abs(ours - paper).max() < 1e-9 * max(1.0, basis.condition / 1e5) * max(1.0, np.abs(ours).max())


def _on_a_lattice(dimension: int) -> np.ndarray:
    """Examples (2 D + 1, D) that all have a nearest neighbour equally far away, so that all radii are the same."""
    return np.concatenate([np.zeros((1, dimension)), np.eye(dimension), -np.eye(dimension)])


@pytest.mark.parametrize("kernel", ["linear", "thin_plate", "gaussian"])
@settings(max_examples=15)
@given(SEEDS, st.integers(1, 5))
def test_scipy_interpolates_the_residuals_alike(kernel: str, seed: int, dimension: int):
    rng = np.random.default_rng(seed)
    scattered = rng.uniform(-1.0, 1.0, (dimension + 5, dimension))
    places = _on_a_lattice(dimension) if kernel == "gaussian" else scattered
    values, points = rng.normal(size=(len(places), 3)), rng.uniform(-1.5, 1.5, (40, dimension))
    basis = cardinal_basis(places, np.ones(dimension), kernel=kernel)
    homogeneous = np.insert(places, 0, 1.0, axis=1)
    hyperplane = np.linalg.lstsq(homogeneous, values, rcond=None)[0]
    name = {"thin_plate": "thin_plate_spline"}.get(kernel, kernel)
    residuals = values - homogeneous @ hyperplane
    oracle = RBFInterpolator(places, residuals, kernel=name, epsilon=1.0 / basis.radii[0], degree=-1)
    wanted = oracle(points) + np.insert(points, 0, 1.0, axis=1) @ hyperplane
    size = max(1.0, np.abs(wanted).max()) * max(1.0, basis.condition / 1e4)
    assert np.abs(basis.weights(points) @ values - wanted).max() < 1e-9 * size


@settings(max_examples=40)
@given(SEEDS, SIZES)
def test_kriging_is_a_sum_of_multiquadrics_and_a_plane(seed: int, size: tuple[int, int]):
    """Its corner at an example is rounded over 15 % of the distance to the nearest other."""
    places, ranges, rng = _places(seed, *size)
    points = places.mean(axis=0) + rng.uniform(-1.0, 1.0, (20, size[0])) * ranges
    tree = cKDTree(places / ranges)
    corners = 0.15 * tree.query(places / ranges, k=2)[0][:, 1]

    def bases(at: np.ndarray) -> np.ndarray:
        squares = cdist(at / ranges, places / ranges, "sqeuclidean")
        return np.insert(squares + np.hypot(np.sqrt(squares), corners), len(places), 1.0, axis=1)

    system = np.vstack([bases(places), np.append(np.ones(len(places)), 0.0)])
    wanted = bases(points) @ np.linalg.inv(system)[:, : len(places)]
    assert np.abs(cardinal_basis(places, ranges, kernel="kriging", degree=0).weights(points) - wanted).max() < 1e-8


def test_with_one_adverb_kriging_goes_nearly_straight_from_example_to_example():
    places = np.array([-2.0, -0.7, 0.1, 0.4, 3.0])
    basis = cardinal_basis(places[:, None], [4.0], kernel="kriging", degree=0)
    between = np.linspace(-2.0, 3.0, 101)
    wanted = np.stack([np.interp(between, places, row) for row in np.eye(5)], axis=-1)
    assert np.abs(basis.weights(between[:, None]) - wanted).max() < 0.1


@settings(max_examples=30)
@given(SEEDS, SIZES)
def test_kriging_has_no_corner_at_an_example(seed: int, size: tuple[int, int]):
    """Half as far from the example, the slopes before and behind it differ half as much or less."""
    places, ranges, rng = _places(seed, *size)
    basis = cardinal_basis(places, ranges, kernel="kriging", degree=0)
    way = rng.normal(size=size[0]) * ranges
    way *= cKDTree(places / ranges).query(places / ranges, k=2)[0][:, 1].min() / np.linalg.norm(way / ranges)
    differ = [
        np.abs(sum(basis.weights(places + side * step * way) for side in (-1.0, 1.0)) - 2.0 * np.eye(len(places)))
        / step
        for step in (0.02, 0.01)
    ]
    assert differ[1].max() < 0.6 * differ[0].max()


@pytest.mark.parametrize("apart", [0.25, 1.0, 3.0])
def test_beyond_the_examples_kriging_is_less_steep_than_between(apart: float):
    basis = cardinal_basis([[0.0], [apart]], [1.0], kernel="kriging", degree=0)
    below, at_first, at_last, above = basis.weights([[-1.0], [0.0], [apart], [apart + 5.0]])[:, 1]
    for outside in (at_first - below, (above - at_last) / 5.0):
        assert 0.0 < outside < 1.0 / apart


@settings(max_examples=30)
@given(SEEDS, SIZES)
def test_far_away_kriging_is_as_flat_as_a_plane(seed: int, size: tuple[int, int]):
    places, ranges, rng = _places(seed, *size)
    basis = cardinal_basis(places, ranges, kernel="kriging", degree=0)
    away = rng.normal(size=(8, size[0]))
    away /= np.linalg.norm(away, axis=1)[:, None]
    far, farther = (basis.weights(places.mean(axis=0) + reach * away * ranges) for reach in (2e3, 4e3))
    size_far = np.abs(far).max()
    assert np.abs(far.sum(axis=1) - 1.0).max() < 1e-6
    assert size_far < 1e5
    assert np.abs(farther - 2.0 * far).max() < 0.01 * size_far + 10.0


@pytest.mark.parametrize("degree", [-1, 0, 1])
def test_kriging_has_a_constant_whatever_the_degree(degree: int):
    places, ranges, rng = _places(8, 2, 9)
    basis = cardinal_basis(places, ranges, kernel="kriging", degree=degree)
    points = places.mean(axis=0) + rng.uniform(-2.0, 2.0, (30, 2)) * ranges
    assert np.abs(basis.radial.sum(axis=0)).max() < 1e-9
    assert np.abs(basis.weights(points).sum(axis=1) - 1.0).max() < 1e-9


def test_the_cubic_kernel_is_the_centred_cubic_b_spline():
    x = np.linspace(0.0, 3.0, 301)
    theirs = np.nan_to_num(BSpline.basis_element(np.arange(-2.0, 3.0), extrapolate=False)(x))
    assert np.abs(cubic_b_spline(x) - theirs).max() < 1e-15


def test_the_support_is_twice_the_distance_to_the_nearest_example():
    places = np.array([[0.0, 0.0], [1.0, 0.0], [4.0, 0.0], [0.0, 5.0]])
    basis = cardinal_basis(places, np.ones(2))
    for centre, radius in zip(places, [2.0, 2.0, 6.0, 10.0], strict=True):
        ring = centre + radius * np.array([[1.0, 0.0], [0.0, 1.0], [-0.6, 0.8]])
        index = int(np.flatnonzero((places == centre).all(axis=1))[0])
        assert np.abs(basis.features(ring)[:, index]).max() < 1e-12
        assert (basis.features(centre + 0.99 * (ring - centre))[:, index] > 0.0).all()


def test_adverbs_are_measured_in_their_ranges():
    places, ranges, rng = _places(11, 3, 9)
    points = places.mean(axis=0) + rng.uniform(-1.0, 1.0, (20, 3)) * ranges
    units = np.array([1e3, 1e-4, 7.0])
    ours = cardinal_basis(places, ranges).weights(points)
    assert np.abs(cardinal_basis(places * units, ranges * units).weights(points * units) - ours).max() < 1e-9


def test_monomials_up_to_degree_2_are_all_there():
    powers = exponents(2, 2)
    assert {tuple(row) for row in powers.tolist()} == {(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)}
    assert monomials(np.array([[3.0, 5.0]]), powers).tolist() == [[1.0, 3.0, 5.0, 9.0, 15.0, 25.0]]


@settings(max_examples=15)
@given(SEEDS)
def test_degree_2_reproduces_parabolas_and_sums_to_1(seed: int):
    places, ranges, rng = _places(seed, 2, 12)
    basis = cardinal_basis(places, ranges, degree=2)
    points = places.mean(axis=0) + rng.uniform(-1.0, 1.0, (30, 2)) * ranges
    bend = rng.normal(size=(6, 2))

    def parabola(at: np.ndarray) -> np.ndarray:
        return monomials((at - places.mean(axis=0)) / ranges, exponents(2, 2)) @ bend

    assert np.abs(basis.weights(points).sum(axis=1) - 1.0).max() < 1e-9
    assert np.abs(basis.weights(points) @ parabola(places) - parabola(points)).max() < 1e-9


@pytest.mark.parametrize("kernel", get_args(Kernel))
def test_kriging_degree_0_is_exact_and_sums_to_1(kernel: str):
    places, ranges, rng = _places(5, 2, 8)
    basis = cardinal_basis(places, ranges, kernel=kernel, degree=0)
    points = places.mean(axis=0) + rng.uniform(-2.0, 2.0, (30, 2)) * ranges
    assert np.abs(basis.weights(places) - np.eye(8)).max() < 1e-9
    assert np.abs(basis.weights(points).sum(axis=1) - 1.0).max() < 1e-9


@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_without_a_polynomial_weights_are_exact_at_the_examples(dimension: int):
    places, ranges, _ = _places(6, dimension, 9)
    assert np.abs(cardinal_basis(places, ranges, degree=-1).weights(places) - np.eye(9)).max() < 1e-9


@pytest.mark.parametrize("kernel", get_args(Kernel))
@pytest.mark.parametrize("degree", [-1, 0, 1, 2])
def test_one_example_without_adverbs_has_weight_1(kernel: str, degree: int):
    basis = cardinal_basis(np.zeros((1, 0)), np.zeros(0), kernel=kernel, degree=degree)
    assert np.abs(basis.weights(np.zeros((3, 0))) - 1.0).max() < 1e-12


def _raises(sentence: str, places: object, ranges: object, **options: object) -> None:
    with pytest.raises(BasisError, match=sentence):
        cardinal_basis(places, ranges, ("mood", "slope"), tuple("abcdefgh"), **options)  # type: ignore[arg-type]


def test_two_examples_at_one_place_are_named():
    _raises(r"'b' and 'd' have the same adverb values. Change", [[0, 0], [1, 2], [3, 1], [1, 2 + 1e-9]], [1, 1])


@pytest.mark.parametrize("count", [1, 2])
def test_fewer_examples_than_adverbs_and_one_are_counted(count: int):
    _raises(
        rf"{count} examples? (is|are) not enough for 2 adverbs \(mood, slope\): at least 3", np.eye(2)[:count], [1, 1]
    )


@pytest.mark.parametrize("options", [{}, {"kernel": "kriging", "degree": 0}])
def test_examples_on_a_line_name_the_adverb_that_they_do_not_span(options: dict[str, object]):
    _raises(
        r"on one line or plane.*'slope' cannot be distinguished", [[0, 1], [1, 1], [2, 1], [3, 1]], [1, 1], **options
    )


def test_several_examples_without_an_adverb_are_refused():
    with pytest.raises(BasisError, match=r"2 examples but no adverb.*Add an adverb, or keep only one example"):
        cardinal_basis(np.zeros((2, 0)), np.zeros(0))


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf])
def test_an_adverb_without_extent_is_named(bad: float):
    _raises(r"Adverb 'slope' has no range. Set", [[0, 1], [1, 1], [2, 0]], [1, bad])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e30])
def test_an_adverb_value_that_is_no_number_near_the_range_is_named(bad: float):
    _raises(
        r"Adverb 'slope' of example 'b' is .*, which is far outside its range. Correct",
        [[0, 1], [1, bad], [2, 0]],
        [1, 1],
    )


def test_a_degree_for_which_the_examples_are_too_few_is_refused():
    _raises(
        r"degree 2 in 2 adverbs needs at least 6 examples, not 4. Choose",
        [[0, 1], [1, 1], [2, 0], [3, 5]],
        [1, 1],
        degree=2,
    )


def test_a_degree_of_a_million_is_refused_before_its_terms_are_listed():
    _raises(
        r"degree 1000000 in 2 adverbs needs at least 5000015[0-9]* examples, not 4. Choose",
        [[0, 1], [1, 1], [2, 0], [3, 5]],
        [1, 1],
        degree=1_000_000,
    )


def test_a_degree_that_the_examples_do_not_span_is_refused():
    circle = [[np.cos(a), np.sin(a)] for a in np.linspace(0.0, 5.0, 8)]
    _raises(r"degree 2 .*Choose degree 1", circle, [1, 1], degree=2)


def test_a_kernel_that_cannot_tell_the_examples_apart_is_refused():
    with pytest.raises(BasisError, match=r"thin_plate kernel cannot tell these examples apart. Choose"):
        cardinal_basis([[0.0], [1.0]], [1.0], kernel="thin_plate")
