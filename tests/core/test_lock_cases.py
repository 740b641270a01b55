"""Locks where they are at their limits."""

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import JOINTS
from verbs_adverbs.core.feet.foot_locks import FootLocks, locked_rows
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels, rotations_of, world_points
from verbs_adverbs.core.figure.lock_point import LockPoint

from .held_motion import Span, hold_motion
from .standing_rows import ANKLE, BALL, CHANNELS, FRAME, HEEL, gliding, standing


def _span(rows: np.ndarray, times: np.ndarray, begin: int, end: int | None, point: int = 0) -> Span:
    closing = rows[-1] if end is None else rows[end]
    return Span(point, float(times[begin]), np.inf if end is None else float(times[end]), rows[begin], closing)


def _turns(rows: np.ndarray) -> np.ndarray:
    q = rotations_of(CHANNELS, rows)
    return np.degrees(quat.angle_between(q[1:], q[:-1]))


def _places(rows: np.ndarray, point: LockPoint = BALL) -> np.ndarray:
    return world_points(CHANNELS, rows, point.joint, point.offset)


def _shown(locks: FootLocks, time: float, row: np.ndarray) -> np.ndarray:
    """What the locks make of an unlocked row."""
    return locked_rows([locks], [[locks.at(np.array([time]))]], row[None])[0]


def test_a_straight_leg_that_stands_still_is_left_alone():
    times, rows = gliding(standing(0.0), speed=0.0)
    for point in (BALL, ANKLE):
        locked = hold_motion(CHANNELS, [point], times, rows, [_span(rows, times, 3, 30)])
        assert np.abs(locked - rows).max() < 1e-9


def test_a_straight_leg_that_is_left_behind_lowers_the_root_and_stays_smooth():
    times, rows = gliding(standing(0.0))
    locked = hold_motion(CHANNELS, [ANKLE], times, rows, [_span(rows, times, 0, 36)])
    held = _places(locked, ANKLE)[:36]
    assert np.abs(held - held[0]).max() < 2e-3
    sunk = rows[:, 5] - locked[:, 5]
    assert 0.001 < sunk.max() < 0.05
    assert np.abs(np.diff(sunk)).max() < 0.005
    assert _turns(locked).max() < 3.0


def test_a_target_out_of_reach_stretches_nothing_and_is_followed():
    times, rows = gliding(standing(), 60, 1.5)
    locked = hold_motion(CHANNELS, [BALL], times, rows, [_span(rows, times, 0, None)])
    assert np.isfinite(locked).all()
    assert np.abs(np.linalg.norm(rotations_of(CHANNELS, locked), axis=-1) - 1.0).max() < 1e-9
    assert _turns(locked).max() < 15.0


def test_both_points_of_a_foot_are_held_together_and_one_after_the_other():
    times, rows = gliding(standing())
    points = [HEEL, BALL]
    spans = [_span(rows, times, 5, 25, 0), _span(rows, times, 8, 32, 1)]
    locked = hold_motion(CHANNELS, points, times, rows, spans)
    heel, ball = _places(locked, HEEL), _places(locked, BALL)
    for held in (heel[5:25], ball[8:32]):
        assert np.abs(held - held[0]).max() < 1e-3
        assert np.abs(np.diff(held[7:, :2], axis=0)).max() < 3e-4
    assert _turns(locked).max() < 2.0


def test_a_window_that_is_open_at_the_start_holds_from_the_first_row():
    times, rows = gliding(standing())
    locked = hold_motion(CHANNELS, [BALL], times, rows, [_span(rows, times, 0, 20)])
    held = _places(locked)[:21]
    assert np.abs(locked[0] - rows[0]).max() < 1e-9
    assert np.abs(held - held[0]).max() < 1e-4


def test_a_window_that_never_closes_holds_to_the_last_row():
    times, rows = gliding(standing())
    locked = hold_motion(CHANNELS, [BALL], times, rows, [_span(rows, times, 10, None)])
    held = _places(locked)[10:]
    assert np.abs(held - held[0]).max() < 1e-4
    assert (locked[:10] == rows[:10]).all()


