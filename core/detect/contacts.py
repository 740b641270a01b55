"""When points of the feet touch the floor: slow and low at once, to a part of a frame; and when feet come and go."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .ground import LOW, Ground, speed_limit
from .observed import Observed
from .smooth import SPREAD

Array = NDArray[np.float64]
Windows = tuple[tuple[float, float], ...]

SURE = 0.5
"""Share of both limits that a contact must once stay below: what only grazes them is none."""
STILL = 0.4
"""Share of the limit of speed below which a point stands still enough to be held: a fifth of the body's speed."""
SHORTEST_GAP = 0.07
SHORTEST_CONTACT = 0.08
EDGE = SPREAD
"""Seconds to a clip's ends in which no end of a contact can be told from the end of the clip."""


@dataclass(frozen=True)
class PointContacts:
    """When one point is down.

    Parameters
    ----------
    point : its name.
    windows : in contact, seconds.
    still : standing still within them, to be held there; seconds.
    """

    point: str
    windows: Windows
    still: Windows


@dataclass(frozen=True)
class FootContacts:
    """When a foot is down.

    Parameters
    ----------
    foot : its name.
    windows : any of its points in contact, seconds; those at the clip's ends are cut there.
    points : its points one by one.
    """

    foot: str
    windows: Windows
    points: tuple[PointContacts, ...]


def find_contacts(observed: Observed, ground: Ground) -> tuple[FootContacts, ...]:
    """Contacts of each foot, by height and speed against limits that follow the clip's pace and the leg's length."""
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
    """Windows in which `excess` (T,) is less than 1, and somewhere less than `sure`; ends between frames by proportion.

    A window that the clip's end cuts off need not be sure: the sure part of it may lie beyond.

    Parameters
    ----------
    times : (T,) seconds.
    excess : (T,) the limit is 1.
    sure : what each window must reach once.
    """
    inside = np.concatenate([[False], excess < 1.0, [False]])
    edges = np.flatnonzero(np.diff(inside.astype(np.int8)))
    windows: list[tuple[float, float]] = []
    for first, after in edges.reshape(-1, 2):
        if excess[first:after].min() < sure or first == 0 or after == len(times):
            windows.append((_crossing(times, excess, int(first) - 1), _crossing(times, excess, int(after) - 1)))
    return windows


def _crossing(times: Array, excess: Array, row: int) -> float:
    """When `excess` passes 1 between `row` and the next one; at the clip's ends there."""
    if row < 0 or row + 1 >= len(times):
        return float(times[0] if row < 0 else times[-1])
    share = (1.0 - excess[row]) / (excess[row + 1] - excess[row])
    return float(times[row] + share * (times[row + 1] - times[row]))


def _tidy(windows: list[tuple[float, float]], times: Array) -> Windows:
    """Windows in order without overlaps, short gaps bridged, short ones left out unless the clip's ends cut them."""
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
    """A foot comes down, or leaves the floor.

    Parameters
    ----------
    foot : its name.
    what : ``'down'`` or ``'up'``.
    time : seconds.
    """

    foot: str
    what: Literal["down", "up"]
    time: float

    @property
    def name(self) -> str:
        """What its keytime is called, such as ``'R_down'``."""
        return f"{self.foot}_{self.what}"


def events_of(contacts: Sequence[FootContacts], first: float, last: float) -> tuple[Event, ...]:
    """Events within a clip from `first` to `last` seconds; a contact that the clip's ends cut has none there."""
    found = [
        event
        for foot in contacts
        for begin, end in foot.windows
        for event in (Event(foot.foot, "down", begin), Event(foot.foot, "up", end))
        if first < event.time < last
    ]
    return tuple(sorted(found, key=lambda event: (event.time, event.what)))
