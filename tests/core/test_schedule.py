"""Schedules and interpolators: the connections of [Kallmann2005] figures 2, 4 and 5, against independent slerps."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation, Slerp
from verbs_adverbs.core.errors import GestureError
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels, columns_in
from verbs_adverbs.core.gesture.schedule import Schedule, entry, interpolator, leaf_of, leaf_times, sampled
from verbs_adverbs.core.gesture.stack import Entry, blending_curve
from verbs_adverbs.core.motion.clip import Clip, Mark, Motion, fit_clip
from verbs_adverbs.core.motion.clip_operators import Part, time_shift, time_warp

from .walks import biped_channels

Array = NDArray[np.float64]
ARM, HEAD = "UpperArm_R", "Head"
CLOCK = np.linspace(-0.5, 6.0, 521)


def turning(joint: str, first: float, second: float, start: float = 0.0, seconds: float = 2.0, marks=()) -> Clip:
    """A clip of one joint alone, besides the root, that turns from one angle to another about two axes."""
    whole = biped_channels()
    rows = np.array([0, whole.skeleton.index(joint)])
    own = Channels(whole.skeleton, rows, (), whole.static, whole.travelling)
    times = np.linspace(start, start + seconds, 41)
    angles = np.linspace(first, second, 41)
    values = np.zeros((41, own.width))
    values[:, 6] = 1.0
    values[:, 10:14] = quat.exp(angles[:, None] * np.array([0.6, 0.0, 0.8]))
    return fit_clip(own, times, values, marks=marks, name=joint)


def turns(schedule: Schedule | Clip, joint: str, times: Array) -> Rotation:
    """Rotations of a joint of a motion."""
    whole = schedule.channels
    row = whole.rotating.tolist().index(whole.skeleton.index(joint))
    values = schedule.sample(times)[:, 6 + 4 * row : 10 + 4 * row]
    return Rotation.from_quat(values[:, [1, 2, 3, 0]])


def expected(first: Rotation, second: Rotation, weights: Array) -> Rotation:
    """Slerp by SciPy from rotation to rotation, row by row."""
    rows = [
        Slerp([0.0, 1.0], Rotation.concatenate([one, other]))([weight])
        for one, other, weight in zip(first, second, weights, strict=True)
    ]
    return Rotation.concatenate(rows)


def apart(one: Rotation, other: Rotation) -> float:
    return float((one.inv() * other).magnitude().max())


def ease(times: Array, begin: float, seconds: float) -> Array:
    """The weight of an ease in, by SciPy's spline from rest to rest."""
    curve = CubicHermiteSpline([0.0, 1.0], [0.0, 1.0], [0.0, 0.0])
    return np.asarray(curve(np.clip((times - begin) / seconds, 0.0, 1.0)))


def test_figure_2_one_controller_drives_the_figure_or_is_blended_with_another_one() -> None:
    a, b = turning(ARM, 0.2, 1.0), turning(ARM, -0.5, -0.1)
    alone = Schedule((entry(a, 0.0),))
    both = Schedule((entry(a, 0.0), Entry(b, 0.0, -np.inf, np.inf, curve=blending_curve([(0, 0), (1, 1)]))))
    inside = CLOCK[(CLOCK >= 0.0) & (CLOCK <= 2.0)]
    assert apart(turns(alone, ARM, inside), turns(a, ARM, inside)) < 1e-9
    assert apart(turns(both, ARM, inside), turns(b, ARM, inside)) < 1e-9
    half = Schedule((entry(a, 0.0), Entry(b, 0.0, 0.0, 2.0, mask=np.full(len(a.channels.skeleton.names), 0.5))))
    wanted = expected(turns(a, ARM, inside), turns(b, ARM, inside), np.full(len(inside), 0.5))
    assert apart(turns(half, ARM, inside), wanted) < 1e-9


def test_figure_4_a_stack_is_blended_from_the_bottom_to_the_top() -> None:
    a, b, c = turning(ARM, 0.0, 1.0), turning(ARM, 0.5, -0.5), turning(ARM, -1.0, -0.2)
    stack = Schedule((entry(a, 0.0, holds=4.0), entry(b, 1.0, (0.5, 0.5)), entry(c, 1.5, (0.4, 0.6), holds=0.5)))
    times = np.linspace(0.0, 5.5, 441)
    low = turns(a, ARM, np.clip(times, 0.0, 2.0))
    weight = np.minimum(ease(times, 1.0, 0.5), 1.0 - ease(times, 2.5, 0.5))
    low = expected(low, turns(b, ARM, np.clip(times - 1.0, 0.0, 2.0)), weight)
    weight = np.minimum(ease(times, 1.5, 0.4), 1.0 - ease(times, 3.4, 0.6))
    wanted = expected(low, turns(c, ARM, np.clip(times - 1.5, 0.0, 2.0)), weight)
    assert apart(turns(stack, ARM, times), wanted) < 1e-9


