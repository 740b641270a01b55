"""Foot locks: planted points are held, released, and step home ([Rose1998] sections 3.3 and 6.1).

Home is the position of the point in the motion. A point held far from it is lifted and put down at home.
"""

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..figure.knee_hinges import ExamplePoses
from ..figure.lock_point import LockPoint
from ..figure.vector_components import smooth
from ..play.player import Span
from .choose_locks import floor_for, locks_of
from .easing_curves import bump
from .footholds_off_edges import Floor
from .lock_numbers import LockState, states_of
from .terrain import Terrain

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

STEP_SECONDS = 0.35, 0.5
"""Duration of a step home in seconds: the minimum, and that for a large distance."""
FAR = 0.2
"""Large distance from home, as a share of a leg's length."""
TOO_FAR = 0.047
"""Distance from home, as a share of the leg's length, from which a planted point is too far away."""
LANDED = 1.0 - 1e-9
"""Share of a step home from which it counts as over, to allow for rounding."""
FASTEST_ADDED = np.radians(150.0)
"""Additional joint speed allowed for holding a point, radians a second: 5 degrees per frame at 30 frames a second."""
BRINK = 1e-6
"""Distance from the limit `FASTEST_ADDED`, as a share of it, within which the result may depend on rounding."""
STEP_LIFT = 0.035
"""Share of a leg's length by which a foot is lifted on its way home."""


@dataclass(frozen=True, eq=False)
class Step:
    """A step home in progress.

    Parameters
    ----------
    place : (3,) its start position.
    begin : its start time in seconds.
    seconds : its duration.
    lift : height of the lift.
    drop : how far below the motion's own height the point will be planted.
    home : (3,) its end position over a floor, at the planted height of the point; None without a floor: it then ends at
        the position of the point in the motion.
    """

    place: Array
    begin: float
    seconds: float
    lift: float
    drop: float
    home: Array | None = None

    @property
    def end(self) -> float:
        """End time in seconds."""
        return self.begin + self.seconds


@dataclass(frozen=True, eq=False)
class HeldTimes:
    """State of the locks at some times, between which nothing is locked or released.

    Parameters
    ----------
    times : (T,) seconds.
    state : held points and fading corrections.
    steps : steps home in progress, each with the index of its point.
    rises : (T, 1 + K, 8) displacements of root and points by the floor, None without a floor.
    """

    times: Array
    state: LockState
    steps: Sequence[tuple[int, Step]]
    rises: Array | None


