"""Travel over the floor: a group, whose arcs, cycles and paths agree with each other and with fine integration."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.motion.travel import arc, compose, headings_of, repeat, rotate_plane, segment_path

from .integrated import integrate

SEEDS = st.integers(0, 10_000)
TURNS = st.floats(-14.0, 14.0)
SINGULAR = [0.0, 1e-12, -1e-7, np.pi, 2.0 * np.pi, 2.0 * np.pi - 1e-8, -4.0 * np.pi]


def _matrix(travel: np.ndarray) -> np.ndarray:
    cosine, sine = np.cos(travel[2]), np.sin(travel[2])
    return np.array([[cosine, -sine, travel[0]], [sine, cosine, travel[1]], [0.0, 0.0, 1.0]])


@settings(max_examples=30)
@given(SEEDS)
def test_composing_is_multiplying_matrices(seed: int):
    first, second, third = np.random.default_rng(seed).normal(size=(3, 3)) * 3.0
    both = compose(first, second)
    assert np.abs(_matrix(both) - _matrix(first) @ _matrix(second)).max() < 1e-12
    assert np.abs(compose(both, third) - compose(first, compose(second, third))).max() < 1e-12
    assert np.abs(compose(first, np.zeros(3)) - first).max() == 0.0
    back = np.append(rotate_plane(-first[:2], np.asarray(-first[2])), -first[2])
    assert np.abs(compose(first, back)).max() < 1e-12 and np.abs(compose(back, first)).max() < 1e-12


def _check_arc(drift: np.ndarray) -> None:
    drift = np.append(drift, 0.3)
    fine = integrate(np.tile(drift / 4000.0, (4000, 1)))
    assert np.abs(arc(drift, np.linspace(0.0, 1.0, 4001)) - fine).max() < 1e-9
    parts = compose(arc(drift, np.asarray(0.3)), arc(drift, np.asarray(0.7)))
    assert np.abs(arc(drift, np.asarray(1.0)) - parts).max() < 1e-12


@settings(max_examples=20)
@given(SEEDS, TURNS)
def test_an_arc_is_what_fine_steps_of_its_drift_add_up_to(seed: int, turn: float):
    _check_arc(np.append(np.random.default_rng(seed).normal(size=2), turn))


@pytest.mark.parametrize("turn", SINGULAR)
def test_an_arc_of_nothing_or_of_whole_turns_is_no_exception(turn: float):
    _check_arc(np.array([0.7, -0.2, turn]))


def _check_repetition(cycle: np.ndarray, count: int) -> None:
    wanted = np.zeros(3)
    for _ in range(count):
        wanted = compose(wanted, cycle)
    assert np.abs(repeat(cycle, np.asarray(float(count))) - wanted).max() < 1e-9
    assert np.abs(compose(repeat(cycle, np.asarray(float(-count))), wanted)).max() < 1e-9


@settings(max_examples=40)
@given(SEEDS, TURNS, st.integers(0, 12))
def test_a_repeated_cycle_is_the_cycle_composed_with_itself(seed: int, turn: float, count: int):
    _check_repetition(np.append(np.random.default_rng(seed).normal(size=2), turn), count)


@pytest.mark.parametrize("count", [0, 1, 2, 5])
@pytest.mark.parametrize("turn", SINGULAR)
def test_a_cycle_that_turns_by_nothing_or_by_whole_turns_is_repeated_too(turn: float, count: int):
    _check_repetition(np.array([0.7, -0.2, turn]), count)


@settings(max_examples=30)
@given(SEEDS, st.booleans())
def test_a_path_of_segments_is_what_fine_steps_add_up_to(seed: int, cyclic: bool):
    rng = np.random.default_rng(seed)
    drifts = rng.normal(size=(3, 4))
    generic = np.array([0.0, 0.25, 0.625, 1.0])
    cycles = 3 if cyclic else 1
    phases = np.linspace(0.0, cycles, 1600 * cycles + 1)
    segment = np.searchsorted(generic, (phases[:-1] + phases[1:]) / 2 % 1.0) - 1
    increments = drifts[segment] / np.diff(generic)[segment][:, None] / 1600.0
    path = segment_path(drifts, generic, phases, cyclic)
    assert np.abs(path - integrate(increments)).max() < 1e-9
    if cyclic:
        later = segment_path(drifts, generic, phases + 7.0, cyclic)
        seven = segment_path(drifts, generic, np.array([7.0]), cyclic)[0]
        assert np.abs(later - compose(seven, path)).max() < 1e-9


def test_a_path_that_is_no_cycle_holds_its_ends():
    drifts, generic = np.ones((2, 4)), np.array([0.0, 0.4, 1.0])
    path = segment_path(drifts, generic, np.array([-3.0, 0.0, 1.0, 5.0]), cyclic=False)
    assert (path[0] == path[1]).all() and (path[2] == path[3]).all()


def test_integration_can_be_cut_anywhere():
    increments = np.random.default_rng(2).normal(size=(50, 4)) * 0.1
    whole = integrate(increments, np.array([1.0, 2.0, 3.0, 4.0]))
    first = integrate(increments[:20], np.array([1.0, 2.0, 3.0, 4.0]))
    assert np.abs(np.concatenate([first, integrate(increments[20:], first[-1])[1:]]) - whole).max() < 1e-12


@pytest.mark.parametrize("turns", [-2.5, 0.3, 3.0])
def test_headings_go_on_over_half_turns(turns: float):
    heading = np.linspace(0.0, 2.0 * np.pi * turns, 90)
    reference = quat.exp(np.array([0.4, -0.2, 1.0]))
    rotations = quat.multiply(quat.from_yaw(heading), reference)
    assert np.abs(headings_of(rotations, reference) - heading).max() < 1e-9
