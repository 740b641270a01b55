"""Detection of floor contacts: a point is in contact while it is both slow and low.

How long a foot is down, and how long one of its points is still enough to be locked, are two questions. A heel touches
down while it still moves, and leaves as it rolls; the toes leave last. A still point is slower and lower. The positions
of planted feet in several clips show whether the floor of a capture was level.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..verb.canonical import LEAST_GRADE
from .ground import LOW, Ground, along_the_way, speed_limit
from .observed import SPREAD, TOE, Observed, quantile

Array = NDArray[np.float64]
Windows = tuple[tuple[float, float], ...]

SURE = 0.5
"""A contact must at some instant be below this share of both limits, so that marginal ones do not count."""
TOUCHING = 0.37
"""Share of the body's speed at which a foot touches the floor.

A foot is as fast as the body where it is farthest ahead of the hip or farthest behind it, which gait laboratories use
as its strike and lift [Zeni2008]_. It touches the floor slightly later and leaves it slightly earlier: some feet, such
as an animator's, come to rest as they touch, others still have half of the body's speed.

.. [Zeni2008] Zeni, Richards, Higginson, "Two simple methods for determining gait events during treadmill and overground
   walking using kinematic data", Gait & Posture 27, 2008.
"""
LEAVING = 0.25
"""As `TOUCHING`, for the last point of a foot to leave, which was planted until then.

With this, lifts in walks with known contacts are off by a third of a frame at most. Feet that leave from rest are
detected late, those that leave at .4 of the body's speed early.
"""
ANKLE_LANDS, ANKLE_LEAVES, ANKLE_LOW = 0.7, 1.4, 4.0
"""For a foot with a known ankle only: the ankle's speed at landing and at toe-off, as shares of the body's, which are
medians of 60 captured walks; and its largest height in between, as a multiple of a sole's."""
FALLS = 8.0
"""Leg lengths a second squared at which a body falls when no foot supports it: .7 of gravity, on legs of .85 m.

If the floor's force ends as half a sine, the body falls this fast when the foot leaves, after smoothing over `SPREAD`;
hips fall up to half a frame earlier. So a foot that is still slow and low `SPREAD` later has left.
"""
STILL = 0.4
"""Share of the ground's speed limit below which a point is still enough to be locked: a fifth of the body's speed."""
ROLLS = 0.2
"""Share of an ankle's slow time at each end during which the foot rolls and the ankle moves."""
SETTLED = 0.02
"""Height in leg lengths up to which a point can be locked; higher, the foot rolls."""
SHORTEST_GAP = 0.07
SHORTEST_CONTACT = 0.08
EDGE = SPREAD
"""Seconds from a clip's end within which the end of a contact cannot be distinguished from the end of the clip."""
LEAST_TILT = 0.01
"""Tilt from which the user is told: a centimetre a metre; less is not visible."""
CERTAIN = 4.0
"""Minimum tilt as a multiple of its standard error."""
ACCURATE = 0.004
"""Minimum uncertainty of a planted foot's height in leg lengths."""


@dataclass(frozen=True)
class PointContacts:
    """Contacts of one point of a foot with the floor.

    Parameters
    ----------
    point : name of the point.
    windows : spans of contact in seconds.
    still : spans in seconds in which the point is still enough to be locked.
    """

    point: str
    windows: Windows
    still: Windows


@dataclass(frozen=True)
class FootContacts:
    """Contacts of a foot with the floor.

    Parameters
    ----------
    foot : name of the foot.
    windows : spans in seconds from the first touch of any of its points until the last of them, or its toes, has left;
        cut off where the clip begins or ends.
    points : contacts of each of its points.
    """

    foot: str
    windows: Windows
    points: tuple[PointContacts, ...]


