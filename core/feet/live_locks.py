"""Points held where they stand, for one character frame by frame ([Rose1998] sections 3.3 and 6.1)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..figure.lock_point import LockPoint
from .fading import bump, smooth
from .foothold import Floor
from .hold_points import floor_for, holding_of
from .locks import close_window, open_window, ridden
from .terrain import Terrain

Array = NDArray[np.float64]

STEP_SECONDS = 0.35, 0.5
"""What a step home takes, of next to nothing and of a far way."""
FAR = 0.2
"""Share of a leg's length that is a far way home."""
STEP_LIFT = 0.035
"""Share of a leg's length that a foot is lifted by on its way home."""


@dataclass(frozen=True, eq=False)
class _Step:
    """A step home: where and when it began, how long it takes, how high it goes, and how far the point is to sink.

    Over a floor also where it leads, at the height at which the point will stand there.
    """

    place: Array
    begin: float
    seconds: float
    lift: float
    drop: float
    home: Array | None = None


class LiveLocks:
    """Corrects the rows of a performance so that planted points stand still.

    Time goes forward by `advance`; between two calls of it points may be switched on and off any number of times.

    Parameters
    ----------
    channels : of the rows.
    points : (K,) that can be locked.
    floor : heights of the ground, None for the examples' own.

    Attributes
    ----------
    locked : (K,) which points are held.
    """

    def __init__(self, channels: Channels, points: Sequence[LockPoint], floor: Floor | None = None) -> None:
        self.channels = channels
        self.points = tuple(points)
        self.floor = floor = floor_for(channels, self.points, floor)
        self.locked: list[bool] = [False] * len(self.points)
        self._time = 0.0
        self._holding = holding_of(channels, self.points)
        self._terrain = Terrain(channels, self.points, floor) if floor is not None else None
        self._steps: dict[int, _Step] = {}
        self._clearances = [0.0] * len(self.points)
        self._shown: tuple[Array, Array] | None = None

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
        self._clearances[point] = clearance
        open_window(self._holding, self._terrain, point, self._time, values, clearance, drop)

    def switch_off(self, point: int, values: Array) -> None:
        """A window closes; `values` (width,) is the unlocked row at this instant."""
        if self.locked[point]:
            self.locked[point] = False
            self._stepped(values)
            self._steps.pop(point, None)
            close_window(self._holding, self._terrain, point, self._time, values)

    def note(self, values: Array) -> None:
        """Remember the unlocked row (width,) of this instant: a point let go just after it keeps the speed it has."""
        self._holding.note(self._time, self._stepped(values))
        if self._terrain is not None:
            self._terrain.note(self._time, values)

    def expect(self, point: int, seconds: float, values: Array, clearance: float = 0.0, drop: float = 0.0) -> None:
        """Say where a swinging point will land, so that it passes over what lies between; only a floor makes use of it.

        Parameters
        ----------
        point : its index.
        seconds : from now until its window opens.
        values : (width,) the unlocked row that is expected then, or (S, width) rows evenly spaced in time up to it.
        clearance, drop : of that window, as for `switch_on`.
        """
        if self._terrain is not None:
            self._terrain.expect(point, self._time, self._time + seconds, values, clearance, drop)

    def height(self, point: int, values: Array) -> float:
        """Height of a point in the row (width,) as it is given."""
        return float(self._holding.given_place(point, values)[2])

    def distance(self, point: int, values: Array) -> float:
        """How far over the ground a locked point stands from where the unlocked row (width,) has it; 0 if free."""
        if not self.locked[point]:
            return 0.0
        away = self._holding.place(point) - self._holding.given_place(point, ridden(self._terrain, self._time, values))
        return float(np.hypot(away[0], away[1]))

    def length(self, point: int) -> float:
        """How long the leg of a point is."""
        return self._holding.length(point)

    def step_home(self, point: int, values: Array, seconds: float | None = None, lift: float | None = None) -> float:
        """Lift a locked point and put it down where the unlocked rows have it; return its seconds, 0 without a step.

        It counts as locked meanwhile.

        Parameters
        ----------
        point : its index.
        values : (width,) the unlocked row at this instant.
        seconds : that the step takes; else the more the further it goes.
        lift : height of the step's arc, performance units; else what suits the leg.
        """
        if self.locked[point] and point not in self._steps:
            place, length = self._holding.place(point), self.length(point)
            drop = float(self._holding.given_place(point, ridden(self._terrain, self._time, values))[2] - place[2])
            if seconds is None:
                quick, slow = STEP_SECONDS
                seconds = quick + (slow - quick) * min(self.distance(point, values) / (FAR * length), 1.0)
            lift = STEP_LIFT * length if lift is None else lift
            home = None
            if self._terrain is not None:
                landing = self._time + seconds
                home = self._terrain.expect(point, self._time, landing, values, self._clearances[point], drop)
            self._steps[point] = _Step(place, self._time, seconds, lift, drop, home)
            return seconds
        return 0.0

    def is_stepping(self, point: int) -> bool:
        """Whether a step home is under way."""
        return point in self._steps

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._time += seconds

    def apply(self, values: Array) -> Array:
        """Corrected copy of the unlocked row (width,)."""
        row = self._stepped(values)
        if self._terrain is not None:
            self._terrain.shown = True
        made = self._holding.apply(self._time, row)
        self._shown = values, made
        return made

    @property
    def corrections(self) -> float:
        """Largest turn of a joint, in degrees, between the last row and what was made of it."""
        if self._shown is None:
            return 0.0
        columns = self.channels.rotation_columns
        given, made = (quat.normalize(row[columns].reshape(-1, 4)) for row in self._shown)
        return float(np.degrees(quat.angle_between(given, made).max(initial=0.0)))

    def _stepped(self, values: Array) -> Array:
        """The row (width,) over the floor, with steps home where they are by now."""
        row = ridden(self._terrain, self._time, values)
        for point, step in tuple(self._steps.items()):
            self._move(point, step, row)
        return row

    def _move(self, point: int, step: _Step, row: Array) -> None:
        share = (self._time - step.begin) / step.seconds
        home = self._holding.given_place(point, row)
        home[2] -= step.drop
        place = step.place + ((home if step.home is None else step.home) - step.place) * smooth(share)
        if step.home is not None and share < 1.0:
            place[2] = home[2]
        place[2] += step.lift * bump(share)
        self._holding.move(point, place)
        if share >= 1.0:
            del self._steps[point]
            if self._terrain is not None:
                self._terrain.stand(point, place)
