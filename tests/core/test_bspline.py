"""Uniform cubic curves against SciPy's B-splines, and their fit against SciPy's least squares."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import BSpline, CubicHermiteSpline, make_lsq_spline
from verbs_adverbs.core.errors import ClipError
from verbs_adverbs.core.motion.bspline import Curve, design_matrix, fit_curve

SEEDS = st.integers(0, 10_000)
ENCODINGS = ("cubic_b_spline", "catmull_rom", "linear")


def _knots(spans: int) -> np.ndarray:
    return np.arange(-3, spans + 4) / spans


@settings(max_examples=25)
@given(SEEDS, st.integers(4, 40))
def test_open_curves_are_scipys(seed: int, controls: int):
    rng = np.random.default_rng(seed)
    points, times = rng.normal(size=(controls, 3)), np.append(rng.uniform(0.0, 1.0, 50), [0.0, 1.0])
    ours = Curve(points, periodic=False)
    assert ours.control_points == controls
    assert np.abs(ours.sample(times) - BSpline(_knots(controls - 3), points, 3)(times)).max() < 1e-9


@settings(max_examples=25)
@given(SEEDS, st.integers(4, 40))
def test_periodic_curves_are_scipys_and_go_on_for_ever(seed: int, controls: int):
    rng = np.random.default_rng(seed)
    points, times = rng.normal(size=(controls, 3)), np.append(rng.uniform(-5.0, 5.0, 50), [-1.0, 0.0, 1.0, 3.0])
    wrapped = np.concatenate([points, points[:3]])
    ours = Curve(wrapped, periodic=True)
    theirs = BSpline(_knots(controls), wrapped, 3, extrapolate="periodic")
    assert ours.control_points == controls
    assert np.abs(ours.sample(times) - theirs(times)).max() < 1e-9


def test_an_open_curve_holds_its_ends():
    curve = Curve(np.random.default_rng(1).normal(size=(7, 2)), periodic=False)
    assert np.abs(curve.sample([-1.0, -1e9]) - curve.sample([0.0])).max() < 1e-14
    assert np.abs(curve.sample([1.5, 1e9]) - curve.sample([1.0])).max() < 1e-14


def test_a_catmull_rom_curve_passes_its_control_points_with_the_slope_of_their_neighbours():
    points = np.random.default_rng(2).normal(size=(9, 2))
    spans = len(points) - 3
    knots = np.linspace(0.0, 1.0, spans + 1)
    theirs = CubicHermiteSpline(knots, points[1:-1], 0.5 * spans * (points[2:] - points[:-2]))
    times = np.linspace(0.0, 1.0, 77)
    assert np.abs(Curve(points, False, "catmull_rom").sample(times) - theirs(times)).max() < 1e-12


def test_a_linear_curve_is_linear_between_its_control_points():
    points = np.random.default_rng(3).normal(size=(9, 1))
    times = np.linspace(0.0, 1.0, 77)
    wanted = np.interp(times, np.linspace(0.0, 1.0, 7), points[1:-1, 0])
    assert np.abs(Curve(points, False, "linear").sample(times)[:, 0] - wanted).max() < 1e-12


@settings(max_examples=20)
@given(SEEDS, st.integers(6, 20))
def test_the_fit_is_scipys_least_squares_spline(seed: int, controls: int):
    rng = np.random.default_rng(seed)
    times = np.sort(rng.uniform(0.0, 1.0, 8 * controls))
    times[[0, -1]] = 0.0, 1.0
    values = rng.normal(size=(len(times), 2))
    spans = controls - 3
    inner = np.arange(1, spans) / spans
    theirs = make_lsq_spline(times, values, np.concatenate([np.zeros(4), inner, np.ones(4)]), 3)
    fine = np.linspace(0.0, 1.0, 200)
    assert np.abs(fit_curve(times, values, controls, False).sample(fine) - theirs(fine)).max() < 1e-9


@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(max_examples=10)
@given(SEEDS, st.integers(5, 30))
def test_a_curve_of_the_same_kind_is_fitted_exactly(periodic: bool, encoding: str, seed: int, controls: int):
    points = np.random.default_rng(seed).normal(size=(controls, 2))
    times = np.linspace(0.0, 1.0, 6 * controls, endpoint=not periodic)
    wanted = design_matrix(times, controls, periodic, encoding) @ points
    curve = fit_curve(times, wanted, controls, periodic, encoding)
    assert curve.control_points == controls
    assert np.abs(curve.sample(times) - wanted).max() < 1e-9


@settings(max_examples=15)
@given(SEEDS, st.integers(2, 12))
def test_control_points_that_no_sample_tells_apart_are_chosen_smooth(seed: int, count: int):
    rng = np.random.default_rng(seed)
    times = np.linspace(0.0, 1.0, count)
    a, b = rng.uniform(50.0, 100.0), rng.normal()
    curve = fit_curve(times, (a + b * times)[:, None], count + 4, False)
    fine = np.linspace(0.0, 1.0, 101)
    assert np.abs(curve.sample(fine)[:, 0] - (a + b * fine)).max() < 1e-6


def test_too_few_control_points_are_refused_in_words():
    with pytest.raises(ClipError, match=r"needs at least 4 control points, not 3. Use more"):
        fit_curve(np.linspace(0, 1, 9), np.zeros((9, 1)), 3, False)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_values_that_are_not_finite_are_refused_with_their_row(bad: float):
    values = np.zeros((9, 2))
    values[5, 1] = bad
    with pytest.raises(ClipError, match=r"Sample 5 of the curve is not a finite number. Correct the key"):
        fit_curve(np.linspace(0, 1, 9), values, 4, False)
