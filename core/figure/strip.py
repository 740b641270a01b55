"""Small pictures of a motion: a stick figure in several poses side by side, drawn with NumPy only."""

import numpy as np
from numpy.typing import NDArray

from . import quaternion as quat
from .channels import Channels, world_frames

Array = NDArray[np.float64]

YAW = np.radians(58.0)
"""Horizontal view angle to a figure's right: a walking figure moves to the right in the picture."""
RISE = np.radians(8.0)
"""View angle from above."""
MARGIN = 0.06
"""Margin on each side as a share of the picture."""
APART = 0.36
"""Spacing of narrow poses as a share of the figures' height."""
OVERLAP = 0.72
"""Spacing of wide poses as a share of their width, so that they may overlap at their ends."""
THICK = 0.021
"""Radius of a stick as a share of the figures' height."""
OUTLINE = 1.0
"""Width in pixels of a dark outline around a stick, which separates limbs where they cross."""
COLOURS = np.array([[0.36, 0.62, 0.98], [0.42, 0.83, 0.66], [0.99, 0.66, 0.25]])
"""Colours (sRGB) of the first, the middle and the last pose."""
DARK, FLOOR = np.array([0.07, 0.08, 0.11]), np.full(3, 0.6)
"""Colours of outlines and of the floor."""
FAR = 0.55
"""Brightness of the farthest sticks; that of the nearest is 1."""


def _draw(picture: Array, ends: Array, radius: float, colour: Array, strength: float = 1.0) -> None:
    """Draw a line between `ends` (2, 2), with round caps and smooth edges, over what is in a picture (H, W, 4)."""
    size = len(picture)
    low = np.clip(np.floor(ends.min(axis=0) - radius - 1.0), 0, size).astype(int)
    high = np.clip(np.ceil(ends.max(axis=0) + radius + 2.0), 0, size).astype(int)
    spot = picture[low[1] : high[1], low[0] : high[0]]
    rows, columns = np.mgrid[low[1] : high[1], low[0] : high[0]] + 0.5
    points, way = np.stack([columns, rows], axis=-1) - ends[0], ends[1] - ends[0]
    share = np.clip(points @ way / max(float(way @ way), 1e-12), 0.0, 1.0)
    off = np.linalg.norm(points - share[..., None] * way, axis=-1)
    over = strength * np.clip(radius + 0.5 - off, 0.0, 1.0)[..., None]
    below = spot[..., 3:] * (1.0 - over)
    alpha = over + below
    spot[..., :3] = (colour * over + spot[..., :3] * below) / np.maximum(alpha, 1e-12)
    spot[..., 3:] = alpha


def strip(channels: Channels, poses: Array, size: int) -> NDArray[np.float32]:
    """Return a square picture (size, size, 4) of poses (P, width) from left to right: sRGB, straight alpha.

    The lowest row comes first. A pose is drawn at its root's position and orientation, without the travel. Without a
    visible motion, such as of a single joint without length, the picture is empty.

    Parameters
    ----------
    channels : meaning of the columns of the poses.
    poses : (P, width) in order of time, at least one.
    size : side of the picture in pixels.
    """
    seen = _seen(_sticks(channels, poses))
    picture = np.zeros((size, size, 4))
    lows, highs = seen[..., :2].min(axis=(1, 2)), seen[..., :2].max(axis=(1, 2))
    height, wide = float((highs - lows)[:, 1].max()), float((highs - lows)[:, 0].max())
    if max(height, wide) <= 0.0:
        return picture.astype(np.float32)
    apart = max(APART * height, OVERLAP * wide)
    places = np.arange(len(poses)) * apart - 0.5 * (lows + highs)[:, 0]
    left, right = float((places + lows[:, 0]).min()), float((places + highs[:, 0]).max())
    bottom, top = float(lows[:, 1].min()), float(highs[:, 1].max())
    scale = (1.0 - 2.0 * MARGIN) * size / max(right - left, top - bottom)
    middle = 0.5 * np.array([left + right, bottom + top])
    flat = seen[..., :2] + np.stack([places, np.zeros(len(places))], axis=-1)[:, None, None]
    flat = (flat - middle) * scale + 0.5 * size
    radius = max(THICK * max(height, 0.5 * wide) * scale, 0.8)
    _draw_floor(picture, flat, radius)
    for pose, ends in enumerate(flat):
        share = pose / max(len(flat) - 1, 1)
        mixed = np.maximum(1.0 - np.abs(2.0 * share - np.arange(3.0)), 0.0)
        colour: Array = (mixed[:, None] * COLOURS).sum(axis=0)
        for stick, tint in _by_depth(ends, seen[pose, ..., 2].mean(axis=1), colour):
            _draw(picture, stick, radius + OUTLINE, DARK)
            _draw(picture, stick, radius, tint)
    return picture.astype(np.float32)


def _sticks(channels: Channels, poses: Array) -> Array:
    """Return both ends (P, S, 2, 3) of the sticks: from joint to joint, and the bones at the ends of limbs."""
    skeleton = channels.skeleton
    places, turns = world_frames(channels, poses)
    places = places - places[:, :1] * np.array([1.0, 1.0, 0.0])
    tails = places + quat.rotate(turns, skeleton.tails)
    parents = skeleton.parents
    inner = np.flatnonzero(parents >= 0)
    last = np.setdiff1d(np.arange(len(parents)), parents)
    limbs = np.stack([places[:, parents[inner]], places[:, inner]], axis=2)
    return np.concatenate([limbs, np.stack([places[:, last], tails[:, last]], axis=2)], axis=1)


def _seen(points: Array) -> Array:
    """Return points (..., 3) of figures facing -Y in view coordinates: right, up, towards the viewer."""
    flat = np.array([-np.sin(YAW), -np.cos(YAW), 0.0])
    right = np.array([np.cos(YAW), -np.sin(YAW), 0.0])
    towards = np.cos(RISE) * flat + np.array([0.0, 0.0, np.sin(RISE)])
    return points @ np.stack([right, np.cross(towards, right), towards]).T


def _by_depth(ends: Array, depths: Array, colour: Array) -> list[tuple[Array, Array]]:
    """Return the ends (2, 2) of a pose's sticks with their colours (3,), the farthest first and darkest."""
    near = (depths - depths.min()) / max(float(np.ptp(depths)), 1e-12)
    order = np.argsort(near, kind="stable")
    return [(ends[row], colour * (FAR + (1.0 - FAR) * near[row])) for row in order]


def _draw_floor(picture: Array, flat: Array, radius: float) -> None:
    """Draw a faint line below all poses."""
    low, half = float(flat[..., 1].min()) - radius - OUTLINE, 0.5 * MARGIN * len(picture)
    ends = np.array([[half, low], [len(picture) - half, low]])
    _draw(picture, ends, 0.5, FLOOR, 0.6)
