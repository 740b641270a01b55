"""Limits of joints: ranges of the Euler angles of each joint's rotation from rest, and nearest rotations."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import RigError
from . import quaternion as quat

Array = NDArray[np.float64]

TURN = 2.0 * np.pi
ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
WITHIN = 1e-9
"""Tolerance in radians within which an angle counts as within its range."""
SWEEPS = 60
"""Maximum number of iterations, each of which improves the three angles in turn."""


@dataclass(frozen=True, eq=False)
class JointLimits:
    """Ranges of J joints' angles about their rest axes.

    A joint's rotation from rest is allowed if it has Euler angles within the ranges. An axis whose range is a full turn
    or more, such as from -inf to inf, is free.

    Parameters
    ----------
    low, high : (J, 3) radians about x, y and z.
    orders : (J,) Euler orders, such as ``'XYZ'``: x is applied first.
    """

    low: Array
    high: Array
    orders: tuple[str, ...]

    @property
    def limited(self) -> NDArray[np.bool_]:
        """Whether each joint (J,) has a limit."""
        return np.any(~_free(self.low, self.high), axis=-1)

    def part(self, joints: Sequence[int] | NDArray[np.intp]) -> "JointLimits":
        """Return the limits of some joints, in the given order."""
        chosen = np.asarray(joints, dtype=np.intp)
        return JointLimits(self.low[chosen], self.high[chosen], tuple(self.orders[int(joint)] for joint in chosen))

    def narrowed(self, angle: float) -> "JointLimits":
        """Return limits narrowed by `angle` radians at both ends, at most to the middles of their ranges."""
        free, half = _free(self.low, self.high), np.minimum(angle, 0.5 * (self.high - self.low))
        return replace(
            self, low=np.where(free, self.low, self.low + half), high=np.where(free, self.high, self.high - half)
        )

    def nearest(self, rotations: Array, own: Array | None = None) -> Array:
        """Return the allowed rotations (..., J, 4) nearest to `rotations` (..., J, 4); allowed ones are unchanged.

        Parameters
        ----------
        rotations : rotations from rest.
        own : (..., J, 4) rotations that are always allowed, with everything between them and the limits.
        """
        result, orders = np.array(rotations, dtype=np.float64), np.array(self.orders)
        for order in dict.fromkeys(orders[self.limited].tolist()):
            joints = np.flatnonzero(self.limited & (orders == order))
            flat = result[..., joints, :].reshape(-1, 4)
            low, high = (np.tile(ends[joints], (len(flat) // len(joints), 1)) for ends in (self.low, self.high))
            out = np.flatnonzero(~_allowed(_triples(flat, low, high, order), low, high))
            if not len(out):
                continue
            low, high = low[out], high[out]
            if own is not None:
                low, high = _widened(low, high, order, own[..., joints, :].reshape(-1, 4)[out])
            flat[out] = nearest_allowed(flat[out], low, high, order)
            result[..., joints, :] = flat.reshape(result.shape[:-2] + (len(joints), 4))
        return result

    def beyond(self, rotations: Array) -> Array:
        """Return how far (..., J) in radians `rotations` (..., J, 4) from rest exceed the limits."""
        return quat.angle_between(rotations, self.nearest(rotations))


def joint_limits(names: Sequence[str], low: ArrayLike, high: ArrayLike, orders: Sequence[str]) -> JointLimits:
    """Return limits of joints, checked.

    Parameters
    ----------
    names : (J,) names of the joints in messages.
    low, high, orders : as for `JointLimits`.

    Raises
    ------
    RigError
        If a minimum exceeds its maximum or is NaN, or an order is invalid.
    """
    least, most = (np.array(values, dtype=np.float64).reshape(-1, 3) for values in (low, high))
    for joint, name in enumerate(names):
        if orders[joint] not in ORDERS:
            raise RigError(
                f"The limits of bone '{name}' have the invalid rotation order '{orders[joint]}'. Choose one of "
                f"{', '.join(ORDERS)}."
            )
        for axis, (begin, end) in enumerate(zip(least[joint], most[joint], strict=True)):
            if np.isnan(begin) or np.isnan(end):
                raise RigError(
                    f"A limit of bone '{name}' about its {'XYZ'[axis]} axis is not a number. Set it again or remove it."
                )
            if begin > end:
                raise RigError(
                    f"The limits of bone '{name}' about its {'XYZ'[axis]} axis contradict each other: the minimum "
                    f"{np.degrees(begin):.4g}° is above the maximum {np.degrees(end):.4g}°. Change its IK limits and "
                    "Limit Rotation constraints so that they have some angles in common."
                )
    return JointLimits(least, most, tuple(orders))


def nearest_allowed(rotations: Array, low: Array, high: Array, order: str) -> Array:
    """Return the rotations (T, 4) with Euler angles in a range that are nearest to `rotations` (T, 4) by angle.

    Each of the three angles in turn gets the best value in its range with the other two fixed, which is known in closed
    form, until none of them changes. This starts from both triples of angles of a rotation, and the better result is
    returned.

    Parameters
    ----------
    low, high : (3,) or (T, 3) radians about x, y and z.
    order : such as ``'XYZ'``: x is applied first.
    """
    least, most = (np.broadcast_to(values, (len(rotations), 3)) for values in (low, high))
    both = _triples(rotations, least, most, order)
    out = np.flatnonzero(~_allowed(both, least, most))
    if not len(out):
        return rotations
    wanted = np.concatenate([rotations[out]] * 2)
    least, most = (np.concatenate([values[out]] * 2) for values in (least, most))
    angles = np.clip(np.concatenate(both[:, out]), least, most)
    for _ in range(SWEEPS):
        before = angles.copy()
        for letter in order:
            _improve(angles, letter, wanted, least, most, order)
        if np.abs(angles - before).max() < WITHIN:
            break
    made = quat.from_euler(angles, order).reshape(2, -1, 4)
    nearer = quat.angle_between(made[1], wanted[: len(out)]) < quat.angle_between(made[0], wanted[: len(out)])
    found = np.array(rotations, dtype=np.float64)
    found[out] = quat.align(np.where(nearer[:, None], made[1], made[0]), rotations[out])
    return found


def _improve(angles: Array, letter: str, wanted: Array, low: Array, high: Array, order: str) -> None:
    """Set the angles (T, 3) about one axis to their best values in the ranges, in place, with the others fixed."""
    axis, (first, last) = "XYZ".index(letter), order.split(letter)
    after = quat.from_euler(angles, last) if last else quat.IDENTITY
    before = quat.from_euler(angles, first) if first else quat.IDENTITY
    turn = quat.multiply(quat.multiply(quat.conjugate(after), wanted), quat.conjugate(before))
    best = 2.0 * np.arctan2(turn[:, 1 + axis], turn[:, 0])
    angles[:, axis] = nearest_angle(best, low[:, axis], high[:, axis])


def nearest_angle(angles: ArrayLike, low: ArrayLike, high: ArrayLike) -> Array:
    """Return the angles (...) between `low` and `high` (...) nearest to `angles` (...), in radians, broadcast.

    Angles are equivalent modulo full turns: an angle that lies in its range once full turns are added is returned with
    these added. About a free axis the result is in [-pi, pi].
    """
    wanted = np.asarray(angles, dtype=np.float64)
    begin, end = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    free = _free(begin, end)
    bottom, top = np.where(free, -np.pi, begin), np.where(free, np.pi, end)
    inside = wanted + TURN * np.ceil((bottom - wanted) / TURN)
    nearer_end = np.where(np.cos(top - wanted) > np.cos(bottom - wanted), top, bottom)
    return np.where(inside <= top, inside, nearer_end)


def _triples(rotations: Array, low: Array, high: Array, order: str) -> Array:
    """Return both triples (2, T, 3) of Euler angles of `rotations` (T, 4), with full turns added to be in the ranges.

    Where that is impossible, the angles are as near as possible to the middle of the range; about free axes they are in
    [-pi, pi].
    """
    free = _free(low, high)
    middle = np.where(free, 0.0, 0.5 * (np.where(free, 0.0, low) + np.where(free, 0.0, high)))
    one = quat.euler_pose(rotations, order)
    other = one + np.pi
    turned = "XYZ".index(order[1])
    other[:, turned] = np.pi - one[:, turned]
    both = np.stack([one, other])
    return both - TURN * np.round((both - middle) / TURN)


def _allowed(both: Array, low: Array, high: Array) -> NDArray[np.bool_]:
    """Return whether one of two triples (2, T, 3) of angles lies in the ranges, (T,)."""
    return np.any(np.all((both >= low - WITHIN) & (both <= high + WITHIN), axis=-1), axis=0)


def _widened(low: Array, high: Array, order: str, own: Array) -> tuple[Array, Array]:
    """Return ranges (T, 3) that cover `low` to `high` (T, 3) and the angles of the rotations `own` (T, 4)."""
    both = _triples(own, low, high, order)
    off = np.square(np.maximum(low - both, 0.0) + np.maximum(both - high, 0.0)).sum(axis=-1)
    angles = np.where((off[1] < off[0])[:, None], both[1], both[0])
    return np.minimum(low, angles), np.maximum(high, angles)


def _free(low: Array, high: Array) -> NDArray[np.bool_]:
    return high - low >= TURN - WITHIN
