"""A foot that stands on a slope keeps to it the angle that it has to level ground."""

from functools import cache

import numpy as np
import pytest
from verbs_adverbs.core.feet.footholds_off_edges import STEEPEST, Sole, up_from
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import world_frames
from verbs_adverbs.core.figure.vector_components import UP, arc

from .graphs import generated_graph
from .stepping import stepped

SOLE = Sole(behind=0.15, before=0.07)
FRAME = 1.0 / 60.0
COMMANDS = {60: "walk", 330: "stand"}
GRADE = float(np.tan(np.radians(10.0)))
SLOPES = [(0.0, -GRADE), (0.0, GRADE), (GRADE, 0.0), (0.0, 0.0)]


@cache
def _played(slope: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Rotations of both feet (T, 2, 4), and which points stand (T, 2), on a floor of that slope."""
    graph = generated_graph()
    player = stepped(graph, "stand", locked=True, floor=lambda places: places @ slope)
    rows, standing = [], []
    for frame in range(420):
        if frame in COMMANDS:
            player.command(COMMANDS[frame])
        rows.append(player.values())
        standing.append([point.name in player.standing for point in graph.points])
        player.step(FRAME)
    ankles = graph.channels.skeleton.parents[[point.joint for point in graph.points]]
    return world_frames(graph.channels, np.array(rows))[1][:, ankles], np.array(standing)


@pytest.mark.parametrize("slope", SLOPES[:3], ids=["up", "down", "across"])
def test_feet_that_stand_lie_on_a_slope_as_they_do_on_level_ground(slope: tuple[float, float]):
    (feet, standing), (level, _) = _played(slope), _played((0.0, 0.0))
    tilt = np.array(arc(UP, (-slope[0], -slope[1], 1.0)))
    away = np.degrees(quat.angle_between(quat.multiply(tilt, level), feet))[standing]
    assert len(away) > 400
    assert np.median(away) < 1.0
    assert away.max() < 5.0


@pytest.mark.parametrize("slope", SLOPES, ids=["up", "down", "across", "level"])
def test_what_is_up_for_a_foot_is_square_to_the_slope(slope: tuple[float, float]):
    up = up_from(lambda places: places @ slope, np.array([0.3, 1.2]), np.array([0.6, -0.8]), SOLE)
    assert up == pytest.approx((-slope[0], -slope[1], 1.0), abs=1e-12)


def test_the_edges_of_stairs_do_not_turn_a_foot():
    for place in np.linspace(0.0, 0.36, 19):
        for along in ([0.0, -1.0], [0.6, -0.8], [1.0, 0.0]):
            stairs = np.array([0.0, -place]), np.array(along)
            assert up_from(lambda places: 0.12 * np.floor(-places[:, 1] / 0.36), *stairs, SOLE) == UP


def test_a_foot_is_turned_by_no_more_than_an_ankle_can():
    x, y, _ = up_from(lambda places: 3.0 * places[:, 0], np.zeros(2), np.array([0.0, 1.0]), SOLE)
    assert (x, y) == pytest.approx((-STEEPEST, 0.0))
