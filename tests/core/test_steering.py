"""Going towards points and along curves on the generated walk."""

import math
from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.errors import VerbError
from verbs_adverbs.core.graph.transition import Transition
from verbs_adverbs.core.graph.verb_graph import compile_graph
from verbs_adverbs.core.steer.gait import Limits, leftward
from verbs_adverbs.core.steer.goals import StandOnMark, TowardsPoint, along_points
from verbs_adverbs.core.steer.steering import Steering

from .graphs import generated_transitions, generated_verbs, walk_turned_by
from .steered import FRONT, STEP, steer, walker
from .stepping import stepped

AROUND = [(0.0, -6.0), (4.0, -4.0), (-5.0, 0.0), (0.0, 5.0), (0.8, -0.3), (-0.8, 0.1), (0.0, 0.6)]
"""Ahead, aside, behind; and within the tightest turn, whose radius is 1.3 m."""
LIMITS = Limits()


def _s_shape(bend: float) -> np.ndarray:
    """Ten metres of an S that begins where the biped walks, bent by up to `bend` radians a metre."""
    way = np.linspace(0.0, 10.0, 401)
    course = FRONT + bend * 10.0 / (2.0 * np.pi) * (1.0 - np.cos(2.0 * np.pi * way / 10.0))
    middle = 0.5 * (course[1:] + course[:-1])
    steps = np.stack([np.cos(middle), np.sin(middle)], axis=1) * 0.025
    return np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])


@pytest.mark.parametrize("settle", [0.0, 0.3])
@pytest.mark.parametrize("point", AROUND, ids=str)
def test_a_figure_turns_to_a_point_arrives_and_goes_straight_on(point: tuple[float, float], settle: float):
    player, steering = walker(settle=settle), Steering("turn")
    steering.ask(TowardsPoint(point, once=True))
    played = steer(player, steering, 500)
    away = np.hypot(*(played[:, :2] - point).T)
    assert steering.arrived and away.min() < 0.3
    assert away[-1] > away[-60] and abs(played[-1, 2] - played[-60, 2]) < 0.05


def test_it_faces_the_point_long_before_it_is_there():
    player, steering = walker(), Steering("turn")
    steering.ask(TowardsPoint((8.0, 0.0)))
    played = steer(player, steering, 120)
    bearing = np.arctan2(-played[90:, 1], 8.0 - played[90:, 0])
    assert np.abs(np.angle(np.exp(1j * (played[90:, 2] + FRONT - bearing)))).max() < np.radians(3.0)


@pytest.mark.parametrize(
    ("where", "nearest", "farthest"),
    [
        (lambda t: (0.5 * t, -2.0 - 0.9 * t), 0.2, 0.6),
        (lambda t: (3.0 * math.cos(0.25 * t), 3.0 * math.sin(0.25 * t)), 0.2, 0.6),
        (lambda t: (0.0, -3.0 - 1.6 * t), 0.2, 0.6),
    ],
    ids=["slowly away", "in a circle", "fast away"],
)
def test_a_moving_point_is_followed_within_reach(where, nearest: float, farthest: float):
    player, steering = walker(), Steering("turn")
    steering.ask(TowardsPoint(where))
    played = steer(player, steering, 900)
    goals = np.array([where((index + 1) * STEP) for index in range(900)])
    away = np.hypot(*(played - np.pad(goals, ((0, 0), (0, 6))))[:, :2].T)[450:]
    assert nearest < away.min() and away.max() < farthest


