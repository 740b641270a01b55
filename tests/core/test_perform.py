"""Playing a verb while its adverbs change: time goes forward, and nothing depends on how the playing is cut up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.verb.perform import PhaseClock, perform
from verbs_adverbs.core.verb.travel import compose

from .synthetic import some_verb

SEEDS = st.integers(0, 10_000)


def _step_by_step(times: np.ndarray, rates: np.ndarray, generic: np.ndarray, cyclic: bool, phase: float) -> list[float]:
    """What a `PhaseClock` does, told frame after frame: in a step each segment passes at its mean rate."""
    found = [phase]
    cycle = np.floor(phase) if cyclic else 0.0
    segment = int(np.clip(np.searchsorted(generic, phase - cycle, side="right") - 1, 0, len(generic) - 2))
    for row in range(1, len(times)):
        left = times[row] - times[row - 1]
        while left > 0.0 and (cyclic or segment < len(generic) - 1):
            rate = 0.5 * (rates[row, segment] + rates[row - 1, segment])
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
    times = np.cumsum(rng.uniform(0.2, 1.0, 60) * 10.0**pace)
    rates = 10.0 ** rng.uniform(-1.0, 1.0, (60, segments))
    generic = np.append(0.0, np.cumsum(rng.dirichlet(np.ones(segments) * 3.0)))
    generic[-1] = 1.0
    start = float(rng.uniform(-2.0, 3.0) if cyclic else rng.uniform(0.0, 1.0))
    phases = PhaseClock(generic, cyclic, start).advance(times, rates)
    wanted = _step_by_step(times, rates, generic, cyclic, start)
    assert phases[0] == start
    assert (np.diff(phases) > 0.0).all() if cyclic else (np.diff(phases) >= 0.0).all()
    assert np.abs(phases - wanted).max() < 1e-9 * max(1.0, np.abs(phases).max())


@pytest.mark.parametrize("rate", [24.0, 25.0, 30.0, 60.0])
@pytest.mark.parametrize("frames", [(6, 7, 11), (12, 12), (1, 1, 1, 1), (24,)])
def test_keytimes_that_fall_on_frames_are_met_on_those_frames(rate: float, frames: tuple[int, ...]):
    generic = np.append(0.0, np.cumsum(frames)) / sum(frames)
    times = np.arange(2000) / rate
    rates = np.tile(np.diff(generic) / (np.array(frames) / rate), (len(times), 1))
    phases = PhaseClock(generic, cyclic=True).advance(times, rates)
    assert np.abs(phases - np.arange(2000) / sum(frames)).max() < 1e-9


@settings(max_examples=40)
@given(SEEDS, st.integers(100, 2000), st.integers(1, 4))
def test_a_keytime_that_a_change_of_pace_puts_on_a_frame_is_not_stepped_over(seed: int, frame: int, later: int):
    times = np.arange(frame + 20) / 24.0
    rates = np.full((len(times), 1), 1e-3 * np.random.default_rng(seed).uniform(0.5, 2.0))
    phase = PhaseClock(np.array([0.0, 1.0]), cyclic=True).advance(times[:frame], rates[:frame])[-1]
    rates[frame:] = (1.0 - phase - 0.5 * rates[0] / 24.0) / ((later + 0.5) / 24.0)
    phases = PhaseClock(np.array([0.0, 1.0]), cyclic=True).advance(times, rates)
    assert (np.diff(phases) > 0.0).all()
    assert abs(phases[frame + later] - 1.0) < 1e-9


def test_a_motion_that_is_over_holds_its_end():
    generic, rates = np.array([0.0, 0.5, 1.0]), np.ones((50, 2))
    phases = PhaseClock(generic, cyclic=False).advance(np.arange(50) / 10.0, rates)
    assert (phases[10:] == 1.0).all() and (np.diff(phases[:11]) > 0.09).all()
    assert (PhaseClock(generic, cyclic=False, phase=1.0).advance(np.arange(5.0), rates[:5]) == 1.0).all()


@pytest.mark.parametrize("cyclic", [True, False])
def test_at_constant_adverbs_playing_is_the_verbs_motion(cyclic: bool):
    verb = some_verb(3, cyclic=cyclic)
    for adverbs in ([0.0, 0.0], [0.4, -0.3], [1.0, -0.2], [5.0, -9.0]):
        motion = verb.motion(adverbs)
        times = np.arange(0.0, 3.0 * motion.duration, 1.0 / 480.0)
        played = perform(verb, times, adverbs)
        assert np.abs(played.phases - motion.phase(times)).max() < 1e-9
        wanted = motion.sample(times)
        assert np.abs(played.values[:, 3:] - wanted[:, 3:]).max() < 1e-5
        size = max(1.0, np.abs(wanted[:, :2]).max())
        assert np.abs(played.values[:, :3] - wanted[:, :3]).max() < 2e-5 * size


@pytest.mark.parametrize("cyclic", [True, False])
def test_at_an_example_playing_travels_exactly_as_its_motion(cyclic: bool):
    verb = some_verb(4, cyclic=cyclic)
    for place in verb.places:
        motion = verb.motion(place)
        times = np.arange(0.0, 3.0 * motion.duration, 1.0 / 24.0)
        assert np.abs(perform(verb, times, place).values[:, :3] - motion.sample(times)[:, :3]).max() < 1e-9


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
    times = np.arange(300) / 30.0
    played = perform(verb, times, _sweeps(seed, 300))
    steps = np.diff(played.phases)
    slowest = np.diff(verb.phrasing.generic) / (4.0 * verb.phrasing.longest)
    fastest = np.diff(verb.phrasing.generic) / (0.25 * verb.phrasing.shortest)
    assert (steps >= slowest.min() / 30.0 * (1.0 - 1e-9)).all()
    assert (steps <= fastest.max() / 30.0 * (1.0 + 1e-9)).all()
    assert np.isfinite(played.values).all()


@settings(max_examples=25)
@given(SEEDS, st.lists(st.integers(1, 198), min_size=1, max_size=4, unique=True))
def test_playing_in_pieces_is_playing_at_once(seed: int, cuts: list[int]):
    verb = some_verb(6)
    times, adverbs = np.arange(200) / 24.0, np.clip(_sweeps(seed, 200), -2.0, 2.0)
    whole = perform(verb, times, adverbs)
    phase, origin = 0.0, np.zeros(3)
    bounds = [0, *sorted(cuts), 199]
    for begin, end in zip(bounds[:-1], bounds[1:], strict=True):
        part = slice(begin, end + 1)
        played = perform(verb, times[part], adverbs[part], phase, origin)
        assert np.abs(played.phases - whole.phases[part]).max() < 1e-9
        assert np.abs(played.values[:, :3] - whole.values[part, :3]).max() < 1e-9
        assert np.abs(played.values[:, 3:] - whole.values[part, 3:]).max() < 1e-5
        phase, origin = float(played.phases[-1]), played.values[-1, :3]


def test_playing_begins_at_its_origin():
    verb = some_verb(7)
    times, adverbs, origin = np.arange(90) / 30.0, [0.3, 0.2], np.array([3.0, -2.0, 1.2])
    there = perform(verb, times, adverbs, origin=origin).values
    here = perform(verb, times, adverbs).values
    assert np.abs(there[:, :3] - compose(origin, here[:, :3])).max() < 1e-9
    assert (there[:, 3:] == here[:, 3:]).all()


def test_finer_steps_converge():
    verb = some_verb(8)

    def played(rate: int) -> np.ndarray:
        times = np.arange(4 * rate + 1) / rate
        adverbs = np.stack([np.sin(2.0 * times), 0.8 * np.cos(3.0 * times)], axis=-1)
        return perform(verb, times, adverbs).values[-1, :3]

    exact = played(7680)
    errors = [np.abs(played(rate) - exact).max() for rate in (60, 240, 960)]
    assert errors[0] > 4.0 * errors[1] > 16.0 * errors[2]
    assert errors[2] < 1e-4


def test_one_instant_is_its_start():
    verb = some_verb(9)
    played = perform(verb, [2.0], [0.1, 0.1], phase=1.25, origin=np.array([1.0, 2.0, 3.0]))
    assert played.phases.tolist() == [1.25] and played.values[0, :3].tolist() == [1.0, 2.0, 3.0]
