"""The pose of the moment: of one verb or of two, with what is left of an older one."""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import FIRST_ROTATION, Channels, climb
from ..verb.live import Array32
from .live_verb import Drift, RootPath
from .passage import Passage
from .playing import Playing

Array = NDArray[np.float64]

INTERVAL = 0.004
"""Seconds between the poses from which speeds are taken."""
FAR = -0.5
"""Scalar product of two quaternions at which the way round is changed."""


class PoseMixer:
    """Rows of values from what plays.

    Parameters
    ----------
    channels : of all that plays.
    """

    def __init__(self, channels: Channels) -> None:
        self._channels = channels
        self._blend = PoseBlend(channels)
        self._inertia: Inertia | None = None

    def row(self, playing: Playing, passage: Passage | None, root: RootPath) -> Array:
        """Values (width,) of `playing`, or of `passage` if there is one, at `root`."""
        values = np.empty(self._channels.width)
        values[0], values[1], values[2] = root.place.real, root.place.imag, root.heading
        pose = values[3:]
        if passage is None:
            pose[:] = playing.now.pose(playing.phase)
        elif not passage.blended:
            pose[:] = passage.new.now.pose(passage.new.phase)
        else:
            self._blend.take(passage.old.now.pose(passage.old.phase))
            self._blend.mix(passage.new.now.pose(passage.new.phase), passage.weight, pose)
        if self._inertia is not None:
            self._inertia.apply(pose)
        climb(self._channels, values, root.height)
        return values

    def advance(self, seconds: float, drift: Drift) -> Drift:
        """Let `seconds` pass, in which what plays makes `drift`; return what the figure makes."""
        if self._inertia is None:
            return drift
        more = self._inertia.go(seconds)
        if self._inertia.over:
            self._inertia = None
        return _sum(drift, more)

    def begin(self, passage: Passage) -> None:
        """Get ready for `passage`, whose old verb has just come to where it is left."""
        old, new = passage.old, passage.new
        if passage.blended:
            before = old.now.pose(old.phase).copy()
            self._blend.begin(before, new.now.pose(new.phase))
            return
        (rate, pace), (new_rate, new_pace) = old.arriving(), new.leaving()
        poses = np.array([_sampled(old, -rate), _sampled(new, new_rate)])
        if self._inertia is not None:
            poses[0] = self._inertia.continued(poses[0], -INTERVAL)
            pace = _sum(pace, self._inertia.pace())
        drift = (pace[0] - new_pace[0], pace[1] - new_pace[1], pace[2] - new_pace[2])
        self._inertia = Inertia(self._channels, poses, INTERVAL, drift, passage.seconds)


def _sampled(playing: Playing, rate: float) -> Array:
    """Poses (3, width - 3) here, and one and two intervals on at `rate`, negative for back."""
    poses = np.empty((3, playing.now.verb.channels.width - 3))
    for count, pose in enumerate(poses):
        pose[:] = playing.now.pose(playing.phase + count * INTERVAL * rate)
    return poses


def _sum(first: Drift, second: Drift) -> Drift:
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]


class PoseBlend:
    """Mixes pose columns: location and scalars linearly, quaternions along the chord, switches not at all.

    Which way round a joint turns from the one pose to the other is chosen as the mixing begins and then kept, so that
    it does not flip on the way; only joints that would have to turn by more than 240 degrees change their way.

    Parameters
    ----------
    channels : of the poses.
    """

    def __init__(self, channels: Channels) -> None:
        count = len(channels.rotating)
        first = FIRST_ROTATION - 3
        self._old = np.empty(channels.width - 3)
        self._new = np.empty(channels.width - 3)
        self._turns = slice(first, first + 4 * count)
        self._old_turns = self._old[self._turns].reshape(-1, 4)
        self._new_turns = self._new[self._turns].reshape(-1, 4)
        self._signs = np.ones((count, 1))
        self._products = np.empty((count, 4))
        held = [index for index, scalar in enumerate(channels.scalars) if scalar.held]
        self._held = np.array(held, dtype=np.intp) + self._turns.stop

    def begin(self, old: Array32, new: Array32) -> None:
        """Choose the nearer way round for every joint from `old` (width - 3,) to `new`."""
        one, other = (np.asarray(row[self._turns], dtype=np.float64).reshape(-1, 4) for row in (old, new))
        self._signs[:, 0] = np.where(np.sum(one * other, axis=1) < 0.0, -1.0, 1.0)

    def take(self, old: Array32) -> None:
        """Remember the pose (width - 3,) to mix with."""
        self._old[:] = old

    def mix(self, new: Array32, weight: float, out: Array) -> None:
        """Write to `out` (width - 3,) the pose taken, by `weight`, and `new`, by the rest."""
        self._new[:] = new
        if len(self._held) and weight >= 0.5:
            self._new[self._held] = self._old[self._held]
        old, mine, signs = self._old_turns, self._new_turns, self._signs
        np.multiply(mine, signs, out=mine)
        np.multiply(old, mine, out=self._products)
        far = self._products.sum(axis=1) < FAR
        if far.any():
            signs[far] *= -1.0
            mine[far] *= -1.0
        held = self._new[self._held]
        np.multiply(self._old, weight, out=out)
        np.multiply(self._new, 1.0 - weight, out=self._new)
        np.add(out, self._new, out=out)
        out[self._held] = held
        turns = out[self._turns].reshape(-1, 4)
        np.multiply(turns, turns, out=self._products)
        turns /= np.sqrt(self._products.sum(axis=1, keepdims=True))


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
