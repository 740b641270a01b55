"""A strip of poses: one motion as figures side by side, to look at it frame by frame."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .body import body_cones
from .png import write_png
from .raster import Image, Stage, camera_at
from .shadow import PAPER, light_floor

Array = NDArray[np.float64]

_GREY = np.array([0.62, 0.64, 0.68])
_WARM = np.array([0.86, 0.62, 0.36])


def draw_strips(path: str | Path, strips: list[Image]) -> None:
    """Write strips below each other to one PNG file."""
    width = max(strip.shape[1] for strip in strips)
    rows = [np.pad(strip, ((0, 0), (0, width - strip.shape[1]), (0, 0)), mode="edge") for strip in strips]
    write_png(path, np.concatenate(rows))


def strip_of(
    positions: Array,
    parents: NDArray[np.intp],
    spacing: float = 0.9,
    yaw: float = 80.0,
    height: int = 300,
    grade: float = 0.0,
    warm: Sequence[bool] | None = None,
    ground: Array | None = None,
) -> Image:
    """Picture (H, W, 3) of the poses of one motion, each moved sideways from the one before.

    Parameters
    ----------
    positions : (T, J, 3) joints in metres, Z up.
    parents : (J,)
    spacing : metres between figures.
    yaw : degrees from which they are seen: 0 from the front, 90 from their right.
    height : of the picture in pixels.
    grade : rise of the floor along -Y.
    warm : (T,) which figures are drawn in a warm colour, every fourth by default.
    ground : (T,) height of the floor below each pose's middle; just below its lowest joint by default.
    """
    scale = height / 2.25
    camera = camera_at(np.radians(yaw), np.radians(8.0), scale)
    stage = Stage(camera, int(scale * spacing * (len(positions) + 0.6)), height, (0.8 * spacing * scale, 0.87 * height))
    rise = np.array([0.0, -grade])
    light = np.ones((height, stage.width), dtype=np.float32)
    for index, pose in enumerate(positions):
        centred = pose - np.mean(pose, axis=0) * np.array([1.0, 1.0, 0.0])
        floor = np.min(centred[:, 2] - centred[:, :2] @ rise) - 0.025 if ground is None else ground[index]
        moved = centred - np.array([0.0, 0.0, floor]) + index * spacing * camera.axes[0]
        colour = _WARM if (index % 4 == 0 if warm is None else warm[index]) else _GREY
        cones = body_cones(moved, parents, colour, camera.axes[2])
        for cone in cones:
            stage.draw(cone)
        light_floor(light, stage, cones, index * spacing * camera.axes[0], rise)
    picture, cover = stage.shaded()
    return picture + (1.0 - cover) * PAPER * light[..., None]
