"""Locks of a whole motion at once ([Rose1998] section 3.3): the same as frame by frame, window after window."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..figure.lock_point import LockPoint
from .floor import Floor
from .holding import Holding
from .terrain import Terrain

Array = NDArray[np.float64]


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
    values : (T, width) the unlocked motion.
    spans : in any order; those of one point may touch, but not overlap.
    floor : heights of the ground, None for the examples' own.

    Returns
    -------
    (T, width)
    """
    holding = Holding(channels, points)
    terrain = Terrain(channels, points, floor) if floor is not None else None
    if terrain is not None:
        _expect_first(terrain, len(points), float(times[0]), spans)
    found = values.copy()
    done = 0
    for time, opens, span in _events(spans):
        until = int(np.searchsorted(times, time, side="left"))
        found[done:until] = _block(holding, terrain, times[done:until], values[done:until])
        done = max(done, until)
        row = span.opening if opens else span.closing
        ridden = row if terrain is None else terrain.ride(np.array([time]), row[None])[0]
        if not opens:
            holding.release(span.point, time, ridden)
            following = _following(spans, span)
            if terrain is not None and following is not None:
                terrain.expect(
                    span.point, time, following.begin, following.opening, following.clearance, following.drop
                )
            continue
        place = holding.hold(span.point, time, ridden, None, span.drop)
        if terrain is not None:
            height = terrain.land(span.point, time, row, place, span.clearance, span.drop)
            holding.hold(span.point, time, ridden, height)
    found[done:] = _block(holding, terrain, times[done:], values[done:])
    return found


def _block(holding: Holding, terrain: Terrain | None, times: Array, values: Array) -> Array:
    if not len(times):
        return values
    return holding.apply(times, values if terrain is None else terrain.ride(times, values))


def _events(spans: Sequence[Span]) -> list[tuple[float, bool, Span]]:
    """Openings and closings in order of time; where two spans touch, the one closes before the other opens."""
    kept = [s for s in spans if s.end > s.begin]
    found = [(s.begin, True, s) for s in kept] + [(s.end, False, s) for s in kept if np.isfinite(s.end)]
    return sorted(found, key=lambda event: (event[0], event[1], event[2].point))


def _expect_first(terrain: Terrain, count: int, start: float, spans: Sequence[Span]) -> None:
    firsts = [min((s for s in spans if s.point == k), key=lambda s: s.begin, default=None) for k in range(count)]
    for span in sorted((s for s in firsts if s is not None), key=lambda s: s.begin):
        terrain.expect(span.point, start, span.begin, span.opening, span.clearance, span.drop)


def _following(spans: Sequence[Span], span: Span) -> Span | None:
    later = [s for s in spans if s.point == span.point and s.begin >= span.end and s.end > s.begin]
    return min(later, key=lambda s: s.begin, default=None)
