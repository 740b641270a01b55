"""What is held where, and what former locks have left, at one time or row after row."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LONG_AGO = 1e9
HELD = 0
CLOSED, LOW, FALLING, RAISED, RAISING = range(5)
"""Places among the numbers of a point and of a leg."""


@dataclass(frozen=True, eq=False)
class HoldState:
    """Points held and turns left, of one time or (T, ...) of many.

    Parameters
    ----------
    points : (..., G K, 6) of each place of a point: whether it is held (1 or 0), where over the ground (2), its height,
        how much higher it was when it was opened, and when that was.
    legs : (..., G, 5) of each leg: when it was let go, how much the root had sunk for it then and how fast that
        changed, how much its foot had been raised and how fast that changed.
    left, speed : (..., G, C, 4) turns of the joints that it had then, each none and axis times tangent of half the
        angle, and how fast they changed.
    faded : (...) seconds at which nothing is left.
    controls : of points that are held by moving a control, where others are held by their legs.
    """

    points: Array
    legs: Array
    left: Array
    speed: Array
    faded: Array
    controls: "HoldState | None" = None

    def copy(self) -> "HoldState":
        """One that does not change with this one."""
        points, legs, left, speed, faded = (field.copy() for field in _fields(self))
        return HoldState(points, legs, left, speed, faded, self.controls and self.controls.copy())


def free_state(count: int, most: int, length: int) -> HoldState:
    """Nothing is held, and nothing left."""
    points, legs = np.zeros((count * most, 6)), np.zeros((count, 5))
    points[:, 5], legs[:, 0] = -LONG_AGO, -LONG_AGO
    left, speed = np.zeros((2, count, length, 4))
    return HoldState(points, legs, left, speed, np.array(-LONG_AGO))


def states_of(states: Sequence[HoldState], rows: NDArray[np.intp]) -> HoldState:
    """Which of the `states` there is in each of `rows` (T,)."""
    controls = [s.controls for s in states if s.controls is not None]
    own = (np.stack(fields)[rows] for fields in zip(*(_fields(s) for s in states), strict=True))
    points, legs, left, speed, faded = own
    return HoldState(points, legs, left, speed, faded, states_of(controls, rows) if controls else None)


def _fields(state: HoldState) -> tuple[Array, ...]:
    return state.points, state.legs, state.left, state.speed, state.faded
