"""Rendering pictures on the graphics card to files, such as that of a sheet; no data stays in Blender."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import blf
import bpy
import gpu
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from ....core.errors import VerbError
from .batches import batch_of, draw_solid, write_apart
from .sheet import Sheet

Array = NDArray[np.float64]

PAPER, INK = (0.13, 0.14, 0.16, 1.0), (0.92, 0.92, 0.92, 1.0)
"""Colours of the background and of text."""
ROOM = 0.06
"""Margin at each edge, as a fraction of the picture."""
FINER = 2
"""Supersampling factor, so that slanted edges are smooth."""
LETTERS = 1.0 / 75.0
"""Font height, as a fraction of the picture's."""


def save_sheet(sheet: Sheet, size: tuple[int, int], path: str) -> Path:
    """Save an upright sheet as a PNG file, seen from the front, without perspective.

    Parameters, return value and errors are those of `save_picture`.
    """
    marks = np.array([place for _, place in sheet.labels]).reshape(-1, 3)
    points = np.concatenate([sheet.corners.reshape(-1, 3), marks])

    def draw(size: tuple[int, int]) -> None:
        view = fitted(Matrix.Rotation(-0.5 * np.pi, 4, "X"), points, size)
        with seen_by(*view):
            draw_solid(batch_of(sheet.corners, sheet.colors), Matrix.Identity(4))
        places = ((text, view[1] @ view[0] @ Vector((*place, 1.0))) for text, place in sheet.labels)
        write_words(((text, 0.5 * size[0] * (1.0 + at.x), 0.5 * size[1] * (1.0 + at.y)) for text, at in places), size)

    return save_picture(draw, size, path)


def save_picture(draw: Callable[[tuple[int, int]], None], size: tuple[int, int], path: str) -> Path:
    """Save what `draw` draws as a PNG file.

    Parameters
    ----------
    draw : draws on a canvas of the given size in pixels; the origin is its lower left corner.
    size : width and height of the file in pixels.
    path : path of the file; ``//`` is the folder of the open file, and .png is added if missing.

    Returns
    -------
    The file that was written.

    Raises
    ------
    VerbError
        If the file cannot be written.
    """
    target = Path(bpy.path.ensure_ext(bpy.path.abspath(path), ".png"))
    if not path:
        raise VerbError("The picture needs a name. Choose a file for it.")
    if not target.parent.is_dir():
        raise VerbError(f"The folder '{target.parent}' does not exist. Choose another folder for the picture.")
    finer = FINER * size[0], FINER * size[1]
    drawn = _drawn(draw, finer).reshape(size[1], FINER, size[0], FINER, 4)
    _save(drawn.mean(axis=(1, 3), dtype=np.float32), target)
    return target


def _save(pixels: NDArray[np.float32], target: Path) -> None:
    """Save pixels (height, width, 4) from 0 to 255, bottom row first, as a PNG file."""
    height, width = pixels.shape[:2]
    image = bpy.data.images.new("picture", width, height, alpha=False)
    try:
        shares: Any = (pixels / 255.0).ravel()
        image.pixels.foreach_set(shares)
        image.filepath_raw, image.file_format = str(target), "PNG"
        image.save()
    except RuntimeError as error:
        raise VerbError(f"'{target}' cannot be written: {str(error).strip()} Choose another location.") from error
    finally:
        bpy.data.images.remove(image)


def fitted(turn: Matrix, points: Array, size: tuple[int, int]) -> tuple[Matrix, Matrix]:
    """Return view and orthographic projection matrices (4, 4) that fit points (P, 3) into a picture.

    Parameters
    ----------
    turn : rotation to the axes of the camera.
    size : of the picture in pixels.
    """
    seen = points @ np.array(turn.to_3x3()).T
    low, high = seen.min(axis=0), seen.max(axis=0)
    middle, extent = 0.5 * (low + high), np.maximum(high - low, 1e-6)
    shares = extent[:2] / (1.0 - 2.0 * ROOM)
    unit = max(shares[0] / size[0], shares[1] / size[1])
    width, height = unit * size[0], unit * size[1]
    view = Matrix.Translation((-middle).tolist()) @ turn
    return view, Matrix.Diagonal((2.0 / width, 2.0 / height, -1.0 / extent[2], 1.0))


@contextmanager
def seen_by(view: Matrix, projection: Matrix) -> Iterator[None]:
    """Draw in the `with` block as seen by a camera, given as returned by `fitted`."""
    with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():  # pyright: ignore[reportGeneralTypeIssues]
        gpu.matrix.load_matrix(view)
        gpu.matrix.load_projection_matrix(projection)
        yield


def _drawn(draw: Callable[[tuple[int, int]], None], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return the drawn pixels (height, width, 4), bottom row first."""
    width, height = size
    flat = Matrix.Translation((-1.0, -1.0, 0.0)) @ Matrix.Diagonal((2.0 / width, 2.0 / height, 1.0, 1.0))
    canvas = gpu.types.GPUOffScreen(width, height)
    try:
        with canvas.bind(), seen_by(Matrix.Identity(4), flat):  # pyright: ignore[reportGeneralTypeIssues]
            buffer = gpu.state.active_framebuffer_get()
            buffer.clear(color=PAPER, depth=1.0)
            draw(size)
            read: Any = buffer.read_color(0, 0, width, height, 4, 0, "UBYTE")
            read.dimensions = width * height * 4  # one-dimensional, so that older Blenders share its memory with NumPy
    finally:
        canvas.free()
    return np.frombuffer(read, dtype=np.uint8).reshape(height, width, 4)


def write_words(
    texts: Iterable[tuple[str, float, float]], size: tuple[int, int], colour: tuple[float, ...] = INK
) -> None:
    """Draw texts, given with the pixel position of the middle of their lower edges, except those that would overlap."""
    gpu.state.blend_set("ALPHA")
    blf.color(0, *colour)
    write_apart(texts, LETTERS * size[1], (0.0, size[0]))
    gpu.state.blend_set("NONE")
