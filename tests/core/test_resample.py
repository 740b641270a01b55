"""Resampling against SciPy's natural cubic spline."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline
from verbs_adverbs.core.motion.resampling import resample


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(3, 60))
def test_resampling_is_scipys_natural_spline(seed: int, count: int):
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0.01, 1.0, count))
    values = rng.normal(size=(count, 2, 3))
    wanted = np.append(rng.uniform(times[0], times[-1], 80), times)
    theirs = CubicSpline(times, values, bc_type="natural")
    assert np.abs(resample(times, values, wanted) - theirs(wanted)).max() < 1e-9


def test_outside_the_ends_are_held():
    times, values = np.array([1.0, 2.0, 4.0]), np.array([[3.0], [1.0], [2.0]])
    assert (resample(times, values, np.array([-5.0, 0.0, 4.5, 1e9])) == [[3.0], [3.0], [2.0], [2.0]]).all()


@pytest.mark.parametrize("count", [1, 2])
def test_one_row_is_held_and_two_are_joined_by_a_line(count: int):
    values = np.array([[3.0, 0.0], [1.0, 8.0]])[:count]
    found = resample(np.arange(float(count)), values, np.array([0.0, 0.25]))
    wanted = values[0] if count == 1 else [2.5, 2.0]
    assert np.abs(found[1] - wanted).max() < 1e-15
