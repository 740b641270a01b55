"""Vectors and quaternions as tuples of components, which may be plain numbers or arrays.

For one frame, plain numbers are faster than arrays of a few numbers; for many frames the same code accepts arrays. A
vector is a tuple (x, y, z), a quaternion (w, x, y, z). Numbers are doubled by adding them to themselves: an array times
a plain number takes twice as long as a sum of two arrays.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Vector = tuple[Any, Any, Any]
Quaternion = tuple[Any, Any, Any, Any]

NO_TURN: Quaternion = (1.0, 0.0, 0.0, 0.0)
"""The identity."""
NOWHERE: Vector = (0.0, 0.0, 0.0)
"""The zero vector."""
UP: Vector = (0.0, 0.0, 1.0)
TINY = 1e-300
"""Small number added to divisors that may be 0."""


def parted(rows: Array) -> Any:
    """Return the components of vectors (..., n): numbers for a single one, arrays (...) for several."""
    if rows.size == rows.shape[-1]:
        return tuple(rows.ravel().tolist())
    return (*np.ascontiguousarray(np.moveaxis(rows, -1, 0)),)


def joined(parts: tuple[Any, ...]) -> Array:
    """Return the vectors (..., n) with the given components, (1, n) if these are numbers: the inverse of `parted`."""
    return np.array([parts]) if isinstance(parts[0], float) else np.stack(parts, axis=-1)


def add(a: Vector, b: Vector) -> Vector:
    """Return a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def times(a: Vector, scale: Any) -> Vector:
    """Return a vector scaled by `scale`."""
    return a[0] * scale, a[1] * scale, a[2] * scale


def dot(a: Vector, b: Vector) -> Any:
    """Return the inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """Return the vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def combined(vectors: Sequence[Vector], scales: Sequence[Any]) -> Vector:
    """Return the sum of vectors, each scaled by one of `scales`."""
    total = times(vectors[0], scales[0])
    for vector, scale in zip(vectors[1:], scales[1:], strict=True):
        total = add(total, times(vector, scale))
    return total


def length(a: Vector) -> Any:
    """Return the length."""
    return dot(a, a) ** 0.5


def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return the product of two quaternions: rotate by `b`, then by `a`."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def inverse(q: Quaternion) -> Quaternion:
    """Return the inverse of a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


def difference(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return the quaternion from `a` to `b`: `a` times the result is `b`."""
    return product(inverse(a), b)


def turned(q: Quaternion, v: Vector) -> Vector:
    """Return a vector rotated by a unit quaternion."""
    return add(v, moved(q, v))


def moved(q: Quaternion, v: Vector) -> Vector:
    """Return the displacement of the end of a vector that is rotated by a unit quaternion."""
    w, x, y, z = q
    a, b, c = v
    s, t, u = y * c - z * b, z * a - x * c, x * b - y * a
    s, t, u = s + s, t + t, u + u
    return w * s + y * u - z * t, w * t + z * s - x * u, w * u + x * t - y * s


def arc(a: Vector, b: Vector) -> Quaternion:
    """Return the smallest rotation from the direction of `a` to the direction of `b`, which must not be opposite."""
    x, y, z = cross(a, b)
    w = (dot(a, a) * dot(b, b)) ** 0.5 + dot(a, b)
    size = (w * w + x * x + y * y + z * z) ** 0.5 + TINY
    return w / size, x / size, y / size, z / size


def larger(a: Any, b: Any) -> Any:
    """Return the larger of two numbers, elementwise."""
    return (a if a > b else b) if isinstance(a, float) and isinstance(b, float) else np.maximum(a, b)


def smaller(a: Any, b: Any) -> Any:
    """Return the smaller of two numbers, elementwise."""
    return (a if a < b else b) if isinstance(a, float) and isinstance(b, float) else np.minimum(a, b)


def within(u: Any) -> Any:
    """Return `u` clamped to [0, 1], elementwise."""
    return smaller(larger(u, 0.0), 1.0)


def smooth(u: Any) -> Any:
    """Return a smooth step: 0 up to u = 0, 1 from u = 1, with zero slope at both ends."""
    v = within(u)
    return v * v * (3.0 - (v + v))


def sine(angle: Any) -> Any:
    """Return the sine of an angle in radians."""
    return math.sin(angle) if isinstance(angle, float) else np.sin(angle)


def cosine(angle: Any) -> Any:
    """Return the cosine of an angle in radians."""
    return math.cos(angle) if isinstance(angle, float) else np.cos(angle)


def bearing(y: Any, x: Any) -> Any:
    """Return the angle in [-pi, pi] radians of the point (x, y)."""
    return math.atan2(y, x) if isinstance(y, float) and isinstance(x, float) else np.arctan2(y, x)


def either(condition: Any, a: Any, b: Any) -> Any:
    """Return a where a condition holds and b where it does not."""
    return (a if condition else b) if isinstance(condition, bool) else np.where(condition, a, b)


def sinc(angle: Any) -> Any:
    """Return the sine of an angle over the angle, both in radians; 1 at 0."""
    if isinstance(angle, float):
        return math.sin(angle) / angle if angle else 1.0
    return np.asarray(np.sinc(np.asarray(angle) / np.pi), dtype=np.float64)


def direction(angle: Any) -> Any:
    """Return the complex number of length 1 at an angle in radians."""
    return cosine(angle) + 1j * sine(angle)
