"""Clock time and generic time are each other's inverse, and keytimes meet their generic times."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.errors import ExampleError
from verbs_adverbs.core.motion.timewarp import check_keytimes, clock_time, generic_keytimes, generic_time

SEEDS = st.integers(0, 10_000)
SEGMENTS = st.integers(1, 8)


def _warp(rng: np.random.Generator, segments: int) -> tuple[np.ndarray, np.ndarray]:
    lengths = rng.uniform(0.02, 2.0, (3, segments))
    return np.append(0.0, np.cumsum(lengths[0])), generic_keytimes(lengths, "mean_share")


@settings(max_examples=40)
@given(SEEDS, SEGMENTS, st.booleans())
def test_warping_there_and_back_changes_nothing(seed: int, segments: int, cyclic: bool):
    rng = np.random.default_rng(seed)
    keytimes, generic = _warp(rng, segments)
    reach = (-3.0, 4.0) if cyclic else (0.0, 1.0)
    clock = np.append(rng.uniform(*reach, 60) * keytimes[-1], keytimes)
    assert (
        np.abs(clock_time(generic_time(clock, keytimes, generic, cyclic), keytimes, generic, cyclic) - clock).max()
        < 1e-12
    )
    phase = np.append(rng.uniform(*reach, 60), generic)
    assert (
        np.abs(generic_time(clock_time(phase, keytimes, generic, cyclic), keytimes, generic, cyclic) - phase).max()
        < 1e-12
    )


@settings(max_examples=30)
@given(SEEDS, SEGMENTS, st.booleans())
def test_generic_time_increases_with_clock_time_and_meets_the_keytimes(seed: int, segments: int, cyclic: bool):
    keytimes, generic = _warp(np.random.default_rng(seed), segments)
    clock = np.linspace(-2.0 * keytimes[-1], 3.0 * keytimes[-1], 501)
    steps = np.diff(generic_time(clock, keytimes, generic, cyclic))
    assert (steps > 0.0).all() if cyclic else (steps >= 0.0).all()
    assert np.abs(generic_time(keytimes, keytimes, generic, cyclic) - generic).max() < 1e-15


def test_one_cycle_later_is_one_unit_of_generic_time_later():
    keytimes, generic = _warp(np.random.default_rng(7), 4)
    clock = np.linspace(0.0, keytimes[-1], 50)
    later = generic_time(clock + 3 * keytimes[-1], keytimes, generic, cyclic=True)
    assert np.abs(later - generic_time(clock, keytimes, generic, cyclic=True) - 3.0).max() < 1e-12


def test_a_motion_that_is_no_cycle_holds_its_ends():
    keytimes, generic = _warp(np.random.default_rng(8), 4)
    assert (generic_time([-1.0, 99.0], keytimes, generic) == [0.0, 1.0]).all()
    assert (clock_time([-1.0, 99.0], keytimes, generic) == [0.0, keytimes[-1]]).all()


def test_equal_timing_is_the_papers_equation_1():
    keytimes = np.array([0.0, 0.2, 0.9, 1.4])
    generic = generic_keytimes(np.diff(keytimes)[None], "equal")
    for m in range(3):
        clock = np.linspace(keytimes[m], keytimes[m + 1], 20)
        paper = (m + (clock - keytimes[m]) / (keytimes[m + 1] - keytimes[m])) / 3.0
        assert np.abs(generic_time(clock, keytimes, generic) - paper).max() < 1e-15


def test_mean_shares_are_the_mean_over_the_examples_whatever_their_lengths():
    lengths = np.array([[1.0, 3.0], [200.0, 200.0]])
    assert np.abs(generic_keytimes(lengths, "mean_share") - [0.0, 0.375, 1.0]).max() < 1e-15


def test_keytimes_are_counted_from_the_first():
    assert (check_keytimes([2.0, 3.0, 5.0], ("a", "b", "c"), "walk") == [0.0, 1.0, 3.0]).all()


@pytest.mark.parametrize(
    ("keytimes", "sentence"),
    [
        ([0.0], r"'walk' has 1 keytimes. It needs"),
        ([0.0, 2.0, 1.0], r"'c' of example 'walk' \(1.000 s\) does not come after 'b' \(2.000 s\). Move"),
        ([0.0, 1.0, 1.0], r"'c' of example 'walk'.*does not come after 'b'"),
        ([0.0, np.nan, 1.0], r"'b' of example 'walk' is not a finite number. Set"),
        ([0.0, 1.0, np.inf], r"'c' of example 'walk' is not a finite number. Set"),
    ],
)
def test_keytimes_out_of_order_are_named(keytimes: list[float], sentence: str):
    with pytest.raises(ExampleError, match=sentence):
        check_keytimes(keytimes, ("a", "b", "c"), "walk")
