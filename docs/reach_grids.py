"""Drawing [Rose2001] figures 6 to 14 and 19: grids that are asked for and reached, errors over pseudo-examples."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from ..demo.body import body_cones
from ..demo.look import INK, PALE_INK, PAPER, RULE, empty_picture, encoded
from ..demo.raster import Cone, Stage, camera_at
from ..demo.sheet import NEUTRAL

Array = NDArray[np.float64]
Box = tuple[float, float, float, float]
Size = tuple[float, float]
Colours = Callable[[float], Sequence[float]]

CELL, GAP, HEADER, ROW, FOOT = (370, 320), 36, 70, 84, 90
"""Sizes in pixels of the picture of grids: a cell, between cells, above all, beside the cells of a row, and below."""
YAW, ELEVATION = np.radians(52.0), np.radians(14.0)
FILLED, ASIDE = 0.7, 0.56
"""Share of a cell that the grid may fill that is asked for, and where its middle is across."""
BAR = 0.2
THIN, THICK, SMALL, BIG = 0.6, 1.5, 3.6, 5.0
"""Pixels: radii of the lines that are asked for and reached, of pseudo-examples and of examples."""
WORST = 10.0
"""Percent that have the last colour."""
PLOTTED, NEXT = (1e-4, 40.0), 1.75
"""Percent that are plotted, and the least factor between the places of two names."""
PAIRS = (("#dbaf9f", "#e78b59"), ("#a3b2d2", "#6990d4"))
"""Colours of the average and of the largest error: without a search at every pose, and with it."""
DASHED = (0, (4, 3))
PSEUDO = "#8a3fb0"


@dataclass(frozen=True, eq=False)
class Warped:
    """A grid of places that are asked for, and where the end effector comes, as in [Rose2001] figures 6 to 13.

    Parameters
    ----------
    title, name : of the way in which it is played, and of what reaches.
    asked, achieved : (..., M) places in metres: a grid of D dimensions in the plane (M = 2) or in space (M = 3).
    percent : (...) how far they are apart, in percent of the region's diagonal.
    lines : dimensions of the grid along which lines are drawn.
    errors, paper : average and largest error in percent, over more places than are drawn, and the paper's.
    poses : (., J, 3) joints of what is drawn behind the grid: in the plane all examples.
    parents : (J,) index of each joint's parent, -1 for none.
    examples, pseudo : (N, M) and (K, M) places of the examples and of the pseudo-examples.
    """

    title: str
    name: str
    asked: Array
    achieved: Array
    percent: Array
    lines: tuple[int, ...]
    errors: tuple[float, float]
    paper: tuple[float, float]
    poses: Array
    parents: NDArray[np.intp]
    examples: Array
    pseudo: Array

    def segments(self, places: Array) -> Array:
        """Return the ends (S, 2, M) of the lines of the grid at `places`, its own or those that are asked for."""
        return np.concatenate([_pairs(places, axis).reshape(-1, 2, places.shape[-1]) for axis in self.lines])

    @property
    def errors_of_segments(self) -> Array:
        """Errors (S,) of the segments in percent: means over their ends."""
        return np.concatenate([_pairs(self.percent[..., None], axis).mean(axis=-2).ravel() for axis in self.lines])


def _pairs(places: Array, axis: int) -> Array:
    """Return neighbours (..., 2, M) along an axis of a grid of `places` (..., M)."""
    count = places.shape[axis]
    return np.stack([places.take(np.arange(count - 1), axis), places.take(np.arange(1, count), axis)], axis=-2)


@dataclass(frozen=True, eq=False)
class Plot:
    """Errors over the number of pseudo-examples, as in [Rose2001] figure 14, and the paper's.

    Parameters
    ----------
    title : what reaches, and of what the percent are.
    counts : (C,) numbers of pseudo-examples.
    alone, searched : (C, 2) average and largest error in percent, without and with a search at every pose.
    paper_alone, paper_searched : the paper's average and largest, not a number where it is not told.
    """

    title: str
    counts: NDArray[np.intp]
    alone: Array
    searched: Array
    paper_alone: tuple[float, float]
    paper_searched: tuple[float, float]


def draw_warped(path: str | Path, rows: Sequence[Sequence[Warped]], colour_of: Colours) -> None:
    """Draw grids that are asked for and reached, one row for each task and one column for each way, as PNG."""
    width, height = CELL
    whole = len(rows[0]) * (width + GAP) + GAP, HEADER + len(rows) * (height + ROW) + FOOT
    figure = empty_picture(*whole)
    for index, row in enumerate(rows):
        top = HEADER + index * (height + ROW)
        figure.text(GAP / whole[0], 1.0 - (top + 24) / whole[1], row[0].name, fontsize=19)
        for column, one in enumerate(row):
            left = GAP + column * (width + GAP)
            if not index:
                figure.text(left / whole[0], 1.0 - 46 / whole[1], one.title, fontsize=23)
            box = left, whole[1] - top - 36 - height, width, height
            (_draw_flat if one.asked.shape[-1] == 2 else _draw_deep)(figure, whole, box, one, colour_of)
            ours = [float(f"{error:.{2 if error < 1.0 else 3}g}") for error in one.errors]
            told = f"{_percents(ours)} %; the paper {_percents(one.paper)} %"
            figure.text(left / whole[0], (box[1] - 22) / whole[1], told, fontsize=15, color=PALE_INK)
    _draw_keys(figure, whole, colour_of)
    figure.savefig(path)


def _percents(errors: Sequence[float]) -> str:
    """Return an average and a largest error as text; what the paper does not tell is a question mark."""
    return " / ".join("?" if np.isnan(error) else f"{error:.4g}" for error in errors)


def _axes(figure: Figure, whole: tuple[float, float], box: tuple[float, float, float, float]) -> Axes:
    """Add axes at a `box` in pixels: left, bottom, width and height."""
    return figure.add_axes((box[0] / whole[0], box[1] / whole[1], box[2] / whole[0], box[3] / whole[1]))


def _draw_flat(
    figure: Figure, whole: tuple[float, float], box: tuple[float, float, float, float], one: Warped, colour_of: Colours
) -> None:
    """Draw a grid in the plane, with the poses of the examples behind it and its axes in metres."""
    left, bottom, width, height = box
    axes = _axes(figure, whole, (left + 44, bottom + 26, width - 44, height - 26))
    for pose in one.poses:
        axes.plot(*pose[1:, :2].T, color=RULE, linewidth=5, alpha=0.7, solid_joinstyle="round", zorder=0)
    axes.add_collection(LineCollection(list(one.segments(one.asked)), colors=PALE_INK, linewidths=1, alpha=0.5))
    colours = [colour_of(error)[:3] for error in one.errors_of_segments.tolist()]
    axes.add_collection(LineCollection(list(one.segments(one.achieved)), colors=colours, linewidths=2.5))
    axes.plot(*one.pseudo.T, "o", markersize=7, color=PSEUDO)
    axes.plot(*one.examples.T, "o", markersize=10, color=INK)
    reach = float(np.abs(one.poses[..., :2]).max()) + 0.05
    tall = reach * (height - 26) / (width - 44)
    axes.set(xlim=(-0.04, reach), ylim=(-0.5 * tall, 0.5 * tall), xticks=(0.0, 0.4, 0.8), yticks=(-0.3, 0.0, 0.3))
    axes.xaxis.set_major_formatter("{x:g} m")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.tick_params(labelsize=12, labelcolor=PALE_INK)


def _draw_deep(
    figure: Figure, whole: tuple[float, float], box: tuple[float, float, float, float], one: Warped, colour_of: Colours
) -> None:
    """Draw a grid in space, before the figure that reaches for its middle."""
    axes = _axes(figure, whole, box)
    width, height = int(box[2]), int(box[3])
    region = np.concatenate([one.asked.reshape(-1, 3), one.examples])
    seen = camera_at(YAW, ELEVATION, 1.0).project(region)[:, :2]
    scale = FILLED * float(np.min(np.array([width, height]) / np.ptp(seen, axis=0)))
    camera = camera_at(YAW, ELEVATION, scale)
    right, up = scale * 0.5 * (seen.min(axis=0) + seen.max(axis=0))
    stage = Stage(camera, width, height, (ASIDE * width - right, 0.5 * height + up))
    for cone in body_cones(one.poses[0], one.parents, NEUTRAL, camera.axes[2]):
        stage.draw(cone)
    for start, end in one.segments(one.asked):
        stage.draw(Cone(start, end, THIN / scale, THIN / scale, np.full(3, 0.55)))
    for (start, end), error in zip(one.segments(one.achieved), one.errors_of_segments.tolist(), strict=True):
        stage.draw(Cone(start, end, THICK / scale, THICK / scale, np.array(colour_of(error)[:3]) ** 2.2))
    for places, size, colour in ((one.examples, BIG / scale, INK), (one.pseudo, SMALL / scale, PSEUDO)):
        for place in places:
            stage.draw(Cone(place, place, size, size, np.array(to_rgb(colour)) ** 2.2))
    shaded, cover = stage.shaded()
    axes.imshow(encoded(PAPER * (1.0 - cover) + shaded))
    bar = BAR * scale * np.cos(ELEVATION)
    axes.plot([12, 12], [height - 12, height - 12 - bar], color=INK, linewidth=2)
    axes.text(20, height - 12 - 0.5 * bar, f"{BAR:g} m", fontsize=12, va="center", color=PALE_INK)
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()


def _draw_keys(figure: Figure, whole: tuple[float, float], colour_of: Colours) -> None:
    """Draw what the marks mean, and the colours of the errors with a scale in percent."""
    marks = (
        Line2D([], [], color=PALE_INK, linewidth=1, label="asked"),
        Line2D([], [], color=colour_of(1.0), linewidth=4, label="reached, coloured by the error"),
        Line2D([], [], ls="", marker="o", markersize=10, color=INK, label="example"),
        Line2D([], [], ls="", marker="o", markersize=7, color=PSEUDO, label="pseudo-example"),
    )
    figure.legend(handles=marks, loc="lower left", bbox_to_anchor=(GAP / whole[0], 26 / whole[1]), ncols=4)
    axes = _axes(figure, whole, (whole[0] - 480, 42, 440, 16))
    errors = np.linspace(0.0, WORST, 256)
    axes.imshow([[colour_of(error)[:3] for error in errors]], aspect="auto", extent=(0.0, WORST, 0.0, 1.0))
    axes.set(yticks=(), xticks=(0, 1, 2, 4, 6, 8, 10), xticklabels=("0", "1", "2", "4", "6", "8", "10 %+"))
    axes.tick_params(labelsize=13, labelcolor=PALE_INK)


def draw_plots(path: str | Path, plots: Sequence[Plot]) -> None:
    """Write errors over the number of pseudo-examples as PNG, one panel for each task, with the paper's beside them."""
    width, height, aside = 430, 460, 130
    whole = len(plots) * (width + aside) + 40, height + 150
    figure = empty_picture(*whole)
    for index, plot in enumerate(plots):
        left = 90 + index * (width + aside)
        axes = _axes(figure, whole, (left, 92, width - 40, height))
        axes.set(yscale="log", ylim=PLOTTED, xlim=(0, plot.counts[-1]), xlabel="pseudo-examples")
        figure.text((left - 64) / whole[0], (height + 112) / whole[1], plot.title, fontsize=19)
        axes.grid(axis="y")
        axes.yaxis.set_major_formatter("{x:g} %")
        axes.tick_params(which="both", length=0, pad=8, labelcolor=PALE_INK)
        named = zip((plot.alone, plot.searched), (plot.paper_alone, plot.paper_searched), PAIRS, strict=True)
        ends: list[tuple[float, str]] = []
        for errors, papers, colours in named:
            for values, paper, colour in zip(errors.T, papers, colours, strict=True):
                axes.plot(plot.counts, values, color=colour, linewidth=3.2)
                if not np.isnan(paper):
                    axes.axhline(paper, color=colour, linewidth=1.6, linestyle=DASHED)
                    ends.append((paper, colour))
        under = np.inf
        for paper, colour in sorted(ends, reverse=True):
            under = min(paper, under / NEXT)
            end = plot.counts[-1], under
            axes.annotate(f"paper {paper:g}", end, (8, 0), textcoords="offset points", va="center", color=colour)
    names = ("at most", "on average", "and Exactly, at most", "and Exactly, on average")
    colours = [colour for pair in PAIRS for colour in reversed(pair)]
    marks = [Line2D([], [], color=c, linewidth=3.2, label=n) for n, c in zip(names, colours, strict=True)]
    marks.append(Line2D([], [], color=PALE_INK, linewidth=1.6, linestyle=DASHED, label="the paper's"))
    figure.legend(handles=marks, loc="lower left", bbox_to_anchor=(40 / whole[0], 8 / whole[1]), ncols=5)
    figure.savefig(path)
