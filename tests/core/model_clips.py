"""Clips of the generated biped, and of captured walks, from which tests make motion models."""

import json
from functools import cache
from pathlib import Path

import numpy as np
from verbs_adverbs.core.biped.figure import JOINTS, Generated
from verbs_adverbs.core.biped.standing import stance, wave
from verbs_adverbs.core.biped.walk import walk
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels
from verbs_adverbs.core.layers.base_motion import BaseMotion, cycle_clip
from verbs_adverbs.core.layers.walk_model import WalkModel
from verbs_adverbs.core.motion.clip import Clip, fit_clip
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.example import Contact, Example, Kind, Take

from .bvh import Captured, read_bvh
from .walks import biped_channels

LEGS = frozenset(f"{bone}_{side}" for bone in ("UpperLeg", "LowerLeg", "Foot", "Toes") for side in "LR")
STYLES = {
    "normal": "bn2_walk_normal_007",
    "active": "bn2_walk_active_006",
    "exhausted": "bn2_walk_exhausted_017",
}
FULL = "locomotion/bn2_walk_normal_001_full.bvh"


def clip_of(channels: Channels, example: Example, name: str, reference: np.ndarray | None = None) -> Clip:
    """The clip of an example as a verb of its own plays it: a cycle closes, and stance feet are held."""
    made = build_verb(name, channels, [example], [], np.zeros((0, 2)), reference=reference).motion([])
    times = np.linspace(0.0, made.duration, int(np.ceil(60.0 * made.duration)) + 1)
    clip = fit_clip(channels, times, made.sample(times), marks=made.marks, name=name)
    return cycle_clip(clip) if example.cyclic else clip


def biped_clip(made: Generated, name: str) -> Clip:
    take = Take(made.times, made.rotations, made.root, np.zeros((len(made.times), 0)))
    contacts = tuple(Contact(p.bone, JOINTS[p.bone], np.zeros(3), p.windows) for p in made.plants)
    example = Example(
        name, np.zeros(0), made.keytime_names, made.keytimes, take, contacts, made.kind, made.cyclic
    )
    return clip_of(biped_channels(), example, name, np.array([1.0, 0.0, 0.0, 0.0]))


@cache
def biped_stand() -> Clip:
    return biped_clip(stance(), "Stand")


@cache
def biped_wave(energy: float = 0.0) -> Clip:
    return biped_clip(wave(energy, 0.5), "Wave")


@cache
def biped_cycle(mood: float, turn: float = 0.0) -> Clip:
    return biped_clip(walk(mood, 0.0, turn), {0.0: "WalkCycle", 1.0: "WalkCycle_happy"}.get(mood, "WalkCycle_sad"))


@cache
def biped_walk() -> WalkModel:
    """A walk of the biped in three styles, which has no recorded start nor stop."""
    moods = {"neutral": 0.0, "happy": 1.0, "sad": -0.6}
    cycles = tuple(BaseMotion(biped_cycle(mood), style) for style, mood in moods.items())
    return WalkModel((), cycles, (), biped_stand(), LEGS)


def captured_example(folder: Path, file: str, rows: tuple[int, int] | None = None, kind: Kind = "travelling") -> tuple[Captured, Example]:
    """A captured clip between its outer keytimes as an example, or the rows asked for as one that is no cycle."""
    clips = json.loads((folder / "keytimes.json").read_text(encoding="utf-8"))["clips"]
    clip = next(one for one in clips if one["file"] == file)
    captured = read_bvh(folder / file)
    names, keytimes = tuple(clip["keytime_names"]), np.array(clip["keytimes_sub"]) / clip["fps"]
    if rows is not None:
        names, keytimes = ("begin", "end"), np.array(rows) / clip["fps"]
    index = captured.skeleton.index
    ends = (np.inf, -np.inf) if rows is None else (rows[1], rows[0])
    windows = {
        side: tuple(
            ((max(a, ends[1]) / clip["fps"] - keytimes[0]), (min(b, ends[0]) / clip["fps"] - keytimes[0]))
            for a, b in clip["toe_planted"][side]
            if keytimes[0] - 1e-9 <= a / clip["fps"] < keytimes[-1] or (rows is not None and rows[0] < b and a < rows[1])
        )
        for side in "LR"
    }
    contacts = tuple(Contact(f"Toes_{s}", index(f"Toes_{s}"), np.zeros(3), w) for s, w in windows.items())
    take = Take(captured.times - keytimes[0], captured.rotations, captured.root, np.zeros((len(captured.root), 0)))
    return captured, Example(file, np.zeros(0), names, keytimes, take, contacts, kind, rows is None)


@cache
def captured_walk(folder: Path, with_start: bool = True) -> WalkModel:
    """A captured walk in three styles, with its recorded start; it stands as it did before that."""
    full, start = captured_example(folder, FULL, (4, 81))
    reference = heading_of(full)
    cycles = [
        BaseMotion(clip_of(captured.channels, example, "WalkCycle" if style == "normal" else f"WalkCycle_{style}", reference), style)
        for style, file in STYLES.items()
        for captured, example in (captured_example(folder, f"locomotion/{file}.bvh"),)
    ]
    walk_start = clip_of(full.channels, start, "WalkStart", reference)
    pose = walk_start.sample([0.0, 0.0])
    stand = fit_clip(full.channels, [0.0, 1.0], pose, name="Stand")
    starts = (BaseMotion(walk_start, "normal"),) if with_start else ()
    return WalkModel(starts, tuple(cycles), (), stand, LEGS)


def heading_of(captured: Captured) -> np.ndarray:
    """Rotation of the hips at heading 0, standing at the beginning of a take."""
    return quat.normalize(captured.rotations[4:8, 0].mean(axis=0))
