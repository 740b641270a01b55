"""Verbs: exact at their examples, continuous over the seam, and the same one by one as in batches."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Scalar, rotations_of, with_rotations, world_joints
from verbs_adverbs.core.motion.bspline import Encoding
from verbs_adverbs.core.motion.travel import segment_path
from verbs_adverbs.core.verb.build import VerbOptions, build_verb, canonical_examples
from verbs_adverbs.core.verb.example import Example
from verbs_adverbs.core.verb.fit import fit_canonical
from verbs_adverbs.core.verb.verb import Verb, placed
from verbs_adverbs.demo.diagnostics import root_relative

from .stepping import played
from .synthetic import contact, make_example, planar_distance, random_channels, some_examples, some_verb

RANGES = [[-1, 1], [-1, 1]]
KINDS = [{"cyclic": True}, {"cyclic": False}, {"cyclic": False, "kind": "stationary"}]


def _take_joints(verb: Verb, example: Example) -> np.ndarray:
    """Joints (F, J, 3) as the example was keyed, frames of its span."""
    take = example.take
    rows = (take.times >= 0.0) & (take.times <= example.keytimes[-1])
    values = np.zeros((int(rows.sum()), verb.channels.width))
    values[:, 3:6] = take.root[rows]
    values[:, verb.channels.rotation_columns] = take.rotations[rows].reshape(len(values), -1)
    values[:, verb.channels.scalar_columns] = take.scalars[rows]
    return world_joints(verb.channels, values)


@pytest.mark.parametrize("changes", KINDS)
@settings(max_examples=6)
@given(st.integers(1, 500))
def test_at_an_example_a_verb_is_that_example(changes: dict[str, object], seed: int):
    channels = random_channels(np.random.default_rng(seed))
    examples = some_examples(seed, channels, **changes)
    verb = build_verb("walk", channels, examples, ("mood", "slope"), RANGES)
    for row, example in enumerate(examples):
        assert np.abs(verb.weights(example.adverbs) - np.eye(len(examples))[row]).max() < 1e-9
        assert np.abs(verb.keytimes(example.adverbs) - example.keytimes).max() < 1e-9
        motion = verb.motion(example.adverbs)
        assert abs(motion.duration - example.keytimes[-1]) < 1e-9
        times = example.take.times
        times = times[(times >= 0.0) & (times <= example.keytimes[-1])]
        played = world_joints(channels, motion.sample(times))
        assert verb.report.seam_distance[row] < 1e-3
        missed = 1.5 * verb.report.fit_distance[row] + 2e-3
        assert planar_distance(played, _take_joints(verb, example)) < missed < 0.02


@pytest.mark.parametrize("changes", KINDS)
def test_at_an_example_a_verb_is_that_examples_own_curve(changes: dict[str, object]):
    channels = random_channels(np.random.default_rng(2), 5, [Scalar("dial", -1, "value", 0, False, "")])
    examples = some_examples(2, channels, **changes)
    options = VerbOptions(control_points=20)
    verb = build_verb("walk", channels, examples, ("mood", "slope"), RANGES, options)
    canonicals, _ = canonical_examples(channels, examples, verb.phrasing, options, verb.reference)
    phases = np.linspace(0.0, 1.0, 200)
    for example, canonical in zip(examples, canonicals, strict=True):
        curve = fit_canonical(canonical, example, 20)
        times = verb.phrasing.curve_times(phases, verb.weights(example.adverbs))
        own = np.concatenate([np.zeros((200, 3)), curve.sample(times)], axis=-1)
        own = with_rotations(channels, own, quat.normalize(rotations_of(channels, own)))
        drifts = np.diff(canonical.shares)[:, None] * canonical.drift
        path = segment_path(drifts, verb.phrasing.generic, phases, verb.cyclic)
        own[:, :3] = path[:, :3]
        own[:, 5] += path[:, 3]
        assert np.abs(verb.motion(example.adverbs).sample_phases(phases) - own).max() < 2e-6 * max(
            1.0, np.abs(own).max()
        )


def _mixed_encodings() -> tuple[list[Example], Verb]:
    channels = random_channels(np.random.default_rng(6))
    kinds: list[tuple[Encoding, int]] = [
        ("cubic_b_spline", 0),
        ("catmull_rom", 48),
        ("linear", 90),
        ("cubic_b_spline", 24),
    ]
    examples = some_examples(6, channels, 5)
    changed = [replace(e, encoding=k, control_points=n) for e, (k, n) in zip(examples, [*kinds, kinds[0]], strict=True)]
    return changed, build_verb("walk", channels, changed, ("mood", "slope"), RANGES)


def test_examples_of_different_encodings_and_control_points_make_one_verb():
    examples, verb = _mixed_encodings()
    assert sorted(len(group.members) for group in verb.mixture.groups) == [1, 1, 1, 2]
    for row, example in enumerate(examples):
        times = example.take.times
        times = times[(times >= 0.0) & (times <= example.keytimes[-1])]
        played = world_joints(verb.channels, verb.motion(example.adverbs).sample(times))
        assert planar_distance(played, _take_joints(verb, example)) < verb.report.fit_distance[row] + 2e-3 < 0.03


def test_a_mixture_is_the_weighted_sum_of_the_examples_curves():
    examples, verb = _mixed_encodings()
    phases = np.linspace(-0.5, 1.5, 60)
    weights = verb.weights([0.3, 0.2])
    poses = np.stack([verb.sample_phases(phases, np.eye(len(examples))[row]) for row in range(len(examples))])
    times = verb.phrasing.curve_times(phases, weights)
    # Each alone is of unit length, a mixture only after it is summed: so compare curves, not poses.
    total = np.zeros((60, verb.mixture.columns))
    canonicals, _ = canonical_examples(verb.channels, examples, verb.phrasing, VerbOptions(), verb.reference)
    for row, (canonical, example) in enumerate(zip(canonicals, examples, strict=True)):
        total += weights[row] * fit_canonical(canonical, example, 64).sample(times)
    wanted = np.concatenate([np.zeros((60, 3)), total], axis=-1)
    wanted = with_rotations(verb.channels, wanted, quat.normalize(rotations_of(verb.channels, wanted)))
    assert np.abs(verb.sample_phases(phases, weights) - wanted).max() < 1e-12
    assert np.abs(np.linalg.norm(rotations_of(verb.channels, poses[1]), axis=-1) - 1.0).max() < 1e-12


@settings(max_examples=10)
@given(st.integers(0, 10_000))
def test_a_batch_is_its_poses_one_by_one(seed: int):
    verb, rng = some_verb(7), np.random.default_rng(seed)
    phases, adverbs = rng.uniform(-2.0, 3.0, 40), rng.uniform(-2.0, 2.0, (40, 2))
    weights = verb.weights(adverbs)
    batch = verb.sample_phases(phases, weights)
    for row in range(40):
        alone = verb.sample_phases(phases[row : row + 1], verb.weights(adverbs[row]))
        assert np.abs(alone[0] - batch[row]).max() < 1e-12
    assert np.abs(verb.keytimes(adverbs)[3] - verb.keytimes(adverbs[3])).max() < 1e-12


@pytest.mark.parametrize("kernel", ["cubic_b_spline", "kriging", "linear", "thin_plate", "gaussian"])
@pytest.mark.parametrize("degree", [0, 1, 2])
def test_one_example_without_adverbs_is_a_verb(kernel: str, degree: int):
    channels = random_channels(np.random.default_rng(8))
    example = make_example("only", (), 8, channels)
    options = VerbOptions(kernel=kernel, degree=degree)  # type: ignore[arg-type]
    verb = build_verb("wave", channels, [example], (), np.zeros((0, 2)), options)
    assert verb.weights([]).tolist() == [1.0] and verb.weights(np.zeros((3, 0))).shape == (3, 1)
    motion = verb.motion(())
    assert abs(motion.duration - example.keytimes[-1]) < 1e-12
    times = np.arange(60) / 30.0
    assert np.abs(played(verb, times, ()).values - motion.sample(times)).max() < 1e-5


@pytest.mark.parametrize("adverbs", [[0.0, 0.0], [0.5, 0.4], [-3.0, 2.0]])
def test_the_seam_of_a_cycle_is_smooth_in_pose_and_velocity(adverbs: list[float]):
    channels = random_channels(np.random.default_rng(9))
    examples = [_opened(e) for e in some_examples(9, channels)]
    verb = build_verb("walk", channels, examples, ("mood", "slope"), RANGES)
    assert min(verb.report.seam_degrees) > 5.0
    motion = verb.motion(adverbs)
    for seam in (0.0, 1.0, 2.0):
        times = motion.duration * (seam + np.array([-2e-4, 0.0, 2e-4]))
        before, at, after = root_relative(channels, motion.sample(times))
        assert np.abs(after - before).max() > 2e-4
        assert np.abs(at - 0.5 * (before + after)).max() < 0.02 * np.abs(after - before).max()


def _opened(example: Example) -> Example:
    """The same example with a captured cycle's fault: it does not end as it began."""
    take = example.take
    share = (take.times / example.keytimes[-1])[:, None, None]
    bend = np.array([0.08, 0.05, -0.06])
    rotations = quat.multiply(take.rotations, quat.exp(share * bend))
    return replace(example, take=replace(take, rotations=rotations))


