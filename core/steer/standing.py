"""Which verbs of a graph stand and which walk: what a figure can stop with, and set out with."""

import math
from collections.abc import Mapping
from functools import lru_cache

from ..errors import GraphError
from ..graph.verb_graph import VerbGraph
from ..play.settle import middle_adverbs
from ..verb.rates import rates
from ..verb.verb import Verb
from .gait import adverbs_of

STANDS, WALKS = 0.05, 0.2
"""Share of the fastest verb's speed up to which a verb stands, and from which on it walks."""


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
