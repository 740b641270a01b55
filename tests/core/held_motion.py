"""Rows of a motion with points held in windows of time, told to the locks at their instants."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from verbs_adverbs.core.feet.easing_curves import LEAST_GAP
from verbs_adverbs.core.feet.foot_locks import FootLocks, HeldTimes, locked_rows
from verbs_adverbs.core.feet.footholds_off_edges import Floor
from verbs_adverbs.core.figure.channels import Channels
from verbs_adverbs.core.figure.lock_point import LockPoint


@dataclass(frozen=True, eq=False)
class Span:
    """A time during which a point is to stand still.

    Parameters
    ----------
    point : its index.
    begin, end : seconds; the end may be infinite.
    opening, closing : (width,) unlocked rows at these instants; that of an infinite end does not count.
    clearance, drop : of the window, as for `FootLocks.lock`.
    """

    point: int
    begin: float
    end: float
    opening: np.ndarray
    closing: np.ndarray
    clearance: float = 0.0
    drop: float = 0.0


def hold_motion(
    channels: Channels,
    points: Sequence[LockPoint],
    times: np.ndarray,
    values: np.ndarray,
    spans: Sequence[Span],
    floor: Floor | None = None,
) -> np.ndarray:
    """Rows (T, width) of the unlocked `values` (T, width) at `times` (T,) with the points held in the spans.

    A point keeps the speed with which it is let go where a row lies just before. Over a floor each landing is foreseen
    from the release before it on.
    """
    locks, held, first = FootLocks(channels, points, floor), list[HeldTimes](), 0
    kept = sorted((span for span in spans if span.end > span.begin), key=lambda span: span.begin)
    for span in {span.point: span for span in reversed(kept)}.values():
        locks.expect(span.point, float(times[0]), span.begin, span.opening[None], span.clearance, span.drop)
    closings = [(span.end, False, span) for span in kept if np.isfinite(span.end)]
    events = [*closings, *((span.begin, True, span) for span in kept)]
    for time, opens, span in sorted(events, key=lambda event: (event[0], event[1], event[2].point)):
        until = int(np.searchsorted(times, time))
        early = int(np.searchsorted(times, time - LEAST_GAP, side="right")) - 1
        if until > first:
            held.append(locks.at(times[first:until]))
        if early >= first:
            locks.note(float(times[early]), values[early])
        first = max(first, until)
        if opens:
            locks.lock(span.point, time, span.opening, span.clearance, span.drop)
            continue
        locks.release(span.point, time, span.closing)
        after = next((other for other in kept if other.point == span.point and other.begin >= span.end), None)
        if after is not None:
            locks.expect(after.point, time, after.begin, after.opening[None], after.clearance, after.drop)
    if first < len(times):
        held.append(locks.at(times[first:]))
    return locked_rows([locks], [held], values)
