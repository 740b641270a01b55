"""Paths through verb graphs: the fewest transitions, always the same ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import shortest_path
from verbs_adverbs.core.errors import GraphError
from verbs_adverbs.core.graph.transition import Transition
from verbs_adverbs.core.graph.verb_graph import VerbGraph, compile_graph

from .small_graphs import cycle, once, random_graph, way

SEED = 20_260_101
GRAPHS = 1000


def _length(graph: VerbGraph, source: str, phase: float, target: str) -> float:
    """Number of transitions, infinite where there is no way."""
    try:
        return float(len(graph.path_from(source, phase, target)))
    except GraphError:
        return float("inf")


def _distances(count: int, edges: list[tuple[int, int]]) -> np.ndarray:
    rows, columns = np.array(edges, dtype=np.intp).reshape(-1, 2).T
    return shortest_path(coo_array((np.ones(len(edges)), (rows, columns)), (count, count)).tocsr(), unweighted=True)


@pytest.mark.long
def test_paths_of_cycles_are_as_long_as_those_of_scipy():
    rng = np.random.default_rng(SEED)
    unreachable = 0
    for _ in range(GRAPHS):
        graph, _ = random_graph(rng, cyclic=True)
        names = [verb.name for verb in graph.verbs]
        edges = [(names.index(t.source), names.index(t.target)) for t in graph.transitions]
        wanted = _distances(len(names), edges)
        found = [[_length(graph, one, 0.5, other) for other in names] for one in names]
        assert np.array_equal(found, wanted)
        unreachable += int(np.isinf(wanted).sum())
    assert unreachable > GRAPHS


def _scipy_over_transitions(graph: VerbGraph, cyclic: dict[str, bool], phase: float) -> np.ndarray:
    """Distances between verbs where what follows on a transition must begin after it, in a graph of transitions."""
    names, ways = [verb.name for verb in graph.verbs], graph.transitions

    def comes(t: Transition, after: float) -> bool:
        return cyclic[t.source] or t.leaves.begin >= after

    count = len(ways) + 2 * len(names)
    edges = [
        (i, j) for i, a in enumerate(ways) for j, b in enumerate(ways)
        if a.target == b.source and comes(b, a.enters.end)
    ]  # fmt: skip
    for index, t in enumerate(ways):
        if comes(t, phase):
            edges.append((len(ways) + names.index(t.source), index))
        edges.append((index, len(ways) + len(names) + names.index(t.target)))
    found = _distances(count, edges)[len(ways) : len(ways) + len(names), len(ways) + len(names) :] - 1.0
    np.fill_diagonal(found, 0.0)
    return found


def test_paths_through_verbs_that_end_are_as_long_as_those_of_scipy_over_transitions():
    rng = np.random.default_rng(SEED + 1)
    longer = 0
    for _ in range(GRAPHS // 4):
        graph, cyclic = random_graph(rng, cyclic=False)
        names = [verb.name for verb in graph.verbs]
        phase = float(np.round(rng.uniform(0.0, 0.9), 2))
        found = np.array([[_length(graph, one, phase, other) for other in names] for one in names])
        assert np.array_equal(found, _scipy_over_transitions(graph, dict(cyclic), phase))
        edges = [(names.index(t.source), names.index(t.target)) for t in graph.transitions]
        longer += int((found > _distances(len(names), edges)).sum())
    assert longer > 10


@settings(max_examples=50)
@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_the_order_in_which_things_are_added_does_not_matter(seed: int, shuffler):
    graph, cyclic = random_graph(np.random.default_rng(seed), cyclic=False)
    verbs, ways = list(graph.verbs), list(graph.transitions)
    shuffler.shuffle(verbs)
    shuffler.shuffle(ways)
    again = compile_graph(verbs, ways, starts=tuple(cyclic))
    assert [verb.name for verb in again.verbs] == [verb.name for verb in graph.verbs]
    assert again.transitions == graph.transitions
    for one in cyclic:
        for other in cyclic:
            length = _length(graph, one, 0.0, other)
            assert _length(again, one, 0.0, other) == length
            assert length == float("inf") or again.path(one, other) == graph.path(one, other)
        draws = [[g.draw(one, 0.0, np.random.default_rng(i)) for i in range(20)] for g in (graph, again)]
        assert draws[0] == draws[1]


def _every_path(graph: VerbGraph, source: str, target: str, length: int) -> list[tuple[Transition, ...]]:
    ways = [(t,) for t in graph.leaving[source]]
    for _ in range(length - 1):
        ways = [(*w, t) for w in ways for t in graph.leaving[w[-1].target]]
    return [w for w in ways if w[-1].target == target]


def test_of_equally_short_paths_the_one_that_sorts_first_is_taken():
    rng = np.random.default_rng(SEED + 2)
    ties = 0
    for _ in range(100):
        graph, cyclic = random_graph(rng, cyclic=True)
        for one in cyclic:
            for other in cyclic:
                length = _length(graph, one, 0.0, other)
                if one != other and length <= 4:
                    every = _every_path(graph, one, other, int(length))
                    assert graph.path(one, other) == min(every)
                    ties += len(every) > 1
    assert ties > 100


def test_the_way_from_a_verb_to_itself_is_empty():
    graph = compile_graph([cycle("a"), cycle("b")], [way("a", "b"), way("b", "a"), way("a", "a")])
    assert graph.path("a", "a") == ()


def test_a_verb_that_ends_is_left_by_transitions_still_ahead():
    early, late, back = way("wave", "run", (0.2, 0.3)), way("wave", "walk", (0.6, 0.8)), way("walk", "run")
    others = [way("walk", "wave"), way("run", "walk")]
    graph = compile_graph([cycle("walk"), cycle("run"), once("wave")], [early, late, back, *others])
    assert graph.path_from("wave", 0.2, "run") == (early,)
    assert graph.path_from("wave", 0.21, "run") == (late, back)
    with pytest.raises(GraphError, match="from verb 'wave' after generic time 0.90 to verb 'run'"):
        graph.path_from("wave", 0.9, "run")


def test_a_verb_that_cannot_be_reached_is_an_error_that_names_both_ends():
    graph = compile_graph([cycle("walk"), cycle("fall")], [way("walk", "fall")], starts=["walk"])
    with pytest.raises(GraphError, match=r"There is no path from verb 'fall' to verb 'walk'\. Add a transition"):
        graph.path("fall", "walk")


@pytest.mark.parametrize("ends", [("walk", "fly"), ("fly", "walk")])
def test_a_verb_that_is_not_there_is_an_error_that_names_those_that_are(ends: tuple[str, str]):
    graph = compile_graph([cycle("walk"), cycle("run")], [way("walk", "run"), way("run", "walk")])
    with pytest.raises(GraphError, match="no verb 'fly'. Choose one of 'run', 'walk'"):
        graph.path(*ends)
