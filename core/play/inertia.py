"""What is left of an old motion after it was cut off: an offset that dies away."""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import FIRST_ROTATION, Channels
from .root_path import Drift

Array = NDArray[np.float64]


class Inertia:
    """Offset of a pose and of the root's pace, from what they were at a switch to nothing.

    A share s of the time passed leaves ``(1 - s)^3 (x (1 + 3 s) + v T s)`` of an offset x with the speed v: it starts
    with the value and the speed that it had, and ends without speed or acceleration. Rotations are offset by rotation
    vectors, ``exp(x) q``; switches are not offset.

    Parameters
    ----------
    channels : of the poses.
    poses : (2, 3, width - 3) the old motion at the switch, and one and two `interval` before; the new one at the
        switch, and one and two after.
    interval : seconds between them.
    drift : of the old motion less that of the new one, per second.
    seconds : until nothing is left.
    """

    def __init__(self, channels: Channels, poses: Array, interval: float, drift: Drift, seconds: float) -> None:
        old, new = poses
        first = FIRST_ROTATION - 3
        self._turns = slice(first, first + 4 * len(channels.rotating))
        self._seconds, self._passed, self._drift = seconds, 0.0, drift
        self._away = old[0] - new[0]
        self._speed = (_ahead(old[0] - old[1], old[1] - old[2]) - _ahead(new[1] - new[0], new[2] - new[1])) / interval
        held = [self._turns.stop + index for index, scalar in enumerate(channels.scalars) if scalar.held]
        self._away[held] = self._speed[held] = 0.0
        mine, theirs = (rows[:, self._turns].reshape(3, -1, 4) for rows in (old, new))
        offset = quat.multiply(mine[0], quat.conjugate(theirs[0]))
        backward = [_turn(mine[1], mine[0]), _turn(mine[2], mine[1])]
        forward = [_turn(theirs[0], theirs[1]), _turn(theirs[1], theirs[2])]
        spin = _ahead(*backward) - quat.rotate(offset, _ahead(*forward))
        self._away_turns = quat.log(offset)
        self._speed_turns = rate_of_vector(self._away_turns, spin / interval)

    @property
    def over(self) -> bool:
        """Whether nothing is left."""
        return self._passed >= self._seconds

    def go(self, seconds: float) -> Drift:
        """Let `seconds` pass; return by how much farther than the new motion's the drift is."""
        begin = min(self._passed / self._seconds, 1.0)
        self._passed += seconds
        end = min(self._passed / self._seconds, 1.0)
        left = self._seconds * (_left(end) - _left(begin))
        velocity, turn, climb = self._drift
        return velocity * left, turn * left, climb * left

    def pace(self) -> Drift:
        """By how much faster than the new motion's the drift is, per second."""
        share = min(self._passed / self._seconds, 1.0)
        left = (1.0 - share) ** 2 * (1.0 + 2.0 * share)
        velocity, turn, climb = self._drift
        return velocity * left, turn * left, climb * left

    def continued(self, poses: Array, interval: float) -> Array:
        """Offset copies of `poses` (P, width - 3), each `interval` after the one before it, the first of them now."""
        found = poses.copy()
        for index, pose in enumerate(found):
            self.apply(pose, index * interval)
        return found

    def apply(self, pose: Array, later: float = 0.0) -> None:
        """Offset `pose` (width - 3,), `later` than now by so many seconds, in place."""
        share = min((self._passed + later) / self._seconds, 1.0)
        left = (1.0 - share) ** 3
        of_away, of_speed = left * (1.0 + 3.0 * share), left * share * self._seconds
        turns = pose[self._turns].reshape(-1, 4).copy()
        pose += of_away * self._away + of_speed * self._speed
        offset = quat.exp(of_away * self._away_turns + of_speed * self._speed_turns)
        pose[self._turns] = quat.multiply(offset, turns).reshape(-1)


def rate_of_vector(vectors: Array, spins: Array) -> Array:
    """How fast rotation vectors (..., 3) change while what they turn spins by `spins` (..., 3) radians per second.

    The inverse of the left Jacobian of the rotation group.
    """
    angle = np.linalg.norm(vectors, axis=-1, keepdims=True)
    safe = np.maximum(angle, 1e-4)
    share = (1.0 - 0.5 * safe / np.tan(0.5 * safe)) / safe**2
    once = np.cross(vectors, spins)
    return spins - 0.5 * once + share * np.cross(vectors, once)


def _ahead(nearer: Array, farther: Array) -> Array:
    """Difference at the instant itself, of those on one side of it."""
    return 1.5 * nearer - 0.5 * farther


def _turn(first: Array, second: Array) -> Array:
    return quat.log(quat.multiply(second, quat.conjugate(first)))


def _left(share: float) -> float:
    """Integral from 0 to `share` of (1 - s)^2 (1 + 2 s), by which pace dies away."""
    return share - share**3 + 0.5 * share**4
