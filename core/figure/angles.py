"""Rotations as Euler angles and as axis and angle, continuous over time: no flips, no wraps."""

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import quaternion as quat

Array = NDArray[np.float64]

_TURN = 2.0 * np.pi
_LOCK = 1e-6


def to_euler(q: ArrayLike, order: str, reference: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
    """Euler angles of rotations over time.

    Two triples of angles give the same rotation, and each angle may be wrapped; of all these the one nearest to the row
    before is taken. In gimbal lock the first angle stays.

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
    Which of the two triples is nearer does not depend on which was taken before, only on whether to change sides; so
    the choice is a running sum and needs no loop over time.
    """
    i, j, k = ("XYZ".index(letter) for letter in order)
    parity = 1.0 if (j - i) % 3 == 1 else -1.0
    matrices = quat.to_matrix(q)
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


def euler_pose(q: Array, order: str) -> Array:
    """Euler angles of one pose, quickly, whatever the pose before: the first of the two triples.

    Parameters
    ----------
    q : (n, 4) quaternions of any one length.
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
        return to_euler(quat.normalize(q)[None], order)[0]
    return np.arctan2(entries[:3], entries[3:6]).T


@cache
def _pose_terms(order: str) -> tuple[int, int, Array]:
    """The middle and the last axis, and (7, 16) what makes matrix entries of the products of quaternion components.

    The first three rows are the sines of the angles about x, y and z, the next three their cosines, each pair times one
    length; the middle cosine is left to be found from the last pair. The seventh row is the length squared.
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
    """Weights (16,) of the products w w, w x, ... z z in an entry of the rotation matrix."""
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
    """Sum (...) of what the angles (..., 3) differ, whole turns left out."""
    difference = a - b
    return np.abs(difference - _TURN * np.round(difference / _TURN)).sum(axis=-1)


def _held_in_lock(angle: Array, level: Array) -> Array:
    """`angle` (T, ...), where `level` vanishes that of the last row where it does not."""
    return np.take_along_axis(angle, _last_row(level > _LOCK), axis=0)


def _last_row(good: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Index (T, ...) of the last row up to each one that is `good`; before the first of these, the first."""
    rows = np.arange(len(good)).reshape((-1,) + (1,) * (good.ndim - 1))
    return np.maximum.accumulate(np.where(good, rows, np.argmax(good, axis=0)[None] * (rows == 0)), axis=0)


def to_axis_angle(q: ArrayLike, reference: ArrayLike = (0.0, 0.0, 1.0, 0.0)) -> Array:
    """Angle and axis of rotations over time; the axis does not turn over, the angle may be negative or beyond a turn.

    Parameters
    ----------
    q : (T, ..., 4) unit quaternions.
    reference : (..., 4) angle and axis before the first row, broadcast.

    Returns
    -------
    (T, ..., 4) angle in radians, then the unit axis, Blender's order.
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
