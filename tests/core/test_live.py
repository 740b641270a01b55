"""The frame path gives the same poses and phases as whole motions."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.verb.build import VerbOptions, build_verb
from verbs_adverbs.core.verb.live import LivePose
from verbs_adverbs.core.verb.perform import PhaseClock, perform
from verbs_adverbs.core.verb.verb import Verb

from .synthetic import make_example, random_channels, some_examples, some_verb

SEEDS = st.integers(0, 10_000)
KERNELS = ["cubic_b_spline", "linear", "thin_plate", "gaussian"]


def _check_poses(verb: Verb, seed: int, changing: bool) -> None:
    rng = np.random.default_rng(seed)
    live = LivePose(verb)
    count = len(verb.adverb_names)
    for _ in range(12):
        adverbs = tuple((rng.uniform(-1.0, 1.0, count) * 10.0 ** rng.uniform(-1.0, 1.0)).tolist())
        motion = verb.motion(adverbs)
        for phase in (*rng.uniform(-2.0, 3.0, 4), 0.0, 1.0, -1.0):
            wanted = motion.sample_phases(np.array([phase]))[0, 3:]
            pose = live.pose(float(phase), adverbs, changing)
            assert pose.shape == wanted.shape
            assert np.abs(pose - wanted).max() < 2e-5 * max(1.0, np.abs(motion.weights).sum())
        assert np.abs(live.weights - motion.weights).max() < 1e-9 * max(1.0, np.abs(motion.weights).max())


@pytest.mark.parametrize("changing", [True, False])
@pytest.mark.parametrize("cyclic", [True, False])
@settings(max_examples=5)
@given(SEEDS)
def test_a_live_pose_is_the_motions(changing: bool, cyclic: bool, seed: int):
    _check_poses(some_verb(20, cyclic=cyclic), seed, changing)


@pytest.mark.parametrize("changing", [True, False])
@pytest.mark.parametrize("degree", [0, 1, 2])
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_live_pose_is_the_motions_under_every_kernel_and_degree(kernel: str, degree: int, changing: bool):
    options = VerbOptions(kernel=kernel, degree=degree, control_points=12)  # type: ignore[arg-type]
    _check_poses(some_verb(21, options=options), 1, changing)


@pytest.mark.parametrize("dimension", [1, 3, 5])
@pytest.mark.parametrize("degree", [0, 1])
def test_a_live_pose_is_the_motions_for_any_number_of_adverbs(dimension: int, degree: int):
    rng = np.random.default_rng(22)
    channels = random_channels(rng)
    places = rng.uniform(-1.0, 1.0, (dimension + 3, dimension))
    examples = [make_example(f"e{i}", place.tolist(), i, channels) for i, place in enumerate(places)]
    names = tuple(f"adverb {i}" for i in range(dimension))
    ranges = np.stack([np.full(dimension, -1.0), np.full(dimension, 1.0)], axis=-1) * 10.0 ** rng.uniform(-2, 2)
    examples = [replace(e, adverbs=e.adverbs * ranges[0, 1]) for e in examples]
    options = VerbOptions(control_points=12, degree=degree)
    verb = build_verb("walk", channels, examples, names, ranges, options)
    live = LivePose(verb)
    for _ in range(10):
        adverbs = tuple((rng.uniform(-1.2, 1.2, dimension) * ranges[:, 1]).tolist())
        motion = verb.motion(adverbs)
        for changing in (True, False):
            wanted = motion.sample_phases(np.array([0.4]))[0, 3:]
            assert np.abs(live.pose(0.4, adverbs, changing) - wanted).max() < 1e-4


@pytest.mark.parametrize("changing", [True, False])
def test_a_live_pose_of_mixed_encodings_is_the_motions(changing: bool):
    channels = random_channels(np.random.default_rng(23))
    examples = some_examples(23, channels)
    examples[1] = replace(examples[1], encoding="catmull_rom", control_points=20)
    examples[2] = replace(examples[2], control_points=40)
    verb = build_verb("walk", channels, examples, ("mood", "slope"), [[-1, 1], [-1, 1]])
    _check_poses(verb, 2, changing)


@pytest.mark.parametrize("encoding", ["catmull_rom", "linear"])
def test_a_live_pose_of_another_encoding_is_the_motions(encoding: str):
    _check_poses(some_verb(24, encoding=encoding, control_points=24), 3, changing=True)


@pytest.mark.parametrize("changing", [True, False])
def test_a_live_pose_without_adverbs_is_the_motions(changing: bool):
    channels = random_channels(np.random.default_rng(25))
    verb = build_verb("wave", channels, [make_example("only", (), 25, channels)], (), np.zeros((0, 2)))
    _check_poses(verb, 4, changing)


def test_going_back_to_former_adverbs_gives_the_former_pose():
    verb = some_verb(26)
    live = LivePose(verb)
    first = live.pose(0.3, (0.1, 0.2), changing=False).copy()
    live.pose(0.3, (0.9, -0.9), changing=False)
    assert (live.pose(0.3, (0.1, 0.2), changing=False) == first).all()


@settings(max_examples=20)
@given(SEEDS, st.booleans())
def test_advancing_is_integrating_at_constant_adverbs(seed: int, cyclic: bool):
    verb, rng = some_verb(27, cyclic=cyclic), np.random.default_rng(seed)
    live = LivePose(verb)
    generic = verb.phrasing.generic
    phase = float(rng.uniform(-2.0, 2.0) if cyclic else rng.uniform(0.0, 1.0))
    for _ in range(30):
        adverbs = tuple((rng.normal(size=2) * 10.0 ** rng.uniform(-1.0, 3.0)).tolist())
        seconds = float(10.0 ** rng.uniform(-3.0, 1.0))
        rates = np.diff(generic) / verb.phrasing.lengths(verb.weights(adverbs))
        wanted = PhaseClock(generic, cyclic, phase).advance(np.array([0.0, seconds]), np.stack([rates, rates]))[1]
        found = live.advance(phase, seconds, adverbs)
        assert abs(found - wanted) < 1e-9 * max(1.0, abs(wanted))
        assert found >= phase
        phase = found


def test_standing_still_is_no_advance():
    verb = some_verb(28)
    live = LivePose(verb)
    for phase in (0.0, 0.3, 1.0, float(verb.phrasing.generic[1]), -1.0, 7.25):
        assert live.advance(phase, 0.0, (0.1, 0.1)) == phase


def test_a_live_walk_is_the_performed_one():
    verb = some_verb(29)
    live = LivePose(verb)
    times = np.arange(120) / 30.0
    played = perform(verb, times, [0.3, -0.4])
    phase = 0.0
    for row in range(120):
        assert abs(phase - played.phases[row]) < 1e-9
        assert np.abs(live.pose(phase, (0.3, -0.4)) - played.values[row, 3:]).max() < 1e-5
        phase = live.advance(phase, 1.0 / 30.0, (0.3, -0.4))