class FootLocks:
    """The locks of one character: held points, their positions, and the ground.

    Times must not decrease from call to call. Rows, (width,) or (T, width), are those of the motion, without locks.

    Parameters
    ----------
    channels : channels of the rows.
    points : (K,) points that can be locked.
    floor : heights of the ground, None for the examples' own.
    poses : as for `JointLocks`.
    """

    def __init__(
        self,
        channels: Channels,
        points: Sequence[LockPoint],
        floor: Floor | None = None,
        poses: ExamplePoses | None = None,
    ) -> None:
        self.points = tuple(points)
        self.floor = floor = floor_for(channels, self.points, floor)
        self.holding = locks_of(channels, self.points, poses)
        self.terrain = Terrain(channels, self.points, floor, poses) if floor is not None else None
        self.steps: dict[int, Step] = {}
        self._locked: set[int] = set()
        self._clearances = [0.0] * len(self.points)

    def copy(self) -> "FootLocks":
        """Return an independent copy."""
        made = copy(self)
        made.holding, made.terrain = self.holding.copy(), self.terrain.copy() if self.terrain is not None else None
        made.steps, made._locked, made._clearances = dict(self.steps), set(self._locked), list(self._clearances)
        return made

    def lock(self, point: int, time: float, row: Array, clearance: float = 0.0, drop: float = 0.0) -> None:
        """Hold a point at its position at the start of its contact window, over the floor under it.

        Parameters
        ----------
        point : index of the point.
        time : the present time in seconds.
        row : (width,) row of this time.
        clearance : mean height of the point over the examples' ground within this window.
        drop : how far the point sinks in the examples from the beginning of the window to its mean height.
        """
        self._locked.add(point)
        self._clearances[point] = clearance
        if self.terrain is None:
            self.holding.hold(point, time, row, self.height(point, row) - drop)
            return
        place = self.holding.where(point, time, self._over(time, row))
        height = self.terrain.land(point, time, row, place, clearance, drop)
        self.holding.hold(point, time, self._over(time, row), height)

    def release(self, point: int, time: float, row: Array) -> None:
        """Release a point as its contact window ends; `row` (width,) is that of this time."""
        if point in self._locked:
            self._locked.remove(point)
            over = self._stepped(time, row)
            self.steps.pop(point, None)
            if self.terrain is not None:
                away = self.holding.place(point) - self.holding.given_places([point], over[None])[0, 0]
                self.terrain.leave(point, time, row, away[:2])
                over = self._over(time, row)
            self.holding.release(point, time, over)

    def note(self, time: float, row: Array) -> None:
        """Record the row (width,) of this time, from which the speed of corrections released soon after is computed."""
        self.holding.note(time, self._stepped(time, row))
        if self.terrain is not None:
            self.terrain.note(time, row)

    def height(self, point: int, row: Array) -> float:
        """Return the height of a point in the uncorrected row (width,)."""
        return float(self.holding.given_places([point], row[None])[0, 0, 2])

    def length(self, point: int) -> float:
        """Return the length of a point's leg in performance units."""
        return self.holding.length(point)

    def distances(self, points: Sequence[int], time: float, row: Array) -> list[float]:
        """Return the horizontal distances of points from their positions in the row (width,); 0 for free points."""
        given = self.holding.given_places(points, self._over(time, row)[None])[0]
        away = [self.holding.place(point) - place for point, place in zip(points, given, strict=True)]
        pairs = zip(points, away, strict=True)
        return [math.hypot(way[0], way[1]) if point in self._locked else 0.0 for point, way in pairs]

    def too_far(self, time: float, row: Array) -> list[int]:
        """Return the planted points so far from their positions in the row (width,) that they should step home."""
        locked = sorted(self._locked)
        away = zip(locked, self.distances(locked, time, row) if locked else (), strict=True)
        return [point for point, distance in away if distance > TOO_FAR * self.length(point)]

    def expect(self, point: int, time: float, landing: float, rows: Array, clearance: float, drop: float) -> None:
        """Predict where a swinging point will land, to pass over obstacles in between; without a floor it does nothing.

        Parameters
        ----------
        point : index of the point.
        time : the present time in seconds.
        landing : time in seconds at which the point's contact window begins.
        rows : (S, width) at times evenly spaced up to the landing.
        clearance, drop : those of that window, as for `lock`.
        """
        if self.terrain is not None:
            self.terrain.expect(point, time, landing, rows, clearance, drop)

    def step_home(self, point: int, time: float, row: Array) -> None:
        """Begin a step home: lift a locked point, and put it down at its position in the motion.

        It counts as locked meanwhile. A large distance takes longer than a small one. `row` (width,) is that of this
        time.
        """
        place, length = self.holding.place(point), self.length(point)
        given = self.holding.given_places([point], self._over(time, row)[None])[0, 0]
        far = min(float(np.hypot(*(place - given)[:2])) / (FAR * length), 1.0)
        quick, slow = STEP_SECONDS
        seconds, drop = quick + (slow - quick) * far, float(given[2] - place[2])
        home = None
        if self.terrain is not None:
            home = self.terrain.expect(point, time, time + seconds, row, self._clearances[point], drop)
        self.steps[point] = Step(place, time, seconds, STEP_LIFT * length, drop, home)

    def come_home(self, point: int, time: float, row: Array) -> None:
        """End a step home: hold the point where it was put down; `row` (width,) is that of this time."""
        self._stepped(time, row)
        del self.steps[point]
        if self.terrain is not None:
            self.terrain.stand(point, self.holding.place(point))

    def at(self, times: Array) -> HeldTimes:
        """Return the state of the locks at `times` (T,), at least one, if nothing changes before the last of them."""
        rises = self.terrain.rises(times) if self.terrain is not None else None
        return HeldTimes(times, self.holding.state.copy(), tuple(self.steps.items()), rises)

    def _stepped(self, time: float, row: Array) -> Array:
        """Return the row (width,) over the floor, after moving points that step home to their present positions."""
        over = self._over(time, row)
        for point, step in self.steps.items():
            home = self.holding.given_places([point], over[None])[:, 0]
            self.holding.move(point, _on_the_way(step, np.array([time]), home)[0])
        return over

    def _over(self, time: float, row: Array) -> Array:
        """Return the row (width,) adapted to the floor, if there is one."""
        return row if self.terrain is None else self.terrain.ride(np.array([time]), row[None])[0]


@dataclass(frozen=True, eq=False)
class Held:
    """Playback of one player before its rows are computed.

    Parameters
    ----------
    pieces : pieces in order.
    spans : states of the player's locks at the times of its rows.
    support : (T,) bits of the points planted at these times; empty for a player without locks.
    """

    pieces: Sequence[Span]
    spans: Sequence[HeldTimes]
    support: NDArray[np.intp]