def find_contacts(observed: Observed, ground: Ground) -> tuple[FootContacts, ...]:
    """Find the contacts of each foot from its height in leg lengths and its speed as a share of the body's."""
    times, leg = observed.times, observed.leg
    limit = speed_limit(ground.speed, leg)
    body = np.maximum(np.linalg.norm(ground.body[:, :2], axis=1), limit)
    falls: Array = np.gradient(-ground.body[:, 2], times) / (FALLS * leg)
    falling = np.interp(times - SPREAD, times, falls)
    found: list[FootContacts] = []
    ends: list[_Ends] = []
    parts = zip(observed.feet, observed.points, ground.heights, ground.speeds, strict=True)
    for foot, names, heights, speeds in parts:
        paces, lows = (dict(zip(names, rows, strict=True)) for rows in (speeds / body, heights / (LOW * leg)))
        slow = dict(zip(names, np.maximum(speeds / (STILL * limit), heights / (SETTLED * leg)), strict=True))
        touching, share = (_of_ankle, ROLLS) if len(names) == 1 else (_touches, 0.0)
        touches = {name: touching(times, paces[name], lows[name]) for name in names}
        still = {name: _within(_tidy(below(times, slow[name], 1.0), times), share, times) for name in names}
        points = tuple(PointContacts(name, _tidy(touches[name], times), still[name]) for name in names if name != TOE)
        together = sorted(window for point in points for window in point.windows)
        found.append(FootContacts(foot, _tidy(together, times), points))
        ends.append(_Ends(touches.get(TOE, []), _before_flights(times, paces, lows, falling)))
    return tuple(
        replace(foot, windows=_until_left(foot.windows, end, [other for other in found if other is not foot]))
        for foot, end in zip(found, ends, strict=True)
    )


def _touches(times: Array, pace: Array, low: Array) -> list[tuple[float, float]]:
    """Find the spans in which a point touches the floor, assuming that another foot is planted when the point leaves.

    Parameters
    ----------
    times : (T,) seconds.
    pace : (T,) speed of the point divided by that of the body at the same instant, which is highest in double support.
    low : (T,) height of the point divided by the limit for contact.
    """
    spans = below(times, np.maximum(SURE * pace / TOUCHING, low))
    touched = [
        (max(begin, _landing(times, pace, begin)), min(end, -_landing(-times[::-1], pace[::-1], -end, LEAVING)))
        for begin, end in spans
    ]
    return [(begin, end) for begin, end in touched if begin < end]


def _of_ankle(times: Array, pace: Array, low: Array) -> list[tuple[float, float]]:
    """Like `_touches`, for a foot of which only the ankle is known: from its speed at landing and at toe-off."""
    spans = below(times, np.maximum(SURE * pace / TOUCHING, low / ANKLE_LOW))
    touched = [
        (max(begin, _landing(times, pace, begin, ANKLE_LANDS)), _toes_off(times, pace, end)) for begin, end in spans
    ]
    return [(begin, end) for begin, end in touched if begin < end]


def _toes_off(times: Array, pace: Array, slow_until: float) -> float:
    """Return when a foot's toes leave the floor: when the pace of its ankle reaches `ANKLE_LEAVES`.

    The ankle is slow until `slow_until`, and then accelerates until the toes leave; if it slows down before it reaches
    that pace, as in a shuffle, the toes have already left.
    """
    first = int(np.searchsorted(times, slow_until))
    after = pace[first:]
    falling = np.flatnonzero(np.diff(after) < 0.0)
    last = int(falling[0]) if len(falling) else len(after) - 1
    quick = np.flatnonzero(after[: last + 1] >= ANKLE_LEAVES)
    if len(quick) and first + quick[0] > 0:
        return _crossing(times, pace / ANKLE_LEAVES, first + int(quick[0]) - 1)
    return float(times[min(first + last, len(times) - 1)])


def _landing(times: Array, pace: Array, begin: float, lands: float = TOUCHING) -> float:
    """Return when a decelerating point, slower than the body from `begin` on, touches the floor.

    After the touch a foot rolls and slides to rest in its own time, so only its approach is reliable: the pace that it
    has while still faster than the body is extrapolated, but not beyond the time at which it really becomes slow.
    Applied backward in time, this finds when a point leaves.

    Parameters
    ----------
    times, pace : (T,) as in `_touches`.
    begin : seconds.
    lands : pace at which the point touches.
    """
    faster = np.flatnonzero(pace[: int(np.searchsorted(times, begin, side="right"))] >= 1.0)
    if not len(faster):
        return begin
    equal = _crossing(times, pace, int(faster[-1]))
    slow = int(faster[-1]) + np.flatnonzero(pace[faster[-1] :] < SURE * lands)
    latest = _crossing(times, pace / (SURE * lands), int(slow[0]) - 1) if len(slow) else begin
    fallen = float(np.interp(equal - SPREAD, times, pace)) - 1.0
    return min(equal + SPREAD * (1.0 - lands) / fallen, latest) if fallen > 0.0 else latest


