"""Locks that hold points by moving the control of the travelling set that carries them; no joint is turned.

When the last point of a control is released, the displacement of the control is left and fades, beginning with the
speed that it had. Where two points of a control are held and need different displacements, it gets their mean.
"""

from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..figure.lock_point import ControlPoint, LockPoint
from ..figure.vector_components import smooth
from .easing_curves import FADE, LARGEST_GAP, LEAST_GAP, SETTLE, fading
from .lock_numbers import CLOSED, HELD, LockState, alone, free_state

Array = NDArray[np.float64]


class ControlLocks:
    """Locks on points that are held by moving their controls; its methods do what those of `JointLocks` do.

    Parameters
    ----------
    channels : of the rows.
    points : (K,) that can be held, each carried by a control of the travelling set.

    Attributes
    ----------
    state : what is held and what fades at present. A control is a leg of one joint here, and its correction a
        displacement (G, 3).
    """

    def __init__(self, channels: Channels, points: Sequence[LockPoint]) -> None:
        self._points = [ControlPoint(channels, point) for point in points]
        controls = sorted({point.control for point in self._points})
        self._controls = [controls.index(point.control) for point in self._points]
        self._lengths = [channels.travelling[point.control].reach for point in self._points]
        self._columns = channels.travelling_places[controls]
        self._carried = np.equal.outer(np.arange(len(controls)), self._controls).astype(np.float64)
        self.state = free_state(len(points), len(controls), (3,))
        self._noted: tuple[float, Array] | None = None

    def copy(self) -> "ControlLocks":
        """Return a copy that goes on by itself."""
        made = copy(self)
        made.state = self.state.copy()
        return made

    def is_idle(self, time: float) -> bool:
        """Whether rows stay as they are at `time`: nothing is held, and no correction fades."""
        return not self.state.busy(time)

    def hold(self, point: int, time: float, row: Array, height: float) -> None:
        """Hold the point with this index where it is in the corrected pose of `row` (width,), but at `height`."""
        place, before = self.where(point, time, row), self._way(point, time, row)
        self.state.points[point] = 1.0, place[0], place[1], height, place[2] - height, time
        self._go_on(point, time, row, before)

    def move(self, point: int, place: Array) -> None:
        """Hold a point that is held already at another `place` (3,) from now on."""
        self.state.points[point, 1:4] = place

    def put(self, states: LockState, rows: NDArray[np.intp], point: int, places: Array) -> None:
        """Set the place (n, 3) of a held point in some `rows` (n,) of `states`."""
        states.points[rows, point, 1:4] = places

    def place(self, point: int) -> Array:
        """Return where (3,) a held point is held."""
        return self.state.points[point, 1:4].copy()

    def length(self, point: int) -> float:
        """Return how far the control of a point is from the root at rest, which is about the length of the leg."""
        return self._lengths[point]

    def where(self, point: int, time: float, row: Array) -> Array:
        """Return where (3,) a point is in the corrected pose of `row` (width,) at `time`."""
        return self.given_places(point, self.apply_all(np.array([time]), row[None], alone(self.state)))[0]

    def given_places(self, point: int, rows: Array) -> Array:
        """Return where (T, 3) a point is in rows (T, width) as they are given."""
        places = quat.rotate(quat.from_yaw(rows[:, 2]), self._points[point].local(rows))
        places[:, :2] += rows[:, :2]
        return places

    def release(self, point: int, time: float, row: Array) -> None:
        """Release a point at `time`, where `row` (width,) is the motion. Its control's correction begins to fade."""
        before, noted = self._way(point, time, row), self._noted
        self.state.points[point, HELD] = 0.0
        self._go_on(point, time, row, before)
        control = self._controls[point]
        alone = not (self.state.points[:, HELD] * self._carried[control]).any()
        if alone and noted is not None and LEAST_GAP <= time - noted[0] <= LARGEST_GAP:
            self.state.speed[control] = (before - noted[1][control]) / (time - noted[0])

    def note(self, time: float, row: Array) -> None:
        """Note the corrections at `time`, just before a release: they go on with the speed that they had."""
        ways = self._ways(np.array([time]), row[None], alone(self.state))[0]
        self._noted = None if self.is_idle(time) else (time, ways)

    def added_speeds(self, times: Array, rows: Array) -> Array:
        """As `JointLocks.added_speeds`; locks that move controls turn no joint of the rows."""
        return np.zeros((len(times), len(self.state.points)))

    def apply_all(self, times: Array, rows: Array, states: LockState) -> Array:
        """Return corrected copies of rows (T, width) at `times` (T,), each with its own of the `states` (T, ...)."""
        made = rows.copy()
        made[:, self._columns] += self._ways(times, rows, states)
        return made

    def _way(self, point: int, time: float, row: Array) -> Array:
        """Return the displacement (3,) of the control of a point at `time`."""
        return self._ways(np.array([time]), row[None], alone(self.state))[0, self._controls[point]]

    def _go_on(self, point: int, time: float, row: Array, before: Array) -> None:
        """Leave to a point's control what it was displaced by `before` (3,) beyond what is needed now, to fade."""
        control, state = self._controls[point], self.state
        state.legs[control, CLOSED] = time - FADE
        state.left[control] = before - self._way(point, time, row)
        state.speed[control] = 0.0
        state.legs[control, CLOSED] = time
        state.numbers[-1] = time + FADE

    def _ways(self, times: Array, rows: Array, state: LockState) -> Array:
        """Return the displacements (T, G, 3) of controls at `times` (T,), in the heading's frame."""
        held, opened = state.points[..., HELD], state.points[..., 5]
        targets = np.array(np.broadcast_to(state.points[..., 1:4], (len(times), len(self._points), 3)))
        targets[..., 2] += state.points[..., 4] * (1.0 - smooth((times[:, None] - opened) / SETTLE))
        targets[..., :2] -= rows[:, None, :2]
        wanted = quat.rotate(quat.from_yaw(-rows[:, 2])[:, None], targets)
        given = np.stack([point.local(rows) for point in self._points], axis=1)
        missing = (wanted - given) * np.broadcast_to(held, given.shape[:2])[..., None]
        counts = np.maximum(np.broadcast_to(held, given.shape[:2]) @ self._carried.T, 1.0)
        value, speed = fading(times[:, None] - state.legs[..., CLOSED])
        asked = np.einsum("tkc,gk->tgc", missing, self._carried) / counts[..., None]
        return asked + value[..., None] * state.left + speed[..., None] * state.speed
