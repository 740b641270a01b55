"""Finding when the feet touch the floor: a point is in contact while it is slow and low at once.

How long a foot is down, and how long one of its points stands still enough to be locked, are two questions. A heel
comes down while it still moves, and leaves as it rolls; the toes leave last. What stands still is slower and lower.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .ground import LOW, SLOWEST, Ground, speed_limit
from .observed import SPREAD, TOE, Observed

Array = NDArray[np.float64]
Windows = tuple[tuple[float, float], ...]

SURE = 0.5
"""A contact must at some instant be below this share of both limits; what only just falls below them is no contact."""
PACE = 0.7
"""Share of the body's speed below which a point may be in contact.

A foot is as fast as the body where it is farthest ahead of the hip or farthest behind it, which gait laboratories take
for its strike and lift [Zeni2008]_. It touches the floor a little later and has left it a little earlier.

.. [Zeni2008] Zeni, Richards, Higginson, "Two simple methods for determining gait events during treadmill and overground
   walking using kinematic data", Gait & Posture 27, 2008.
"""
QUICK = 1.3
"""Speed in leg lengths a second above which no point is in contact, however fast the body runs."""
STILL = 0.4
"""Share of the ground's speed limit below which a point is still enough to be locked: a fifth of the body's speed."""
SETTLED = 0.02
"""Height in leg lengths up to which a point is still enough to be locked: higher, the foot rolls."""
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
    windows : spans in seconds from the first touch of any of its points until the last of them, or its toes, have left;
        cut off where the clip begins or ends.
    points : contacts of each of its points.
    """

    foot: str
    windows: Windows
    points: tuple[PointContacts, ...]


def find_contacts(observed: Observed, ground: Ground) -> tuple[FootContacts, ...]:
    """Find the contacts of each foot by comparing height and speed with limits set by leg length and walking pace."""
    times, leg = observed.times, observed.leg
    pace = min(max(PACE * ground.speed, SLOWEST * leg), QUICK * leg)
    still_pace = STILL * speed_limit(ground.speed, leg)
    found: list[FootContacts] = []
    toes: list[list[tuple[float, float]]] = []
    parts = zip(observed.feet, observed.points, ground.heights, ground.speeds, strict=True)
    for foot, names, heights, speeds in parts:
        excess = dict(zip(names, np.maximum(speeds / pace, heights / (LOW * leg)), strict=True))
        slow = dict(zip(names, np.maximum(speeds / still_pace, heights / (SETTLED * leg)), strict=True))
        points = tuple(
            PointContacts(name, _tidy(below(times, excess[name]), times), _tidy(below(times, slow[name], 1.0), times))
            for name in names
            if name != TOE
        )
        together = sorted(window for point in points for window in point.windows)
        found.append(FootContacts(foot, _tidy(together, times), points))
        toes.append(below(times, excess[TOE]) if TOE in excess else [])
    return tuple(
        replace(foot, windows=_rolled_off(foot.windows, toe, [other for other in found if other is not foot]))
        for foot, toe in zip(found, toes, strict=True)
    )


def _rolled_off(windows: Windows, toes: Sequence[tuple[float, float]], others: Sequence[FootContacts]) -> Windows:
    """Let a foot's contacts last until its toes have left the floor, where another foot stands when its ball leaves.

    Without a foot that stands the body flies, and toes that are still near the floor only trail.

    Parameters
    ----------
    windows : contacts of the foot's heel and ball.
    toes : spans in seconds in which the end of its toes is in contact.
    others : contacts of the other feet; of a foot that is known alone the other is taken to stand.
    """

    def last(end: float) -> float:
        """Return when the toes leave, of a foot whose ball leaves at `end`."""
        stands = not others or any(a < end < b for other in others for a, b in other.windows)
        return max((b for a, b in toes if stands and a <= end <= b), default=end)

    return tuple((begin, last(end)) for begin, end in windows)


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
