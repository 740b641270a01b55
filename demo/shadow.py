"""The floor below a figure: a round plate, and the soft shadow of the body on it."""

import numpy as np
from numpy.typing import NDArray

from .raster import Cone, Image, Stage

Array = NDArray[np.float64]

_SUN = np.array([0.18, -0.10])
_SOFT = 0.05
_PLATE_RADIUS = 0.46
_PLATE = 0.90


def light_floor(light: Image, stage: Stage, cones: list[Cone], centre: Array, rise: Array) -> None:
    """Darken `light` (H, W) on the plate below a figure and in the figure's shadow.

    Parameters
    ----------
    light : factor for each pixel of the picture, 1 on the plain background.
    stage : the picture that is drawn.
    cones : the body; parts near the floor cast a darker shadow.
    centre : (3,) centre of the plate on the floor.
    rise : (2,) rise of the floor along X and Y.
    """
    window = stage.floor_window(centre, 1.2)
    x, y = stage.floor_points(window, centre, rise)
    shade = np.zeros(x.shape)
    for cone in cones:
        ends = np.stack([cone.start, cone.end]) - centre
        height = ends[:, 2] - ends[:, :2] @ rise
        flat = ends[:, :2] + height[:, None] * _SUN
        radius = 0.5 * (cone.start_radius + cone.end_radius)
        soft = _SOFT + 0.12 * float(np.mean(height))
        strength = 0.55 / (1.0 + 2.2 * max(float(np.min(height)), 0.0))
        away = _distance(x, y, flat) - 0.8 * radius
        shade = np.maximum(shade, strength * _smooth(0.5 - away / (2.0 * soft)))
    pixel = 1.5 / stage.camera.scale
    plate = _smooth(0.5 + (_PLATE_RADIUS - np.hypot(x, y)) / (2.0 * pixel))
    light[window] = np.minimum(light[window], (1.0 - (1.0 - _PLATE) * plate) * (1.0 - shade))


def _distance(x: Array, y: Array, ends: Array) -> Array:
    """Return the distance of points (x, y) from the line segment between `ends` (2, 2)."""
    way = ends[1] - ends[0]
    along = ((x - ends[0, 0]) * way[0] + (y - ends[0, 1]) * way[1]) / max(float(way @ way), 1e-9)
    along = np.clip(along, 0.0, 1.0)
    return np.hypot(x - ends[0, 0] - along * way[0], y - ends[0, 1] - along * way[1])


def _smooth(value: Array) -> Array:
    t = np.clip(value, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)
