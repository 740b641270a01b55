"""State of the locks: held points with their positions, and the remains of released locks; at one time or per row."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FEW = 3
"""Maximum number of rows that are computed one by one, in plain numbers: together they would take as long as four."""
SAME_ROW = 1e-12
"""Rounding tolerance of times and numbers of a row."""
LONG_AGO = 1e9
"""A time in seconds before everything else."""
HELD = 0
"""Column, in the numbers of a point, that says whether the point is held."""
CLOSED, LOW, FALLING, RAISED, RAISING = range(5)
"""Columns in the numbers of a leg."""


Bounds = tuple[tuple[int, int, tuple[int, ...]], ...]
"""For each kind of number in a state: its begin and end in the array, and its shape."""


@dataclass(frozen=True, eq=False)
class LockState:
    """Held points and fading corrections, at one time or at (T, ...) many; all numbers are in one array.

    A leg has C joints. Its foot is *raised* if the root has sunk for another leg, so that it keeps its own height.

    Parameters
    ----------
    numbers : (..., n) all numbers.
    bounds : range of each kind of number.
    lately : for each stretch of rows that share one state: its first and last row, and the last result computed for
        that state. Copies of a state share these results.
    controls : state of points that are held by moving a control, if others are held by rotating joints.
    """

    numbers: Array
    bounds: Bounds
    lately: tuple[tuple[int, int, dict[str, Any]], ...]
    controls: "LockState | None" = None

    @property
    def points(self) -> Array:
        """Numbers (..., G K, 6) for each slot of a point in a leg.

        Whether it is held (1 or 0), its position over the ground (2), its height, how much higher it was when its lock
        began, and the time when its lock began.
        """
        return self._kind(0)

    @property
    def legs(self) -> Array:
        """Numbers (..., G, 5) for each leg.

        The time when the leg's last lock was released; at that time, the pelvis drop for the leg and the speed of the
        drop; and, at the same time, how far its foot was raised and the speed of that raise.
        """
        return self._kind(1)

    @property
    def left(self) -> Array:
        """Corrections (..., G, C, 4) at the release: quaternions divided by their real part, minus the identity.

        Those of controls are displacements (..., G, 3).
        """
        return self._kind(2)

    @property
    def speed(self) -> Array:
        """Speeds per second of these corrections at the release, (..., G, C, 4)."""
        return self._kind(3)

    @property
    def faded(self) -> Array:
        """Times (...) in seconds at which the corrections have faded completely."""
        return self.numbers[..., -1]

    def busy(self, times: float | Array) -> NDArray[np.bool_]:
        """Return whether anything is held, or still fades, (...) at `times` (...); otherwise rows are unchanged."""
        return self.points[..., HELD].any(axis=-1) | (times < self.faded)

    def copy(self) -> "LockState":
        """Return a copy with its own numbers."""
        return LockState(self.numbers.copy(), self.bounds, self.lately, self.controls and self.controls.copy())

    def part(self, rows: slice) -> "LockState":
        """Return the state of some of many rows, without cached results."""
        return LockState(self.numbers[rows], self.bounds, (), self.controls and self.controls.part(rows))

    def _kind(self, kind: int) -> Array:
        """Return the numbers of one kind, as a view if possible."""
        begin, end, shape = self.bounds[kind]
        return self.numbers[..., begin:end].reshape(self.numbers.shape[:-1] + shape)


def free_state(points: int, legs: int, turns: tuple[int, ...]) -> LockState:
    """Return the state in which nothing is held or fades.

    Parameters
    ----------
    points : number of slots of points.
    legs : number of legs.
    turns : shape of the corrections of a leg, (C, 4) for rotations of its joints.
    """
    shapes = (points, 6), (legs, 5), (legs, *turns), (legs, *turns)
    ends = list(accumulate(prod(shape) for shape in shapes))
    bounds = tuple(zip([0, *ends[:-1]], ends, shapes, strict=True))
    state = LockState(np.zeros(ends[-1] + 1), bounds, ((0, 0, {}),))
    state.points[:, 5] = state.legs[:, 0] = state.numbers[-1] = -LONG_AGO
    return state


def alone(state: LockState) -> LockState:
    """Return the state of one time as that of one row; both share their numbers."""
    return LockState(state.numbers[None], state.bounds, state.lately, state.controls and alone(state.controls))


def states_of(states: Sequence[LockState], rows: NDArray[np.intp]) -> LockState:
    """Return the state of many rows: row t has the state with the index ``rows[t]``, not decreasing (T,)."""
    controls = [state.controls for state in states if state.controls is not None]
    numbers = np.array([state.numbers for state in states])[rows]
    ends: list[int] = [-1, *np.flatnonzero(np.diff(rows)).tolist(), len(rows) - 1]
    lately = tuple([(begin + 1, end, states[int(rows[end])].lately[0][2]) for begin, end in pairwise(ends)])
    return LockState(numbers, states[0].bounds, lately, states_of(controls, rows) if controls else None)
