"""The picture of a talk in time: its words, under them the gestures as strips, and how fast the hands go.

A strip is as high as the weight with which its gesture is played, and coloured by its phases. A line leads from each
word at its emphasis through the strip to the instant at which the hand stands still.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
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
SECONDS, FEWEST = 12.0, 6.0
"""Seconds in a line of the picture: about so many, and at least so many."""
WIDE, TALL, NOTE = 1800, 400, 24
LEFT, RIGHT = 46, 20
WORDS, LANES, SPEEDS = (3.25, 3.75), (2.2, 1.15), 0.0
"""Heights of words, of the two lanes of strips, and of the speeds of the hands."""
STYLES = ("--", "-", ":", "-.")
"""Lines of the speeds of the left and the right hand, and of what else strokes."""
LETTER = 10.5
"""Pixels of a letter of the gestures' names."""
HIGH, FAST = 0.72, 0.85
"""Heights of a strip, and of the fastest hand."""


def draw_strips(path: Path, talk: Talk, found: Found) -> None:
    """Draw the picture, in lines of `SECONDS`, and write it as PNG."""
    spans = _spans(talk)
    longest = max(FEWEST, *(end - begin for begin, end in spans))
    notes = list(_notes(talk))
    foot = 46 + NOTE * len(notes)
    height = len(spans) * TALL + foot
    figure = empty_picture(WIDE, height)
    for line, (begin, end) in enumerate(spans):
        bottom = 1.0 - ((line + 1) * TALL - 40) / height
        wide = (WIDE - LEFT - RIGHT) * (end - begin) / longest
        axes = figure.add_axes((LEFT / WIDE, bottom, wide / WIDE, (TALL - 50) / height))
        axes.set_xlim(begin, end)
        axes.set_ylim(-0.12, 4.4)
        axes.xaxis.set_major_formatter("{x:g} s")
        axes.set_yticks([0.4, 2.0, 3.5], ["speeds", "gestures", "words"], rotation=90, va="center", color=PALE_INK)
        axes.tick_params("y", length=0)
        axes.spines["left"].set_visible(False)
        _line(axes, talk, found, (begin, end), wide / (end - begin))
    handles: list[Patch | Line2D] = [Patch(color=colour, label=told) for told, colour in PHASES.values()]
    handles.append(Line2D([], [], color=INK, marker="o", markersize=9, label="emphasis, hand turns"))
    handles += [
        Line2D([], [], color=PALE_INK, linestyle=style, label=f"speed of {end}")
        for end, style in zip(talk.ends, STYLES, strict=False)
    ]
    figure.legend(handles=handles, loc="lower left", ncols=9, bbox_to_anchor=(LEFT / WIDE, (foot - 40) / height))
    for row, note in enumerate(notes):
        figure.text(LEFT / WIDE, (foot - 46 - NOTE * (row + 0.6)) / height, note, fontsize=14, va="center", color=INK)
    figure.savefig(path)


def _line(axes: Axes, talk: Talk, found: Found, span: tuple[float, float], pixels: float) -> None:
    """Draw the seconds of a span, each of which is so many pixels wide."""
    begin, end = span
    asked = {told["word"] for told in (*talk.gestures, *talk.plan["left_out"])}
    for number, word in enumerate(talk.plan["words"]):
        if begin <= word["start"] < end:
            _word(axes, word, number in asked, pixels)
    for number, told in enumerate(talk.gestures):
        if told["comes"][0] < end and told["goes"][1] > begin:
            _strip(axes, talk.gestures, number)
    _speeds(axes, talk, span)
    for one in found.landings:
        if begin <= one.emphasis < end:
            axes.plot([one.emphasis] * 2, [SPEEDS, WORDS[0]], color=INK, linewidth=2.0, zorder=4)
            axes.plot([one.turns], [SPEEDS], marker="o", markersize=9, color=INK, clip_on=False, zorder=5)
    for told in talk.plan["left_out"]:
        if begin <= told["emphasis"] < end:
            axes.plot([told["emphasis"]] * 2, [LANES[1] - 0.1, WORDS[0]], color=MISSING, linewidth=1.5, linestyle=":")
            axes.plot([told["emphasis"]], [LANES[1] - 0.1], marker="x", markersize=11, mew=3.0, color=MISSING)
    _names(axes, talk, span, pixels)


