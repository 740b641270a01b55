"""Plans of captured gestures, judged by an exhaustive search, and their beats beside those of speech."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from verbs_adverbs.core.gesture.body_planner import usual_manners
from verbs_adverbs.core.gesture.plan import Plan, plan_of

from .captured_gestures import captured_gestures, spoken
from .gesture_judge import LEAST, MOST, RELAX, START, STROKE, STROKE_END, STROKE_START, Judge, quickest

SEQUENCES = 200
FRAME = 1.0 / 60.0


def plans(folder: Path) -> list[Plan]:
    named = captured_gestures(folder)
    manners = usual_manners(list(named.values()))
    return [plan_of(spoken(named, seed), manners) for seed in range(SEQUENCES)]


def test_as_many_captured_gestures_are_kept_as_an_exhaustive_search_keeps(mocap: Path, tell: Callable[[str], None]):
    named = captured_gestures(mocap)
    judge, fewer, whole, kept, asked = Judge(list(named.values())), [], 0, 0, 0
    for seed, plan in enumerate(plans(mocap)):
        words = spoken(named, seed)
        most = judge.most([(one.time, one.choices[0]) for one in words])
        fewer += [(seed, len(plan.placed), most)] if len(plan.placed) < most else []
        whole, kept, asked = whole + (most == len(words)), kept + len(plan.placed), asked + len(words)
    tell(f"{kept} of {asked} captured gestures kept; the search keeps all of {whole} of {SEQUENCES} sequences")
    assert not fewer


def test_captured_plans_are_on_their_words_within_their_bounds_and_no_joint_jumps(
    mocap: Path, tell: Callable[[str], None]
):
    named = captured_gestures(mocap)
    largest = max(
        quickest(one.motion.channels, one.motion.sample(times), one.motion.sample(times + FRAME))
        for one in named.values()
        for times in [np.arange(one.sync[START], one.sync[-1], 0.5 * FRAME)]
    )
    worst, squeezed, stretched, off = 0.0, 1.0, 1.0, 0.0
    for seed, plan in enumerate(plans(mocap)):
        words, schedule = spoken(named, seed), plan.schedule
        times = np.arange(schedule.start - FRAME, schedule.start + schedule.duration, 0.5 * FRAME)
        rows = schedule.sample(times)
        step = quickest(schedule.channels, rows[:-2], rows[2:])
        if step > worst: print(seed, step/largest)
        worst = max(worst, step)
        for one in plan.placed:
            gesture, word = one.chosen.gesture, words[one.chosen.request]
            pose = schedule.sample([word.time])
            near = gesture.motion.sample([gesture.sync[STROKE]])
            pose[:,:10]=near[:,:10]
            off = max(off, quickest(schedule.channels, pose, near))
            lasting = np.diff(one.motion.played(gesture.sync)) / np.diff(gesture.sync)
            strokes = [START, STROKE_START, STROKE] if "prepare" in one.chosen.way else [STROKE_START, STROKE]
            if "relax" in one.sync: strokes.append(RELAX)
            squeezed, stretched = min(squeezed, lasting[strokes].min()), max(stretched, lasting[strokes].max())
            if lasting[strokes].max()>1.5+1e-9: print(seed, gesture.name, lasting.round(2), one.chosen.way, one.sync.keys())
        for number in plan.choice.dropped:
            assert any(words[number].told in told and "left out" in told for told in plan.choice.given_up)
    tell(f"joints turn by at most {worst / largest:.2f} of what they do in the examples; phases {squeezed:.2f} to {stretched:.2f}; off {off}")
    assert worst <= 1.5 * largest
