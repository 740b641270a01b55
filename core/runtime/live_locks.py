"""Points held where they stand, for one character frame by frame ([Rose1998] sections 3.3 and 6.1)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..figure.lock_point import LockPoint
from .floor import Floor

Array = NDArray[np.float64]


class LiveLocks:
    """Corrects the rows of a performance so that planted points stand still.

    Time goes forward by `advance`; between two calls of it points may be switched on and off any number of times.

    Parameters
    ----------
    channels : of the rows.
    points : (K,) that can be locked.
    floor : heights of the ground, None for the examples' own.
    """

    def __init__(self, channels: Channels, points: Sequence[LockPoint], floor: Floor | None = None) -> None:
        self.channels = channels
        self.points = tuple(points)
        self.floor = floor
        self.locked: list[bool] = [False] * len(self.points)
        self.corrections = 0.0

    def switch_on(self, point: int, values: Array, clearance: float = 0.0, drop: float = 0.0) -> None:
        """A window opens: the point is held where it is, over the floor under it.

        Parameters
        ----------
        point : its index.
        values : (width,) the unlocked row at this instant.
        clearance : mean height of the point over the examples' ground within this window.
        drop : how far it still sinks, in the examples, from the opening to its mean height.
        """
        self.locked[point] = True

    def switch_off(self, point: int, values: Array) -> None:
        """A window closes; `values` (width,) is the unlocked row at this instant."""
        self.locked[point] = False

    def expect(self, point: int, seconds: float, values: Array, clearance: float = 0.0, drop: float = 0.0) -> None:
        """Say where a swinging point will land, so that it passes over what lies between; only a floor makes use of it.

        Parameters
        ----------
        point : its index.
        seconds : from now until its window opens.
        values : (width,) the unlocked row that is expected then.
        clearance, drop : of that window, as for `switch_on`.
        """

    def distance(self, point: int, values: Array) -> float:
        """How far over the ground a locked point stands from where the unlocked row (width,) has it; 0 if free."""
        return 0.0

    def step_home(self, point: int, values: Array, seconds: float = 0.35, lift: float = 0.05) -> None:
        """Lift a locked point and put it down where the unlocked rows have it; it counts as locked meanwhile.

        Parameters
        ----------
        point : its index.
        values : (width,) the unlocked row at this instant.
        seconds : that the step takes.
        lift : height of the step's arc, performance units.
        """

    def is_stepping(self, point: int) -> bool:
        """Whether a step home is under way."""
        return False

    def advance(self, seconds: float) -> None:
        """Let time pass."""

    def apply(self, values: Array) -> Array:
        """Corrected copy of the unlocked row (width,); `corrections` is then the largest turn of a joint in degrees."""
        return values.copy()
