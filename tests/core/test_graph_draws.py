"""What a verb graph does when nothing is asked of it: transitions are drawn by their likelihoods."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare
from verbs_adverbs.core.graph.verb_graph import compile_graph

from .small_graphs import cycle, once, way

SEED = 7
DRAWS = 100_000
LEAST_P = 0.001


def _graph():
    """A walk that loops half of the time, and a wave with three ways out."""
    ways = [
        way("walk", "run", likelihood=0.5),
        way("walk", "wave", likelihood=2.5),
        way("walk", "run", (0.6, 0.8), likelihood=0.0),
        way("run", "walk", likelihood=3.0),
        way("wave", "walk", (0.3, 0.4), likelihood=1.0),
        way("wave", "run", (0.5, 0.6), likelihood=2.0),
        way("wave", "walk", (0.9, 1.0), likelihood=1.0),
    ]
    verbs = [cycle("walk"), cycle("run"), once("wave")]
    return compile_graph(verbs, ways, {"walk": 3.0, "run": 0.0})


def _counted(source: str, phase: float) -> Counter:
    graph, rng = _graph(), np.random.default_rng(SEED)
    return Counter(graph.draw(source, phase, rng) for _ in range(DRAWS))


def _expected(source: str, phase: float) -> dict:
    graph = _graph()
    ways = [t for t in graph.leaving[source] if source != "wave" or t.leaves.begin >= phase]
    chances = {None: graph.loops[source]} | {t: t.likelihood for t in ways}
    total = sum(chances.values())
    return {key: DRAWS * chance / total for key, chance in chances.items() if chance > 0.0}


def _assert_as_likely(source: str, phase: float) -> None:
    counts, expected = _counted(source, phase), _expected(source, phase)
    assert counts.keys() == expected.keys()
    assert len(expected) == 1 or chisquare([counts[k] for k in expected], list(expected.values())).pvalue > LEAST_P


def test_a_cycle_goes_on_or_over_as_likely_as_was_said():
    _assert_as_likely("walk", 0.7)


def test_a_cycle_that_never_loops_always_goes_over():
    _assert_as_likely("run", 0.0)


def test_a_verb_that_ends_draws_from_all_its_ways_at_its_beginning():
    _assert_as_likely("wave", 0.0)


def test_a_verb_that_ends_draws_from_the_ways_still_ahead():
    _assert_as_likely("wave", 0.45)
    _assert_as_likely("wave", 0.7)


def test_a_cycle_loops_unless_told_otherwise():
    graph = compile_graph([cycle("walk")], [])
    assert graph.loops == {"walk": 1.0}
    assert {graph.draw("walk", 0.1, np.random.default_rng(i)) for i in range(100)} == {None}


def test_begun_after_its_last_likely_way_a_verb_takes_any_and_after_its_last_none():
    late = [way("wave", "walk", (begin, 0.9), likelihood=0.0) for begin in (0.7, 0.8)]
    graph = compile_graph([cycle("walk"), once("wave")], [way("wave", "walk", (0.3, 0.4)), *late, way("walk", "wave")])
    rng = np.random.default_rng(SEED)
    assert {graph.draw("wave", 0.5, rng) for _ in range(50)} == set(late)
    assert {graph.draw("wave", 0.95, rng) for _ in range(50)} == {None}


@given(st.integers(0, 2**32 - 1))
def test_the_same_seed_draws_the_same_again(seed: int):
    graph = _graph()

    def wander() -> list:
        rng, name, found = np.random.default_rng(seed), "walk", []
        for _ in range(100):
            drawn = graph.draw(name, 0.0, rng)
            name = drawn.target if drawn else name
            found.append(drawn)
        return found

    assert wander() == wander()


@given(st.sampled_from(["walk", "run", "wave"]), st.floats(0.0, 1.0))
def test_every_draw_takes_one_random_number(source: str, phase: float):
    drawn, counted = np.random.default_rng(SEED), np.random.default_rng(SEED)
    graph = _graph()
    for _ in range(5):
        graph.draw(source, phase, drawn)
        counted.random()
    assert drawn.bit_generator.state == counted.bit_generator.state
