"""Clips of the generated biped, and of captured walks, from which tests make motion models."""

import json
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from verbs_adverbs.core.biped.figure import JOINTS, Generated
from verbs_adverbs.core.biped.standing import stance, wave
from verbs_adverbs.core.biped.walk import walk
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels
from verbs_adverbs.core.layers.walk_model import WalkModel
from verbs_adverbs.core.motion.base_motion import BaseMotion, within_cycle
from verbs_adverbs.core.motion.clip import Clip, Mark, Motion, fit_clip, interpolated
from verbs_adverbs.core.motion.travel import relative
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.example import Contact, Example, Take
from verbs_adverbs.core.verb.root_travel import clip_of as plain_clip_of

from .bvh import Captured, read_bvh
from .walks import biped_channels

LEGS = frozenset(f"{bone}_{side}" for bone in ("UpperLeg", "LowerLeg", "Foot", "Toes") for side in "LR")
STYLES = {
    "normal": ("bn2_walk_normal_007", "WalkCycle"),
    "active": ("bn2_walk_active_006", "WalkCycle_active"),
    "exhausted": ("bn2_walk_exhausted_017", "WalkCycle_exhausted"),
}
FULL = "locomotion/bn2_walk_normal_001_full.bvh"


def clip_of(channels: Channels, example: Example, name: str, reference: np.ndarray | None = None) -> Clip:
    """The clip of an example as a verb of its own plays it: a cycle closes, and stance feet are held."""
    made = build_verb(name, channels, [example], [], np.zeros((0, 2)), reference=reference).motion([])
    times = np.linspace(0.0, made.duration, int(np.ceil(60.0 * made.duration)) + 1)
    marks = within_cycle(made.marks, 0.0, made.duration) if example.cyclic else made.marks
    return fit_clip(channels, times, made.sample(times), marks=marks, name=name)


def biped_clip(made: Generated, name: str) -> Clip:
    take = Take(made.times, made.rotations, made.root, np.zeros((len(made.times), 0)))
    contacts = tuple(Contact(p.bone, JOINTS[p.bone], np.zeros(3), p.windows) for p in made.plants)
    example = Example(name, np.zeros(0), made.keytime_names, made.keytimes, take, contacts, made.kind, made.cyclic)
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
def biped_climb() -> Clip:
    """A cycle that goes up a ramp of 12 degrees."""
    return biped_clip(walk(0.0, 1.0, 0.0), "WalkCycle_uphill")


@cache
def biped_walk() -> WalkModel:
    """A walk of the biped in three styles, which has no recorded start nor stop."""
    moods = {"neutral": 0.0, "happy": 1.0, "sad": -0.6}
    cycles = tuple(BaseMotion(biped_cycle(mood), style) for style, mood in moods.items())
    return WalkModel((), cycles, (), biped_stand(), LEGS)


@cache
def recorded_biped_walk() -> WalkModel:
    """The same walk with a WalkStart and a WalkStop, recorded from one that has none."""
    plain = biped_walk()
    begun = plain.begin(0.0, {})
    start = recorded(begun.tree, 0.0, 2.0, "WalkStart")
    leaves = begun.stages[0].origin + 2.05 * plain.walk_cycles[0].clip.duration
    stopped = plain.stop(begun, leaves)
    stop = recorded(stopped.tree, leaves - 0.7, stopped.ends + 0.4, "WalkStop")
    starts, stops = ((BaseMotion(clip, "neutral"),) for clip in (start, stop))
    return WalkModel(starts, plain.walk_cycles, stops, plain.stand, LEGS)


def recorded(motion: Motion, begin: float, end: float, name: str) -> Clip:
    """A part of a motion as a clip of its own, which begins at second 0 where and as it goes on, with its contacts."""
    times = np.linspace(begin, end, int(np.ceil(60.0 * (end - begin))) + 1)
    values = motion.sample(times)
    values[:, :3] = relative(values[0, :3], values[:, :3])
    marks = tuple(
        replace(mark, start=max(mark.start, begin) - begin, end=min(mark.end, end) - begin)
        for mark in motion.marks_within(begin, end)
        if mark.kind == "contact"
    )
    return interpolated(motion.channels, (0.0, end - begin), values, marks, name)


