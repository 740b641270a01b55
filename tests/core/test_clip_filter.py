"""Laws of Filter, against convolutions by NumPy, rotation vectors by SciPy and formulas of the tests' own."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import firwin
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.figure.channels import Channels, Scalar
from verbs_adverbs.core.motion.clip import Clip, Motion, interpolated
from verbs_adverbs.core.motion.clip_filter import Filter, filtered, low_pass
from verbs_adverbs.core.motion.clip_operators import loop

from .synthetic import random_channels
from .test_clip_mixing import rows_of, scipy_rotations
from .test_clip_operators import inside, turned, walk_clip

RATE = 30.0


def turning(vectors: np.ndarray, seconds: float, base: np.ndarray | None = None) -> Clip:
    """A clip whose last joint turns from `base` by rotation vectors (T, 3), evenly spaced over so many seconds."""
    channels, last = walk_clip().channels, walk_clip().channels.rotation_columns.stop
    values = np.repeat(walk_clip().sample([1.3]), len(vectors), axis=0)
    start = Rotation.from_rotvec([0.3, -0.2, 0.5] if base is None else base)
    values[:, last - 4 : last] = (start * Rotation.from_rotvec(vectors)).as_quat()[:, [3, 0, 1, 2]]
    return interpolated(channels, (0.0, seconds), values)


def last_joint(motion: Motion, times: np.ndarray) -> Rotation:
    return scipy_rotations(rows_of(motion.sample(times), motion)[:, -1])


def chart_of(made: Motion, times: np.ndarray, clip: Clip) -> np.ndarray:
    """Travel, location, and rotation vectors from where each joint of a clip is as it begins, by SciPy."""
    values = made.sample(times)
    rows, first = rows_of(values, made), rows_of(clip.sample([clip.start]), clip)[0]
    vectors = [
        (scipy_rotations(first[j : j + 1]).inv() * scipy_rotations(rows[:, j])).as_rotvec() for j in range(len(first))
    ]
    return np.concatenate([values[:, :6], *vectors], axis=1)


def wavy(random: np.random.Generator, count: int, size: float) -> np.ndarray:
    """Smooth rotation vectors (count, 3) that begin at 0 and grow no longer than `size`."""
    phases = np.linspace(0.0, 1.0, count)[:, None] * np.arange(1.0, 5.0)
    vectors = np.sin(2.0 * np.pi * phases + random.uniform(0.0, 6.0, 4)) @ random.standard_normal((4, 3))
    vectors -= vectors[0]
    return vectors * size / np.linalg.norm(vectors, axis=-1).max()


@pytest.mark.parametrize("coefficients", [(1.0,), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0, 0.0, 0.0)])
def test_filters_with_a_unit_impulse_change_nothing(coefficients: tuple[float, ...]):
    for clip in (walk_clip(), turning(np.linspace([0.0, 0.0, 0.0], [30.0, 9.0, 0.0], 90), 3.01)):
        times = np.concatenate([inside(clip), np.random.default_rng(1).uniform(clip.start, 5.0, 50)])
        assert turned(filtered(coefficients, RATE, clip).sample(times), clip.sample(times), clip) < 1e-9


def test_a_filter_is_linear_in_its_coefficients():
    clip = walk_clip()
    times = inside(clip)
    one = low_pass(5.0, 60.0)
    other = tuple((np.hanning(len(one)) / (2.0 * len(one))).tolist())
    both = tuple(np.add(one, other).tolist())
    found = [chart_of(Filter(c, 60.0, clip), times, clip) for c in (one, other, both)]
    assert np.abs(found[0] + found[1] - found[2]).max() < 1e-9


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.floats(-1.0, 1.0), st.floats(-1.0, 1.0))
def test_a_filter_is_linear_in_the_motion_in_one_fixed_chart(seed: int, share: float, other: float):
    random = np.random.default_rng(seed)
    one, two = (wavy(random, 61, 0.9) for _ in range(2))
    coefficients, times = tuple(random.uniform(-0.4, 0.4, 7).tolist()), np.arange(61.0) / RATE
    first = Rotation.from_rotvec([0.3, -0.2, 0.5])
    found = [
        (first.inv() * last_joint(filtered(coefficients, RATE, turning(vectors, 2.0)), times)).as_rotvec()
        for vectors in (one, two, share * one + other * two)
    ]
    assert np.abs(share * found[0] + other * found[1] - found[2]).max() < 1e-9


def test_a_filtered_channel_is_what_convolution_gives():
    clip = loop(3, walk_clip(start=0.0))
    rate, coefficients = 50.0, low_pass(4.0, 50.0)
    made = filtered(coefficients, rate, clip)
    times = np.arange(int(clip.duration * rate) + 1) / rate
    half = len(coefficients) // 2
    middle = times[half:-half]
    rows, found = (chart_of(motion, own, clip.clip) for motion, own in ((clip, times), (made, middle)))
    for column in range(rows.shape[1]):
        whole = np.convolve(rows[:, column], coefficients, mode="valid")
        assert np.abs(found[:, column] - whole).max() < 1e-9


def test_finite_and_endless_filters_agree_away_from_the_edges():
    coefficients = low_pass(4.0, 50.0)
    made, endless = (filtered(coefficients, 50.0, loop(count, walk_clip())) for count in (3, 0))
    reach = (len(coefficients) // 2 + 2) / 50.0
    middle = np.random.default_rng(2).uniform(made.start + reach, made.start + made.duration - reach, 80)
    assert np.abs(endless.sample(middle) - made.sample(middle)).max() < 1e-9


def test_between_its_samples_a_filter_adds_what_the_clip_shows_there():
    clip = interpolated(walk_clip().channels, (0.0, 2.0), walk_clip().sample(np.linspace(1.0, 2.0, 61)))
    random = np.random.default_rng(3)
    coefficients = random.uniform(-0.3, 0.5, 9)
    times = random.uniform(0.5, 1.5, 40)
    places = clip.sample((times[:, None] - np.arange(-4.0, 5.0) / RATE).reshape(-1))[:, :6].reshape(40, 9, 6)
    found = filtered(coefficients.tolist(), RATE, clip).sample(times)[:, :6]
    assert np.abs(found - np.einsum("k,tkc->tc", coefficients, places)).max() < 1e-9


@settings(max_examples=20)
@given(st.lists(st.floats(-1.0, 12.0), min_size=1, max_size=12), st.booleans())
def test_what_a_filter_shows_does_not_depend_on_what_else_is_asked(seconds: list[float], ends: bool):
    made = filtered(low_pass(6.0, RATE), RATE, loop(4 if ends else 0, walk_clip()))
    asked = np.array(seconds)
    alone = np.concatenate([made.sample([time]) for time in seconds])
    dense = np.linspace(0.9, 12.1, 500)
    assert np.abs(made.sample(asked) - alone).max() < 1e-9
    assert np.abs(made.sample(np.concatenate([dense, asked]))[500:] - alone).max() < 1e-9


@dataclass(frozen=True, eq=False)
class Counting:
    """A motion that notes what it was asked."""

    clip: Motion
    asked: list[float] = field(default_factory=list)

    def __getattr__(self, name: str) -> object:
        return getattr(self.clip, name)

    def sample(self, times: np.ndarray) -> np.ndarray:
        self.asked.extend(np.round(times, 7).tolist())
        return self.clip.sample(times)


@pytest.mark.parametrize("steps", [1, 2, 4])
def test_no_moment_is_sampled_twice_and_few_that_were_not_asked_for(steps: int):
    counting = Counting(loop(0, walk_clip(start=0.0)))
    made = Filter(low_pass(3.0, RATE), RATE, counting)
    made.sample([0.0])
    counting.asked.clear()
    made.sample(2.0 + np.arange(0, 300 * steps) / (steps * RATE))
    assert len(set(counting.asked)) == len(counting.asked)
    assert len(counting.asked) <= 300 * steps + 2 * (len(made.coefficients) // 2) + 4


@pytest.mark.parametrize("cutoff", [3.0, 0.8])
def test_a_joint_that_spins_is_smoothed_without_falling_behind(cutoff: float):
    clip = turning(np.linspace([0.0, 0.0, 0.0], [0.0, 8.0 * np.pi, 0.0], 181), 6.0)
    times = np.linspace(0.0, 6.0, 181)
    found = last_joint(filtered(low_pass(cutoff, RATE), RATE, clip), times)
    assert (found.inv() * last_joint(clip, times)).magnitude().max() < 1e-6


def test_a_joint_that_tumbles_far_round_is_smoothed_without_steps():
    """The axis of its turning turns, too, and the whole leads several times through all that a chart can hold."""
    times = np.linspace(0.0, 8.0, 241)
    body = Rotation.from_rotvec(np.outer(times, [2.5, 0.0, 0.0])) * Rotation.from_rotvec(
        np.outer(times, [0.0, 1.1, 0.4])
    )
    clip = turning(body.as_rotvec(), 8.0)
    shaken = body * Rotation.from_rotvec(0.1 * np.sin(np.outer(times, [61.0, 83.0, 71.0])))
    made = filtered(low_pass(4.0, RATE), RATE, turning(shaken.as_rotvec(), 8.0))
    fine = np.linspace(0.6, 7.4, 6801)
    steps = [last_joint(motion, fine[1:]).inv() * last_joint(motion, fine[:-1]) for motion in (clip, made)]
    assert steps[1].magnitude().max() < 1.2 * steps[0].magnitude().max()
    assert (last_joint(made, fine).inv() * last_joint(clip, fine)).magnitude().max() < 0.05


def test_a_joint_that_is_far_from_its_beginning_keeps_its_end():
    vectors = np.linspace(0.0, 1.0, 70)[:, None] ** 2 * np.array([2.4, -1.2, 0.9])
    clip = turning(vectors, 2.317)
    made = filtered(low_pass(4.0, RATE), RATE, clip)
    assert (last_joint(made, [2.317]).inv() * last_joint(clip, [2.317])).magnitude().max() < 1e-9
    fine = np.linspace(0.0, 2.317, 5001)
    steps = [(last_joint(m, fine[1:]).inv() * last_joint(m, fine[:-1])).magnitude().max() for m in (made, clip)]
    assert steps[0] < 1.1 * steps[1]


def test_a_joint_that_leaves_its_beginning_quickly_makes_no_step():
    """Reflected at the beginning it is more than half a turn away from where it is soon after."""
    swing = 2.0 * np.sin(np.linspace(0.0, 5.0 * np.pi, 76))
    clip = turning(np.outer(swing, [1.0, 0.0, 0.0]), 2.5)
    made, fine = filtered(low_pass(3.0, RATE), RATE, clip), np.linspace(0.0, 2.5, 5001)
    steps = [(last_joint(m, fine[1:]).inv() * last_joint(m, fine[:-1])).magnitude().max() for m in (made, clip)]
    assert steps[0] < 1.1 * steps[1]


@pytest.mark.parametrize("duration", [2.0, 2.0101, 2.0321])
def test_a_filter_keeps_the_ends(duration: float):
    for clip in (
        walk_clip(),
        interpolated(walk_clip().channels, (0.5, duration), walk_clip().sample(np.linspace(1, 2, 50))),
    ):
        made = filtered(low_pass(6.0, 60.0), 60.0, clip)
        ends = inside(clip)[[0, -1]]
        assert turned(made.sample(ends), clip.sample(ends), clip) < 1e-9
        fine = np.linspace(*ends, 4001)
        steps = [np.abs(np.diff(motion.sample(fine)[:, 3:6], axis=0)).max() for motion in (made, clip)]
        assert steps[0] < 1.2 * steps[1]


def test_a_heading_that_goes_round_many_times_goes_on():
    clip = walk_clip(start=0.0)
    times = np.linspace(0.0, 2.0, 61)
    values = np.repeat(clip.sample([0.3]), 61, axis=0)
    values[:, 2] = 1.9 * times
    made = filtered(low_pass(2.0, RATE), RATE, loop(0, interpolated(clip.channels, (0.0, 2.0), values)))
    late = np.linspace(50.0, 53.0, 70)
    assert np.abs(made.sample(late)[:, 2] - 1.9 * late).max() < 1e-6


def test_switches_are_not_filtered():
    channels: Channels = random_channels(
        np.random.default_rng(4), scalars=[Scalar("switch", -1, "value", 0, True, '["ik"]')]
    )
    rows = np.zeros((31, channels.width))
    rows[:, channels.rotation_columns.start : channels.rotation_columns.stop : 4] = 1.0
    rows[:, -1] = np.arange(31) > 12
    clip = interpolated(channels, (0.0, 1.0), rows)
    times = np.linspace(0.0, 1.0, 97)
    found = filtered(low_pass(6.0, RATE), RATE, clip).sample(times)[:, -1]
    assert found.tolist() == clip.sample(times)[:, -1].tolist() and set(found) == {0.0, 1.0}


def test_low_passes_are_those_of_scipy():
    ours = low_pass(6.0, 100.0)
    assert np.abs(np.array(ours) - firwin(len(ours), 6.0, fs=100.0)).max() < 1e-12
