"""Laws of TimeShift, Loop, Revert and TimeWarp: of poses, of the root's travel, and of marks."""

from math import inf, isinf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.errors import ClipError
from verbs_adverbs.core.figure.channels import Scalar
from verbs_adverbs.core.motion.clip import Clip, Mark, fit_clip, interpolated
from verbs_adverbs.core.motion.clip_operators import Loop, Part, Revert, TimeWarp, loop, revert, time_shift, time_warp

from .synthetic import random_channels, some_verb

seconds = st.floats(-20.0, 20.0)


def walk_clip(seed: int = 3, start: float = 1.0) -> Clip:
    """A clip that travels, with marks; its travel begins at 0."""
    motion = some_verb(seed).motion([0.2, 0.3])
    times = np.linspace(0.0, motion.duration, 41)
    marks = (Mark("keytime", "down", start + 0.1, start + 0.1), Mark("contact", "toe", start + 0.1, start + 0.4))
    return fit_clip(motion.channels, start + times, motion.sample(times), marks=marks, name="Walk")


def turned(values: np.ndarray, others: np.ndarray, clip: Clip) -> float:
    """Largest difference of rows of values, whatever the signs of the quaternions."""
    columns = clip.channels.rotation_columns
    one, other = (rows[:, columns].reshape(len(rows), -1, 4) for rows in (values, others))
    same = np.abs(np.abs((one * other).sum(axis=-1)) - 1.0).max()
    left = [np.delete(rows, np.r_[columns], axis=1) for rows in (values, others)]
    return max(float(np.abs(left[0] - left[1]).max()), float(same))


def inside(motion: object, count: int = 57) -> np.ndarray:
    return np.linspace(motion.start, motion.start + motion.duration, count)


def complex_place(travel: np.ndarray) -> np.ndarray:
    return travel[:, 0] + 1j * travel[:, 1]


@given(seconds)
def test_a_shifted_motion_is_the_motion_later(shift: float):
    clip = walk_clip()
    times = inside(clip)
    moved = time_shift(shift, clip)
    assert abs(moved.start - clip.start - shift) < 1e-12 and moved.duration == clip.duration
    assert turned(moved.sample(times + shift), clip.sample(times), clip) < 1e-9
    (mark,) = (mark for mark in moved.marks_within(-100.0, 100.0) if mark.kind == "contact")
    assert abs(mark.start - 1.1 - shift) < 1e-12 and abs(mark.end - 1.4 - shift) < 1e-12


@given(seconds, seconds)
def test_revert_of_revert_is_the_motion_up_to_its_start(new: float, newer: float):
    clip = walk_clip()
    twice = revert(newer, revert(new, clip))
    assert twice.start == newer and twice.duration == clip.duration
    times = inside(clip)
    assert turned(twice.sample(times - clip.start + newer), clip.sample(times), clip) < 1e-9
    told = [(m.kind, m.name, m.start - newer, m.end - newer) for m in twice.marks_within(-100.0, 100.0)]
    own = [(m.kind, m.name, m.start - clip.start, m.end - clip.start) for m in clip.marks_within(-100.0, 100.0)]
    for one, other in zip(told, own, strict=True):
        assert one[:2] == other[:2] and np.abs(np.subtract(one[2:], other[2:])).max() < 1e-9


def test_a_reverted_motion_goes_back_from_where_it_begins():
    clip = walk_clip()
    back = revert(0.0, clip).sample(inside(revert(0.0, clip)))
    there = clip.sample(inside(clip))[::-1]
    assert np.abs(back[0, :3]).max() < 1e-12
    heading = there[0, 2]
    places = (complex_place(there) - complex_place(there)[0]) * np.exp(-1j * heading)
    assert np.abs(complex_place(back) - places).max() < 1e-9
    assert np.abs(back[:, 2] - (there[:, 2] - heading)).max() < 1e-9


@settings(max_examples=30)
@given(st.integers(1, 5), st.integers(1, 5))
def test_a_loop_of_a_loop_is_one_loop(outer: int, inner: int):
    clip = walk_clip()
    both, one = Loop(outer, Loop(inner, clip)), Loop(outer * inner, clip)
    assert abs(both.duration - one.duration) < 1e-9
    times = np.random.default_rng(outer + 7 * inner).uniform(one.start, one.start + one.duration, 60)
    assert turned(both.sample(times), one.sample(times), clip) < 1e-6
    assert loop(outer, loop(inner, clip)) == one
    assert [m.name for m in both.marks_within(-inf, 1e3)] == [m.name for m in one.marks_within(-inf, 1e3)]