def captured(folder: Path, file: str) -> tuple[dict[str, Any], Captured]:
    """The annotation of a captured clip, and the clip."""
    clips = json.loads((folder / "keytimes.json").read_text(encoding="utf-8"))["clips"]
    return next(one for one in clips if one["file"] == file), read_bvh(folder / file)


def captured_cycle(folder: Path, file: str, name: str, reference: np.ndarray) -> Clip:
    """The clip of a captured cycle between its keytimes."""
    told, seen = captured(folder, file)
    keytimes = np.array(told["keytimes_sub"]) / told["fps"]
    contacts = tuple(
        Contact(f"Toes_{side}", seen.skeleton.index(f"Toes_{side}"), np.zeros(3), windows)
        for side in "LR"
        for windows in (spans(told, side, float(keytimes[0]), keytimes[0], keytimes[-1]),)
    )
    take = Take(seen.times - keytimes[0], seen.rotations, seen.root, np.zeros((len(seen.root), 0)))
    names = tuple(told["keytime_names"])
    example = Example(name, np.zeros(0), names, keytimes, take, contacts, "travelling", True)
    return clip_of(seen.channels, example, name, reference)


def spans(told: dict[str, Any], side: str, origin: float, first: float, last: float) -> tuple[tuple[float, float], ...]:
    """Seconds from `origin` in which the toes stand, of those spans that begin between two times."""
    rate = told["fps"]
    return tuple(
        (a / rate - origin, b / rate - origin) for a, b in told["toe_planted"][side] if first <= a / rate < last
    )


def captured_start(folder: Path, begin: int, end: int) -> tuple[Clip, np.ndarray]:
    """The clip of rows of a take that begins standing, made as clips of actions are; and the hips' rotation then."""
    told, seen = captured(folder, FULL)
    rate, reference = told["fps"], quat.normalize(seen.rotations[begin : begin + 4, 0].mean(axis=0))
    rows = slice(begin, end + 1)
    times, last = seen.times[rows] - begin / rate, (end - begin) / rate
    take = Take(times, seen.rotations[rows], seen.root[rows], np.zeros((len(times), 0)))
    marks = [
        Mark("contact", f"Toes_{side}", max(a, 0.0), min(b, last))
        for side in "LR"
        for a, b in spans(told, side, begin / rate, 0.0, end / rate)
    ]
    made = partial(interpolated, seen.channels, (0.0, last), marks=tuple(marks), name="WalkStart")
    return plain_clip_of(take, seen.channels, seen.channels, reference, True, made)[0], reference


@cache
def captured_walk(folder: Path) -> WalkModel:
    """A captured walk in three styles, with its recorded start; it stands as it did before that."""
    start, reference = captured_start(folder, 4, 81)
    cycles = tuple(
        BaseMotion(captured_cycle(folder, f"locomotion/{file}.bvh", name, reference), style)
        for style, (file, name) in STYLES.items()
    )
    pose = start.sample([0.0, 0.0])
    pose[:, :3] = 0.0
    both = tuple(Mark("contact", f"Toes_{side}", 0.0, 1.0) for side in "LR")
    stand = interpolated(start.channels, (0.0, 1.0), pose, both, "Stand")
    return WalkModel((BaseMotion(start, "normal"),), cycles, (), stand, LEGS)


def captured_gesture(folder: Path, file: str) -> Clip:
    """The clip of a whole captured gesture with its keytimes, made as clips of actions are."""
    told, seen = captured(folder, file)
    take = Take(seen.times, seen.rotations, seen.root, np.zeros((len(seen.root), 0)))
    named = zip(told["keytime_names"], told["keytimes"], strict=True)
    marks = tuple(Mark("keytime", name, row / told["fps"], row / told["fps"]) for name, row in named)
    span = 0.0, float(seen.times[-1])
    made = partial(interpolated, seen.channels, span, marks=marks, name="Wave")
    return plain_clip_of(take, seen.channels, seen.channels, seen.rotations[0, 0], False, made)[0]
