"""Controls that do not follow the root: brought along, turned into another verb's heading, and held by moving them."""

import numpy as np
from verbs_adverbs.core.feet.foot_locks import FootLocks, locked_rows
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels, Scalar, Traveller, climb, world_joints, world_points
from verbs_adverbs.core.figure.lock_point import LockPoint
from verbs_adverbs.core.figure.skeleton import Skeleton

from .held_motion import Span, hold_motion

POINT = LockPoint("ball", 2, np.array([0.0, 0.1, -0.05]))


def puppet() -> Channels:
    """A root, a control beside it that hangs on nothing, and a bone on the control."""
    parents = np.array([-1, -1, 1], dtype=np.intp)
    offsets = np.array([[0.0] * 3, [0.0] * 3, [0.1, 0.0, 0.0]])
    skeleton = Skeleton(("hips", "foot", "toe"), parents, offsets, np.tile(quat.IDENTITY, (3, 1)), offsets)
    scalars = tuple(Scalar("foot location", 1, "location", axis, False, "foot") for axis in range(3))
    still = np.tile(quat.IDENTITY, (3, 1))
    return Channels(skeleton, np.array([0, 1], dtype=np.intp), scalars, still, (Traveller(1, 0.9),))


def rows_of(seed: int, count: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    times = np.linspace(0.0, 1.0, count)[:, None]
    waves = np.sin(times * rng.uniform(1.0, 4.0, 17) + rng.uniform(0.0, 6.0, 17))
    values = 0.3 * waves
    values[:, 6:14] = quat.normalize(waves[:, 6:14].reshape(count, 2, 4)).reshape(count, 8)
    return values


def test_the_control_goes_and_turns_with_the_heading_and_climbs():
    channels, values = puppet(), rows_of(1, 5)
    still = values.copy()
    still[:, :3] = 0.0
    rest = world_joints(channels, still)
    climb(channels, values, np.arange(5.0))
    expected = quat.rotate(quat.from_yaw(values[:, 2])[:, None], rest)
    expected[..., :2] += values[:, None, :2]
    expected[..., 2] += np.arange(5.0)[:, None]
    np.testing.assert_allclose(world_joints(channels, values), expected, atol=1e-12)


def held(channels: Channels, values: np.ndarray, times: np.ndarray, spans: list[Span]) -> np.ndarray:
    """Places (T, 3) of the point with the spans held."""
    made = hold_motion(channels, [POINT], times, values, spans)
    np.testing.assert_array_equal(made[:, :14], values[:, :14])
    return places_of(channels, made)


def places_of(channels: Channels, values: np.ndarray) -> np.ndarray:
    return world_points(channels, values, POINT.joint, POINT.offset)


def test_a_point_on_a_control_stands_while_it_is_held_and_no_joint_turns():
    channels, times = puppet(), np.linspace(0.0, 2.0, 401)
    values = rows_of(2, 401)
    places = held(channels, values, times, [Span(0, 0.5, 1.2, values[100], values[240])])
    inside = (times >= 0.6) & (times < 1.2)
    assert np.ptp(places[inside], axis=0).max() < 1e-9
    assert np.ptp(places_of(channels, values)[inside], axis=0).max() > 0.05
    np.testing.assert_allclose(places[times > 1.5], places_of(channels, values)[times > 1.5], atol=1e-12)


def test_a_control_that_is_held_and_let_go_does_not_jump():
    channels, times = puppet(), np.linspace(0.0, 2.0, 4001)
    values = rows_of(3, 4001)
    places = held(channels, values, times, [Span(0, 0.5, 1.2, values[1000], values[2400])])
    steps = np.linalg.norm(np.diff(places, axis=0), axis=-1)
    free = np.linalg.norm(np.diff(places_of(channels, values), axis=0), axis=-1).max()
    assert steps.max() < 12.0 * free


def test_frame_by_frame_the_same_is_held():
    channels, times = puppet(), np.linspace(0.0, 2.0, 81)
    values = rows_of(4, 81)
    together = hold_motion(channels, [POINT], times, values, [Span(0, times[20], times[50], values[20], values[50])])
    locks, shown = FootLocks(channels, [POINT]), []
    for index, (time, row) in enumerate(zip(times.tolist(), values, strict=True)):
        if index == 20:
            locks.lock(0, time, row)
        if index == 50:
            locks.release(0, time, row)
        shown.append(locked_rows([locks], [[locks.at(np.array([time]))]], row[None])[0])
        locks.note(time, row)
    np.testing.assert_allclose(np.array(shown)[:50], together[:50], atol=1e-9)
    assert np.abs(np.array(shown) - together).max() < 0.02


HEEL, BALL = LockPoint("heel", 1, np.array([0.0, -0.05, -0.08])), LockPoint("ball", 1, np.array([0.0, 0.1, -0.07]))
"""Points of the control itself, which keep their distance."""


def test_a_control_is_turned_so_that_heel_and_ball_both_stand_and_the_one_that_is_let_go_leaves_the_other_there():
    channels, times = puppet(), np.linspace(0.0, 2.0, 401)
    values = rows_of(5, 401)
    spans = [Span(0, 0.3, 1.0, values[60], values[200]), Span(1, 0.5, 1.4, values[100], values[280])]
    made = hold_motion(channels, [HEEL, BALL], times, values, spans)
    heel, ball = (world_points(channels, made, point.joint, point.offset) for point in (HEEL, BALL))
    free = world_points(channels, values, BALL.joint, BALL.offset)
    assert np.ptp(heel[(times >= 0.4) & (times < 1.0)], axis=0).max() < 1e-9
    assert np.ptp(ball[(times >= 0.62) & (times < 1.0)], axis=0).max() < 1e-9
    assert np.ptp(ball[(times >= 1.12) & (times < 1.4)], axis=0).max() < 1e-9
    assert np.ptp(free[(times >= 0.62) & (times < 1.4)], axis=0).max() > 0.05
    steps = np.linalg.norm(np.diff(ball, axis=0), axis=-1)
    assert steps.max() < 12.0 * np.linalg.norm(np.diff(free, axis=0), axis=-1).max()
    np.testing.assert_allclose(ball[times > 1.7], free[times > 1.7], atol=1e-12)