def test_a_cycle_goes_on_in_both_directions_and_travels_on():
    verb = some_verb(10)
    motion = verb.motion([0.2, 0.1])
    times = np.linspace(-1.0, 2.0, 50)
    now = motion.sample(times)
    cycle = motion.sample([motion.duration])[0, :3]
    later = motion.sample(times + motion.duration)
    assert np.abs(placed(now, cycle)[:, :3] - later[:, :3]).max() < 1e-9
    assert np.abs(now[:, 3:] - later[:, 3:]).max() < 1e-4


def test_a_motion_that_is_no_cycle_holds_its_ends():
    motion = some_verb(11, cyclic=False).motion([0.2, 0.1])
    ends = motion.sample([0.0, motion.duration])
    assert (motion.sample([-5.0, motion.duration + 5.0]) == ends).all()


def test_a_stationary_verb_does_not_travel():
    verb = some_verb(12, cyclic=True, kind="stationary", drift=(0.0, 0.0, 0.0))
    assert (verb.motion([0.3, 0.3]).sample(np.linspace(0, 9, 90))[:, :3] == 0.0).all()


@pytest.mark.parametrize("control_points", [8, 32])
def test_quaternions_are_of_unit_length_everywhere(control_points: int):
    verb = some_verb(13, options=VerbOptions(control_points=control_points))
    for adverbs in ([0.0, 0.0], [4.0, -7.0], [1e6, 1e6]):
        lengths = np.linalg.norm(
            rotations_of(verb.channels, verb.motion(adverbs).sample(np.linspace(0, 3, 50))), axis=-1
        )
        assert np.abs(lengths - 1.0).max() < 1e-5


