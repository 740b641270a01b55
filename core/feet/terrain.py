"""Walking on terrain that is not in the examples: feet and root are displaced smoothly before locks are applied."""

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..figure.knee_hinges import ExamplePoses
from ..figure.legs import legs_for
from ..figure.lock_point import LockPoint
from ..figure.two_bone_limbs import lengths_of
from ..figure.vector_components import NOWHERE, UP, Vector, add, arc, minus, smooth, turned
from .easing_curves import FADE, LARGEST_GAP, LEAST_GAP
from .footholds_off_edges import Floor, edge_between, foothold, soles_of, up_from
from .lock_numbers import FEW, SAME_ROW
from .swing_clearance import Left, Swing, needed_over
from .swing_curve import INSTANT, Arch, arch_at, going_on, pegs_over, still
from .terrain_pose import LONG, PelvisDropShare, TerrainPose

Array = NDArray[np.float64]

CATCH_UP = 0.15
"""Seconds in which a point moves to a height that was not predicted."""
LOWER = 1.25
"""Lowering of the root below the points' mean height, as a multiple of the heights' deviation, so that legs reach."""
APART = 0.05
"""Share of a leg's length from which points count as planted at different heights."""
HIGHEST_LIFT = 0.3
"""Maximum lift of a foot over obstacles, as a share of a leg's length."""
EVEN_SECONDS = 0.3
"""Minimum seconds for a large change of the root's height."""
FAR = 0.1
"""Large change of the root's height, as a share of a leg's length."""
UNHURRIED = 0.8
"""Seconds of a swing in which a foot can be lifted by `HIGHEST_LIFT`; in a shorter swing it is lifted less."""
RISEN = 0.7
"""Share of a swing after which the root has risen completely, while the swinging leg is bent."""
FASTEST = 2.0
"""Maximum vertical speed of a point on the way to its landing, in leg lengths a second."""
TILTING = 1.0
"""Maximum tilting speed of a foot, in change of slope per second."""
FARTHEST = 0.2
"""Maximum displacement of a landing to a better foothold, as a share of a leg's length."""
BRIEF = 0.2
"""Seconds up to which a swing counts as brief: the point then returns to where it stood if it would land near there,
but across an edge."""
BACK = 0.4
"""Distance that counts as near for a brief swing, as a share of a leg's length."""
SWIFTEST = 1.0
"""Maximum speed at which a swinging point is moved to another foothold, in leg lengths a second."""
CLEAR = 0.01
"""Clearance of a foot over obstacles, as a share of a leg's length."""
SAME = 1e-3
"""Tolerances, as a share of a leg's length and in seconds, within which two predicted landings count as equal."""
KEPT = 2
"""Number of cached rows over the floor: a step is evaluated at its beginning and at its end, and the latter row is then
shown."""
EDGE = 0.02
"""Share of a swing at both ends in which the foot is not lifted."""


class Ridden(NamedTuple):
    """A row recently adapted to the floor, with its input.

    Parameters
    ----------
    time : time in seconds.
    state : the displacements of root and points at that time.
    rises : (1, 1 + K, 8) the input of `TerrainPose.lift`.
    row : (width,) the row of the motion.
    made : (1, width) the row over the floor.
    """

    time: float
    state: tuple[object, ...]
    rises: Array
    row: Array
    made: Array


