"""Locks of a whole motion at once ([Rose1998] section 3.3): the same as frame by frame, window after window."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..figure.lock_point import LockPoint
from .fading import LEAST_GAP
from .floor import Floor
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

    Returns
    -------
    (T, width)
    """
    holding, terrain = _prepared(channels, points, float(times[0]), spans, floor)
    firsts, states, rises = [0], [holding.state.copy()], list[Array]()
    for event in _events(spans):
        first, until = firsts[-1], int(np.searchsorted(times, event[0]))
        if terrain is not None:
            rises.append(terrain.rises(times[first:until]))
        _happen(holding, terrain, event, (first, until), times, values, spans)
        firsts.append(until)
        states.append(holding.state.copy())
    if terrain is not None:
        rises.append(terrain.rises(times[firsts[-1] :]))
        values = terrain.lift(values, np.concatenate(rises))
    chosen = np.resize(np.arange(len(times)), max(len(times), LEAST_ROWS))
    segments = np.searchsorted(firsts, chosen, side="right") - 1
    return holding.apply_all(times[chosen], values[chosen], states_of(states, segments))[: len(times)]


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
    first, last = 0, float(times[-1])
    for event in _events(spans):
        if event[0] > last:
            break
        until = int(np.searchsorted(times, event[0]))
        _happen(holding, terrain, event, (first, until), times, values, spans)
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
    spans: Sequence[Span],
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
        _expect_next(terrain, span, spans, float(times[-1]), values[-1])


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


def _expect_next(terrain: Terrain, span: Span, spans: Sequence[Span], end: float, last: Array) -> None:
    """Say where the point that leaves lands next, or else, that it comes to the ground where the motion ends."""
    later = [s for s in spans if s.point == span.point and s.begin >= span.end and s.end > s.begin]
    if later:
        following = min(later, key=lambda s: s.begin)
        terrain.expect(span.point, span.end, following.begin, following.opening, following.clearance, following.drop)
    else:
        begins, ends = terrain.own(span.point, np.stack([span.closing, last]))[0][:, 2].tolist()
        terrain.expect(span.point, span.end, end, last, span.clearance, ends - begins)
