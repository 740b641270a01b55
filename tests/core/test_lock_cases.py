"""Locks where they are at their limits."""

import numpy as np
from verbs_adverbs.core.biped.figure import JOINTS
from verbs_adverbs.core.feet.live_locks import LiveLocks
from verbs_adverbs.core.feet.locks import Span, lock_motion
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels, rotations_of, world_points
from verbs_adverbs.core.figure.lock_point import LockPoint

from .walks import biped_channels

BALL = LockPoint("ball", JOINTS["Toes_L"], np.zeros(3))
HEEL = LockPoint("heel", JOINTS["Foot_L"], np.array([0.0, -0.03, -0.02]))
ANKLE = LockPoint("ankle", JOINTS["Foot_L"], np.zeros(3))
FRAME = 1.0 / 60.0
CHANNELS = biped_channels()


def standing(knee: float = 0.4) -> np.ndarray:
    """A row: standing on legs bent by `knee` radians."""
    row = np.zeros(CHANNELS.width)
    rotations = np.tile(quat.IDENTITY, (len(CHANNELS.rotating), 1))
    for side in "LR":
        for bone, angle in (("UpperLeg", -0.5), ("LowerLeg", 1.0), ("Foot", -0.5)):
            rotations[JOINTS[f"{bone}_{side}"]] = quat.exp(np.array([angle * knee, 0.0, 0.0]))
    rotations[0] = quat.exp(np.array([0.5 * np.pi, 0.0, 0.0]))
    row[CHANNELS.rotation_columns] = rotations.reshape(-1)
    row[5] = 0.965
    return row


