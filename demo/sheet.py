"""Contact sheet of verbs: lattices of figures over two adverbs, examples in another colour ([Rose1998] fig. 3)."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .body import body_cones
from .lettering import text_width, write_text
from .png import write_png
from .raster import Image, Stage, camera_at
from .shadow import PAPER, light_floor

Array = NDArray[np.float64]

NEUTRAL = np.array([0.50, 0.52, 0.56])
EXAMPLE = np.array([0.10, 0.46, 0.26])
_INK = np.array([0.030, 0.034, 0.045])
_PALE_INK = np.array([0.20, 0.21, 0.23])
_RULE = np.array([0.62, 0.62, 0.62])

_CELL = (172, 226)
_LEFT, _RIGHT, _TOP, _BOTTOM = 104, 28, 104, 92
_ELEVATION = np.radians(11.0)
_TALLEST = 1.80


@dataclass(frozen=True)
class Axis:
    """One of the two adverbs of a panel: its name and what its ends mean."""

    name: str
    low: str
    high: str


@dataclass(frozen=True, eq=False)
class SheetFigure:
    """A pose at a place of the lattice.

    Parameters
    ----------
    joints : (J, 3) in one unit for all figures of a panel, Z up, facing -Y, wherever it stands.
    place : (2,) across and up the panel, 0 at the low and 1 at the high end of the axes.
    is_example : an example, not an interpolation.
    caption : small text below, may be empty.
    grade : rise of the floor along -Y for each unit.
    """

    joints: Array
    place: tuple[float, float]
    is_example: bool
    caption: str = ""
    grade: float = 0.0


@dataclass(frozen=True, eq=False)
class SheetPanel:
    """One verb.

    Parameters
    ----------
    title, subtitle : name of the verb, and a line about it.
    across, up : the adverbs.
    columns, rows : of the lattice.
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
    """Places of a panel's figures: the lattice's, where an example is nearest to one, the example in its stead.

    Parameters
    ----------
    columns, rows : of the lattice, 2 or more each.
    examples : (N, 2) places of the examples in [0, 1].

    Returns
    -------
    (across, up, example) of each lattice point; the number of the example or -1.
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
    """Write a picture of verbs: up to two panels below each other, more in two columns.

    Parameters
    ----------
    path : of the PNG file.
    panels : at least one.
    """
    pictures = [draw_panel(panel) for panel in panels]
    across = 1 if len(pictures) < 3 else 2
    rows = [_beside(pictures[i : i + across]) for i in range(0, len(pictures), across)]
    width = max(row.shape[1] for row in rows)
    write_png(path, np.concatenate([_padded(row, row.shape[0], width) for row in rows]))


def _beside(pictures: list[Image]) -> Image:
    height = max(picture.shape[0] for picture in pictures)
    return np.concatenate([_padded(picture, height, picture.shape[1]) for picture in pictures], axis=1)


def _padded(picture: Image, height: int, width: int) -> Image:
    whole = np.broadcast_to(PAPER, (height, width, 3)).copy()
    whole[: picture.shape[0], : picture.shape[1]] = picture
    return whole


def draw_panel(panel: SheetPanel) -> Image:
    """Picture (H, W, 3) of one verb."""
    width = _LEFT + panel.columns * _CELL[0] + _RIGHT
    height = _TOP + panel.rows * _CELL[1] + _BOTTOM
    picture = np.broadcast_to(PAPER, (height, width, 3)).copy()
    metre = _metre(panel)
    for figure in sorted(panel.figures, key=lambda f: -f.place[1]):
        _draw_figure(picture, panel, figure, metre)
    _letter(picture, panel)
    return picture


def _metre(panel: SheetPanel) -> float:
    """Length of a person's metre in the units of the figures, so that every figure, head and all, fits its cell."""
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
    centre = (
        _LEFT + (0.5 + figure.place[0] * (panel.columns - 1)) * _CELL[0],
        _TOP + (1.0 + (1.0 - figure.place[1]) * (panel.rows - 1)) * _CELL[1] - 34.0,
    )
    left, top = round(centre[0] - 0.5 * wide), round(centre[1] - (tall - 34.0))
    rows, columns = _overlap(top, tall, picture.shape[0]), _overlap(left, wide, picture.shape[1])
    inner = slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left)
    window = picture[rows, columns]
    window *= light[inner][..., None] * (1.0 - cover[inner])
    window += body[inner]
    if figure.caption:
        size = min(13.5, 13.5 * (_CELL[0] - 8) / max(text_width(figure.caption, 13.5), 1.0))
        ink = EXAMPLE * 0.45 if figure.is_example else _PALE_INK
        write_text(picture, figure.caption, (centre[0], centre[1] + 27.0), size, ink, align=0.5)


def _overlap(start: int, size: int, limit: int) -> slice:
    return slice(max(start, 0), max(min(start + size, limit), 0))


def _letter(picture: Image, panel: SheetPanel) -> None:
    """Title, legend and the two axes."""
    height, width = picture.shape[:2]
    write_text(picture, panel.title, (_LEFT - 60, 48), 34, _INK)
    write_text(picture, panel.subtitle, (_LEFT - 60, 76), 16, _PALE_INK)
    _legend(picture, width - _RIGHT)
    first, last = _LEFT + 20, width - _RIGHT - 20
    base = height - _BOTTOM + 28
    _rule(picture, (first, base), (last, base))
    write_text(picture, panel.across.low, (first, base + 30), 19, _INK)
    write_text(picture, panel.across.high, (last, base + 30), 19, _INK, align=1.0)
    write_text(picture, panel.across.name, (0.5 * (first + last), base + 32), 23, _INK, align=0.5)
    low, high = height - _BOTTOM - 20, _TOP + 20
    side = _LEFT - 32
    _rule(picture, (side, high), (side, low))
    write_text(picture, panel.up.low, (side - 16, low), 19, _INK, turn=True)
    write_text(picture, panel.up.high, (side - 16, high), 19, _INK, align=1.0, turn=True)
    write_text(picture, panel.up.name, (side - 16, 0.5 * (low + high)), 23, _INK, align=0.5, turn=True)


def _rule(picture: Image, start: tuple[int, int], end: tuple[int, int]) -> None:
    """An axis between its low and high ends, with a dot at both."""
    across = slice(min(start[0], end[0]), max(start[0], end[0]) + 2)
    down = slice(min(start[1], end[1]), max(start[1], end[1]) + 2)
    picture[down, across] = _RULE
    for x, y in (start, end):
        _dot(picture, (x + 1.0, y + 1.0), 4.5, _PALE_INK)


def _legend(picture: Image, right: int) -> None:
    for words, colour in (("interpolated", NEUTRAL), ("example", EXAMPLE)):
        write_text(picture, words, (right, 47), 17, _INK, align=1.0)
        right -= round(text_width(words, 17)) + 18
        _dot(picture, (right, 41.0), 8.5, colour)
        right -= 30


def _dot(picture: Image, centre: tuple[float, float], radius: float, colour: Array) -> None:
    x = np.arange(picture.shape[1])[None, :] + 0.5 - centre[0]
    y = np.arange(picture.shape[0])[:, None] + 0.5 - centre[1]
    cover = np.clip(radius + 0.5 - np.hypot(x, y), 0.0, 1.0)[..., None]
    picture += cover.astype(np.float32) * (colour.astype(np.float32) - picture)
