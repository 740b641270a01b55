"""Small verbs, made for speed, and graphs of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from verbs_adverbs.core.graph.transition import Region, Transition
from verbs_adverbs.core.graph.verb_graph import VerbGraph, compile_graph
from verbs_adverbs.core.verb.verb import Verb

from .synthetic import some_verb


@cache
def _built(cyclic: bool) -> Verb:
    return some_verb(3, 3, cyclic=cyclic)


def cycle(name: str) -> Verb:
    """A small cyclic verb."""
    return replace(_built(True), name=name)


def once(name: str) -> Verb:
    """A small verb that is not cyclic."""
    return replace(_built(False), name=name)


def way(
    source: str,
    target: str,
    leaves: Sequence[float] = (0.2, 0.4),
    enters: Sequence[float] = (0.0, 0.2),
    likelihood: float = 1.0,
) -> Transition:
    """A transition between the regions `leaves` and `enters`."""
    return Transition(source, target, Region(*leaves), Region(*enters), likelihood)


def random_graph(rng: np.random.Generator, cyclic: bool) -> tuple[VerbGraph, Mapping[str, bool]]:
    """Return a graph of up to ten verbs with random transitions, and for each verb by name whether it is cyclic.

    A performance may begin with any of the verbs. Those that are not cyclic have a transition at their end.
    """
    count = int(rng.integers(2, 11))
    kinds = {f"v{i}": cyclic or bool(rng.random() < 0.5) for i in range(count)}
    kinds["v0"] = True
    verbs = [cycle(name) if kind else once(name) for name, kind in kinds.items()]
    ways = [way(f"v{i}", f"v{(i + 1) % count}", (1.0, 1.0) if not kinds[f"v{i}"] else (0.9, 1.0)) for i in range(count)]
    ways = ways[: -int(rng.integers(1, 3))] if cyclic else ways
    for _ in range(int(rng.integers(0, 2 * count))):
        source, target = (f"v{i}" for i in rng.integers(0, count, 2))
        leaves, enters = (np.sort(np.round(rng.uniform(0.0, 0.9, 2), 2)) + [0.0, 0.01] for _ in range(2))
        ways.append(way(source, target, leaves.tolist(), enters.tolist()))
    return compile_graph(verbs, ways, starts=tuple(kinds)), kinds
