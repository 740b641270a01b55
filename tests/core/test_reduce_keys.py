"""Reduced keys stay within their tolerance."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from verbs_adverbs.core.motion.resampling import needed_rows


def _apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.linalg.norm(a - b, axis=-1)


@given(seed=st.integers(0, 1000), tolerance=st.floats(1e-3, 1.0), count=st.integers(2, 80))
def test_lines_between_the_kept_rows_miss_none_by_more_than_the_tolerance(seed: int, tolerance: float, count: int):
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0.1, 1.0, count))
    values = np.cumsum(rng.normal(0.0, 0.3, (count, 3)), axis=0)
    rows = needed_rows(times, values, _apart, tolerance)
    played = np.stack([np.interp(times, times[rows], column[rows]) for column in values.T], axis=-1)
    assert _apart(played, values).max() <= tolerance + 1e-12
    assert rows[0] == 0 and rows[-1] == count - 1


def test_a_straight_line_needs_its_ends_alone():
    times = np.array([0.0, 0.3, 1.0, 2.5])
    assert needed_rows(times, times[:, None] * 2.0 + 1.0, _apart, 1e-9).tolist() == [0, 3]


def test_a_corner_is_kept():
    times = np.arange(9.0)
    assert needed_rows(times, np.abs(times - 4.0)[:, None], _apart, 0.1).tolist() == [0, 4, 8]
