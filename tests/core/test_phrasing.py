"""Interpolated keytimes never cross, and saturate between a quarter and four times the examples' lengths."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.motion.timewarp import Phrasing, saturate, share_windows
from verbs_adverbs.core.verb.cardinal_basis import cardinal_basis

SEEDS = st.integers(0, 10_000)


def _phrasing(seed: int, dimension: int) -> tuple[Phrasing, np.ndarray, np.random.Generator]:
    rng = np.random.default_rng(seed)
    count, segments = dimension + int(rng.integers(1, 9)), int(rng.integers(1, 7))
    lengths = 10.0 ** rng.uniform(-1.5, 0.7, (count, segments))
    return Phrasing(lengths, np.linspace(0.0, 1.0, segments + 1)), rng.uniform(-1.0, 1.0, (count, dimension)), rng


@settings(max_examples=60)
@given(SEEDS, st.integers(1, 6))
def test_keytimes_increase_and_stay_in_bounds_however_far_the_adverbs(seed: int, dimension: int):
    phrasing, places, rng = _phrasing(seed, dimension)
    basis = cardinal_basis(places, np.full(dimension, 2.0))
    reach = 10.0 ** rng.uniform(-1.0, 6.0, (200, 1))
    keytimes = phrasing.keytimes(basis.weights(2.0 * rng.uniform(-1.0, 1.0, (200, dimension)) * reach))
    lengths = np.diff(keytimes, axis=1)
    assert np.isfinite(keytimes).all() and (keytimes[:, 0] == 0.0).all()
    assert (lengths > 0.0).all()
    assert (lengths >= 0.25 * phrasing.segments.min(axis=0) * (1.0 - 1e-9)).all()
    assert (lengths <= 4.0 * phrasing.segments.max(axis=0) * (1.0 + 1e-9)).all()
    assert (keytimes[:, -1] >= 0.25 * phrasing.shortest.sum() * (1.0 - 1e-9)).all()
    assert (keytimes[:, -1] <= 4.0 * phrasing.longest.sum() * (1.0 + 1e-9)).all()


@settings(max_examples=30)
@given(SEEDS, st.integers(1, 6))
def test_keytimes_are_exact_at_the_examples(seed: int, dimension: int):
    phrasing, places, _ = _phrasing(seed, dimension)
    weights = cardinal_basis(places, np.full(dimension, 2.0)).weights(places)
    assert np.abs(np.diff(phrasing.keytimes(weights), axis=1) - phrasing.segments).max() < 1e-9


def test_between_the_examples_keytimes_are_the_papers():
    phrasing, _, rng = _phrasing(3, 3)
    weights = rng.dirichlet(np.ones(len(phrasing.segments)), 40)
    paper = weights @ np.insert(np.cumsum(phrasing.segments, axis=1), 0, 0.0, axis=1)
    assert np.abs(phrasing.keytimes(weights) - paper).max() < 1e-12


def test_saturation_is_smooth_and_increasing():
    shortest, longest = np.array([1.0]), np.array([2.0])
    values = np.linspace(-50.0, 50.0, 200_001)[:, None]
    bent = saturate(values, shortest, longest)
    steps = np.diff(bent, axis=0) / 0.0005
    assert (steps >= 0.0).all() and steps.max() < 1.0 + 1e-6
    assert np.abs(np.diff(steps, axis=0)).max() < 2e-3
    assert abs(bent[0, 0] - 0.25) < 1e-9 and abs(bent[-1, 0] - 8.0) < 1e-5


def test_contact_windows_stay_within_those_of_the_examples():
    windows = np.sort(np.random.default_rng(4).uniform(0.0, 1.0, (5, 2, 2)), axis=-1)
    assert np.abs(share_windows(windows, np.eye(5)) - windows).max() < 1e-15
    far = share_windows(windows, np.array([1e6, -1e6, 1.0, 0.0, 0.0]))
    assert (far[:, 0] >= windows[..., 0].min(axis=0)).all() and (far <= windows.max(axis=0)).all()


@given(st.integers(0, 10_000))
def test_no_contact_window_ends_before_it_begins(seed: int):
    rng = np.random.default_rng(seed)
    windows = np.sort(rng.uniform(0.0, 1.0, (4, 3, 2)), axis=-1)
    weights = rng.normal(size=4) * 3.0
    mixed = share_windows(windows, weights / weights.sum())
    assert (mixed[:, 1] >= mixed[:, 0]).all()