def _before_flights(
    times: Array, paces: dict[str, Array], lows: dict[str, Array], falling: Array
) -> list[tuple[float, float]]:
    """Find the spans in which a foot is slow and low, the end of its toes is clearly low, and the body is supported.

    In the air a foot trails behind the body and is slow for a long time, so its acceleration does not show when it
    left; in a slow run it also stays low, but the body falls.

    Parameters
    ----------
    times : (T,) seconds.
    paces, lows : (T,) for each point of the foot, as in `_touches`.
    falling : (T,) downward acceleration of the body slightly earlier, divided by that of a fall.
    """
    sole = np.min([np.maximum(paces[name] / TOUCHING, lows[name]) for name in paces if name != TOE], axis=0)
    low = np.maximum(sole, lows[TOE] / SURE) if TOE in lows else sole
    return below(times, np.maximum(low, falling), 1.0)


@dataclass(frozen=True)
class _Ends:
    """Data on when a foot leaves: spans in which its toes touch, and spans that apply if the body is then in flight."""

    toes: Sequence[tuple[float, float]]
    flights: Sequence[tuple[float, float]]


def _until_left(windows: Windows, ends: _Ends, others: Sequence[FootContacts]) -> Windows:
    """Extend a foot's contacts until its toes have left the floor, if another foot is planted when its ball leaves.

    Otherwise the body is in flight, and the foot has left as soon as it is no longer slow and low, or the body falls.

    Parameters
    ----------
    windows : contacts of the foot's heel and ball.
    ends : data on when the foot leaves.
    others : contacts of the other feet; if only one foot is known, the other is assumed to be planted.
    """

    def last(begin: float, end: float) -> float:
        """Return when a foot leaves, given that its heel and ball touch from `begin` to `end`."""
        if not others or any(a < end < b for other in others for a, b in other.windows):
            return max((b for a, b in ends.toes if a <= end <= b), default=end)
        return max((b for a, b in ends.flights if a <= end and begin < b), default=end)

    return tuple((begin, last(begin, end)) for begin, end in windows)


def below(times: Array, excess: Array, sure: float = SURE) -> list[tuple[float, float]]:
    """Find the spans in which `excess` is below 1 throughout and below `sure` at least once.

    Their ends are interpolated between frames. A span cut off by the clip's end need not fall below `sure`, since it
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
    """Return the time at which `excess` crosses 1 between `row` and the next; a clip's end if either is beyond it."""
    if row < 0 or row + 1 >= len(times):
        return float(times[0] if row < 0 else times[-1])
    share = (1.0 - excess[row]) / (excess[row + 1] - excess[row])
    return float(times[row] + share * (times[row + 1] - times[row]))


def _tidy(windows: list[tuple[float, float]], times: Array) -> Windows:
    """Sort windows, join those separated by short gaps, and drop short ones that are not cut off by the clip's ends."""
    joined: list[tuple[float, float]] = []
    for begin, end in sorted(windows):
        if joined and begin - joined[-1][1] < SHORTEST_GAP:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    first, last = float(times[0]), float(times[-1])
    ends = ((first if w[0] < first + EDGE else w[0], last if w[1] > last - EDGE else w[1]) for w in joined)
    return tuple(w for w in ends if w[1] - w[0] >= SHORTEST_CONTACT or w[0] == first or w[1] == last)


def _within(windows: Windows, share: float, times: Array) -> Windows:
    """Return windows shortened by a share at each end that is not cut off by the clip."""
    first, last = float(times[0]), float(times[-1])
    return tuple(
        (a if a <= first else a + share * (b - a), b if b >= last else b - share * (b - a)) for a, b in windows
    )


