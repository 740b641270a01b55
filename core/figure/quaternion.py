"""Unit quaternions ``wxyz`` as arrays whose last axis is the four components; every function is vectorised."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
IDENTITY: Array = np.array([1.0, 0.0, 0.0, 0.0])

_AXES = {"X": 0, "Y": 1, "Z": 2}


def multiply(a: ArrayLike, b: ArrayLike) -> Array:
    """Hamilton product: rotate by `b`, then by `a`.

    Parameters
    ----------
    a, b : (..., 4) quaternions, broadcast against each other.

    Returns
    -------
    (..., 4)
    """
    p, q = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    w, x, y, z = p[..., 0], p[..., 1], p[..., 2], p[..., 3]
    s, i, j, k = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    product = np.empty(np.broadcast_shapes(p.shape, q.shape))
    product[..., 0] = w * s - x * i - y * j - z * k
    product[..., 1] = w * i + x * s + y * k - z * j
    product[..., 2] = w * j - x * k + y * s + z * i
    product[..., 3] = w * k + x * j - y * i + z * s
    return product


def conjugate(q: ArrayLike) -> Array:
    """Inverse rotation of unit quaternions (..., 4)."""
    return np.asarray(q, dtype=np.float64) * np.array([1.0, -1.0, -1.0, -1.0])


def normalize(q: ArrayLike) -> Array:
    """Scale (..., 4) to unit length; the zero quaternion becomes the identity."""
    values = np.asarray(q, dtype=np.float64)
    length = np.linalg.norm(values, axis=-1, keepdims=True)
    return np.where(length > 0.0, values / np.where(length > 0.0, length, 1.0), IDENTITY)


def rotate(q: ArrayLike, v: ArrayLike) -> Array:
    """Rotate vectors (..., 3) by unit quaternions (..., 4), broadcast against each other."""
    rotation, vector = np.asarray(q, dtype=np.float64), np.asarray(v, dtype=np.float64)
    w, x, y, z = rotation[..., 0], rotation[..., 1], rotation[..., 2], rotation[..., 3]
    a, b, c = vector[..., 0], vector[..., 1], vector[..., 2]
    i, j, k = 2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)
    rotated = np.empty(np.broadcast_shapes(rotation.shape[:-1], vector.shape[:-1]) + (3,))
    rotated[..., 0] = a + w * i + (y * k - z * j)
    rotated[..., 1] = b + w * j + (z * i - x * k)
    rotated[..., 2] = c + w * k + (x * j - y * i)
    return rotated


def exp(rotation_vector: ArrayLike) -> Array:
    """Quaternion of a rotation vector (..., 3) in radians (axis times angle)."""
    vector = np.asarray(rotation_vector, dtype=np.float64)
    half = 0.5 * np.linalg.norm(vector, axis=-1, keepdims=True)
    shrunk = np.asarray(np.sinc(half / np.pi), dtype=np.float64)
    return np.concatenate([np.cos(half), 0.5 * shrunk * vector], axis=-1)


def log(q: ArrayLike) -> Array:
    """Rotation vector (..., 3) in radians of unit quaternions (..., 4), angle in [0, pi]."""
    values = np.asarray(q, dtype=np.float64)
    values = np.where(values[..., :1] < 0.0, -values, values)
    sine = np.linalg.norm(values[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, values[..., :1])
    small = sine < 1e-12
    factor = np.where(small, 2.0, angle / np.where(small, 1.0, sine))
    return values[..., 1:] * np.asarray(factor, dtype=np.float64)


def angle_between(a: ArrayLike, b: ArrayLike) -> Array:
    """Angle (...) in radians of the rotation that takes `a` to `b`, both (..., 4)."""
    return np.linalg.norm(log(multiply(conjugate(a), b)), axis=-1)


def from_yaw(heading: ArrayLike) -> Array:
    """Rotation (..., 4) about +Z by `heading` (...) in radians."""
    half = 0.5 * np.asarray(heading, dtype=np.float64)
    zero = np.zeros_like(half)
    return np.stack([np.cos(half), zero, zero, np.sin(half)], axis=-1)


def yaw_of(q: ArrayLike) -> Array:
    """Heading (...) in radians, in (-pi, pi]: the twist of (..., 4) about +Z (swing-twist decomposition)."""
    values = np.asarray(q, dtype=np.float64)
    heading = 2.0 * np.asarray(np.arctan2(values[..., 3], values[..., 0]), dtype=np.float64)
    return np.asarray(np.arctan2(np.sin(heading), np.cos(heading)), dtype=np.float64)


def from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Quaternion (..., 4) of an axis (..., 3), normalised here, and an angle (...) in radians."""
    direction = np.asarray(axis, dtype=np.float64)
    length = np.linalg.norm(direction, axis=-1, keepdims=True)
    found = np.where(length > 0.0, direction / np.where(length > 0.0, length, 1.0), np.array([0.0, 1.0, 0.0]))
    unit = np.asarray(found, dtype=np.float64)
    half = 0.5 * np.asarray(angle, dtype=np.float64)[..., None]
    return np.concatenate([np.cos(half), np.sin(half) * unit], axis=-1)


