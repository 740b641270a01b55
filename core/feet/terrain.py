"""Walking on ground that the examples do not know: feet and root are displaced smoothly before locks hold anything."""

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
"""Seconds in which a point comes to a height that was not foreseen."""
LOWER = 1.25
"""How many times the deviation between the points' heights the root stays below their mean, so that legs reach."""
APART = 0.05
"""Share of a leg's length from which on points count as standing at different heights."""
HIGHEST_LIFT = 0.3
"""Largest height, as a share of a leg's length, by which a foot is lifted over what lies in between."""
EVEN_SECONDS = 0.3
"""Seconds that the root takes at least for a large change of its height."""
FAR = 0.1
"""Change of the root's height, as a share of a leg's length, that is large."""
UNHURRIED = 0.8
"""Seconds of a swing in which a foot can be lifted by `HIGHEST_LIFT`; in a shorter swing it is lifted less."""
RISEN = 0.7
"""Share of a swing after which the root has risen as far as it will, while the swinging leg is bent."""
FASTEST = 2.0
"""Speed, in leg lengths a second, at which a point rises or falls at most on the way to where it lands."""
TILTING = 1.0
"""Change of slope, in a second, by which a foot is tilted at most."""
FARTHEST = 0.2
"""Share of a leg's length by which a point is put down at most from where it would land, to stand well."""
BRIEF = 0.2
"""Seconds of a swing that is brief: it leads back to where it began if it would end near there, across an edge."""
BACK = 0.4
"""Share of a leg's length that is near for this."""
SWIFTEST = 1.0
"""Speed, in leg lengths a second, at which a swinging point is led to another foothold at most."""
CLEAR = 0.01
"""Share of a leg's length by which a foot passes over what lies in between."""
SAME = 1e-3
"""Share of a leg's length, and seconds, by which a landing may change and still count as the same."""
KEPT = 2
"""Rows over the floor that are kept: a step is judged at its beginning and its end, which then is shown."""
EDGE = 0.02
"""Share of a swing at both ends in which the foot is not lifted."""


class Ridden(NamedTuple):
    """A row that was brought over the floor lately, with all that it was made from.

    Parameters
    ----------
    time : seconds.
    state : the displacements of root and points, as they were then.
    rises : (1, 1 + K, 8) what `TerrainPose.lift` has done.
    row : (width,) the row as the motion has it.
    made : (1, width) the row over the floor.
    """

    time: float
    state: tuple[object, ...]
    rises: Array
    row: Array
    made: Array


class Terrain:
    """Displaces feet and root of one character so that it walks on a floor.

    A point's *displacement* is how much higher the floor is where the point stands than the ground of the examples, and
    how far over the ground it was moved to a better foothold. It stays the same while the point is planted and changes
    smoothly while it swings, higher in between where something lies in the way. The root is displaced by the mean over
    the points, but does not rise much above a point that stands lower, so that its leg reaches.

    Parameters
    ----------
    channels : of the rows.
    points : (K,)
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
        """Return a copy that goes on by itself."""
        made = copy(self)
        made._arches, made._even, made._aside = dict(self._arches), dict(self._even), dict(self._aside)
        made._ups, made._bears = list(self._ups), list(self._bears)
        made._stood, made._left, made._aims = list(self._stood), list(self._left), list(self._aims)
        return made

    def land(self, point: int, time: float, row: Array, place: Array, clearance: float, drop: float) -> float:
        """Let a point come to stand at `place` (3,); return the height at which it will stand.

        Parameters
        ----------
        point, time : its index, and the present time.
        row : (width,) the motion at this time, as it is given.
        place : (3,) where the point is.
        clearance, drop : of its contact window, as for `FootLocks.lock`.
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
        """Foresee where a point will land at `landing` seconds, lead it there, and return the place (3,).

        This may be called again and again while the point swings, as the landing is foreseen better.

        Parameters
        ----------
        point, time : its index, and the present time.
        landing : seconds.
        rows : (width,) the row of the landing, or (S, width) rows at times evenly spaced up to it.
        clearance, drop : of the contact window that begins there, as for `FootLocks.lock`.
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
        """Note the pelvis drop in the row (width,) as it is given, to know its speed when a point leaves the ground."""
        self._noted = time, self._sunk(time, row)

    def leave(self, point: int, time: float, row: Array, away: Array) -> None:
        """Let a point leave the ground at `time`; its leg's pelvis drop begins to fade.

        `away` (2,) is how far the point was held from where `row` (width,) has it.
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
        """Return the pelvis drop (G,) that each leg asks for in the row (width,) as it is given."""
        return self._pose.sunk(row[None], self.rises(np.array([time])))

    def stand(self, point: int, place: Array) -> None:
        """Note that a point does not swing any more, but stands at `place` (3,)."""
        self._stood[point], self._left[point], self._aims[point] = place[:2].copy(), None, None

    def _moved(self, point: int, place: Array, along: Array, times: tuple[float, float]) -> Array:
        """Return how far (2,) from `place` a point is put down to stand well.

        Parameters
        ----------
        point : index.
        place, along : (2,) where it would land, and the direction of its foot.
        times : seconds of the present, and of the landing.
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
        """Let a point and the root change to new displacements between `time` and `until`.

        Parameters
        ----------
        point : index.
        time, until : seconds.
        end : the point's displacement at the end.
        foot : place (2,), direction of the toes (2,) and joint (3,) from the point, for the foot to lie on the ground.
        row : (width,) of the landing if that is known: then the root goes so low that the leg reaches.
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
        """Return the seconds that the root takes at least for a `change` of its height."""
        return EVEN_SECONDS * min(abs(change) / (FAR * self._lengths[0]), 1.0) ** 0.5

    def _lift_over(self, point: int, swing: Swing) -> None:
        """Lift a swinging point over what lies in the way."""
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
        """Return rows (T, width) brought over the floor at `times` (T,); a few are quicker one by one."""
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
        """Return the row (1, width) over the floor if it was made lately from a row (width,) with the same `rises`."""
        alike = (one for one in self._lately if one.rises is rises and np.abs(row - one.row).max() <= SAME_ROW)
        return next((one.made for one in alike), None)

    @property
    def _state(self) -> tuple[object, ...]:
        """The displacements of root and points, which are not changed but replaced."""
        arches = (*self._arches.values(), *self._even.values(), *self._aside.values())
        return (*arches, *self._ups, *self._bears, self._low)

    def rises(self, times: Array) -> Array:
        """Return what `TerrainPose.lift` is to do at `times` (T,), an array (T, 1 + K, 8)."""
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
        """Return how much lower than the mean of the points the root is to be when all have got to where they go."""
        apart = float(np.std([arch.end[2] for arch in self._even.values()]))
        return LOWER * apart * apart / (apart + APART * self._lengths[0])
