"""Which verbs of a graph stand and which walk, and how a walk may be steered at the adverbs of the moment."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..errors import GraphError
from ..graph.verb_graph import VerbGraph
from ..play.settle import middle_adverbs
from ..verb.rates import SteeringTable, rates, steering_table
from ..verb.verb import Verb

Array = NDArray[np.float64]

_LEAST_SPEED, _LEAST_CURVATURE = 1e-3, 1e-6
_LEAST_TURN = 1e-3
"""Radians a second between the ends of an adverb's range below which it is no matter of turning."""
STANDS, WALKS = 0.05, 0.2
"""Share of the fastest verb's speed up to which a verb stands, and from which on it walks."""


@dataclass(frozen=True, eq=False)
class Gait:
    """A verb at the adverbs of the moment, the steering adverb left open.

    Parameters
    ----------
    verb : the verb.
    adverbs : (D,) with the steering adverb where it goes straight on.
    axis : of the steering adverb.
    table : rates along it.
    neutral : value of the steering adverb that goes straight on.
    speed : metres a second straight on, handles neutral.
    course : radians from the heading to where it goes.
    tightest : curvature of the tightest turn to the right and to the left, both positive, in radians a metre.
    """

    verb: Verb
    adverbs: Array
    axis: int
    table: SteeringTable
    neutral: float
    speed: float
    course: float
    tightest: tuple[float, float]

    def turned(self) -> Array:
        """Adverbs (K, D) at each value of the table."""
        points = np.tile(self.adverbs, (len(self.table.values), 1))
        points[:, self.axis] = self.table.values
        return points


def adverbs_of(verb: Verb, values: Mapping[str, float]) -> Array:
    """The `values` (D,) of those adverbs that the verb knows."""
    return np.array([values[name] for name in verb.adverb_names])


def gait_of(verb: Verb, adverb: str, values: Mapping[str, float]) -> Gait:
    """How `verb` walks with the adverbs `values`, steered by `adverb`, which it must know."""
    point = adverbs_of(verb, values)
    axis = verb.adverb_names.index(adverb)
    table = steering_table(verb, adverb, point)
    point[axis] = table.neutral
    curvature = table.rates.curvature
    return Gait(
        verb=verb,
        adverbs=point,
        axis=axis,
        table=table,
        neutral=table.neutral,
        speed=max(float(np.interp(table.neutral, table.values, table.rates.speed)), _LEAST_SPEED),
        course=float(np.interp(table.neutral, table.values, table.rates.course)),
        tightest=(max(-float(curvature.min()), _LEAST_CURVATURE), max(float(curvature.max()), _LEAST_CURVATURE)),
    )


def leftward(verbs: Iterable[Verb], adverb: str, values: Mapping[str, float]) -> int:
    """Which way to move an adverb so that a figure turns more to the left: 1 is up, -1 is down.

    The first of `verbs` that turns along the adverb decides, by the slope of its turn rate. Where none does, to raise
    it counts as turning to the right, as a slider drawn to the right is raised.

    Parameters
    ----------
    verbs : those that count, the most important first.
    adverb : the one that is moved.
    values : of all adverbs, by name.
    """
    for verb in verbs:
        if adverb in verb.adverb_names:
            table = steering_table(verb, adverb, adverbs_of(verb, values))
            lean = float(np.dot(table.values - table.values.mean(), table.rates.turn_rate))
            if np.ptp(table.rates.turn_rate) > _LEAST_TURN and lean != 0.0:
                return 1 if lean > 0.0 else -1
    return -1


@lru_cache(maxsize=8)
def standing_verb(graph: VerbGraph, source: str) -> str | None:
    """The verb to stand in after `source`: of those that can be reached and stay where they are, the one moving least.

    Cycles come first. What is no cycle stands only where no transition leads on from it, so that it holds its end.
    Adverbs count in the middle of their ranges.

    Parameters
    ----------
    graph : the verb graph.
    source : verb from which a way must lead there.

    Returns
    -------
    its name, None where no verb stands
    """
    speeds = _speeds(graph, middle_adverbs(graph.verbs))
    bound = STANDS * max(speeds.values())
    lasting = (verb for verb in graph.verbs if verb.cyclic or not graph.leaving[verb.name])
    still = [verb for verb in lasting if speeds[verb.name] <= bound and _leads(graph, source, verb.name)]
    found = min(still, key=lambda verb: (not verb.cyclic, speeds[verb.name], verb.name), default=None)
    return found.name if found is not None else None


def walking_verb(graph: VerbGraph, source: str, adverb: str, stop: str, values: Mapping[str, float]) -> str | None:
    """The verb to set out with from `source`: steered by `adverb`, soonest reached, and left for `stop`; None if none.

    Of several that are as soon reached it is the slowest.
    """
    speeds = _speeds(graph, values)
    least = WALKS * max(speeds.values())
    steered = (verb for verb in graph.verbs if adverb in verb.adverb_names and verb.cyclic and verb.name != stop)
    going = [verb for verb in steered if speeds[verb.name] > least and _leads(graph, verb.name, stop)]
    ways = {verb.name: len(graph.path(source, verb.name)) for verb in going if _leads(graph, source, verb.name)}
    return min(ways, key=lambda name: (ways[name], speeds[name], name), default=None)


def _speeds(graph: VerbGraph, values: Mapping[str, float]) -> dict[str, float]:
    return {verb.name: _speed(verb, values) for verb in graph.verbs}


def _speed(verb: Verb, values: Mapping[str, float]) -> float:
    """Metres a second by which it gets away from where it begins."""
    played = rates(verb, adverbs_of(verb, values))
    return math.hypot(float(played.travel[0]), float(played.travel[1])) / float(played.seconds)


def _leads(graph: VerbGraph, source: str, target: str) -> bool:
    try:
        graph.path(source, target)
    except GraphError:
        return False
    return True
