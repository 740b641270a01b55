"""The picture of a talk in time: its words, under them the gestures as strips, and how fast the hands go.

A strip is as high as the weight with which its gesture is played, and coloured by its phases. A line leads from each
word at its emphasis through the strip to the instant at which the hand stands still.
"""

from collections.abc import Iterator, Mapping
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle
from numpy.typing import NDArray

from .landing import Found, Talk
from .look import INK, PALE_INK, empty_picture

Array = NDArray[np.float64]

PHASES = {
    "way": ("straight on to the stroke", "#c9cdd6"),
    "preparation": ("preparation", "#9dbbd3"),
    "wait": ("wait", "#cfdde8"),
    "stroke": ("stroke", "#d9823b"),
    "hold": ("hold", "#ecd9a8"),
    "relaxation": ("relaxation", "#a9c7a0"),
}
"""For each part of a strip its name in the legend, and its colour."""
MISSING = "#b03030"
SECONDS = 12.0
"""Seconds in a line of the picture."""
WIDE, TALL, NOTE = 1800, 400, 24
LEFT, RIGHT = 40, 20
WORDS, LANES, SPEEDS = (3.25, 3.75), (2.05, 1.15), 0.0
"""Heights of words, of the two lanes of strips, and of the speeds of the hands."""
HIGH, FAST = 0.72, 0.85
"""Heights of a strip, and of the fastest hand."""


def draw_strips(path: Path, talk: Talk, found: Found) -> None:
    """Draw the picture, in lines of `SECONDS`, and write it as PNG."""
    lines = max(1, ceil(float(talk.times[-1]) / SECONDS - 0.1))
    seconds = max(SECONDS, float(talk.times[-1]) / lines)
    notes = list(_notes(talk))
    foot = 70 + NOTE * len(notes)
    height = lines * TALL + foot
    figure = empty_picture(WIDE, height)
    for line in range(lines):
        bottom = 1.0 - ((line + 1) * TALL - 46) / height
        axes = figure.add_axes((LEFT / WIDE, bottom, (WIDE - LEFT - RIGHT) / WIDE, (TALL - 60) / height))
        axes.set_xlim(line * seconds, (line + 1) * seconds)
        axes.set_ylim(-0.12, 4.25)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("seconds" if line + 1 == lines else "", labelpad=-18, loc="right")
        _line(axes, talk, found, (line * seconds, (line + 1) * seconds))
    patches = [Patch(color=colour, label=told) for told, colour in PHASES.values()]
    patches.append(Patch(color=INK, label="emphasis on its word"))
    figure.legend(handles=patches, loc="lower left", ncols=7, bbox_to_anchor=(LEFT / WIDE, (foot - 62) / height))
    for row, note in enumerate(notes):
        figure.text(LEFT / WIDE, (foot - 70 - NOTE * (row + 0.6)) / height, note, fontsize=14, va="center", color=INK)
    figure.savefig(path)


def _line(axes: Axes, talk: Talk, found: Found, span: tuple[float, float]) -> None:
    """Draw the seconds of a span."""
    begin, end = span
    pixels = (WIDE - LEFT - RIGHT) / (end - begin)
    asked = {told["word"] for told in (*talk.gestures, *talk.plan["left_out"])}
    for number, word in enumerate(talk.plan["words"]):
        if begin <= word["start"] < end:
            _word(axes, word, number in asked, pixels)
    for number, told in enumerate(talk.gestures):
        if told["comes"][0] < end and told["goes"][1] > begin:
            _strip(axes, talk.gestures, number)
    _speeds(axes, talk, span)
    for told, one in zip(talk.gestures, found.landings, strict=True):
        if begin <= one.emphasis < end:
            axes.plot([one.emphasis] * 2, [SPEEDS, WORDS[0]], color=INK, linewidth=2.0, zorder=4)
            axes.plot([one.turns], [SPEEDS], marker="o", markersize=9, color=INK, clip_on=False, zorder=5)
            _named(axes, one.emphasis, told, INK)
    for told in talk.plan["left_out"]:
        if begin <= told["emphasis"] < end:
            axes.plot([told["emphasis"]] * 2, [LANES[1] - 0.1, WORDS[0]], color=MISSING, linewidth=1.5, linestyle=":")
            axes.plot([told["emphasis"]], [LANES[1] - 0.1], marker="x", markersize=11, mew=3.0, color=MISSING)
            _named(axes, told["emphasis"], told, MISSING)


def _named(axes: Axes, at: float, told: Mapping[str, Any], colour: str) -> None:
    """Write the name of a gesture over its word; in brackets where the text asked for none."""
    name = f"({told['name']})" if told["drawn"] else told["name"]
    axes.text(at, WORDS[1] + 0.12, name, ha="center", va="bottom", fontsize=15, weight="bold", color=colour)


