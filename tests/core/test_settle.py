"""Adverbs settle without corners, the same however time is cut, and sweeping them does not jerk the figure."""

import numpy as np
import pytest
from verbs_adverbs.core.figure.channels import world_joints
from verbs_adverbs.core.play.adverb_smoothing import SettlingAdverbs
from verbs_adverbs.core.play.player import AskAdverbs

from .graphs import generated_graph
from .stepping import stepped

RATE = 60.0
SWEEP = 0.5


def test_an_adverb_is_where_it_was_set_after_the_time_given():
    adverbs = SettlingAdverbs({"mood": -1.0}, 0.4)
    adverbs.set({"mood": 3.0})
    adverbs.advance(0.39)
    assert adverbs.moving and 2.99 < adverbs.values["mood"] < 3.0
    adverbs.advance(0.011)
    assert adverbs.values["mood"] == 3.0 and not adverbs.moving


def test_where_an_adverb_is_does_not_depend_on_the_steps():
    rng = np.random.default_rng(3)
    one, other = SettlingAdverbs({"mood": 0.0}, 0.7), SettlingAdverbs({"mood": 0.0}, 0.7)
    for _ in range(50):
        goal, seconds = float(rng.normal()), float(rng.uniform(0.0, 1.0))
        for adverbs, cuts in ((one, 1), (other, 13)):
            adverbs.set({"mood": goal})
            for _ in range(cuts):
                adverbs.advance(seconds / cuts)
        assert abs(one.values["mood"] - other.values["mood"]) < 1e-9


def test_neither_speed_nor_acceleration_jumps_when_the_goal_does():
    """With half the step, the acceleration changes half as much from step to step."""
    largest: list[float] = []
    for step in (1e-3, 5e-4):
        adverbs, found = SettlingAdverbs({"mood": 0.0}, 0.8), [0.0]
        rng = np.random.default_rng(5)
        for index in range(round(4.0 / step)):
            if index % round(0.17 / step) == 0:
                adverbs.set({"mood": float(rng.uniform(-1.0, 1.0))})
            adverbs.advance(step)
            found.append(adverbs.values["mood"])
        largest.append(float(np.abs(np.diff(found, 3)).max()) / step**2)
    assert largest[1] < 0.6 * largest[0]


def test_without_settling_adverbs_jump():
    adverbs = SettlingAdverbs({"mood": 0.0}, 0.0)
    assert adverbs.set({"mood": 1.0}) and adverbs.values["mood"] == 1.0 and not adverbs.moving
    assert not adverbs.set({"mood": 1.0})


def test_an_adverb_that_is_to_be_there_at_once_jumps_whatever_it_was_on_its_way_to():
    adverbs = SettlingAdverbs({"mood": 0.0, "turn": 0.0}, 0.8)
    adverbs.set({"mood": 1.0, "turn": 1.0})
    adverbs.advance(0.2)
    assert adverbs.news({"mood": 1.0}, frozenset({"mood"})) and not adverbs.news({"mood": 1.0})
    assert adverbs.set({"mood": 1.0, "turn": 1.0}, frozenset({"mood"}))
    assert adverbs.values["mood"] == 1.0 and adverbs.values["turn"] < 1.0 and adverbs.moving
    adverbs.advance(0.6)
    assert adverbs.values == {"mood": 1.0, "turn": 1.0} and not adverbs.moving


def test_a_player_that_is_asked_for_an_adverb_at_once_has_it_while_others_settle():
    player = stepped(generated_graph(), "walk", {"mood": 0.0, "turn": 0.0}).player
    for frame in range(1, 40):
        asked = {"mood": 0.02 * frame, "turn": 0.02 * frame}
        player.command(frame / RATE, AskAdverbs(asked, at_once=frozenset({"mood"})))
        player.play(frame / RATE)
        assert player.adverbs["mood"] == asked["mood"]
    assert player.adverbs["turn"] < 0.7 * asked["turn"]


def _changes(rows: list[np.ndarray]) -> float:
    """Largest change of any joint's velocity from frame to frame."""
    joints = world_joints(generated_graph().channels, np.array(rows))
    return float(np.linalg.norm(np.diff(joints, 2, axis=0), axis=-1).max() * RATE)


@pytest.mark.parametrize("adverb", ["mood", "slope", "turn"])
def test_sweeping_an_adverb_from_end_to_end_does_not_jerk_the_figure(adverb: str):
    graph, steady = generated_graph(), 0.0
    for value in np.linspace(-1.0, 1.0, 9):
        place = [float(value) if name == adverb else 0.0 for name in ("mood", "slope", "turn")]
        motion = graph.verb("walk").motion(place)
        steady = max(steady, _changes(list(motion.sample(np.arange(0.0, 2.0 * motion.duration, 1.0 / RATE)))))
    for begin, end in ((-1.0, 1.0), (1.0, -1.0)):
        for wait in range(0, 90, 9):
            player = stepped(graph, "walk", {adverb: begin})
            player.step(wait / RATE)
            rows: list[np.ndarray] = []
            phases: list[float] = []
            for frame in range(100):
                share = min(frame / RATE / SWEEP, 1.0)
                player.set_adverbs({adverb: begin + share * (end - begin)})
                rows.append(player.values())
                phases.append(player.phase)
                player.step(1.0 / RATE)
            assert np.diff(phases).min() > 0.0
            assert _changes(rows) < 1.1 * steady
