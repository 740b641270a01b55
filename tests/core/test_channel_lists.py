"""Laws of channel lists: which column is where, and what a buffer is as rows; against searching and against SciPy."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.errors import RigError
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channel_lists import ChannelList, channel_list, read, written
from verbs_adverbs.core.figure.channels import Channels, Scalar, all_rotations, columns_in, matched
from verbs_adverbs.core.figure.parameterisations import Euler, Location, Quaternion, Swing, SwingTwist, Turn, Turning

from .synthetic import random_channels, random_rotations, random_skeleton

KINDS: tuple[Turning | Location, ...] = (
    Quaternion(), Swing(), Swing(half_axes=(0.5, 0.5)), SwingTwist(), SwingTwist((0.6, 0.8, 0.0, 0.0)),
    Turn((0.0, 1.0, 0.0)), Euler("XYZ"), Euler("ZXZ"), Euler("XZ"), Location(), Location("Y"),
)  # fmt: skip
SCALARS = (
    Scalar("shift y", 2, "location", 1, False, "bones[2].y"),
    Scalar("shift x", 2, "location", 0, False, "bones[2].x"),
    Scalar("grows", 3, "scale", 0, False, "bones[3].scale"),
    Scalar("mood", -1, "value", 0, False, "mood"),
)


def _thousand(rng: np.random.Generator) -> ChannelList:
    """A list of 1,000 channels in any order, in which of each joint some kind or other is written."""
    joints = rng.permutation(1000).tolist()
    chosen = ((joint, KINDS[int(rng.integers(len(KINDS)))]) for joint in joints)
    return ChannelList(random_skeleton(np.random.default_rng(1), 1000), tuple(chosen))


def _by_searching(own: ChannelList, whole: ChannelList) -> tuple[list[tuple[int, int]], list[int]]:
    """Pairs of columns, and channels of `own` without any, found by looking through both lists for each channel."""
    pairs, lacking, column = [], [], 0
    for place, (joint, one) in enumerate(own.channels):
        there, found = 0, False
        for other, written_as in whole.channels:
            if not found and other == joint and type(written_as) is type(one) and _same(one, written_as):
                pairs += [(column + n, there + n) for n in range(one.count)]
                found = True
            there += written_as.count
        column += one.count
        if not found:
            lacking.append(place)
    return pairs, lacking


def _same(one: object, other: object) -> bool:
    names = ("frame", "axis", "order", "axes")
    return all(getattr(one, name, None) == getattr(other, name, None) for name in names)


def test_two_lists_of_a_thousand_channels_are_mapped_as_by_searching():
    rng = np.random.default_rng(2)
    own, whole = _thousand(rng), _thousand(rng)
    found = matched(own.listing, whole.listing)
    pairs, lacking = _by_searching(own, whole)
    assert 50 < len(lacking) < 980
    assert list(zip(found.own.tolist(), found.places.tolist(), strict=True)) == pairs
    assert list(found.lacking) == lacking
    buffer, into = rng.normal(size=(3, own.width)), np.zeros((3, whole.width))
    into[:, found.places] = buffer[:, found.own]
    for column, place in pairs:
        assert np.array_equal(into[:, place], buffer[:, column])
    assert np.count_nonzero(into[0]) == len(pairs)


@settings(max_examples=50)
@given(st.lists(st.integers(0, 6), max_size=8), st.lists(st.integers(0, 6), max_size=8))
def test_what_is_twice_is_found_at_its_first_place_and_empty_lists_match_nothing(own: list[int], whole: list[int]):
    found = matched([(key, 1 + key % 3) for key in own], [(key, 1 + key % 3) for key in whole])
    begins = [sum(1 + key % 3 for key in whole[:place]) for place in range(len(whole))]
    wanted = [begins[whole.index(key)] + n for key in own if key in whole for n in range(1 + key % 3)]
    assert found.places.tolist() == wanted
    assert found.lacking == tuple(place for place, key in enumerate(own) if key not in whole)


class _Counted:
    """A key that counts how often it is compared with others."""

    compared = 0

    def __init__(self, number: int) -> None:
        self.number = number

    def __hash__(self) -> int:
        return hash(self.number)

    def __eq__(self, other: object) -> bool:
        type(self).compared += 1
        return isinstance(other, _Counted) and self.number == other.number


def test_mapping_compares_each_channel_a_few_times_however_many_there_are():
    numbers = np.random.default_rng(3).permutation(4000).tolist()
    _Counted.compared = 0
    found = matched([(_Counted(n), 1) for n in range(4000)], [(_Counted(n), 1) for n in numbers])
    assert [numbers[place] for place in found.places.tolist()] == list(range(4000))
    assert _Counted.compared < 8 * 4000


def _wide(channels: Channels) -> Channels:
    joints = np.arange(len(channels.skeleton.names), dtype=np.intp)
    return replace(channels, rotating=joints, scalars=tuple(reversed(channels.scalars)))


def test_columns_of_a_motion_are_found_among_those_of_a_wider_one_by_name():
    own = random_channels(np.random.default_rng(4), 6, SCALARS)
    whole = _wide(own)
    places = columns_in(own, whole)
    assert places[:6].tolist() == list(range(6))
    for row, joint in enumerate(own.rotating.tolist()):
        assert places[6 + 4 * row : 10 + 4 * row].tolist() == list(range(6 + 4 * joint, 10 + 4 * joint))
    for column, place in enumerate(places[own.scalar_columns].tolist()):
        assert whole.scalars[place - whole.scalar_columns.start] == own.scalars[column]


def test_columns_that_the_other_motion_does_not_have_are_told():
    own = _wide(random_channels(np.random.default_rng(5), 6, SCALARS))
    with pytest.raises(RigError, match=r"animates 'joint 5', 'mood', but .* Key it there too"):
        columns_in(own, replace(own, rotating=np.arange(5, dtype=np.intp), scalars=SCALARS[:3]))


def _figure() -> tuple[Channels, np.ndarray]:
    """Channels of a figure and some rows of them."""
    rng = np.random.default_rng(6)
    channels = random_channels(rng, 8, SCALARS)
    rows = rng.normal(size=(20, channels.width))
    rows[:, channels.rotation_columns] = random_rotations(rng, 20, 7).reshape(20, -1)
    return channels, rows


def _whole_list(channels: Channels) -> ChannelList:
    kinds = (Euler("ZYX"), SwingTwist((0.6, 0.8, 0.0, 0.0)), Quaternion(), Euler("YXY"), SwingTwist(), Euler("XYZ"))
    named = [(f"joint {joint}", kind) for joint, kind in zip((0, 4, 2, 6, 1, 3), kinds, strict=True)]
    return channel_list(channels.skeleton, [*named, ("joint 2", Location("Y")), ("joint 0", Location("XZ"))])


def test_what_is_read_from_rows_and_written_again_leaves_the_rows_as_they_were():
    channels, rows = _figure()
    own = _whole_list(channels)
    buffer = read(own, channels, rows)
    assert buffer.shape == (20, 3 + 3 + 4 + 3 + 3 + 3 + 1 + 2)
    again, lacking = written(own, buffer, channels, rows)
    assert lacking == ()
    turned, before = (made[:, channels.rotation_columns].reshape(20, -1, 4) for made in (again, rows))
    assert quat.angle_between(turned, before).max() < 1e-7
    others = np.r_[0 : channels.rotation_columns.start, channels.rotation_columns.stop : channels.width]
    assert np.abs(again[:, others] - rows[:, others]).max() < 1e-12


def test_a_buffer_written_into_rows_turns_joints_as_scipy_does_and_nothing_else():
    channels, rows = _figure()
    own = channel_list(
        channels.skeleton, [("joint 3", Euler("XZ")), ("joint 1", Turn((0.0, 0.6, 0.8))), ("joint 2", Location("Y"))]
    )
    values = np.random.default_rng(7).uniform(-1.5, 1.5, (20, 4))
    made, lacking = written(own, values, channels, rows)
    assert lacking == ()
    found = all_rotations(channels, made)
    third = Rotation.from_euler("xz", values[:, :2]).as_quat()[:, [3, 0, 1, 2]]
    first = Rotation.from_rotvec(values[:, 2:3] * [0.0, 0.6, 0.8]).as_quat()[:, [3, 0, 1, 2]]
    assert quat.angle_between(found[:, 3], third).max() < 1e-7
    assert quat.angle_between(found[:, 1], first).max() < 1e-7
    shift = channels.scalar_columns.start
    assert np.array_equal(made[:, shift], values[:, 3])
    changed = [*range(10, 14), *range(18, 22), shift]
    assert np.array_equal(np.delete(made, changed, axis=1), np.delete(rows, changed, axis=1))


def test_what_rows_have_no_columns_for_is_reported_and_the_rest_written():
    channels, rows = _figure()
    own = channel_list(
        channels.skeleton,
        [("joint 7", Swing()), ("joint 3", Location("X")), ("joint 1", Swing()), ("joint 2", Location())],
    )
    made, lacking = written(own, np.full((20, own.width), 0.25), channels, rows)
    assert lacking == ("joint 7", "joint 3", "joint 2")
    assert np.all(made[:, channels.scalar_columns.start + 1] == 0.25)
    assert np.any(made[:, 10:14] != rows[:, 10:14])


def test_joints_that_do_not_move_are_read_as_they_always_are():
    channels, rows = _figure()
    own = channel_list(channels.skeleton, [("joint 7", Quaternion()), ("joint 5", Location())])
    buffer = read(own, channels, rows)
    assert np.array_equal(buffer[:, :4], np.tile(channels.static[7], (20, 1)))
    assert np.all(buffer[:, 4:] == 0.0)


@pytest.mark.parametrize(
    ("channels", "told"),
    [
        ([("elbow", Swing())], "no joint 'elbow'"),
        ([("joint 1", Swing()), ("joint 1", Turn((1.0, 0.0, 0.0)))], "Joint 'joint 1' is turned by two channels"),
        ([("joint 1", Location("X")), ("joint 1", Location("Y"))], "Joint 'joint 1' is moved by two channels"),
        ([("joint 1", Euler("ABC"))], "'joint 1' have the invalid order 'ABC'"),
        (
            [("joint 2", Turn((1.0, 0.0, 0.0), 0.5, 0.25))],
            "'joint 2' contradict each other: the minimum 28.65° is above the maximum",
        ),
        ([("joint 2", Swing(half_axes=(1.0, -1.0)))], "half-axis of -57.3° about y"),
    ],
)
def test_a_list_that_cannot_be_is_refused_in_a_sentence(channels: list[tuple[str, Turning]], told: str):
    with pytest.raises(RigError) as caught:
        channel_list(_figure()[0].skeleton, channels)
    assert told in str(caught.value)
    assert str(caught.value).endswith(".")
