"""What is still to be played: transitions that were asked for, or one that was drawn ([Rose1998] section 5.2)."""

from collections.abc import Sequence

import numpy as np

from ..errors import GraphError
from ..graph.graph_paths import LEEWAY, ahead
from ..graph.transition import Transition
from ..graph.verb_graph import VerbGraph
from .playing import Playing


class Queue:
    """The execution queue behind the verb that plays; it is never found empty where a way on has to be chosen.

    For a cycle that is once as it is entered and then as each pass begins, for another verb as it is entered.

    Parameters
    ----------
    graph : the verb graph.
    rng : makes the choices, one number for each.
    """

    def __init__(self, graph: VerbGraph, rng: np.random.Generator) -> None:
        self.ways: tuple[Transition, ...] = ()
        self._graph = graph
        self._rng = rng
        self._undecided = True

    def ask(self, source: str, phase: float, target: str, entering: bool) -> None:
        """Plan the way from generic time `phase` of `source`, which plays or is being entered, to `target`.

        Raises
        ------
        GraphError
            If there is none; the queue is then as it was.
        """
        ways = plan(self._graph, source, phase, target, entering)
        goes_on = source == target and not entering and not self._graph.verb(source).cyclic
        if ways or not goes_on:
            self.ways, self._undecided = ways, False

    def entered(self) -> None:
        """A verb has been reached, or begins anew."""
        self._undecided = True

    def due(self, playing: Playing) -> Transition | None:
        """The transition that begins where `playing` is, taken off the queue; chosen now if nothing was asked for."""
        if self._undecided and not self.ways:
            chosen = self._graph.draw(playing.name, playing.phase, self._rng)
            self.ways = () if chosen is None else (chosen,)
        self._undecided = False
        if not self.ways or not begins(self.ways[0], playing):
            return None
        way, self.ways = self.ways[0], self.ways[1:]
        return way

    def next_edge(self, playing: Playing) -> float:
        """Generic time up to which `playing` goes on evenly: its next edge, or where the next transition begins."""
        return edge_before(self.ways, playing)


def begins(way: Transition, playing: Playing) -> bool:
    """Whether the transition begins where `playing` is; one that leaves no cycle may begin late."""
    late = playing.phase - way.leaves.begin
    return late >= 0.0 and (late <= LEEWAY or not playing.now.verb.cyclic)


def edge_before(ways: Sequence[Transition], playing: Playing) -> float:
    """Generic time up to which `playing` goes on evenly, if the first of `ways` is to be taken next."""
    edge = playing.next_edge()
    return ways[0].leaves.begin if ways and playing.phase < ways[0].leaves.begin < edge else edge


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
