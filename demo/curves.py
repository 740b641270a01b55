"""The curve of error against the number of pseudo-examples, as a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .heat import INK, PALE_INK
from .lettering import write_text
from .png import write_png
from .shadow import PAPER
from .stroke import stroke

Array = NDArray[np.float64]

_SIZE = (900, 600)
_LEFT, _RIGHT, _TOP, _BOTTOM = 84.0, 190.0, 84.0, 70.0
_FLOOR = 1e-3
_ROW = 19.0
_RULE = np.array([0.72, 0.72, 0.70])


@dataclass(frozen=True, eq=False)
class Curve:
    """One line of the picture.

    Parameters
    ----------
    name : at its end.
    percent : (C,) error with 0, 1, 2... pseudo-examples.
    colour : (3,) linear RGB.
    """

    name: str
    percent: Array
    colour: Array


def draw_curves(path: str | Path, title: str, curves: Sequence[Curve]) -> None:
    """Write curves over the number of pseudo-examples as PNG; percent on a logarithmic scale."""
    width, height = _SIZE
    picture = np.broadcast_to(PAPER, (height, width, 3)).astype(np.float32)
    most = max(len(curve.percent) for curve in curves) - 1
    values = np.concatenate([np.maximum(curve.percent, _FLOOR) for curve in curves])
    low, high = np.floor(np.log10(values.min())), np.ceil(np.log10(values.max()))

    def place(count: Array, percent: Array) -> Array:
        across = _LEFT + count / max(most, 1) * (width - _LEFT - _RIGHT)
        up = (np.log10(np.maximum(percent, _FLOOR)) - low) / (high - low)
        return np.stack([across, height - _BOTTOM - up * (height - _TOP - _BOTTOM)], axis=-1)

    for power in np.arange(low, high + 0.5):
        ends = place(np.array([0.0, most]), np.full(2, 10.0**power))
        stroke(picture, ends, 0.6, _RULE)
        write_text(picture, f"{10.0**power:g} %", (_LEFT - 10.0, ends[0, 1] + 5.0), 15.0, PALE_INK, align=1.0)
    for count in range(0, most + 1, 5):
        at = place(np.array([float(count)]), np.array([10.0**low]))[0]
        write_text(picture, f"{count}", (at[0], at[1] + 26.0), 15.0, PALE_INK, align=0.5)
    middle = 0.5 * (_LEFT + width - _RIGHT)
    write_text(picture, "pseudo-examples", (middle, height - 16.0), 17.0, INK, align=0.5)
    write_text(picture, title, (_LEFT - 40.0, 46.0), 26.0, INK)
    lines = [place(np.arange(len(curve.percent), dtype=np.float64), curve.percent) for curve in curves]
    for curve, points in zip(curves, lines, strict=True):
        for row in range(len(points) - 1):
            stroke(picture, points[row : row + 2], 1.8, curve.colour)
    under = 0.0
    for curve, points in sorted(zip(curves, lines, strict=True), key=lambda pair: float(pair[1][-1, 1])):
        under = max(float(points[-1, 1]) + 5.0, under + _ROW)
        write_text(picture, curve.name, (points[-1, 0] + 12.0, under), 15.0, curve.colour)
    write_png(path, picture)
