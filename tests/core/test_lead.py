"""A verb that has been going on for some cycles, or is begun some cycles later, is at every time as in its motion."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.graph.verb_graph import graph_of
from verbs_adverbs.core.motion.travel import compose
from verbs_adverbs.core.play.score import Score, Track, player_of, record
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.verb import Verb

from .synthetic import make_example, random_channels, some_verb


def _check(verb: Verb, adverbs: np.ndarray, origin: np.ndarray, seconds: float, lead: int) -> None:
    motion, times = verb.motion(adverbs), np.array([seconds])
    told = {name: Track(np.zeros(1), np.array([v])) for name, v in zip(verb.adverb_names, adverbs, strict=True)}
    score = Score(verb.name, (), told, 0, tuple(origin.tolist()), settle=0.0, lead=lead)
    made = record(player_of(graph_of(verb), score), score, times)
    wanted = compose(origin[[0, 1, 3]], motion.sample(times)[0, :3])
    large = max(1.0, float(np.abs(wanted).max()))
    assert abs(made.phases[0] - motion.phase(times)[0]) < 1e-9 * max(1.0, abs(made.phases[0]))
    assert np.abs(made.values[0, :3] - wanted).max() < 1e-9 * large
    climbed = motion.path(motion.phase(times))[0, 3]
    assert abs(made.heights[0] - origin[2] - climbed) < 1e-9 * max(1.0, abs(climbed))
    misses = np.abs(made.values[0, 6:] - motion.sample(times)[0, 6:])
    assert misses.max() < 2e-5 * max(1.0, float(np.abs(motion.weights).sum()))


@pytest.mark.parametrize("cyclic", [True, False])
@settings(max_examples=10)
@given(seed=st.integers(0, 10_000))
def test_phase_travel_and_pose_at_a_time_are_the_motions(cyclic: bool, seed: int):
    rng = np.random.default_rng(seed)
    verb, origin = some_verb(30, cyclic=cyclic), rng.uniform(-3.0, 3.0, 4)
    for _ in range(8):
        adverbs = rng.uniform(-1.0, 1.0, len(verb.adverb_names)) * 10.0 ** rng.uniform(-1.0, 1.0)
        lead = int(rng.integers(-6, 7))
        first = max(-lead * verb.duration(adverbs), 0.0) if cyclic else 0.0
        _check(verb, adverbs, origin, float(first + rng.uniform(0.0, 20.0)), lead)


@pytest.mark.parametrize("turn", [2.0 * np.pi, -2.0 * np.pi, 2.0 * np.pi + 1e-8, 4.0 * np.pi, 0.0])
@pytest.mark.parametrize("lead", [3, 1, -1, -2, -40])
def test_cycles_of_whole_turns_add_up_too(turn: float, lead: int):
    channels = random_channels(np.random.default_rng(31))
    example = make_example("turn", (), 31, channels, drift=(0.8, 0.2, turn))
    verb = build_verb("turn", channels, [example], (), np.zeros((0, 2)))
    assert abs(verb.motion(()).path(np.array([1.0]))[0, 2] - turn) < 1e-3
    _check(verb, np.zeros(0), np.array([0.3, -0.4, 0.1, 0.8]), (max(-lead, 0) + 0.625) * verb.duration(()), lead)