@pytest.mark.parametrize(
    ("span", "starts"),
    [((1.2, 3.9), 3.0), ((2.0, 3.0), 3.0), ((1.2, 3.0), 3.0), ((2.0, 3.9), 3.0), ((1.2, 1.8), 1.0)],
    ids=["figure 5", "last to first", "running to first", "last to running", "both running"],
)
def test_figure_5_an_interpolator_goes_from_one_motion_to_another(span: tuple[float, float], starts: float) -> None:
    first, second = turning(ARM, 0.0, 1.0), turning(ARM, -0.6, 0.6)
    points = [(0.0, 0.0), (0.3, 0.6), (0.7, 0.7), (1.0, 1.0)]
    curve = blending_curve(points)
    made = interpolator(first, second, span, starts, curve)
    assert (made.start, made.duration) == (0.0, starts + 2.0)
    times = np.linspace(0.0, starts + 2.0, 601)
    share = np.clip((times - span[0]) / (span[1] - span[0]), 0.0, 1.0)
    spline = CubicHermiteSpline(*np.array(points).T, list(curve.slopes))
    sides = turns(first, ARM, np.clip(times, 0.0, 2.0)), turns(second, ARM, np.clip(times - starts, 0.0, 2.0))
    assert apart(turns(made, ARM, times), expected(*sides, np.clip(spline(share), 0.0, 1.0))) < 1e-9
    fine = np.arange(0.0, starts + 2.0, 1e-4)
    shown = turns(made, ARM, fine)
    assert float((shown[:-1].inv() * shown[1:]).magnitude().max()) < 1e-4 * 8.0


def test_the_same_motion_may_be_blended_with_itself() -> None:
    clip = turning(ARM, 0.0, 1.0)
    made = Schedule((entry(clip, 0.0), entry(clip, 1.0, (0.5, 0.0))))
    times = np.linspace(1.0, 1.5, 51)
    wanted = expected(turns(clip, ARM, times), turns(clip, ARM, times - 1.0), ease(times, 1.0, 0.5))
    assert apart(turns(made, ARM, times), wanted) < 1e-9


def test_a_schedule_in_a_schedule_is_as_its_own_entries() -> None:
    entries = entry(turning(ARM, 0.1, 1.0), 0.3, (0.2, 0.3)), entry(turning(HEAD, 0.2, 0.5), 1.0, (0.5, 0.5))
    inner = Schedule(entries)
    shifted = tuple(
        Entry(one.motion, one.shift + 1.0, one.begin + 1.0, one.end + 1.0, one.ease_in, one.ease_out) for one in entries
    )
    bottom = entry(turning(ARM, -0.5, -0.3), 0.0, holds=3.0)
    nested, flat = Schedule((bottom, entry(inner, 1.3))), Schedule((bottom, *shifted))
    np.testing.assert_allclose(nested.sample(CLOCK), flat.sample(CLOCK), atol=1e-12)


def test_a_schedule_under_operators_lets_through_what_lies_below() -> None:
    entries = entry(turning(ARM, 0.1, 1.0), 0.3, (0.2, 0.3)), entry(turning(HEAD, 0.2, 0.5), 1.0, (0.5, 0.5))
    bottom, inner = entry(turning(ARM, -0.5, -0.3), 0.0, holds=6.0), Schedule(entries)
    slower = time_warp([(0.0, 0.0), (4.0, 8.0)], inner)
    for made, rate, later in (
        (slower, 2.0, 0.0),
        (time_shift(0.7, inner), 1.0, 0.7),
        (time_shift(0.7, slower), 2.0, 0.7),
    ):
        outer = Schedule((bottom, Entry(Part(made.start, made.start + 7.0, made), 0.0, -np.inf, np.inf)))
        lower = Schedule((Entry(bottom.motion, 0.0, -np.inf, np.inf), entry(turning(HEAD, 0.2, 0.5), 99.0)))
        times = np.linspace(made.start, 6.0, 101)
        wanted = inner.laid((times - later) / rate, lower.sample(times)[:, columns_in(inner.channels, lower.channels)])
        np.testing.assert_allclose(outer.sample(times), wanted, atol=1e-9)