def test_each_pass_goes_on_from_where_the_last_one_ended():
    clip = walk_clip()
    played = loop(4, clip)
    ends = clip.sample([clip.start, clip.start + clip.duration])
    step, turn = complex_place(ends)[1] - complex_place(ends)[0], ends[1, 2] - ends[0, 2]
    place, heading = complex_place(ends)[0], ends[0, 2]
    for number in range(4):
        row = played.sample([clip.start + number * clip.duration + 1e-12])
        assert abs(complex_place(row)[0] - place) < 1e-6 and abs(row[0, 2] - heading) < 1e-6
        place, heading = place + step * np.exp(1j * (heading - ends[0, 2])), heading + turn


@pytest.mark.parametrize("count", [0, -3])
def test_a_loop_below_one_never_ends_and_far_passes_are_the_first(count: int):
    clip = walk_clip()
    endless = loop(count, clip)
    assert isinf(endless.duration) and loop(7, endless) is endless and loop(0, endless) is endless
    passes = np.floor(1e6 / clip.duration)
    times = inside(clip)[:-1]
    far, near = endless.sample(times + passes * clip.duration), clip.sample(times)
    assert np.abs(far[:, 3:] - near[:, 3:]).max() < 1e-9


def test_marks_come_again_in_each_pass_and_those_that_touch_are_one():
    clip = walk_clip(start=0.0)
    duration = clip.duration
    whole = Clip(clip.channels, 0.0, duration, clip.curve, (Mark("contact", "toe", 0.0, duration), *clip.marks[:1]))
    marks = Loop(3, whole).marks_within(0.0, 3.0 * duration)
    assert [m for m in marks if m.kind == "contact"] == [Mark("contact", "toe", 0.0, 3.0 * duration)]
    assert np.allclose([m.start for m in marks if m.kind == "keytime"], 0.1 + duration * np.arange(3.0))
    assert len(loop(0, whole).marks_within(1e4, 1e4 + duration)) >= 2


rising = st.lists(st.floats(0.05, 3.0), min_size=2, max_size=5)


@given(rising, rising, seconds, st.booleans())
def test_times_of_a_warp_are_the_inverse_of_each_other(
    own: list[float], played: list[float], begin: float, smooth: bool
):
    count = min(len(own), len(played))
    keys = tuple(zip(np.cumsum(own[:count]).tolist(), (begin + np.cumsum(played[:count])).tolist(), strict=True))
    warp = TimeWarp(keys, walk_clip(), smooth)
    times = np.linspace(keys[0][0] - 1.0, keys[-1][0] + 1.0, 200)
    there = warp.played(times)
    assert (np.diff(there) > 0.0).all()
    assert np.abs(warp.own(there) - times).max() < 1e-6
    assert np.abs(warp.played(np.array([key[0] for key in keys])) - [key[1] for key in keys]).max() < 1e-9


@given(rising, seconds)
def test_a_warp_with_the_inverse_keys_gives_the_motion_back(gaps: list[float], begin: float):
    clip = walk_clip()
    own = np.linspace(clip.start, clip.start + clip.duration, len(gaps))
    keys = list(zip(own.tolist(), (begin + np.cumsum(gaps)).tolist(), strict=True))
    there = time_warp(keys, clip)
    back = time_warp([(played, own) for own, played in keys], there)
    times = inside(clip)
    assert turned(back.sample(times), clip.sample(times), clip) < 1e-6
    assert abs(back.start - clip.start) < 1e-9 and abs(back.duration - clip.duration) < 1e-9
    one, other = there.marks_within(-100.0, 100.0), clip.marks_within(-100.0, 100.0)
    for mark, source in zip(one, other, strict=True):
        assert turned(there.sample([mark.start]), clip.sample([source.start]), clip) < 1e-6


