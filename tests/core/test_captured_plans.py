"""Plans of captured gestures, judged by an exhaustive search, and their beats beside those of speech."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d
from scipy.signal import find_peaks
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.gesture.body_planner import usual_manners
from verbs_adverbs.core.gesture.gesture import Gesture
from verbs_adverbs.core.gesture.plan import Placed, Plan, plan_of
from verbs_adverbs.core.gesture.plan_layer import interrupted
from verbs_adverbs.core.motion.clip import SYNC_POINTS

from .captured_gestures import captured_gestures, spoken
from .gesture_judge import (
    END,
    LEAST,
    MOST,
    RELAX,
    START,
    STROKE,
    STROKE_END,
    STROKE_START,
    Judge,
    hand_paths,
    quickest,
    rotations,
)
from .test_plan_layer import gestures as talking

SEQUENCES = 200
FRAME = 1.0 / 60.0
ROOT = slice(0, 10)
"""Columns of the root, which gestures leave to what lies below."""
LOOKS, SMOOTH = 120.0, 0.02
"""Looks a second at a hand, and seconds by which its path is smoothed."""
PEAK, NEARLY = 0.1, 0.1
"""Metres a second by which a peak of speed stands out, and share of it that is left where the hand has nearly come."""
SIGMA = 0.05
"""Seconds by which a beat may miss its word and count for 0.6."""
APART = 0.01
"""Seconds between sync points."""


@cache
def plans(folder: Path) -> list[Plan]:
    named = captured_gestures(folder)
    manners = usual_manners(list(named.values()))
    return [plan_of(spoken(named, seed), manners) for seed in range(SEQUENCES)]


def test_as_many_captured_gestures_are_kept_as_an_exhaustive_search_keeps(mocap: Path, tell: Callable[[str], None]):
    named = captured_gestures(mocap)
    judge, others, whole, kept, asked = Judge(list(named.values())), [], 0, 0, 0
    for seed, plan in enumerate(plans(mocap)):
        words = spoken(named, seed)
        most = judge.most([(one.time, one.choices[0]) for one in words])
        others += [(seed, len(plan.placed), most)] if len(plan.placed) != most else []
        whole, kept, asked = whole + (most == len(words)), kept + len(plan.placed), asked + len(words)
    tell(f"{kept} of {asked} captured gestures kept; the search keeps all of {whole} of {SEQUENCES} sequences")
    assert not others


def test_captured_plans_are_on_their_words_within_their_bounds_and_no_joint_jumps(
    mocap: Path, tell: Callable[[str], None]
):
    named, worst, factors = captured_gestures(mocap), 0.0, list[np.ndarray]()
    for seed, plan in enumerate(plans(mocap)):
        words, schedule = spoken(named, seed), plan.schedule
        times = np.arange(schedule.start - FRAME, schedule.start + schedule.duration, 0.5 * FRAME)
        rows = schedule.sample(times)
        worst = max(worst, quickest(schedule.channels, rows[:-2], rows[2:]))
        for one in plan.placed:
            gesture, word = one.chosen.gesture, words[one.chosen.request]
            assert abs(one.sync["stroke"] - word.time) < 1e-3
            pose, wanted = schedule.sample([word.time]), gesture.motion.sample([gesture.sync[STROKE]])
            pose[:, ROOT] = wanted[:, ROOT]
            assert quickest(schedule.channels, pose, wanted) < 1e-5
            factors.append(lasting(one))
        for number in plan.choice.dropped:
            assert any(words[number].told in told and "left out" in told for told in plan.choice.given_up)
    found, largest = np.concatenate(factors), steps(mocap)
    lasts = f"{found.min():.2f} to {found.max():.2f}"
    tell(f"joints turn by {worst / largest:.2f} of what they do in the examples, phases last {lasts} times as long")
    assert worst <= 1.5 * largest
    assert found.min() >= LEAST - 1e-9 and found.max() <= MOST + 1e-9


@cache
def steps(folder: Path) -> float:
    """Largest angle in degrees by which any joint turns in a frame of a captured gesture, wherever frames lie."""
    return max(
        quickest(one.motion.channels, one.motion.sample(times), one.motion.sample(times + FRAME))
        for one in captured_gestures(folder).values()
        for times in [np.arange(one.sync[START], one.sync[END], 0.5 * FRAME)]
    )


def lasting(one: Placed) -> np.ndarray:
    """How many times as long as recorded the phases last, but for holds: from sync points as they are played."""
    gesture, (own, played) = one.chosen.gesture, np.array(one.keys).T
    at = {point: float(np.interp(time, played, own)) for point, time in one.sync.items()}
    phases = [("start", "ready"), ("stroke_start", "stroke"), ("stroke", "stroke_end"), ("relax", "end")]
    kept = [(first, last) for first, last in phases if first in at and last in at]
    assert all(abs(at[point] - gesture.sync[SYNC_POINTS.index(point)]) < 1e-6 for point in at if point != "relax")
    return np.array([(one.sync[last] - one.sync[first]) / (at[last] - at[first]) for first, last in kept])


def arrivals(times: np.ndarray, path: np.ndarray) -> np.ndarray:
    """Beats of a hand: when it has come to rest, or nearly, after a peak of its speed.

    Kinematic beats are minima of speed (Li and others, "AI choreographer", ICCV 2021, section 4.3). A hand that is
    held has its least speed anywhere in the hold; it beats as the minimum begins, where its speed has fallen by 90 %.
    """
    smooth = gaussian_filter1d(path, SMOOTH * LOOKS, axis=0)
    speed = np.linalg.norm(np.gradient(smooth, 1.0 / LOOKS, axis=0), axis=1)
    peaks, _ = find_peaks(speed, prominence=PEAK)
    found = []
    for peak, end in zip(peaks, [*peaks[1:], len(speed)], strict=True):
        low = peak + int(np.argmin(speed[peak:end]))
        level = speed[low] + NEARLY * (speed[peak] - speed[low])
        found.append(times[peak + np.flatnonzero(speed[peak : low + 1] <= level)[0]])
    return np.array(found)


def beat_alignment(beats: np.ndarray, words: np.ndarray) -> np.ndarray:
    """How well words (W,) are met by beats, from 0 to 1: exp(-d^2 / (2 sigma^2)) of the distance d to the nearest.

    Its mean is the beat alignment of Li and others (2021, equation 5), with beats of speech in the place of music's.
    """
    if not len(beats):
        return np.zeros(len(words))
    return np.exp(-(np.abs(beats[:, None] - words).min(axis=0) ** 2) / (2.0 * SIGMA**2))


def beating(gesture: Gesture) -> Gesture | None:
    """A gesture with its emphasis where its hand beats in the recording, if it does; the root stays as it is."""
    times = np.arange(gesture.sync[START], gesture.sync[END], 1.0 / LOOKS)
    rows = gesture.motion.sample(times)
    rows[:, ROOT] = rows[0, ROOT]
    beats = arrivals(times, hand_paths(gesture.motion.channels, rows, gesture.hands[-1]))
    sync = gesture.sync.copy()
    within = beats[(beats > sync[STROKE_START] + APART) & (beats < sync[END] - 10.0 * APART)]
    if not len(within):
        return None
    sync[STROKE] = within[np.abs(within - sync[STROKE]).argmin()]
    sync[STROKE_END] = max(sync[STROKE_END], sync[STROKE] + APART)
    sync[RELAX] = max(sync[RELAX], sync[STROKE_END] + APART)
    return replace(gesture, sync=sync)


def test_beats_of_the_played_hand_are_on_the_words(mocap: Path, tell: Callable[[str], None]):
    found = {name: (beating(one), one) for name, one in captured_gestures(mocap).items()}
    named = {name: beat or one for name, (beat, one) in found.items()}
    manners, rng = usual_manners(list(named.values())), np.random.default_rng(0)
    met, chance, beats_not = list[float](), list[float](), 0
    for seed in range(SEQUENCES):
        plan = plan_of(spoken(named, seed), manners)
        begin, end = plan.schedule.start, plan.schedule.start + plan.schedule.duration
        times = np.arange(begin - 0.3, end, 1.0 / LOOKS)
        rows = plan.schedule.sample(times)
        for one in plan.placed:
            beats = arrivals(times, hand_paths(plan.schedule.channels, rows, one.chosen.gesture.hands[-1]))
            if found[one.chosen.gesture.name][0] is None:
                beats_not += 1
                continue
            met += beat_alignment(beats, np.array([one.chosen.time])).tolist()
            chance += beat_alignment(beats, rng.uniform(begin, end, 10)).tolist()
    whole = sum(met) / (len(met) + beats_not)
    lacking = f"{whole:.3f} with {beats_not} gestures that have none"
    tell(f"beats of captured hands {np.mean(met):.3f}, {lacking}; by chance {np.mean(chance):.3f}")
    assert np.mean(chance) < 0.2 and np.mean(met) > 4.0 * np.mean(chance)


def test_slowest_instants_of_hands_that_stroke_are_on_the_words(tell: Callable[[str], None]):
    named, rng = talking(), np.random.default_rng(0)
    manners, met, chance = usual_manners(list(named.values())), list[float](), list[float]()
    for seed in range(SEQUENCES):
        plan = plan_of(spoken(named, seed), manners)
        begin, end = plan.schedule.start, plan.schedule.start + plan.schedule.duration
        times = np.arange(begin - 0.3, end, 1.0 / LOOKS)
        path = hand_paths(plan.schedule.channels, plan.schedule.sample(times), named["beat"].hands[0])
        speed = np.linalg.norm(np.gradient(path, 1.0 / LOOKS, axis=0), axis=1)
        beats = times[find_peaks(-speed, prominence=PEAK)[0]]
        met += beat_alignment(beats, np.array([one.chosen.time for one in plan.placed])).tolist()
        chance += beat_alignment(beats, rng.uniform(begin, end, 20)).tolist()
    tell(f"beats of the biped's hands {np.mean(met):.3f}, by chance {np.mean(chance):.3f}")
    assert np.mean(met) >= 0.95
    assert np.mean(chance) < 0.5


@pytest.mark.parametrize("seed", range(50))
def test_captured_plans_that_are_interrupted_do_not_jump_and_hit_the_new_words(mocap: Path, seed: int):
    named, rng = captured_gestures(mocap), np.random.default_rng([17, seed])
    manners, old = usual_manners(list(named.values())), plans(mocap)[seed]
    time = float(rng.uniform(old.schedule.start, old.schedule.start + old.schedule.duration))
    later = time + rng.uniform(0.0, 1.0)
    words = [replace(one, time=one.time + later) for one in spoken(named, seed + 1000)]
    new = interrupted(old, time, words, manners)
    for one in new.choice.kept:
        pose, wanted = new.schedule.sample([one.time]), one.gesture.motion.sample([one.gesture.sync[STROKE]])
        pose[:, ROOT] = wanted[:, ROOT]
        assert quickest(new.schedule.channels, pose, wanted) < 1e-5
        assert abs(one.time - words[one.request].time) < 1e-3
    times = np.arange(time - 0.5, new.schedule.start + new.schedule.duration, 0.5 * FRAME)
    pair = [
        np.where((clock < time)[:, None], old.schedule.sample(clock), new.schedule.sample(clock))
        for clock in (times, times + FRAME)
    ]
    assert quickest(new.schedule.channels, *pair) <= 1.5 * steps(mocap)
    around = time + np.array([-2e-4, -1e-4, 0.0, 1e-4])
    rows = np.where((around < time)[:, None], old.schedule.sample(around), new.schedule.sample(around))
    turns = rotations(new.schedule.channels, rows).as_quat().reshape(4, -1, 4)
    change = [Rotation.from_quat(turns[n]).inv() * Rotation.from_quat(turns[n + 1]) for n in (0, 2)]
    speeds = [one.as_rotvec() / 1e-4 for one in change]
    assert np.degrees(np.linalg.norm(speeds[1] - speeds[0], axis=1)).max() * FRAME <= 1.5 * steps(mocap)
