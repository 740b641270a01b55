"""Picture of a performance from above: the path of the root, and the prints of the feet where they stood."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from .look import INK, PALE_INK, PAPER, RULE, empty_picture, hex_of

Array = NDArray[np.float64]

COLOURS = ("#a6a6aa", "#59b58b", "#e78b59", "#6990d4", "#c481bf")
_SIZE = np.array([1500.0, 1150.0])
_SHARPEST = 150.0
_MARGIN, _TOP, _NARROWEST = 70.0, 130.0, 760.0
_TICK = 10.0
_SOLE = ((-0.16, 0.0, 0.024), (-0.19, -0.16, 0.034), (-0.01, 0.035, 0.046))
"""Parts of a footprint: where each begins and ends, ahead of the ball, and half its width, in metres."""


@dataclass(frozen=True, eq=False)
class Print:
    """The print of a foot that stood.

    Parameters
    ----------
    ankle, ball : (2,) places in metres.
    verb : name of the verb that played.
    """

    ankle: Array
    ball: Array
    verb: str


@dataclass(frozen=True, eq=False)
class Way:
    """What the picture shows.

    Parameters
    ----------
    title, subtitle : text above the picture.
    times : (T,) seconds.
    path : (T, 2) places of the root over the floor in metres.
    verbs : (T,) name of the verb that plays.
    prints : prints of the feet.
    commands : seconds of the commands.
    """

    title: str
    subtitle: str
    times: Array
    path: Array
    verbs: tuple[str, ...]
    prints: Sequence[Print]
    commands: Sequence[float]


def draw_way(path: str | Path, way: Way) -> None:
    """Write the picture as PNG. A path that extends farther along Y than along X is drawn turned by 90 degrees."""
    places = np.concatenate([way.path, *(one.ball[None] for one in way.prints)])
    extent = np.ptp(places, axis=0)
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]]) if extent[1] > extent[0] else np.eye(2)
    low, high = (places @ turn).min(axis=0) - 0.3, (places @ turn).max(axis=0) + 0.3
    scale = float(min(*(_SIZE / (high - low)), _SHARPEST))
    width, height = np.maximum((high - low) * scale, [_NARROWEST, 0.0])
    figure = empty_picture(width + 2.0 * _MARGIN, height + _TOP + _MARGIN)
    across, up = 1.0 / figure.bbox.size
    axes = figure.add_axes((_MARGIN * across, _MARGIN * up, width * across, height * up))
    axes.set(xlim=(low[0], low[0] + width / scale), ylim=(low[1], high[1]))
    axes.set_axis_off()
    colours = dict(zip(dict.fromkeys(way.verbs), cycle(COLOURS), strict=False))
    metres = np.meshgrid(*(np.arange(np.ceil(low[i]), high[i]) for i in (0, 1)))
    axes.plot(*np.reshape(metres, (2, -1)), ".", markersize=4.0, color=RULE)
    _draw_prints(axes, way, turn, scale, colours)
    _draw_path(axes, way, turn, colours)
    axes.annotate(way.title, (0, 1), (-30, 90), "axes fraction", "offset points", fontsize=28)
    axes.annotate(way.subtitle, (0, 1), (-30, 62), "axes fraction", "offset points", color=PALE_INK)
    lines = [Line2D([], [], color=colour, linewidth=10.0, label=name) for name, colour in colours.items()]
    figure.legend(
        handles=lines,
        loc="upper left",
        bbox_to_anchor=((_MARGIN - 25) * across, 1 - 88 * up),
        ncols=len(lines),
        handlelength=1.2,
    )
    figure.savefig(path)


def _draw_prints(axes: Axes, way: Way, turn: Array, scale: float, colours: dict[str, str]) -> None:
    """Draw the prints of the feet in pale colours of their verbs."""
    balls = np.array([one.ball for one in way.prints]) @ turn
    ahead = balls - np.array([one.ankle for one in way.prints]) @ turn
    ahead /= np.maximum(np.linalg.norm(ahead, axis=-1, keepdims=True), 1e-6)
    pale = [0.55 * np.array(to_rgb(hex_of(PAPER))) + 0.45 * np.array(to_rgb(colours[one.verb])) for one in way.prints]
    for begin, end, radius in _SOLE:
        parts = np.stack([balls + begin * ahead, balls + end * ahead], axis=1)
        width = 2.0 * radius * scale
        axes.add_collection(LineCollection(parts, colors=pale, linewidths=width, capstyle="round"))


def _draw_path(axes: Axes, way: Way, turn: Array, colours: dict[str, str]) -> None:
    """Draw the path in the colours of its verbs, a dot at each command, and a time every ten seconds."""
    points = way.path @ turn
    pieces = np.stack([points[:-1], points[1:]], axis=1)
    of_verbs = [colours[verb] for verb in way.verbs[:-1]]
    axes.add_collection(LineCollection(pieces, colors=of_verbs, linewidths=4.4, capstyle="round"))
    asked = points[np.searchsorted(way.times, way.commands)]
    axes.plot(*asked.T, "o", markersize=7.0, color=INK, markeredgecolor=hex_of(PAPER), markeredgewidth=2.0)
    halo = [withStroke(linewidth=4.0, foreground=hex_of(PAPER))]
    for seconds in np.arange(0.0, way.times[-1] + 1e-6, _TICK):
        here = points[min(int(np.searchsorted(way.times, seconds)), len(points) - 1)]
        axes.annotate(f"{seconds:.0f} s", here, (9, 8), textcoords="offset points", path_effects=halo)
