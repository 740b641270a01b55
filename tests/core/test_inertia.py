"""An inertialised transition breaks off neither the pose nor its speed."""

import numpy as np
import pytest
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import world_joints
from verbs_adverbs.core.graph.verb_graph import VerbGraph
from verbs_adverbs.core.play.inertialisation import rate_of_vector

from .graphs import random_graph
from .stepping import Stepped, stepped


def _player(graph: VerbGraph, settles: bool) -> Stepped:
    """A player that is to go from a to b; its adverbs are at rest, or on their way for long."""
    player = stepped(graph, "a", {"mood": 0.2, "slope": 0.4}, settle=10.0)
    player.command("b")
    if settles:
        player.set_adverbs({"mood": -5.0, "slope": 6.0})
    return player


def _around_switch(graph: VerbGraph, step: float, settles: bool) -> np.ndarray:
    """Joints (41, J, 3) every `step` seconds, the switch from a to b in the middle."""
    scout, player = _player(graph, settles), _player(graph, settles)
    scout.step(3.0)
    switch = next(one.time for one in scout.heard if one.kind == "transition")
    player.step(switch - 20.0 * step)
    rows = [player.values()]
    for _ in range(40):
        player.step(step)
        rows.append(player.values())
    assert player.verb == "b"
    return world_joints(graph.channels, np.array(rows))


@pytest.mark.parametrize("settles", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_pose_and_velocity_go_on_over_the_switch(seed: int, settles: bool):
    """With half the step, joints move half as far from row to row, and change their speed half as much."""
    graph = random_graph(seed, kind="inertialised")
    sizes: list[tuple[float, float]] = []
    for step in (0.002, 0.001):
        joints = _around_switch(graph, step, settles)
        steps, bends = (np.linalg.norm(np.diff(joints, order, axis=0), axis=-1) for order in (1, 2))
        sizes.append((float(steps[18:22].max()), float(bends[17:22].max() / step)))
    assert sizes[1][0] < 0.6 * sizes[0][0]
    assert sizes[1][1] < 0.6 * sizes[0][1]


def test_a_blended_cut_would_not_pass():
    """The same measure sees the jump of pose between the verbs themselves."""
    graph = random_graph(1, kind="inertialised")
    way = next(t for t in graph.transitions if (t.source, t.target) == ("a", "b"))
    poses = [
        graph.verb(name).motion([0.2, 0.4]).sample_phases(np.array([region.begin]))
        for name, region in (("a", way.leaves), ("b", way.enters))
    ]
    joints = [world_joints(graph.channels, np.concatenate([np.zeros((1, 3)), pose[:, 3:]], axis=1)) for pose in poses]
    assert np.linalg.norm(joints[0] - joints[1], axis=-1).max() > 0.05


def test_the_new_verb_is_reached_exactly():
    graph = random_graph(2, kind="inertialised")
    player = stepped(graph, "a", seed=3)
    player.command("b")
    while player.verb != "b" or player.transition is not None:
        player.step(0.01)
    player.command("b")
    player.step(0.6)
    wanted = graph.verb("b").motion([0.0, 0.0]).sample_phases(np.array([player.phase]))[0]
    assert player.transition is None
    assert np.abs(player.values()[3:] - wanted[3:]).max() < 1e-5


def test_rotation_vectors_change_as_spins_turn_them():
    rng = np.random.default_rng(4)
    vectors, spins = rng.normal(size=(50, 3)), rng.normal(size=(50, 3))
    vectors[0] = 0.0
    step = 1e-6
    turned = [quat.log(quat.multiply(quat.exp(sign * step * spins), quat.exp(vectors))) for sign in (-1.0, 1.0)]
    wanted = (turned[1] - turned[0]) / (2.0 * step)
    near = np.linalg.norm(vectors, axis=-1) < 3.0
    assert np.abs(rate_of_vector(vectors, spins) - wanted)[near].max() < 1e-6
