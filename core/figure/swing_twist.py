"""Swing and twist: how far a limb is rotated aside, and how far about its own length.

A limb has its own frame, whose z axis lies along it ([Kallmann2005] section 4.1, after [Grassia1998]). In that
frame a rotation q is decomposed as

``q = swing * twist``

The swing is a rotation about an axis in the x-y plane and alone determines where the limb points; the twist
is a rotation about the limb. The swing is written as two numbers s = (x, y), the axis times the angle in radians, and
bounded by an ellipse in the plane of these two numbers.

Notes
-----
Every rotation has exactly one swing by less than half a turn and one twist in [-pi, pi], the same for q and -q, except
in two singular cases. A swing by half a turn leaves the twist undefined: any twist gives the same rotation with another
swing axis. The twist is then 0, and of the two opposite axes, the one whose first nonzero component is positive is
used. A twist by half a turn may have either sign. Near the identity both parts go smoothly to 0.

F. Sebastian Grassia, "Practical Parameterization of Rotations Using the Exponential Map", Journal of Graphics Tools 3
(1998).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import quaternion as quat
from .vector_components import bearing, cosine, either, inverse, joined, length, parted, product, sinc, sine

Array = NDArray[np.float64]

HALF_TURN = 1e-12
"""Cosine of half the swing below which a swing counts as half a turn."""
FLAT = 1e-12
"""Half-axis, in radians, below which an ellipse is flat."""
STEPS = 50
"""Maximum number of Newton steps; eight are usual, and fifteen if one half-axis is 1e9 times the other."""


def limb_frame(axis: ArrayLike, side: ArrayLike | None = None) -> Array:
    """Return the rotations (..., 4) from the frames of limbs to the frames in which their axes are given.

    Parameters
    ----------
    axis : (..., 3) directions of the limbs, not 0. In Blender the axis of a bone is y.
    side : (..., 3) directions to which the x axes of the frames are as near as possible, not along `axis`; None for
        frames that are rotated as little as possible; an axis along -z is then half a turn about x.
    """
    z = _unit(np.asarray(axis, dtype=np.float64))
    if side is None:
        return from_swing_and_twist(swing_towards(z), 0.0)
    x = np.asarray(side, dtype=np.float64)
    x = _unit(x - np.sum(x * z, axis=-1, keepdims=True) * z)
    return quat.from_matrix(np.stack([x, np.cross(z, x), z], axis=-1))


def swing_and_twist(
    rotations: ArrayLike, frame: ArrayLike = quat.IDENTITY, centre: ArrayLike = quat.IDENTITY
) -> tuple[Array, Array]:
    """Return the swings (..., 2) and twists (...), in radians, of rotations; see the notes on singular cases.

    Parameters
    ----------
    rotations : (..., 4) unit quaternions.
    frame : (..., 4) the limb's frame, from `limb_frame`, broadcast.
    centre : (4,) the rotation whose swing and twist are 0.
    """
    given, own = np.asarray(rotations, dtype=np.float64), np.asarray(frame, dtype=np.float64)
    shape, limb = np.broadcast_shapes(given.shape, own.shape)[:-1], parted(own)
    middle = parted(np.asarray(centre, dtype=np.float64))
    w, x, y, z = product(product(inverse(limb), parted(given)), product(inverse(middle), limb))
    cosines = length((w, z, 0.0))
    singular = cosines < HALF_TURN
    size = either(singular, 1.0, cosines)
    a, b = either(singular, 1.0, w / size), either(singular, 0.0, z / size)
    backward = singular & ((x < 0.0) | ((x == 0.0) & (y < 0.0)))
    sign = either(backward, -1.0, 1.0)
    aside = sign * (a * x - b * y), sign * (a * y + b * x)
    sines = length((*aside, 0.0))
    none = sines == 0.0
    scale = either(none, 2.0, 2.0 * bearing(sines, cosines) / either(none, 1.0, sines))
    heading = 2.0 * bearing(z, w)
    twists = either(singular, 0.0, bearing(sine(heading), cosine(heading)))
    swings = joined((scale * aside[0], scale * aside[1]))
    return swings.reshape(*shape, 2), np.asarray(twists, dtype=np.float64).reshape(shape)


def from_swing_and_twist(
    swings: ArrayLike, twists: ArrayLike, frame: ArrayLike = quat.IDENTITY, centre: ArrayLike = quat.IDENTITY
) -> Array:
    """Return the rotations (..., 4) with `swings` (..., 2) and `twists` (...) in radians, all broadcast.

    This is the inverse of `swing_and_twist`, and also accepts swings by more than half a turn.
    """
    aside, own = np.asarray(swings, dtype=np.float64), np.asarray(frame, dtype=np.float64)
    about = np.asarray(twists, dtype=np.float64)
    shape = np.broadcast_shapes(aside.shape[:-1], about.shape, own.shape[:-1])
    (x, y), limb = parted(aside), parted(own)
    half, twist = 0.5 * length((x, y, 0.0)), 0.5 * (float(about.ravel()[0]) if about.size == 1 else about)
    scale, a, b = 0.5 * sinc(half), cosine(twist), sine(twist)
    turn = cosine(half) * a, scale * (a * x + b * y), scale * (a * y - b * x), cosine(half) * b
    back = product(inverse(limb), parted(np.asarray(centre, dtype=np.float64)))
    return joined(product(product(limb, turn), back)).reshape(*shape, 4)


def swing_towards(directions: ArrayLike) -> Array:
    """Return the swings (..., 2) that make limbs point to `directions` (..., 3), given in their frames.

    Directions may have any length but 0. Half a turn, for which any axis would do, is about x.
    """
    x, y, z = np.moveaxis(np.asarray(directions, dtype=np.float64), -1, 0)
    side = np.hypot(x, y)
    level = side == 0.0
    scale = np.arctan2(side, z) / np.where(level, 1.0, side)
    return np.stack([np.where(level & (z < 0.0), np.pi, -y * scale), x * scale], axis=-1)


def nearest_in_ellipse(swings: ArrayLike, half_axes: ArrayLike) -> Array:
    """Return the points (..., 2) of ellipses that are nearest to `swings` (..., 2); those inside are unchanged.

    Nearest is in the plane of the swings' two numbers. Distances there are nearly the angles between limb directions
    for small swings, but not for large ones.

    Parameters
    ----------
    swings : radians about x and y.
    half_axes : (..., 2) half-axes of the ellipses along x and y, radians, 0 or more, broadcast; an ellipse with a
        half-axis of 0 is a line, or the origin.

    Notes
    -----
    With half-axes e and a point p >= 0 outside, the nearest point is ``e_i^2 p_i / (e_i^2 + t)`` at the only t >= 0
    where it is on the ellipse: ``(e_1 p_1 / (e_1^2 + t))^2 + (e_2 p_2 / (e_2^2 + t))^2 = 1`` (D. Eberly, "Distance from
    a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid", 2013). The left side is decreasing and convex, so
    Newton's method converges to t from any value below it, such as the largest at which one of the two terms is 1.
    """
    given, axes = np.asarray(swings, dtype=np.float64), np.asarray(half_axes, dtype=np.float64)
    if axes.shape == (2,) and axes.min() >= FLAT and np.square(given / axes).sum(axis=-1).max(initial=0.0) <= 1.0:
        return given.copy()
    given, axes = np.broadcast_arrays(given, axes)
    shape, points = given.shape, given.reshape(-1, 2).copy()
    axes = np.where(axes < FLAT, 0.0, axes).reshape(-1, 2)
    flat = np.any(axes == 0.0, axis=-1)
    points[flat] = np.clip(points[flat], -axes[flat], axes[flat])
    out = np.flatnonzero(~flat & (np.square(points / np.where(axes == 0.0, 1.0, axes)).sum(axis=-1) > 1.0))
    points[out] = np.copysign(_on_ellipse(np.abs(points[out]), axes[out]), points[out])
    return points.reshape(shape)


def _on_ellipse(points: Array, axes: Array) -> Array:
    """Return the nearest points (N, 2) on ellipses with half-axes over 0 to `points` (N, 2) outside, all 0 or more."""
    squares, products = np.square(axes), axes * points
    root = np.maximum((products - squares).max(axis=-1, initial=0.0), 0.0)
    ratios = products / (squares + root[:, None])
    for _ in range(STEPS):
        terms = np.square(ratios)
        step = 0.5 * (terms.sum(axis=-1) - 1.0) / (terms / (squares + root[:, None])).sum(axis=-1)
        root = root + np.maximum(step, 0.0)
        ratios = products / (squares + root[:, None])
        if np.all(step <= np.finfo(np.float64).eps * (squares.min(axis=-1) + root)):
            break
    return axes * _unit(ratios)


def _unit(vectors: Array) -> Array:
    """Return vectors (..., n), none of them 0, scaled to unit length."""
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
