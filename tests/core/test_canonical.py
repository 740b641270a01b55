"""Examples in canonical form: windows over the seam, contacts at rest, travel found again, whole turns refused."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.errors import ExampleError
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels, Scalar, world_points
from verbs_adverbs.core.motion.timewarp import Phrasing
from verbs_adverbs.core.motion.travel import arc, compose
from verbs_adverbs.core.verb.build import VerbOptions, build_verb, canonical_examples, phrasing_of
from verbs_adverbs.core.verb.canonical import Canonical, canonical_form, generic_windows
from verbs_adverbs.core.verb.example import Contact, Example
from verbs_adverbs.core.verb.root_travel import with_travel
from verbs_adverbs.core.verb.verb import Verb

from .synthetic import contact, make_example, random_channels, some_examples
from .walks import ADVERBS, biped_channels, walk_example, walk_examples

RANGES = [[-1, 1], [-1, 1]]


def _phrasing(*examples: Example) -> Phrasing:
    return phrasing_of(examples, VerbOptions())


def _strays(canonical: Canonical, carried: Contact, channels: Channels, generic: np.ndarray, index: int) -> list[float]:
    """How far the point moves in each of its windows, rows over the seam a cycle later."""
    steps = len(canonical.values) - 1
    found: list[float] = []
    for begin, end in canonical.windows[index]:
        phases = np.concatenate([canonical.phases[:-1] + turn for turn in range(3)])
        rows = np.flatnonzero((phases >= begin - 1e-6) & (phases <= end + 1e-6))
        values = canonical.values[rows % steps].copy()
        cycles = rows // steps
        shares = np.interp(phases[rows] - cycles, generic, canonical.shares)
        path = arc(canonical.drift, cycles + shares)
        values[:, :3] = path[:, :3]
        values[:, 5] += path[:, 3]
        points = world_points(channels, values, carried.joint, carried.offset)
        found.append(float(np.linalg.norm(points - points.mean(axis=0), axis=-1).max()))
    return found


def test_contacts_of_a_captured_like_walk_are_held_within_a_tenth_of_a_millimetre():
    channels = biped_channels()
    examples = [_faulty(e, seed) for seed, e in enumerate(walk_examples())]
    phrasing = _phrasing(*examples)
    loose = canonical_examples(channels, examples, phrasing, VerbOptions(hold_contacts=False))[0]
    held = canonical_examples(channels, examples, phrasing, VerbOptions())[0]
    for example, before, after in zip(examples, loose, held, strict=True):
        for index, foot in enumerate(example.contacts):
            assert max(_strays(before, foot, channels, phrasing.generic, index)) > 5e-3
            assert max(_strays(after, foot, channels, phrasing.generic, index)) < 1e-4


def _faulty(example: Example, seed: int) -> Example:
    """What capture does: the joints drift over the cycle, so that it does not close and the feet slide."""
    rng = np.random.default_rng(seed)
    take = example.take
    share = (take.times / example.keytimes[-1])[:, None, None]
    drift = rng.normal(size=take.rotations.shape[1:2] + (3,)) * 0.06
    return replace(example, take=replace(take, rotations=quat.multiply(take.rotations, quat.exp(share * drift))))


def test_a_walk_uphill_climbs_and_one_on_the_flat_does_not():
    channels = biped_channels()
    examples = [walk_example(0.0, turn, slope) for turn, slope in ((0.0, 0.0), (0.0, 1.0), (0.0, -1.0), (1.0, 1.0))]
    phrasing = _phrasing(*examples)
    loose = canonical_examples(channels, examples, phrasing, VerbOptions(hold_contacts=False))[0]
    canonicals = canonical_examples(channels, examples, phrasing, VerbOptions())[0]
    for example, canonical, before in zip(examples, canonicals, loose, strict=True):
        for index, foot in enumerate(example.contacts):
            assert max(_strays(canonical, foot, channels, phrasing.generic, index)) < 1e-4
        assert (
            np.degrees(
                quat.angle_between(before.values[:, 6:].reshape(-1, 4), canonical.values[:, 6:].reshape(-1, 4)).max()
            )
            < 2.0
        )
        gained = np.interp(example.keytimes[-1], example.take.times, example.take.root[:, 2])
        gained -= np.interp(0.0, example.take.times, example.take.root[:, 2])
        assert abs(canonical.drift[3] - gained) < 2e-3
        assert (abs(canonical.drift[3]) > 0.05) == (abs(gained) > 0.05)
    assert max(c.drift[3] for c in canonicals) > 0.2


def test_a_small_step_up_at_the_seam_of_a_cycle_is_no_climb():
    channels = biped_channels()
    level = walk_example(0.0, 0.0, 0.0)
    share = level.take.times / level.keytimes[-1]
    raised = level.take.root + np.stack([0.0 * share, 0.0 * share, 0.01 * share], axis=-1)
    raised = replace(level, take=replace(level.take, root=raised))
    canonical = canonical_examples(channels, [raised], _phrasing(raised), VerbOptions())[0][0]
    assert canonical.drift[3] == 0.0
    assert canonical.seam_distance > 5e-3


def test_holding_contacts_moves_a_clean_walk_hardly_and_its_seam_stays_shut():
    channels = biped_channels()
    examples = walk_examples()
    phrasing = _phrasing(*examples)
    for before, after in zip(
        canonical_examples(channels, examples, phrasing, VerbOptions(hold_contacts=False))[0],
        canonical_examples(channels, examples, phrasing, VerbOptions())[0],
        strict=True,
    ):
        angles = quat.angle_between(before.values[:, 6:].reshape(-1, 4), after.values[:, 6:].reshape(-1, 4))
        assert np.degrees(angles.max()) < 2.0
        assert np.abs(after.values[0, 3:] - after.values[-1, 3:]).max() < 1e-12
        assert after.seam_distance < 1e-3


@settings(max_examples=10)
@given(st.integers(0, 10_000), st.floats(-3.0, 3.0))
def test_a_motion_that_repeats_exactly_has_no_seam_however_it_turns(seed: int, turn: float):
    channels = random_channels(np.random.default_rng(seed))
    example = make_example("walk", (0.0,), seed, channels, drift=(1.5, 0.3, turn), sway=0.2)
    canonical = canonical_form(example, channels, _phrasing(example), quat.IDENTITY, 64)
    assert canonical.seam_distance < 2e-3 and canonical.seam_degrees < 0.1
    assert np.abs(canonical.drift[2] - turn) < 1e-3


def test_closing_a_cycle_moves_no_joint_by_more_than_half_its_seam():
    example = _faulty(walk_example(0.0, 0.0), 3)
    phrasing, reference = _phrasing(example), quat.IDENTITY
    channels = biped_channels()
    open_, closed = (canonical_form(example, channels, phrasing, reference, 64, close) for close in (False, True))
    rotations = [c.values[:, channels.rotation_columns].reshape(65, -1, 4) for c in (open_, closed)]
    angles = np.degrees(quat.angle_between(*rotations))
    assert closed.seam_degrees > 3.0
    assert angles.max() < 0.5 * closed.seam_degrees + 1e-6
    assert np.abs(angles[0] - angles[-1]).max() < 1e-6
    assert quat.angle_between(rotations[1][0], rotations[1][-1]).max() < 1e-7


@pytest.mark.parametrize("turn", [0.0, 0.5, 2.0])
def test_the_travel_of_a_cycle_is_that_of_its_root(turn: float):
    channels = random_channels(np.random.default_rng(4))
    example = make_example("walk", (0.0,), 4, channels, drift=(1.5, 0.3, turn))
    canonical = canonical_form(example, channels, _phrasing(example), quat.IDENTITY, 64)
    first, last = canonical.values[0], canonical.values[-1]
    ours = compose(last[:3], last[3:6])[:2] - compose(first[:3], first[3:6])[:2]
    rows = [int(np.argmin(np.abs(example.take.times - t))) for t in (0.0, example.keytimes[-1])]
    theirs = np.diff(example.take.root[rows, :2], axis=0)[0]
    assert abs(np.linalg.norm(ours) - np.linalg.norm(theirs)) < 2e-3


def test_in_place_walks_get_their_travel_back():
    channels = biped_channels()
    for mood in (-1.0, 0.0, 1.0):
        walking = walk_example(mood, 0.0)
        take = walking.take
        drift = (take.root[-1] - take.root[0]) / (take.times[-1] - take.times[0])
        speed = np.array([drift[0], drift[1], 0.0])
        still = replace(take, root=take.root - take.times[:, None] * speed)
        found = with_travel(replace(walking, take=still, kind="in_place"), channels)
        assert found.kind == "travelling"
        back = (found.take.root - found.take.root[0]) - (take.root - take.root[0])
        assert np.abs(back).max() < 0.01
        assert np.linalg.norm(speed) * walking.keytimes[-1] > 0.5


def test_an_in_place_verb_travels_as_the_travelling_one():
    channels = biped_channels()
    walking = walk_examples()
    still: list[Example] = []
    for example in walking:
        root = example.take.root.copy()
        root[:, :2] = root[:1, :2]
        still.append(replace(example, kind="in_place", take=replace(example.take, root=root)))
    ours = build_verb("walk", channels, still, ADVERBS, RANGES)
    theirs = build_verb("walk", channels, walking, ADVERBS, RANGES)
    for place in ([0.0, 0.0], [-0.5, 0.0], [0.0, 0.5]):
        a, b = (verb.motion(place).sample([verb.duration(place)])[0, :3] for verb in (ours, theirs))
        assert np.abs(np.linalg.norm(a[:2]) - np.linalg.norm(b[:2])) < 0.02
        assert abs(a[2] - b[2]) < 0.02


def test_an_in_place_example_without_contacts_is_refused_in_words():
    channels = random_channels(np.random.default_rng(5))
    example = make_example("trot", (), 5, channels, kind="in_place")
    with pytest.raises(ExampleError, match=r"'trot' is in place, but no contact shows.*Mark when each foot is down"):
        build_verb("trot", channels, [example], (), np.zeros((0, 2)))


def test_windows_of_a_cycle_are_told_once_wherever_they_were_marked():
    channels = random_channels(np.random.default_rng(6))
    example = make_example("walk", (), 6, channels, duration=1.0, shares=(0.0, 0.25, 0.5, 1.0))
    generic = _phrasing(example).generic
    for windows in ([(0.8, 1.3)], [(-0.2, 0.3)], [(-0.2, 0.3), (0.8, 1.3)], [(-1.2, -0.7), (1.8, 2.3), (0.8, 1.3)]):
        found = generic_windows(tuple(windows), example, generic)
        assert np.abs(np.array(found) - [[0.8, 1.3]]).max() < 1e-12
    assert generic_windows(((0.2, 0.2), (0.5, 0.4)), example, generic) == ()
    whole = generic_windows(((0.0, 7.0),), example, generic)
    assert np.abs(np.array(whole) - [[0.0, 1.0]]).max() < 1e-12


def test_windows_of_what_is_no_cycle_are_cut_at_its_ends():
    channels = random_channels(np.random.default_rng(7))
    example = make_example("wave", (), 7, channels, duration=1.0, cyclic=False)
    found = generic_windows(((-0.5, 0.3), (0.9, 2.0), (1.5, 2.0)), example, _phrasing(example).generic)
    assert np.abs(np.array(found) - [[0.0, 0.3], [0.9, 1.0]]).max() < 1e-12


def _verb_of_windows(cyclic: bool, *windows: tuple[tuple[float, float], ...]) -> Verb:
    channels = random_channels(np.random.default_rng(8))
    examples = [
        make_example(f"e{i}", (float(i),), i, channels, 1.0, cyclic=cyclic, contacts=(contact(4, *spans),))
        for i, spans in enumerate(windows)
    ]
    options = VerbOptions(hold_contacts=False)
    return build_verb("walk", channels, examples, ("pace",), [[0, len(windows) - 1]], options)


def test_windows_of_two_examples_are_paired_over_the_seam():
    early, late = ((0.02, 0.3), (0.5, 0.7)), ((0.98, 1.26), (0.5, 0.7))
    for pair in ((early, late), (late, early)):
        windows = _verb_of_windows(True, *pair).contacts[0].windows
        assert np.abs(np.diff(windows, axis=0)).max() < 0.05
        assert np.abs(np.sort(np.ptp(windows, axis=2), axis=None) - [0.2, 0.2, 0.28, 0.28]).max() < 1e-9


def test_windows_of_what_is_no_cycle_are_not_moved():
    verb = _verb_of_windows(False, ((0.1, 0.2),), ((0.7, 0.8),))
    assert np.abs(verb.contacts[0].windows[:, 0] - [[0.1, 0.2], [0.7, 0.8]]).max() < 1e-9
    mark = next(m for m in verb.motion([0.5]).marks if m.kind == "contact")
    assert abs(mark.start - 0.4) < 0.05


@pytest.mark.parametrize("windows", [(), ((0.1, 0.2), (0.4, 0.5))])
def test_different_numbers_of_windows_are_named(windows: tuple[tuple[float, float], ...]):
    with pytest.raises(
        ExampleError, match=rf"Point 'toe' has {len(windows)} contact windows in example 'e1' but 1 in 'e0'"
    ):
        _verb_of_windows(True, ((0.1, 0.3),), windows)


def test_a_whole_turn_of_a_bone_in_a_cycle_is_refused_and_named():
    channels = random_channels(np.random.default_rng(9))
    example = make_example("spin", (), 9, channels)
    take = example.take
    turns = np.zeros((len(take.times), 4, 3))
    turns[:, 2, 1] = 2.0 * np.pi * take.times / example.keytimes[-1]
    spun = replace(take, rotations=quat.continuous(quat.multiply(take.rotations, quat.exp(turns))))
    with pytest.raises(
        ExampleError, match=r"Bone 'joint 2' makes a full rotation in one cycle of example 'spin'.*Key it"
    ):
        build_verb("spin", channels, [replace(example, take=spun)], (), np.zeros((0, 2)))


def _switched(value: float, name: str, channels: Channels, place: float) -> Example:
    example = make_example(name, (place,), 10, channels)
    scalars = example.take.scalars.copy()
    scalars[:, 0] = value
    return replace(example, take=replace(example.take, scalars=scalars))


def test_switches_are_held_and_their_disagreement_is_told():
    scalars = [Scalar("IK/FK of the arm", -1, "value", 0, True, ""), Scalar("smile", -1, "value", 0, False, "")]
    channels = random_channels(np.random.default_rng(10), 5, scalars)
    examples = [_switched(1.0, "a", channels, 0.0), _switched(0.0, "b", channels, 1.0)]
    verb = build_verb("walk", channels, examples, ("pace",), [[0, 1]])
    column = channels.scalar_columns.start
    for place in (-3.0, 0.0, 0.4, 1.0):
        assert np.abs(verb.motion([place]).sample(np.linspace(0, 2, 40))[:, column] - 1.0).max() < 1e-6
    assert verb.report.complaints == (
        "'IK/FK of the arm' cannot be blended, but is 0 in example 'b' and 1 in 'a'. The verb uses 1.",
    )


def test_examples_that_agree_in_their_switches_cause_no_complaint():
    channels = random_channels(np.random.default_rng(10), 5, [Scalar("switch", -1, "value", 0, True, "")])
    examples = [_switched(2.0, "a", channels, 0.0), _switched(2.0, "b", channels, 1.0)]
    verb = build_verb("walk", channels, examples, ("pace",), [[0, 1]])
    assert verb.report.complaints == ()
    assert np.abs(verb.motion([0.5]).sample([0.1])[0, channels.scalar_columns.start] - 2.0) < 1e-6


def test_too_few_control_points_are_complained_of():
    channels = random_channels(np.random.default_rng(11))
    examples = some_examples(11, channels, 3)
    verb = build_verb("walk", channels, examples, ("a", "b"), RANGES, VerbOptions(control_points=4))
    assert any("miss example 'example 1'" in text and "more control points" in text for text in verb.report.complaints)


def test_a_cycle_whose_ends_show_different_events_is_remarked_on():
    whole = walk_example(0.0, 0.0)
    cut = replace(whole, keytimes=whole.keytimes * 0.6)
    assert build_verb("walk", biped_channels(), [replace(whole, adverbs=np.zeros(0))], (), []).report.complaints == ()
    found = build_verb("walk", biped_channels(), [replace(cut, adverbs=np.zeros(0))], (), []).report.complaints
    assert any(
        "last keytime" in text and f"'{whole.name}'" in text and "Check its first and last frame" in text
        for text in found
    )
