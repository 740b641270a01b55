"""Pictures of a reach: heat maps of the places that the hand is asked for and gets to, and curves of its error."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .body import body_cones
from .look import PALE_INK, PAPER, empty_picture, encoded
from .raster import Cone, Image, Stage, camera_at
from .shadow import light_floor
from .sheet import NEUTRAL

Array = NDArray[np.float64]
Colours = Callable[[float], Sequence[float]]

_SIZE = (620, 536)
_TOP = 84
_SCALE = 262.0
_YAW, _ELEVATION = np.radians(62.0), np.radians(14.0)
_DOT, _LINE = 0.007, 0.0035
_LEAST_PERCENT = 1e-3
_APART = 1.7
"""Least factor between the places of two names on the logarithmic scale, so that they do not overlap."""


@dataclass(frozen=True, eq=False)
class Heat:
    """One of the heat maps in the picture.

    Parameters
    ----------
    title : text above it.
    map : heat map of the extension, with asked and achieved places, errors in percent, and a sentence about them.
    joints : (J, 3) joints of the figure in metres.
    """

    title: str
    map: Any
    joints: Array


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve of errors over the number of pseudo-examples.

    Parameters
    ----------
    name : text at the end of the curve.
    percent : (C,) errors with 0, 1, 2... pseudo-examples.
    colour : (3,) sRGB, or a name that Matplotlib knows.
    """

    name: str
    percent: Array
    colour: Any


def draw_heat(path: str | Path, row: Sequence[Heat], parents: NDArray[np.intp], colour_of: Colours) -> None:
    """Draw heat maps side by side and write them as PNG."""
    width, height = _SIZE
    figure = empty_picture(len(row) * width, height + _TOP)
    figure.subplots_adjust(0.0, 0.0, 1.0, height / (height + _TOP), wspace=0.0)
    for place, one in enumerate(row, 1):
        axes = figure.add_subplot(1, len(row), place)
        axes.imshow(encoded(_picture(one, parents, colour_of)))
        axes.set_axis_off()
        axes.text(28, -40, one.title, fontsize=23)
        axes.text(28, -14, one.map.told, fontsize=13, color=PALE_INK)
    figure.savefig(path)


def draw_curves(path: str | Path, title: str, curves: Sequence[Curve]) -> None:
    """Write curves of errors as PNG, on a logarithmic scale."""
    figure = empty_picture(900, 600)
    axes = figure.add_axes((0.10, 0.12, 0.67, 0.73), yscale="log", xlabel="pseudo-examples")
    figure.text(0.05, 0.92, title, fontsize=23)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.yaxis.set_major_formatter("{x:g} %")
    axes.tick_params(which="both", length=0, pad=10, labelcolor=PALE_INK)
    under = np.inf
    for curve in sorted(curves, key=lambda one: -one.percent[-1]):
        percent = np.maximum(curve.percent, _LEAST_PERCENT)
        axes.plot(percent, color=curve.colour, linewidth=3.6, clip_on=False)
        under = min(percent[-1], under / _APART)
        end = len(percent) - 1, under
        axes.annotate(curve.name, end, (12, 0), textcoords="offset points", va="center", color=curve.colour)
    figure.savefig(path)


def _picture(one: Heat, parents: NDArray[np.intp], colour_of: Colours) -> Image:
    width, height = _SIZE
    camera = camera_at(_YAW, _ELEVATION, _SCALE)
    stage = Stage(camera, width, height, (0.36 * width, 0.93 * height))
    body = body_cones(one.joints, parents, NEUTRAL, camera.axes[2])
    for cone in [*body, *_cones(one.map, colour_of)]:
        stage.draw(cone)
    light = np.ones((height, width), dtype=np.float32)
    light_floor(light, stage, body, np.zeros(3), np.zeros(2))
    shaded, cover = stage.shaded()
    return PAPER * light[..., None] * (1.0 - cover) + shaded


def _cones(map_: Any, colour_of: Colours) -> list[Cone]:
    """Return a ball for each place that is asked for, and a stick from there to the place that is reached."""
    found: list[Cone] = []
    for asked, achieved, percent in zip(map_.asked, map_.achieved, map_.percent.tolist(), strict=True):
        colour = np.array(colour_of(percent)[:3]) ** 2.2
        found += [Cone(asked, asked, _DOT, _DOT, colour), Cone(asked, achieved, _LINE, _LINE, colour)]
    return found
