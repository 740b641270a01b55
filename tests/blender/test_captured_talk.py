"""Captured gestures on words over a captured walk, baked: strokes land where the hands of the bake turn."""

from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.captured import folder_at
from blender.performance import OPS
from blender.stage import go_to, opened_again, part
from scipy.interpolate import CubicSpline
from verbs_adverbs.demo.captures import assign, import_clips, tag_clip
from verbs_adverbs.demo.operate import add_verb, make_active

WALK = "locomotion/bn2_walk_normal_019.bvh"
GESTURES = {
    "raiseright": "gesture/bn2_raise-up-right-hand_normal_006.bvh",
    "raiseleft": "gesture/bn2_raise-up-left-hand_normal_066.bvh",
    "raiseboth": "gesture/bn2_raise-up-both-hands_active_093.bvh",
    "guide": "gesture/bn1_guide_normal_001.bvh",
    "respond": "gesture/bn1_respond_normal_001.bvh",
    "punch": "gesture/bn1_punch_normal_001.bvh",
}
"""Files of gestures by the names that tags have for them."""
FPS, FIRST = 30.0, 1
BAKED = 60
"""Frames a second of the bake: a captured punch is over in two frames of its capture, too few to tell when it turns."""
SYNC = ("start", "ready", "stroke_start", "stroke", "stroke_end", "relax", "end")
HANDS = ("Hand_L", "Hand_R")
WORDS, LEAST, MOST = 3, 1.8, 3.2
"""Words of a sequence, and seconds at least and at most from one to the next."""
ARM = 0.47


def hands(armature, frames) -> np.ndarray:
    """Places (T, 2, 3) of the hands at frames, seen from the hips."""
    found = []
    for frame in frames:
        go_to(float(frame))
        seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        inverse = seen["Hips"].matrix.inverted()
        found.append([inverse @ seen[hand].head for hand in HANDS])
    return np.array(found)


@dataclass(frozen=True, eq=False)
class Stroke:
    """A stroke in a capture: its hand, the way (3,) of that seen from the hips, and seconds from begin to turn."""

    hand: int
    way: np.ndarray
    lasts: float


STROKES: dict[str, Stroke] = {}
"""Strokes by the names of gestures, learnt from the captures alone."""


def turn(frames, places: np.ndarray, way: np.ndarray, begin: float, end: float) -> float:
    """The frame at which a hand, at places (T, 3), goes no farther on a way, once it was fastest between two frames."""
    along = CubicSpline(frames, places @ way)
    tried = np.linspace(begin, end, 200)
    fastest = tried[int(np.argmax(along(tried, 1)))]
    later = np.arange(fastest, frames[-1], 0.02)
    assert along(fastest, 1) > 0.0 and (along(later, 1) <= 0.0).any()
    return float(later[int(np.argmax(along(later, 1) <= 0.0))])


def stroke_of(frames, places: np.ndarray, begin: float, end: float) -> tuple[Stroke, float]:
    """The stroke of the hand that is fastest between two frames, and the frame at which it turns."""
    tried = np.linspace(begin, end, 200)
    velocities = CubicSpline(frames, places)(tried, 1)
    row, hand = np.unravel_index(int(np.argmax(np.linalg.norm(velocities, axis=-1))), velocities.shape[:2])
    way = velocities[row, hand] / np.linalg.norm(velocities[row, hand])
    turns = turn(frames, places[:, hand], way, begin, end)
    return Stroke(int(hand), way, (turns - begin) / FPS), turns


def talking(mocap: Path):
    """The captured figure with a walk and with gestures of one example each, which walks."""
    return opened_again("captured talk", lambda: _made(mocap))


def _made(mocap: Path) -> None:
    folder = folder_at(mocap)
    armature, actions = import_clips(folder, [WALK, *GESTURES.values()])
    tag_clip(armature, actions[WALK], folder.clips[WALK], {})
    add_verb(armature, "walk", (), [actions[WALK]])
    for name, file in GESTURES.items():
        assign(armature, actions[file])
        rows = folder.clips[file]["keytimes"]
        frames = FIRST + np.arange(rows[0], rows[-1] + 1)
        places = hands(armature, frames)
        phases = part("core.detect.gesture_phases").find_gesture_phases(name, frames / FPS, places, ARM)
        sync = FPS * phases.sync
        STROKES[name], sync[3] = stroke_of(frames, places, sync[2], sync[3])
        sync[4:] = np.maximum(sync[4:], sync[3] + 0.5)
        record = {"file": file, "cyclic": False, "keytime_names": list(SYNC), "keytimes_sub": (sync - FIRST).tolist()}
        tag_clip(armature, actions[file], record, {})
        add_verb(armature, name, (), [actions[file]])
    make_active(armature)
    assert OPS.live_on(verb="walk") == {"FINISHED"}


def said(path: Path, seed: int) -> int:
    """Write subtitles with a gesture drawn for each word; returns the last frame that they need."""
    rng = np.random.default_rng(seed)
    starts = 1.0 + np.cumsum(rng.uniform(LEAST, MOST, WORDS)) - LEAST
    names = rng.permutation(list(GESTURES))[:WORDS]
    cues = []
    for number, (start, name) in enumerate(zip(starts, names, strict=True), 1):
        begin, end = (f"00:00:{seconds:06.3f}".replace(".", ",") for seconds in (start, start + 0.4))
        cues.append(f"{number}\n{begin} --> {end}\n<{name}>{name}\n")
    path.write_text("\n".join(cues), encoding="utf-8")
    return FIRST + int(BAKED * (starts[-1] + 2.0))


@pytest.mark.parametrize("seed", range(10))
def test_the_hands_of_a_bake_turn_on_their_words(mocap: Path, tmp_path: Path, seed: int, tell):
    armature = talking(mocap)
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = BAKED, 1.0
    last = said(tmp_path / "said.srt", seed)
    assert OPS.words_file(filepath=str(tmp_path / "said.srt")) == {"FINISHED"}
    assert OPS.talk() == {"FINISHED"}
    assert OPS.bake(length="RANGE", frame_start=FIRST, frame_end=last, animated=True, assign=True) == {"FINISHED"}
    fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    words = [(word.text, word.target * fps) for word in armature.verbs_adverbs.director.verbs_adverbs.speech.words]
    frames = np.arange(FIRST, last + 1)
    places = hands(armature, frames)
    missed = {}
    for name, target in words:
        stroke = STROKES[name]
        missed[name] = turn(frames, places[:, stroke.hand], stroke.way, target - fps * stroke.lasts, target) - target
    tell(", ".join(f"{name} {miss:+.2f}" for name, miss in missed.items()) + " frames")
    assert len(missed) == WORDS and max(map(abs, missed.values())) <= 0.5
