"""Products of quaternions: of few as one multiplication and one matrix product, of many component by component."""

import numpy as np
from numpy.typing import NDArray

from . import components

Array = NDArray[np.float64]

MANY = 100
"""Rotations from which on components are quicker."""


def left_matrix(q: Array) -> Array:
    """Matrix (4, 4) that multiplies a quaternion by `q` (4,) from the left."""
    w, x, y, z = q
    return np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]])


def _rotation_terms() -> Array:
    """``(w w - v v) 1 + 2 v v^T + 2 w [v]`` taken apart by the products of components."""
    terms = np.zeros((4, 4, 3, 3))
    for a in range(4):
        for b in range(4):
            p, q = np.eye(4)[a], np.eye(4)[b]
            inner = (p[0] * q[0] - p[1:] @ q[1:]) * np.eye(3)
            terms[a, b] = inner + 2.0 * np.outer(p[1:], q[1:]) + 2.0 * p[0] * np.cross(q[1:], np.eye(3)).T
    return terms.reshape(16, 9)


LEFT: Array = np.stack([left_matrix(row).reshape(-1) for row in np.eye(4)])
"""(4, 16) from a quaternion to `left_matrix` of it."""
PRODUCT: Array = np.stack([left_matrix(row).T for row in np.eye(4)]).reshape(16, 4)
"""From the products a_i b_j of components to the quaternion a b."""
CONJUGATE: Array = np.stack([left_matrix(row).T for row in np.diag([1.0, -1.0, -1.0, -1.0])]).reshape(16, 4)
"""From the products a_i b_j of components to the quaternion that leads from a to b, the inverse of a times b."""
ROTATION: Array = _rotation_terms()
"""(16, 9) from the products q_i q_j of a unit quaternion's components to its rotation matrix."""
CROSS: Array = np.cross(np.eye(3)[None], np.eye(3)[:, None])
"""(3, 3, 3): arm times this is the matrix whose row i is axis i cross arm."""


def outer(a: Array, b: Array) -> Array:
    """Products (N, 16) of the components of `a` and `b`, both (N, 4)."""
    return (a[:, :, None] * b[:, None, :]).reshape(-1, 16)


def multiply(a: Array, b: Array) -> Array:
    """Quaternions (N, 4): rotate by `b`, then by `a`, both (N, 4)."""
    if len(a) > MANY:
        return np.stack(components.product(_by_component(a), _by_component(b)), axis=-1)
    return (a[:, :, None] * b[:, None, :]).reshape(-1, 16).dot(PRODUCT)


def difference(a: Array, b: Array) -> Array:
    """Quaternions (N, 4) that lead from `a` to `b`, both (N, 4): a times them is b."""
    if len(a) > MANY:
        return np.stack(components.difference(_by_component(a), _by_component(b)), axis=-1)
    return (a[:, :, None] * b[:, None, :]).reshape(-1, 16).dot(CONJUGATE)


def _by_component(q: Array) -> components.Quaternion:
    return q[:, 0], q[:, 1], q[:, 2], q[:, 3]
