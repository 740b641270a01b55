"""Inertialisation: the difference in pose and speed from the verb that is left decays on top of the entered verb."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import FIRST_ROTATION, TRAVEL, Channels
from ..figure.vector_components import smaller
from .playing_verb import Playing
from .verb_now import Drift

Array = NDArray[np.float64]

INTERVAL = 0.004
"""Seconds between the poses from which speeds are computed."""


class Inertia:
    """A decaying offset of the pose and of the root's speed, from the difference at a switch of verbs to zero.

    At a share s of the time T, ``(1 - s)^3 (x (1 + 3 s) + v T s)`` remains of an offset x with the speed v: it begins
    with this value and speed, and ends with zero speed and acceleration. Rotations are offset by rotation vectors,
    ``exp(x) q``; switches are not offset. Immutable.

    Parameters
    ----------
    channels : meaning of the poses' columns.
    poses : (2, 3, width - 3) of the old motion at the switch, and one and two intervals before; of the new motion at
        the switch, and one and two intervals after.
    interval : seconds between these poses.
    drift : drift of the old motion minus that of the new one, per second.
    begun : start time of the decay on the verbs' clock.
    seconds : duration of the decay.
    """

    def __init__(
        self, channels: Channels, poses: Array, interval: float, drift: Drift, begun: float, seconds: float
    ) -> None:
        old, new = poses
        first = FIRST_ROTATION - 3
        self._turns = slice(first, first + 4 * len(channels.rotating))
        self.begun, self._seconds, self._drift = begun, seconds, drift
        self._away = old[0] - new[0]
        self._speed = (_ahead(old[0] - old[1], old[1] - old[2]) - _ahead(new[1] - new[0], new[2] - new[1])) / interval
        held = channels.held_columns - TRAVEL.stop
        self._away[held] = self._speed[held] = 0.0
        mine, theirs = (rows[:, self._turns].reshape(3, -1, 4) for rows in (old, new))
        offset = quat.multiply(mine[0], quat.conjugate(theirs[0]))
        backward = [_turn(mine[1], mine[0]), _turn(mine[2], mine[1])]
        forward = [_turn(theirs[0], theirs[1]), _turn(theirs[1], theirs[2])]
        spin = _ahead(*backward) - quat.rotate(offset, _ahead(*forward))
        self._away_turns = quat.log(offset)
        self._speed_turns = rate_of_vector(self._away_turns, spin / interval)

    def over(self, clock: Any) -> Any:
        """Return whether the offset is zero at time `clock` of the verbs' clock, or at each of several times."""
        return clock - self.begun >= self._seconds

    def drift(self, begin: Any, end: Any) -> tuple[Any, Any, Any]:
        """Return the drift (velocity, turn, climb) that is added between two times of the verbs' clock."""
        left = self._seconds * (_left(self._share(end)) - _left(self._share(begin)))
        velocity, turn, climb = self._drift
        return velocity * left, turn * left, climb * left

    def pace(self, clock: float) -> Drift:
        """Return the drift per second (velocity, turn, climb) that is added at time `clock` of the verbs' clock."""
        share = self._share(clock)
        left = (1.0 - share) ** 2 * (1.0 + 2.0 * share)
        velocity, turn, climb = self._drift
        return velocity * left, turn * left, climb * left

    def applied(self, poses: Array, clock: Array) -> Array:
        """Return copies of `poses` (T, width - 3) with the offset at times `clock` (T,) of the verbs' clock."""
        share = self._share(clock)[:, None]
        left = (1.0 - share) ** 3
        of_away, of_speed = left * (1.0 + 3.0 * share), left * share * self._seconds
        turns = poses[:, self._turns].reshape(len(poses), -1, 4)
        made = poses + of_away * self._away + of_speed * self._speed
        offset = quat.exp(of_away[..., None] * self._away_turns + of_speed[..., None] * self._speed_turns)
        made[:, self._turns] = quat.multiply(offset, turns).reshape(len(poses), -1)
        return made

    def _share(self, clock: Any) -> Any:
        """Return the elapsed share of the time, at most 1."""
        return smaller((clock - self.begun) / self._seconds, 1.0)


def inertia_of(
    channels: Channels, old: Playing, new: Playing, seconds: float, clock: float, before: Inertia | None
) -> Inertia:
    """Return the decaying offset that remains of `old` when `new` is played from `clock` on for `seconds`.

    `before` is an earlier offset that has not decayed yet, None if there is none; the new offset includes it.
    """
    (rate, pace), (new_rate, new_pace) = old.arriving(), new.leaving()
    poses = np.array([_sampled(old, -rate), _sampled(new, new_rate)])
    if before is not None:
        poses[0] = before.applied(poses[0], clock - INTERVAL * np.arange(3.0))
        more = before.pace(clock)
        pace = pace[0] + more[0], pace[1] + more[1], pace[2] + more[2]
    drift = pace[0] - new_pace[0], pace[1] - new_pace[1], pace[2] - new_pace[2]
    return Inertia(channels, poses, INTERVAL, drift, clock, seconds)


def _sampled(playing: Playing, rate: float) -> Array:
    """Return poses (3, width - 3) at this time, and one and two intervals later; earlier with a negative `rate`."""
    phases = playing.phase + INTERVAL * rate * np.arange(3.0)
    return playing.now.verb.poses(phases, playing.now.mixing)


def rate_of_vector(vectors: Array, spins: Array) -> Array:
    """Return the derivative of rotation vectors (..., 3) for angular velocities `spins` (..., 3) per second.

    Both are in radians. It is the inverse of the left Jacobian of the rotation group.
    """
    angle = np.linalg.norm(vectors, axis=-1, keepdims=True)
    safe = np.maximum(angle, 1e-4)
    share = (1.0 - 0.5 * safe / np.tan(0.5 * safe)) / safe**2
    once = np.cross(vectors, spins)
    return spins - 0.5 * once + share * np.cross(vectors, once)


def _ahead(nearer: Array, farther: Array) -> Array:
    """Return the difference at the switch, extrapolated from the differences of the two intervals next to it."""
    return 1.5 * nearer - 0.5 * farther


def _turn(first: Array, second: Array) -> Array:
    """Return the rotation vector from `first` to `second`."""
    return quat.log(quat.multiply(second, quat.conjugate(first)))


def _left(share: Any) -> Any:
    """Return the integral from 0 to `share` of (1 - s)^2 (1 + 2 s), by which the added drift decays."""
    return share - share**3 + 0.5 * share**4
