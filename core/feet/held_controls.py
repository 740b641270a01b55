"""Points on controls of a travelling set, held in place by moving the control: no joint is turned.

When the last point of a control is let go, the way that it was moved by is left and fades, beginning with the speed
that it had. Where two points of it are held that ask for different ways, it goes half of each.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..figure.lock_point import ControlPoint, LockPoint
from .fading import FADE, LARGEST_GAP, LEAST_GAP, SETTLE, fading, smooth
from .hold_state import CLOSED, HELD, HoldState, free_state

Array = NDArray[np.float64]


class HeldControls:
    """Which points are held where, and what former locks have left; as `Holding`, for controls.

    Parameters
    ----------
    channels : of the rows.
    points : (K,) that can be held, each carried by one of the travelling set.

    Attributes
    ----------
    state : what is held and left now; a control is a leg of one joint, and what is left of it a way (G, 3).
    """

    def __init__(self, channels: Channels, points: Sequence[LockPoint]) -> None:
        self._points = [ControlPoint(channels, point) for point in points]
        controls = sorted({point.control for point in self._points})
        self._controls = [controls.index(point.control) for point in self._points]
        self._lengths = [channels.travelling[point.control].reach for point in self._points]
        self._columns = channels.travelling_places[controls]
        self._carried = np.equal.outer(np.arange(len(controls)), self._controls).astype(np.float64)
        free = free_state(1, len(points), 1)
        left, speed = np.zeros((2, len(controls), 3))
        self.state = HoldState(free.points, np.tile(free.legs, (len(controls), 1)), left, speed, free.faded)
        self._noted: tuple[float, Array] | None = None

    def is_idle(self, time: float) -> bool:
        """Whether rows stay as they are: nothing is held, and nothing left."""
        return not self.state.points[:, HELD].any() and time >= float(self.state.faded)

    def hold(self, point: int, time: float, row: Array, height: float) -> None:
        """Hold `point` where it is in the corrected pose of `row` (width,), but at `height`."""
        place, before = self.where(point, time, row), self._way(point, time, row)
        self.state.points[point] = 1.0, place[0], place[1], height, place[2] - height, time
        self._go_on(point, time, row, before)

    def move(self, point: int, place: Array) -> None:
        """Hold `point` at another `place` (3,) from now on."""
        self.state.points[point, 1:4] = place

    def place(self, point: int) -> Array:
        """Where (3,) a held `point` is held."""
        return self.state.points[point, 1:4].copy()

    def length(self, point: int) -> float:
        """How far the control of `point` is from the root at rest: about the length of the leg."""
        return self._lengths[point]

    def where(self, point: int, time: float, row: Array) -> Array:
        """Where (3,) `point` is in the corrected pose of `row` (width,)."""
        return self.given_place(point, self.apply(time, row))

    def given_place(self, point: int, row: Array) -> Array:
        """Where (3,) `point` is in the row (width,) as it is given."""
        place = quat.rotate(quat.from_yaw(row[2]), self._points[point].local(row[None])[0])
        place[:2] += row[:2]
        return place

    def release(self, point: int, time: float, row: Array) -> None:
        """Let `point` go; `row` (width,) is the motion at this instant."""
        before, noted = self._way(point, time, row), self._noted
        self.state.points[point, HELD] = 0.0
        self._go_on(point, time, row, before)
        control = self._controls[point]
        alone = not (self.state.points[:, HELD] * self._carried[control]).any()
        if alone and noted is not None and LEAST_GAP <= time - noted[0] <= LARGEST_GAP:
            self.state.speed[control] = (before - noted[1][control]) / (time - noted[0])

    def note(self, time: float, row: Array) -> None:
        """Remember the pose at `time`: what is let go just after it goes on with the speed that it has had since."""
        self._noted = None if self.is_idle(time) else (time, self._ways(np.array([time]), row[None], self.state)[0])

    def apply(self, time: float, row: Array) -> Array:
        """Corrected copy of the row (width,) at `time`."""
        made = row.copy()
        if not self.is_idle(time):
            made[self._columns] += self._ways(np.array([time]), row[None], self.state)[0]
        return made

    def apply_all(self, times: Array, rows: Array, states: HoldState) -> Array:
        """Corrected copies of the rows (T, width) at `times` (T,), each with its own of the `states` (T, ...)."""
        made = rows.copy()
        made[:, self._columns] += self._ways(times, rows, states)
        return made

    def _way(self, point: int, time: float, row: Array) -> Array:
        """By how much (3,) the control of `point` is moved."""
        return self._ways(np.array([time]), row[None], self.state)[0, self._controls[point]]

    def _go_on(self, point: int, time: float, row: Array, before: Array) -> None:
        """Leave to the control of `point` what it was moved by `before` (3,) beyond what is asked for now; it fades."""
        control, state = self._controls[point], self.state
        state.legs[control, CLOSED] = time - FADE
        state.left[control] = before - self._way(point, time, row)
        state.speed[control] = 0.0
        state.legs[control, CLOSED] = time
        state.faded[()] = time + FADE

    def _ways(self, times: Array, rows: Array, state: HoldState) -> Array:
        """By how much (T, G, 3) controls are moved at `times` (T,), in the heading's frame."""
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