def test_windows_of_zero_length_change_nothing():
    times, rows = gliding(standing())
    empty = _span(rows, times, 10, 10)
    assert (hold_motion(CHANNELS, [BALL], times, rows, [empty]) == rows).all()
    locks = FootLocks(CHANNELS, [BALL])
    for index, row in enumerate(rows):
        if index == 10:
            locks.lock(0, index * FRAME, row)
            locks.release(0, index * FRAME, row)
        assert np.abs(_shown(locks, index * FRAME, row) - row).max() < 1e-9


def test_a_point_with_no_joint_to_turn_is_left_where_it_is():
    still = Channels(CHANNELS.skeleton, CHANNELS.rotating[:1], (), CHANNELS.static)
    times = np.arange(20) * FRAME
    rows = np.zeros((20, still.width))
    rows[:, 6] = 1.0
    rows[:, 1] = times
    for point in (BALL, LockPoint("root", 0, np.array([0.0, 0.1, 0.0]))):
        spans = [Span(0, 0.0, float(times[10]), rows[0], rows[10])]
        assert np.abs(hold_motion(still, [point], times, rows, spans) - rows).max() < 1e-12


def test_windows_that_touch_hold_one_place():
    times, rows = gliding(standing())
    spans = [_span(rows, times, 4, 15), _span(rows, times, 15, 28)]
    locked = hold_motion(CHANNELS, [BALL], times, rows, spans)
    held = _places(locked)[4:29]
    assert np.abs(held - held[0]).max() < 1e-4


def test_locks_switched_off_and_on_again_go_on_from_where_the_foot_is():
    times, rows = gliding(standing(), 60)
    locks = FootLocks(CHANNELS, [BALL])
    made = []
    for index, row in enumerate(rows):
        if index in (5, 27):
            locks.lock(0, index * FRAME, row)
        if index in (22, 45):
            locks.release(0, index * FRAME, row)
        made.append(_shown(locks, index * FRAME, row))
    places = _places(np.array(made))
    for window in (slice(5, 23), slice(27, 46)):
        assert np.abs(places[window, :2] - places[window.start, :2]).max() < 1e-4
        assert np.abs(places[window, 2] - places[window.start, 2]).max() < 1e-3
    assert np.linalg.norm(np.diff(places, axis=0), axis=-1).max() < 0.02
    assert _turns(np.array(made)).max() < 2.0


def test_a_released_foot_leaves_with_the_speed_it_had_and_comes_back():
    times, rows = gliding(standing(), 60)
    made = hold_motion(CHANNELS, [BALL], times, rows, [_span(rows, times, 5, 25)])
    steps = np.linalg.norm(np.diff(_places(made), axis=0), axis=-1)
    assert steps[25] < 0.4 * 0.2 * FRAME + 1e-3
    assert np.abs(made[42:] - rows[42:]).max() < 1e-9


def test_a_foot_left_behind_steps_home_over_the_floor():
    _, rows = gliding(standing(), 50)
    locks, made, lands, lift = FootLocks(CHANNELS, [BALL]), [], np.inf, 0.0
    for index in range(80):
        time, row = index * FRAME, rows[min(index, 25)]
        if index == 0:
            locks.lock(0, time, row)
        if index == 30:
            assert locks.distances([0], time, row)[0] > 0.05
            locks.step_home(0, time, row)
            lands, lift = locks.steps[0].end, locks.steps[0].lift
        if lands <= time and locks.steps:
            locks.come_home(0, lands, row)
        made.append(_shown(locks, time, row))
    first = int(np.ceil(lands / FRAME))
    assert 0.35 <= lands - 30 * FRAME <= 0.5
    assert 0.025 < lift < 0.04
    places = _places(np.array(made))
    home = _places(rows[25:26])[0]
    assert np.abs(places[first:] - home).max() < 1e-4
    assert 0.75 * lift < places[30:first, 2].max() - home[2] < 1.125 * lift
    assert locks.distances([0], 80 * FRAME, rows[25])[0] < 1e-4 < 0.05 < locks.distances([0], 80 * FRAME, rows[49])[0]


