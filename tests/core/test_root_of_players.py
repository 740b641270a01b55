"""The root never jumps: over loops, transitions, changing adverbs and commands."""

import numpy as np
import pytest
from verbs_adverbs.core.figure.channels import world_joints
from verbs_adverbs.core.graph.verb_graph import VerbGraph

from .graphs import generated_graph
from .stepping import stepped

RATE = 60.0
MOODS = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.5, 1.0, -1.0), (1.0, 0.0, 1.0))
COMMANDS = {0: "walk", 300: "stand", 420: "wave", 700: "walk"}


def _roots(graph: VerbGraph, rows: list[np.ndarray] | np.ndarray) -> np.ndarray:
    return world_joints(graph.channels, np.array(rows))[:, 0]


def _played(graph: VerbGraph, adverbs: dict[str, float], frames: int = 900) -> np.ndarray:
    """Root (frames, 3) of a performance that stands, walks, stands, waves and walks."""
    player = stepped(graph, "stand", adverbs, origin=(3.0, -2.0, 0.5, 1.0))
    rows: list[np.ndarray] = []
    for frame in range(frames):
        if frame in COMMANDS:
            player.command(COMMANDS[frame])
        rows.append(player.values())
        player.step(1.0 / RATE)
    return _roots(graph, rows)


def _own(graph: VerbGraph, adverbs: dict[str, float], order: int) -> float:
    """Largest step, or change of step, of the root in any verb played alone over a cycle."""
    largest = 0.0
    for verb in graph.verbs:
        motion = verb.motion([adverbs.get(name, 0.0) for name in verb.adverb_names])
        roots = _roots(graph, motion.sample(np.arange(0.0, motion.duration, 1.0 / RATE)))
        largest = max(largest, float(np.linalg.norm(np.diff(roots, order, axis=0), axis=1).max()))
    return largest


def _examples_step(graph: VerbGraph) -> float:
    """Largest step of the root in any example of any verb."""
    largest = 0.0
    for verb in graph.verbs:
        for place in verb.places:
            motion = verb.motion(place)
            roots = _roots(graph, motion.sample(np.arange(0.0, motion.duration, 1.0 / RATE)))
            largest = max(largest, float(np.linalg.norm(np.diff(roots, axis=0), axis=1).max()))
    return largest


@pytest.mark.parametrize("kind", ["blended", "inertialised"])
@pytest.mark.parametrize("mood", MOODS)
def test_no_step_or_jerk_beyond_the_verbs_own(kind: str, mood: tuple[float, float, float]):
    graph = generated_graph(kind)
    adverbs = dict(zip(("mood", "slope", "turn"), mood, strict=True))
    roots = _played(graph, adverbs)
    assert np.linalg.norm(np.diff(roots, axis=0), axis=1).max() < 1.3 * _own(graph, adverbs, 1)
    assert np.linalg.norm(np.diff(roots, 2, axis=0), axis=1).max() < 1.7 * _own(graph, adverbs, 2)


def test_no_step_beyond_the_examples_while_everything_changes():
    graph, rng = generated_graph(), np.random.default_rng(8)
    player = stepped(graph, "stand", seed=1)
    rows: list[np.ndarray] = []
    for frame in range(6000):
        if frame % 45 == 0:
            player.set_adverbs({name: float(rng.uniform(-1.0, 1.0)) for name in ("mood", "slope", "turn", "energy")})
        if frame % 160 == 0:
            player.command(str(rng.choice(["stand", "walk", "wave"])))
        rows.append(player.values())
        player.step(1.0 / RATE)
    steps = np.linalg.norm(np.diff(_roots(graph, rows), axis=0), axis=1)
    assert steps.max() < 1.3 * _examples_step(graph)
    assert np.linalg.norm(rows[-1][:2]) > 5.0


def test_a_walk_in_a_circle_comes_round():
    """Over many loops the path stays the one circle that the verb describes."""
    graph = generated_graph()
    player = stepped(graph, "walk", {"turn": 1.0})
    motion = graph.verb("walk").motion([0.0, 0.0, 1.0])
    for frame in range(1, 2400):
        player.step(1.0 / RATE)
        if frame % 100 == 0:
            assert np.abs(player.values()[:3] - motion.sample(np.array([frame / RATE]))[0, :3]).max() < 1e-6


def test_the_root_begins_at_the_origin():
    graph = generated_graph()
    player = stepped(graph, "stand", origin=(1.0, 2.0, 3.0, 0.5))
    first = graph.verb("stand").motion([]).sample(np.zeros(1))[0]
    assert np.abs(player.values()[:6] - first[:6] - [1.0, 2.0, 0.5, 0.0, 0.0, 3.0]).max() < 1e-6
