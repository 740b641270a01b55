"""Unit quaternions ``wxyz`` as arrays whose last axis is the four components, and angles without flips."""

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .vector_components import product

Array = NDArray[np.float64]
IDENTITY: Array = np.array([1.0, 0.0, 0.0, 0.0])

_AXES = {"X": 0, "Y": 1, "Z": 2}
_TURN = 2.0 * np.pi
_NONE = 1e-12
"""Sine or radians below which a rotation counts as the identity."""
_LOCK = 1e-6
"""Sine or cosine below which an angle counts as being in gimbal lock, or a rotation as the identity."""


def multiply(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the Hamilton product: rotate by `b`, then by `a`.

    Parameters
    ----------
    a, b : (..., 4) quaternions, broadcast against each other.

    Returns
    -------
    (..., 4)
    """
    p, q = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    made = np.empty(np.broadcast_shapes(p.shape, q.shape))
    parts = ((c[..., 0], c[..., 1], c[..., 2], c[..., 3]) for c in (p, q))
    made[..., 0], made[..., 1], made[..., 2], made[..., 3] = product(*parts)
    return made


def conjugate(q: ArrayLike) -> Array:
    """Return the inverse rotation of unit quaternions (..., 4)."""
    return np.asarray(q, dtype=np.float64) * np.array([1.0, -1.0, -1.0, -1.0])


def normalize(q: ArrayLike) -> Array:
    """Return quaternions (..., 4) scaled to unit length; the zero quaternion becomes the identity."""
    values = np.asarray(q, dtype=np.float64)
    lengths = _lengths(values)
    found = lengths > 0.0
    if found.all():
        return _scaled(values, 1.0 / lengths)
    return np.where(found[..., None], _scaled(values, 1.0 / np.where(found, lengths, 1.0)), IDENTITY)


def rotate(q: ArrayLike, v: ArrayLike) -> Array:
    """Return vectors (..., 3) rotated by unit quaternions (..., 4), broadcast against each other."""
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
    """Return the quaternion (..., 4) of a rotation vector (..., 3), axis times angle in radians."""
    vector = np.asarray(rotation_vector, dtype=np.float64)
    half = 0.5 * _lengths(vector)
    small = half < _NONE
    quaternion = np.empty((*half.shape, 4))
    quaternion[..., 0] = np.cos(half)
    quaternion[..., 1:] = _scaled(vector, np.where(small, 0.5, 0.5 * np.sin(half) / np.where(small, 1.0, half)))
    return quaternion


def log(q: ArrayLike) -> Array:
    """Return the rotation vector (..., 3) of unit quaternions (..., 4), with an angle in [0, pi] radians."""
    values = np.asarray(q, dtype=np.float64)
    factor = _angle_by_sine(values, np.abs(values[..., 0]))
    return _scaled(values[..., 1:], np.where(values[..., 0] < 0.0, -factor, factor))


def turns(q: ArrayLike) -> Array:
    """Return rotation vectors (..., 3) of up to a full turn: the longer way round where w is negative."""
    values = np.asarray(q, dtype=np.float64)
    return _scaled(values[..., 1:], _angle_by_sine(values, values[..., 0]))


def _angle_by_sine(q: Array, cosines: Array) -> Array:
    """Return the angle (...) in radians of quaternions (..., 4), divided by the sine of its half.

    `cosines` (...) are the cosines of half the angles to use.
    """
    sines = _lengths(q[..., 1:])
    small = sines < _NONE
    return np.where(small, 2.0, 2.0 * np.arctan2(sines, cosines) / np.where(small, 1.0, sines))


def _lengths(vectors: Array) -> Array:
    """Return the lengths (...) of vectors (..., n); for many short ones, faster than `numpy.linalg.norm`."""
    return np.sqrt(np.einsum("...c,...c->...", vectors, vectors))


def _scaled(vectors: Array, factors: Array) -> Array:
    """Return vectors (..., n) times factors (...); faster than broadcasting, which is slow along short axes."""
    return np.einsum("...c,...->...c", vectors, factors)


def angle_between(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the angle (...) in [0, pi] radians of the rotation from `a` to `b`, both (..., 4)."""
    one, other = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    apart, along = _lengths(one - other), _lengths(one + other)
    return 4.0 * np.arctan2(np.minimum(apart, along), np.maximum(apart, along))


def from_yaw(heading: ArrayLike) -> Array:
    """Return the rotation (..., 4) about +Z by `heading` (...) in radians."""
    half = 0.5 * np.asarray(heading, dtype=np.float64)
    zero = np.zeros_like(half)
    return np.stack([np.cos(half), zero, zero, np.sin(half)], axis=-1)


def yaw_of(q: ArrayLike) -> Array:
    """Return the heading (...) in radians, in [-pi, pi]: the twist of (..., 4) about +Z (swing-twist decomposition)."""
    values = np.asarray(q, dtype=np.float64)
    heading = 2.0 * np.asarray(np.arctan2(values[..., 3], values[..., 0]), dtype=np.float64)
    return np.asarray(np.arctan2(np.sin(heading), np.cos(heading)), dtype=np.float64)


def from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Return the quaternion (..., 4) of an axis (..., 3), of any length, and an angle (...) in radians.

    An axis of length 0 counts as Y, as in Blender.
    """
    direction = np.asarray(axis, dtype=np.float64)
    length = np.linalg.norm(direction, axis=-1, keepdims=True)
    found = np.where(length > 0.0, direction / np.where(length > 0.0, length, 1.0), np.array([0.0, 1.0, 0.0]))
    unit = np.asarray(found, dtype=np.float64)
    half = 0.5 * np.asarray(angle, dtype=np.float64)[..., None]
    return np.concatenate([np.cos(half), np.sin(half) * unit], axis=-1)


def from_euler(angles: ArrayLike, order: str) -> Array:
    """Return the quaternion (..., 4) of Blender's Euler angles.

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
    """Return the rotation matrices (..., 3, 3), acting on column vectors, of unit quaternions (..., 4)."""
    values = np.asarray(q, dtype=np.float64)
    columns = [rotate(values, axis) for axis in np.eye(3)]
    return np.stack(columns, axis=-1)


def from_matrix(m: ArrayLike) -> Array:
    """Return the unit quaternions (..., 4) of rotation matrices (..., 3, 3)."""
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


def continuous(q: ArrayLike) -> Array:
    """Return quaternions (T, ..., 4) with signs flipped so that neighbours along the first axis lie in one hemisphere.

    q and -q are the same rotation.
    """
    values = np.asarray(q, dtype=np.float64)
    dots = np.einsum("t...c,t...c->t...", values[1:], values[:-1])
    signs = np.concatenate([np.ones((1,) + dots.shape[1:]), np.cumprod(np.where(dots < 0.0, -1.0, 1.0), axis=0)])
    return values * signs[..., None]


def align(q: ArrayLike, reference: ArrayLike) -> Array:
    """Return quaternions (..., 4), their signs flipped into the hemisphere of `reference` (..., 4), broadcast."""
    values = np.asarray(q, dtype=np.float64)
    dots = np.einsum("...c,...c->...", values, np.asarray(reference, dtype=np.float64))
    return _scaled(values, np.where(dots < 0.0, -1.0, 1.0))


def mean(q: ArrayLike) -> Array:
    """Return the mean rotation over the first axis, independent of the signs of the quaternions.

    It is the eigenvector with the largest eigenvalue of the sum of the quaternions' outer products.

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


def to_euler(q: ArrayLike, order: str, reference: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
    """Return Euler angles of rotations over time, without jumps.

    Two triples of angles give the same rotation, and each angle may be wrapped; of all these the triple nearest to the
    previous row is used. In gimbal lock the first angle keeps its value.

    Parameters
    ----------
    q : (T, ..., 4) unit quaternions.
    order : such as ``'XYZ'``: x is applied first.
    reference : (..., 3) angles before the first row, broadcast.

    Returns
    -------
    (T, ..., 3) radians about x, y, z, whatever the order.

    Notes
    -----
    Which of the two triples is nearer does not depend on the one used before, except for whether to switch sides; so
    the choice is a running sum and needs no loop over time.
    """
    i, j, k = ("XYZ".index(letter) for letter in order)
    parity = 1.0 if (j - i) % 3 == 1 else -1.0
    matrices = to_matrix(q)
    level = np.hypot(matrices[..., i, i], matrices[..., j, i])
    first = _held_in_lock(parity * np.arctan2(matrices[..., k, j], matrices[..., k, k]), level)
    second = parity * np.arctan2(-matrices[..., k, i], level)
    sine, cosine = parity * np.sin(first), np.cos(first)
    column = cosine[..., None] * matrices[..., :, j] - sine[..., None] * matrices[..., :, k]
    third = parity * np.arctan2(-column[..., i], column[..., j])
    angles = np.empty(first.shape + (3,))
    angles[..., i], angles[..., j], angles[..., k] = first, second, third
    other = angles + np.pi
    other[..., j] = np.pi - second
    start = np.broadcast_to(np.asarray(reference, dtype=np.float64), angles.shape[1:])
    swaps = np.empty(angles.shape[:-1], dtype=bool)
    swaps[0] = _distance(other[0], start) < _distance(angles[0], start)
    swaps[1:] = _distance(other[1:], angles[:-1]) < _distance(angles[1:], angles[:-1])
    chosen = np.where((np.cumsum(swaps, axis=0) % 2 == 1)[..., None], other, angles)
    return np.unwrap(np.concatenate([start[None], chosen]), axis=0)[1:]


def euler_pose(q: Array | NDArray[np.float32], order: str) -> Array:
    """Return Euler angles of one pose, fast and independent of the previous pose.

    Of the two triples of a rotation it is the one whose middle angle has a cosine of 0 or more.

    Parameters
    ----------
    q : (n, 4) quaternions, all of one length.
    order : such as ``'XYZ'``: x is applied first.

    Returns
    -------
    (n, 3) radians about x, y, z, whatever the order.
    """
    middle, last, terms = _pose_terms(order)
    components = np.array(q.T, dtype=np.float64, order="C")
    entries = terms.dot((components[:, None] * components).reshape(16, -1))
    level = np.hypot(entries[last], entries[3 + last], entries[3 + middle])
    if np.minimum.reduce(level) < _LOCK * entries[6, 0]:
        return to_euler(normalize(components.T)[None], order)[0]
    return np.arctan2(entries[:3], entries[3:6]).T


@cache
def _pose_terms(order: str) -> tuple[int, int, Array]:
    """Return the middle and the last axis, and (7, 16) from products of quaternion components to terms of the angles.

    The first three rows are the sines of the angles about x, y and z, the next three their cosines, each pair scaled by
    a common length; the middle cosine is to be computed from the last pair. The seventh row is the length squared.
    """
    i, j, k = ("XYZ".index(letter) for letter in order)
    parity = 1.0 if (j - i) % 3 == 1 else -1.0
    terms = np.zeros((7, 16))
    terms[i], terms[3 + i] = parity * _entry(k, j), _entry(k, k)
    terms[j] = -parity * _entry(k, i)
    terms[k], terms[3 + k] = parity * _entry(j, i), _entry(i, i)
    terms[6] = np.eye(4).reshape(-1)
    return j, k, terms


def _entry(row: int, column: int) -> Array:
    """Return the coefficients (16,) of the products w w, w x, ... z z in an entry of the rotation matrix."""
    weights = np.zeros((4, 4))
    if row == column:
        np.fill_diagonal(weights, -1.0)
        weights[0, 0] = weights[1 + row, 1 + row] = 1.0
    else:
        other = 3 - row - column
        weights[1 + row, 1 + column] = 2.0
        weights[0, 1 + other] = -2.0 if (column - row) % 3 == 1 else 2.0
    return weights.reshape(-1)


def _distance(a: Array, b: Array) -> Array:
    """Return the sum (...) of the differences between angles (..., 3), modulo full turns."""
    difference = a - b
    return np.abs(difference - _TURN * np.round(difference / _TURN)).sum(axis=-1)


def _held_in_lock(angle: Array, level: Array) -> Array:
    """Return `angle` (T, ...), held from the last row with a `level` above 0 wherever `level` vanishes."""
    return np.take_along_axis(angle, _last_row(level > _LOCK), axis=0)


def _last_row(good: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return for each row the index (T, ...) of the last `good` row up to it, otherwise of the first good row."""
    rows = np.arange(len(good)).reshape((-1,) + (1,) * (good.ndim - 1))
    return np.maximum.accumulate(np.where(good, rows, np.argmax(good, axis=0)[None] * (rows == 0)), axis=0)


def to_axis_angle(q: ArrayLike, reference: ArrayLike = (0.0, 0.0, 1.0, 0.0)) -> Array:
    """Return angle and axis of rotations over time, without jumps.

    The axis does not flip; the angle may therefore be negative or larger than a full turn.

    Parameters
    ----------
    q : (T, ..., 4) unit quaternions.
    reference : (..., 4) angle and axis before the first row, broadcast.

    Returns
    -------
    (T, ..., 4) angle in radians, then the unit axis, in Blender's order.
    """
    values = np.asarray(q, dtype=np.float64)
    start = np.broadcast_to(np.asarray(reference, dtype=np.float64), values.shape[1:])
    vectors = np.concatenate([start[None, ..., 1:], values[..., 1:]])
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    axis = vectors / np.where(length > _LOCK, length, 1.0)
    axis = np.take_along_axis(axis, _last_row(length > _LOCK), axis=0)
    signs = np.where(np.einsum("t...c,t...c->t...", axis[1:], axis[:-1]) < 0.0, -1.0, 1.0)
    axis = axis[1:] * np.cumprod(signs, axis=0)[..., None]
    along = np.einsum("t...c,t...c->t...", axis, values[..., 1:])
    angle = 2.0 * np.arctan2(along, values[..., 0])
    angle = np.unwrap(np.concatenate([start[None, ..., 0], angle]), axis=0)[1:]
    return np.concatenate([angle[..., None], axis], axis=-1)
