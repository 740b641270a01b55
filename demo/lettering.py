"""Lettering for the pictures: outlines of Blender's built-in font, filled by NumPy."""

from functools import cache

import bpy
import numpy as np
from numpy.typing import NDArray

from .raster import Image

Array = NDArray[np.float64]

_FINE = 4
_EM = 1.0


@cache
def _triangles(text: str) -> Array:
    """Triangles (N, 3, 2) of one line of text of size 1, its baseline at 0."""
    curve = bpy.data.curves.new("Verbs & Adverbs lettering", "FONT")
    carrier = bpy.data.objects.new(curve.name, curve)
    try:
        curve.body, curve.size, curve.resolution_u = text, _EM, 4
        mesh = carrier.to_mesh()
        mesh.calc_loop_triangles()
        points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", points)
        corners = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", corners)
        carrier.to_mesh_clear()
    finally:
        bpy.data.objects.remove(carrier)
        bpy.data.curves.remove(curve)
    return points.reshape(-1, 3)[:, :2].astype(np.float64)[corners].reshape(-1, 3, 2)


def text_width(text: str, size: float) -> float:
    """Pixels that a line of text takes at a size in pixels."""
    triangles = _triangles(text)
    return float(np.max(triangles[..., 0], initial=0.0)) * size


def write_text(
    picture: Image,
    text: str,
    at: tuple[float, float],
    size: float,
    colour: Array,
    align: float = 0.0,
    turn: bool = False,
) -> None:
    """Write a line of text into a picture.

    Parameters
    ----------
    picture : (H, W, 3) linear RGB, changed here.
    text : one line.
    at : pixels from the left and the top: the baseline's start, middle or end.
    size : of the font in pixels.
    colour : (3,) linear RGB.
    align : 0 for the start, 0.5 the middle, 1 the end of the line at `at`.
    turn : write upwards instead of to the right.
    """
    triangles = _triangles(text)
    if not len(triangles):
        return
    points = triangles * size - np.array([align * text_width(text, size), 0.0])
    points = points[..., ::-1] * np.array([-1.0, -1.0]) if turn else points * np.array([1.0, -1.0])
    points = points + np.array(at)
    low = np.floor(points.min(axis=(0, 1))).astype(int) - 1
    high = np.ceil(points.max(axis=(0, 1))).astype(int) + 2
    low, high = np.clip(low, 0, picture.shape[1::-1]), np.clip(high, 0, picture.shape[1::-1])
    if np.any(high <= low):
        return
    cover = _filled((points - low) * _FINE, (high - low) * _FINE)
    window = picture[low[1] : high[1], low[0] : high[0]]
    window += cover[..., None] * (np.asarray(colour, dtype=np.float32) - window)


def _filled(triangles: Array, size: NDArray[np.int_]) -> Image:
    """Coverage (H, W) of triangles (N, 3, 2) given in fine pixels, `size` (2,) of them across and down."""
    mask = np.zeros((size[1], size[0]), dtype=bool)
    for corners in triangles:
        left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
        right, bottom = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, size)
        if right <= left or bottom <= top:
            continue
        x = np.arange(left, right)[None, :] + 0.5
        y = np.arange(top, bottom)[:, None] + 0.5
        ahead = np.roll(corners, -1, axis=0)
        signs = [(b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) for a, b in zip(corners, ahead, strict=True)]
        lowest, highest = np.minimum.reduce(signs), np.maximum.reduce(signs)
        mask[top:bottom, left:right] |= (lowest >= -1e-9) | (highest <= 1e-9)
    blocks = mask.reshape(size[1] // _FINE, _FINE, size[0] // _FINE, _FINE)
    return blocks.mean(axis=(1, 3), dtype=np.float32)
