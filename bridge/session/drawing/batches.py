"""Batches of ghosts for the graphics card, with faces shaded by their angle to the light; and text labels."""

from collections.abc import Iterable, Sequence
from math import inf
from typing import Any

import blf
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from numpy.typing import NDArray

from ....core.verb.ghosts import FACES

Array = NDArray[np.float64]

LIGHT = np.array([0.36, -0.48, 0.8])
"""Direction of the light, in performance space."""
DARKEST = 0.45
"""Brightness of a face turned away from the light."""


def batch_of(corners: Array, colors: Sequence[Sequence[float]]) -> Any:
    """Return a batch of ghosts for the built-in shader ``'SMOOTH_COLOR'``.

    Parameters
    ----------
    corners : (P, B, 6, 3) corners of their sticks.
    colors : red, green, blue and opacity of each ghost.
    """
    faces = corners[:, :, FACES]
    normals = np.cross(faces[..., 1, :] - faces[..., 0, :], faces[..., 2, :] - faces[..., 0, :])
    length = np.linalg.norm(normals, axis=-1)
    facing = np.einsum("...c,c->...", normals, LIGHT) / np.where(length > 0.0, length, 1.0)
    tints = np.empty((*faces.shape[:-1], 4), dtype=np.float32)
    tints[:] = np.array(colors, dtype=np.float32)[:, None, None, None]
    tints[..., :3] *= (DARKEST + (1.0 - DARKEST) * (0.5 + 0.5 * facing))[..., None, None]
    content: Any = {"pos": faces.reshape(-1, 3).astype(np.float32), "color": tints.reshape(-1, 4)}
    return batch_for_shader(gpu.shader.from_builtin("SMOOTH_COLOR"), "TRIS", content)


def draw_solid(batch: Any, space: Any) -> None:
    """Draw a batch of transparent figures in a space (4, 4), where the scene does not hide them."""
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("LESS_EQUAL")
    gpu.state.depth_mask_set(True)
    with gpu.matrix.push_pop():  # pyright: ignore[reportGeneralTypeIssues]
        gpu.matrix.multiply_matrix(space)
        batch.draw(gpu.shader.from_builtin("SMOOTH_COLOR"))
    gpu.state.depth_mask_set(False)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def write_apart(
    texts: Iterable[tuple[str, float, float]],
    size: float,
    within: tuple[float, float] = (-inf, inf),
    covered: Iterable[tuple[float, float, float, float]] = (),
) -> None:
    """Draw texts in the current colour, except those that would overlap an earlier one, or `covered` areas.

    Parameters
    ----------
    texts : each with the pixel position of the middle of its lower edge.
    size : font size in pixels.
    within : left and right limits in pixels.
    covered : left, bottom, right and top pixels of areas that are occupied.
    """
    taken = list(covered)
    blf.size(0, size)
    for text, middle, y in texts:
        half = 0.5 * blf.dimensions(0, text)[0]
        x = min(max(middle, within[0] + half), within[1] - half)
        box = x - half, y, x + half, y + size
        if not any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in taken):
            taken.append(box)
            blf.position(0, round(box[0]), round(y), 0.0)
            blf.draw(0, text)