def from_euler(angles: ArrayLike, order: str) -> Array:
    """Quaternion (..., 4) of Blender's Euler angles.

    Parameters
    ----------
    angles : (..., 3) radians about x, y, z, whatever the order.
    order : such as ``'XYZ'``: x is applied first.
    """
    values = np.asarray(angles, dtype=np.float64)
    result = None
    for letter in order:
        axis = _AXES[letter]
        half = 0.5 * values[..., axis]
        turn = np.zeros(values.shape[:-1] + (4,))
        turn[..., 0], turn[..., 1 + axis] = np.cos(half), np.sin(half)
        result = turn if result is None else multiply(turn, result)
    return np.asarray(result)


def to_matrix(q: ArrayLike) -> Array:
    """Rotation matrices (..., 3, 3), acting on column vectors, of unit quaternions (..., 4)."""
    values = np.asarray(q, dtype=np.float64)
    columns = [rotate(values, axis) for axis in np.eye(3)]
    return np.stack(columns, axis=-1)


def from_matrix(m: ArrayLike) -> Array:
    """Unit quaternions (..., 4) of rotation matrices (..., 3, 3)."""
    a = np.asarray(m, dtype=np.float64)
    xx, yy, zz = a[..., 0, 0], a[..., 1, 1], a[..., 2, 2]
    yz, zx, xy = a[..., 2, 1] - a[..., 1, 2], a[..., 0, 2] - a[..., 2, 0], a[..., 1, 0] - a[..., 0, 1]
    sxy, szx, syz = a[..., 0, 1] + a[..., 1, 0], a[..., 0, 2] + a[..., 2, 0], a[..., 1, 2] + a[..., 2, 1]
    candidates = np.stack(
        [
            np.stack([1.0 + xx + yy + zz, yz, zx, xy], axis=-1),
            np.stack([yz, 1.0 + xx - yy - zz, sxy, szx], axis=-1),
            np.stack([zx, sxy, 1.0 - xx + yy - zz, syz], axis=-1),
            np.stack([xy, szx, syz, 1.0 - xx - yy + zz], axis=-1),
        ],
        axis=-2,
    )
    diagonal = np.stack([xx + yy + zz, xx - yy - zz, yy - xx - zz, zz - xx - yy], axis=-1)
    best = np.argmax(diagonal, axis=-1)[..., None, None]
    return normalize(np.take_along_axis(candidates, best, axis=-2)[..., 0, :])


def continuous(q: ArrayLike, axis: int = 0) -> Array:
    """Flip signs along `axis` so that neighbours lie in one hemisphere: q and -q are the same rotation."""
    values = np.moveaxis(np.array(q, dtype=np.float64), axis, 0)
    dots = np.einsum("t...c,t...c->t...", values[1:], values[:-1])
    signs = np.concatenate([np.ones((1,) + dots.shape[1:]), np.cumprod(np.where(dots < 0.0, -1.0, 1.0), axis=0)])
    return np.moveaxis(values * signs[..., None], 0, axis)


def align(q: ArrayLike, reference: ArrayLike) -> Array:
    """Flip the signs of (..., 4) so that each lies in the hemisphere of `reference`, broadcast."""
    values = np.asarray(q, dtype=np.float64)
    dots = np.sum(values * np.asarray(reference, dtype=np.float64), axis=-1, keepdims=True)
    return np.where(dots < 0.0, -values, values)


def mean(q: ArrayLike) -> Array:
    """Mean rotation over the first axis, whatever the signs: the largest eigenvector of the sum of outer products.

    Parameters
    ----------
    q : (T, ..., 4)

    Returns
    -------
    (..., 4)

    Notes
    -----
    Markley et al., "Averaging Quaternions", Journal of Guidance, Control, and Dynamics 30 (2007).
    """
    values = np.asarray(q, dtype=np.float64)
    _, vectors = np.linalg.eigh(np.einsum("t...i,t...j->...ij", values, values))
    return vectors[..., -1]
