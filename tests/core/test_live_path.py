"""A single frame's clock and travel are those of the whole motion."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.verb.live import LivePose
from verbs_adverbs.core.verb.live_path import path_at
from verbs_adverbs.core.verb.travel import compose, segment_path

from .synthetic import some_verb


@pytest.mark.parametrize("cyclic", [True, False])
@settings(max_examples=10)
@given(seed=st.integers(0, 10_000))
def test_phase_and_travel_at_a_time_are_the_motions(cyclic: bool, seed: int):
    rng = np.random.default_rng(seed)
    verb = some_verb(30, cyclic=cyclic)
    live, origin = LivePose(verb), rng.uniform(-3.0, 3.0, 3)
    for seconds in (*rng.uniform(-20.0, 20.0, 8), 0.0):
        adverbs = tuple((rng.uniform(-1.0, 1.0, len(verb.adverb_names)) * 10.0 ** rng.uniform(-1.0, 1.0)).tolist())
        motion, times = verb.motion(adverbs), np.array([seconds])
        phase, travel = live.at(float(seconds), adverbs, tuple(origin.tolist()))
        wanted = compose(origin, motion.sample(times)[0, :3])
        assert abs(phase - motion.phase(times)[0]) < 1e-9
        wanted = np.append(wanted, motion.path(motion.phase(times))[0, 3])
        assert np.abs(travel - wanted).max() < 1e-9 * max(1.0, np.abs(wanted).max())


@given(seed=st.integers(0, 10_000), cycles=st.integers(-40, 40), share=st.floats(0.0, 1.0, exclude_max=True))
def test_the_path_is_that_of_many_instants(seed: int, cycles: int, share: float):
    rng = np.random.default_rng(seed)
    drifts = rng.uniform(-2.0, 2.0, (3, 4)) * [1.0, 1.0, rng.choice([0.0, 1e-9, 1.0]), 1.0]
    generic = np.array([0.0, 0.2, 0.7, 1.0])
    segment = int(np.searchsorted(generic, share, side="right")) - 1
    fraction = (share - generic[segment]) / np.diff(generic)[segment]
    place, heading = path_at(drifts.ravel().tolist(), segment, fraction, float(cycles))
    phase = cycles + generic[segment] + fraction * np.diff(generic)[segment]
    if np.floor(phase) == cycles:
        wanted = segment_path(drifts, generic, np.array([phase]), cyclic=True)[0, :3]
        assert np.abs(np.array([place.real, place.imag, heading]) - wanted).max() < 1e-8 * (1.0 + np.abs(wanted).max())


@pytest.mark.parametrize("turn", [2.0 * np.pi, -2.0 * np.pi, 2.0 * np.pi + 1e-8, 4.0 * np.pi, 0.0])
@pytest.mark.parametrize("cycles", [-3, 1, 2, 40])
def test_cycles_of_whole_turns_add_up_too(turn: float, cycles: int):
    drifts = np.array([[0.7, -0.2, 0.25 * turn, 0.0], [0.1, 0.4, 0.75 * turn, 0.0]])
    place, heading = path_at(drifts.ravel().tolist(), 1, 0.25, float(cycles))
    wanted = segment_path(drifts, np.array([0.0, 0.5, 1.0]), np.array([cycles + 0.625]), cyclic=True)[0, :3]
    assert np.abs(np.array([place.real, place.imag, heading]) - wanted).max() < 1e-11
