"""Phases found in gestures: against gestures whose sync points are known, however they are seen, and captured ones."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.detect.gesture_phases import GesturePhases, find_gesture_phases
from verbs_adverbs.core.errors import GestureError

from .bvh import read_bvh
from .talkers import MADE, ends_of, examples_of

START, READY, STROKE_START, STROKE, STROKE_END, RELAX, END = range(7)
ARM = 0.7
FRAME = 1.0 / 30.0
SAME = 3.0
"""Frames within which a found instant is the annotated one."""
EACH = pytest.mark.parametrize("gesture", MADE)
LEFT_SIDED = {"shrug", "offer"}
"""Gestures in which both hands may do the same."""


@cache
def known(gesture: str) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Seconds (T,), tips of left and right hand (T, 2, 3) and sync points (7,) of each example."""
    found = []
    for motion in examples_of(gesture, 240.0):
        ends = ends_of(motion)
        tips = np.stack([ends[f"Hand_{side}"][1] for side in "LR"], axis=1)
        found.append((motion.times, tips, motion.keytimes))
    return found


def at_rate(times: np.ndarray, places: np.ndarray, rate: float) -> tuple[np.ndarray, np.ndarray]:
    wanted = np.arange(times[0], times[-1], 1.0 / rate)
    columns = [np.interp(wanted, times, column) for column in places.reshape(len(times), -1).T]
    return wanted, np.stack(columns, axis=-1).reshape(len(wanted), *places.shape[1:])


def reach(times: np.ndarray, begin: float, end: float) -> np.ndarray:
    """Shares (T,) of the way of a smooth reach."""
    u = np.clip((times - begin) / (end - begin), 0.0, 1.0)
    return u**3 * (10.0 - 15.0 * u + 6.0 * u * u)


def raised(begins: float, up: float, lowers: float, down: float, rate: float = 30.0) -> tuple[np.ndarray, np.ndarray]:
    """Times, and the path of one hand that is raised, held, and lowered."""
    times = np.arange(0.0, down + 0.5, 1.0 / rate)
    share = reach(times, begins, up) - reach(times, lowers, down)
    return times, share[:, None, None] * np.array([0.1, -0.3, 0.5])


@EACH
@pytest.mark.parametrize("rate", [24.0, 30.0, 60.0])
def test_sync_points_of_generated_gestures_are_found(gesture: str, rate: float, tell: Callable[[str], None]):
    misses = []
    for times, tips, sync in known(gesture):
        found = find_gesture_phases(gesture, *at_rate(times, tips, rate), ARM)
        assert found.hand == 1 or gesture in LEFT_SIDED
        assert found.sure > 0.9
        misses.append(found.sync - sync)
    worst = np.abs(misses).max(axis=0)
    tell(f"{gesture} at {rate:g}: " + " ".join(f"{miss * rate:.1f}" for miss in worst) + " frames off at most")
    assert worst[STROKE] < 0.5 * FRAME
    assert worst.max() < 2.0 * FRAME


@EACH
@pytest.mark.parametrize("rate", [24.0, 30.0, 60.0])
def test_noise_of_captured_motion_moves_the_stroke_by_less_than_a_frame(gesture: str, rate: float):
    rng = np.random.default_rng(5)
    misses = []
    for times, tips, sync in known(gesture):
        for _ in range(4):
            seconds, seen = at_rate(times, tips, rate)
            found = find_gesture_phases(gesture, seconds, seen + 0.002 * rng.normal(size=seen.shape), ARM)
            misses.append(np.abs(found.sync - sync))
    assert np.max(misses, axis=0)[STROKE] < FRAME
    assert np.median(misses, axis=0).max() < 2.0 * FRAME


@EACH
def test_a_mirrored_gesture_has_the_same_phases_and_the_other_hand(gesture: str):
    for times, tips, _ in known(gesture):
        seconds, seen = at_rate(times, tips, 30.0)
        found = find_gesture_phases(gesture, seconds, seen, ARM)
        other = find_gesture_phases(gesture, seconds, seen[:, ::-1] * np.array([-1.0, 1.0, 1.0]), ARM)
        assert other.sync == pytest.approx(found.sync, abs=1e-9 if gesture not in LEFT_SIDED else 0.2 * FRAME)
        assert other.hand == 1 - found.hand or gesture in LEFT_SIDED


@given(
    angle=st.floats(-3.1, 3.1), scale=st.sampled_from([0.01, 0.3, 100.0]), later=st.floats(-5.0, 50.0),
    row=st.integers(0, 5),
)  # fmt: skip
@settings(max_examples=30, deadline=None)
def test_phases_do_not_depend_on_where_in_what_units_or_when(angle: float, scale: float, later: float, row: int):
    times, tips, _ = known("beat")[row]
    seconds, seen = at_rate(times, tips, 30.0)
    plain = find_gesture_phases("beat", seconds, seen, ARM)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]])
    moved = scale * (seen @ turn.T + np.array([1.0, -2.0, 0.3]))
    found = find_gesture_phases("beat", seconds + later, moved, scale * ARM)
    assert found.sync == pytest.approx(plain.sync + later, abs=1e-6)
    assert (found.hand, found.sure) == (plain.hand, pytest.approx(plain.sure, abs=1e-6))


