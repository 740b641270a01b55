"""State of the locks: which points are held where, and what released locks have left; at one time, or row after row."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FEW = 3
"""Most rows that are computed one by one, in plain numbers: together they would take as long as four."""
SAME_ROW = 1e-12
"""By how much, at most, times and numbers of a row differ by rounding."""
LONG_AGO = 1e9
"""Seconds before 0 that are earlier than anything."""
HELD = 0
"""Place, among the numbers of a point, of whether it is held."""
CLOSED, LOW, FALLING, RAISED, RAISING = range(5)
"""Places among the numbers of a leg."""


Bounds = tuple[tuple[int, int, tuple[int, ...]], ...]
"""For each kind of number in a state: where it begins and ends in the array, and its shape."""


@dataclass(frozen=True, eq=False)
class LockState:
    """Points that are held, and corrections that fade, at one time or at (T, ...) many; all numbers lie in one array.

    A leg has C joints. Its foot was *raised* if the root had sunk for another leg, so that it kept its own height.

    Parameters
    ----------
    numbers : (..., n) all numbers.
    bounds : where each kind of them lies.
    lately : for each stretch of rows that share one state: its first and last row, and what was computed last for that
        state. Copies of a state share the latter.
    controls : state of points that are held by moving a control, where others are held by turning joints.
    """

    numbers: Array
    bounds: Bounds
    lately: tuple[tuple[int, int, dict[str, Any]], ...]
    controls: "LockState | None" = None

    @property
    def points(self) -> Array:
        """Numbers (..., G K, 6) for each place of a point in a leg.

        Whether it is held (1 or 0), where over the ground (2), at what height, how much higher it was when its lock
        began, and when that was.
        """
        return self._kind(0)

    @property
    def legs(self) -> Array:
        """Numbers (..., G, 5) for each leg.

        When its last lock was released, how much the root had sunk for it then and how fast that changed, how much its
        foot had been raised and how fast that changed.
        """
        return self._kind(1)

    @property
    def left(self) -> Array:
        """Corrections (..., G, C, 4) at the release: quaternions divided by their real part, less the identity.

        Those of controls are displacements (..., G, 3).
        """
        return self._kind(2)

    @property
    def speed(self) -> Array:
        """How much these corrections changed in a second at the release, (..., G, C, 4)."""
        return self._kind(3)

    @property
    def faded(self) -> Array:
        """Seconds (...) at which nothing is left of the corrections."""
        return self.numbers[..., -1]

    def busy(self, times: float | Array) -> NDArray[np.bool_]:
        """Return whether anything is held, or still fades, (...) at `times` (...); elsewhere rows stay as they are."""
        return self.points[..., HELD].any(axis=-1) | (times < self.faded)

    def copy(self) -> "LockState":
        """Return a copy whose numbers do not change with those of this state."""
        return LockState(self.numbers.copy(), self.bounds, self.lately, self.controls and self.controls.copy())

    def part(self, rows: slice) -> "LockState":
        """Return the state of some of many rows, for which nothing is kept."""
        return LockState(self.numbers[rows], self.bounds, (), self.controls and self.controls.part(rows))

    def _kind(self, kind: int) -> Array:
        """Return the numbers of one kind, as a view where that can be."""
        begin, end, shape = self.bounds[kind]
        return self.numbers[..., begin:end].reshape(self.numbers.shape[:-1] + shape)


def free_state(points: int, legs: int, turns: tuple[int, ...]) -> LockState:
    """Return the state in which nothing is held or fades.

    Parameters
    ----------
    points, legs : how many places of points and how many legs there are.
    turns : shape of the corrections of a leg, (C, 4) for turns of its joints.
    """
    shapes = (points, 6), (legs, 5), (legs, *turns), (legs, *turns)
    ends = list(accumulate(prod(shape) for shape in shapes))
    bounds = tuple(zip([0, *ends[:-1]], ends, shapes, strict=True))
    state = LockState(np.zeros(ends[-1] + 1), bounds, ((0, 0, {}),))
    state.points[:, 5] = state.legs[:, 0] = state.numbers[-1] = -LONG_AGO
    return state


def alone(state: LockState) -> LockState:
    """Return the state of one time as that of one row; both have the same numbers."""
    return LockState(state.numbers[None], state.bounds, state.lately, state.controls and alone(state.controls))


def states_of(states: Sequence[LockState], rows: NDArray[np.intp]) -> LockState:
    """Return the state of many rows: row t has the state with the index ``rows[t]``, not decreasing (T,)."""
    controls = [state.controls for state in states if state.controls is not None]
    numbers = np.array([state.numbers for state in states])[rows]
    ends: list[int] = [-1, *np.flatnonzero(np.diff(rows)).tolist(), len(rows) - 1]
    lately = tuple([(begin + 1, end, states[int(rows[end])].lately[0][2]) for begin, end in pairwise(ends)])
    return LockState(numbers, states[0].bounds, lately, states_of(controls, rows) if controls else None)
