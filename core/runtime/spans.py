"""When the points of a played verb are planted, in seconds."""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..figure.lock_point import LockPoint
from ..verb.phrasing import share_windows
from ..verb.verb import Verb
from .locks import Span

Array = NDArray[np.float64]


def lock_points(verb: Verb) -> tuple[LockPoint, ...]:
    """The verb's contact points."""
    return tuple(LockPoint(c.point, c.joint, c.offset) for c in verb.contacts)


def planted_spans(verb: Verb, times: Array, phases: Array, weights: Array, values: Array) -> list[Span]:
    """Spans of all contacts of a verb that was played.

    Windows move with the adverbs. Where one opens or closes between two times, the instant and the row there are
    interpolated.

    Parameters
    ----------
    verb : that was played.
    times : (T,) seconds.
    phases : (T,) generic time, going on over the cycles.
    weights : (T, N) of its examples.
    values : (T, width)

    Returns
    -------
    Spans whose points count as in `lock_points`; what is open at the last time never ends.
    """
    found: list[Span] = []
    for point, contact in enumerate(verb.contacts):
        windows = share_windows(contact.windows, weights)
        clearances, drops = contact.heights(weights)
        mine: list[Span] = []
        for index in range(windows.shape[1]):
            heights = clearances[:, index], drops[:, index]
            mine += _spans_of(verb, point, times, phases, windows[:, index], heights, values)
        found += _apart(mine)
    return found


def _spans_of(
    verb: Verb, point: int, times: Array, phases: Array, window: Array, heights: tuple[Array, Array], values: Array
) -> list[Span]:
    since, length = phases - window[:, 0], window[:, 1] - window[:, 0]
    passed = since - np.floor(since) if verb.cyclic else since
    inside = (passed >= 0.0) & ((passed < length) | ((window[:, 1] >= 1.0) & (not verb.cyclic)))
    changes = np.flatnonzero(np.diff(inside))
    opens = [_crossing(since, row) for row in changes if inside[row + 1]]
    closes = [_crossing(since - length, row) for row in changes if inside[row]]
    begins = [0.0, *opens] if inside[0] else opens
    ends = [*closes, np.inf] if inside[-1] else closes
    spans: list[Span] = []
    for begin, end in zip(begins, ends, strict=True):
        first, last = _row(verb.channels, values, begin), _row(verb.channels, values, min(end, len(times) - 1.0))
        clock = np.interp([begin, min(end, len(times) - 1.0)], np.arange(len(times)), times)
        row = int(begin)
        finish = float(clock[1]) if np.isfinite(end) else np.inf
        spans.append(
            Span(point, float(clock[0]), finish, first, last, float(heights[0][row]), float(heights[1][row]))
        )
    return spans


def _crossing(values: Array, row: np.intp) -> float:
    """Row, with its fraction, at which `values` (T,) pass a whole number between `row` and the next."""
    before, after = float(values[row]), float(values[row + 1])
    whole = np.floor(max(before, after))
    share = (whole - before) / (after - before) if after != before else 0.0
    return float(row) + float(np.clip(share, 0.0, 1.0))


def _row(channels: Channels, values: Array, place: float) -> Array:
    """The row (width,) at a place between rows."""
    low = min(int(place), len(values) - 1)
    high = min(low + 1, len(values) - 1)
    row = values[low] + (place - low) * (values[high] - values[low])
    columns = channels.rotation_columns
    before, after = values[low, columns].reshape(-1, 4), values[high, columns].reshape(-1, 4)
    row[columns] = quat.normalize(before + (place - low) * (quat.align(after, before) - before)).reshape(-1)
    return row


def _apart(spans: list[Span]) -> list[Span]:
    """Spans of one point in order, none beginning before the last has ended."""
    ordered = sorted(spans, key=lambda s: s.begin)
    return [s for i, s in enumerate(ordered) if i == 0 or s.begin >= ordered[i - 1].end]
