"""What a command makes of the queue of transitions ([Rose1998] section 5.2)."""

from ..errors import GraphError
from .graph_paths import LEEWAY, ahead
from .transition import Transition
from .verb_graph import VerbGraph


def plan(graph: VerbGraph, source: str, phase: float, target: str, entering: bool) -> tuple[Transition, ...]:
    """Transitions from generic time `phase` of `source` to `target`: the fewest, of these the soonest to begin.

    A verb that is no cycle and is asked for while it plays is to be played again: the fewest transitions that lead out
    of it and back; none if there is no such way, or if it is only just being entered.

    Parameters
    ----------
    graph : the verb graph.
    source, phase : where the figure is, or is coming to.
    target : the verb that is asked for.
    entering : whether the figure is still on its way into `source`.

    Raises
    ------
    GraphError
        If no way leads there.
    """
    cyclic = graph.verb(source).cyclic
    again = source == target and not cyclic and not entering
    if not again and not graph.path_from(source, phase, target):
        return ()
    ways = [(first, *_rest(graph, first, target)) for first in ahead(graph.leaving[source], phase, cyclic)]
    leading = [way for way in ways if way[-1].target == target]
    return min(leading, key=lambda way: (len(way), _wait(phase, way[0], cyclic)), default=())


def _rest(graph: VerbGraph, first: Transition, target: str) -> tuple[Transition, ...]:
    try:
        return graph.path_from(first.target, first.enters.end, target)
    except GraphError:
        return ()


def _wait(phase: float, transition: Transition, cyclic: bool) -> float:
    """Generic time until `transition` begins."""
    away = transition.leaves.begin - phase
    return (away + LEEWAY) % 1.0 if cyclic else away
