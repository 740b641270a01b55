"""When the points of a played verb are planted, in seconds."""

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..figure.lock_point import LockPoint
from ..progress import PIECE, Progress, share_of, untold
from ..verb.phrasing import share_windows
from ..verb.verb import ContactWindows, Verb
from .locks import Span

Array = NDArray[np.float64]

FEW = 512
"""Rows that are interpolated at a time."""


def lock_points(verb: Verb) -> tuple[LockPoint, ...]:
    """The verb's contact points."""
    return tuple(LockPoint(c.point, c.joint, c.offset) for c in verb.contacts)


def planted_spans(
    verb: Verb, times: Array, phases: Array, weights: Array, values: Array, progress: Progress = untold
) -> list[Span]:
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
    progress : called with the fraction that is done, as `core.progress` says.

    Returns
    -------
    Spans whose points count as in `lock_points`; what is open at the last time never ends.
    """
    found: list[Span] = []
    contacts = verb.contacts if len(times) else ()
    for point, contact in enumerate(contacts):
        telling = share_of(progress, point / len(contacts), (point + 1) / len(contacts))
        windows, heights = _moving(contact, weights, telling)
        mine: list[Span] = []
        for index in range(windows.shape[1]):
            mine += _spans_of(verb, point, times, phases, windows[:, index], heights[:, index], values, telling)
        found += _apart(mine)
    return found


def _moving(contact: ContactWindows, weights: Array, progress: Progress) -> tuple[Array, Array]:
    """Windows (T, W, 2) of a contact under `weights` (T, N), and clearances and drops in them (T, W, 2)."""
    count = contact.windows.shape[1]
    windows, heights = np.empty((2, len(weights), count, 2))
    for begin in range(0, len(weights), PIECE):
        piece = slice(begin, begin + PIECE)
        windows[piece] = share_windows(contact.windows, weights[piece])
        heights[piece, :, 0], heights[piece, :, 1] = contact.heights(weights[piece])
        progress(begin / len(weights))
    return windows, heights


def _spans_of(
    verb: Verb,
    point: int,
    times: Array,
    phases: Array,
    window: Array,
    heights: Array,
    values: Array,
    progress: Progress,
) -> list[Span]:
    since, length = phases - window[:, 0], window[:, 1] - window[:, 0]
    passed = since - np.floor(since) if verb.cyclic else since
    inside = (passed >= 0.0) & ((passed < length) | ((window[:, 1] >= 1.0) & (not verb.cyclic)))
    changes = np.flatnonzero(np.diff(inside))
    opens = [_crossing(since, row) for row in changes if inside[row + 1]]
    closes = [_crossing(since - length, row) for row in changes if inside[row]]
    begins = [0.0, *opens] if inside[0] else opens
    ends = [*closes, np.inf] if inside[-1] else closes
    rows = np.array(begins + [min(end, len(times) - 1.0) for end in ends])
    clock = np.interp(rows, np.arange(len(times)), times).tolist()
    there = np.empty((len(rows), values.shape[1]))
    for begin in range(0, len(rows), FEW):
        there[begin : begin + FEW] = _rows(verb.channels, values, rows[begin : begin + FEW])
        progress(1.0)
    count, spans = len(begins), list[Span]()
    for index, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        finish = clock[count + index] if np.isfinite(end) else np.inf
        height, drop = heights[int(begin)].tolist()
        spans.append(Span(point, clock[index], finish, there[index], there[count + index], height, drop))
    return spans


def _crossing(values: Array, row: np.intp) -> float:
    """Row, with its fraction, at which `values` (T,) pass a whole number between `row` and the next."""
    before, after = float(values[row]), float(values[row + 1])
    whole = np.floor(max(before, after))
    share = (whole - before) / (after - before) if after != before else 0.0
    return float(row) + float(np.clip(share, 0.0, 1.0))


def _rows(channels: Channels, values: Array, places: Array) -> Array:
    """The rows (N, width) at `places` (N,) between rows."""
    low = np.minimum(places.astype(np.intp), len(values) - 1)
    high, share = np.minimum(low + 1, len(values) - 1), (places - low)[:, None]
    before, after = values[low], values[high]
    rows, columns, joints = before + share * (after - before), channels.rotation_columns, (len(places), -1, 4)
    before, after = before[:, columns].reshape(joints), after[:, columns].reshape(joints)
    turned = quat.normalize(before + share[..., None] * (quat.align(after, before) - before))
    rows[:, columns] = turned.reshape(len(places), -1)
    return rows


def _apart(spans: list[Span]) -> list[Span]:
    """Spans of one point in order, none beginning before the last has ended."""
    ordered = sorted(spans, key=lambda s: s.begin)
    return [s for i, s in enumerate(ordered) if i == 0 or s.begin >= ordered[i - 1].end]
