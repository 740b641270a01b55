"""Heat maps as pictures: a figure that reaches, the places asked for, and lines to where its hand gets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .body import body_cones
from .lettering import write_text
from .png import write_png
from .raster import Cone, Image, Stage, camera_at
from .shadow import PAPER, light_floor
from .sheet import NEUTRAL

Array = NDArray[np.float64]
Colours = Callable[[float], Sequence[float]]

INK = np.array([0.030, 0.034, 0.045])
PALE_INK = np.array([0.20, 0.21, 0.23])
_SIZE = (620, 620)
_TOP = 84
_SCALE = 262.0
_YAW, _ELEVATION = np.radians(62.0), np.radians(14.0)
_DOT, _LINE = 0.007, 0.0035


@dataclass(frozen=True, eq=False)
class Heat:
    """One picture of the row.

    Parameters
    ----------
    title : over it.
    map : asked, achieved, percent and the figures in words, as the extension has them.
    joints : (J, 3) of the figure, in metres.
    """

    title: str
    map: Any
    joints: Array


def draw_heat(path: str | Path, row: Sequence[Heat], parents: NDArray[np.intp], colour_of: Colours) -> None:
    """Write heat maps side by side as PNG."""
    write_png(path, np.concatenate([_picture(one, parents, colour_of) for one in row], axis=1))


def _picture(one: Heat, parents: NDArray[np.intp], colour_of: Colours) -> Image:
    width, height = _SIZE
    camera = camera_at(_YAW, _ELEVATION, _SCALE)
    stage = Stage(camera, width, height - _TOP, (0.36 * width, 0.93 * (height - _TOP)))
    body = body_cones(one.joints, parents, NEUTRAL, camera.axes[2])
    for cone in [*body, *_cones(one.map, colour_of)]:
        stage.draw(cone)
    light = np.ones((height - _TOP, width), dtype=np.float32)
    light_floor(light, stage, body, np.zeros(3), np.zeros(2))
    shaded, cover = stage.shaded()
    picture = np.broadcast_to(PAPER, (height, width, 3)).astype(np.float32)
    window = picture[_TOP:]
    window *= light[..., None] * (1.0 - cover)
    window += shaded
    write_text(picture, one.title, (28.0, 42.0), 26.0, INK)
    write_text(picture, one.map.told, (28.0, 68.0), 14.0, PALE_INK)
    return picture


def _cones(map_: Any, colour_of: Colours) -> list[Cone]:
    """A ball for each place that is asked for, and a stick to the place that is reached."""
    found: list[Cone] = []
    for asked, achieved, percent in zip(map_.asked, map_.achieved, map_.percent.tolist(), strict=True):
        colour = np.array(colour_of(percent)[:3]) ** 2.2
        found += [Cone(asked, asked, _DOT, _DOT, colour), Cone(asked, achieved, _LINE, _LINE, colour)]
    return found
