"""Reach errors in space: requested positions, coloured by error, with lines to the positions reached."""

from typing import TYPE_CHECKING, Any

import gpu
import numpy as np
from gpu.types import GPUBatch
from gpu_extras.batch import batch_for_shader

if TYPE_CHECKING:
    from ...authoring.reach_report import HeatMap

WORST = 10.0
"""Error that is drawn in full red, in percent of the region's diagonal."""
RAMP = ((0.0, (0.10, 0.55, 0.85)), (0.25, (0.15, 0.75, 0.35)), (0.6, (0.95, 0.80, 0.15)), (1.0, (0.90, 0.12, 0.10)))
SIZE = 0.008
"""Half the size of a dot for a requested position, as a fraction of the region's diagonal."""
CORNERS = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)])
FACES = np.array([(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)])


def colour_of(percent: float) -> tuple[float, float, float, float]:
    """Return the colour of an error in percent; it changes faster among small errors than among large ones."""
    share = min(max(percent / WORST, 0.0), 1.0) ** 0.5
    for (low, cold), (high, hot) in zip(RAMP[:-1], RAMP[1:], strict=True):
        if share <= high:
            part = (share - low) / (high - low)
            red, green, blue = (a + part * (b - a) for a, b in zip(cold, hot, strict=True))
            return red, green, blue, 1.0
    return (*RAMP[-1][1], 1.0)


def heat_batches(shown: "HeatMap") -> tuple[GPUBatch, GPUBatch]:
    """Return the batches of a heat map: dots at the bone's requested positions, and lines to those reached."""
    tints = np.array([colour_of(percent) for percent in shown.percent.tolist()], dtype=np.float32)
    places = shown.asked[:, None] + SIZE * shown.diagonal * CORNERS
    faces: Any = len(CORNERS) * np.arange(len(places))[:, None, None] + FACES
    ends = np.stack([shown.asked, shown.achieved], axis=1)
    solid: Any = {"pos": _flat(places), "color": tints.repeat(len(CORNERS), axis=0)}
    thin: Any = {"pos": _flat(ends), "color": tints.repeat(2, axis=0)}
    smooth, line = (gpu.shader.from_builtin(name) for name in ("SMOOTH_COLOR", "POLYLINE_SMOOTH_COLOR"))
    dots = batch_for_shader(smooth, "TRIS", solid, indices=faces.reshape(-1, 3).astype(np.int32))
    return dots, batch_for_shader(line, "LINES", thin)


def _flat(places: Any) -> Any:
    return places.reshape(-1, 3).astype(np.float32)


def draw_heat(dots: GPUBatch, lines: GPUBatch, size: tuple[int, int], width: float) -> None:
    """Draw a heat map, with lines of a width in pixels, in a region or picture of a size in pixels."""
    gpu.state.depth_test_set("LESS_EQUAL")
    shader = gpu.shader.from_builtin("POLYLINE_SMOOTH_COLOR")
    shader.uniform_float("viewportSize", size)
    shader.uniform_float("lineWidth", width)
    lines.draw(shader)
    dots.draw(gpu.shader.from_builtin("SMOOTH_COLOR"))
    gpu.state.depth_test_set("NONE")
