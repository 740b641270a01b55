"""Parameterisations of the rotation or location of a joint as numbers with limits ([Kallmann2005] section 4.1).

A rotation is relative to rest, about axes of the joint's rest frame. It may be a quaternion, a swing, a swing and a
twist, Euler angles, or a turn about one axis; all of them convert to and from quaternions. Limits bound the numbers: an
ellipse bounds a swing, a minimum and a maximum every other number.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import inf, isnan, pi, sqrt
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import RigError
from . import quaternion as quat
from .joint_limits import ORDERS, TURN, nearest_angle
from .swing_twist import from_swing_and_twist, nearest_in_ellipse, swing_and_twist

Array = NDArray[np.float64]
Frame = tuple[float, float, float, float]

PAIRS = ("XY", "XZ", "YX", "YZ", "ZX", "ZY")
"""Orders of two Euler angles, such as a flexion and a twist."""
PROPER = ("XYX", "XZX", "YXY", "YZY", "ZXZ", "ZYZ")
"""Orders of three Euler angles whose first axis is repeated."""
UNIT = 1e-6
"""Tolerance of the length of a frame or an axis, which is 1."""
UNTURNED: Frame = (1.0, 0.0, 0.0, 0.0)


class Parameterisation(Protocol):
    """A representation of a joint by numbers. It is not checked before `check` is called."""

    @property
    def key(self) -> Hashable:
        """Key for the meaning of the numbers, whatever their limits."""
        ...

    @property
    def count(self) -> int:
        """Number of values."""
        ...

    def check(self, joint: str) -> None:
        """Raise RigError if it or its limits are invalid; `joint` is the name in the message."""
        ...

    def limited(self, values: ArrayLike) -> Array:
        """Return the values (..., count) within the limits nearest to `values` (..., count)."""
        ...


class Turning(Parameterisation, Protocol):
    """A parameterisation of rotations."""

    def rotations(self, values: ArrayLike) -> Array:
        """Return the quaternions (..., 4) from rest of `values` (..., count)."""
        ...

    def values(self, rotations: ArrayLike) -> Array:
        """Return the values (..., count) of `rotations` (..., 4), projected if they cannot be represented."""
        ...


@dataclass(frozen=True)
class Quaternion:
    """A rotation as a quaternion ``wxyz``, without limits, as in keyframes and blends."""

    key: Hashable = ("quaternion",)
    count: int = 4

    def check(self, joint: str) -> None:
        """Do nothing, since there are no parameters."""

    def limited(self, values: ArrayLike) -> Array:
        """Return `values` (..., 4) unchanged."""
        return np.asarray(values, dtype=np.float64)

    def rotations(self, values: ArrayLike) -> Array:
        """Return quaternions (..., 4), of unit length."""
        return quat.normalize(values)

    def values(self, rotations: ArrayLike) -> Array:
        """Return `rotations` (..., 4)."""
        return np.asarray(rotations, dtype=np.float64)


@dataclass(frozen=True)
class SwingTwist:
    """A rotation with three degrees of freedom as a swing of the limb and a twist about it: (x, y, twist), radians.

    Parameters
    ----------
    frame : the limb's frame, see `swing_twist.limb_frame`, relative to the joint at rest.
    half_axes : half-axes of the ellipse that bounds the swing, radians about x and y of the frame; pi for no bound.
    low, high : bounds of the twist, radians.
    centre : rotation from rest at which swing and twist are 0, the centre of the ellipse.
    """

    frame: Frame = UNTURNED
    half_axes: tuple[float, float] = (pi, pi)
    low: float = -inf
    high: float = inf
    centre: Frame = UNTURNED
    count: int = 3

    @property
    def key(self) -> Hashable:
        """Key for the meaning of the numbers: the frame and the centre."""
        return "swing and twist", self.frame, self.centre

    def check(self, joint: str) -> None:
        """Raise RigError if the frame or the ellipse is invalid, or the bounds of the twist cross."""
        _check_swing(joint, self.frame, self.half_axes)
        _check_swing(joint, self.centre, ())
        _check_range(joint, "twist", self.low, self.high)

    def limited(self, values: ArrayLike) -> Array:
        """Return the values (..., 3) with the swing in its ellipse and the twist in its range."""
        given = np.asarray(values, dtype=np.float64)
        swings = nearest_in_ellipse(given[..., :2], self.half_axes)
        return np.concatenate([swings, _in_ranges(given[..., 2:], (self.low,), (self.high,))], axis=-1)

    def rotations(self, values: ArrayLike) -> Array:
        """Return the quaternions (..., 4) of swings and twists (..., 3)."""
        given = np.asarray(values, dtype=np.float64)
        return from_swing_and_twist(given[..., :2], given[..., 2], self.frame, self.centre)

    def values(self, rotations: ArrayLike) -> Array:
        """Return swings and twists (..., 3) of `rotations` (..., 4)."""
        swings, twists = swing_and_twist(rotations, self.frame, self.centre)
        return np.concatenate([swings, twists[..., None]], axis=-1)


@dataclass(frozen=True)
class Swing:
    """A rotation with two degrees of freedom, such as of a wrist, as a swing of the limb: (x, y), radians.

    A rotation with a twist is reduced to its swing, so that the limb keeps its direction.

    Parameters
    ----------
    frame, half_axes : as for `SwingTwist`.
    """

    frame: Frame = UNTURNED
    half_axes: tuple[float, float] = (pi, pi)
    count: int = 2

    @property
    def key(self) -> Hashable:
        """Key for the meaning of the numbers: the frame."""
        return "swing", self.frame

    def check(self, joint: str) -> None:
        """Raise RigError if the frame or the ellipse is invalid."""
        _check_swing(joint, self.frame, self.half_axes)

    def limited(self, values: ArrayLike) -> Array:
        """Return the swings (..., 2) in the ellipse."""
        return nearest_in_ellipse(values, self.half_axes)

    def rotations(self, values: ArrayLike) -> Array:
        """Return the quaternions (..., 4) of swings (..., 2)."""
        return from_swing_and_twist(values, 0.0, self.frame)

    def values(self, rotations: ArrayLike) -> Array:
        """Return the swings (..., 2) of `rotations` (..., 4)."""
        return swing_and_twist(rotations, self.frame)[0]


@dataclass(frozen=True)
class Turn:
    """A rotation about one axis, such as the flexion of a hinge or a twist by itself: the angle in radians.

    A rotation is reduced to the nearest one about the axis.

    Parameters
    ----------
    axis : unit vector.
    low, high : bounds of the angle.
    """

    axis: tuple[float, float, float]
    low: float = -inf
    high: float = inf
    count: int = 1

    @property
    def key(self) -> Hashable:
        """Key for the meaning of the number: the axis."""
        return "turn", self.axis

    def check(self, joint: str) -> None:
        """Raise RigError if the axis is not of unit length, or the bounds cross."""
        size = sqrt(sum(part * part for part in self.axis))
        if not abs(size - 1.0) < UNIT:
            raise RigError(f"The axis of joint '{joint}' has length {size:.4g}. Give a direction of length 1.")
        _check_range(joint, "turn", self.low, self.high)

    def limited(self, values: ArrayLike) -> Array:
        """Return the angles (..., 1) in the range."""
        return _in_ranges(values, (self.low,), (self.high,))

    def rotations(self, values: ArrayLike) -> Array:
        """Return the quaternions (..., 4) of angles (..., 1)."""
        return quat.exp(np.asarray(values, dtype=np.float64) * np.array(self.axis))

    def values(self, rotations: ArrayLike) -> Array:
        """Return the angles (..., 1), in [-pi, pi], of `rotations` (..., 4)."""
        given = np.asarray(rotations, dtype=np.float64)
        return _wrapped(2.0 * np.arctan2(given[..., 1:] @ np.array(self.axis), given[..., 0]))[..., None]


@dataclass(frozen=True)
class Euler:
    """A rotation as two or three Euler angles in the order in which they are applied, about fixed axes: radians.

    Its orders are Blender's six, the `PROPER` ones and `PAIRS`, which reduce a rotation to the nearest one with two
    angles.

    Parameters
    ----------
    order : such as ``'XYZ'``: x is applied first.
    low, high : bounds of the angles, one for each letter.
    """

    order: str
    low: tuple[float, ...] = (-inf, -inf, -inf)
    high: tuple[float, ...] = (inf, inf, inf)

    @property
    def key(self) -> Hashable:
        """Key for the meaning of the numbers: the order."""
        return "euler", self.order

    @property
    def count(self) -> int:
        """Number of angles."""
        return len(self.order)

    def check(self, joint: str) -> None:
        """Raise RigError if the order is unknown, or bounds are too few or cross."""
        known = (*ORDERS, *PROPER, *PAIRS)
        if self.order not in known:
            raise RigError(
                f"The Euler angles of joint '{joint}' have the invalid order '{self.order}'. Choose one of "
                f"{', '.join(known)}."
            )
        _check_ranges(joint, "angle about", self.order, (self.low, self.high))

    def limited(self, values: ArrayLike) -> Array:
        """Return the angles (..., count), each in its range."""
        return _in_ranges(values, self.low[: self.count], self.high[: self.count])

    def rotations(self, values: ArrayLike) -> Array:
        """Return the quaternions (..., 4) of angles (..., count)."""
        given = np.asarray(values, dtype=np.float64)
        if self.order in PROPER:
            first, middle, last = np.moveaxis(given, -1, 0)
            swings = middle[..., None] * np.stack([np.cos(last), np.sin(last)], axis=-1)
            return from_swing_and_twist(swings, first + last, _frame_of(self.order))
        angles = np.zeros((*given.shape[:-1], 3))
        angles[..., ["XYZ".index(letter) for letter in self.order]] = given
        return quat.from_euler(angles, self.order)

    def values(self, rotations: ArrayLike) -> Array:
        """Return the angles (..., count) of `rotations` (..., 4), within their ranges as far as possible.

        They do not depend on neighbouring rows; for curves without jumps use `quaternion.to_euler`.
        """
        given = np.asarray(rotations, dtype=np.float64)
        if self.count == 2:
            return self._in_turns(_pair(given, self.order))
        if self.order in PROPER:
            swings, twists = swing_and_twist(given, _frame_of(self.order))
            last: Array = np.arctan2(swings[..., 1], swings[..., 0])
            angles = np.stack([twists - last, np.linalg.norm(swings, axis=-1), last], axis=-1)
        else:
            places = ["XYZ".index(letter) for letter in self.order]
            angles = quat.euler_pose(given.reshape(-1, 4), self.order)[:, places].reshape(*given.shape[:-1], 3)
        shift = np.array([pi, 0.0 if self.order in PROPER else pi, pi])
        one, other = self._in_turns(angles), self._in_turns(angles * np.array([1.0, -1.0, 1.0]) + shift)
        better = self._beyond(other) < self._beyond(one) - UNIT
        return np.asarray(np.where(better[..., None], other, one), dtype=np.float64)

    def _in_turns(self, angles: Array) -> Array:
        """Return angles (..., count) with full turns added, as near as possible to the middles of their ranges."""
        ends = np.array([self.low[: self.count], self.high[: self.count]])
        middle: Array = np.where(np.isfinite(ends).all(axis=0), ends, 0.0).mean(axis=0)
        return angles - TURN * np.round((angles - middle) / TURN)

    def _beyond(self, angles: Array) -> Array:
        """Return the sum (...) by which angles (..., count) exceed their ranges."""
        return np.abs(_wrapped(angles - self.limited(angles))).sum(axis=-1)


@dataclass(frozen=True)
class Location:
    """Translation of a joint from rest along axes of its rest frame (root: of the heading's frame), performance units.

    Parameters
    ----------
    axes : the axes of ``'XYZ'`` that move, such as ``'Y'``.
    low, high : bounds along them.
    """

    axes: str = "XYZ"
    low: tuple[float, ...] = (-inf, -inf, -inf)
    high: tuple[float, ...] = (inf, inf, inf)

    @property
    def key(self) -> Hashable:
        """Key for the meaning of the numbers: the axes."""
        return "location", self.axes

    @property
    def count(self) -> int:
        """Number of axes."""
        return len(self.axes)

    def check(self, joint: str) -> None:
        """Raise RigError if the axes are invalid, or bounds are too few or cross."""
        if self.axes not in ("XYZ", "XY", "XZ", "YZ", "X", "Y", "Z"):
            raise RigError(
                f"Joint '{joint}' has the invalid axes '{self.axes}'. Choose from X, Y and Z, in this order."
            )
        _check_ranges(joint, "place along", self.axes, (self.low, self.high), degrees=False)

    def limited(self, values: ArrayLike) -> Array:
        """Return the locations (..., count) within their bounds."""
        return np.clip(np.asarray(values, dtype=np.float64), self.low[: self.count], self.high[: self.count])


def _pair(rotations: Array, order: str) -> Array:
    """Return the two angles (..., 2) of the rotations nearest to `rotations` (..., 4).

    The scalar product of a quaternion with ``turn(j, b) * turn(i, a)`` is the sum of one cosine of half of a + b and
    one of half of a - b, each with an amplitude and a phase; it is largest where both cosines are 1.
    """
    i, j = ("XYZ".index(letter) for letter in order)
    sign = 1.0 if (i - j) % 3 == 1 else -1.0
    w, x, y, z = (rotations[..., component] for component in (0, 1 + i, 1 + j, 4 - i - j))
    total: Array = np.arctan2(x + y, w - sign * z)
    apart: Array = np.arctan2(x - y, w + sign * z)
    return np.stack([total + apart, total - apart], axis=-1)


def _frame_of(order: str) -> Array:
    """Return the frame (4,) in which swing and twist of a proper Euler rotation, first a, then b, then c, are simple.

    Its z axis is the repeated axis, its x axis the other one: the swing is b (cos c, sin c), the twist a + c.
    """
    axes = np.eye(3)
    z, x = axes["XYZ".index(order[0])], axes["XYZ".index(order[1])]
    return quat.from_matrix(np.stack([x, np.cross(z, x), z], axis=-1))


def _in_ranges(values: ArrayLike, low: Sequence[float], high: Sequence[float]) -> Array:
    """Return the angles (..., n) in their ranges nearest to `values` (..., n); angles without a range stay."""
    given, least, most = (np.asarray(numbers, dtype=np.float64) for numbers in (values, low, high))
    return np.where(most - least >= TURN, given, nearest_angle(given, least, most))


def _wrapped(angles: Array) -> Array:
    """Return angles in [-pi, pi]."""
    return angles - TURN * np.round(angles / TURN)


def _check_swing(joint: str, frame: Frame, half_axes: tuple[float, ...]) -> None:
    """Raise RigError if a swing's frame or ellipse is invalid."""
    if not abs(sum(part * part for part in frame) - 1.0) < UNIT:
        raise RigError(f"The frame of joint '{joint}' is not a rotation. Give a quaternion of length 1.")
    for letter, half in zip("xy", half_axes, strict=False):
        if not 0.0 <= half <= pi:
            told = f"the ellipse has a half-axis of {np.degrees(half):.4g}° about {letter}"
            raise RigError(f"The swing limit of joint '{joint}' is invalid: {told}. Give an angle from 0° to 180°.")


def _check_ranges(joint: str, what: str, letters: str, ends: tuple[Sequence[float], ...], degrees: bool = True) -> None:
    """Raise RigError if the numbers named by letters have too few bounds, or bounds that cross."""
    low, high = ends
    if not len(low) >= len(letters) <= len(high):
        raise RigError(
            f"Joint '{joint}' has {len(letters)} values ({what} {', '.join(letters)}), but {len(low)} minima and "
            f"{len(high)} maxima. Give each value one of both."
        )
    for letter, least, most in zip(letters, low, high, strict=False):
        _check_range(joint, f"{what} {letter}", least, most, degrees)


def _check_range(joint: str, what: str, low: float, high: float, degrees: bool = True) -> None:
    """Raise RigError if bounds are NaN or cross."""
    if isnan(low) or isnan(high):
        raise RigError(f"A limit of the {what} of joint '{joint}' is not a number. Set it again or remove it.")
    if low > high:
        least, most = (f"{np.degrees(end):.4g}°" if degrees else f"{end:.4g}" for end in (low, high))
        raise RigError(
            f"The limits of the {what} of joint '{joint}' contradict each other: the minimum {least} is above the "
            f"maximum {most}. Swap them, or set one of them again."
        )