def _names(axes: Axes, talk: Talk, span: tuple[float, float], pixels: float) -> None:
    """Write the names of gestures over their words, in two rows where they are close."""
    reach = [-np.inf, -np.inf]
    every = [(told, INK) for told in talk.gestures] + [(told, MISSING) for told in talk.plan["left_out"]]
    for told, colour in sorted(every, key=lambda one: one[0]["emphasis"]):
        if not span[0] <= told["emphasis"] < span[1]:
            continue
        name, at = f"({told['name']})" if told["drawn"] else told["name"], told["emphasis"]
        half = 0.5 * LETTER * (len(name) + 1) / pixels
        row = 0 if at - half >= reach[0] or at - half < reach[1] else 1
        reach[row] = at + half
        height = WORDS[1] + 0.10 + 0.32 * row
        axes.text(at, height, name, ha="center", va="bottom", fontsize=15, weight="bold", color=colour)


def _word(axes: Axes, word: Mapping[str, Any], asked: bool, pixels: float) -> None:
    """Draw a word as a box as long as it lasts, with its text as large as it fits."""
    start, lasts = word["start"], max(word["end"] - word["start"], 0.02)
    colour = "#dfe1e6" if asked else "#e9e9e6"
    box = Rectangle((start, WORDS[0]), lasts, WORDS[1] - WORDS[0], facecolor=colour, edgecolor=PALE_INK, linewidth=1.0)
    axes.add_patch(box)
    size = float(np.clip(pixels * lasts / (0.66 * max(len(word["text"]), 1)), 6.0, 15.0))
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
    notes += [f"quicker: {least:.0%} of the time"] if least < 0.995 else []
    axes.text(told["emphasis"] + 0.04, lane - 0.03, ", ".join(notes), fontsize=12, color=INK, va="top", zorder=6)


def _least(told: Mapping[str, Any]) -> float:
    recorded, played = told["recorded"], told["played"]
    return (played["stroke"] - played["stroke_start"]) / (recorded["stroke"] - recorded["stroke_start"])


def _speeds(axes: Axes, talk: Talk, span: tuple[float, float]) -> None:
    """Draw how fast each hand goes, seen from the root."""
    rows = (talk.times >= span[0]) & (talk.times <= span[1])
    speeds = {end: np.linalg.norm(one, axis=-1) for end, one in talk.velocities.items()}
    fastest = max(float(one.max()) for one in speeds.values())
    for end, style in zip(speeds, STYLES, strict=False):
        axes.plot(
            talk.times[rows],
            SPEEDS + FAST * speeds[end][rows] / fastest,
            color=PALE_INK,
            linewidth=1.6,
            linestyle=style,
        )


def _spans(talk: Talk) -> list[tuple[float, float]]:
    """Return the seconds of the lines, which are parted where nothing is said if they can be."""
    words, last = talk.plan["words"], float(talk.times[-1])
    count = max(1, ceil(last / SECONDS - 0.25))
    gaps = [(one["end"], after["start"]) for one, after in pairwise(words)]
    edges = [0.0]
    for line in range(1, count):
        even = last * line / count
        edges.append(
            min((0.5 * sum(gap) for gap in gaps if gap[1] > gap[0]), key=lambda at: abs(at - even), default=even)
        )
    return [(begin, end) for begin, end in pairwise([*edges, last]) if end > begin]


def _drawn(told: Mapping[str, Any]) -> bool:
    return told["drawn"]


def _notes(talk: Talk) -> Iterator[str]:
    """Yield sentences about what is left out, and how to read the picture."""
    told = "A strip is as high as its gesture's weight, and runs from left to right through its phases."
    brackets = " Gestures in brackets were drawn, for no tag asks for one." if any(map(_drawn, talk.gestures)) else ""
    yield told + brackets
    for told in talk.plan["left_out"]:
        yield f"\u00d7  {told['name']} on '{talk.text(told)}' {told['told']}"
