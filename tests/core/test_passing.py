"""Playing a verb while its adverbs change: time goes forward, in each step at the pace of half-way."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.graph.verb_graph import graph_of
from verbs_adverbs.core.motion.timewarp import Phrasing
from verbs_adverbs.core.motion.travel import compose
from verbs_adverbs.core.play.recorded_motion import Recording
from verbs_adverbs.core.play.score import Score, Track, passing, player_of, record
from verbs_adverbs.core.verb.build import VerbOptions, build_verb
from verbs_adverbs.core.verb.verb import Verb

from .stepping import played
from .synthetic import make_example, random_channels, some_verb

SEEDS = st.integers(0, 10_000)
NOWHERE = 0.0, 0.0, 0.0, 0.0


def _score(verb: Verb, adverbs: np.ndarray, rate: float, origin: tuple[float, float, float, float] = NOWHERE) -> Score:
    """Adverbs (T, D) that go straight from one to the next, `rate` times a second."""
    times = np.arange(len(adverbs)) / rate
    tracks = {name: Track(times, adverbs[:, index]) for index, name in enumerate(verb.adverb_names)}
    return Score(verb.name, (), tracks, 0, origin, settle=0.0, rate=rate, straight=True)


def _performed(verb: Verb, adverbs: np.ndarray, rate: float, times: np.ndarray | None = None) -> Recording:
    """What is to be seen of them, at each of them or at `times`."""
    score = _score(verb, adverbs, rate)
    return record(player_of(graph_of(verb), score), score, np.arange(len(adverbs)) / rate if times is None else times)


def _paced(seed: int, segments: np.ndarray, cyclic: bool = True) -> Verb:
    """A verb of one adverb whose examples, at 0 and 1, have segments (2, S) of so many seconds."""
    rng = np.random.default_rng(seed)
    channels = random_channels(rng)
    examples = [make_example(f"at {place}", (float(place),), seed + place, channels, cyclic=cyclic) for place in (0, 1)]
    affine = VerbOptions(kernel="cubic_b_spline", degree=1)
    verb = build_verb("walk", channels, examples, ("pace",), [[0, 1]], affine)
    count = segments.shape[1]
    generic = np.append(0.0, np.cumsum(rng.dirichlet(np.ones(count) * 3.0)))
    generic[-1] = 1.0
    drifts, names = rng.normal(size=(2, count, 4)), tuple(f"key {index}" for index in range(count + 1))
    return replace(verb, phrasing=Phrasing(segments, generic), drifts=drifts, keytime_names=names)


def _step_by_step(times: np.ndarray, rates: np.ndarray, generic: np.ndarray, cyclic: bool) -> list[float]:
    """Generic time, told frame after frame: before each row segments pass at its rates (T, S)."""
    phase, cycle, segment = 0.0, 0.0, 0
    found = [phase]
    for row in range(1, len(times)):
        left = times[row] - times[row - 1]
        while left > 0.0 and (cyclic or segment < len(generic) - 1):
            rate = rates[row, segment]
            end = cycle + generic[segment + 1]
            if phase + rate * left < end:
                phase += rate * left
                break
            left -= (end - phase) / rate
            phase, segment = end, segment + 1
            if cyclic and segment == len(generic) - 1:
                segment, cycle = 0, cycle + 1.0
        found.append(phase)
    return found


@settings(max_examples=60)
@given(SEEDS, st.integers(1, 6), st.booleans(), st.floats(-2.0, 0.5))
def test_phases_are_those_of_frame_after_frame(seed: int, segments: int, cyclic: bool, pace: float):
    rng = np.random.default_rng(seed)
    verb = _paced(seed, 10.0 ** rng.uniform(-1.0, 1.0, (2, segments)), cyclic)
    adverbs = rng.uniform(-0.5, 1.5, (60, 1))
    rate, generic = 10.0**-pace, verb.phrasing.generic
    times = np.arange(60) / rate
    halfway = 0.5 * (adverbs + np.roll(adverbs, 1, axis=0))
    rates = np.diff(generic) / verb.phrasing.lengths(verb.weights(halfway))
    wanted = _step_by_step(times, rates, generic, cyclic)
    phases = _performed(verb, adverbs, rate).phases
    assert phases[0] == 0.0
    assert (np.diff(phases) > 0.0).all() if cyclic else (np.diff(phases) >= 0.0).all()
    assert np.abs(phases - wanted).max() < 1e-9 * max(1.0, np.abs(phases).max())
    score = _score(verb, adverbs, rate)
    clock, passed, had = passing(player_of(graph_of(verb), score), score, float(times[-1]))
    assert np.abs(np.interp(times, clock, passed) - wanted).max() < 1e-9 * max(1.0, np.abs(phases).max())
    assert np.abs(had[np.searchsorted(clock, times, side="right") - 1] - adverbs)[:-1].max() < 1e-9


@pytest.mark.parametrize("rate", [24.0, 25.0, 30.0, 60.0])
@pytest.mark.parametrize("frames", [(6, 7, 11), (12, 12), (1, 1, 1, 1), (24,)])
def test_keytimes_that_fall_on_frames_are_met_on_those_frames(rate: float, frames: tuple[int, ...]):
    verb = _paced(1, np.tile(np.array(frames) / rate, (2, 1)))
    generic = np.append(0.0, np.cumsum(frames)) / sum(frames)
    verb = replace(verb, phrasing=replace(verb.phrasing, generic=generic))
    made = played(verb, np.arange(2000) / rate, [0.5])
    assert np.abs(made.phases - np.arange(2000) / sum(frames)).max() < 1e-9
    met = np.array([one.time for one in made.happenings if one.kind == "keytime"]) * rate
    assert len(met) > 80 and np.abs(met - np.round(met)).max() < 1e-6


@settings(max_examples=40)
@given(SEEDS, st.integers(100, 2000), st.integers(1, 4))
def test_a_keytime_that_a_change_of_pace_puts_on_a_frame_is_not_stepped_over(seed: int, frame: int, later: int):
    verb = _paced(2, np.array([[0.01], [5000.0]]))
    slow = 1e-3 * np.random.default_rng(seed).uniform(0.5, 2.0)
    passed = slow * (frame - 1)
    quick = (24.0 - passed) / later
    for _ in range(20):
        quick = (24.0 - passed - 2.0 / (1.0 / slow + 1.0 / quick)) / later
    lengths = np.where(np.arange(frame + 20) < frame, 1.0 / slow, 1.0 / quick)
    phases = _performed(verb, (lengths[:, None] - 0.01) / (5000.0 - 0.01), 24.0).phases
    assert (np.diff(phases) > 0.0).all()
    assert abs(phases[frame + later] - 1.0) < 1e-9


def test_a_motion_that_is_over_holds_its_end():
    verb = _paced(3, np.full((2, 2), 0.5), cyclic=False)
    verb = replace(verb, phrasing=replace(verb.phrasing, generic=np.array([0.0, 0.5, 1.0])))
    made = played(verb, np.arange(50) / 10.0, [0.5])
    assert (made.phases[10:] == 1.0).all() and (np.diff(made.phases[:11]) > 0.09).all()
    assert (made.values[10:] == made.values[10]).all()


@pytest.mark.parametrize("cyclic", [True, False])
def test_at_constant_adverbs_playing_is_the_verbs_motion(cyclic: bool):
    verb = some_verb(3, cyclic=cyclic)
    for adverbs in ([0.0, 0.0], [0.4, -0.3], [1.0, -0.2], [5.0, -9.0]):
        motion = verb.motion(adverbs)
        times = np.arange(0.0, 3.0 * motion.duration, 1.0 / 480.0)
        made = played(verb, times, adverbs)
        assert np.abs(made.phases - motion.phase(times)).max() < 1e-9
        wanted = motion.sample(times)
        assert np.abs(made.values[:, 3:] - wanted[:, 3:]).max() < 1e-5
        size = max(1.0, np.abs(wanted[:, :2]).max())
        assert np.abs(made.values[:, :3] - wanted[:, :3]).max() < 2e-5 * size
        assert np.abs(made.heights - motion.path(motion.phase(times))[:, 3]).max() < 1e-9


@pytest.mark.parametrize("cyclic", [True, False])
def test_at_an_example_playing_travels_exactly_as_its_motion(cyclic: bool):
    verb = some_verb(4, cyclic=cyclic)
    for place in verb.places:
        motion = verb.motion(place)
        times = np.arange(0.0, 3.0 * motion.duration, 1.0 / 24.0)
        assert np.abs(played(verb, times, place).values[:, :3] - motion.sample(times)[:, :3]).max() < 1e-9


def _sweeps(seed: int, count: int) -> np.ndarray:
    """Adverbs (count, 2) that wander, jump, and go far outside."""
    rng = np.random.default_rng(seed)
    wander = np.cumsum(rng.normal(size=(count, 2)) * 0.2, axis=0)
    wander[rng.random(count) < 0.1] = rng.uniform(-1.0, 1.0, 2)
    far = rng.random(count) < 0.05
    wander[far] = rng.normal(size=(int(far.sum()), 2)) * 10.0 ** rng.uniform(0.0, 6.0, (int(far.sum()), 1))
    return wander


@settings(max_examples=25)
@given(SEEDS)
def test_time_only_goes_forward_whatever_the_adverbs_do(seed: int):
    verb = some_verb(5)
    made = _performed(verb, _sweeps(seed, 300), 30.0)
    steps = np.diff(made.phases)
    slowest = np.diff(verb.phrasing.generic) / (4.0 * verb.phrasing.longest)
    fastest = np.diff(verb.phrasing.generic) / (0.25 * verb.phrasing.shortest)
    assert (steps >= slowest.min() / 30.0 * (1.0 - 1e-9)).all()
    assert (steps <= fastest.max() / 30.0 * (1.0 + 1e-9)).all()
    assert np.isfinite(made.values).all()


def test_playing_begins_at_its_origin():
    verb, times, origin = some_verb(7), np.arange(90) / 30.0, (3.0, -2.0, 0.5, 1.2)
    adverbs = np.array([[0.3, 0.2]])
    elsewhere = _score(verb, adverbs, 30.0, origin)
    there = record(player_of(graph_of(verb), elsewhere), elsewhere, times)
    here = _performed(verb, adverbs, 30.0, times)
    assert np.abs(there.values[:, :3] - compose(np.array([3.0, -2.0, 1.2]), here.values[:, :3])).max() < 1e-9
    assert np.abs(there.heights - here.heights - 0.5).max() < 1e-9
    assert np.abs(there.values[:, 5] - here.values[:, 5] - 0.5).max() < 1e-9
    assert (there.values[:, [3, 4]] == here.values[:, [3, 4]]).all()
    assert (there.values[:, 6:] == here.values[:, 6:]).all()


@pytest.mark.long
def test_finer_steps_converge():
    verb = some_verb(8)

    def came_to(rate: int) -> np.ndarray:
        times = np.arange(4 * rate + 1) / rate
        adverbs = np.stack([np.sin(2.0 * times), 0.8 * np.cos(3.0 * times)], axis=-1)
        return _performed(verb, adverbs, rate, times[-1:]).values[-1, :3]

    exact = came_to(7680)
    errors = [np.abs(came_to(rate) - exact).max() for rate in (60, 240, 960)]
    assert errors[0] > 4.0 * errors[1] > 16.0 * errors[2]
    assert errors[2] < 1e-4


@pytest.mark.parametrize("lead", [0, 1, 3])
def test_one_instant_is_its_start(lead: int):
    verb = some_verb(9)
    score = replace(_score(verb, np.array([[0.1, 0.1]]), 30.0, (1.0, 2.0, -0.5, 3.0)), lead=lead)
    made = record(player_of(graph_of(verb), score), score, [0.0])
    assert abs(made.phases[0]) < 1e-9 and abs(made.heights[0] + 0.5) < 1e-9
    assert np.abs(made.values[0, :3] - [1.0, 2.0, 3.0]).max() < 1e-9
