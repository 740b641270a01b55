"""Shapes and words for squares in 3D views: rectangles and circles drawn together, and names that fit their room."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import blf
import gpu
import numpy as np
from numpy.typing import NDArray

from ..sidebar import fitting

Color = Sequence[float]

CORNERS = 16
ANGLES = np.linspace(0.0, 2.0 * np.pi, CORNERS, endpoint=False)
CIRCLE = np.stack([np.cos(ANGLES), np.sin(ANGLES), 0.0 * ANGLES], axis=1).astype(np.float32)
FAN = np.stack([np.zeros(CORNERS - 2), np.arange(1, CORNERS - 1), np.arange(2, CORNERS)], axis=1).astype(np.int32)


class Shapes:
    """Rectangles, and circles over them, that are drawn together."""

    def __init__(self) -> None:
        self._rectangles: list[float] = []
        self._circles: list[float] = []
        self._tints: tuple[list[float], list[float]] = [], []

    def fill(self, left: float, bottom: float, right: float, top: float, color: Color) -> None:
        """Add a rectangle; all of them come before the circles."""
        self.quad((left, right, right, left), (bottom, bottom, top, top), color)

    def quad(self, xs: tuple[float, ...], ys: tuple[float, ...], color: Color) -> None:
        """Add a shape of four corners; it comes before the circles too."""
        self._rectangles += (xs[0], ys[0], 0.0, xs[1], ys[1], 0.0, xs[2], ys[2], 0.0, xs[3], ys[3], 0.0)
        self._tints[0].extend(color)

    def circle(self, x: float, y: float, radius: float, color: Color) -> None:
        """Add a circle."""
        self._circles += (x, y, 0.0, radius)
        self._tints[1].extend(color)

    def batch(self) -> Any:
        """Return all of them as a batch."""
        circles = np.array(self._circles, dtype=np.float32).reshape(-1, 1, 4)
        around = circles[..., :3] + circles[..., 3:] * CIRCLE
        corners = np.array(self._rectangles, dtype=np.float32).reshape(-1, 3)
        places = np.concatenate([corners, around.reshape(-1, 3)])
        tints = np.array(self._tints[0] + self._tints[1], dtype=np.float32).reshape(-1, 4)
        count, faces = _mesh(len(tints) - len(circles), len(circles))
        return batch_of(places, tints.repeat(count, axis=0), faces)


def batch_of(places: Any, tints: Any, faces: gpu.types.GPUIndexBuf) -> Any:
    """Triangles of places (V, 3), with a colour (V, 4) at each."""
    vertices = gpu.types.GPUVertBuf(_form(), len(places))
    vertices.attr_fill("pos", places.astype(np.float32, copy=False))
    vertices.attr_fill("color", tints.astype(np.float32, copy=False))
    return gpu.types.GPUBatch(type="TRIS", buf=vertices, elem=faces)


def triangles(faces: Any) -> gpu.types.GPUIndexBuf:
    """Triangles (T, 3) as `batch_of` wants them."""
    return gpu.types.GPUIndexBuf(type="TRIS", seq=faces.astype(np.int32, copy=False))


@lru_cache(maxsize=1)
def smooth_color() -> gpu.types.GPUShader:
    """Return the shader that all these shapes are drawn with."""
    return gpu.shader.from_builtin("SMOOTH_COLOR")


@lru_cache(maxsize=1)
def _form() -> gpu.types.GPUVertFormat:
    """The shader's input for each corner."""
    form = gpu.types.GPUVertFormat()
    form.attr_add(id="pos", comp_type="F32", len=3, fetch_mode="FLOAT")
    form.attr_add(id="color", comp_type="F32", len=4, fetch_mode="FLOAT")
    return form


def faces_of_grid(rows: int, columns: int) -> NDArray[np.intp]:
    """Return the triangles (T, 3) between the corners of a grid, which are counted row by row."""
    first = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).reshape(-1, 1)
    return np.concatenate([first + (0, 1, columns), first + (1, columns + 1, columns)])


@lru_cache(maxsize=64)
def _mesh(rectangles: int, circles: int) -> tuple[NDArray[np.intp], gpu.types.GPUIndexBuf]:
    """Number of corners of each shape, and the triangles of all."""
    firsts = 4 * np.arange(rectangles), 4 * rectangles + CORNERS * np.arange(circles)
    kinds = zip(firsts, (np.array([(0, 1, 2), (0, 2, 3)]), FAN), strict=True)
    faces = np.concatenate([(first[:, None, None] + inside).reshape(-1, 3) for first, inside in kinds])
    return np.repeat((4, CORNERS), (rectangles, circles)), triangles(faces)


def forget_meshes() -> None:
    """Free the triangles of shapes, which must not outlive the window."""
    _mesh.cache_clear()


@lru_cache(maxsize=256)
def shortened(name: str, room: float, size: float) -> str:
    """A name, shortened in the middle if it is wider than the room in pixels."""
    return fitting(name, room, lambda text: width_of(text, size))


@lru_cache(maxsize=1024)
def width_of(text: str, size: float) -> float:
    """Width of a text in pixels at a font size."""
    blf.size(0, size)
    return blf.dimensions(0, text)[0]


def write(text: str, x: float, y: float) -> None:
    """Write a text at a position, in the current size and colour."""
    blf.position(0, round(x), round(y), 0.0)
    blf.draw(0, text)
