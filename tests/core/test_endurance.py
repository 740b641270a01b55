"""Long performances under random commands and adverbs, also far outside the examples."""

import gc
import tracemalloc
from typing import Literal

import numpy as np
import pytest
from verbs_adverbs.core.graph.verb_graph import VerbGraph

from .graphs import generated_graph, random_graph
from .stepping import Stepped, stepped

RATE = 60.0


def endure(graph: VerbGraph, frames: int, seed: int = 0, clearing: bool = False) -> set[str]:
    """Play `frames` at 60 a second and check every one of them; return the verbs that were played.

    With `clearing`, `gc.collect` is called every 100 frames: nothing else gives back the memory in Python's free lists.
    """
    rng, played = np.random.default_rng(seed), set[str]()
    names = [verb.name for verb in graph.verbs]
    adverbs = sorted({name for verb in graph.verbs for name in verb.adverb_names})
    player = stepped(graph, names[0], seed=seed)
    phase = player.phase
    for frame in range(frames):
        if clearing and frame % 100 == 0:
            gc.collect()
        if rng.random() < 0.02:
            player.command(str(rng.choice(names)))
        if rng.random() < 0.1:
            reach = 10.0 ** float(rng.choice([0.0, 0.0, 1.0, 6.0]))
            player.set_adverbs({str(rng.choice(adverbs)): float(rng.uniform(-reach, reach))})
        player.step(1.0 / RATE)
        values = player.values()
        assert np.isfinite(values).all()
        turns = values[graph.channels.rotation_columns].reshape(-1, 4)
        assert np.abs(np.linalg.norm(turns, axis=1) - 1.0).max() < 1e-5
        assert player.phase > phase or player.happened("transition") or _is_over(player)
        phase = player.phase
        played.add(player.verb)
        player.heard.clear()
    return played


def _is_over(player: Stepped) -> bool:
    """Whether the figure holds the end of a verb that is no cycle."""
    return not player.graph.verb(player.verb).cyclic and player.phase == 1.0


def test_generated_verbs_endure():
    assert endure(generated_graph(), 4_000) == {"stand", "walk", "wave"}


@pytest.mark.long
def test_generated_verbs_endure_for_an_hour():
    assert endure(generated_graph(), 60 * 60 * 60) == {"stand", "walk", "wave"}


@pytest.mark.long
@pytest.mark.parametrize("kind", ["blended", "inertialised"])
@pytest.mark.parametrize("seed", range(2))
def test_random_verbs_endure(seed: int, kind: Literal["blended", "inertialised"]):
    assert endure(random_graph(seed, kind=kind), 4_000, seed) == {"a", "b", "c"}


@pytest.mark.long
def test_memory_does_not_grow():
    graph = generated_graph()
    endure(graph, 1_000)
    tracemalloc.start()
    short, long = (_peak(graph, frames) for frames in (500, 4_000))
    tracemalloc.stop()
    assert long < 1.2 * short


def _peak(graph: VerbGraph, frames: int) -> int:
    gc.collect()
    tracemalloc.reset_peak()
    endure(graph, frames, clearing=True)
    return tracemalloc.get_traced_memory()[1]
