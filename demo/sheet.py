"""The contact sheet of verbs: lattices of figures over two adverbs, with examples coloured ([Rose1998] fig. 3)."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from .body import body_cones
from .look import PALE_INK, PAPER, empty_picture, encoded, hex_of
from .raster import Image, Stage, camera_at
from .shadow import light_floor

Array = NDArray[np.float64]

NEUTRAL = np.array([0.50, 0.52, 0.56])
EXAMPLE = np.array([0.10, 0.46, 0.26])
_CAPTION = "#3b7e60"

_CELL = (172, 226)
_EDGE, _HEADROOM = 28, 16
_LEFT, _RIGHT, _TOP, _BOTTOM = 92, 28, 96, 92
_ELEVATION = np.radians(11.0)
_TALLEST = 1.80


@dataclass(frozen=True)
class Axis:
    """One of the two adverbs of a panel: its name and the words for its ends."""

    name: str
    low: str
    high: str


@dataclass(frozen=True, eq=False)
class SheetFigure:
    """A pose at one place of the lattice.

    Parameters
    ----------
    joints : (J, 3) joints, Z up, facing -Y, standing anywhere; all figures of a panel use the same unit of length.
    place : (2,) place across and up the panel, 0 at the low and 1 at the high end of the axes.
    is_example : whether it is an example, not an interpolation.
    caption : small text below it; may be empty.
    grade : slope of the floor along -Y.
    """

    joints: Array
    place: tuple[float, float]
    is_example: bool
    caption: str = ""
    grade: float = 0.0


@dataclass(frozen=True, eq=False)
class SheetPanel:
    """The panel of one verb.

    Parameters
    ----------
    title, subtitle : name of the verb, and a line about it.
    across, up : the two adverbs.
    columns, rows : size of the lattice.
    parents : (J,) index of each joint's parent, -1 for none.
    figures : the poses.
    yaw : degrees from which the figures are seen: 0 from the front, 90 from their right.
    """

    title: str
    subtitle: str
    across: Axis
    up: Axis
    columns: int
    rows: int
    parents: NDArray[np.intp]
    figures: list[SheetFigure] = field(default_factory=list)
    yaw: float = 58.0


def lattice(columns: int, rows: int, examples: Array) -> list[tuple[float, float, int]]:
    """List the places of a panel's figures, and which of them an example takes because it is nearest there.

    Parameters
    ----------
    columns, rows : size of the lattice, 2 or more each.
    examples : (N, 2) places of the examples in [0, 1].

    Returns
    -------
    (across, up, example) for each point of the lattice, with the number of the example or -1.
    """
    steps = np.array([columns - 1, rows - 1])
    nearest: dict[tuple[int, int], tuple[float, int]] = {}
    for number, place in enumerate(np.clip(examples, 0.0, 1.0).reshape(-1, 2)):
        node = np.rint(place * steps)
        entry = float(np.linalg.norm(place * steps - node)), number
        key = int(node[0]), int(node[1])
        nearest[key] = min(entry, nearest.get(key, entry))
    return [
        (c / steps[0], r / steps[1], nearest.get((c, r), (0.0, -1))[1]) for r in range(rows) for c in range(columns)
    ]


def draw_sheet(path: str | Path, panels: list[SheetPanel]) -> None:
    """Draw panels of verbs, up to two below each other and more in two columns, and write them as PNG.

    Parameters
    ----------
    path : path of the PNG file.
    panels : one panel or more.
    """
    pictures = [draw_panel(panel) for panel in panels]
    across = 1 if len(panels) < 3 else 2
    down = -(-len(panels) // across)
    height, width, _ = np.max([picture.shape for picture in pictures], axis=0)
    whole = across * (_LEFT + width + _RIGHT), down * (_TOP + height + _BOTTOM)
    figure = empty_picture(*whole)
    figure.subplots_adjust(_LEFT / whole[0], _BOTTOM / whole[1], 1.0 - _RIGHT / whole[0], 1.0 - _TOP / whole[1])
    figure.subplots_adjust(wspace=(_LEFT + _RIGHT) / width, hspace=(_TOP + _BOTTOM) / height)
    for place, (panel, picture) in enumerate(zip(panels, pictures, strict=True), 1):
        axes = figure.add_subplot(down, across, place, anchor="NW")
        axes.imshow(encoded(picture))
        _annotate(axes, panel)
    figure.savefig(path)


def draw_panel(panel: SheetPanel) -> Image:
    """Draw the figures of a verb without text; returns linear RGB (H, W, 3)."""
    shape = _HEADROOM + panel.rows * _CELL[1], 2 * _EDGE + panel.columns * _CELL[0], 3
    picture = np.broadcast_to(PAPER, shape).copy()
    metre = _metre(panel)
    for figure in sorted(panel.figures, key=lambda f: -f.place[1]):
        _draw_figure(picture, panel, figure, metre)
    return picture


def _metre(panel: SheetPanel) -> float:
    """Return the units of the figures for a metre of a person of usual height, so that every figure fits its cell."""
    return max((_height(figure.joints, panel.parents) for figure in panel.figures), default=_TALLEST) / _TALLEST or 1.0


def _height(joints: Array, parents: NDArray[np.intp]) -> float:
    cones = body_cones(joints, parents, NEUTRAL, np.array([0.0, -1.0, 0.0]))
    top = max(max(c.start[2] + c.start_radius, c.end[2] + c.end_radius) for c in cones)
    return float(top - joints[:, 2].min())


def _draw_figure(picture: Image, panel: SheetPanel, figure: SheetFigure, metre: float) -> None:
    camera = camera_at(np.radians(panel.yaw), _ELEVATION, (_CELL[1] - 44) / _TALLEST)
    wide, tall = int(1.7 * _CELL[0]), int(1.25 * _CELL[1])
    stage = Stage(camera, wide, tall, (0.5 * wide, tall - 34.0))
    rise = np.array([0.0, -figure.grade])
    joints = figure.joints / metre
    joints[:, :2] -= np.mean(joints[:, :2], axis=0)
    joints[:, 2] -= np.min(joints[:, 2] - joints[:, :2] @ rise) - 0.025
    colour = EXAMPLE if figure.is_example else NEUTRAL
    cones = body_cones(joints, panel.parents, colour, camera.axes[2])
    for cone in cones:
        stage.draw(cone)
    light = np.ones((tall, wide), dtype=np.float32)
    light_floor(light, stage, cones, np.zeros(3), rise)
    body, cover = stage.shaded()
    across, down = _centre(panel, *figure.place)
    left, top = round(across - 0.5 * wide), round(down + 0.5 * _CELL[1] - tall)
    rows, columns = _overlap(top, tall, picture.shape[0]), _overlap(left, wide, picture.shape[1])
    inner = slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left)
    window = picture[rows, columns]
    window *= light[inner][..., None] * (1.0 - cover[inner])
    window += body[inner]


def _centre(panel: SheetPanel, across: float, up: float) -> tuple[float, float]:
    """Return the pixel in the middle of the cell at a place of the lattice."""
    column, row = across * (panel.columns - 1), (1.0 - up) * (panel.rows - 1)
    return _EDGE + (0.5 + column) * _CELL[0], _HEADROOM + (0.5 + row) * _CELL[1]


def _overlap(start: int, size: int, limit: int) -> slice:
    return slice(max(start, 0), max(min(start + size, limit), 0))


def _annotate(axes: Axes, panel: SheetPanel) -> None:
    """Add title, legend, the two adverbs as axes, and captions below the figures."""
    axes.set_title(panel.title, fontsize=30, pad=44)
    axes.annotate(panel.subtitle, (0, 1), (0, 20), "axes fraction", "offset points", color=PALE_INK)
    kinds = (("example", EXAMPLE), ("interpolated", NEUTRAL))
    dots = [Line2D([], [], ls="", marker="o", ms=16, color=hex_of(colour), label=kind) for kind, colour in kinds]
    axes.legend(handles=dots, loc="lower right", bbox_to_anchor=(0.98, 1.03), ncols=2, fontsize=16)
    (left, low), (right, high) = _centre(panel, 0.0, 0.0), _centre(panel, 1.0, 1.0)
    for side, bounds in (("bottom", (left, right)), ("left", (low, high))):
        axes.spines[side].set_position(("outward", 16))
        axes.spines[side].set_bounds(bounds)
    axes.set_xticks([left, right], [panel.across.low, panel.across.high])
    axes.set_yticks([low, high], [panel.up.low, panel.up.high], rotation=90, va="center")
    axes.tick_params(labelsize=17)
    axes.set_xlabel(panel.across.name, fontsize=21, labelpad=-8)
    axes.set_ylabel(panel.up.name, fontsize=21, labelpad=-8)
    for figure in panel.figures:
        across, down = _centre(panel, *figure.place)
        size = min(12.0, (_CELL[0] - 8) / (0.6 * max(len(figure.caption), 1)))
        axes.text(across, down + 106.0, figure.caption, ha="center", fontsize=size, color=_CAPTION)
