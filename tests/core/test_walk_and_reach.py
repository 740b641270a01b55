"""Walking up to something and reaching for it, with the generated walk, stance and reach."""

from functools import cache

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import JOINTS, biped_skeleton
from verbs_adverbs.core.biped.standing import REACH_ADVERBS, REACH_EXAMPLES, REACH_RANGES, REACHING_HAND, reach
from verbs_adverbs.core.errors import GraphError
from verbs_adverbs.core.figure.channels import world_points
from verbs_adverbs.core.graph.transition import Region, Transition
from verbs_adverbs.core.graph.verb_graph import VerbGraph, compile_graph
from verbs_adverbs.core.reach.measures import aim_at_adverbs, end_effector
from verbs_adverbs.core.reach.refine import RefineOptions, refine
from verbs_adverbs.core.steer.goals import ReachThere
from verbs_adverbs.core.steer.steering import Steering
from verbs_adverbs.core.verb.build import build_verb

from .graphs import example_of, generated_graph, generated_transitions, generated_verbs
from .steered import STEP
from .stepping import Stepped, stepped
from .walks import biped_channels

TRIALS = 20
LONGEST = 60.0
"""Seconds after which a figure counts as never having reached."""
NEAR = 0.03
"""Metres from the target that the hand may be: a reach between the examples is off by as much by itself."""
USUAL = (-0.25, -0.51, 1.2)
WAYS = (("stand", "reach", (0.25, 0.35), (0.0, 0.1)), ("reach", "stand", (0.9, 1.0), (0.3, 0.42)))


@cache
def _graph() -> VerbGraph:
    made = [example_of(reach(*place)) for place in REACH_EXAMPLES]
    raw = build_verb("reach", biped_channels(), made, tuple(REACH_ADVERBS), REACH_RANGES)
    joint = JOINTS[REACHING_HAND]
    measure = end_effector(joint, biped_skeleton().tails[joint], float(raw.phrasing.generic[1]))
    reaches = refine(raw, aim_at_adverbs(raw, measure, REACH_ADVERBS), RefineOptions(count=12, samples=300)).verb
    ways = [Transition(a, b, Region(*leaves), Region(*enters), float(a == "reach")) for a, b, leaves, enters in WAYS]
    return compile_graph((*generated_verbs(), reaches), [*generated_transitions(), *ways])


def _goal(place: tuple[float, float, float], verb: str = "reach") -> ReachThere:
    return ReachThere(place, verb, ("x", "y", "z"), USUAL, "stand")


def _hand(player: Stepped) -> np.ndarray:
    skeleton = biped_skeleton()
    joint = JOINTS[REACHING_HAND]
    return world_points(player.graph.channels, player.values()[None], joint, skeleton.tails[joint])[0]


def _reached(player: Stepped, goal: ReachThere) -> tuple[float, list[str], Steering]:
    """Steer until the goal is reached; return how near the hand came, the verbs that played, and the steering."""
    steering, nearest, verbs = Steering("turn"), np.inf, [player.verb]
    steering.ask(goal)
    for index in range(round(LONGEST / STEP)):
        steering.before_step(player.player, index * STEP, STEP)
        player.step(STEP)
        if player.verb != verbs[-1]:
            verbs.append(player.verb)
        if player.verb == goal.verb:
            nearest = min(nearest, float(np.linalg.norm(_hand(player) - goal.place)))
        if steering.arrived:
            return nearest, verbs, steering
    pytest.fail(f"It never reached {goal.place}")


def _target(seed: int) -> tuple[tuple[float, float, float], tuple[float, float, float, float]]:
    """A place for the hand, and x, y, height and heading of a figure to begin with, half a metre to six from it."""
    rng = np.random.default_rng(seed)
    heading, way, away, height = rng.uniform([-3.0, -3.0, 0.5, 1.0], [3.0, 3.0, 6.0, 1.4]).tolist()
    x, y = rng.uniform(-2.0, 2.0, 2).tolist()
    return (x + away * np.cos(way), y + away * np.sin(way), height), (x, y, 0.0, heading)


@pytest.mark.parametrize("settle", (0.3, 0.8))
@pytest.mark.parametrize("seed", range(TRIALS))
def test_it_walks_to_where_the_hand_comes_to_the_target(seed: int, settle: float, tell):
    place, origin = _target(seed)
    first = ("stand", "walk")[seed % 2]
    player = stepped(_graph(), first, origin=origin, settle=settle)
    nearest, verbs, steering = _reached(player, _goal(place))
    assert steering.shortfall is not None
    tell(f"Walk and reach {seed}, settling in {settle} s: hand {100.0 * nearest:.1f} cm off after {player.time:.1f} s")
    assert verbs[-3:] == ["stand", "reach", "stand"]
    assert steering.shortfall.distance < 0.01
    assert nearest < NEAR


def test_who_can_reach_it_already_does_not_walk():
    player = stepped(_graph(), "stand", origin=(1.0, 2.0, 0.0, 0.7))
    there = complex(1.0, 2.0) + complex(-0.2, -0.5) * np.exp(0.7j)
    nearest, verbs, _ = _reached(player, _goal((there.real, there.imag, 1.3)))
    assert verbs == ["stand", "reach", "stand"]
    assert nearest < NEAR


def test_a_target_above_all_reaches_is_neared_and_what_is_missing_told():
    player = stepped(_graph(), "stand")
    nearest, _, steering = _reached(player, _goal((0.5, -3.0, 2.0)))
    assert steering.shortfall is not None
    assert steering.shortfall.distance == pytest.approx(2.0 - REACH_RANGES[2, 1], abs=0.01)
    assert nearest == pytest.approx(2.0 - REACH_RANGES[2, 1], abs=NEAR)


def test_without_a_way_to_the_reach_it_says_so_before_it_sets_out():
    player, steering = stepped(generated_graph(), "stand"), Steering("turn")
    steering.ask(_goal((2.0, 2.0, 1.2), "wave and reach"))
    with pytest.raises(GraphError, match="There is no path from verb 'stand', .* to 'wave and reach'"):
        steering.before_step(player.player, 0.0, STEP)
