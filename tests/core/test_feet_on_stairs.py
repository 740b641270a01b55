"""On stairs feet are put down wholly on a tread, and pass over its edge."""

from functools import cache

import numpy as np
import pytest
from verbs_adverbs.core.feet.footholds_off_edges import Floor, Sole, foothold
from verbs_adverbs.core.feet.swing_curve import Arch, arch_at, pegs_over
from verbs_adverbs.core.figure.channels import world_points

from .graphs import generated_graph
from .stepping import stepped

RISE, TREAD = 0.12, 0.36
SOLE = Sole(behind=0.15, before=0.07)
FRAME = 1.0 / 60.0
STAIRS = [(1.0, 0.0), (1.0, 0.15), (-1.0, 0.0), (0.25, 0.0), (-0.2, 0.1)]
STARTED = 120
"""Frames after which it walks: where it stood at first was not its choice."""


def _stairs(up: float, aside: float = 0.0) -> Floor:
    """Stairs of the same treads up or down along -Y, the first edge a little `aside`."""
    return lambda places: up * RISE * np.floor((aside - places[:, 1]) / TREAD)


@cache
def _played(up: float, aside: float) -> tuple[np.ndarray, np.ndarray]:
    """Rows of a walk along -Y, and which points stand (T, K)."""
    graph = generated_graph()
    player = stepped(graph, "walk", locked=True, floor=_stairs(up, aside))
    rows, standing = [], []
    for _ in range(STARTED + 480):
        rows.append(player.values())
        standing.append([point.name in player.standing for point in graph.points])
        player.step(FRAME)
    return np.array(rows)[STARTED:], np.array(standing)[STARTED:]


def _balls_and_tips(rows: np.ndarray, point: int) -> tuple[np.ndarray, np.ndarray]:
    graph = generated_graph()
    joint = graph.points[point].joint
    tail = graph.channels.skeleton.tails[joint]
    return world_points(graph.channels, rows, joint, np.zeros(3)), world_points(graph.channels, rows, joint, tail)


@pytest.mark.parametrize(("up", "aside"), STAIRS)
def test_a_foot_that_walks_on_stairs_stands_on_one_tread_with_ball_and_toes(up: float, aside: float):
    floor, (rows, standing) = _stairs(up, aside), _played(up, aside)
    stood = 0
    for point in range(2):
        ball, tip = _balls_and_tips(rows, point)
        halfway = ball + 0.5 * (tip - ball)
        down = standing[:, point]
        stood += int((np.diff(down.astype(int)) > 0).sum())
        assert np.abs(floor(halfway[down, :2]) - floor(ball[down, :2])).max() < 1e-9
        assert (floor(tip[down, :2]) - floor(ball[down, :2])).max() < 1e-9
    assert stood >= 12


@pytest.mark.parametrize(("up", "aside"), STAIRS)
def test_a_foot_that_swings_passes_over_the_edges_of_stairs(up: float, aside: float):
    floor, (rows, standing) = _stairs(up, aside), _played(up, aside)
    for point in range(2):
        swings = ~standing[:, point]
        for places in _balls_and_tips(rows, point):
            assert (floor(places[swings, :2]) - places[swings, 2]).max() < 0.03


@pytest.mark.parametrize("up", [1.0, 0.25])
def test_a_foothold_is_as_near_as_the_edges_allow(up: float):
    along = np.array([0.0, -1.0])
    for start in np.arange(0.0, TREAD, 0.02):
        place = np.array([0.0, -start])
        landed = place + foothold(_stairs(up), place, along, SOLE, 0.2, None)
        tip, middle = landed + SOLE.before * along, landed - 0.4 * SOLE.behind * along
        heights = _stairs(up)(np.array([tip, landed, middle]))
        assert heights.tolist() == pytest.approx([up * RISE * (landed[1] < -TREAD)] * 3)
        if 0.08 < start < 0.18:
            assert np.array_equal(landed, place)


def test_a_foothold_stays_on_the_tread_that_it_was_on_where_both_are_as_near():
    along, place = np.array([0.0, -1.0]), np.array([0.0, -0.005])
    for kept in (-0.3, 0.3):
        landed = place + foothold(_stairs(1.0), place, along, SOLE, 0.2, place + np.array([0.0, 0.5 * kept]))
        assert np.sign(landed[1] - place[1]) == np.sign(kept)


def test_on_slopes_feet_are_not_moved():
    place = np.array([0.3, -0.2])
    for grade in (0.0, 0.3, 0.8):
        moved = foothold(
            lambda places, g=grade: g * (places[:, 0] - places[:, 1]), place, np.array([0.6, 0.8]), SOLE, 0.2, None
        )
        assert np.array_equal(moved, np.zeros(2))


@pytest.mark.parametrize("seed", range(5))
def test_an_arch_passes_over_everything_and_is_pushed_only_upwards(seed: int):
    rng = np.random.default_rng(seed)
    shares = np.arange(1, 12) / 12.0
    missing = rng.uniform(-0.2, 0.3, 11) * 16.0 * (shares * (1.0 - shares)) ** 2
    pegs = pegs_over(shares, missing)
    arch = Arch(0.0, 1.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), pegs)
    assert all(force > 0.0 for _, force in pegs)
    assert (arch_at(arch, shares)[2] - missing).min() > -1e-6
    ends = arch_at(arch, np.array([0.0, 1e-4, 1.0 - 1e-4, 1.0]))[2]
    assert np.abs(ends).max() < 1e-4


@pytest.mark.parametrize("seed", [5, 7])
def test_adverbs_that_differ_by_next_to_nothing_change_next_to_nothing(seed: int):
    """Keys of a take hold single precision; what is played from them must be what was performed."""
    rows = [_stepping(seed, factor) for factor in (1.0, 1.0 + 1e-6, 1.0 - 1e-6)]
    assert max(np.abs(other - rows[0]).max() for other in rows[1:]) < 1e-4


def _stepping(seed: int, factor: float) -> np.ndarray:
    """Rows of a walk up stairs that comes to stand and waves, while adverbs are asked for at random."""
    rng, graph = np.random.default_rng(seed), generated_graph()
    player = stepped(graph, "walk", settle=0.3, locked=True, floor=_stairs(1.0))
    rows: list[np.ndarray] = []
    for frame in range(240):
        if frame % 40 == 10:
            player.set_adverbs({name: factor * rng.uniform(-1.0, 1.0) for name in ("mood", "slope", "turn")})
        if frame in (50, 150):
            player.command("stand" if frame == 50 else "wave")
        rows.append(player.values())
        player.step(1.0 / 30.0)
    return np.array(rows)
