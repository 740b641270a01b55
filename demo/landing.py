"""Judging gestures on words from the files alone that the scene has written: the plan, and the rows of the motion.

Where bones are follows from the rows and from Blender's bones at rest by the demo's own forward kinematics, and is seen
from the root, which the gestures leave alone. A stroke lands where the hand goes no farther on its way: the way that it
goes when it is fastest between the beginning of the stroke and the word. Where a gesture strokes with another bone,
such as the head, it is that one.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .rows import TRAVEL, Figure, frames_of, turns_of

Array = NDArray[np.float64]
Named = Mapping[str, Array]

HALF = 0.5
"""Frames by which a stroke may miss its word."""
STEP = 1.5
"""How many times as far as in the recorded motions a joint may turn in a frame."""
SHORTEST, LONGEST = 0.7, 1.5
"""How many times as long as recorded a phase may last."""
SILENCE = "(silence)"
"""What stands for the word of a gesture on which nothing is said."""
SAME = 1e-6
"""Seconds and shares that count as none."""


@dataclass(frozen=True, eq=False)
class Talk:
    """What the scene has written.

    Parameters
    ----------
    plan : `plan.json`.
    figure : the bones at rest.
    times : (T,) seconds of the rows.
    shown, alone : columns (T,) by name of what is shown, and of the same without gestures.
    recorded : columns by name of the gestures as they were recorded, with as many rows a frame.
    """

    plan: dict[str, Any]
    figure: Figure
    times: Array
    shown: Named
    alone: Named
    recorded: Mapping[str, Named]

    @property
    def gestures(self) -> list[dict[str, Any]]:
        """The gestures that are kept, in order of time."""
        return self.plan["gestures"]

    @property
    def frame(self) -> float:
        """Seconds of a frame."""
        return 1.0 / self.plan["frames_a_second"]

    def text(self, told: Mapping[str, Any]) -> str:
        """Return the word of a gesture."""
        return self.plan["words"][told["word"]]["text"].strip(".,;:!?") or SILENCE

    @cached_property
    def frames(self) -> Array:
        """Frames (T, J, 4, 4) of all bones in the world."""
        return frames_of(self.figure, self.shown)

    @cached_property
    def ends(self) -> tuple[str, ...]:
        """Names of the hands, and of other bones with which a gesture strokes."""
        return tuple(
            dict.fromkeys([*self.plan["hands"], *(end for one in self.gestures for end in one["strokes_with"])])
        )

    @cached_property
    def places(self) -> Mapping[str, Array]:
        """Places (T, 3) of those bones seen from the root, by name."""
        root = self.frames[:, self.figure.bones.index(self.figure.root)]
        found: dict[str, Array] = {}
        for name in self.ends:
            away = self.frames[:, self.figure.bones.index(name), :3, 3] - root[:, :3, 3]
            found[name] = np.einsum("tij,ti->tj", root[:, :3, :3], away)
        return found

    @cached_property
    def velocities(self) -> Mapping[str, Array]:
        """Velocities (T, 3) of those bones seen from the root, by name."""
        return {name: np.gradient(places, self.times, axis=0) for name, places in self.places.items()}


def read_talk(folder: Path) -> Talk:
    """Read `plan.json` and `rows.npz` of a folder."""
    plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    with np.load(folder / "rows.npz") as held:
        arrays = {name: held[name] for name in held.files}
    parts = {name: arrays[f"figure_{name}"] for name in Figure.__dataclass_fields__}
    figure = Figure(tuple(parts["bones"].tolist()), parts["parents"], parts["rests"], str(parts["root"]))
    columns = arrays["columns"].tolist()
    begin = "recorded_columns_"
    kinds = [name.removeprefix(begin) for name in arrays if name.startswith(begin)]
    recorded = {
        kind: dict(zip(arrays[begin + kind].tolist(), arrays[f"recorded_{kind}"].T, strict=True)) for kind in kinds
    }
    shown, alone = (dict(zip(columns, arrays[name].T, strict=True)) for name in ("values", "alone"))
    return Talk(plan, figure, arrays["times"], shown, alone, recorded)


@dataclass(frozen=True)
class Landing:
    """How a gesture lands on its word.

    Parameters
    ----------
    word, name : what is said, and which gesture is made.
    emphasis : seconds at which the stroke is to land.
    turns : seconds at which what strokes turns; nan if it never does.
    end : the bone that strokes.
    missed_ms : by how many milliseconds it turns later.
    lasts : how many times as long as recorded the phase lasts that is squeezed most, and the one that is least.
    way_step : how far a joint turns in a frame at most while the gesture comes, as a multiple of the farthest in its
        recording, in that of the gesture before, and in what lies below.
    """

    word: str
    name: str
    emphasis: float
    turns: float
    end: str
    missed_ms: float
    lasts: tuple[float, float]
    way_step: float


@dataclass(frozen=True)
class Found:
    """What was found.

    Parameters
    ----------
    landings : of the gestures that are kept.
    half_frame_ms : by which a stroke may miss its word.
    step_degrees, step_at : how far a joint turns in a frame at most, which one, and when.
    recorded_step_degrees : the same in the gestures as they were recorded, and in what lies below.
    changed_below : how much a number of the bones that gestures leave alone differs from the motion without gestures.
    """

    landings: tuple[Landing, ...]
    half_frame_ms: float
    step_degrees: float
    step_at: tuple[str, float]
    recorded_step_degrees: float
    changed_below: float

    def lines(self, talk: Talk) -> list[str]:
        """Return what was found as lines of text, each figure beside its target."""
        every = [*talk.gestures, *talk.plan["left_out"]]
        gap = max(map(len, ["word", *(talk.text(told) for told in every)])) + 2
        wide = max(map(len, ["gesture", *(told["name"] for told in every)])) + 2
        lines = [f"{'word':{gap}}{'gesture':{wide}}  word at  hand turns  phases last  what the plan says"]
        for told, one in zip(talk.gestures, self.landings, strict=True):
            lasts = f"{one.lasts[0]:.2f}-{one.lasts[1]:.2f}"
            lines.append(
                f"{one.word:{gap}}{one.name:{wide}}{one.emphasis:7.2f} s{one.missed_ms:+9.1f} ms{lasts:>13}"
                f"  {told['given_up']}"
            )
        lines += [
            f"{talk.text(told):{gap}}{told['name']:{wide}}{told['emphasis']:7.2f} s  {told['told']}"
            for told in talk.plan["left_out"]
        ]
        worst = max((abs(one.missed_ms) for one in self.landings), key=lambda miss: np.nan_to_num(miss, nan=np.inf))
        least, most = min(one.lasts[0] for one in self.landings), max(one.lasts[1] for one in self.landings)
        share, asked = self.step_degrees / self.recorded_step_degrees, len(self.landings) + len(talk.plan["left_out"])
        (bone, at), way = self.step_at, max(self.landings, key=lambda one: one.way_step)
        below = "Legs, root and travel" if talk.plan["walks_at"] else "What lies below"
        return [
            *lines,
            f"{len(self.landings)} of {asked} gestures are kept",
            f"The hand turns at most {worst:.1f} ms from its word"
            f"{_beside(worst, self.half_frame_ms, ' ms, half a frame')}",
            f"The largest step of a joint is {self.step_degrees:.1f} degrees a frame ({bone} at {at:.2f} s),"
            f" {share:.2f} times that of the recorded motions, {self.recorded_step_degrees:.1f}"
            f"{_beside(share, STEP, ' times')}",
            f"While a gesture comes, a joint steps at most {way.way_step:.2f} times as far as in it, in the one"
            f" before and below ('{way.name}' on '{way.word}'){_beside(way.way_step, STEP, ' times')}",
            f"Phases last {least:.2f} to {most:.2f} times as long as recorded, holds aside (target {SHORTEST:g} to"
            f" {LONGEST:g}{'' if least >= SHORTEST - SAME and most <= LONGEST + SAME else ', MISSED'})",
            f"{below} differ from the motion without gestures by {self.changed_below:g}"
            f"{_beside(self.changed_below, 0.0)}",
        ]


def _beside(figure: float, limit: float, unit: str = "") -> str:
    return f" (target {limit:.3g}{unit}{'' if figure <= limit else ', MISSED'})"


def judge(talk: Talk) -> Found:
    """Judge what the scene has written."""
    moved, each = [bone for bone in talk.plan["moved"] if f"{bone} turn w" in talk.shown], talk.plan["rows_a_frame"]
    step, bone, row = _largest_step(talk.shown, moved, each)
    recorded = max(_largest_step(named, moved, each)[0] for named in (talk.alone, *talk.recorded.values()))
    before = [None, *talk.gestures[:-1]]
    landings = tuple(
        _landing(talk, told, _way_step(talk, told, last, moved))
        for last, told in zip(before, talk.gestures, strict=True)
    )
    left = [name for name in talk.shown if name in TRAVEL or not any(name.startswith(f"{bone} ") for bone in moved)]
    changed = max(float(np.abs(talk.shown[name] - talk.alone[name]).max()) for name in left)
    at = float(talk.times[row])
    return Found(landings, 1e3 * HALF * talk.frame, step, (bone, at), recorded, changed)


def _landing(talk: Talk, told: Mapping[str, Any], way_step: float) -> Landing:
    """Return how a gesture lands: when what is fastest in the stroke goes no farther on its way."""
    begin, emphasis = told["played"]["stroke_start"], told["emphasis"]
    rows = np.flatnonzero((talk.times >= begin) & (talk.times <= emphasis))
    speeds = {end: np.linalg.norm(talk.velocities[end][rows], axis=-1) for end in told["strokes_with"]}
    end = max(speeds, key=lambda one: float(speeds[one].max()))
    fastest = int(rows[int(np.argmax(speeds[end]))])
    forward = talk.velocities[end][fastest:] @ talk.velocities[end][fastest]
    back = np.flatnonzero(forward <= 0.0)
    turns = float("nan")
    if len(back):
        last = int(back[0]) - 1
        turns = float(np.interp(0.0, -forward[last : last + 2], talk.times[fastest + last : fastest + last + 2]))
    missed = 1e3 * (turns - emphasis)
    return Landing(talk.text(told), told["name"], emphasis, turns, end, missed, _lasts(told), way_step)


def _way_step(talk: Talk, told: Mapping[str, Any], last: Mapping[str, Any] | None, bones: Sequence[str]) -> float:
    """Return how far a joint steps at most while a gesture comes, beside what it comes from and itself."""
    each = talk.plan["rows_a_frame"]
    first, end = np.searchsorted(talk.times, told["comes"])
    came = slice(first, max(end, first + each) + 1)
    shown, _, _ = _largest_step({name: column[came] for name, column in talk.shown.items()}, bones, each)
    kinds = [f"{one['name']}_{one['size']:g}" for one in (told, last) if one is not None]
    known = [talk.alone, *(talk.recorded[kind] for kind in kinds)]
    return shown / max(_largest_step(named, bones, each)[0] for named in known)


def _lasts(told: Mapping[str, Any]) -> tuple[float, float]:
    """Return how many times as long as recorded the phases last at least and at most, without those that hold.

    What holds is what follows the end of a stroke, and what comes before one that is not prepared.
    """
    recorded = told["recorded"]
    own, played = np.transpose(told["keys"])
    shares = np.diff(played) / np.diff(own)
    counts = np.abs(own[:-1] - recorded["stroke_end"]) > SAME
    counts &= (own[:-1] > recorded["stroke_start"] - SAME) | ("ready" in told["played"])
    return float(shares[counts].min()), float(shares[counts].max())


def _largest_step(named: Named, bones: Sequence[str], rows: int) -> tuple[float, str, int]:
    """Return how far, in degrees, one of some bones turns at most in so many rows, which one, and in which row."""
    largest = 0.0, "", 0
    for bone in bones:
        if f"{bone} turn w" in named:
            turns = turns_of(named, bone)
            alike = np.abs(np.sum(turns[rows:] * turns[:-rows], axis=-1))
            angles = 2.0 * np.degrees(np.arccos(np.clip(alike, 0.0, 1.0)))
            if len(angles) and angles.max() > largest[0]:
                largest = float(angles.max()), bone, int(np.argmax(angles))
    return largest
