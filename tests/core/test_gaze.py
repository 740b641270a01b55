"""Laws of looking at a place: it is met, limits are kept, turns are shared, nothing jumps; bad input."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.aim.gaze import Gaze, GazeJoint, gaze_of, look_at
from verbs_adverbs.core.biped.figure import JOINTS, biped_skeleton, rest_orientations
from verbs_adverbs.core.errors import RigError
from verbs_adverbs.core.figure.channels import Channels
from verbs_adverbs.core.figure.skeleton import Skeleton
from verbs_adverbs.core.figure.vector_components import joined

from .walks import biped_channels, scattered_walk

AHEAD = np.array([0.0, -1.0, 0.0])
TURNING = ("Spine", "Chest", "Neck", "Head")
LIMITS = {"Spine": (15, 15, 8), "Chest": (15, 20, 8), "Neck": (25, 35, 12), "Head": (35, 50, 25)}
SHARES = {"Spine": 0.1, "Chest": 0.15, "Neck": 0.25, "Head": 0.5}
EYES = ("Eye_L", "Eye_R")


def _joint(name: str, loose: bool = False) -> GazeJoint:
    pitch, yaw, roll = (170.0, 170.0, 170.0) if loose else LIMITS[name]
    return GazeJoint(name, SHARES[name], *np.radians([pitch, yaw, roll]).tolist())


def _standing(count: int = len(JOINTS)) -> np.ndarray:
    """Rotations of the joints of the biped as it stands at rest, at heading 0."""
    return np.concatenate([rest_orientations()[:1], np.tile([1.0, 0.0, 0.0, 0.0], (count - 1, 1))])


@cache
def _gaze(loose: bool = False) -> Gaze:
    return gaze_of(biped_skeleton(), _standing(), AHEAD, [_joint(name, loose) for name in TURNING])


def _frames(channels: Channels, rows: np.ndarray) -> tuple[np.ndarray, list[Rotation]]:
    """Places and orientations of all joints, one after the other, by SciPy."""
    skeleton = channels.skeleton
    heading = Rotation.from_rotvec(rows[:, 2:3] * [0.0, 0.0, 1.0])
    places, turns = np.zeros((len(rows), len(skeleton.names), 3)), list[Rotation]()
    for joint, parent in enumerate(skeleton.parents.tolist()):
        own = rows[:, 6 + 4 * joint : 10 + 4 * joint]
        turn = Rotation.from_quat(np.tile(skeleton.rests[joint], (len(rows), 1))[:, [1, 2, 3, 0]])
        turn = turn * Rotation.from_quat(own[:, [1, 2, 3, 0]])
        if parent < 0:
            places[:, joint] = np.c_[rows[:, :2], np.zeros(len(rows))] + heading.apply(rows[:, 3:6])
            turns.append(heading * turn)
        else:
            places[:, joint] = places[:, parent] + turns[parent].apply(skeleton.offsets[joint])
            turns.append(turns[parent] * turn)
    return places, turns


def _rest(skeleton: Skeleton) -> list[Rotation]:
    count = len(skeleton.names)
    row = np.zeros((1, 6 + 4 * count))
    row[0, 6:] = np.tile([1.0, 0.0, 0.0, 0.0], count)
    row[0, 6:10] = rest_orientations()[0]
    channels = Channels(skeleton, np.arange(count, dtype=np.intp), (), np.zeros((count, 4)))
    return _frames(channels, row)[1]


def _missed(channels: Channels, rows: np.ndarray, joint: int, offset: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Angles between the direction to `places` and that to which a joint looks that looks ahead at rest."""
    heads, turns = _frames(channels, rows)
    facing = (turns[joint] * _rest(channels.skeleton)[joint].inv()).apply(AHEAD)
    ways = places - heads[:, joint] - turns[joint].apply(offset)
    return np.arctan2(np.linalg.norm(np.cross(facing, ways), axis=1), np.sum(facing * ways, axis=1))


