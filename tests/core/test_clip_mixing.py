"""Laws of Blend, Embed and Filter, against SciPy and formulas of the tests' own."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp
from verbs_adverbs.core.errors import ClipError
from verbs_adverbs.core.motion.clip import Clip, Mark, at_common_contact, fit_clip, interpolated
from verbs_adverbs.core.motion.clip_filter import filtered, low_pass
from verbs_adverbs.core.motion.clip_mixing import Blend, Embed, blend, embed
from verbs_adverbs.core.motion.clip_operators import loop, revert, time_shift, time_warp

from .synthetic import some_verb
from .test_clip_operators import complex_place, inside, turned, walk_clip


def other_clip(start: float = 0.0) -> Clip:
    """A clip of the same figure as `walk_clip`, which moves otherwise."""
    motion = some_verb(3).motion([0.9, 0.1])
    times = np.linspace(0.0, motion.duration, 33)
    marks = (Mark("contact", "toe", start + 0.2, start + 0.5), Mark("keytime", "down", start + 0.2, start + 0.2))
    return fit_clip(motion.channels, start + times, motion.sample(times), marks=marks, name="Happy")


def rows_of(values: np.ndarray, clip: Clip) -> np.ndarray:
    return values[:, clip.channels.rotation_columns].reshape(len(values), -1, 4)


def scipy_rotations(quaternions: np.ndarray) -> Rotation:
    return Rotation.from_quat(quaternions[:, [1, 2, 3, 0]])


def test_a_blend_is_one_side_before_it_and_the_other_after_it_and_goes_on():
    first, second = walk_clip(start=0.0), other_clip()
    length = min(first.duration, second.duration)
    begin, end = 0.4 * length, 0.7 * length
    made = blend(first, second, begin, end, 0.0, 0.1 * length)
    early = np.linspace(0.0, begin, 20)
    assert turned(made.sample(early), first.sample(early), first) < 1e-9
    late = np.linspace(end, 0.1 * length + second.duration, 20)
    ours, theirs = made.sample(late), second.sample(late - 0.1 * length)
    assert turned(ours[:, 3:], theirs[:, 3:], first_pose(first)) < 1e-9
    moves = [np.diff(complex_place(rows)) * np.exp(-1j * rows[:-1, 2]) for rows in (ours, theirs)]
    assert np.abs(moves[0] - moves[1]).max() < 1e-9
    assert np.abs(np.diff(ours[:, 2]) - np.diff(theirs[:, 2])).max() < 1e-9
    assert abs(made.duration - 0.1 * length - second.duration) < 1e-12


def first_pose(clip: Clip) -> Clip:
    """The clip with columns counted without travel, for `turned`."""

    class Columns:
        rotation_columns = slice(clip.channels.rotation_columns.start - 3, clip.channels.rotation_columns.stop - 3)

    return replace(clip, channels=Columns())


@settings(max_examples=20)
@given(st.floats(0.02, 0.98))
def test_rotations_are_mixed_as_by_slerp(share: float):
    first, second = walk_clip(start=0.0), other_clip()
    length = min(first.duration, second.duration)
    begin, end = 0.2 * length, 0.8 * length
    made = blend(first, second, begin, end, 0.0, 0.0)
    time = begin + share * (end - begin)
    rows = [rows_of(motion.sample([time]), first)[0] for motion in (first, second, made)]
    weight = 0.5 - 0.5 * np.cos(np.pi * share)
    for one, other, ours in zip(*rows, strict=True):
        both = scipy_rotations(np.stack([one, other]))
        if (both[0].inv() * both[1]).magnitude() > np.radians(115.0):
            continue
        oracle = Slerp([0.0, 1.0], both)(weight)
        assert (oracle.inv() * scipy_rotations(ours[None])[0]).magnitude() < 1e-6
    others = np.r_[3:6, first.channels.scalar_columns.start : first.channels.width]
    held = [first.channels.scalar_columns.start + i for i, s in enumerate(first.channels.scalars) if s.held]
    others = np.setdiff1d(others, held)
    sides = [motion.sample([time])[0, others] for motion in (first, second, made)]
    assert np.abs(sides[2] - (1.0 - weight) * sides[0] - weight * sides[1]).max() < 1e-9


def test_the_travel_of_a_blend_is_integrated_from_both_speeds():
    first, second = walk_clip(start=0.0), other_clip()
    length = min(first.duration, second.duration)
    begin, end = 0.2 * length, 0.8 * length
    made = blend(first, second, begin, end, 0.0, 0.0)
    fine = np.linspace(begin, end, 20_001)
    share = 0.5 - 0.5 * np.cos(np.pi * (fine[1:] + fine[:-1] - 2.0 * begin) / (2.0 * (end - begin)))
    place, heading = complex_place(first.sample([begin]))[0], first.sample([begin])[0, 2]
    moves = []
    for motion in (first, second):
        rows = motion.sample(fine)
        moves.append((np.diff(complex_place(rows)) * np.exp(-1j * rows[:-1, 2]), np.diff(rows[:, 2])))
    headings = heading + np.concatenate([[0.0], np.cumsum((1.0 - share) * moves[0][1] + share * moves[1][1])])
    steps = ((1.0 - share) * moves[0][0] + share * moves[1][0]) * np.exp(1j * headings[:-1])
    last = made.sample([end])
    assert abs(complex_place(last)[0] - place - steps.sum()) < 1e-3 * abs(steps.sum())
    assert abs(last[0, 2] - headings[-1]) < 1e-3


def test_an_embedded_motion_leads_back_to_the_first_one():
    first, second = loop(6, walk_clip(start=0.0)), other_clip()
    ramps = 0.5, 0.5 + 0.2 * second.duration, 0.5 + 0.7 * second.duration, 0.5 + second.duration
    made = embed(first, second, ramps, 0.0, 0.5)
    late = np.linspace(ramps[3], first.duration, 40)
    early = np.linspace(0.0, ramps[0], 20)
    pose = first_pose(walk_clip())
    assert turned(made.sample(early), first.sample(early), walk_clip()) < 1e-9
    assert turned(made.sample(late)[:, 3:], first.sample(late)[:, 3:], pose) < 1e-9
    between = np.linspace(ramps[1], ramps[2], 20)
    assert turned(made.sample(between)[:, 3:], second.sample(between - 0.5)[:, 3:], pose) < 1e-9
    assert made.duration == first.duration
    path = complex_place(made.sample(np.linspace(0.0, first.duration, 3000)))
    assert np.abs(np.diff(path)).max() < 5.0 * np.median(np.abs(np.diff(path))) + 1e-6


def test_what_one_motion_alone_moves_goes_on_as_it_says():
    first, second = walk_clip(start=0.0), other_clip()
    fewer = second.channels.rotating[:-1]
    channels = replace(second.channels, rotating=fewer)
    times = inside(second, 33)
    values = second.sample(times)
    columns = np.r_[: 6 + 4 * len(fewer), second.channels.scalar_columns.start : second.channels.width]
    less = fit_clip(channels, times, values[:, columns])
    for one, other in ((first, less), (less, first)):
        length = min(one.duration, other.duration)
        made = blend(one, other, 0.3 * length, 0.6 * length, 0.0, 0.0)
        asked = np.linspace(0.0, length, 50)
        last = int(second.channels.rotating[-1])
        ours = rows_of_joint(made, asked, last)
        assert np.abs(np.abs((ours * rows_of_joint(first, asked, last)).sum(axis=-1)) - 1.0).max() < 1e-9


def rows_of_joint(motion: object, times: np.ndarray, joint: int) -> np.ndarray:
    row = motion.channels.rotating.tolist().index(joint)
    return motion.sample(times)[:, 6 + 4 * row : 10 + 4 * row]


def test_a_motion_blends_with_itself_at_another_time():
    clip = walk_clip(start=0.0)
    later = 0.6 * clip.duration
    made = blend(clip, clip, later, clip.duration, 0.0, later)
    late = np.linspace(clip.duration, later + clip.duration, 20)
    assert turned(made.sample(late)[:, 3:], clip.sample(late - later)[:, 3:], first_pose(clip)) < 1e-9


def test_a_cut_shows_the_second_motion_from_its_frame_on():
    first, second = walk_clip(start=0.0), other_clip()
    made = blend(first, second, 0.3, 0.3, 0.0, 0.1)
    asked = np.array([0.3, 0.4])
    assert turned(made.sample(asked)[:, 3:], second.sample(asked - 0.1)[:, 3:], first_pose(first)) < 1e-9
    here, there = made.sample([0.3 - 1e-9, 0.3])
    assert np.abs(here[:3] - there[:3]).max() < 1e-6


def test_keytimes_are_those_of_the_motion_that_weighs_more():
    first, second = walk_clip(start=0.0), other_clip()
    length = min(first.duration, second.duration)
    marks = blend(first, second, 0.2 * length, 0.4 * length, 0.0, 0.0).marks_within(0.0, 10.0)
    assert [mark.start for mark in marks if mark.kind == "keytime"] == [first.marks[0].start]


@pytest.mark.parametrize("ends", [(0.0, 0.9), (0.1, 0.25), (0.35, 0.8), (0.45, 0.9)])
def test_a_point_stands_in_a_blend_where_it_does_in_both_motions_or_the_other_one_is_faint(ends: tuple[float, float]):
    stands = [replace(walk_clip(start=0.0), marks=(Mark("contact", "toe", *span),)) for span in (ends, (0.3, 0.7))]
    for one, other in ([0, 1], [1, 0]):
        made = blend(stands[one], stands[other], 0.2, 0.6, 0.0, 0.0)
        times = np.arange(0.0005, 1.0, 0.001)
        weight = 0.5 - 0.5 * np.cos(np.pi * np.clip((times - 0.2) / 0.4, 0.0, 1.0))
        down = [(times > own.marks[0].start) & (times < own.marks[0].end) for own in (stands[one], stands[other])]
        told = [(times > mark.start) & (times < mark.end) for mark in made.marks_within(0.0, 1.0)]
        wanted = np.where(weight < 0.15, down[0], np.where(weight > 0.85, down[1], down[0] & down[1]))
        assert np.array_equal(np.any(told, axis=0), wanted)
        assert all(later.start > mark.end for mark, later in pairwise(made.marks_within(0.0, 1.0)))


def test_contacts_tell_when_to_blend():
    first, second = loop(2, walk_clip(start=0.0)), other_clip()
    begin, end, starts = at_common_contact(first, second)
    one, other = first.clip.marks[1], second.marks[0]
    assert abs(begin - one.start - first.clip.duration) < 1e-9 and abs(starts - (begin - other.start)) < 1e-9
    assert abs(end - begin - min(one.end - one.start, other.end - other.start)) < 1e-9
    made = blend(first, second, begin, end, 0.0, starts)
    assert any(mark.start < begin + 1e-9 and mark.end > end - 1e-9 for mark in made.marks_within(0.0, 9.0))
    assert at_common_contact(first, replace(second, marks=())) is None


def test_a_way_round_that_begins_as_noise_does_not_flip():
    clip = walk_clip(start=0.0)
    times = np.linspace(0.0, 2.0, 61)
    first, second = (np.repeat(clip.sample([0.3]), len(times), axis=0) for _ in range(2))
    last = clip.channels.rotation_columns.stop
    half = 0.5 * np.linspace(-0.01, np.radians(170.0), len(times))
    first[:, last - 4 : last] = 1.0, 0.0, 0.0, 0.0
    second[:, last - 4 : last] = np.stack([np.cos(half), np.sin(half), 0.0 * half, 0.0 * half], axis=-1)
    sides = [interpolated(clip.channels, (0.0, 2.0), rows) for rows in (first, second)]
    made = blend(*sides, 0.0, 2.0, 0.0, 0.0).sample(times)[:, last - 4 : last]
    steps = 2.0 * np.arccos(np.clip(np.abs((made[1:] * made[:-1]).sum(axis=-1)), 0.0, 1.0))
    assert np.degrees(steps.max()) < 12.0


def test_a_motion_that_says_nothing_of_the_root_lets_it_go_on():
    first, wave = loop(3, walk_clip(start=0.0)), replace(other_clip(), moves_root=False)
    ramps = 0.3, 0.4, 0.2 + wave.duration, 0.3 + wave.duration
    made, times = embed(first, wave, ramps, 0.0, 0.3), np.linspace(0.0, 2.0, 300)
    assert np.abs(made.sample(times)[:, :10] - first.sample(times)[:, :10]).max() < 1e-4
    assert np.abs(made.sample(times)[:, 10:] - first.sample(times)[:, 10:]).max() > 1e-2


def test_keytimes_of_both_sides_of_a_blend_are_one_keytime():
    first, second = walk_clip(start=0.0), other_clip()
    end = first.duration
    down = Mark("keytime", "end", end, end)
    first = replace(first, marks=(*first.marks, down))
    second = replace(second, marks=(Mark("keytime", "end", 0.0, 0.0), *second.marks))
    made = blend(first, second, end - 0.2, end, 0.0, end - 0.2)
    ends = [mark.start for mark in made.marks_within(0.0, 9.0) if mark.name == "end"]
    assert np.abs(np.subtract(ends, [end - 0.1])).max() < 1e-9


def test_a_tree_of_operators_has_no_steps():
    walk, happy = walk_clip(start=0.0), other_clip()
    walking = loop(0, time_warp([(0.0, 0.0), (walk.duration, 0.8 * walk.duration)], walk))
    made = blend(time_shift(1.0, walk), walking, 1.3, 1.5, 1.0, 1.2)
    over = embed(filtered(low_pass(8.0, 60.0), 60.0, made), revert(0.0, happy), (1.8, 1.9, 2.1, 2.2), 1.0, 1.8)
    times = np.linspace(1.0, 6.0, 5001)
    values = over.sample(times)
    assert np.isfinite(values).all() and np.isinf(over.duration)
    assert str(over).startswith("Embed(1, 1.8, 1.8, 1.9, 2.1, 2.2, Filter([") and "TimeWarp({0: 0" in str(over)
    assert over == replace(over) and isinstance(over, Embed) and isinstance(made, Blend)


def test_blends_that_cannot_be_are_refused_in_a_sentence():
    first, second = walk_clip(start=0.0), other_clip()
    with pytest.raises(ClipError, match="are not in order"):
        blend(first, second, 0.3, 0.1, 0.0, 0.0)
    with pytest.raises(ClipError, match="lasts until 50 s, but its first motion plays from 0 to"):
        blend(first, second, 0.1, 50.0, 0.0, 0.0)
    with pytest.raises(ClipError, match="its second motion plays from 0.3 to"):
        blend(first, second, 0.1, 0.2, 0.0, 0.3)
    with pytest.raises(ClipError, match="The filter extends .* s to both sides, but the motion lasts only"):
        filtered(low_pass(0.05, 30.0), 30.0, first)
    with pytest.raises(ClipError, match="A cut-off of 40 Hz is not possible. Choose one between 0 and 15 Hz"):
        low_pass(40.0, 30.0)
    stranger = some_verb(8).motion([0.2, 0.3])
    renamed = replace(
        stranger.channels,
        skeleton=replace(
            stranger.channels.skeleton, names=tuple(f"x{i}" for i in range(len(stranger.channels.skeleton.names)))
        ),
    )
    times = np.linspace(0.0, 1.0, 12)
    with pytest.raises(ClipError, match="must be of the same figure"):
        blend(first, fit_clip(renamed, times, stranger.sample(times)), 0.1, 0.2, 0.0, 0.0)
