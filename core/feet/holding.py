"""Points held in place, and let go without a jump: what locks of one character and of whole motions have in common.

What a lock asks is met by turning joints of its leg. When it lets go, or another point of the leg is held as well, the
turn that the joints have then is left to the leg and fades, beginning with the speed that it had; what is still held is
held on top of that. So every change goes on from the pose that there was. Where the root sinks so that a leg reaches,
feet that are free stay at their own height.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..figure.components import Vector, larger, smaller
from ..figure.leg_kinematics import from_space, in_space, lifted, moved_steps, points_of, positions, with_lifted
from ..figure.leg_reach import Wanted, bent, by_component, raised, reach_of, refined, sunk_for, ways
from ..figure.legs import legs_for
from ..figure.limbs import lengths_of
from ..figure.lock_point import LockPoint
from ..figure.plain_legs import plain_legs_of
from ..figure.products import difference, multiply
from .fading import FADE, LARGEST_GAP, LEAST_GAP, SETTLE, fading, smooth, together
from .held_frame import HeldFrame, placed, plain_state, solve_frame, turns_left
from .hold_state import CLOSED, FALLING, HELD, LOW, RAISED, RAISING, HoldState, free_state

Array = NDArray[np.float64]

RUN_UP = 5e-3
"""Seconds before a point is let go at which the pose is noted: they tell with which speed it leaves."""
_UNIT = np.array([1.0, 0.0, 0.0, 0.0])
_SUM = np.ones((4, 4))


@dataclass(frozen=True, eq=False)
class Solved:
    """Poses of all legs.

    Parameters
    ----------
    times : (T,) seconds.
    given, made : (T, G C, 4) lifted rotations.
    steps : what scalars make of the steps.
    sunk : (G,) how much the root sank for each leg: numbers for one pose, arrays (T,) for many.
    kept : (G,) what of it former locks have left.
    down : how much the root sank in all.
    """

    times: Array
    given: Array
    made: Array
    steps: Array | None
    sunk: Sequence[Any]
    kept: Sequence[Any]
    down: Any


class Holding:
    """Which points are held where, and what former locks have left.

    Parameters
    ----------
    channels : of the rows.
    points : (K,) that can be held.

    Attributes
    ----------
    state : what is held and left now.
    """

    def __init__(self, channels: Channels, points: Sequence[LockPoint]) -> None:
        self.legs = legs_for(channels, tuple(points))
        self._reach = reach_of(self.legs)
        self._plain = plain_legs_of(self.legs)
        self._lengths = lengths_of(self.legs)
        self._scalars = channels.scalar_columns
        self._slots: list[tuple[int, int]] = [self.legs.place(k) for k in range(len(points))]
        (count, length), most = self.legs.turning.shape, self.legs.members.shape[1]
        self._counts: list[int] = (self.legs.members >= 0).sum(axis=1).tolist()
        self._shape = count, most, 3
        self.state = free_state(count, most, length)
        self._noted: tuple[float, Callable[[int], Solved | HeldFrame]] | None = None
        self._changed()

    def is_idle(self, time: float) -> bool:
        """Whether rows stay as they are: nothing is held, and nothing left."""
        return not self._holds and time >= self._faded

    def hold(self, point: int, time: float, row: Array, height: float) -> None:
        """Hold `point` where it is in the corrected pose of `row` (width,), but at `height`."""
        place = self.where(point, time, row)
        self.state.points[self._index(point)] = 1.0, place[0], place[1], height, place[2] - height, time
        self._changed()

    def move(self, point: int, place: Array) -> None:
        """Hold `point` at another `place` (3,) from now on."""
        self.state.points[self._index(point), 1:4] = place
        self._changed()

    def place(self, point: int) -> Array:
        """Where (3,) a held `point` is held."""
        return self.state.points[self._index(point), 1:4].copy()

    def length(self, point: int) -> float:
        """How long the leg of `point` is."""
        return self._lengths[self._slots[point][0]]

    def where(self, point: int, time: float, row: Array) -> Array:
        """Where (3,) `point` is in the corrected pose of `row` (width,)."""
        if self._plain is not None:
            leg, slot = self._slots[point]
            frame = solve_frame(self._plain, self._now, time, row, leg)
            return np.array(placed(self._plain.legs[leg], slot, frame.made, row, frame.down))
        solved = self._solve_row(time, row)
        return self._placed(solved.made, solved.steps, row, solved.down)[self._slots[point]]

    def given_place(self, point: int, row: Array) -> Array:
        """Where (3,) `point` is in the row (width,) as it is given."""
        if self._plain is not None:
            leg, slot = self._slots[point]
            return np.array(placed(self._plain.legs[leg], slot, self._plain.read(row), row, 0.0))
        steps = moved_steps(self.legs, row[None], self._scalars)
        return self._placed(lifted(self.legs, row[None]), steps, row, 0.0)[self._slots[point]]

    def release(self, point: int, time: float, row: Array) -> None:
        """Let `point` go; `row` (width,) is the motion at this instant."""
        leg = self._slots[point][0]
        now, noted, state = self._solve_now(time, row, leg), self._noted, self.state
        state.points[self._index(point), HELD] = 0.0
        needed = 0.0
        if state.points.reshape(*self._shape[:2], -1)[leg, :, HELD].any():
            self._changed()
            again = self._solve_now(time, row, leg)
            needed = again.sunk[leg] - again.kept[leg]
        left, speed = self._turned(now, leg), 0.0
        freed = [time, now.sunk[leg] - needed, 0.0, now.down, 0.0]
        if noted is not None and LEAST_GAP <= time - noted[0] <= LARGEST_GAP:
            seconds, before = time - noted[0], noted[1](leg)
            speed = (left - self._turned(before, leg)) / seconds
            freed[FALLING] = (now.sunk[leg] - before.sunk[leg]) / seconds
            freed[RAISING] = (now.down - before.down) / seconds
        state.left[leg], state.speed[leg], state.legs[leg] = left, speed, freed
        state.faded[()] = time + FADE
        self._changed()

    def note(self, time: float, row: Array) -> None:
        """Remember the pose at `time`: what is let go just after it goes on with the speed that it has had since."""
        if self.is_idle(time):
            self._noted = None
        elif self._plain is not None:
            self._noted = time, partial(solve_frame, self._plain, self._now, time, row.copy())
        else:
            solved = self._solve_row(time, row)
            self._noted = time, lambda _: solved

    def apply(self, time: float, row: Array) -> Array:
        """Corrected copy of the row (width,) at `time`."""
        if self.is_idle(time):
            return row.copy()
        if self._plain is not None:
            frame = solve_frame(self._plain, self._now, time, row)
            made = self._plain.written(row, frame.made)
            made[5] -= frame.down
            return made
        solved = self._solve_row(time, row)
        made = with_lifted(self.legs, row[None], solved.made)[0]
        made[5] -= solved.down
        return made

    def apply_all(self, times: Array, rows: Array, states: HoldState) -> Array:
        """Corrected copies of the rows (T, width) at `times` (T,), each with its own of the `states` (T, ...)."""
        solved = self._solve(times, rows, states, _points_of(states, self._shape[1]))
        made = with_lifted(self.legs, rows, solved.made)
        made[:, 5] -= solved.down
        busy = states.points[..., HELD].any(axis=-1) | (times < states.faded)
        return np.where(busy[:, None], made, rows)

    def _changed(self) -> None:
        """Plain numbers of the state, for single frames."""
        self._faded = float(self.state.faded)
        self._holds = bool(self.state.points[:, HELD].any())
        if self._plain is not None:
            self._now = plain_state(self.state, self._counts)
            return
        points, most = self.state.points.tolist(), self._shape[1]
        self._points = [points[first : first + most] for first in range(0, len(points), most)]
        self._legs: list[list[float]] = self.state.legs.tolist()

    def _index(self, point: int) -> int:
        leg, slot = self._slots[point]
        return leg * self._shape[1] + slot

    def _solve_now(self, time: float, row: Array, leg: int) -> Solved | HeldFrame:
        if self._plain is not None:
            return solve_frame(self._plain, self._now, time, row, leg)
        return self._solve_row(time, row)

    def _solve_row(self, time: float, row: Array) -> Solved:
        """With arrays, for legs of which plain numbers do not tell all."""
        return self._solve(np.array([time]), row[None], self.state, self._points)

    def _solve(self, times: Array, rows: Array, state: HoldState, points: Sequence[Sequence[Sequence[Any]]]) -> Solved:
        legs = self.legs
        single = len(times) == 1
        time = float(times[0]) if single else times
        given = made = lifted(legs, rows)
        steps = moved_steps(legs, rows, self._scalars)
        leg_state: Any = self._legs if single else np.moveaxis(state.legs, 0, -1)
        kept: list[Any] = [0.0] * len(leg_state)
        already = kept
        if not single or time < self._faded:
            shares = [fading(time - leg[CLOSED]) for leg in leg_state]
            made = _faded(given, state, np.array(shares))
            kept = [larger(a * leg[LOW] + b * leg[FALLING], 0.0) for (a, b), leg in zip(shares, leg_state, strict=True)]
            already = [a * leg[RAISED] + b * leg[RAISING] for (a, b), leg in zip(shares, leg_state, strict=True)]
        space = in_space(legs, made)
        sunk, down = kept, together(kept)
        if single and not self._holds and down == 0.0 and not any(already):
            return Solved(times, given, made, steps, sunk, kept, down)
        wanted = self._wanted(time, rows, points)
        places = by_component(legs, positions(legs, space, steps))
        found = ways(self._reach, places, wanted)
        sunk = [a + b for a, b in zip(kept, sunk_for(self._reach, places, found), strict=True)]
        down = together(sunk)
        free = [1.0 - smaller(sum(asked), 1.0) for asked in wanted.asked]
        lifts = [down - off * had for off, had in zip(free, already, strict=True)]
        space = bent(self._reach, places, raised(found, lifts), space)
        space = refined(self._reach, space, steps, wanted, [down] * len(found))
        return Solved(times, given, from_space(legs, space), steps, sunk, kept, down)

    def _wanted(self, time: Any, rows: Array, points: Sequence[Sequence[Sequence[Any]]]) -> Wanted:
        """Where points are to be, counted from the root's place, in the heading's frame."""
        root = rows[0, :6].tolist() if len(rows) == 1 else list(np.ascontiguousarray(rows[:, :6].T))
        cosine, sine = _cos_sin(root[2])
        targets: list[list[Vector]] = []
        asked: list[list[Any]] = []
        for count, leg in zip(self._counts, points, strict=True):
            targets.append([])
            asked.append([])
            for held, x, y, height, excess, opened in leg[:count]:
                x, y = x - root[0], y - root[1]
                height = height + excess * (1.0 - smooth((time - opened) / SETTLE)) - root[5]
                targets[-1].append((cosine * x + sine * y - root[3], cosine * y - sine * x - root[4], height))
                asked[-1].append(held)
        return Wanted(targets, asked)

    def _placed(self, rotations: Array, steps: Array | None, row: Array, sunk: float) -> Array:
        """All points (G, K, 3) in performance space, of lifted rotations (1, G C, 4)."""
        places = positions(self.legs, in_space(self.legs, rotations), steps)
        local = points_of(self.legs, places).reshape(self._shape) + row[3:6]
        flat = (local[..., 0] + 1j * local[..., 1]) * np.exp(1j * row[2]) + complex(row[0], row[1])
        return np.stack([flat.real, flat.imag, local[..., 2] - sunk], axis=-1)

    def _turned(self, solved: Solved | HeldFrame, leg: int) -> Array:
        """Turns (C, 4) of a leg's joints from given to made: none, and axis times tangent of half the angle."""
        length = self.legs.turning.shape[1]
        if isinstance(solved, HeldFrame):
            assert self._plain is not None
            return turns_left(self._plain.legs[leg], solved, length)
        rows = slice(leg * length, (leg + 1) * length)
        q = difference(solved.given[0, rows], solved.made[0, rows])
        return q / q[:, :1] - _UNIT


def _points_of(states: HoldState, most: int) -> list[list[list[Array]]]:
    """What is held in each place (G, K, 6) as arrays (T,)."""
    columns = np.ascontiguousarray(np.moveaxis(states.points, 0, -1))
    places = [list(place) for place in columns]
    return [places[first : first + most] for first in range(0, len(places), most)]


def _cos_sin(angle: Any) -> tuple[Any, Any]:
    if isinstance(angle, float):
        return math.cos(angle), math.sin(angle)
    return np.cos(angle), np.sin(angle)


def _faded(given: Array, state: HoldState, shares: Array) -> Array:
    """Lifted rotations with the turns that are left, of which there are `shares` (G, 2) or (G, 2, T)."""
    value, speed = shares[:, 0].T[..., None, None], shares[:, 1].T[..., None, None]
    factors = (state.left * value + state.speed * speed + _UNIT).reshape(-1, 4)
    factors /= np.sqrt((factors * factors).dot(_SUM))
    return multiply(given.reshape(-1, 4), factors).reshape(given.shape)