def test_a_foot_that_is_let_go_on_its_way_home_leaves_from_where_it_is():
    _, rows = gliding(standing(), 50)
    locks, fine = FootLocks(CHANNELS, [BALL]), 1e-3
    locks.lock(0, 0.0, rows[0])
    locks.step_home(0, 0.5, rows[25])
    before = [_shown(locks, time, rows[25]) for time in np.arange(0.5, 0.7, fine)]
    locks.release(0, 0.7, rows[25])
    assert not locks.steps
    after = [_shown(locks, time, rows[25]) for time in np.arange(0.7, 1.0, fine)]
    steps = np.linalg.norm(np.diff(_places(np.array([*before, *after])), axis=0), axis=-1)
    assert steps[: len(before) - 1].max() > 1e-4
    assert steps.max() < 1.5 * steps[: len(before) - 1].max()
    assert np.abs(after[-1] - rows[25]).max() < 1e-9


def test_a_root_that_sinks_for_a_leg_keeps_its_speed_as_the_foot_is_let_go():
    times = np.arange(0.0, 1.0, 1e-3)
    rows = np.tile(standing(0.0), (len(times), 1))
    rows[:, 1] = -0.2 * times
    made = hold_motion(CHANNELS, [ANKLE], times, rows, [_span(rows, times, 0, 600)])
    speeds = np.diff(rows[:, 5] - made[:, 5]) / 1e-3
    assert speeds[595:599].min() > 0.01
    assert np.abs(np.diff(speeds[595:605])).max() < 0.1 * speeds[598]


def test_a_root_that_sinks_for_one_leg_does_not_press_the_other_foot_into_the_floor():
    points = [LockPoint(name, JOINTS[name], np.zeros(3)) for name in ("Toes_L", "Toes_R")]
    locks, row = FootLocks(CHANNELS, points), standing(0.1)
    locks.lock(1, 0.0, row)
    locks.release(1, 0.0, row)
    locks.lock(0, 1.0, row)
    sunk: list[float] = []
    pressed: list[float] = []
    rows: list[np.ndarray] = []
    for frame in range(80):
        time, moved = 1.0 + frame * FRAME, row.copy()
        moved[1] -= 0.01 * min(frame, 40)
        if frame == 45:
            locks.release(0, time, moved)
        rows.append(_shown(locks, time, moved))
        sunk.append(float(moved[5] - rows[-1][5]))
        heights = _places(np.array([moved, rows[-1]]), points[1])[:, 2]
        pressed.append(float(heights[0] - heights[1]))
    assert max(sunk) > 0.01
    assert max(pressed) < 0.002
    assert _turns(np.array(rows)).max() < 3.0


def test_what_was_never_let_go_stays_finite_while_another_leg_fades():
    points = [LockPoint(name, JOINTS[name], np.zeros(3)) for name in ("Toes_L", "Toes_R")]
    times, rows = gliding(standing())
    made = hold_motion(CHANNELS, points, times, rows, [_span(rows, times, 2, 20), _span(rows, times, 22, None, 1)])
    assert np.isfinite(made).all()
    assert np.abs(np.linalg.norm(rotations_of(CHANNELS, made), axis=-1) - 1.0).max() < 1e-9


@pytest.mark.parametrize("knee", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("gap", [0.02, 0.05, 0.15])
def test_a_foot_that_is_held_again_while_its_leg_fades_moves_neither_itself_nor_the_root(knee: float, gap: float):
    here = standing(knee)
    for far in (0.1, 0.2, 0.4):
        locks, there = FootLocks(CHANNELS, [ANKLE]), here - [0.0, far, *np.zeros(CHANNELS.width - 2)]
        locks.lock(0, 0.0, here)
        locks.release(0, 0.5, there)
        free = _shown(locks, 0.5 + gap, there)
        locks.lock(0, 0.5 + gap, there)
        held = _shown(locks, 0.5 + gap, there)
        assert abs(held[5] - free[5]) < 1e-3
        assert np.abs(_places(held[None], ANKLE) - _places(free[None], ANKLE)).max() < 1e-4