def gliding(row: np.ndarray, count: int = 40, speed: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    """Times and rows of a figure that glides forward."""
    times = np.arange(count) * FRAME
    rows = np.tile(row, (count, 1))
    rows[:, 1] = -speed * times
    return times, rows


def _span(rows: np.ndarray, times: np.ndarray, begin: int, end: int | None, point: int = 0) -> Span:
    closing = rows[-1] if end is None else rows[end]
    return Span(point, float(times[begin]), np.inf if end is None else float(times[end]), rows[begin], closing)


def _turns(rows: np.ndarray) -> np.ndarray:
    q = rotations_of(CHANNELS, rows)
    return np.degrees(quat.angle_between(q[1:], q[:-1]))


def _places(rows: np.ndarray, point: LockPoint = BALL) -> np.ndarray:
    return world_points(CHANNELS, rows, point.joint, point.offset)


def test_a_straight_leg_that_stands_still_is_left_alone():
    times, rows = gliding(standing(0.0), speed=0.0)
    for point in (BALL, ANKLE):
        locked = lock_motion(CHANNELS, [point], times, rows, [_span(rows, times, 3, 30)])
        assert np.abs(locked - rows).max() < 1e-9


def test_a_straight_leg_that_is_left_behind_lowers_the_root_and_stays_smooth():
    times, rows = gliding(standing(0.0))
    locked = lock_motion(CHANNELS, [ANKLE], times, rows, [_span(rows, times, 0, 36)])
    held = _places(locked, ANKLE)[:36]
    assert np.abs(held - held[0]).max() < 2e-3
    sunk = rows[:, 5] - locked[:, 5]
    assert 0.001 < sunk.max() < 0.05
    assert np.abs(np.diff(sunk)).max() < 0.005
    assert _turns(locked).max() < 3.0


def test_a_target_out_of_reach_stretches_nothing_and_is_followed():
    times, rows = gliding(standing(), 60, 1.5)
    locked = lock_motion(CHANNELS, [BALL], times, rows, [_span(rows, times, 0, None)])
    assert np.isfinite(locked).all()
    assert np.abs(np.linalg.norm(rotations_of(CHANNELS, locked), axis=-1) - 1.0).max() < 1e-9
    assert _turns(locked).max() < 15.0


def test_both_points_of_a_foot_are_held_together_and_one_after_the_other():
    times, rows = gliding(standing())
    points = [HEEL, BALL]
    spans = [_span(rows, times, 5, 25, 0), _span(rows, times, 8, 32, 1)]
    locked = lock_motion(CHANNELS, points, times, rows, spans)
    heel, ball = _places(locked, HEEL), _places(locked, BALL)
    for held in (heel[5:25], ball[8:32]):
        assert np.abs(held - held[0]).max() < 1e-3
        assert np.abs(np.diff(held[7:, :2], axis=0)).max() < 3e-4
    assert _turns(locked).max() < 2.0


def test_a_window_that_is_open_at_the_start_holds_from_the_first_row():
    times, rows = gliding(standing())
    locked = lock_motion(CHANNELS, [BALL], times, rows, [_span(rows, times, 0, 20)])
    held = _places(locked)[:21]
    assert np.abs(locked[0] - rows[0]).max() < 1e-9
    assert np.abs(held - held[0]).max() < 1e-4


def test_a_window_that_never_closes_holds_to_the_last_row():
    times, rows = gliding(standing())
    locked = lock_motion(CHANNELS, [BALL], times, rows, [_span(rows, times, 10, None)])
    held = _places(locked)[10:]
    assert np.abs(held - held[0]).max() < 1e-4
    assert (locked[:10] == rows[:10]).all()


def test_windows_of_zero_length_change_nothing():
    times, rows = gliding(standing())
    empty = _span(rows, times, 10, 10)
    assert (lock_motion(CHANNELS, [BALL], times, rows, [empty]) == rows).all()
    live = LiveLocks(CHANNELS, [BALL])
    for index, row in enumerate(rows):
        if index == 10:
            live.switch_on(0, row)
            live.switch_off(0, row)
        assert np.abs(live.apply(row) - row).max() < 1e-9
        live.advance(FRAME)


def test_a_point_with_no_joint_to_turn_is_left_where_it_is():
    still = Channels(CHANNELS.skeleton, CHANNELS.rotating[:1], (), CHANNELS.static)
    times = np.arange(20) * FRAME
    rows = np.zeros((20, still.width))
    rows[:, 6] = 1.0
    rows[:, 1] = times
    for point in (BALL, LockPoint("root", 0, np.array([0.0, 0.1, 0.0]))):
        spans = [Span(0, 0.0, float(times[10]), rows[0], rows[10])]
        assert np.abs(lock_motion(still, [point], times, rows, spans) - rows).max() < 1e-12


def test_windows_that_touch_hold_one_place():
    times, rows = gliding(standing())
    spans = [_span(rows, times, 4, 15), _span(rows, times, 15, 28)]
    locked = lock_motion(CHANNELS, [BALL], times, rows, spans)
    held = _places(locked)[4:29]
    assert np.abs(held - held[0]).max() < 1e-4


def test_locks_switched_off_and_on_again_go_on_from_where_the_foot_is():
    times, rows = gliding(standing(), 60)
    live = LiveLocks(CHANNELS, [BALL])
    made = []
    for index, row in enumerate(rows):
        if index in (5, 27):
            live.switch_on(0, row)
        if index in (22, 45):
            live.switch_off(0, row)
        made.append(live.apply(row))
        live.advance(FRAME)
    places = _places(np.array(made))
    for window in (slice(5, 23), slice(27, 46)):
        assert np.abs(places[window, :2] - places[window.start, :2]).max() < 1e-4
        assert np.abs(places[window, 2] - places[window.start, 2]).max() < 1e-3
    assert np.linalg.norm(np.diff(places, axis=0), axis=-1).max() < 0.02
    assert _turns(np.array(made)).max() < 2.0


def test_a_released_foot_leaves_with_the_speed_it_had_and_comes_back():
    times, rows = gliding(standing(), 60)
    made = lock_motion(CHANNELS, [BALL], times, rows, [_span(rows, times, 5, 25)])
    steps = np.linalg.norm(np.diff(_places(made), axis=0), axis=-1)
    assert steps[25] < 0.4 * 0.2 * FRAME + 1e-3
    assert np.abs(made[42:] - rows[42:]).max() < 1e-9


def test_a_foot_left_behind_steps_home_over_the_floor():
    _, rows = gliding(standing(), 50)
    live = LiveLocks(CHANNELS, [BALL])
    made = []
    for index in range(80):
        row = rows[min(index, 25)]
        if index == 0:
            live.switch_on(0, row)
        if index == 30:
            assert live.distance(0, row) > 0.05
            live.step_home(0, row, seconds=0.3, lift=0.04)
        made.append(live.apply(row))
        assert live.is_stepping(0) == (30 <= index < 48)
        live.advance(FRAME)
    places = _places(np.array(made))
    home = _places(rows[25:26])[0]
    assert np.abs(places[50:] - home).max() < 1e-4
    assert 0.03 < places[30:48, 2].max() - home[2] < 0.045
    assert live.locked[0] and live.distance(0, rows[25]) < 1e-4


def test_a_root_that_sinks_for_one_leg_does_not_press_the_other_foot_into_the_floor():
    points = [LockPoint(name, JOINTS[name], np.zeros(3)) for name in ("Toes_L", "Toes_R")]
    locks, row = LiveLocks(CHANNELS, points), standing(0.1)
    locks.switch_on(1, row)
    locks.switch_off(1, row)
    locks.advance(1.0)
    locks.switch_on(0, row)
    sunk: list[float] = []
    pressed: list[float] = []
    rows: list[np.ndarray] = []
    for frame in range(80):
        moved = row.copy()
        moved[1] -= 0.01 * min(frame, 40)
        if frame == 45:
            locks.switch_off(0, moved)
        rows.append(locks.apply(moved))
        sunk.append(float(moved[5] - rows[-1][5]))
        heights = _places(np.array([moved, rows[-1]]), points[1])[:, 2]
        pressed.append(float(heights[0] - heights[1]))
        locks.advance(FRAME)
    assert max(sunk) > 0.01
    assert max(pressed) < 0.002
    assert _turns(np.array(rows)).max() < 3.0


def test_what_was_never_let_go_stays_finite_while_another_leg_fades():
    points = [LockPoint(name, JOINTS[name], np.zeros(3)) for name in ("Toes_L", "Toes_R")]
    times, rows = gliding(standing())
    made = lock_motion(CHANNELS, points, times, rows, [_span(rows, times, 2, 20), _span(rows, times, 22, None, 1)])
    assert np.isfinite(made).all()
    assert np.abs(np.linalg.norm(rotations_of(CHANNELS, made), axis=-1) - 1.0).max() < 1e-9
