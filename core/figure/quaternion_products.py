"""Products of quaternions: few as one matrix product, many component by component."""

import numpy as np
from numpy.typing import NDArray

from . import quaternion as quat

Array = NDArray[np.float64]

MANY = 300
"""Number of quaternions from which computing by components is faster."""


def left_matrix(q: Array) -> Array:
    """Return the matrix (4, 4) that multiplies a quaternion by `q` (4,) from the left."""
    w, x, y, z = q
    return np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]])


def _rotation_terms() -> Array:
    """Return the coefficients (16, 9) of the products of a quaternion's components in its rotation matrix.

    With q = (w, v) the matrix is ``(w w - v v) 1 + 2 v v^T + 2 w [v]``.
    """
    terms = np.zeros((4, 4, 3, 3))
    for a in range(4):
        for b in range(4):
            p, q = np.eye(4)[a], np.eye(4)[b]
            inner = (p[0] * q[0] - p[1:] @ q[1:]) * np.eye(3)
            terms[a, b] = inner + 2.0 * np.outer(p[1:], q[1:]) + 2.0 * p[0] * np.cross(q[1:], np.eye(3)).T
    return terms.reshape(16, 9)


PRODUCT: Array = np.stack([left_matrix(row).T for row in np.eye(4)]).reshape(16, 4)
"""(16, 4) from the products a_i b_j of components to the quaternion a b."""
CONJUGATE: Array = np.stack([left_matrix(row).T for row in np.diag([1.0, -1.0, -1.0, -1.0])]).reshape(16, 4)
"""(16, 4) from the products a_i b_j of components to the quaternion from a to b: conjugate(a) b."""
ROTATION: Array = _rotation_terms()
"""(16, 9) from the products q_i q_j of a unit quaternion's components to its rotation matrix."""
CROSS: Array = np.cross(np.eye(3)[None], np.eye(3)[:, None])
"""(3, 3, 3) times a lever arm, the matrix whose row i is the cross product of axis i and the arm."""


def outer(a: Array, b: Array) -> Array:
    """Return the products (N, 16) of all components of `a` and `b`, both (..., 4), N quaternions each."""
    return (a[..., :, None] * b[..., None, :]).reshape(-1, 16)


def multiply(a: Array, b: Array) -> Array:
    """Return the products (..., 4) of quaternions (..., 4), like `quaternion.multiply` up to rounding."""
    return _of_few(a, b, PRODUCT) if a.size <= 4 * MANY else quat.multiply(a, b)


def difference(a: Array, b: Array) -> Array:
    """Return the quaternions (..., 4) from `a` to `b`, both (..., 4): `a` times the result is `b`."""
    if a.size <= 4 * MANY:
        return _of_few(a, b, CONJUGATE)
    return quat.multiply(a * (1.0, -1.0, -1.0, -1.0), b)


def _of_few(a: Array, b: Array, sums: Array) -> Array:
    """Return the quaternions (..., 4) that are `sums` (16, 4) of the products of all components of `a` and `b`."""
    return outer(a, b).dot(sums).reshape(a.shape)