def test_a_smooth_warp_changes_its_speed_gradually():
    clip = walk_clip(start=0.0)
    keys = [(0.0, 0.0), (0.3 * clip.duration, 0.6), (clip.duration, 1.0)]
    times = np.linspace(0.01, 0.99, 2000)
    rates = [np.diff(time_warp(keys, clip, smooth).own(times)) for smooth in (False, True)]
    jumps = [np.abs(np.diff(rate)).max() for rate in rates]
    assert jumps[1] < 0.02 * jumps[0]


def test_expressions_are_printed_as_the_paper_writes_them_and_compared_by_value():
    clip = walk_clip()
    made = loop(0, time_warp([(1.0, 0.0), (2.0, 0.5)], clip))
    assert str(time_shift(2.5, made)) == "TimeShift(2.5, Loop(0, TimeWarp({1: 0, 2: 0.5}, Walk)))"
    assert made == loop(0, time_warp([(1.0, 0.0), (2.0, 0.5)], clip)) and made != loop(2, clip)
    assert str(revert(0.0, clip)) == "Revert(0, Walk)" and revert(0.0, clip) == Revert(0.0, clip)


def test_what_cannot_be_is_refused_in_a_sentence():
    clip = walk_clip()
    with pytest.raises(ClipError, match="endless motion cannot be played backward. Loop"):
        revert(0.0, loop(0, clip))
    with pytest.raises(ClipError, match="The time warp runs backward: 1 s plays at 2 s, but 3 s at 1.5 s. Move"):
        time_warp([(0.0, 0.0), (1.0, 2.0), (3.0, 1.5)], clip)
    with pytest.raises(ClipError, match="needs at least two keys, not 1"):
        time_warp([(0.0, 0.0)], clip)
    with pytest.raises(ClipError, match="cannot be moved by nan seconds"):
        time_shift(float("nan"), clip)


def test_a_part_is_the_motion_between_its_ends_and_holds_there():
    clip = walk_clip()
    part = Part(clip.start + 0.2, clip.start + 0.6, clip)
    times = np.linspace(clip.start, clip.start + clip.duration, 60)
    assert part.start == clip.start + 0.2 and abs(part.duration - 0.4) < 1e-12 and str(part) == "Walk"
    held = clip.sample(np.clip(times, part.start, part.start + part.duration))
    assert turned(part.sample(times), held, clip) < 1e-12
    assert [mark.name for mark in part.marks_within(0.0, 9.0)] == ["toe"]


def test_an_interpolated_clip_passes_through_its_samples():
    clip = walk_clip(start=0.0)
    times = np.linspace(0.0, 1.5, 31)
    values = clip.sample(times)
    made = interpolated(clip.channels, (0.0, 1.5), values)
    assert turned(made.sample(times), values, clip) < 1e-9
    between = 0.5 * (times[1:] + times[:-1])
    assert turned(made.sample(between), clip.sample(between), clip) < 2e-2


def test_a_loop_over_a_ramp_goes_on_climbing_and_one_in_place_does_not():
    clip = walk_clip(start=0.0)
    times = np.linspace(0.0, 1.0, 31)
    values = clip.sample(times)
    values[:, 0], values[:, 1] = times, 0.0
    for climbed, expected in ((0.2, 0.2), (0.01, 0.0), (3.0, 0.0)):
        values[:, 5] = 1.0 + climbed * times
        made = loop(3, interpolated(clip.channels, (0.0, 1.0), values))
        heights = made.sample([0.25, 1.25, 2.25])[:, 5]
        assert np.abs(np.diff(heights) - expected).max() < 1e-9


def test_switches_are_held_from_sample_to_sample():
    channels = random_channels(np.random.default_rng(4), scalars=[Scalar("switch", -1, "value", 0, True, '["ik"]')])
    rows = np.zeros((4, channels.width))
    rows[:, channels.rotation_columns.start : channels.rotation_columns.stop : 4] = 1.0
    rows[:, -1] = 0.0, 0.0, 1.0, 1.0
    made = interpolated(channels, (0.0, 3.0), rows)
    assert made.sample([0.0, 1.9, 2.0, 2.5, 3.0])[:, -1].tolist() == [0.0, 0.0, 1.0, 1.0, 1.0]
    assert revert(0.0, made).sample([0.5, 1.5])[:, -1].tolist() == [1.0, 0.0]
