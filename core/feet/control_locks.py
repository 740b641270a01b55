"""Locks that hold points by moving the control of the travelling set that carries them; no joint is rotated.

If two points of a control are held, such as heel and ball, it is also rotated, so that both stay in place. The point
planted longer is held exactly, the other as far as the distance between them allows. When a point is released, the
control's displacement and rotation remain and fade, starting with their present speed; held points stay in place
meanwhile.
"""

from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import FIRST_ROTATION, Channels
from ..figure.lock_point import ControlPoint, LockPoint
from ..figure.vector_components import smooth
from .easing_curves import FADE, LARGEST_GAP, LEAST_GAP, SETTLE, fading
from .lock_numbers import CLOSED, HELD, LockState, alone, free_state

Array = NDArray[np.float64]

WAY, TURN = slice(0, 3), slice(3, 6)
"""Columns, in a control's correction, of its displacement and of its rotation vector."""
SMALL = 1e-6
"""Share below which two directions count as opposite, so that the smallest rotation is undefined."""


class ControlLocks:
    """Locks on points that are held by moving their controls; the methods are those of `JointLocks`.

    Parameters
    ----------
    channels : channels of the rows.
    points : (K,) points that can be held, each carried by a control of the travelling set.

    Attributes
    ----------
    state : present locks and fading corrections. A control is a leg of one joint here, and its correction a
        displacement and a rotation vector (G, 6), in the heading's frame.
    """

    def __init__(self, channels: Channels, points: Sequence[LockPoint]) -> None:
        self._points = [ControlPoint(channels, point) for point in points]
        controls = sorted({point.control for point in self._points})
        self._controls = [controls.index(point.control) for point in self._points]
        self._lengths = [channels.travelling[point.control].reach for point in self._points]
        self._columns = channels.travelling_places[controls]
        self._rotations = FIRST_ROTATION + 4 * channels.travelling_rows[controls][:, None] + np.arange(4)
        self._own = [np.flatnonzero(np.equal(self._controls, control)) for control in range(len(controls))]
        self.state = free_state(len(points), len(controls), (6,))
        self._noted: tuple[float, Array] | None = None

    def copy(self) -> "ControlLocks":
        """Return an independent copy."""
        made = copy(self)
        made.state = self.state.copy()
        return made

    def is_idle(self, time: float) -> bool:
        """Return whether rows are unchanged at `time`: nothing is held, and no correction fades."""
        return not self.state.busy(time)

    def hold(self, point: int, time: float, row: Array, height: float) -> None:
        """Hold the point with this index at its position in the corrected pose of `row` (width,), but at `height`."""
        self._keep(point, time, self.where(point, time, row), height)

    def move(self, point: int, place: Array) -> None:
        """Move a held point to another `place` (3,) from now on."""
        self.state.points[point, 1:4] = place

    def put(self, states: LockState, rows: NDArray[np.intp], point: int, places: Array) -> None:
        """Set the position (n, 3) of a held point in some `rows` (n,) of `states`."""
        states.points[rows, point, 1:4] = places

    def place(self, point: int) -> Array:
        """Return the position (3,) of a held point."""
        return self.state.points[point, 1:4].copy()

    def length(self, point: int) -> float:
        """Return the distance of a point's control from the root at rest, which is about the length of the leg."""
        return self._lengths[point]

    def where(self, point: int, time: float, row: Array) -> Array:
        """Return the position (3,) of a point in the corrected pose of `row` (width,) at `time`."""
        return self.given_places([point], self.apply_all(np.array([time]), row[None], alone(self.state)))[0, 0]

    def given_places(self, points: Sequence[int], rows: Array) -> Array:
        """Return the positions (T, P, 3) of points in uncorrected rows (T, width)."""
        local = np.stack([self._points[point].local(rows) for point in points], axis=1)
        places = quat.rotate(quat.from_yaw(rows[:, 2])[:, None], local)
        places[..., :2] += rows[:, None, :2]
        return places

    def release(self, point: int, time: float, row: Array) -> None:
        """Release a point at `time`, when `row` (width,) is the motion; its control's correction begins to fade."""
        control, state, noted = self._controls[point], self.state, self._noted
        before = self._corrections(np.array([time]), row[None], alone(state))[0, control]
        others = [other for other in self._own[control].tolist() if other != point and state.points[other, HELD]]
        places = [self.where(other, time, row) for other in others]
        state.points[point, HELD] = 0.0
        for other, place in zip(others, places, strict=True):
            self._keep(other, time, place, state.points[other, 3])
        state.left[control], state.speed[control], state.legs[control, CLOSED] = before, 0.0, time
        if noted is not None and LEAST_GAP <= time - noted[0] <= LARGEST_GAP:
            state.speed[control] = (before - noted[1][control]) / (time - noted[0])
        state.numbers[-1] = time + FADE

    def note(self, time: float, row: Array) -> None:
        """Record the corrections at `time`, just before a release, to compute their speed at the release."""
        found = self._corrections(np.array([time]), row[None], alone(self.state))[0]
        self._noted = None if self.is_idle(time) else (time, found)

    def added_speeds(self, times: Array, rows: Array, states: LockState, firsts: NDArray[np.intp]) -> Array:
        """See `JointLocks.added_speeds`; locks that move controls rotate no joint."""
        return np.zeros((len(firsts), len(self._points)))

    def apply_all(self, times: Array, rows: Array, states: LockState) -> Array:
        """Return corrected copies of rows (T, width) at `times` (T,), each with its own state in `states` (T, ...)."""
        made, found = rows.copy(), self._corrections(times, rows, states)
        made[:, self._columns] += found[..., WAY]
        made[:, self._rotations] = quat.multiply(quat.exp(found[..., TURN]), rows[:, self._rotations])
        return made

    def _keep(self, point: int, time: float, place: Array, height: float) -> None:
        """Hold a point that is at `place` (3,) at `time`, and move it from there to `height`."""
        self.state.points[point] = 1.0, place[0], place[1], height, place[2] - height, time

    def _corrections(self, times: Array, rows: Array, state: LockState) -> Array:
        """Return the displacements and rotations (T, G, 6) of controls at `times` (T,), in the heading's frame.

        Fading corrections come first, then held points are brought to their positions.
        """
        value, speed = fading(times[:, None] - state.legs[..., CLOSED])
        found = value[..., None] * state.left + speed[..., None] * state.speed
        held = np.broadcast_to(state.points[..., HELD] > 0.0, (len(times), len(self._points)))
        if not held.any():
            return found
        wanted = self._wanted(times, rows, state)
        given = np.stack([point.local(rows) for point in self._points], axis=1)
        opened = np.broadcast_to(state.points[..., 5], held.shape)
        for control, own in enumerate(self._own):
            asked = held[:, own].any(axis=1)
            turned, origin = quat.exp(found[asked, control, TURN]), rows[asked][:, self._columns[control]]
            arms = quat.rotate(turned[:, None], given[asked][:, own] - origin[:, None])
            longest, latest, two = _first_and_last(held[asked][:, own], opened[asked][:, own])
            every, aims = np.arange(len(arms)), wanted[asked][:, own]
            aimed = _turns_onto(arms[every, latest] - arms[every, longest], aims[every, latest] - aims[every, longest])
            aimed = np.where(two[:, None], aimed, quat.IDENTITY)
            found[asked, control, WAY] = aims[every, longest] - origin - quat.rotate(aimed, arms[every, longest])
            found[asked, control, TURN] = quat.log(quat.multiply(aimed, turned))
        return found

    def _wanted(self, times: Array, rows: Array, state: LockState) -> Array:
        """Return the target positions (T, K, 3) of held points, in the heading's frame."""
        targets = np.array(np.broadcast_to(state.points[..., 1:4], (len(times), len(self._points), 3)))
        targets[..., 2] += state.points[..., 4] * (1.0 - smooth((times[:, None] - state.points[..., 5]) / SETTLE))
        targets[..., :2] -= rows[:, None, :2]
        return quat.rotate(quat.from_yaw(-rows[:, 2])[:, None], targets)


def _first_and_last(
    held: NDArray[np.bool_], opened: Array
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    """Return which points are held longest (T,) and shortest (T,), and whether these differ (T,).

    Parameters
    ----------
    held : (T, P) which points are held, at least one in each row.
    opened : (T, P) since when each point has been held.
    """
    longest = np.where(held, opened, np.inf).argmin(axis=1)
    others = held & (np.arange(held.shape[1]) != longest[:, None])
    return longest, np.where(others, opened, -np.inf).argmax(axis=1), others.any(axis=1)


def _turns_onto(ways: Array, aims: Array) -> Array:
    """Return the smallest rotations (T, 4) from `ways` (T, 3) to the directions of `aims` (T, 3)."""
    sizes, along = np.linalg.norm(ways, axis=1) * np.linalg.norm(aims, axis=1), np.einsum("tc,tc->t", ways, aims)
    turns = np.concatenate([(sizes + along)[:, None], np.cross(ways, aims)], axis=1)
    return quat.normalize(np.where((sizes + along <= SMALL * sizes)[:, None], quat.IDENTITY, turns))
