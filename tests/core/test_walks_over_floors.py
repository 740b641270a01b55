"""Over ramps and stairs feet are on the ground where they stand, in transitions and after steps home as well."""

from functools import cache

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from verbs_adverbs.core.feet.foot_locks import FootLocks, locked_rows
from verbs_adverbs.core.feet.footholds_off_edges import Floor
from verbs_adverbs.core.figure.channels import world_joints, world_points
from verbs_adverbs.core.verb.example import Take

from .graphs import generated_graph
from .standing_rows import BALL, CHANNELS, FRAME, gliding, standing
from .stepping import stepped
from .walks import walk_examples

RISE, TREAD = 0.12, 0.36
COMMANDS = {60: "walk", 200: "stand", 330: "walk", 440: "stand", 560: "wave"}
COMES_DOWN = 7
"""Frames in which a point comes to its height after it came to stand."""


def _ramp(places: np.ndarray) -> np.ndarray:
    return -np.tan(np.radians(10.0)) * places[:, 1]


def _stairs(places: np.ndarray) -> np.ndarray:
    return RISE * np.floor(0.5 - places[:, 1] / TREAD)


@cache
def _played(floor: Floor | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, which points stand since long (T, K), and whether any steps home, of walks that begin and end."""
    graph = generated_graph()
    player = stepped(graph, "stand", {"mood": 0.5, "slope": 0.0}, locked=True, floor=floor)
    rows, since, stepping = [], np.zeros(len(graph.points), dtype=int), []
    settled = []
    for frame in range(700):
        if frame in COMMANDS:
            player.command(COMMANDS[frame])
        rows.append(player.values())
        since = np.where([point.name in player.standing for point in graph.points], since + 1, 0)
        settled.append((since > COMES_DOWN) | ((since > 0) & (frame < COMES_DOWN)))
        stepping.append(bool(player.stepping))
        player.step(FRAME)
    return np.array(rows), np.array(settled), np.array(stepping)


@pytest.mark.parametrize("floor", [_ramp, _stairs], ids=["ramp", "stairs"])
def test_points_that_stand_are_on_the_floor(floor: Floor):
    graph = generated_graph()
    rows, settled, stepping = _played(floor)
    clearances = {c.point: c.clearances.mean() for verb in graph.verbs for c in verb.contacts}
    for index, point in enumerate(graph.points):
        places = world_points(graph.channels, rows, point.joint, point.offset)
        over = places[:, 2] - floor(places[:, :2]) - clearances[point.name]
        stands = settled[:, index] & ~stepping
        assert stands.sum() > 300
        assert np.abs(over[stands]).max() < 0.01


@pytest.mark.parametrize("floor", [_ramp, _stairs], ids=["ramp", "stairs"])
def test_the_root_goes_over_floors_about_as_evenly_as_in_the_examples(floor: Floor):
    keyed = max(_bend(_at_frames(example.take)) for example in walk_examples())
    assert _bend(world_joints(CHANNELS, _played(floor)[0])[:, 0]) < 2.5 * keyed


def _at_frames(take: Take) -> np.ndarray:
    """Places (T, 3) of the root of an example, as it was keyed."""
    frames = np.arange(0.0, take.times[-1], FRAME)
    return CubicSpline(take.times, take.root)(frames)


def _bend(root: np.ndarray) -> float:
    """Largest second difference of the root's places (T, 3), metres."""
    return float(np.linalg.norm(np.diff(root, 2, axis=0), axis=1).max())


def test_a_foot_that_steps_home_to_another_stair_stands_on_it():
    def stair(places: np.ndarray) -> np.ndarray:
        return np.where(places[:, 1] < edge, RISE, 0.0)

    _, rows = gliding(standing(), 50)
    first, last = (world_points(CHANNELS, rows[i : i + 1], BALL.joint, BALL.offset)[0] for i in (0, 25))
    edge = 0.5 * (first[1] + last[1])
    locks, lands = FootLocks(CHANNELS, [BALL], stair), np.inf
    made = []
    for index in range(80):
        time, row = index * FRAME, rows[min(index, 25)]
        if index == 0:
            locks.lock(0, time, row, clearance=float(first[2]))
        if index == 30:
            locks.step_home(0, time, row)
            lands = locks.steps[0].end
        if lands <= time and locks.steps:
            locks.come_home(0, lands, row)
        made.append(locked_rows([locks], [[locks.at(np.array([time]))]], row[None])[0])
    landed = np.arange(80) * FRAME >= lands
    assert landed.sum() > 15
    places = world_points(CHANNELS, np.array(made), BALL.joint, BALL.offset)
    assert np.abs(places[1:30, 2] - first[2]).max() < 1e-4
    assert np.abs(places[landed, 2] - first[2] - RISE).max() < 1e-3
    assert np.abs(np.diff(places[:, 2])).max() < 0.03
