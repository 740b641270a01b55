"""A small rasteriser in NumPy, which draws shaded round cones as an orthographic camera sees them."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Image = NDArray[np.float32]

OVERSAMPLING = 3
_LAMP = np.array([-0.45, 0.75, 0.55])
_LAMP /= np.linalg.norm(_LAMP)


@dataclass(frozen=True)
class Cone:
    """A round cone: two balls and what lies between them.

    Parameters
    ----------
    start, end : (3,) centres in metres.
    start_radius, end_radius : metres.
    colour : (3,) linear RGB in [0, 1].
    """

    start: Array
    end: Array
    start_radius: float
    end_radius: float
    colour: Array


@dataclass(frozen=True)
class Camera:
    """Orthographic camera: rows of `axes` are right, up and towards the viewer.

    Parameters
    ----------
    axes : (3, 3)
    scale : pixels a metre.
    """

    axes: Array
    scale: float

    def project(self, points: ArrayLike) -> Array:
        """Return the coordinates (..., 3) of points (..., 3) to the right, up and towards the viewer, in metres."""
        return np.asarray(points, dtype=np.float64) @ self.axes.T


def camera_at(yaw: float, elevation: float, scale: float) -> Camera:
    """Make a camera that sees a figure facing -Y from `yaw` radians to its right, so that it walks to the right."""
    flat = np.array([-np.sin(yaw), -np.cos(yaw), 0.0])
    right = np.array([np.cos(yaw), -np.sin(yaw), 0.0])
    towards = np.cos(elevation) * flat + np.array([0.0, 0.0, np.sin(elevation)])
    return Camera(np.stack([right, np.cross(towards, right), towards]), scale)


@dataclass(eq=False)
class Stage:
    """A picture that is being drawn: depth, normals and colours of the nearest surface, oversampled.

    Parameters
    ----------
    camera : Camera
    width, height : pixels of the finished picture.
    origin : (2,) pixel, from the left and the top, where the point (0, 0, 0) is seen.
    """

    camera: Camera
    width: int
    height: int
    origin: tuple[float, float]
    depth: Image = field(init=False)
    normal: Image = field(init=False)
    colour: Image = field(init=False)

    def __post_init__(self) -> None:
        shape = (self.height * OVERSAMPLING, self.width * OVERSAMPLING)
        self.depth = np.full(shape, -np.inf, dtype=np.float32)
        self.normal = np.zeros(shape + (3,), dtype=np.float32)
        self.colour = np.zeros(shape + (3,), dtype=np.float32)

    def floor_window(self, centre: Array, reach: float) -> tuple[slice, slice]:
        """Return rows and columns of the finished picture within `reach` metres of the point `centre` (3,)."""
        right, up, _ = self.camera.project(centre) * self.camera.scale
        size = reach * self.camera.scale
        columns = np.clip([self.origin[0] + right - size, self.origin[0] + right + size], 0, self.width)
        rows = np.clip([self.origin[1] - up - 0.5 * size, self.origin[1] - up + 0.5 * size], 0, self.height)
        return slice(int(rows[0]), int(rows[1])), slice(int(columns[0]), int(columns[1]))

    def floor_points(self, window: tuple[slice, slice], centre: Array, rise: Array) -> tuple[Array, Array]:
        """Return the floor coordinates x and y of each pixel in a window of the finished picture.

        The floor is ``centre + x (1, 0, rise[0]) + y (0, 1, rise[1])``.
        """
        right, up = self._grid(OVERSAMPLING)
        right, up = right[:, window[1]], up[window[0]]
        edges = self.camera.project(np.array([[1.0, 0.0, rise[0]], [0.0, 1.0, rise[1]]]))[:, :2]
        start = self.camera.project(centre)[:2]
        inverse = np.linalg.inv(edges.T)
        return (
            inverse[0, 0] * (right - start[0]) + inverse[0, 1] * (up - start[1]),
            inverse[1, 0] * (right - start[0]) + inverse[1, 1] * (up - start[1]),
        )

    def _grid(self, step: int) -> tuple[Array, Array]:
        """Return coordinates to the right (1, W) and up (H, 1), in metres, of every `step`-th oversampled pixel."""
        rows, columns = self.depth.shape
        pixel = 1.0 / (OVERSAMPLING * self.camera.scale)
        right = (np.arange(0, columns, step) + 0.5 * step) * pixel - self.origin[0] / self.camera.scale
        up = self.origin[1] / self.camera.scale - (np.arange(0, rows, step) + 0.5 * step) * pixel
        return right[None, :], up[:, None]

    def draw(self, cone: Cone) -> None:
        """Draw a cone where it is nearer than what has been drawn."""
        ends = self.camera.project(np.stack([cone.start, cone.end]))
        radii = np.array([cone.start_radius, cone.end_radius])
        box = self._box(ends, radii)
        if box is None:
            return
        rows, columns = box
        right, up = (axis[part] for axis, part in zip(self._grid(1), ((slice(None), columns), (rows,)), strict=True))
        depth, normal = _hit(right, up, ends, radii)
        nearer = depth > self.depth[rows, columns]
        self.depth[rows, columns][nearer] = depth[nearer]
        self.normal[rows, columns][nearer] = normal[nearer]
        self.colour[rows, columns][nearer] = cone.colour

    def _box(self, ends: Array, radii: Array) -> tuple[slice, slice] | None:
        """Return the rows and columns that a cone may cover, None if it is outside the picture."""
        fine = OVERSAMPLING * self.camera.scale
        low = np.min(ends[:, :2] - radii[:, None], axis=0) * fine
        high = np.max(ends[:, :2] + radii[:, None], axis=0) * fine
        across = np.array([low[0], high[0]]) + self.origin[0] * OVERSAMPLING
        down = self.origin[1] * OVERSAMPLING - np.array([high[1], low[1]])
        left, right = (int(v) for v in np.clip([across[0], across[1] + 1], 0, self.depth.shape[1]))
        top, bottom = (int(v) for v in np.clip([down[0], down[1] + 1], 0, self.depth.shape[0]))
        return (slice(top, bottom), slice(left, right)) if right > left and bottom > top else None

    def shaded(self) -> tuple[Image, Image]:
        """Return the finished picture (H, W, 3), multiplied by its coverage, and the coverage (H, W, 1)."""
        covered = np.isfinite(self.depth)
        rows, columns = (np.flatnonzero(np.any(covered, axis=axis)) for axis in (1, 0))
        picture = np.zeros(self.depth.shape + (4,), dtype=np.float32)
        if len(rows):
            part = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
            light = _light(_smoothed(self.normal[part], self.depth[part], 0.012 * self.camera.scale * OVERSAMPLING))
            light *= 1.0 - 0.5 * _creases(self.depth[part])
            picture[part][..., :3] = self.colour[part] * light[..., None] * covered[part][..., None]
            picture[part][..., 3] = covered[part]
        finished = _reduced(picture)
        return finished[..., :3], finished[..., 3:]


def _light(normal: Image) -> Image:
    """Shade normals (H, W, 3) by a lamp at the upper left, light from the sky, and a darker rim; returns (H, W)."""
    lamp = np.clip(0.25 + 0.75 * (normal @ _LAMP.astype(np.float32)), 0.0, 1.0)
    sky = 0.5 + 0.5 * normal[..., 1]
    facing = np.clip(normal[..., 2], 0.0, 1.0)
    return (0.32 + 0.22 * sky + 0.56 * lamp) * (0.70 + 0.30 * facing**0.7)


def _smoothed(normal: Image, depth: Image, size: float) -> Image:
    """Average normals (H, W, 3) over pixels of similar depth, so that cones blend into each other smoothly."""
    solid = np.where(np.isfinite(depth), depth, np.float32(-1e3))
    for axis in (0, 1):
        total = normal.copy()
        for factor in (0.5, 1.0, 1.5):
            shift = max(1, round(factor * size))
            for step in (shift, -shift):
                near = np.clip(1.5 - np.abs(np.roll(solid, step, axis=axis) - solid) / 0.03, 0.0, 1.0)
                total += near[..., None] * np.roll(normal, step, axis=axis)
        normal = total / np.maximum(np.linalg.norm(total, axis=-1, keepdims=True), np.float32(1e-6))
    return normal


def _creases(depth: Image) -> Image:
    """Return how far (H, W) a pixel lies just behind a nearer surface, to draw the outline of a limb before another."""
    solid = np.where(np.isfinite(depth), depth, np.float32(-1e3))
    dark = np.zeros_like(depth)
    for shift in (1, OVERSAMPLING):
        for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1)):
            step = np.roll(solid, sign * shift, axis=axis) - solid
            dark = np.maximum(dark, np.clip(step / 0.05 - 0.4, 0.0, 1.0) * (1.0 - 0.15 * (shift - 1)))
    return dark


def _reduced(image: Image) -> Image:
    rows, columns, parts = image.shape
    blocks = image.reshape(rows // OVERSAMPLING, OVERSAMPLING, columns // OVERSAMPLING, OVERSAMPLING, parts)
    return blocks.mean(axis=(1, 3), dtype=np.float32)


def _hit(right: Array, up: Array, ends: Array, radii: Array) -> tuple[Image, Image]:
    """Intersect rays towards -Z with a round cone; returns depths (H, W), -inf where they miss, and normals (H, W, 3).

    The side, which spheres of growing radius along the axis envelop, and the spheres at the ends are intersected in
    closed form.
    """
    axis, shrink = ends[1] - ends[0], radii[0] - radii[1]
    length2 = float(axis @ axis)
    slant = length2 - shrink**2
    best = np.full(np.broadcast_shapes(right.shape, up.shape), -np.inf)
    normal = np.zeros(best.shape + (3,))
    for end, radius in zip(ends, radii, strict=True):
        x, y = (right - end[0]) / radius, (up - end[1]) / radius
        z2 = 1.0 - x**2 - y**2
        depth = np.where(z2 > 0.0, end[2] + radius * np.sqrt(np.maximum(z2, 0.0)), -np.inf)
        nearer = depth > best
        best = np.where(nearer, depth, best)
        ball = np.stack(np.broadcast_arrays(x, y, np.sqrt(np.maximum(z2, 0.0))), axis=-1)
        normal = np.where(nearer[..., None], ball, normal)
    if slant > 1e-12:
        _roll_along(right - ends[0, 0], up - ends[0, 1], ends[0, 2], axis, radii[0], shrink, slant, best, normal)
    return best.astype(np.float32), normal.astype(np.float32)


def _roll_along(
    x: Array, y: Array, base: float, axis: Array, radius: float, shrink: float, slant: float, best: Array, normal: Array
) -> None:
    """Write the side of a round cone into `best` (H, W) and `normal` (H, W, 3); x, y count from its first ball."""
    along = x * axis[0] + y * axis[1]
    k2 = slant - axis[2] ** 2
    k1 = axis[2] * (along - shrink * radius)
    k0 = slant * (x**2 + y**2) - along**2 + 2.0 * along * radius * shrink - (slant + shrink**2) * radius**2
    inside = k1**2 - k0 * k2
    if abs(k2) < 1e-12:
        return
    x, y = np.broadcast_arrays(x, y)
    for sign in (1.0, -1.0):
        z = (k1 + sign * np.sqrt(np.maximum(inside, 0.0))) / k2
        reached = along + z * axis[2] - radius * shrink
        side = (inside >= 0.0) & (reached > 0.0) & (reached < slant) & (base + z > best)
        best[side] = (base + z)[side]
        point = np.stack([x, y, z], axis=-1) * slant - reached[..., None] * axis
        size = np.linalg.norm(point, axis=-1, keepdims=True)
        normal[side] = (point / np.where(size > 0.0, size, 1.0))[side]