def _around(rows: np.ndarray, aside: np.ndarray, rise: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """Places around figures, so many radians to their left and above their heads."""
    angle = rows[:, 2] + aside
    way = np.stack([np.sin(angle) * np.cos(rise), -np.cos(angle) * np.cos(rise), np.sin(rise)], axis=-1)
    return np.c_[rows[:, :2], np.full(len(rows), 1.65)] + distance[:, None] * way


def _anywhere(count: int, aside: float, rise: float, seed: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng, rows = np.random.default_rng(seed), scattered_walk(count)
    where = rng.uniform(-aside, aside, count), rng.uniform(-rise, rise, count), rng.uniform(0.6, 8.0, count)
    return rows, _around(rows, *np.array(where) * [[1.0], [1.0], [1.0]])


def _swings(rows: np.ndarray, name: str) -> np.ndarray:
    """How far (T, 3) a joint turns its gaze from rest: up or down, aside, and rolled, by SciPy."""
    rest = _rest(biped_skeleton())[JOINTS[name]]
    columns = slice(6 + 4 * JOINTS[name], 10 + 4 * JOINTS[name])
    turn = rest * Rotation.from_quat(rows[:, columns][:, [1, 2, 3, 0]]) * rest.inv()
    facing = turn.apply(AHEAD)
    axis = np.cross(AHEAD, facing)
    sine = np.linalg.norm(axis, axis=1)
    swing = axis / np.maximum(sine, 1e-300)[:, None] * np.arctan2(sine, facing @ AHEAD)[:, None]
    roll = (Rotation.from_rotvec(swing).inv() * turn).as_rotvec()
    return np.stack([swing[:, 0], swing[:, 2], roll @ AHEAD], axis=-1)


def _largest_turn(rows: np.ndarray) -> float:
    """Degrees by which a joint turns at most from one row (T, width) to the next."""
    quats = rows[:, 6:].reshape(len(rows), -1, 4)
    cosines = np.abs(np.sum(quats[1:] * quats[:-1], axis=-1))
    return float(np.degrees(2.0 * np.arccos(np.minimum(cosines, 1.0))).max())


def test_a_place_within_reach_is_looked_at():
    rows, places = _anywhere(500, np.radians(75.0), np.radians(25.0))
    made, gaze = look_at(_gaze(), biped_channels(), rows, places), _gaze()
    missed = _missed(biped_channels(), made.rows, JOINTS["Head"], gaze.head.offset, places)
    assert missed.max() < 1e-6
    assert np.abs(missed - made.missed).max() < 1e-6
    assert made.lacking == ()


def test_limits_are_kept_wherever_the_place_is():
    rows, places = _anywhere(1000, np.pi, np.radians(89.0))
    made = look_at(_gaze(), biped_channels(), rows, places)
    for name in TURNING:
        pitch, yaw, roll = np.radians(LIMITS[name])
        swings = _swings(made.rows, name)
        assert np.hypot(swings[:, 0] / pitch, swings[:, 1] / yaw).max() < 1.0 + 1e-7
        assert np.abs(swings[:, 2]).max() < roll + 1e-7
    own = _gaze().own
    for (_, one), columns in zip(own.channels, own.columns, strict=True):
        assert np.abs(made.values[:, columns] - one.limited(made.values[:, columns])).max() < 1e-12


def test_what_cannot_be_reached_is_reported_as_far_as_it_is_missed():
    rows, places = _anywhere(300, np.pi, np.radians(60.0), seed=3)
    made = look_at(_gaze(), biped_channels(), rows, places)
    missed = _missed(biped_channels(), made.rows, JOINTS["Head"], _gaze().head.offset, places)
    assert np.abs(made.missed - missed).max() < 1e-6
    assert np.mean(missed > np.radians(10.0)) > 0.2


def test_joints_take_their_shares_of_a_turn_that_limits_do_not_cut():
    still, channels = scattered_walk(1), biped_channels()
    still[:, 6:] = np.tile([1.0, 0.0, 0.0, 0.0], channels.width // 4)[: channels.width - 6]
    still[:, 6:10] = rest_orientations()[0]
    rows = np.tile(still, (2, 1))
    made = look_at(_gaze(), channels, rows, _around(rows, np.radians([40.0, -40.0]), np.zeros(2), np.full(2, 500.0)))
    for name, share in SHARES.items():
        yaw = np.degrees(_swings(made.rows, name)[:, 1])
        assert np.abs(yaw - [40.0 * share, -40.0 * share]).max() < 0.5


def test_what_limits_take_from_one_joint_others_turn_instead():
    one = float(np.radians(1.0))
    joints = [GazeJoint("Neck", 0.25, one, one, one) if name == "Neck" else _joint(name) for name in TURNING]
    gaze = gaze_of(biped_skeleton(), _standing(), AHEAD, joints)
    rows, places = _anywhere(200, np.radians(60.0), np.radians(10.0), seed=4)
    made, free = (look_at(one, biped_channels(), rows, places) for one in (gaze, _gaze()))
    assert made.missed.max() < 1e-6
    assert np.abs(_swings(made.rows, "Neck")[:, 1]).max() < np.radians(1.0) + 1e-9
    more = np.abs(_swings(made.rows, "Head")[:, 1]) - np.abs(_swings(free.rows, "Head")[:, 1])
    assert more.max() > np.radians(10.0)


def test_a_head_that_looks_aside_and_down_is_not_laid_on_the_shoulder():
    still, channels = scattered_walk(60), biped_channels()
    still[:, 6:] = np.tile([1.0, 0.0, 0.0, 0.0], (60, (channels.width - 6) // 4))
    still[:, 6:10] = rest_orientations()[0]
    places = _around(still, np.linspace(-1.2, 1.2, 60), np.full(60, -0.35), np.full(60, 3.0))
    made = look_at(_gaze(loose=True), channels, still, places)
    _, turns = _frames(channels, made.rows)
    left = (turns[JOINTS["Head"]] * _rest(channels.skeleton)[JOINTS["Head"]].inv()).apply([1.0, 0.0, 0.0])
    assert np.abs(np.degrees(np.arcsin(left[:, 2]))).max() < 1.0


@pytest.mark.parametrize("rise", [-75.0, -20.0, 0.0, 30.0, 70.0, 88.0])
def test_nothing_jumps_while_a_place_goes_round_the_figure(rise: float):
    rows, count = np.repeat(scattered_walk(1), 1441, axis=0), 1441
    places = _around(rows, np.linspace(-np.pi, np.pi, count), np.full(count, np.radians(rise)), np.full(count, 2.0))
    made = look_at(_gaze(), biped_channels(), rows, places)
    assert _largest_turn(made.rows) < 1.5
    assert np.abs(made.rows[0, 6:] - made.rows[-1, 6:]).max() < 1e-6


def test_nothing_jumps_while_a_place_goes_over_the_head():
    rows, count = np.repeat(scattered_walk(1), 1441, axis=0), 1441
    places = _around(rows, np.full(count, 0.4), np.linspace(0.0, np.pi, count), np.full(count, 2.0))
    made = look_at(_gaze(), biped_channels(), rows, places)
    assert _largest_turn(made.rows) < 1.5


def test_rows_one_by_one_are_as_all_together():
    rows, places = _anywhere(12, np.pi, 1.5, seed=5)
    together = look_at(_gaze(), biped_channels(), rows, places)
    for n in range(12):
        alone = look_at(_gaze(), biped_channels(), rows[n : n + 1], places[n : n + 1])
        assert np.abs(alone.rows - together.rows[n]).max() < 1e-8


def with_eyes() -> tuple[Channels, Gaze]:
    """The biped with two eyes that hang on its head."""
    skeleton = biped_skeleton()
    rests = np.concatenate([skeleton.rests, np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))])
    offsets = np.concatenate([skeleton.offsets, [[0.032, 0.11, 0.09], [-0.032, 0.11, 0.09]]])
    parents = np.append(skeleton.parents, [JOINTS["Head"]] * 2)
    seen = Skeleton((*skeleton.names, *EYES), parents, offsets, rests, np.concatenate([skeleton.tails, np.eye(3)[:2]]))
    count = len(seen.names)
    channels = Channels(seen, np.arange(count, dtype=np.intp), (), np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)))
    return channels, gaze_of(seen, _standing(count), AHEAD, [_joint(name) for name in TURNING], EYES)


def test_both_eyes_look_at_a_place_and_the_head_turns_less_far():
    channels, gaze = with_eyes()
    rows, places = _anywhere(200, np.radians(60.0), np.radians(20.0), seed=6)
    rows = np.concatenate([rows, np.tile([1.0, 0.0, 0.0, 0.0], (200, 2))], axis=1)
    made = look_at(gaze, channels, rows, places)
    for joint in (len(channels.skeleton.names) - 2, len(channels.skeleton.names) - 1):
        assert _missed(channels, made.rows, joint, np.zeros(3), places).max() < 1e-6
    assert made.missed.max() < 1e-6
    head = _missed(channels, made.rows, JOINTS["Head"], gaze.head.offset, places)
    before = _missed(channels, rows, JOINTS["Head"], gaze.head.offset, places)
    assert np.abs(head - 0.15 * before).max() < np.radians(2.0)
    assert made.values.shape == (200, 18)
    assert gaze.own.width == 18


def test_joints_that_the_rows_do_not_move_are_told_and_others_turn_instead():
    channels = biped_channels()
    kept = np.delete(np.arange(len(JOINTS)), JOINTS["Chest"])
    static = channels.static.copy()
    static[JOINTS["Chest"]] = np.cos(0.05), np.sin(0.05), 0.0, 0.0
    narrow = replace(channels, rotating=kept, static=static)
    rows, places = _anywhere(50, np.radians(50.0), np.radians(10.0), seed=7)
    first = 6 + 4 * JOINTS["Chest"]
    made = look_at(_gaze(), narrow, np.delete(rows, range(first, first + 4), axis=1), places)
    assert made.lacking == ("Chest",)
    assert np.abs(np.abs(made.values[:, 3:6]) - [0.1, 0.0, 0.0]).max() < 1e-9
    assert made.missed.max() < 1e-6


@pytest.mark.parametrize(
    ("joints", "eyes", "ahead", "told"),
    [
        ([], (), AHEAD, "No joint turns"),
        (["Chest", "Tail"], (), AHEAD, "no joint 'Tail'"),
        (["Hips", "Head"], (), AHEAD, "'Hips' is the root"),
        (["Head", "Neck"], (), AHEAD, "'Head' is not a parent of 'Neck'"),
        (["Neck", "Head"], ("Hand_L",), AHEAD, "Eye 'Hand_L' is not a child of 'Head'"),
        (["Head"], (), [0.0, 0.0, 1.0], "along the vertical"),
    ],
)
def test_a_gaze_that_cannot_be_is_refused_in_a_sentence(
    joints: list[str], eyes: tuple[str, ...], ahead: object, told: str
):
    made = [GazeJoint(name, 1.0, 0.5, 0.5, 0.2) for name in joints]
    with pytest.raises(RigError) as caught:
        gaze_of(biped_skeleton(), _standing(), ahead, made, eyes)  # type: ignore[arg-type]
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("joint", "told"),
    [
        (GazeJoint("Head", 1.0, -0.5, 0.5, 0.2), "'Head' is invalid"),
        (GazeJoint("Head", 1.0, 0.5, 0.5, -0.2), "twist of joint 'Head' contradict each other"),
        (GazeJoint("Head", 0.0, 0.5, 0.5, 0.2), "shares of 2 joints in a turn are 1, 0"),
        (GazeJoint("Head", -0.5, 0.5, 0.5, 0.2), "shares of 2 joints in a turn are 2, -1"),
    ],
)
def test_limits_and_shares_that_cannot_be_are_refused_in_a_sentence(joint: GazeJoint, told: str):
    with pytest.raises(RigError) as caught:
        gaze_of(biped_skeleton(), _standing(), AHEAD, [GazeJoint("Neck", 1.0, 0.5, 0.5, 0.2), joint])
    assert told in str(caught.value)


