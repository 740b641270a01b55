"""Finding when the feet touch the floor: a point is in contact while it is slow and low at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .ground import LOW, Ground, speed_limit
from .observed import SPREAD, Observed

Array = NDArray[np.float64]
Windows = tuple[tuple[float, float], ...]

SURE = 0.5
"""A contact must at some instant be below this share of both limits; what only just falls below them is no contact."""
STILL = 0.4
"""Share of the speed limit below which a point is still enough to be locked: a fifth of the body's speed."""
SHORTEST_GAP = 0.07
SHORTEST_CONTACT = 0.08
EDGE = SPREAD
"""Within this many seconds of a clip's end, the end of a contact cannot be told from the end of the clip."""


@dataclass(frozen=True)
class PointContacts:
    """When one point of a foot touches the floor.

    Parameters
    ----------
    point : name of the point.
    windows : spans of contact in seconds.
    still : spans in seconds in which the point stands still enough to be locked.
    """

    point: str
    windows: Windows
    still: Windows


@dataclass(frozen=True)
class FootContacts:
    """When a foot touches the floor.

    Parameters
    ----------
    foot : name of the foot.
    windows : spans in seconds in which any of its points is in contact, cut off where the clip begins or ends.
    points : contacts of each of its points.
    """

    foot: str
    windows: Windows
    points: tuple[PointContacts, ...]


def find_contacts(observed: Observed, ground: Ground) -> tuple[FootContacts, ...]:
    """Find the contacts of each foot by comparing height and speed with limits set by leg length and walking pace."""
    times = observed.times
    limit, low = speed_limit(ground.speed, observed.leg), LOW * observed.leg
    found: list[FootContacts] = []
    parts = zip(observed.feet, observed.points, ground.heights, ground.speeds, strict=True)
    for foot, names, heights, speeds in parts:
        excess = np.maximum(speeds / limit, heights / low)
        slow = np.maximum(speeds / (STILL * limit), heights / low)
        points = tuple(
            PointContacts(name, _tidy(below(times, mine), times), _tidy(below(times, still, 1.0), times))
            for name, mine, still in zip(names, excess, slow, strict=True)
        )
        together = sorted(window for point in points for window in point.windows)
        found.append(FootContacts(foot, _tidy(together, times), points))
    return tuple(found)


def below(times: Array, excess: Array, sure: float = SURE) -> list[tuple[float, float]]:
    """Find the spans in which `excess` is below 1 throughout and below `sure` at least once.

    Their ends are interpolated between frames. A span that the clip's end cuts off need not fall below `sure`, since it
    may do so beyond the end.

    Parameters
    ----------
    times : (T,) seconds.
    excess : (T,) value divided by its limit.
    sure : value that every span must fall below once.
    """
    inside = np.concatenate([[False], excess < 1.0, [False]])
    edges = np.flatnonzero(np.diff(inside.astype(np.int8)))
    windows: list[tuple[float, float]] = []
    for first, after in edges.reshape(-1, 2):
        if excess[first:after].min() < sure or first == 0 or after == len(times):
            windows.append((_crossing(times, excess, int(first) - 1), _crossing(times, excess, int(after) - 1)))
    return windows


def _crossing(times: Array, excess: Array, row: int) -> float:
    """Return the time at which `excess` crosses 1 between `row` and the next row, or the clip's end beyond it."""
    if row < 0 or row + 1 >= len(times):
        return float(times[0] if row < 0 else times[-1])
    share = (1.0 - excess[row]) / (excess[row + 1] - excess[row])
    return float(times[row] + share * (times[row + 1] - times[row]))


def _tidy(windows: list[tuple[float, float]], times: Array) -> Windows:
    """Sort windows, join those that short gaps part, and drop short ones that the clip's ends do not cut off."""
    joined: list[tuple[float, float]] = []
    for begin, end in sorted(windows):
        if joined and begin - joined[-1][1] < SHORTEST_GAP:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    first, last = float(times[0]), float(times[-1])
    ends = ((first if w[0] < first + EDGE else w[0], last if w[1] > last - EDGE else w[1]) for w in joined)
    return tuple(w for w in ends if w[1] - w[0] >= SHORTEST_CONTACT or w[0] == first or w[1] == last)


@dataclass(frozen=True)
class Event:
    """The instant at which a foot comes down on the floor or leaves it.

    Parameters
    ----------
    foot : name of the foot.
    what : ``'down'`` or ``'up'``.
    time : seconds.
    """

    foot: str
    what: Literal["down", "up"]
    time: float

    @property
    def name(self) -> str:
        """Name of the keytime at this event, such as ``'R_down'``."""
        return f"{self.foot}_{self.what}"


def events_of(contacts: Sequence[FootContacts], first: float, last: float) -> tuple[Event, ...]:
    """List the events between `first` and `last` seconds by time. Where a clip's end cuts a contact off is no event."""
    found = [
        event
        for foot in contacts
        for begin, end in foot.windows
        for event in (Event(foot.foot, "down", begin), Event(foot.foot, "up", end))
        if first < event.time < last
    ]
    return tuple(sorted(found, key=lambda event: (event.time, event.what)))
