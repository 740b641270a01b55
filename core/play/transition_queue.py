"""The execution queue: transitions that were requested, or one that was drawn by likelihood ([Rose1998] sec. 5.2)."""

import math
from collections.abc import Sequence
from copy import deepcopy

import numpy as np

from ..errors import GraphError
from ..graph.transition import LEEWAY, Transition, ahead
from ..graph.verb_graph import VerbGraph
from ..verb.verb import Verb
from .playing_verb import Playing

RESTS, NEARLY_A_CYCLE = 0.6, 0.9
"""RESTS: seconds that a figure must have stood before it may leave at any time, so that feet that a walk left apart can
step home first. NEARLY_A_CYCLE: the longest such wait in generic time."""


class Queue:
    """The transitions still to be taken after the playing verb.

    Without a command, the next transition is drawn by likelihood, once each time a verb is entered or a cycle begins
    again.

    Parameters
    ----------
    graph : the verb graph.
    rng : random generator for choices, one number per choice.

    Attributes
    ----------
    ways : the plan, the next transition first.
    """

    def __init__(self, graph: VerbGraph, rng: np.random.Generator) -> None:
        self.ways: tuple[Transition, ...] = ()
        self._graph = graph
        self._rng, self._is_shared = rng, False
        self._undecided = True
        self._rests_until = -math.inf

    def copy(self) -> "Queue":
        """Return an independent copy that makes the same choices."""
        made = Queue(self._graph, self._rng)
        made._is_shared = self._is_shared = True
        made.ways, made._undecided, made._rests_until = self.ways, self._undecided, self._rests_until
        return made

    def ask(self, source: str, phase: float, target: str, entering: bool, label: str = "") -> None:
        """Plan the path to the verb `target`.

        Parameters
        ----------
        source : verb that plays or is being entered.
        phase : generic time from which that verb can be left.
        target : requested verb.
        entering : whether `source` is still being entered.
        label : description of the command in errors; omitted if empty.

        Raises
        ------
        GraphError
            If there is no path; the queue is then unchanged.
        """
        rested = phase + rest_after(self._graph.verb(source)) if entering else self._rests_until
        try:
            ways = plan_transitions(self._graph, source, phase, target, entering, rested)
        except GraphError as error:
            if not label:
                raise
            raise GraphError(f"The command {label} cannot be followed. {error} Or move the command.") from error
        goes_on = source == target and not entering and not self._graph.verb(source).cyclic
        if ways or not goes_on:
            self.ways, self._undecided = ways, False

    def entered(self, playing: Playing) -> None:
        """Record that a verb was entered, so that its next transition is chosen."""
        self._undecided, self._rests_until = True, playing.phase + rest_after(playing.now.verb)

    def repeated(self) -> None:
        """Record that a cycle begins again, so that its next transition is chosen."""
        self._undecided, self._rests_until = True, self._rests_until - 1.0

    def due(self, playing: Playing) -> Transition | None:
        """Take from the queue, and return, the transition that begins at the position of `playing`; None if none does.

        Without a command, the next transition is drawn here, once after `entered`.
        """
        if self._undecided and not self.ways:
            if self._is_shared:
                self._rng, self._is_shared = deepcopy(self._rng), False
            chosen = self._graph.draw(playing.name, playing.phase, self._rng)
            self.ways = () if chosen is None else (chosen,)
        self._undecided = False
        if not self.ways or not begins(self.ways[0], playing):
            return None
        way, self.ways = self.ways[0], self.ways[1:]
        return way


def begins(way: Transition, playing: Playing) -> bool:
    """Return whether the transition `way` begins at the position of `playing`, or late if its verb is not a cycle."""
    late = playing.phase - way.leaves.begin
    return late >= 0.0 and (late <= LEEWAY or not playing.now.verb.cyclic)


def edge_before(ways: Sequence[Transition], playing: Playing) -> float:
    """Return the generic time at which `playing` reaches its next edge, or the first planned transition."""
    edge = playing.next_edge()
    return ways[0].leaves.begin if ways and playing.phase < ways[0].leaves.begin < edge else edge


def plan_transitions(
    graph: VerbGraph, source: str, phase: float, target: str, entering: bool, rested: float
) -> tuple[Transition, ...]:
    """Return the transitions from `source` to `target`: the fewest, and of several such plans the soonest to begin.

    A verb that is not a cycle and is requested while it plays is played again, by the fewest transitions out of it and
    back. No transition is returned if there is no such path, or if the verb is still being entered.

    Parameters
    ----------
    graph : the verb graph.
    source : verb that plays, or is being entered.
    phase : its generic time.
    target : requested verb.
    entering : whether `source` is still being entered.
    rested : generic time from which `source` may be left at any time; see `RESTS`.

    Raises
    ------
    GraphError
        If no path leads there.
    """
    cyclic = graph.verb(source).cyclic
    again = source == target and not cyclic and not entering
    if not again and not graph.path_from(source, phase, target):
        return ()
    ways = [(first, *_rest(graph, first, target)) for first in ahead(graph.leaving[source], phase, cyclic)]
    leading = [way for way in ways if way[-1].target == target]
    first = max(phase, rested)
    best = min(leading, key=lambda way: (len(way), _wait(phase, way[0].leaving_at(first), cyclic)), default=())
    places = [first, *(way.enters.end + rest_after(graph.verb(way.target)) for way in best)]
    return tuple(way.leaving_at(place) for way, place in zip(best, places, strict=False))


def rest_after(verb: Verb) -> float:
    """Return the generic time after entering a verb from which it may be left at any time; see `RESTS`."""
    return min(RESTS / verb.duration(verb.places.mean(axis=0)), NEARLY_A_CYCLE)


def _rest(graph: VerbGraph, first: Transition, target: str) -> tuple[Transition, ...]:
    """Return the transitions from the end of `first` to `target`; empty if no path leads there."""
    try:
        return graph.path_from(first.target, first.enters.end, target)
    except GraphError:
        return ()


def _wait(phase: float, transition: Transition, cyclic: bool) -> float:
    """Return the generic time that passes from `phase` until `transition` begins."""
    away = transition.leaves.begin - phase
    return (away + LEEWAY) % 1.0 if cyclic else away