@given(
    before=st.floats(0.2, 1.0), way=st.floats(0.3, 0.9), held=st.floats(0.2, 2.0), back=st.floats(0.4, 1.2),
    rate=st.sampled_from([24.0, 30.0, 60.0]),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_a_hand_that_is_only_raised_strokes_as_it_arrives(
    before: float, way: float, held: float, back: float, rate: float
):
    known_times = np.cumsum([before, way, held, back])
    found = find_gesture_phases("raised", *raised(*known_times, rate), ARM)
    assert found.sync[[START, STROKE, RELAX, END]] == pytest.approx(known_times, abs=1.5 / rate)
    assert known_times[0] < found.sync[READY] < found.sync[STROKE_START] < known_times[1]
    assert 0.3 < found.sure <= 0.5


@given(top=st.floats(0.6, 2.0), half=st.floats(0.25, 0.5), rate=st.sampled_from([24.0, 30.0, 60.0]))
@settings(max_examples=40, deadline=None)
def test_a_hand_that_turns_round_at_once_strokes_where_it_turns(top: float, half: float, rate: float):
    times = np.arange(0.0, top + 1.5, 1.0 / rate)
    share = np.cos(0.5 * np.pi * np.clip((times - top) / half, -1.0, 1.0)) ** 2
    found = find_gesture_phases("turns", times, share[:, None, None] * np.array([0.1, -0.4, 0.3]), ARM)
    assert found.sync[STROKE] == pytest.approx(top, abs=0.5 / rate)


def bumps() -> st.SearchStrategy[list[tuple[float, float, list[float]]]]:
    """Reaches of a hand: pause before, length, and way of each."""
    way = st.lists(st.floats(-0.5, 0.5), min_size=3, max_size=3)
    return st.lists(st.tuples(st.floats(0.0, 0.6), st.floats(0.1, 1.0), way), min_size=1, max_size=6)


@given(reaches=bumps(), rate=st.sampled_from([12.0, 24.0, 30.0, 120.0]), seed=st.integers(0, 99))
@settings(max_examples=150, deadline=None)
def test_whatever_a_hand_does_sync_points_increase_within_the_motion(
    reaches: list[tuple[float, float, list[float]]], rate: float, seed: int
):
    ends = np.cumsum([pause + length for pause, length, _ in reaches])
    times = np.arange(0.0, max(ends[-1] + 0.2, 1.0), 1.0 / rate)
    path = sum(
        reach(times, end - length, end)[:, None] * np.array(way)
        for end, (_, length, way) in zip(ends, reaches, strict=True)
    )
    path = path[:, None] + 1e-4 * np.random.default_rng(seed).normal(size=(len(times), 2, 3))
    try:
        found = find_gesture_phases("reaches", times, path, ARM)
    except GestureError:
        assert np.linalg.norm(path - path[0], axis=-1).max() < 0.13 * ARM
        return
    assert isinstance(found, GesturePhases) and found.hand in (0, 1)
    assert (np.diff(found.sync) > 0.01).all()
    assert times[0] <= found.sync[0] and found.sync[-1] <= times[-1] + 1e-9
    assert 0.0 <= found.sure <= 1.0


@pytest.mark.parametrize("size", [0.0, 0.004, 0.02])
def test_a_motion_in_which_no_hand_moves_is_refused_in_a_sentence(size: float):
    times = np.arange(90) / 30.0
    sway = size * np.sin(2.0 * np.pi * 0.4 * times)[:, None, None] * np.ones((2, 3))
    with pytest.raises(GestureError, match=r"No hand moves enough in 'idle'.*Choose a span"):
        find_gesture_phases("idle", times, sway, ARM)


def test_bad_input_is_refused_in_sentences():
    times, places = raised(0.3, 0.8, 1.2, 1.9)
    with pytest.raises(GestureError, match="5 frames"):
        find_gesture_phases("short", times[:5], places[:5], ARM)
    with pytest.raises(GestureError, match="0 hands"):
        find_gesture_phases("handless", times, places[:, :0], ARM)
    with pytest.raises(GestureError, match="zero length"):
        find_gesture_phases("armless", times, places, 0.0)
    broken = places.copy()
    broken[30, 0, 1] = np.nan
    with pytest.raises(GestureError, match=r"no valid position 1\.000 s in"):
        find_gesture_phases("broken", times, broken, ARM)


def test_captured_hands_that_are_raised_are_up_from_the_stroke_until_they_relax(
    mocap: Path, tell: Callable[[str], None]
):
    late: list[float] = []
    early: list[float] = []
    clips = json.loads((mocap / "keytimes.json").read_text(encoding="utf-8"))["clips"]
    for clip in clips:
        if "gesture/bn2_raise-up" not in clip["file"]:
            continue
        captured = read_bvh(mocap / clip["file"])
        joints, _ = captured.frames()
        index = captured.skeleton.index
        over = joints[:, [index("Hips")]] * np.array([1.0, 1.0, 0.0])
        hands = joints[:, [index("Hand_L"), index("Hand_R")]] - over
        found = find_gesture_phases(clip["file"], captured.times, hands, 0.47)
        if "both" not in clip["file"]:
            assert found.hand == ("right" in clip["file"])
        height = hands[:, found.hand, 2]
        high = (height - height.min()) / np.ptp(height)
        up = captured.times[high > 0.9]
        assert found.sync[STROKE] >= up[0] - FRAME and found.sync[RELAX] <= up[-1] + FRAME
        late.append(found.sync[STROKE] / FRAME - clip["keytimes"][1])
        early.append(clip["keytimes"][2] - found.sync[RELAX] / FRAME)
    tell(f"strokes {np.round(late, 1)} frames after a hand is marked as up, relaxing {np.round(early, 1)} before")
    assert len(late) == 15
    assert np.median(np.abs(late)) < SAME and np.median(np.abs(early)) < SAME
