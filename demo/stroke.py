"""Lines in the pictures."""

import numpy as np
from numpy.typing import NDArray

from .raster import Image

Array = NDArray[np.float64]


def stroke(picture: Image, ends: Array, radius: float, colour: Array, strength: float = 1.0) -> None:
    """A line with round ends, given in pixels (2, 2)."""
    low = np.maximum(np.floor(ends.min(axis=0) - radius - 1.0), 0.0).astype(int)
    high = np.ceil(ends.max(axis=0) + radius + 2.0).astype(int)
    window = picture[low[1] : high[1], low[0] : high[0]]
    if not window.size:
        return
    x = low[0] + np.arange(window.shape[1]) + 0.5 - ends[0, 0]
    y = low[1] + np.arange(window.shape[0])[:, None] + 0.5 - ends[0, 1]
    way = ends[1] - ends[0]
    share = np.clip((x * way[0] + y * way[1]) / max(float(way @ way), 1e-9), 0.0, 1.0)
    cover = strength * np.clip(radius + 0.5 - np.hypot(x - share * way[0], y - share * way[1]), 0.0, 1.0)
    window += cover[..., None].astype(np.float32) * (colour.astype(np.float32) - window)
