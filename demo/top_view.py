"""A performance seen from above: the way of the root, and the prints of the feet where they stood."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .lettering import text_width, write_text
from .png import write_png
from .raster import Image
from .shadow import PAPER
from .stroke import stroke

Array = NDArray[np.float64]
Pixels = Callable[[Array], Array]

INK = np.array([0.030, 0.034, 0.045])
PALE_INK = np.array([0.20, 0.21, 0.23])
COLOURS = np.array(
    [[0.38, 0.38, 0.40], [0.10, 0.46, 0.26], [0.80, 0.26, 0.10], [0.14, 0.28, 0.66], [0.55, 0.22, 0.52]]
)
_SIZE = (1500.0, 1150.0)
_SHARPEST = 150.0
_MARGIN, _TOP = 70.0, 130.0
_TICK = 10.0


@dataclass(frozen=True, eq=False)
class Print:
    """A foot that stood.

    Parameters
    ----------
    ankle, ball : (2,) metres.
    verb : name of the verb that it stood in.
    """

    ankle: Array
    ball: Array
    verb: str


@dataclass(frozen=True, eq=False)
class Way:
    """A performance from above.

    Parameters
    ----------
    title, subtitle : to be written over it.
    times : (T,) seconds.
    path : (T, 2) metres of the root over the floor.
    verbs : (T,) names.
    prints : of the feet.
    commands : seconds at which something was asked for.
    """

    title: str
    subtitle: str
    times: Array
    path: Array
    verbs: tuple[str, ...]
    prints: Sequence[Print]
    commands: Sequence[float]


def draw_way(path: str | Path, way: Way) -> None:
    """Write the picture as PNG."""
    places = np.concatenate([way.path, *(p.ball[None] for p in way.prints)])
    low, high = places.min(axis=0) - 0.3, places.max(axis=0) + 0.3
    turned = bool(high[1] - low[1] > high[0] - low[0])
    extent = (high - low)[::-1] if turned else high - low
    scale = float(min(_SIZE[0] / extent[0], _SIZE[1] / extent[1], _SHARPEST))
    width, height = int(max(extent[0] * scale, 760.0) + 2 * _MARGIN), int(extent[1] * scale + _TOP + _MARGIN)
    picture = np.broadcast_to(PAPER, (height, width, 3)).astype(np.float32)

    def pixels(points: Array) -> Array:
        across, down = points[..., 0] - low[0], high[1] - points[..., 1]
        across, down = (down, high[0] - points[..., 0]) if turned else (across, down)
        return np.stack([_MARGIN + across * scale, _TOP + down * scale], axis=-1)

    names = list(dict.fromkeys(way.verbs))
    colours = {name: COLOURS[index % len(COLOURS)] for index, name in enumerate(names)}
    _metres(picture, pixels, low, high)
    for one in way.prints:
        _draw_print(picture, one, pixels, scale, colours[one.verb])
    _draw_path(picture, way, pixels, colours)
    _draw_times(picture, way, pixels)
    _letter(picture, way, names, colours)
    write_png(path, picture)


def _metres(picture: Image, pixels: Pixels, low: Array, high: Array) -> None:
    """A faint dot at every whole metre."""
    across, along = (np.arange(np.ceil(low[i]), high[i]) for i in (0, 1))
    for point in np.stack(np.meshgrid(across, along), axis=-1).reshape(-1, 2):
        stroke(picture, pixels(point[None].repeat(2, axis=0)), 1.6, PALE_INK, 0.35)


def _draw_print(picture: Image, one: Print, pixels: Pixels, scale: float, colour: Array) -> None:
    ahead = one.ball - one.ankle
    ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-6)
    ball = np.stack([one.ball - 0.01 * ahead, one.ball + 0.035 * ahead])
    heel = np.stack([one.ball - 0.19 * ahead, one.ball - 0.16 * ahead])
    waist = np.stack([one.ball - 0.16 * ahead, one.ball])
    for part, radius in ((waist, 0.024), (heel, 0.034), (ball, 0.046)):
        stroke(picture, pixels(part), radius * scale, 0.55 * colour + 0.45 * PAPER, 1.0)


def _draw_path(picture: Image, way: Way, pixels: Pixels, colours: dict[str, Array]) -> None:
    points = pixels(way.path)
    for row in range(len(points) - 1):
        stroke(picture, points[row : row + 2], 2.2, colours[way.verbs[row]], 1.0)


def _draw_times(picture: Image, way: Way, pixels: Pixels) -> None:
    points = pixels(way.path)
    for seconds in way.commands:
        here = points[int(np.searchsorted(way.times, seconds))]
        stroke(picture, np.stack([here, here]), 4.6, PAPER.astype(np.float64), 1.0)
        stroke(picture, np.stack([here, here]), 2.6, INK, 1.0)
    for seconds in np.arange(0.0, way.times[-1] + 1e-6, _TICK):
        here = points[min(int(np.searchsorted(way.times, seconds)), len(points) - 1)]
        write_text(picture, f"{seconds:.0f} s", (here[0] + 9.0, here[1] - 8.0), 17.0, INK)


def _letter(picture: Image, way: Way, names: list[str], colours: dict[str, Array]) -> None:
    write_text(picture, way.title, (_MARGIN - 30.0, 46.0), 32.0, INK)
    write_text(picture, way.subtitle, (_MARGIN - 30.0, 74.0), 16.0, PALE_INK)
    left = _MARGIN - 24.0
    for name in names:
        stroke(picture, np.array([[left, 98.0], [left + 16.0, 98.0]]), 5.0, colours[name], 1.0)
        write_text(picture, name, (left + 30.0, 104.0), 18.0, INK)
        left += 62.0 + text_width(name, 18.0)
