"""The body planner of [Kallmann2005] sections 5 and 6: which gestures are kept, and how they follow one another.

The emphasis of every stroke is exactly on its word. Conflicts are resolved by changing, in this order, the rest between
gestures, a gesture's size if it is a verb with sizes, the length of phases within bounds, relaxation and preparation,
and last by dropping the gesture. As many gestures as possible are kept.

Whether one gesture can follow another depends on these two alone: holds fill any gap, and each phase is squeezed only
by the time before or after its own stroke. So the plan with the most gestures and, among these, the lowest cost is
found by dynamic programming over the words, as the longest path in an acyclic graph.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from math import inf, isfinite

import numpy as np
from numpy.typing import NDArray

from ..errors import GestureError
from .gesture import STROKE_START, Gesture, learn, turns_between
from .stack import SMOOTH, BlendingCurve
from .ways_between import WAYS, Pace, Table, Ways, farthest, hands_of, ratio, table_of, ways_between, ways_into

Array = NDArray[np.float64]

KEPT = 1e6
"""Value of a kept gesture, relative to the costs of everything that is given up for it."""
SQUEEZED, SHRUNK = 4.0, 1.0
"""Costs of squeezing phases as much as bounds allow, and of the smallest gesture of a kind."""
UNPREPARED, RESTLESS, WAITING = 1.0, 1.5, 2.0
"""Costs of omitting a preparation after relaxing, of relaxing for less than the patience, and of holding for longer
than it."""
PATIENCE = 1.0
"""Default seconds for which a hand is held before it relaxes."""
STRAIGHT = 0.5
"""Cost of going straight from stroke to stroke, since recorded preparations look better if there is room."""


@dataclass(frozen=True, eq=False)
class Request:
    """A gesture requested on a word.

    Parameters
    ----------
    time : time of its emphasis in seconds.
    choices : the gesture in several sizes, or a single one; one of them is played.
    told : its name in messages, such as ``"'point' on 'there'"``.
    """

    time: float
    choices: tuple[Gesture, ...]
    told: str


@dataclass(frozen=True)
class Manners:
    """How gestures follow one another.

    Parameters
    ----------
    pace : maximum speed of hands and joints where no recorded phase moves them.
    patience : seconds for which a hand is held before it relaxes.
    curve : blending curve from one gesture to the next.
    """

    pace: Pace
    patience: float = PATIENCE
    curve: BlendingCurve = SMOOTH


@dataclass(frozen=True, eq=False)
class Before:
    """The state when a plan begins.

    Parameters
    ----------
    time : earliest time in seconds that can be planned; minus infinity if there is no limit.
    rotations, places : (K, J, 4) and (K, J, 3), as from `poses_of`: the present pose, then those that the figure
        reaches before anything else can begin; None if the figure rests.
    moving : how fast the figure moves, as a share of the pace. A moving hand gets more time for its path, so that its
        own motion and the path together are not much faster than the pace.
    """

    time: float = -inf
    rotations: Array | None = None
    places: Array | None = None
    moving: float = 0.0


@dataclass(frozen=True, eq=False)
class Chosen:
    """A kept gesture.

    Parameters
    ----------
    request : number of its request, an index into the list of requests.
    gesture : the gesture in the size that is played.
    time : time of its emphasis in seconds.
    way : how it is reached: the phases that are kept before it, see `WAYS`.
    squeezed : share of what the bounds allow by which the phases on this way are squeezed, from 0 to 1.
    spare : seconds on this way that are filled by holds or rest.
    lead : seconds that the hands need to reach the start of its stroke on this way.
    """

    request: int
    gesture: Gesture
    time: float
    way: str
    squeezed: float
    spare: float
    lead: float


@dataclass(frozen=True, eq=False)
class Choice:
    """The result of the body planner.

    Parameters
    ----------
    kept : kept gestures in order of time.
    given_up : sentences on what is given up: gestures that are dropped, squeezed or made smaller, or that lack a phase.
    dropped : numbers of the dropped requests.
    """

    kept: tuple[Chosen, ...]
    given_up: tuple[str, ...] = ()
    dropped: tuple[int, ...] = field(default=())


def usual_manners(gestures: Sequence[Gesture], patience: float = PATIENCE, curve: BlendingCurve = SMOOTH) -> Manners:
    """Return manners in which nothing moves faster between gestures than in the fastest of them, if there are any."""
    learn(gestures)
    hands = max((one.known.hand_speed for one in gestures), default=0.0)
    turns = max((one.known.turn_speed for one in gestures), default=0.0)
    return Manners(Pace(hands, turns), patience, curve)


def choose(requests: Sequence[Request], manners: Manners, before: Before | None = None) -> Choice:
    """Choose which gestures to keep, in which sizes, and how they follow one another.

    Raises
    ------
    GestureError
        If words are out of order or have no times, or one has no gesture.
    """
    _check(requests)
    if not requests:
        return Choice(())
    gestures = [one for request in requests for one in request.choices]
    owners = np.repeat(np.arange(len(requests)), [len(request.choices) for request in requests])
    times = np.array([request.time for request in requests])[owners]
    table, earlier = table_of(gestures, manners.pace, manners.curve.steepest), before or Before()
    into = ways_into(table, times - earlier.time, _lead(gestures, manners, earlier))
    among = ways_between(table, times[None, :] - times[:, None])
    first_costs, costs = _costs(into, table, manners, True), _costs(among, table, manners, False)
    first_costs[..., [1, 3] if earlier.rotations is None else [0, 2]] = inf
    costs[owners[:, None] >= owners[None, :]] = inf
    picked = _best(first_costs, costs, owners)
    kept: list[Chosen] = []
    for last, node, way in picked:
        ways, index = (into, (node, way)) if last < 0 else (among, (last, node, way))
        told = (float(one[index]) for one in (ways.squeezed, ways.spare, ways.leads))
        kept.append(Chosen(int(owners[node]), gestures[node], float(times[node]), WAYS[way], *told))
    dropped = tuple(sorted(set(range(len(requests))) - {one.request for one in kept}))
    in_time = set(owners[np.isfinite(first_costs).any(axis=-1)].tolist())
    return Choice(tuple(kept), _told(requests, kept, dropped, in_time), dropped)


def _lead(gestures: Sequence[Gesture], manners: Manners, before: Before) -> Array | None:
    """Return the seconds (N,) from the present pose to the beginnings of the strokes; None from rest."""
    if before.rotations is None or before.places is None:
        return None
    hands = hands_of(gestures)
    turns = np.stack([one.known.rotations[STROKE_START] for one in gestures])
    places = np.stack([one.known.places[STROKE_START, hands] for one in gestures])
    angles, ways = turns_between(before.rotations, turns), farthest(before.places[:, None, hands], places)
    lead = manners.pace.seconds(angles, ways, manners.curve.steepest).max(axis=0)
    return (1.0 + before.moving) * lead


def _check(requests: Sequence[Request]) -> None:
    for last, one in zip((None, *requests), requests, strict=False):
        if not isfinite(one.time):
            raise GestureError(f"{one.told} has no time. Set the time of its word.")
        if not one.choices:
            raise GestureError(f"{one.told} has no gesture. Choose one.")
        if last is not None and one.time < last.time:
            raise GestureError(
                f"{one.told} ({one.time:.3f} s) is listed after {last.told} ({last.time:.3f} s), but comes earlier in "
                "time. Sort the words by time."
            )


def _costs(ways: Ways, table: Table, manners: Manners, first: bool) -> Array:
    """Return the cost of each of the ways (..., N, 4); infinity for a way that does not fit."""
    spare, over = ways.spare, manners.patience
    cost = SQUEEZED * ways.squeezed + SHRUNK * (1.0 - table.sizes)[:, None]
    if not first:
        waits = ratio(spare, over)
        restless = RESTLESS * np.clip(1.0 - waits[..., 0], 0.0, 1.0)
        waiting = WAITING * np.clip(waits - 1.0, 0.0, 1.0)
        cost[..., 0] += restless
        cost[..., 1] += waiting[..., 1]
        cost[..., 3] += waiting[..., 3]
    cost[..., 2] += UNPREPARED
    cost[..., 3] += STRAIGHT
    return np.where(ways.fits, cost, inf)


def _best(first_costs: Array, costs: Array, owners: NDArray[np.intp]) -> list[tuple[int, int, int]]:
    """Return the cheapest of the longest paths through the gestures, in order.

    Each step is the previous gesture or -1, the gesture, and the way to it.
    """
    into, between = first_costs.min(axis=-1), costs.min(axis=-1)
    count = len(owners)
    score, came = np.where(np.isfinite(into), KEPT - into, -inf), np.full(count, -1)
    for node in range(count):
        through = score[:node] + KEPT - between[:node, node]
        if node and through.max() > score[node]:
            came[node] = int(np.argmax(through))
            score[node] = through[came[node]]
    node, found = int(np.argmax(score)), list[tuple[int, int, int]]()
    if not isfinite(score[node]):
        return []
    while node >= 0:
        last = int(came[node])
        way = int(np.argmin(first_costs[node] if last < 0 else costs[last, node]))
        found.append((last, node, way))
        node = last
    return found[::-1]


def _told(
    requests: Sequence[Request], kept: Sequence[Chosen], dropped: Sequence[int], in_time: Set[int]
) -> tuple[str, ...]:
    """Return sentences on what is given up; `in_time` are the requests that are not excluded by earlier events."""
    told: dict[int, list[str]] = {}
    for one in kept:
        request = requests[one.request]
        if one.gesture.size < max(choice.size for choice in request.choices):
            told.setdefault(one.request, []).append(f"is reduced to {one.gesture.size:.0%} of its size")
        if one.squeezed > 0.0:
            least = one.gesture.lasting(one.squeezed)
            told.setdefault(one.request, []).append(f"is shortened to {least:.0%} of its recorded length")
        if "prepare" not in one.way:
            told.setdefault(one.request, []).append("starts its stroke without preparation")
    for number in dropped:
        earlier = max((one.time for one in kept if one.request < number), default=None)
        later = min((one.time for one in kept if one.request > number), default=None)
        near = [f"{requests[number].time - earlier:.2f} s after" if earlier is not None else ""]
        near += [f"{later - requests[number].time:.2f} s before" if later is not None else ""]
        late = earlier is None and number not in in_time
        where = "" if late else " and ".join(side for side in near if side)
        told[number] = [f"is left out: it would come {where} another gesture" if where else "is left out: too early"]
    return tuple(f"{requests[number].told} {', '.join(told[number])}." for number in sorted(told))
