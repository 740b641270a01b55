"""Choice of the lock for a point: by rotating the joints of its leg, or by moving the control that carries it."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..figure.knee_hinges import ExamplePoses
from ..figure.lock_point import LockPoint
from .control_locks import ControlLocks
from .footholds_off_edges import Floor
from .joint_locks import JointLocks
from .lock_numbers import LockState

Array = NDArray[np.float64]


class JointAndControlLocks:
    """Locks of a figure with some points held by joints and others by controls; like `JointLocks`.

    Parameters
    ----------
    channels : channels of the rows.
    points : (K,) points that can be held.
    poses : as for `JointLocks`.
    """

    def __init__(self, channels: Channels, points: Sequence[LockPoint], poses: ExamplePoses | None = None) -> None:
        of_control = [channels.traveller_of(point.joint) is not None for point in points]
        own = [p for p, free in zip(points, of_control, strict=True) if not free]
        self._joints = JointLocks(channels, own, poses)
        self._controls = ControlLocks(channels, [p for p, free in zip(points, of_control, strict=True) if free])
        counts = [0, 0]
        self._homes: list[tuple[JointLocks | ControlLocks, int]] = []
        for free in of_control:
            self._homes.append((self._controls if free else self._joints, counts[free]))
            counts[free] += 1

    def copy(self) -> "JointAndControlLocks":
        """See `JointLocks.copy`."""
        made = copy(self)
        made._joints, made._controls = self._joints.copy(), self._controls.copy()
        homes = {id(self._joints): made._joints, id(self._controls): made._controls}
        made._homes = [(homes[id(home)], own) for home, own in self._homes]
        return made

    @property
    def state(self) -> LockState:
        """Present locks and fading corrections."""
        return replace(self._joints.state, controls=self._controls.state)

    def hold(self, point: int, time: float, row: Array, height: float) -> None:
        """See `JointLocks.hold`."""
        home, own = self._homes[point]
        home.hold(own, time, row, height)

    def move(self, point: int, place: Array) -> None:
        """See `JointLocks.move`."""
        home, own = self._homes[point]
        home.move(own, place)

    def place(self, point: int) -> Array:
        """See `JointLocks.place`."""
        home, own = self._homes[point]
        return home.place(own)

    def length(self, point: int) -> float:
        """See `JointLocks.length`."""
        home, own = self._homes[point]
        return home.length(own)

    def where(self, point: int, time: float, row: Array) -> Array:
        """See `JointLocks.where`."""
        home, own = self._homes[point]
        return home.where(own, time, row)

    def put(self, states: LockState, rows: NDArray[np.intp], point: int, places: Array) -> None:
        """See `JointLocks.put`."""
        home, own = self._homes[point]
        of_controls = isinstance(home, ControlLocks) and states.controls is not None
        home.put(states.controls if of_controls and states.controls is not None else states, rows, own, places)

    def given_places(self, points: Sequence[int], rows: Array) -> Array:
        """See `JointLocks.given_places`."""
        homes = [self._homes[point] for point in points]
        return np.concatenate([home.given_places([own], rows) for home, own in homes], axis=1)

    def release(self, point: int, time: float, row: Array) -> None:
        """See `JointLocks.release`."""
        home, own = self._homes[point]
        home.release(own, time, row)

    def note(self, time: float, row: Array) -> None:
        """See `JointLocks.note`."""
        self._joints.note(time, row)
        self._controls.note(time, row)

    def added_speeds(self, times: Array, rows: Array, states: LockState, firsts: NDArray[np.intp]) -> Array:
        """See `JointLocks.added_speeds`."""
        assert states.controls is not None
        homes = (self._joints, states), (self._controls, states.controls)
        by_home = {id(home): home.added_speeds(times, rows, own, firsts) for home, own in homes}
        return np.stack([by_home[id(home)][:, own] for home, own in self._homes], axis=-1)

    def apply_all(self, times: Array, rows: Array, states: LockState) -> Array:
        """See `JointLocks.apply_all`."""
        assert states.controls is not None
        return self._controls.apply_all(times, self._joints.apply_all(times, rows, states), states.controls)


AnyLocks = JointLocks | ControlLocks | JointAndControlLocks
"""Any of the three kinds of locks, which have the same methods."""


def floor_for(channels: Channels, points: Sequence[LockPoint], floor: Floor | None) -> Floor | None:
    """Return the floor for `points` (K,); None, the examples' own ground, if a control carries one of the points."""
    return None if any(channels.traveller_of(point.joint) is not None for point in points) else floor


def locks_of(channels: Channels, points: Sequence[LockPoint], poses: ExamplePoses | None = None) -> AnyLocks:
    """Return the locks for `points` (K,): by control if a travelling control carries a point, otherwise by leg.

    `poses` are as for `JointLocks`.
    """
    controls = sum(channels.traveller_of(point.joint) is not None for point in points)
    if not controls:
        return JointLocks(channels, points, poses)
    return ControlLocks(channels, points) if controls == len(points) else JointAndControlLocks(channels, points, poses)