class Spans:
    """Collects the states of the locks, and the planted points, at the `times` (T,) of rows, while the locks change."""

    def __init__(self, locks: FootLocks, times: Array, begin: float) -> None:
        self.held: list[HeldTimes] = []
        self.support = np.zeros(len(times), dtype=np.intp)
        self._locks, self._times, self._begin, self._first = locks, times, begin, 0

    def reach(self, time: float, standing: int) -> None:
        """Store the state of the locks for the rows before `time`; call this before they change at that time.

        `standing` are the bits of the points that were planted until then.
        """
        if self._locks.terrain is not None:
            self._locks.terrain.begun = time > self._begin
        end = int(np.searchsorted(self._times, time))
        if end > self._first:
            self.support[self._first : end] = standing
            self.held.append(self._locks.at(self._times[self._first : end]))
            self._first = end


def strained(locks: Sequence[FootLocks], ends: Sequence[int], times: Array, rows: Array, firsts: Indices) -> list[int]:
    """Return, for each span (n,), the bits of points that cannot be held in it without rotating joints too fast.

    The locks are constant at all times. A span close to the limit is evaluated separately, so that the result does not
    depend on the others by rounding.

    Parameters
    ----------
    locks : (K,) locks of characters with the same channels, points and kind of floor.
    ends : (K + 1,) index of the first time of each character, and finally the number of times.
    times : (m,) times in seconds at which spans begin and end.
    rows : (m, width) of the motion at these times.
    firsts : (n,) index of the time at which each span begins; it ends at the next one.
    """
    holding = locks[0].holding
    if locks[0].terrain is not None:
        own = zip([one.terrain for one in locks if one.terrain], pairwise(ends), strict=True)
        rows = np.concatenate([floor.ride(times[a:b], rows[a:b]) for floor, (a, b) in own])
    states = states_of([one.holding.state for one in locks], np.repeat(np.arange(len(locks)), np.diff(ends)))
    speeds = holding.added_speeds(times, rows, states, firsts)
    brink = np.abs(speeds - FASTEST_ADDED) < BRINK * FASTEST_ADDED
    for span in np.flatnonzero(brink.any(axis=1)) if len(times) > 2 else ():
        both = slice(firsts[span], firsts[span] + 2)
        speeds[span] = holding.added_speeds(times[both], rows[both], states.part(both), np.zeros(1, dtype=np.intp))[0]
    return [sum(1 << point for point, fast in enumerate(row) if fast) for row in (speeds > FASTEST_ADDED).tolist()]


def locked_rows(locks: Sequence[FootLocks], held: Sequence[Sequence[HeldTimes]], rows: Array) -> Array:
    """Return rows (T, width) with locks applied, of characters with the same channels, points and kind of floor.

    Parameters
    ----------
    locks : locks of each character.
    held : for each character, the states of its locks at its times, in order.
    rows : (T, width) rows without locks, one character after the other.
    """
    spans = [span for mine in held for span in mine]
    if locks[0].terrain is not None:
        floors = [one.terrain for one in locks if one.terrain]
        rises = [span.rises for span in spans if span.rises is not None]
        is_single = len(rows) == len(held) and all(len(mine) == 1 for mine in held)
        single = zip(floors, rows, rises, strict=True) if is_single else ()
        made = [floor.ridden(row, own) for floor, row, own in single]
        known = [row for row in made if row is not None]
        rows = np.concatenate(known) if len(known) == len(rows) else floors[0].lift(rows, np.concatenate(rises))
    lengths = [len(span.times) for span in spans]
    states = states_of([span.state for span in spans], np.repeat(np.arange(len(spans)), lengths))
    first = 0
    for span in spans:
        for point, step in span.steps:
            own = np.arange(first, first + len(span.times))
            places = _on_the_way(step, span.times, locks[0].holding.given_places([point], rows[own])[:, 0])
            locks[0].holding.put(states, own, point, places)
        first += len(span.times)
    return locks[0].holding.apply_all(np.concatenate([span.times for span in spans]), rows, states)


def _on_the_way(step: Step, times: Array, given: Array) -> Array:
    """Return positions (T, 3) of a point in a step home at `times` (T,); in the motion they are `given` (T, 3)."""
    share: Array = (times - step.begin) / step.seconds
    home = given - (0.0, 0.0, step.drop)
    goal = home if step.home is None else np.broadcast_to(step.home, home.shape)
    places = step.place + (goal - step.place) * smooth(share)[:, None]
    if step.home is not None:
        places[:, 2] = np.where(share < LANDED, home[:, 2], places[:, 2])
    places[:, 2] += step.lift * bump(share)
    return places
