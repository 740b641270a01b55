"""What holds the points of a figure: joints are turned for some, and controls are moved for others."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..figure.lock_point import LockPoint
from .foothold import Floor
from .held_controls import HeldControls
from .hold_state import HoldState
from .holding import Holding

Array = NDArray[np.float64]


class HeldBoth:
    """Points of joints and of controls, held side by side; as `Holding`.

    Parameters
    ----------
    channels : of the rows.
    points : (K,) that can be held.
    """

    def __init__(self, channels: Channels, points: Sequence[LockPoint]) -> None:
        of_control = [channels.traveller_of(point.joint) is not None for point in points]
        self._joints = Holding(channels, [p for p, free in zip(points, of_control, strict=True) if not free])
        self._controls = HeldControls(channels, [p for p, free in zip(points, of_control, strict=True) if free])
        counts = [0, 0]
        self._homes: list[tuple[Holding | HeldControls, int]] = []
        for free in of_control:
            self._homes.append((self._controls if free else self._joints, counts[free]))
            counts[free] += 1

    @property
    def state(self) -> HoldState:
        """What is held and left now."""
        return replace(self._joints.state, controls=self._controls.state)

    def hold(self, point: int, time: float, row: Array, height: float) -> None:
        """As `Holding.hold`."""
        home, own = self._homes[point]
        home.hold(own, time, row, height)

    def move(self, point: int, place: Array) -> None:
        """As `Holding.move`."""
        home, own = self._homes[point]
        home.move(own, place)

    def place(self, point: int) -> Array:
        """As `Holding.place`."""
        home, own = self._homes[point]
        return home.place(own)

    def length(self, point: int) -> float:
        """As `Holding.length`."""
        home, own = self._homes[point]
        return home.length(own)

    def where(self, point: int, time: float, row: Array) -> Array:
        """As `Holding.where`."""
        home, own = self._homes[point]
        return home.where(own, time, row)

    def given_place(self, point: int, row: Array) -> Array:
        """As `Holding.given_place`."""
        home, own = self._homes[point]
        return home.given_place(own, row)

    def release(self, point: int, time: float, row: Array) -> None:
        """As `Holding.release`."""
        home, own = self._homes[point]
        home.release(own, time, row)

    def note(self, time: float, row: Array) -> None:
        """As `Holding.note`."""
        self._joints.note(time, row)
        self._controls.note(time, row)

    def apply(self, time: float, row: Array) -> Array:
        """As `Holding.apply`."""
        return self._controls.apply(time, self._joints.apply(time, row))

    def apply_all(self, times: Array, rows: Array, states: HoldState) -> Array:
        """As `Holding.apply_all`."""
        assert states.controls is not None
        return self._controls.apply_all(times, self._joints.apply_all(times, rows, states), states.controls)


AnyHolding = Holding | HeldControls | HeldBoth


def floor_for(channels: Channels, points: Sequence[LockPoint], floor: Floor | None) -> Floor | None:
    """The floor that `points` (K,) stand on: none but the examples' own where a control carries one of them."""
    return None if any(channels.traveller_of(point.joint) is not None for point in points) else floor


def holding_of(channels: Channels, points: Sequence[LockPoint]) -> AnyHolding:
    """What holds `points` (K,): each by its leg, or by its control where one of the travelling set carries it."""
    controls = sum(channels.traveller_of(point.joint) is not None for point in points)
    if not controls:
        return Holding(channels, points)
    return HeldControls(channels, points) if controls == len(points) else HeldBoth(channels, points)
