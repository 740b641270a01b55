"""Locks of a whole motion at once ([Rose1998] section 3.3): the same as frame by frame, window after window."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..figure.lock_point import LockPoint
from ..progress import PIECE, Progress, untold
from .fading import LEAST_GAP
from .foothold import Floor
from .hold_points import AnyHolding, holding_of
from .hold_state import states_of
from .terrain import Terrain

Array = NDArray[np.float64]

LEAST_ROWS = 2
"""Rows of a batch: one alone would be taken for a frame, whose state is plain numbers."""


@dataclass(frozen=True, eq=False)
class Span:
    """A time during which a point is to stand still.

    Parameters
    ----------
    point : its index.
    begin, end : seconds; the end may be infinite.
    opening, closing : (width,) unlocked rows at these instants; that of an infinite end does not count.
    clearance, drop : of the window, as for `LiveLocks.switch_on`.
    """

    point: int
    begin: float
    end: float
    opening: Array
    closing: Array
    clearance: float = 0.0
    drop: float = 0.0


Event = tuple[float, bool, Span]
"""When, whether a window opens then or closes, and which."""


def lock_motion(
    channels: Channels,
    points: Sequence[LockPoint],
    times: Array,
    values: Array,
    spans: Sequence[Span],
    floor: Floor | None = None,
    rows: NDArray[np.intp] | None = None,
    progress: Progress | None = None,
) -> Array:
    """Hold points of a motion while they are planted.

    Parameters
    ----------
    channels : of the motion.
    points : (K,) that the spans speak of.
    times : (T,) seconds, increasing.
    values : (T, width) the unlocked motion. A point keeps the speed with which it is let go where a row lies at most
        0.1 s before.
    spans : in any order; those of one point may touch, but not overlap.
    floor : heights of the ground, None for the examples' own.
    rows : (R,) those of the T that are wanted, in order; all of them by default.
    progress : called with the fraction that is done, as `core.progress` says.

    Returns
    -------
    (R, width)
    """
    holding, terrain = _prepared(channels, points, float(times[0]), spans, floor)
    wanted = np.arange(len(times)) if rows is None else rows
    pieces, following, tell = _Pieces(holding, terrain, times, values, wanted), _following(spans), progress or untold
    for event in _events(spans):
        if pieces.complete:
            break
        first, until = pieces.reached, int(np.searchsorted(times, event[0]))
        pieces.reach(until)
        _happen(holding, terrain, event, (first, until), times, values, following)
        pieces.changed()
        tell(until / len(times))
    pieces.finish()
    return pieces.made


class _Pieces:
    """The rows of a motion, made some thousand at a time when it is known what is held in them.

    Parameters
    ----------
    holding, terrain : as they are at the time that is reached.
    times : (T,) seconds.
    values : (T, width) unlocked.
    wanted : (R,) those of the rows that are made.

    Attributes
    ----------
    made : (R, width)
    reached : how many of the T rows have passed.
    """

    def __init__(
        self, holding: AnyHolding, terrain: Terrain | None, times: Array, values: Array, wanted: NDArray[np.intp]
    ) -> None:
        self.made = np.empty((len(wanted), values.shape[1]))
        self.reached = 0
        self._holding, self._terrain = holding, terrain
        self._times, self._values, self._wanted = times, values, wanted
        self._begin = self._first = 0
        self._firsts, self._states = [0], [holding.state.copy()]
        self._rises: list[Array] = []

    def reach(self, until: int) -> None:
        """Go on to before the row `until`; nothing has changed since the one that was reached."""
        self.reached = until
        end = int(np.searchsorted(self._wanted, until))
        while self._first < end:
            last = min(end, self._begin + PIECE)
            if self._terrain is not None:
                self._rises.append(self._terrain.rises(self._times[self._wanted[self._first : last]]))
            self._first = last
            if last == self._begin + PIECE:
                self._make(last)

    @property
    def complete(self) -> bool:
        """Whether nothing that still happens has any bearing on the rows that are wanted."""
        return self._first == len(self._wanted)

    def finish(self) -> None:
        """Make all the rest."""
        self.reach(len(self._times))
        if self._begin < self._first:
            self._make(self._first)

    def changed(self) -> None:
        """Something else is held, or left, from the row that was reached on."""
        self._firsts.append(self.reached)
        self._states.append(self._holding.state.copy())

    def _make(self, end: int) -> None:
        """Make what is wanted up to the one before `end`."""
        chosen = self._wanted[self._begin : end]
        chosen = np.resize(chosen, max(len(chosen), LEAST_ROWS))
        times, values = self._times[chosen], self._values[chosen]
        if self._terrain is not None:
            rises = np.concatenate(self._rises)
            values = self._terrain.lift(values, np.resize(rises, (len(chosen), *rises.shape[1:])))
        states = states_of(self._states, np.searchsorted(self._firsts, chosen, side="right") - 1)
        self.made[self._begin : end] = self._holding.apply_all(times, values, states)[: end - self._begin]
        self._begin = end
        self._firsts, self._states, self._rises = [0], [self._states[-1]], []


def lock_last(
    channels: Channels,
    points: Sequence[LockPoint],
    times: Array,
    values: Array,
    spans: Sequence[Span],
    floor: Floor | None = None,
) -> Array:
    """The last row (width,) of what `lock_motion` makes of the same, without the others."""
    holding, terrain = _prepared(channels, points, float(times[0]), spans, floor)
    first, last, following = 0, float(times[-1]), _following(spans)
    for event in _events(spans):
        if event[0] > last:
            break
        until = int(np.searchsorted(times, event[0]))
        _happen(holding, terrain, event, (first, until), times, values, following)
        first = until
    return holding.apply(last, ridden(terrain, last, values[-1]))


def _prepared(
    channels: Channels, points: Sequence[LockPoint], start: float, spans: Sequence[Span], floor: Floor | None
) -> tuple[AnyHolding, Terrain | None]:
    """Nothing is held yet, and over a floor it is known where points land first."""
    terrain = Terrain(channels, points, floor) if floor is not None else None
    if terrain is not None:
        _expect_first(terrain, len(points), start, spans)
    return holding_of(channels, points), terrain


def _happen(
    holding: AnyHolding,
    terrain: Terrain | None,
    event: Event,
    rows: tuple[int, int],
    times: Array,
    values: Array,
    following: dict[Span, Span],
) -> None:
    """Open or close a window after the `rows` from one to before the other."""
    (time, opens, span), (first, until) = event, rows
    if terrain is not None:
        terrain.shown = terrain.shown or until > first
    early = int(np.searchsorted(times, time - LEAST_GAP, side="right")) - 1
    if early >= first:
        holding.note(float(times[early]), ridden(terrain, float(times[early]), values[early]))
        if terrain is not None:
            terrain.note(float(times[early]), values[early])
    if opens:
        open_window(holding, terrain, span.point, time, span.opening, span.clearance, span.drop)
        return
    close_window(holding, terrain, span.point, time, span.closing)
    if terrain is not None:
        _expect_next(terrain, span, following.get(span), float(times[-1]), values[-1])


def open_window(
    holding: AnyHolding, terrain: Terrain | None, point: int, time: float, row: Array, clearance: float, drop: float
) -> None:
    """Hold `point` from now on; what the numbers say is as for `LiveLocks.switch_on`, `row` (width,) is unlocked."""
    if terrain is None:
        holding.hold(point, time, row, float(holding.given_place(point, row)[2]) - drop)
        return
    place = holding.where(point, time, ridden(terrain, time, row))
    height = terrain.land(point, time, row, place, clearance, drop)
    holding.hold(point, time, ridden(terrain, time, row), height)


def close_window(holding: AnyHolding, terrain: Terrain | None, point: int, time: float, row: Array) -> None:
    """Let `point` go; `row` (width,) is unlocked."""
    over = ridden(terrain, time, row)
    if terrain is not None:
        terrain.leave(point, time, row, (holding.place(point) - holding.given_place(point, over))[:2])
    holding.release(point, time, over)


def ridden(terrain: Terrain | None, time: float, row: Array) -> Array:
    """The row (width,) brought over the floor, if there is one."""
    return row if terrain is None else terrain.ride(np.array([time]), row[None])[0]


def _events(spans: Sequence[Span]) -> list[Event]:
    """Openings and closings in order of time; where two spans touch, the one closes before the other opens."""
    kept = [s for s in spans if s.end > s.begin]
    found = [(s.begin, True, s) for s in kept] + [(s.end, False, s) for s in kept if np.isfinite(s.end)]
    return sorted(found, key=lambda event: (event[0], event[1], event[2].point))


def _expect_first(terrain: Terrain, count: int, start: float, spans: Sequence[Span]) -> None:
    firsts = [min((s for s in spans if s.point == k), key=lambda s: s.begin, default=None) for k in range(count)]
    for span in sorted((s for s in firsts if s is not None), key=lambda s: s.begin):
        terrain.expect(span.point, start, span.begin, span.opening, span.clearance, span.drop)


def _following(spans: Sequence[Span]) -> dict[Span, Span]:
    """Of each span the next of the same point, where there is one."""
    found: dict[Span, Span] = {}
    for point in {span.point for span in spans}:
        mine = sorted((s for s in spans if s.point == point and s.end > s.begin), key=lambda s: s.begin)
        found |= dict(pairwise(mine))
    return found


def _expect_next(terrain: Terrain, span: Span, following: Span | None, end: float, last: Array) -> None:
    """Say where the point that leaves lands next, or else, that it comes to the ground where the motion ends."""
    if following is not None:
        terrain.expect(span.point, span.end, following.begin, following.opening, following.clearance, following.drop)
    else:
        begins, ends = terrain.own(span.point, np.stack([span.closing, last]))[0][:, 2].tolist()
        terrain.expect(span.point, span.end, end, last, span.clearance, ends - begins)
