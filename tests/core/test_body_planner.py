"""Plans of gestures: emphasis on the word, phases within bounds, and as many gestures as an exhaustive search keeps."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.errors import GestureError
from verbs_adverbs.core.figure.channels import all_rotations
from verbs_adverbs.core.gesture.body_planner import Before, Manners, Request, usual_manners
from verbs_adverbs.core.gesture.gesture import gesture_of
from verbs_adverbs.core.gesture.plan import Plan, plan_of
from verbs_adverbs.core.gesture.plan_layer import interrupted
from verbs_adverbs.core.gesture.stack import blending_curve
from verbs_adverbs.core.gesture.ways_between import Pace
from verbs_adverbs.core.layers.motion_model import Stage, Succession
from verbs_adverbs.core.motion.clip import Motion
from verbs_adverbs.core.motion.clip_operators import time_warp

from .gesture_judge import Judge
from .made_gestures import TIMES, gestures, hand_of, made

FINE = 1.0 / 240.0
FRAME = 1.0 / 30.0


def steps(motion: Motion, begin: float, end: float) -> float:
    """Largest angle in degrees by which any joint turns in a frame, wherever frames lie."""
    times = np.arange(begin, end, FINE)
    pair = [all_rotations(motion.channels, motion.sample(times + later)) for later in (0.0, FRAME)]
    turns = [Rotation.from_quat(rows.reshape(-1, 4)[:, [1, 2, 3, 0]]) for rows in pair]
    return float(np.degrees((turns[0].inv() * turns[1]).magnitude().max()))


def manners() -> Manners:
    return usual_manners(list(gestures().values()))


def sentence(seed: int) -> list[Request]:
    """Requests for 3 to 12 words at 1 to 5 words a second, each with one of the gestures."""
    rng = np.random.default_rng(seed)
    count, pace = int(rng.integers(3, 13)), rng.uniform(1.0, 5.0)
    times = np.cumsum(rng.uniform(0.4, 1.6, count)) / pace
    names = rng.choice(sorted(gestures()), count)
    spoken = enumerate(zip(times.tolist(), names.tolist(), strict=True))
    return [Request(time, (gestures()[name],), f"'{name}' on word {n}") for n, (time, name) in spoken]


@cache
def judge() -> Judge:
    return Judge(list(gestures().values()))


@pytest.mark.parametrize("seed", range(200))
def test_as_many_gestures_are_kept_as_an_exhaustive_search_keeps(seed: int) -> None:
    requests = sentence(seed)
    plan = plan_of(requests, manners())
    assert len(plan.placed) == judge().most([(one.time, one.choices[0]) for one in requests])
    check_plan(requests, plan)


def check_plan(requests: list[Request], plan: Plan) -> None:
    """Emphases are on their words, the arm is then in the pose of its stroke, and phases are within their bounds."""
    schedule = plan.schedule
    for one in plan.placed:
        wanted = requests[one.chosen.request].time
        assert one.sync["stroke"] == pytest.approx(wanted, abs=1e-9)
        pose = all_rotations(schedule.channels, schedule.sample([wanted]))[0]
        alike = all_rotations(schedule.channels, one.chosen.gesture.motion.sample([TIMES["stroke"]]))[0]
        np.testing.assert_allclose(np.abs((pose * alike).sum(axis=-1)), 1.0, atol=1e-9)
        own, played = np.array(one.keys).T
        assert (np.diff(own) / np.diff(played)).max() <= 1.0 / 0.7 + 1e-9
    for before, after in zip(plan.placed[:-1], plan.placed[1:], strict=True):
        assert before.sync["stroke_end"] <= after.begin + 1e-9
        assert before.end <= after.sync["stroke_start"] + 1e-9
    largest = max(steps(one.motion, 0.0, TIMES["end"]) for one in gestures().values())
    assert steps(schedule, schedule.start - FRAME, schedule.start + schedule.duration) <= 1.5 * largest


@pytest.mark.parametrize("name", sorted(gestures()))
def test_a_gesture_that_is_prepared_from_rest_is_shown_whole_when_it_is_ready(name: str) -> None:
    plan = plan_of([Request(2.0, (gestures()[name],), name)], manners())
    ready = hand_of(gestures()[name], TIMES["ready"])
    shown = hand_of(gestures()[name], row=plan.schedule.sample([plan.placed[0].sync["ready"]])[0])
    assert np.linalg.norm(shown - ready) < 1e-6


@pytest.mark.parametrize("seed", range(6))
def test_the_hand_turns_where_the_word_is(seed: int) -> None:
    plan = plan_of(sentence(seed), manners())
    for one in plan.placed:
        around = one.sync["stroke"] + np.linspace(-0.06, 0.06, 241)
        rows = plan.schedule.sample(around)
        resting = hand_of(one.chosen.gesture, TIMES["ready"])
        away = np.linalg.norm([hand_of(one.chosen.gesture, row=row) - resting for row in rows], axis=-1)
        assert abs(float(around[int(np.argmax(away))]) - one.sync["stroke"]) <= 0.5 * FRAME


def test_a_word_moved_by_four_frames_changes_only_its_neighbours() -> None:
    named, times = gestures()["point"], [1.0, 3.0, 5.0, 7.0, 9.0]
    plans = [
        plan_of([Request(time + moved * (n == 2), (named,), "") for n, time in enumerate(times)], manners())
        for moved in (0.0, 4.0 * FRAME)
    ]
    clock = np.arange(0.0, 11.0, FINE)
    first, second = (plan.schedule.sample(clock) for plan in plans)
    changed = clock[np.abs(first - second).max(axis=1) > 1e-12]
    assert changed.min() > times[1] and changed.max() < times[3]


def test_a_shorter_gap_asks_for_a_smaller_gesture_before_phases_are_squeezed() -> None:
    whole = gestures()["point"]
    quick = time_warp([(0.0, 0.0), (TIMES["end"], 0.75)], made("point", (0.2, 0.6, 0.9), (0.2, 0.9, 1.6), 0.5))
    sync = {point: 0.5 * time for point, time in TIMES.items()}
    less = replace(gesture_of("point", quick, ["Hand_R"], sync), size=0.5)
    for gap, sizes, squeezed in ((3.0, 1.0, False), (0.42, 0.5, False), (0.36, 0.5, False)):
        requests = [Request(2.0 + gap * n, (whole, less), "") for n in range(2)]
        kept = plan_of(requests, manners()).choice.kept
        assert len(kept) == 2
        assert min(one.gesture.size for one in kept) == sizes
        assert (max(one.squeezed for one in kept) > 0.0) == squeezed
    alone = plan_of([Request(2.0 + 0.36 * n, (whole,), "") for n in range(2)], manners()).choice
    assert alone.dropped or max(one.squeezed for one in alone.kept) > 0.0


def test_what_is_given_up_is_told() -> None:
    beat = gestures()["beat"]
    choice = plan_of([Request(1.0 + 0.05 * n, (beat,), f"'beat' on word {n}") for n in range(3)], manners()).choice
    assert len(choice.kept) == 1 and len(choice.dropped) == 2
    assert all(any(f"word {n}" in told and "left out" in told for told in choice.given_up) for n in choice.dropped)


def test_a_plan_cannot_begin_before_it_may() -> None:
    beat = gestures()["beat"]
    assert not plan_of([Request(0.1, (beat,), "early")], manners(), Before(0.0)).placed
    two = plan_of([Request(0.1, (beat,), "early"), Request(4.0, (beat,), "late")], manners(), Before(0.0))
    assert two.choice.given_up == ("early is left out: too early.",)
    plan = plan_of([Request(0.8, (beat,), "in time")], manners(), Before(0.0))
    assert plan.placed[0].begin >= -1e-9
    with pytest.raises(GestureError, match="None of the gestures fits"):
        _ = plan_of([], manners()).schedule


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"stroke": 2.0}, "comes before"),
        ({"end": 9.0}, "outside"),
        ({"stroke_start": 0.7, "stroke": 0.7, "stroke_end": 0.7}, "no stroke"),
        ({"relax": float("nan")}, "comes before"),
    ],
)
def test_bad_phases_are_told(changed: dict[str, float], told: str) -> None:
    with pytest.raises(GestureError, match=told):
        gesture_of("point", gestures()["point"].motion, ["Hand_R"], {**TIMES, **changed})


def test_other_bad_input_is_told() -> None:
    clip, beat = gestures()["point"].motion, gestures()["beat"]
    with pytest.raises(GestureError, match="1.2 to 0.8 times"):
        gesture_of("point", clip, ["Hand_R"], TIMES, (1.2, 0.8))
    with pytest.raises(GestureError, match="'Paw'"):
        gesture_of("point", clip, ["Paw"], TIMES)
    with pytest.raises(GestureError, match="lacks the keytimes 'start'"):
        gesture_of("point", clip, ["Hand_R"])
    with pytest.raises(GestureError, match="Sort the words"):
        plan_of([Request(2.0, (beat,), "one"), Request(1.0, (beat,), "two")], manners())
    with pytest.raises(GestureError, match="no gesture"):
        plan_of([Request(2.0, (), "one")], manners())
    with pytest.raises(GestureError, match="no time"):
        plan_of([Request(float("inf"), (beat,), "one")], manners())


@given(st.lists(st.floats(0.01, 0.99), max_size=5, unique=True), st.lists(st.floats(0.0, 1.0), min_size=5, max_size=5))
def test_blending_curves_pass_their_points_and_stay_between_them(shares: list[float], weights: list[float]) -> None:
    inner = sorted(shares)
    inner = [share for n, share in enumerate(inner) if n == 0 or share - inner[n - 1] > 1e-3]
    points = [(0.0, 0.0), *zip(inner, weights, strict=False), (1.0, 1.0)]
    curve = blending_curve(points)
    knots, values = np.array(points).T
    np.testing.assert_allclose(curve.at(knots), values, atol=1e-9)
    fine = np.linspace(0.0, 1.0, 2001)
    piece = np.clip(np.searchsorted(knots, fine, side="right") - 1, 0, len(knots) - 2)
    low, high = np.minimum(values[piece], values[piece + 1]), np.maximum(values[piece], values[piece + 1])
    assert ((curve.at(fine) >= low - 1e-9) & (curve.at(fine) <= high + 1e-9)).all()
    assert np.abs(np.diff(curve.at(fine))).max() * 2000.0 <= curve.steepest * (1.0 + 1e-6) + 1e-6


def test_blending_curves_that_go_back_are_told() -> None:
    with pytest.raises(GestureError, match="weight 0 at its start"):
        blending_curve([(0.0, 0.1), (1.0, 1.0)])
    with pytest.raises(GestureError, match="in order of time"):
        blending_curve([(0.0, 0.0), (0.6, 0.5), (0.5, 0.6), (1.0, 1.0)])


def test_the_pace_of_gestures_is_that_of_the_quickest() -> None:
    named = list(gestures().values())
    pace = usual_manners(named).pace
    assert isinstance(pace, Pace)
    clock = np.arange(0.0, TIMES["end"], FINE)
    for one in named:
        places = np.array([hand_of(one, time) for time in clock])
        assert np.linalg.norm(np.diff(places, axis=0), axis=-1).max() / FINE <= 1.02 * pace.hand_speed


@pytest.mark.parametrize("seed", range(50))
def test_an_interrupted_plan_goes_on_from_its_pose_and_speed_and_hits_the_new_words(seed: int) -> None:
    rng = np.random.default_rng([7, seed])
    old = plan_of(sentence(seed), manners())
    time = float(rng.uniform(old.schedule.start, old.schedule.start + old.schedule.duration))
    later = time + rng.uniform(0.0, 1.0)
    words = [replace(one, time=one.time + later) for one in sentence(seed + 1000)]
    new = interrupted(old, time, words, manners())
    close = [plan.schedule.sample(time + np.array([-1e-6, 0.0, 1e-6])) for plan in (old, new)]
    np.testing.assert_allclose(close[0][1], close[1][1], atol=1e-9)
    speeds = [np.diff(rows, axis=0)[n] / 1e-6 for n, rows in enumerate(close)]
    np.testing.assert_allclose(*speeds, atol=2e-3)
    for one in new.placed:
        if one.chosen.request >= 0 and any(one.chosen is kept for kept in new.choice.kept):
            pose = all_rotations(new.schedule.channels, new.schedule.sample([words[one.chosen.request].time]))[0]
            alike = all_rotations(new.schedule.channels, one.chosen.gesture.motion.sample([TIMES["stroke"]]))[0]
            np.testing.assert_allclose(np.abs((pose * alike).sum(axis=-1)), 1.0, atol=1e-9)
    both = Succession((Stage(-np.inf, old.schedule), Stage(time, new.schedule)))
    largest = max(steps(one.motion, 0.0, TIMES["end"]) for one in gestures().values())
    shown = steps(both, time - 0.5, new.schedule.start + new.schedule.duration)
    assert shown <= 1.5 * largest
