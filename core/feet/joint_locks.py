"""Locks that hold points by rotating joints of their legs, and release them without a jump.

When a lock is released, or another point of the leg is also locked, the present correction of the joints remains on the
leg and fades, starting with its present speed; points that are still held are solved on top of it. So every change
starts from the present pose. If the root sinks so that one leg reaches, free feet keep their own height.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..figure.alike_legs import leg_solver
from ..figure.channels import Channels
from ..figure.knee_hinges import ExamplePoses
from ..figure.leg_inverse_kinematics import (
    PointTargets,
    bend_limbs,
    eased_lifts,
    foot_moves,
    pelvis_drops,
    raise_feet,
    refine_points,
    straighten_knees,
)
from ..figure.leg_kinematics import (
    chain_rotations,
    from_space,
    in_space,
    moved_steps,
    points_of,
    positions,
    with_chain_rotations,
)
from ..figure.legs import legs_for
from ..figure.lock_point import LockPoint
from ..figure.quaternion import angle_between
from ..figure.quaternion_products import difference, multiply
from ..figure.two_bone_limbs import lengths_of
from ..figure.vector_components import Vector, cosine, direction, larger, sine, smaller, smooth
from .easing_curves import FADE, LARGEST_GAP, LEAST_GAP, SETTLE, fading, together
from .lock_numbers import CLOSED, FALLING, FEW, HELD, LOW, RAISED, RAISING, SAME_ROW, LockState, alone, free_state

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

MANY = 20
"""Maximum number of stretches of rows whose last poses are cached: recomputing more is as fast as finding them."""
RUN_UP = 5e-3
"""Seconds before a release at which the pose is recorded for computing the speed of the correction."""
_UNIT = np.array([1.0, 0.0, 0.0, 0.0])
_SUM = np.ones((4, 4))


@dataclass(frozen=True, eq=False)
class Solved:
    """Corrected poses of all legs.

    Parameters
    ----------
    given : (T, G C, 4) chain rotations before the correction.
    made : (T, G C, 4) chain rotations after it.
    steps : steps of the legs as changed by scalars, see `moved_steps`.
    sunk : (G,) pelvis drop for each leg, as numbers for one pose or arrays (T,) for many.
    kept : (G,) the part of each leg's drop that remains from released locks.
    down : total pelvis drop.
    """

    given: Array
    made: Array
    steps: Array | None
    sunk: Sequence[Any]
    kept: Sequence[Any]
    down: Any

    def row(self, index: int) -> "Solved":
        """Return one of many poses."""
        if len(self.given) == 1:
            return self
        one = slice(index, index + 1)
        steps = None if self.steps is None else self.steps[one].copy()
        sunk, kept = ([float(value[index]) for value in values] for values in (self.sunk, self.kept))
        return Solved(self.given[one].copy(), self.made[one].copy(), steps, sunk, kept, float(self.down[index]))


class Lately(NamedTuple):
    """The last corrected pose, with its input.

    Parameters
    ----------
    time : time in seconds.
    row : (width,) row without locks.
    numbers : numbers of the locks' state, as bytes.
    solved : the corrected pose.
    """

    time: float
    row: Array
    numbers: bytes
    solved: Solved

    def is_of(self, time: float, row: Array, numbers: Array) -> bool:
        """Return whether `row` at `time`, with the locks in the state `numbers`, gives this pose, up to rounding."""
        if abs(time - self.time) > SAME_ROW or numbers.tobytes() != self.numbers:
            return False
        return row.tobytes() == self.row.tobytes() or bool((np.abs(row - self.row) <= SAME_ROW).all())


class JointLocks:
    """Locks on points that are held by rotating joints of their legs.

    Input rows have no locks; times must not decrease from call to call.

    Parameters
    ----------
    channels : channels of the rows.
    points : (K,) points that can be held.
    poses : poses from which the bending of knees is learnt; None to bend straight knees towards the direction of the
        feet.

    Attributes
    ----------
    state : present locks and fading corrections.
    """

    def __init__(self, channels: Channels, points: Sequence[LockPoint], poses: ExamplePoses | None = None) -> None:
        self.legs = legs_for(channels, tuple(points))
        self._solver = leg_solver(self.legs, poses)
        self._lengths = lengths_of(self.legs)
        self._scalars = channels.scalar_columns
        self._slots: list[tuple[int, int]] = [self.legs.place(k) for k in range(len(points))]
        (count, length), most = self.legs.turning.shape, self.legs.members.shape[1]
        self._shape = count, most, 3
        self.state = free_state(count * most, count, (length, 4))
        self._noted: tuple[float, Solved] | None = None

    def copy(self) -> "JointLocks":
        """Return an independent copy."""
        made = copy(self)
        made.state = self.state.copy()
        return made

    def is_idle(self, time: float) -> bool:
        """Return whether rows are unchanged at `time`: nothing is held, and no correction fades."""
        return not self.state.busy(time)

    def hold(self, point: int, time: float, row: Array, height: float) -> None:
        """Hold the point with this index at its position in the corrected pose of `row` (width,), but at `height`.

        It moves to that height within `SETTLE` seconds.
        """
        before = self._solve_now(time, row)
        place = self._placed([point], before.made, before.steps, row[None], before.down)[0, 0]
        self.state.points[self._index(point)] = 1.0, place[0], place[1], height, place[2] - height, time
        leg = self._slots[point][0]
        kept = float(before.kept[leg])
        if kept > 0.0:
            twice = float(self._solve_now(time, row).sunk[leg] - before.sunk[leg])
            self.state.legs[leg, [LOW, FALLING]] *= min(max(1.0 - twice / kept, 0.0), 1.0)

    def move(self, point: int, place: Array) -> None:
        """Move a held point to another `place` (3,) from now on."""
        self.state.points[self._index(point), 1:4] = place

    def put(self, states: LockState, rows: NDArray[np.intp], point: int, places: Array) -> None:
        """Set the position (n, 3) of a held point in some `rows` (n,) of `states`."""
        states.points[rows, self._index(point), 1:4] = places

    def place(self, point: int) -> Array:
        """Return the position (3,) of a held point."""
        return self.state.points[self._index(point), 1:4].copy()

    def length(self, point: int) -> float:
        """Return the length of the leg of a point, in performance units."""
        return self._lengths[self._slots[point][0]]

    def where(self, point: int, time: float, row: Array) -> Array:
        """Return the position (3,) of a point in the corrected pose of `row` (width,) at `time`."""
        solved = self._solve_now(time, row)
        return self._placed([point], solved.made, solved.steps, row[None], solved.down)[0, 0]

    def given_places(self, points: Sequence[int], rows: Array) -> Array:
        """Return the positions (T, P, 3) of points in uncorrected rows (T, width)."""
        steps = moved_steps(self.legs, rows, self._scalars)
        return self._placed(points, chain_rotations(self.legs, rows), steps, rows, 0.0)

    def release(self, point: int, time: float, row: Array) -> None:
        """Release a point at `time`; `row` (width,) is the motion then. The correction of its leg begins to fade."""
        leg = self._slots[point][0]
        now, noted, state = self._solve_now(time, row), self._noted, self.state
        state.points[self._index(point), HELD] = 0.0
        needed = 0.0
        if state.points.reshape(*self._shape[:2], -1)[leg, :, HELD].any():
            again = self._solve_now(time, row)
            needed = again.sunk[leg] - again.kept[leg]
        left, speed = self._turned(now, leg), 0.0
        freed = [time, now.sunk[leg] - needed, 0.0, now.down, 0.0]
        if noted is not None and LEAST_GAP <= time - noted[0] <= LARGEST_GAP:
            seconds, before = time - noted[0], noted[1]
            speed = (left - self._turned(before, leg)) / seconds
            freed[FALLING] = (now.sunk[leg] - before.sunk[leg]) / seconds
            freed[RAISING] = (now.down - before.down) / seconds
        state.left[leg], state.speed[leg], state.legs[leg] = left, speed, freed
        state.numbers[-1] = time + FADE

    def note(self, time: float, row: Array) -> None:
        """Record the corrected pose at `time`, just before a release, to compute the speed of corrections.

        The last corrected pose stays cached, as it may also be the pose at the release.
        """
        self._noted = None
        if not self.is_idle(time):
            self._noted = time, self._solve_together(np.array([time]), row[None], alone(self.state))

    def added_speeds(self, times: Array, rows: Array, states: LockState, firsts: Indices) -> Array:
        """Return for each span and each point (n, K) the additional joint speed from holding it.

        The speed is that of the fastest joint of the point's leg, in radians a second, averaged over the span. Free
        legs are moved by the leg with the largest pelvis drop, and are counted with it.

        Parameters
        ----------
        times : (m,) times in seconds at which spans begin and end.
        rows : (m, width) of the motion at these times.
        states : states of the locks in each of these rows, (m, ...).
        firsts : (n,) index of the time at which each span begins; it ends at the next one.
        """
        count, lasts = len(firsts), firsts + 1
        solved = self._solve(times, rows, states)
        turns = np.array([solved.given, solved.made])
        given, made = angle_between(turns[:, lasts], turns[:, firsts])
        seconds = (times[lasts] - times[firsts])[:, None]
        most = (made - given).reshape(count, *self.legs.turning.shape).max(axis=2) / seconds
        held = states.points[firsts, :, HELD].reshape(count, *self._shape[:2]).any(axis=2)
        sunk = np.array(solved.sunk)[:, lasts].T * held
        every, leg = np.arange(count), sunk.argmax(axis=1)
        lowered = np.maximum(most[every, leg], np.where(held, 0.0, most).max(axis=1, initial=0.0))
        most[every, leg] = np.where(sunk.any(axis=1), lowered, most[every, leg])
        return most[:, [leg for leg, _ in self._slots]]

    def apply_all(self, times: Array, rows: Array, states: LockState) -> Array:
        """Return corrected copies of rows (T, width) at `times` (T,), each with its own state in `states` (T, ...)."""
        busy = states.busy(times)
        if not busy.any():
            return rows.copy()
        solved = self._solve(times, rows, states)
        made = with_chain_rotations(self.legs, rows, solved.made)
        made[:, 5] -= solved.down
        return made if busy.all() else np.where(busy[:, None], made, rows)

    def _index(self, point: int) -> int:
        """Return the index of a point in the numbers of the state."""
        leg, slot = self._slots[point]
        return leg * self._shape[1] + slot

    def _solve_now(self, time: float, row: Array) -> Solved:
        """Return the corrected pose of `row` (width,) in the present state."""
        return self._solve(np.array([time]), row[None], alone(self.state))

    def _solve(self, times: Array, rows: Array, states: LockState) -> Solved:
        """Return the corrected poses of rows (T, width) at `times` (T,), each with its own state in `states` (T, ...).

        The last corrected pose is reused. A few rows are faster one by one, in plain numbers, than together.
        """
        count, lately = len(times), states.lately if len(states.lately) <= MANY else ()
        known: dict[int, Solved] = {
            row: kept["pose"].solved
            for first, last, kept in lately
            for row in {first, last}
            if kept and kept["pose"].is_of(times[row], rows[row], states.numbers[row])
        }
        if count - len(known) > FEW:
            solved = self._solve_together(times, rows, states)
        else:
            ones = [known.get(row) or self._solve_row(times, rows, states, row) for row in range(count)]
            solved = ones[0] if count == 1 else _joined(ones)
        for _, last, kept in lately:
            kept["pose"] = Lately(times[last], rows[last].copy(), states.numbers[last].tobytes(), solved.row(last))
        return solved

    def _solve_row(self, times: Array, rows: Array, states: LockState, row: int) -> Solved:
        """Solve one of the rows; see `_solve`."""
        one = slice(row, row + 1)
        return self._solve_together(times[one], rows[one], states if len(times) == 1 else states.part(one))

    def _solve_together(self, times: Array, rows: Array, states: LockState) -> Solved:
        """Solve all rows in one computation, with plain numbers if there is one; see `_solve`.

        Fading corrections come first, then limbs bend and the root sinks, then joints rotate by J dq = dx if that is
        not exact.
        """
        legs, count = self.legs, len(times)
        groups, time = self._solver.groups(count), float(times[0]) if count == 1 else times
        given = made = chain_rotations(legs, rows)
        steps = moved_steps(legs, rows, self._scalars)
        kept: list[Any] = [0.0] * len(groups.groups)
        already = kept
        if (times < states.faded).any():
            freed = [numbers for (numbers,) in groups.parted(states.legs[:, :, None])]
            shares = [fading(time - leg[CLOSED]) for leg in freed]
            made = _faded(given, states, *(groups.by_leg(share, count) for share in zip(*shares, strict=True)))
            kept = [larger(a * leg[LOW] + b * leg[FALLING], 0.0) for (a, b), leg in zip(shares, freed, strict=True)]
            already = [a * leg[RAISED] + b * leg[RAISING] for (a, b), leg in zip(shares, freed, strict=True)]
        posed = straighten_knees(self._solver, in_space(legs, made), steps)
        wanted = self._wanted(time, rows, states)
        found = foot_moves(posed, wanted)
        asking = [a + b for a, b in zip(kept, pelvis_drops(posed, found), strict=True)]
        sunk = groups.by_leg(asking, count)
        down = together(sunk)
        free = [1.0 - smaller(sum(asked), 1.0) for asked in wanted.asked]
        eased = eased_lifts(posed, [down - had for had in already])
        lifts = [down + off * (lift - down) for off, lift in zip(free, eased, strict=True)]
        space = bend_limbs(posed, raise_feet(found, lifts))
        space = refine_points(self._solver, space, steps, wanted, [down] * len(found))
        return Solved(given, from_space(legs, space), steps, sunk, groups.by_leg(kept, count), down)

    def _wanted(self, time: Any, rows: Array, states: LockState) -> PointTargets:
        """Return the targets of the points in the heading's frame, relative to the root."""
        groups = self._solver.groups(len(rows))
        points = groups.parted(states.points.reshape(len(rows), *self._shape[:2], -1))
        root = rows[0, :6].tolist() if len(rows) == 1 else list(np.ascontiguousarray(rows[:, :6].T))
        c, s = cosine(root[2]), sine(root[2])
        targets: list[list[Vector]] = []
        asked: list[list[Any]] = []
        for group, own in zip(groups.groups, points, strict=True):
            targets.append([])
            asked.append([])
            for held, x, y, height, excess, opened in own[: group.points]:
                x, y = x - root[0], y - root[1]
                height = height + excess * (1.0 - smooth((time - opened) / SETTLE)) - root[5]
                targets[-1].append((c * x + s * y - root[3], c * y - s * x - root[4], height))
                asked[-1].append(held)
        return PointTargets(targets, asked)

    def _placed(self, points: Sequence[int], rotations: Array, steps: Array | None, rows: Array, sunk: float) -> Array:
        """Return the positions (T, P, 3) of points in performance space.

        Parameters
        ----------
        points : indices of the points.
        rotations : (T, G C, 4) chain rotations.
        steps : steps of the legs.
        rows : (T, width) rows that contain the root.
        sunk : pelvis drop.
        """
        own, (x, y, heading) = [self._index(point) for point in points], rows[:, :3].T[:, :, None]
        places = positions(self.legs, in_space(self.legs, rotations), steps)
        local = points_of(self.legs, places).reshape(len(rows), -1, 3)[:, own] + rows[:, None, 3:6]
        flat = (local[..., 0] + 1j * local[..., 1]) * direction(heading) + x + 1j * y
        return np.stack([flat.real, flat.imag, local[..., 2] - sunk], axis=-1)

    def _turned(self, solved: Solved, leg: int) -> Array:
        """Return the corrections (C, 4) of a leg's joints: quaternions divided by their real parts, minus identity."""
        length = self.legs.turning.shape[1]
        rows = slice(leg * length, (leg + 1) * length)
        q = difference(solved.given[0, rows], solved.made[0, rows])
        return q / q[:, :1] - _UNIT


def _joined(ones: Sequence[Solved]) -> Solved:
    """Return the corrected poses of several rows as one object, from those of each single row."""
    given, made = (np.concatenate([getattr(one, name) for one in ones]) for name in ("given", "made"))
    steps = [one.steps for one in ones if one.steps is not None]
    *legs, down = np.array([[*one.sunk, *one.kept, one.down] for one in ones]).T
    half = len(legs) // 2
    return Solved(given, made, np.concatenate(steps) if steps else None, legs[:half], legs[half:], down)


def _faded(given: Array, state: LockState, values: Sequence[Any], speeds: Sequence[Any]) -> Array:
    """Return chain rotations with the fading corrections applied.

    `values` and `speeds` (G,) are the results of `fading` for each leg.
    """
    value, speed = (np.array(shares).T[..., None, None] for shares in (values, speeds))
    factors = (state.left * value + state.speed * speed + _UNIT).reshape(-1, 4)
    factors /= np.sqrt((factors * factors).dot(_SUM))
    return multiply(given.reshape(-1, 4), factors).reshape(given.shape)