class Terrain:
    """Displaces feet and root of one character so that it walks on a floor.

    A point's *displacement* is how much higher the floor under the point is than the ground of the examples, and how
    far it was moved horizontally to a better foothold. It is constant while the point is planted and changes smoothly
    while it swings, with an additional lift over obstacles. The root is displaced by the mean over the points, but does
    not rise much above a point that is planted lower, so that its leg reaches.

    Parameters
    ----------
    channels : channels of the rows.
    points : (K,) points that can be planted.
    floor : heights of the ground.
    poses : as for `JointLocks`.

    Attributes
    ----------
    begun : whether time has passed since the beginning; before that nothing needs to change smoothly.
    """

    def __init__(
        self, channels: Channels, points: Sequence[LockPoint], floor: Floor, poses: ExamplePoses | None = None
    ) -> None:
        self._legs = legs_for(channels, tuple(points))
        self._leg_of: list[int] = [self._legs.place(point)[0] for point in range(len(points))]
        self._lengths = [lengths_of(self._legs)[leg] for leg in self._leg_of]
        self._soles = soles_of(channels.skeleton, points, self._legs)
        self._floor = floor
        self._pose = TerrainPose(channels, self._legs, poses)
        self.lift, self.own = self._pose.lift, self._pose.own
        self._lately: tuple[Ridden, ...] = ()
        self._arches: dict[int, Arch] = {}
        self._even: dict[int, Arch] = {}
        self._aside: dict[int, Arch] = {}
        self._ups = [still(0.0, UP)] * len(points)
        self._bears = [PelvisDropShare()] * len(points)
        self._noted: tuple[float, list[float]] = -LONG, []
        self._low = still(0.0, NOWHERE)
        self._short = 0.0
        self.begun = False
        self._stood: list[Array | None] = [None] * len(points)
        self._left: list[Left | None] = [None] * len(points)
        self._aims: list[Array | None] = [None] * len(points)

    def copy(self) -> "Terrain":
        """Return an independent copy."""
        made = copy(self)
        made._arches, made._even, made._aside = dict(self._arches), dict(self._even), dict(self._aside)
        made._ups, made._bears = list(self._ups), list(self._bears)
        made._stood, made._left, made._aims = list(self._stood), list(self._left), list(self._aims)
        return made

    def land(self, point: int, time: float, row: Array, place: Array, clearance: float, drop: float) -> float:
        """Plant a point at `place` (3,); return the height at which it will be planted.

        Parameters
        ----------
        point : index of the point.
        time : the present time in seconds.
        row : (width,) the uncorrected motion at this time.
        place : (3,) position of the point.
        clearance, drop : those of its contact window, as for `FootLocks.lock`.
        """
        height = float(self._floor(place[None, :2])[0]) + clearance
        x, y, _ = arch_at(self._arches[point], time) if point in self._arches else NOWHERE
        own, along, arm = self.own(point, row[None])
        self.stand(point, place)
        self._bears[point] = self._bears[point].landing(time, time)
        end = x, y, height - float(own[0, 2]) + drop
        self._go(point, time, time + CATCH_UP, end, (place[:2], along[0, :2], arm))
        return height

    def expect(self, point: int, time: float, landing: float, rows: Array, clearance: float, drop: float) -> Array:
        """Predict where a point will land at `landing` seconds, move it there, and return the position (3,).

        This may be called repeatedly while the point swings, as the prediction improves.

        Parameters
        ----------
        point : index of the point.
        time : the present time in seconds.
        landing : time of the landing in seconds.
        rows : (width,) the row of the landing, or (S, width) rows at times evenly spaced up to it.
        clearance, drop : those of the contact window that begins there, as for `FootLocks.lock`.
        """
        now, length = self._arches.get(point), self._lengths[point]
        rows = rows.reshape(-1, rows.shape[-1])
        own, along, arm = self.own(point, rows)
        place, left = own[-1].copy(), self._left[point]
        if left is not None:
            place[:2] += left.away * (1.0 - smooth((landing - left.time) / FADE))
        moved = self._moved(point, place[:2], along[-1, :2], (time, landing))
        place[:2] += moved
        place[2] = float(self._floor(place[None, :2])[0]) + clearance
        end = float(moved[0]), float(moved[1]), float(place[2] - own[-1, 2]) + drop
        foot = place[:2], along[-1, :2], arm
        if now is None:
            self._go(point, time, max(landing, time + CATCH_UP), end, foot)
            return place
        if left is None:
            left = self._left[point] = Left(time, arch_at(now, time), np.zeros(2))
        if math.dist(now.end, end) > SAME * length or abs(now.until - landing) > SAME:
            until = max(landing, time + abs(end[2] - arch_at(now, time)[2]) / (FASTEST * length), time + INSTANT)
            self._go(point, time, until, end, foot, rows[-1])
            self._bears[point] = self._bears[point].landing(time, landing)
            self._lift_over(point, Swing(left, landing, own, along, place, clearance))
        return place

    def note(self, time: float, row: Array) -> None:
        """Record the pelvis drop in the uncorrected row (width,), to know its speed when a point leaves the ground."""
        self._noted = time, self._sunk(time, row)

    def leave(self, point: int, time: float, row: Array, away: Array) -> None:
        """Lift a point from the ground at `time`; its leg's pelvis drop begins to fade.

        `away` (2,) is the displacement of the held point from its position in `row` (width,).
        """
        self._left[point] = Left(time, arch_at(self._arches[point], time), away)
        leg, sunk, falling = self._leg_of[point], self._sunk(time, row), 0.0
        if LEAST_GAP <= time - self._noted[0] <= LARGEST_GAP:
            falling = (sunk[leg] - self._noted[1][leg]) / (time - self._noted[0])
        for other, its in enumerate(self._leg_of):
            if its == leg:
                self._bears[other] = self._bears[other].keeping(time, sunk[leg], falling)
        self._bears[point] = self._bears[point].leaving(time)

    def _sunk(self, time: float, row: Array) -> list[float]:
        """Return the pelvis drop (G,) that each leg needs in the uncorrected row (width,)."""
        return self._pose.sunk(row[None], self.rises(np.array([time])))

    def stand(self, point: int, place: Array) -> None:
        """Record that a point no longer swings, but is planted at `place` (3,)."""
        self._stood[point], self._left[point], self._aims[point] = place[:2].copy(), None, None

    def _moved(self, point: int, place: Array, along: Array, times: tuple[float, float]) -> Array:
        """Return the displacement (2,) from `place` to the foothold of a point.

        Parameters
        ----------
        point : index of the point.
        place : (2,) position where the point would land.
        along : (2,) direction of its foot.
        times : the present time and that of the landing, in seconds.
        """
        sole, length = self._soles[point], self._lengths[point]
        left, stood, now = self._left[point], self._stood[point], self._arches.get(point)
        if sole is None:
            return np.zeros(2)
        if left is not None and stood is not None and times[1] - left.time < BRIEF:
            near = math.dist(stood, place) < BACK * length
            if near and edge_between(self._floor, stood, place, sole):
                return stood - place
        moved = foothold(self._floor, place, along, sole, FARTHEST * length, self._aims[point])
        if now is not None and math.dist(moved, now.end[:2]) > SWIFTEST * length * (times[1] - times[0]):
            moved = np.array(now.end[:2])
        self._aims[point] = place + moved
        return moved

    def _go(
        self,
        point: int,
        time: float,
        until: float,
        end: Vector,
        foot: tuple[Array, Array, Array],
        row: Array | None = None,
    ) -> None:
        """Move a point and the root to new displacements between `time` and `until`.

        Parameters
        ----------
        point : index of the point.
        time, until : times in seconds.
        end : the point's displacement at the end.
        foot : position (2,), direction of the toes (2,) and joint (3,) from the point, for tilting the foot to the
            ground.
        row : (width,) row of the landing if it is known: then the root is lowered so that the leg reaches.
        """
        level, sole = end, self._soles[point]
        if sole is not None:
            up, before = up_from(self._floor, foot[0], foot[1], sole), self._ups[point]
            gently = time + math.dist(up, arch_at(before, time)) / TILTING
            self._ups[point] = going_on(before, time, max(until, gently), up) if self.begun else still(time, up)
            level = add(end, minus(turned(arc(UP, up), (arm := foot[2].tolist())), arm))
        if point not in self._arches:
            known = [arch_at(arch, time)[2] for arch in self._even.values()]
            mean = (0.0, 0.0, sum(known) / max(len(known), 1))
            self._arches[point] = still(time, mean if self.begun else end)
            self._even[point] = self._aside[point] = still(time, mean if self.begun else level)
        now, even, aside = self._arches[point], self._even[point], self._aside[point]
        began = left.time if (left := self._left[point]) else time
        higher = level[2] - arch_at(even, time)[2]
        soon = began + RISEN * (until - began) if higher > SAME * self._lengths[point] else until
        gently = time + INSTANT + self._even_seconds(max(math.dist(level, even.end), abs(higher)))
        self._arches[point] = going_on(now, time, until, end)
        self._even[point] = going_on(even, time, max(soon, gently), level)
        self._aside[point] = going_on(aside, time, max(until, aside.until, gently), level)
        if row is not None:
            rises = self.rises(np.array([2.0 * LONG])).copy()
            rises[:, 0, 2] += self._low.end[2] - self._lowered()
            self._short = self._pose.sunk(row[None], rises)[self._leg_of[point]]
        low = (0.0, 0.0, self._lowered() + self._short)
        before = self._low if self.begun else still(time, low)
        gently = time + INSTANT + self._even_seconds(low[2] - before.end[2])
        self._low = going_on(before, time, max(soon, before.until, gently), low)

    def _even_seconds(self, change: float) -> float:
        """Return the minimum seconds for a `change` of the root's height."""
        return EVEN_SECONDS * min(abs(change) / (FAR * self._lengths[0]), 1.0) ** 0.5

    def _lift_over(self, point: int, swing: Swing) -> None:
        """Lift a swinging point over obstacles."""
        stood, arch = self._stood[point], self._arches[point]
        if stood is None:
            return
        length = self._lengths[point]
        times, needed = needed_over(swing, arch, stood, self._soles[point], self._floor, CLEAR * length)
        shares = (times - arch.begin) / (arch.until - arch.begin)
        highest = HIGHEST_LIFT * length * min((arch.until - arch.begin) / UNHURRIED, 1.0) ** 2
        missing = np.minimum(needed - arch_at(arch, times)[2], highest * smooth(1.0 - np.abs(2.0 * shares - 1.0)))
        within = (shares > EDGE) & (shares < 1.0 - EDGE)
        if within.any() and missing[within].max() > 0.0:
            self._arches[point] = replace(arch, pegs=pegs_over(shares[within], missing[within]))

    def ride(self, times: Array, rows: Array) -> Array:
        """Return rows (T, width) adapted to the floor at `times` (T,); a few are faster one by one."""
        if not self._arches:
            return rows
        if 1 < len(times) <= FEW:
            ones = [slice(row, row + 1) for row in range(len(times))]
            return np.concatenate([self.ride(times[one], rows[one]) for one in ones])
        rises = self.rises(times)
        if len(times) > 1:
            return self.lift(rows, rises)
        made = self.ridden(rows[0], rises)
        if made is None:
            made = self.lift(rows, rises)
            lately = Ridden(float(times[0]), self._state, rises, rows[0].copy(), made)
            self._lately = (*self._lately, lately)[-KEPT:]
        return made

    def ridden(self, row: Array, rises: Array) -> Array | None:
        """Return the cached row (1, width) over the floor for a row (width,) with the same `rises`, if there is one."""
        alike = (one for one in self._lately if one.rises is rises and np.abs(row - one.row).max() <= SAME_ROW)
        return next((one.made for one in alike), None)

    @property
    def _state(self) -> tuple[object, ...]:
        """The displacements of root and points, which are immutable and replaced on change."""
        arches = (*self._arches.values(), *self._even.values(), *self._aside.values())
        return (*arches, *self._ups, *self._bears, self._low)

    def rises(self, times: Array) -> Array:
        """Return the input of `TerrainPose.lift` at `times` (T,), an array (T, 1 + K, 8)."""
        if len(times) == 1:
            state = self._state
            for one in self._lately:
                if abs(times[0] - one.time) <= SAME_ROW and one.state == state:
                    return one.rises
        found = np.zeros((len(times), 1 + len(self._ups), 8))
        found[..., (3, 7)] = 1.0
        if len(times) and self._arches:
            moment = float(times[0]) if len(times) == 1 else times
            found[:, 0, :3] = np.transpose(self._root_at(moment))
            for point, arch in self._arches.items():
                found[:, 1 + point, :3] = np.transpose(arch_at(arch, moment))
                found[:, 1 + point, 3] = self._bears[point].share(moment)
                found[:, 1 + point, 4] = self._bears[point].rest(moment)
                found[:, 1 + point, 5:] = np.transpose(arch_at(self._ups[point], moment))
        return found

    def _root_at(self, moment: Any) -> Vector:
        """Return the displacement of the root at a time, or at times (T,)."""
        aside, even = ([arch_at(arch, moment) for arch in its.values()] for its in (self._aside, self._even))
        x, y, z = (sum(one[axis] for one in moved) / len(moved) for axis, moved in enumerate((aside, aside, even)))
        return x, y, z - arch_at(self._low, moment)[2]

    def _lowered(self) -> float:
        """Return the lowering of the root below the mean of the points when all have reached their displacements."""
        apart = float(np.std([arch.end[2] for arch in self._even.values()]))
        return LOWER * apart * apart / (apart + APART * self._lengths[0])