@pytest.mark.parametrize("rows", [1, 9, 100])
def test_motions_sampled_together_are_as_each_by_itself(rows: int) -> None:
    whole = biped_channels()
    rng = np.random.default_rng(rows)
    clips = list[Motion]()
    for count, encoding in ((5, "catmull_rom"), (9, "catmull_rom"), (7, "cubic_b_spline"), (4, "catmull_rom")):
        values = rng.normal(size=(count, whole.width))
        clips.append(fit_clip(whole, np.linspace(0.3, rng.uniform(1.0, 3.0), count), values, encoding=encoding))
    clips += [turning(ARM, 0.0, 1.0), Schedule((entry(turning(HEAD, 0.0, 1.0), 0.0),))]
    times = [rng.uniform(-1.0, 4.0, rows) for _ in clips]
    for found, clip, own in zip(sampled(clips, times), clips, times, strict=True):
        np.testing.assert_allclose(found, clip.sample(own), atol=1e-12)
    warped = Part(0.2, 5.0, time_shift(0.7, time_warp([(0.0, 0.0), (4.0, 8.0)], clips[0])))
    assert leaf_of(warped) is clips[0]
    np.testing.assert_allclose(clips[0].sample(leaf_times(warped, times[0])), warped.sample(times[0]), atol=1e-12)


def test_what_no_entry_moves_is_as_below() -> None:
    made = Schedule((entry(turning(ARM, 0.0, 1.0), 0.0), entry(turning(HEAD, 0.5, 1.0), 1.0, (0.3, 0.3))))
    rng = np.random.default_rng(1)
    below = rng.normal(size=(len(CLOCK), made.channels.width))
    turned = below[:, made.channels.rotation_columns].reshape(len(CLOCK), -1, 4)
    below[:, made.channels.rotation_columns] = quat.normalize(turned).reshape(len(CLOCK), -1)
    laid = made.laid(CLOCK, below)
    rotating = made.channels.rotating.tolist()
    for joint, inside in ((ARM, (CLOCK >= 0.0) & (CLOCK <= 2.0)), (HEAD, (CLOCK > 1.0) & (CLOCK < 3.0))):
        first = 6 + 4 * rotating.index(made.channels.skeleton.index(joint))
        assert (laid[~inside, first : first + 4] == below[~inside, first : first + 4]).all()
        assert (laid[inside, first : first + 4] != below[inside, first : first + 4]).any()
    assert (laid[:, :10] == below[:, :10]).all()


def test_marks_are_told_while_their_entry_counts() -> None:
    clip = turning(ARM, 0.0, 1.0, marks=(Mark("keytime", "stroke", 1.5, 1.5), Mark("contact", "hand", 0.5, 1.8)))
    made = Schedule((entry(clip, 2.0), Entry(clip, 4.0, 4.0, 5.0)))
    marks = [(mark.name, mark.start, mark.end) for mark in made.marks_within(0.0, 9.0)]
    assert marks == [("hand", 2.5, 3.8), ("stroke", 3.5, 3.5), ("hand", 4.5, 5.0)]


def test_what_the_second_motion_does_not_move_goes_by_itself() -> None:
    arm, head = turning(ARM, 0.0, 1.0), turning(HEAD, 0.1, 0.6, marks=(Mark("keytime", "nod", 1.0, 1.0),))
    for first, second in ((arm, head), (head, arm)):
        made = interpolator(first, second, (1.2, 2.8), 2.0)
        fine = np.arange(0.0, 4.0, 1e-3)
        for joint in (ARM, HEAD):
            shown = turns(made, joint, fine)
            assert float((shown[:-1].inv() * shown[1:]).magnitude().max()) < 2e-3
        assert [mark.name for mark in made.marks_within(0.0, 9.0)] == ["nod"]


def test_schedules_that_cannot_be_are_told() -> None:
    clip = turning(ARM, 0.0, 1.0)
    with pytest.raises(GestureError, match="is too short for fades"):
        entry(clip, 0.0, (1.5, 1.0))
    with pytest.raises(GestureError, match="only the first"):
        entry(clip, 0.0, holds=-1.0)
    with pytest.raises(GestureError, match="cannot be blended"):
        interpolator(clip, clip, (3.0, 2.0), 1.0)