def test_marks_are_keytimes_and_contacts_in_order_of_time():
    windows = (contact(3, (0.1, 0.5), point="left"), contact(4, (0.6, 1.0), point="right"))
    verb = some_verb(14, cyclic=False, contacts=windows, duration=1.2)
    marks = verb.motion(verb.places[1]).marks
    assert [m.start for m in marks] == sorted(m.start for m in marks)
    assert [m.name for m in marks if m.kind == "keytime"] == ["down", "pass", "up", "end"]
    contacts = {m.name: (m.start, m.end) for m in marks if m.kind == "contact"}
    assert np.abs(np.array([contacts["left"], contacts["right"]]) - [[0.1, 0.5], [0.6, 1.0]]).max() < 1e-9


def test_sign_flips_and_the_order_of_examples_change_nothing():
    channels = random_channels(np.random.default_rng(15))
    examples = some_examples(15, channels)
    rng = np.random.default_rng(0)
    flipped = [
        replace(
            e, take=replace(e.take, rotations=quat.continuous(e.take.rotations * rng.choice([-1.0, 1.0], (1, 4, 1))))
        )
        for e in examples
    ]
    verb = build_verb("walk", channels, examples, ("mood", "slope"), RANGES)
    other = build_verb("walk", channels, flipped[::-1], ("mood", "slope"), RANGES, reference=verb.reference)
    times = np.linspace(0.0, 2.0, 60)
    a, b = (world_joints(channels, v.motion([0.4, -0.5]).sample(times)) for v in (verb, other))
    assert np.abs(a - b).max() < 1e-5


def test_building_tells_how_far_it_is():
    channels = random_channels(np.random.default_rng(16))
    told: list[tuple[float, str]] = []
    examples = some_examples(16, channels)
    build_verb("walk", channels, examples, ("a", "b"), RANGES, progress=lambda part, text: told.append((part, text)))
    parts = [part for part, _ in told]
    assert parts == sorted(parts) and parts[0] >= 0.0 and parts[-1] <= 1.0
    assert any("example 3" in text for _, text in told)


def test_examples_are_not_changed_by_building():
    channels = random_channels(np.random.default_rng(17), 5, [Scalar("switch", -1, "value", 0, True, "")])
    examples = some_examples(17, channels, contacts=(contact(4, (0.0, 0.4)),))
    before = [(e.take.rotations.copy(), e.take.root.copy(), e.take.scalars.copy(), e.keytimes.copy()) for e in examples]
    build_verb("walk", channels, examples, ("a", "b"), RANGES)
    for example, kept in zip(examples, before, strict=True):
        now = (example.take.rotations, example.take.root, example.take.scalars, example.keytimes)
        assert all((a == b).all() for a, b in zip(now, kept, strict=True))
