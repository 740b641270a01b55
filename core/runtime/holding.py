"""Points held in place, and let go without a jump: what locks of one character and of whole motions have in common.

What a lock asks is met by turning joints of its leg. When it lets go, or another point of the leg is held as well, the
turn that the joints have then is left to the leg and fades, beginning with the speed that it had; what is still held is
held on top of that. So every change goes on from the pose that there was.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..figure.leg_kinematics import (
    from_space,
    in_space,
    lifted,
    moved_steps,
    points_of,
    positions,
    reach_points,
    with_lifted,
)
from ..figure.leg_reach import sinking, stretch_of
from ..figure.legs import make_legs
from ..figure.lock_point import LockPoint
from ..figure.products import difference, multiply
from .ease import smooth

Array = NDArray[np.float64]

FADE = 0.25
"""Seconds in which a correction fades."""
SLOW = 0.1
"""Seconds in which the speed fades that it had: shorter, so that it does not carry a fast foot far."""
SETTLE = 0.1
"""Seconds in which a point comes to its height."""
LONG_AGO = 1e9
NEAR_GROUND = 0.05
"""Share of a leg's length within which a foot is near the ground."""
LEAST_GAP = 1e-3
"""Seconds between instants of which a speed is told."""
_SUM = np.ones((4, 4))


@dataclass(frozen=True, eq=False)
class Instant:
    """A pose of all legs as the motion has it and as it was made, at one time.

    Parameters
    ----------
    time : seconds.
    given, made : (G C, 4) lifted rotations.
    sunk : (G,) how much the root sank for each leg.
    """

    time: float
    given: Array
    made: Array
    sunk: Array


@dataclass(frozen=True, eq=False)
class Solved:
    """Poses of all legs.

    Parameters
    ----------
    given, made : (T, G C, 4) lifted rotations.
    space : (T, G C, 4) those of `made` in space.
    steps : what scalars make of the steps.
    sunk : (T, G) and `kept` of it what former locks have left.
    """

    given: Array
    made: Array
    space: Array
    steps: Array | None
    sunk: Array
    kept: Array


