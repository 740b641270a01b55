"""Gestures of captured motion, and random sequences of words on which they are asked for."""

import json
from functools import cache
from pathlib import Path

import numpy as np
from verbs_adverbs.core.detect.gesture_phases import find_gesture_phases
from verbs_adverbs.core.gesture.body_planner import Request
from verbs_adverbs.core.gesture.gesture import Gesture, gesture_of
from verbs_adverbs.core.motion.clip import SYNC_POINTS

from .gesture_judge import hand_paths
from .model_clips import captured_gesture

ARM = 0.47
"""Metres."""


@cache
def captured_gestures(folder: Path) -> dict[str, Gesture]:
    """All captured files that hold one gesture, with the phases that are found in them."""
    clips = json.loads((folder / "keytimes.json").read_text(encoding="utf-8"))["clips"]
    found = dict[str, Gesture]()
    for clip in clips:
        if clip["file"].startswith("gesture/") and clip["keytime_names"][0] == "start":
            name = Path(clip["file"]).stem
            found[name] = _gesture(folder, clip["file"], name)
    return found


def _gesture(folder: Path, file: str, name: str) -> Gesture:
    motion = captured_gesture(folder, file)
    joints, times = motion.channels.skeleton.index, np.arange(0.0, motion.duration, 1.0 / 30.0)
    rows = motion.sample(times)
    rows[:, :3] = 0.0
    hands = np.stack([hand_paths(motion.channels, rows, joints(f"Hand_{side}")) for side in "LR"], axis=1)
    phases = find_gesture_phases(name, times, hands, ARM)
    both = ["Hand_L", "Hand_R"] if "both" in name else [f"Hand_{'LR'[phases.hand]}"]
    return gesture_of(name, motion, both, dict(zip(SYNC_POINTS, phases.sync.tolist(), strict=True)))


def spoken(gestures: dict[str, Gesture], seed: int) -> list[Request]:
    """Requests for 3 to 12 words at 1 to 5 words a second, each with one of the gestures."""
    rng = np.random.default_rng(seed)
    count, pace = int(rng.integers(3, 13)), rng.uniform(1.0, 5.0)
    times, names = np.cumsum(rng.uniform(0.4, 1.6, count)) / pace, rng.choice(sorted(gestures), count)
    said = enumerate(zip(times.tolist(), names.tolist(), strict=True))
    return [Request(time, (gestures[name],), f"'{name}' on word {n}") for n, (time, name) in said]