def test_nothing_jumps_while_a_place_comes_near_the_face():
    count = 601
    rows = np.repeat(scattered_walk(1), count, axis=0)
    for aside, rise in ((0.6, -0.5), (-0.9, 0.3)):
        distance = np.linspace(3.0, 0.3, count)
        made = look_at(
            _gaze(), biped_channels(), rows, _around(rows, np.full(count, aside), np.full(count, rise), distance)
        )
        assert _largest_turn(made.rows) < 1.5


def test_nothing_jumps_while_a_figure_that_looks_straight_down_looks_round_a_point_on_the_floor():
    count, still = 721, scattered_walk(1)
    bowed = Rotation.from_rotvec([np.radians(88.0), 0.0, 0.0]) * Rotation.from_quat(np.roll(rest_orientations()[0], -1))
    still[:, 6:] = np.tile([1.0, 0.0, 0.0, 0.0], (1, (still.shape[1] - 6) // 4))
    still[:, 6:10] = np.roll(bowed.as_quat(), 1)
    rows, channels = np.repeat(still, count, axis=0), biped_channels()
    head, turn = _gaze().head, np.linspace(0.0, 2.0 * np.pi, count)
    ray = head.ray(head.frames(channels, rows))
    circle = np.stack([np.cos(turn), np.sin(turn), np.zeros(count)], axis=-1)
    made = look_at(
        _gaze(loose=True), channels, rows, joined(ray.origins) + 0.9 * joined(ray.directions) + 0.35 * circle
    )
    assert _largest_turn(made.rows) < 1.5
