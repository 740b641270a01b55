"""The execution queue: transitions that were asked for, or one that was drawn by likelihood ([Rose1998] sec. 5.2)."""

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
"""Seconds that a figure stands before it leaves standing anywhere, since feet that a walk left apart come home
meanwhile, and the most generic time that this may be."""


class Queue:
    """The transitions that are still to be taken after the verb that plays.

    Where nothing is asked for, the way on is drawn by likelihood, once each time a verb is entered or a cycle begins
    anew.

    Parameters
    ----------
    graph : the verb graph.
    rng : makes the choices, with one random number for each.

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
        """Return a queue that goes on by itself, and makes the choices that this one would make."""
        made = Queue(self._graph, self._rng)
        made._is_shared = self._is_shared = True
        made.ways, made._undecided, made._rests_until = self.ways, self._undecided, self._rests_until
        return made

    def ask(self, source: str, phase: float, target: str, entering: bool, label: str = "") -> None:
        """Plan the way to the verb `target`.

        Parameters
        ----------
        source, phase : verb that plays or is being entered, and the generic time from which on it can be left.
        target : verb that is asked for.
        entering : whether the figure is still on its way into `source`.
        label : what complaints call the command; if empty they do not mention it.

        Raises
        ------
        GraphError
            If there is no way; the queue is then as it was.
        """
        rested = phase + rest_after(self._graph.verb(source)) if entering else self._rests_until
        try:
            ways = plan(self._graph, source, phase, target, entering, rested)
        except GraphError as error:
            if not label:
                raise
            raise GraphError(f"The command {label} cannot be followed. {error} Or move the command.") from error
        goes_on = source == target and not entering and not self._graph.verb(source).cyclic
        if ways or not goes_on:
            self.ways, self._undecided = ways, False

    def entered(self, playing: Playing) -> None:
        """Note that a verb has been entered: its way on is to be chosen."""
        self._undecided, self._rests_until = True, playing.phase + rest_after(playing.now.verb)

    def repeated(self) -> None:
        """Note that a cycle begins anew: its way on is to be chosen."""
        self._undecided, self._rests_until = True, self._rests_until - 1.0

    def due(self, playing: Playing) -> Transition | None:
        """Take the transition off the queue that begins where `playing` is, None if none does.

        If nothing was asked for, the way on is drawn here, once after `entered`.
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
    """Whether the transition `way` begins where `playing` is; it may begin late if it leaves no cycle."""
    late = playing.phase - way.leaves.begin
    return late >= 0.0 and (late <= LEEWAY or not playing.now.verb.cyclic)


def edge_before(ways: Sequence[Transition], playing: Playing) -> float:
    """Return the generic time at which `playing` comes to its next edge, or to the first of the planned transitions."""
    edge = playing.next_edge()
    return ways[0].leaves.begin if ways and playing.phase < ways[0].leaves.begin < edge else edge


def plan(
    graph: VerbGraph, source: str, phase: float, target: str, entering: bool, rested: float
) -> tuple[Transition, ...]:
    """Return the transitions from `source` to `target`: the fewest, and of several such plans the soonest to begin.

    A verb that is no cycle and is asked for while it plays is to be played again, by the fewest transitions that lead
    out of it and back; by none if there is no such way, or if it is only just being entered.

    Parameters
    ----------
    graph : the verb graph.
    source, phase : verb and generic time where the figure is, or is coming to.
    target : verb that is asked for.
    entering : whether the figure is still on its way into `source`.
    rested : generic time from which on `source` may be left anywhere; see `RESTS`.

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
    first = max(phase, rested)
    best = min(leading, key=lambda way: (len(way), _wait(phase, way[0].leaving_at(first), cyclic)), default=())
    places = [first, *(way.enters.end + rest_after(graph.verb(way.target)) for way in best)]
    return tuple(way.leaving_at(place) for way, place in zip(best, places, strict=False))


def rest_after(verb: Verb) -> float:
    """Return the generic time after which a verb that was entered may be left anywhere; see `RESTS`."""
    return min(RESTS / verb.duration(verb.places.mean(axis=0)), NEARLY_A_CYCLE)


def _rest(graph: VerbGraph, first: Transition, target: str) -> tuple[Transition, ...]:
    """Return the transitions from where `first` ends to `target`; none if no way leads there."""
    try:
        return graph.path_from(first.target, first.enters.end, target)
    except GraphError:
        return ()


def _wait(phase: float, transition: Transition, cyclic: bool) -> float:
    """Return the generic time that passes from `phase` until `transition` begins."""
    away = transition.leaves.begin - phase
    return (away + LEEWAY) % 1.0 if cyclic else away