@pytest.mark.parametrize("mood", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("bend", [0.35, 0.65])
def test_the_root_stays_near_a_curve_and_the_heading_follows(mood: float, bend: float):
    player, steering = walker({"mood": mood}), Steering("turn")
    points = _s_shape(bend)
    steering.ask(along_points(points))
    played: list[np.ndarray] = []
    while not steering.arrived:
        played.append(steer(player, steering, 1, len(played))[0])
        assert len(played) < 700
    path = np.array(played)[:-2]
    distances = np.abs((path[:, 0] + 1j * path[:, 1])[:, None] - (points[:, 0] + 1j * points[:, 1]))
    course = np.unwrap(np.angle(np.diff(points[:, 0] + 1j * points[:, 1])))
    off = path[:, 2] + FRONT - course[np.minimum(distances.argmin(axis=1), 399)]
    assert distances.min(axis=1).mean() < 0.02
    assert distances.min(axis=1).max() < 0.05
    assert np.degrees(np.abs(off)).max() < 5.0


@pytest.mark.parametrize("seed", range(6))
def test_where_adverbs_settle_slowly_a_figure_does_not_swing_about_a_curve_and_stops_at_its_end(seed: int):
    """It stops when it comes there, and makes no round first."""
    rng, along = np.random.default_rng(seed), np.linspace(0.0, 1.0, 200)
    bow, swing, aside, length = rng.uniform((-0.5, -0.4, -1.5, 5.0), (0.5, 0.4, 1.5, 10.0))
    x = bow * np.sin(np.pi * along) + swing * np.sin(2.0 * np.pi * along) + aside * along**2
    points = np.stack([x, -length * along], axis=1)
    player, steering = walker(settle=0.8), Steering("turn")
    steering.ask(along_points(points, stop="stand"))
    path: list[complex] = []
    while not steering.arrived:
        steer(player, steering, 1, len(path))
        path.append(complex(*player.travel[:2]))
        assert len(path) * STEP < np.hypot(*np.diff(points, axis=0).T).sum() / 1.24 + 3.0
    off = np.abs(np.array(path)[:, None] - (points[:, 0] + 1j * points[:, 1])).min(axis=1)
    assert off.max() < 0.25 and off[-1] < 0.05


def test_a_curve_that_crosses_itself_is_gone_along_in_order():
    turns = np.linspace(0.0, 2.0 * np.pi, 200)
    points = 3.0 * np.stack([np.sin(turns), -np.sin(turns) * np.cos(turns) - 1e-3 * turns], axis=1)
    player, steering = walker(origin=(0.0, 0.0, 0.0, 0.25 * np.pi)), Steering("turn")
    steering.ask(along_points(points))
    passed: list[float] = []
    while not steering.arrived:
        steer(player, steering, 1, len(passed))
        passed.append(steering.along)
        assert len(passed) < 900
    assert np.diff(passed).min() > -0.05 and np.diff(passed).max() < 0.15


def test_after_the_end_of_a_curve_the_figure_goes_straight_on():
    player, steering = walker(), Steering("turn")
    steering.ask(along_points([[0.0, 0.0], [0.0, -3.0], [2.0, -6.0]]))
    played = steer(player, steering, 600)
    late = played[300:]
    assert steering.arrived
    assert np.ptp(late[:, 2]) < 0.05
    assert np.hypot(*(late[-1] - late[0])[:2]) > 8.0


@pytest.mark.parametrize("start", [(0.0, 0.0), (-0.05, -0.05), (2.9, -2.9)], ids=str)
def test_round_a_closed_curve_again_and_again_or_to_its_end(start: tuple[float, float]):
    around = [[0.0, 0.0], [3.0, -3.0], [0.0, -6.0], [-3.0, -3.0], [0.0, 0.0]]
    origin = (*start, 0.0, 0.25 * np.pi)
    player, steering = walker(origin=origin), Steering("turn")
    steering.ask(along_points(around))
    played = steer(player, steering, 1200)
    off = np.abs(np.abs(played[:, 0]) + np.abs(played[:, 1] + 3.0) - 3.0)
    turned = np.unwrap(np.arctan2(played[:, 1] + 3.0, played[:, 0]))
    assert off[300:].max() < 1.0 and np.ptp(turned) > 4.0 * np.pi
    player, steering = walker(origin=origin), Steering("turn")
    steering.ask(along_points(around, stop="stand"))
    played = steer(player, steering, 700)
    assert steering.arrived and player.verb == "stand"
    assert np.hypot(*played[-1, :2]) < 0.1
    assert played[:, 1].min() < -5.0 and played[:, 0].min() < -2.0


@pytest.mark.parametrize(
    "goal", [TowardsPoint((0.0, 3.0)), along_points([[0, 0], [0, -2], [2, -2], [2, 0]])], ids=["point", "curve"]
)
def test_nothing_is_asked_for_beyond_the_ranges(goal):
    player, steering = walker(settle=0.0), Steering("turn")
    steering.ask(goal)
    played = steer(player, steering, 300)
    assert np.abs(played[:, 3]).max() == 1.0
    assert LIMITS.stride[0] <= played[:, 4].min() and played[:, 4].max() <= LIMITS.stride[1]
    assert LIMITS.tempo[0] <= played[:, 5].min() and played[:, 5].max() <= LIMITS.tempo[1]
    assert np.abs(np.diff(played[:, 4:6], axis=0)).max() <= LIMITS.change * STEP + 1e-12


def test_a_steered_walk_replays_bit_for_bit():
    def play() -> np.ndarray:
        player, steering = walker({"mood": 0.4}), Steering("turn")
        steering.ask(along_points(_s_shape(0.5)))
        first = steer(player, steering, 150)
        steering.ask(StandOnMark((3.0, 2.0), None, "stand"))
        return np.concatenate([first, steer(player, steering, 300, 150)])

    assert (play() == play()).all()


def test_a_figure_that_stands_is_left_alone_until_it_walks():
    player, steering = walker(), Steering("turn")
    player.command("stand")
    player.step(4.0)
    steering.ask(TowardsPoint((5.0, 5.0)))
    before = player.travel
    assert (steer(player, steering, 30)[-1, :3] == before).all()
    player.command("walk")
    steer(player, steering, 400, 30)
    assert steering.arrived


def test_handles_go_back_to_neutral_when_nothing_is_asked():
    player, steering = walker(), Steering("turn")
    steering.ask(TowardsPoint((0.8, -0.3)))
    steer(player, steering, 60)
    player.move_handles(stride=0.8, tempo=1.2)
    steering.ask(None)
    assert steer(player, steering, 30, 60)[-1, 4:].tolist() == [1.0, 1.0, 0.0, 0.0]


@pytest.mark.parametrize("points", [[[0, 0]], [[1, 1], [1, 1]], [[0, 0], [np.nan, 1]], [0, 1]], ids=str)
def test_points_that_make_no_curve_are_refused(points):
    with pytest.raises(VerbError, match="curve"):
        along_points(points)


@pytest.mark.parametrize("ranges", [(-1.0, 1.0), (1.0, -1.0)], ids=str)
@pytest.mark.parametrize("adverb", ["turn", "right"])
def test_which_way_is_left_is_read_off_the_verb(adverb: str, ranges: tuple[float, float]):
    verb = walk_turned_by("right") if adverb == "right" else generated_verbs()[1]
    verb = replace(verb, adverb_ranges=np.array([[-1.0, 1.0], [-1.0, 1.0], ranges]))
    stand, values = generated_verbs()[0], {"mood": 0.0, "slope": 0.0, adverb: 0.0}
    assert leftward([stand, verb], adverb, values) == (1 if adverb == "turn" else -1)
    assert leftward([stand], adverb, values) == leftward([verb], "mood", values) == 0
    player = stepped(compile_graph([verb, stand], _to_and_fro()), "walk", values)
    steering = Steering(adverb)
    steering.ask(StandOnMark((3.0, -1.0), None, "stand"))
    steer(player, steering, 400)
    assert steering.arrived and math.dist(player.travel[:2], (3.0, -1.0)) < 0.1


def _to_and_fro() -> list[Transition]:
    return [way for way in generated_transitions() if {way.source, way.target} == {"stand", "walk"}]
