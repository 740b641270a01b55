"""Vectors and quaternions by their components, which are plain numbers or arrays alike.

One frame with plain numbers is quicker than arrays of a few numbers; many frames go through the same arithmetic as
arrays. A vector is a tuple (x, y, z), a quaternion (w, x, y, z).
"""

from typing import Any

Vector = tuple[Any, Any, Any]
Quaternion = tuple[Any, Any, Any, Any]

NO_TURN: Quaternion = (1.0, 0.0, 0.0, 0.0)
NOWHERE: Vector = (0.0, 0.0, 0.0)
UP: Vector = (0.0, 0.0, 1.0)
TINY = 1e-300


def add(a: Vector, b: Vector) -> Vector:
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def times(a: Vector, scale: Any) -> Vector:
    """A vector `scale` times as long."""
    return a[0] * scale, a[1] * scale, a[2] * scale


def dot(a: Vector, b: Vector) -> Any:
    """Inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """Vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """Turn by `b`, then by `a`."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def difference(a: Quaternion, b: Quaternion) -> Quaternion:
    """The quaternion that leads from `a` to `b`: a times it is b."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw + ax * bx + ay * by + az * bz,
        aw * bx - ax * bw - ay * bz + az * by,
        aw * by + ax * bz - ay * bw - az * bx,
        aw * bz - ax * by + ay * bx - az * bw,
    )


def turned(q: Quaternion, v: Vector) -> Vector:
    """The vector turned by a quaternion."""
    w, x, y, z = q
    a, b, c = v
    s, t, u = 2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)
    return a + w * s + y * u - z * t, b + w * t + z * s - x * u, c + w * u + x * t - y * s


def arc(a: Vector, b: Vector) -> Quaternion:
    """The smallest turn from the direction of `a` to that of `b`, which are not opposite."""
    x, y, z = cross(a, b)
    w = (dot(a, a) * dot(b, b)) ** 0.5 + dot(a, b)
    size = (w * w + x * x + y * y + z * z) ** 0.5 + TINY
    return w / size, x / size, y / size, z / size


def larger(a: Any, b: Any) -> Any:
    """Whichever is larger."""
    return 0.5 * (a + b + abs(a - b))


def smaller(a: Any, b: Any) -> Any:
    """Whichever is smaller."""
    return 0.5 * (a + b - abs(a - b))