def _word(axes: Axes, word: Mapping[str, Any], asked: bool, pixels: float) -> None:
    """Draw a word as a box as long as it lasts, with its text as large as it fits."""
    start, lasts = word["start"], max(word["end"] - word["start"], 0.02)
    colour = "#dfe1e6" if asked else "#e9e9e6"
    box = Rectangle((start, WORDS[0]), lasts, WORDS[1] - WORDS[0], facecolor=colour, edgecolor=PALE_INK, linewidth=1.0)
    axes.add_patch(box)
    size = float(np.clip(pixels * lasts / (0.60 * max(len(word["text"]), 1)), 6.0, 15.0))
    middle = start + 0.5 * lasts, 0.5 * (WORDS[0] + WORDS[1])
    axes.text(*middle, word["text"], ha="center", va="center", fontsize=size, color=INK, clip_on=True)


def _parts(told: Mapping[str, Any]) -> Iterator[tuple[str, float, float]]:
    """Yield the parts of a strip, with their seconds."""
    played, (begin, _), (go, end) = told["played"], told["comes"], told["goes"]
    if "ready" in played:
        yield "preparation", begin, played["ready"]
        yield "wait", played["ready"], played["stroke_start"]
    else:
        yield "way", begin, played["stroke_start"]
    yield "stroke", played["stroke_start"], played["stroke_end"]
    yield "hold", played["stroke_end"], go if told["relaxes"] else end
    if told["relaxes"]:
        yield "relaxation", go, end


def weight_of(told: Mapping[str, Any], times: Array) -> Array:
    """Return the weight (T,) with which a gesture comes, and goes if it relaxes."""
    weight = _eased(times, *told["comes"])
    return weight * (1.0 - _eased(times, *told["goes"])) if told["relaxes"] else weight


def _eased(times: Array, begin: float, end: float) -> Array:
    share = np.clip((times - begin) / max(end - begin, 1e-6), 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)


def _strip(axes: Axes, gestures: list[dict[str, Any]], number: int) -> None:
    """Draw a gesture: as high as its weight, which the next one takes where this one does not relax."""
    told = gestures[number]
    times = np.linspace(told["comes"][0], told["goes"][1], 600)
    weight = weight_of(told, times)
    if not told["relaxes"] and number + 1 < len(gestures):
        weight = weight * (1.0 - weight_of(gestures[number + 1], times))
    lane = LANES[number % 2]
    for part, begin, end in _parts(told):
        inside = (times >= begin - 1e-3) & (times <= end + 1e-3)
        axes.fill_between(times[inside], lane, lane + HIGH * weight[inside], color=PHASES[part][1], linewidth=0.0)
    axes.plot(times, lane + HIGH * weight, color=PALE_INK, linewidth=1.0)
    axes.plot(times[[0, -1]], [lane, lane], color=PALE_INK, linewidth=1.0)
    least = _least(told)
    notes = [f"size {told['size']:.0%}"] if told["size"] < 1.0 else []
    notes += [f"in {least:.0%} of the time"] if least < 0.995 else []
    axes.text(told["emphasis"] + 0.04, lane + 0.06, ", ".join(notes), fontsize=12, color=INK, va="bottom", zorder=6)


def _least(told: Mapping[str, Any]) -> float:
    recorded, played = told["recorded"], told["played"]
    return (played["stroke"] - played["stroke_start"]) / (recorded["stroke"] - recorded["stroke_start"])


def _speeds(axes: Axes, talk: Talk, span: tuple[float, float]) -> None:
    """Draw how fast each hand goes, seen from the root."""
    rows = (talk.times >= span[0]) & (talk.times <= span[1])
    speeds = np.linalg.norm(talk.velocities, axis=-1)
    for hand, (name, style) in enumerate(zip(talk.plan["hands"], ("--", "-"), strict=False)):
        line = SPEEDS + FAST * speeds[rows, hand] / speeds.max()
        axes.plot(talk.times[rows], line, color=PALE_INK, linewidth=1.6, linestyle=style, label=f"speed of {name}")
    axes.legend(loc="upper left", bbox_to_anchor=(0.0, 0.27), fontsize=12, handlelength=2.0)


def _notes(talk: Talk) -> Iterator[str]:
    """Yield sentences about what is left out, and how to read the picture."""
    yield "A strip is as high as its gesture's weight. At each word's emphasis the hand that strokes stands still."
    for told in talk.plan["left_out"]:
        yield f"\u00d7  {told['name']} on '{talk.text(told)}' {told['told']}"