class Holding:
    """Which points are held where, and what former locks have left.

    Parameters
    ----------
    channels : of the rows.
    points : (K,) that can be held.
    """

    def __init__(self, channels: Channels, points: Sequence[LockPoint]) -> None:
        self.legs = make_legs(channels, points)
        self._scalars = channels.scalar_columns
        self._stretch = stretch_of(self.legs)
        self._slots: list[tuple[int, int]] = [self.legs.place(k) for k in range(len(points))]
        (count, length), most = self.legs.turning.shape, self.legs.members.shape[1]
        self._shape = count, most, 3
        self._asked = np.zeros((count, most, 3))
        self._flat = np.zeros(count * most, dtype=np.complex128)
        self._height, self._excess, self._opened = np.zeros((3, count * most))
        self._closed = np.full(count, -LONG_AGO)
        self._holds, self._faded_at, self._settled_at = 0, -np.inf, -np.inf
        self._left, self._speed = np.zeros((2, count, length, 3))
        self._low, self._falling, self._spared = np.zeros((3, count))
        self._members = (self.legs.members >= 0).repeat(3, axis=1)
        self._near = NEAR_GROUND * self._stretch.lengths
        self._recent: list[list[Instant]] = [[] for _ in range(count)]

    def is_idle(self, time: float) -> bool:
        """Whether rows stay as they are: nothing is held, and nothing left."""
        return not self._holds and time >= self._faded_at

    def where(self, point: int, time: float, row: Array) -> Array:
        """Where (3,) `point` is in the corrected pose of `row` (width,)."""
        return self._places(self._solve(np.array([time]), row[None]), row)[self._slots[point]]

    def hold(self, point: int, time: float, row: Array, height: float) -> None:
        """Hold `point` where it is in the corrected pose of `row` (width,), but at `height`."""
        leg, slot = self._slots[point]
        solved = self._solve(np.array([time]), row[None])
        place = self._places(solved, row)[leg, slot]
        self._note(leg, time, solved)
        index = leg * self._shape[1] + slot
        self._flat[index], self._height[index] = complex(place[0], place[1]), height
        self._excess[index], self._opened[index] = place[2] - height, time
        self._settled_at = time + SETTLE
        self._asked[leg, slot] = 1.0
        self._holds = int(np.count_nonzero(self._asked[..., 0]))

    def move(self, point: int, place: Array) -> None:
        """Hold `point` at another `place` (3,) from now on."""
        leg, slot = self._slots[point]
        index = leg * self._shape[1] + slot
        self._flat[index], self._height[index] = complex(place[0], place[1]), place[2]

    def place(self, point: int) -> Array:
        """Where (3,) a held `point` is held."""
        leg, slot = self._slots[point]
        index = leg * self._shape[1] + slot
        return np.array([self._flat[index].real, self._flat[index].imag, self._height[index]])

    def given_place(self, point: int, row: Array) -> Array:
        """Where (3,) `point` is in the row (width,) as it is given."""
        return self.given_places(row)[self._slots[point]]

    def release(self, point: int, time: float, row: Array) -> None:
        """Let `point` go; `row` (width,) is the motion at this instant."""
        leg, slot = self._slots[point]
        solved = self._solve(np.array([time]), row[None])
        self._note(leg, time, solved)
        self._asked[leg, slot] = 0.0
        self._holds = int(np.count_nonzero(self._asked[..., 0]))
        now, before = self._recent[leg][-1], self._before(leg, time)
        self._left[leg] = self._turned(now, leg)
        needed = 0.0
        if self._asked[leg].any():
            again = self._solve(np.array([time]), row[None])
            needed = float((again.sunk - again.kept)[0, leg])
        self._low[leg] = now.sunk[leg] - needed
        self._speed[leg], self._falling[leg] = 0.0, 0.0
        if before is not None:
            seconds = time - before.time
            self._speed[leg] = (self._left[leg] - self._turned(before, leg)) / seconds
            self._falling[leg] = (now.sunk[leg] - before.sunk[leg]) / seconds
        self._spared[leg] = _by_others(now.sunk[None])[0, leg]
        self._closed[leg], self._faded_at = time, time + FADE

    def apply(self, times: Array, rows: Array) -> Array:
        """Corrected copies of the rows (T, width) at `times` (T,), after the last change and before the next."""
        if self.is_idle(float(times[0])):
            self._recent = [[] for _ in self._recent]
            return rows.copy()
        solved = self._solve(times, rows)
        for row in range(max(len(times) - 2, 0), len(times)):
            instant = Instant(float(times[row]), solved.given[row], solved.made[row], solved.sunk[row])
            for leg in range(len(self._recent)):
                self._recent[leg] = [*self._recent[leg][-1:], instant]
        made = with_lifted(self.legs, rows, solved.made)
        made[:, 5] -= _together(solved.sunk)
        return made

    def _solve(self, times: Array, rows: Array) -> Solved:
        legs, count = self.legs, self._shape[0]
        given = made = lifted(legs, rows)
        steps = moved_steps(legs, rows, self._scalars)
        kept = np.zeros((len(times), count))
        if times[0] < self._faded_at:
            since = times[:, None] - self._closed
            made = self._faded(given, since[..., None, None])
            kept = np.maximum(_fading(since, self._low, self._falling), 0.0)
        space = in_space(legs, made)
        sunk = kept
        if self._holds or kept.any():
            asked = self._asked.reshape(1, count, -1)
            asked = asked if len(times) == 1 else asked.repeat(len(times), axis=0)
            targets = self._targets(times, rows)
            places = positions(legs, space, steps)
            points = points_of(legs, places)
            sunk = kept + sinking(self._stretch, places, (targets - points) * asked)
            together = _together(sunk)
            if together.any():
                targets.reshape(len(times), -1, 3)[..., 2] += together[:, None]
                targets, asked = self._spare(times, rows, _by_others(sunk), points, targets, asked)
            space = reach_points(legs, space, steps, targets, asked)
            made = from_space(legs, space)
        return Solved(given, made, space, steps, sunk, kept)

    def _spare(
        self, times: Array, rows: Array, by_others: Array, points: Array, targets: Array, asked: Array
    ) -> tuple[Array, Array]:
        """Let legs that hold nothing not sink with the root for others, `by_others` (T, G), where they near the ground.

        What a leg was spared when it was let go is in the turn that was left to it, and fades with it.
        """
        free = ~self._asked.any(axis=(1, 2))
        spared = self._spared * (1.0 - smooth((times[:, None] - self._closed) / FADE))
        places = points.reshape(len(times), -1, 3).copy()
        over = (places[..., 2] + rows[:, 5:6] - self._height) / self._near
        more = np.maximum(by_others - spared, 0.0).repeat(self._shape[1], axis=1)
        places[..., 2] += more * (1.0 - smooth(over))
        choose = free[:, None] & self._members
        return np.where(choose, places.reshape(points.shape), targets), np.where(choose, 1.0, asked)

    def _faded(self, given: Array, since: Array) -> Array:
        turns = _fading(since, self._left, self._speed)
        factors = np.empty((*turns.shape[:-1], 4))
        factors[..., 0] = 1.0
        factors[..., 1:] = turns
        factors = factors.reshape(-1, 4)
        factors /= np.sqrt((factors * factors).dot(_SUM))
        return multiply(given.reshape(-1, 4), factors).reshape(given.shape)

    def _targets(self, times: Array, rows: Array) -> Array:
        """Places (T, G, 3 K) of the points, counted from the root's, in the heading's frame."""
        back = np.exp(-1j * rows[:, 2:3])
        flat = (self._flat - (rows[:, 0:1] + 1j * rows[:, 1:2])) * back
        found = np.empty((len(rows), len(self._flat), 3))
        found[..., 0], found[..., 1], found[..., 2] = flat.real, flat.imag, self._height
        if times[0] < self._settled_at:
            found[..., 2] += self._excess * (1.0 - smooth((times[:, None] - self._opened) / SETTLE))
        found -= rows[:, None, 3:6]
        return found.reshape(len(rows), self._shape[0], -1)

    def given_places(self, row: Array) -> Array:
        """All points (G, K, 3) in performance space in the row (width,) as it is given."""
        space = in_space(self.legs, lifted(self.legs, row[None]))
        return self._placed(space, moved_steps(self.legs, row[None], self._scalars), row, 0.0)

    def _places(self, solved: Solved, row: Array) -> Array:
        return self._placed(solved.space, solved.steps, row, float(_together(solved.sunk)[0]))

    def _placed(self, space: Array, steps: Array | None, row: Array, sunk: float) -> Array:
        local = points_of(self.legs, positions(self.legs, space, steps)).reshape(self._shape) + row[3:6]
        flat = (local[..., 0] + 1j * local[..., 1]) * np.exp(1j * row[2]) + complex(row[0], row[1])
        return np.stack([flat.real, flat.imag, local[..., 2] - sunk], axis=-1)

    def _note(self, leg: int, time: float, solved: Solved) -> None:
        instant = Instant(time, solved.given[0], solved.made[0], solved.sunk[0])
        recent = self._recent[leg]
        fresh = not recent or time - recent[-1].time >= LEAST_GAP
        self._recent[leg] = [*(recent[-1:] if fresh else recent[:-1]), instant]

    def _before(self, leg: int, time: float) -> Instant | None:
        """The last known instant that is long enough before `time`."""
        return next((i for i in reversed(self._recent[leg]) if time - i.time >= LEAST_GAP), None)

    def _turned(self, instant: Instant, leg: int) -> Array:
        """Turns (C, 3) of a leg's joints from given to made: axis times tangent of half the angle."""
        length = self.legs.turning.shape[1]
        rows = slice(leg * length, (leg + 1) * length)
        q = difference(instant.given[rows], instant.made[rows])
        return q[:, 1:] / q[:, :1]


def _fading(since: Array, value: Array, speed: Array) -> Array:
    """What is left of `value`, which changed by `speed` a second, `since` (...) seconds ago."""
    slow = np.minimum(since / SLOW, 1.0)
    return (1.0 - smooth(since / FADE)) * value + since * (1.0 - slow) ** 2 * speed


def _together(sunk: Array) -> Array:
    """How much the root sinks (T,) in all, for legs that ask for `sunk` (T, G)."""
    return np.sqrt((sunk * sunk).dot(np.ones(sunk.shape[1])))


def _by_others(sunk: Array) -> Array:
    """How much the root sinks (T, G) for all legs but each, that ask for `sunk` (T, G)."""
    squares = sunk * sunk
    return np.sqrt(np.maximum(squares.sum(axis=1, keepdims=True) - squares, 0.0))