@dataclass(frozen=True)
class Event:
    """The instant at which a foot strikes the floor or leaves it.

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
    """List the events between `first` and `last` seconds in order of time.

    A contact cut off by a clip's end has no event there.
    """
    found = [
        event
        for foot in contacts
        for begin, end in foot.windows
        for event in (Event(foot.foot, "down", begin), Event(foot.foot, "up", end))
        if first < event.time < last
    ]
    return tuple(sorted(found, key=lambda event: (event.time, event.what)))


@dataclass(frozen=True, eq=False)
class Stands:
    """Positions of planted foot points on a floor at rest.

    Parameters
    ----------
    places : (N, 3) positions in leg lengths.
    along : (N,) distance along the body's path, in leg lengths.
    owners : (N,) index of the point that was planted there.
    """

    places: Array
    along: Array
    owners: NDArray[np.intp]


def stands_of(observed: Observed, contacts: Sequence[FootContacts], ground: Ground) -> Stands:
    """Return the positions of planted feet in a clip; none if its floor moves."""
    places: list[Array] = []
    along: list[float] = []
    owners: list[int] = []
    owner = 0
    for foot, paths in zip(contacts, observed.paths, strict=True):
        ways = along_the_way(observed.times, observed.root, ground.body, paths)
        for index, point in enumerate(foot.points):
            path, way = paths[index], ways[index]
            for begin, end in point.still if ground.drift is None else ():
                rows = (observed.times >= begin) & (observed.times <= end)
                if rows.any():
                    places.append(np.median(path[rows], axis=0))
                    along.append(quantile(way[rows], 0.5))
                    owners.append(owner)
            owner += 1
    rests = np.array(places).reshape(-1, 3) / observed.leg
    return Stands(rests, np.array(along) / observed.leg, np.array(owners, dtype=np.intp))


def common_tilt(clips: Sequence[Stands]) -> Array | None:
    """Return the small tilt (2,) along x and y that the floors of all clips share, None if there is none.

    Heights are fitted by one plane for all clips, and by a rise along each body's own path, as on a ramp. The two can
    be distinguished only if bodies move in several directions; otherwise both are found with a large error. If there
    is no ramp, the plane is fitted alone. A tilt of 3 % or more is a walk up or down a hill, which is kept.
    """
    rows: list[Array] = []
    for clip in clips:
        stands = np.column_stack([clip.places[:, :2], clip.along, clip.places[:, 2]])
        for owner in np.unique(clip.owners):
            mine = stands[clip.owners == owner]
            rows.append(mine - mine.mean(axis=0))
    spread = np.concatenate(rows) if rows else np.zeros((0, 4))
    free = len(spread) - len(rows) - 3
    if free < 1:
        return None
    system = spread[:, :3].T @ spread[:, :3] + ACCURATE * np.eye(3)
    fit = np.linalg.solve(system, spread[:, :3].T @ spread[:, 3])
    left = float(np.sum((spread[:, 3] - spread[:, :3] @ fit) ** 2)) / free
    errors = np.sqrt(max(left, ACCURATE**2) * np.diag(np.linalg.inv(system)))
    size, error = float(np.linalg.norm(fit[:2])), float(np.linalg.norm(errors[:2]))
    ramp = abs(float(fit[2])) > max(CERTAIN * float(errors[2]), 0.5 * size)
    if ramp or size < CERTAIN * error:
        return None
    tilt = np.linalg.solve(system[:2, :2], spread[:, :2].T @ spread[:, 3])
    return tilt if LEAST_TILT <= float(np.linalg.norm(tilt)) < LEAST_GRADE else None


def told_tilt(tilt: Array) -> str:
    """Return a sentence saying that a tilted floor is treated as level."""
    axis = int(np.argmax(np.abs(tilt)))
    towards = f"{'+' if tilt[axis] > 0.0 else '-'}{'XY'[axis]}"
    return (
        f"The floor of the chosen actions rises by about {100.0 * np.linalg.norm(tilt):.1f} % towards {towards}, "
        "in whichever direction they go, as in a capture that was not quite level: their cycles are levelled."
    )
