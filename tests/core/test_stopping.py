"""Standing on a mark at a time, on the generated walk."""

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from verbs_adverbs.core.graph.transition import Region, Transition
from verbs_adverbs.core.graph.verb_graph import compile_graph
from verbs_adverbs.core.steer.gait import Limits, standing_verb
from verbs_adverbs.core.steer.goals import StandOnMark, along_points
from verbs_adverbs.core.steer.steering import Steering

from .graphs import generated_transitions, generated_verbs
from .steered import STEP, steer, walker
from .stepping import Stepped, stepped

LIMITS = Limits()
GENERATOR_SEED, TRIALS, FEW = 5, 30, 8
NEAR = 0.02
LONGEST_ROUND = 24.0
"""Seconds that turning and going round may take beyond the straight way."""


@dataclass(frozen=True)
class Trial:
    """Somewhere in a walk, and a mark within reach: a walk with other handles was there at that frame."""

    adverbs: dict[str, float]
    origin: tuple[float, float, float, float]
    warm: int
    mark: StandOnMark

    def start(self, settle: float = 0.3) -> Stepped:
        """The walk at the frame `warm`."""
        player = walker(self.adverbs, self.origin, settle)
        for _ in range(self.warm):
            player.step(STEP)
        return player


def _trials() -> list[Trial]:
    rng = np.random.default_rng(GENERATOR_SEED)
    return [_trial(rng) for _ in range(TRIALS)]


def _trial(rng: np.random.Generator) -> Trial:
    adverbs = {"mood": rng.uniform(-1.0, 1.0), "slope": rng.uniform(-0.5, 0.5)}
    origin = (rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0), 0.0, rng.uniform(-3.0, 3.0))
    trial = Trial(adverbs, origin, int(rng.integers(0, 40)), StandOnMark((0.0, 0.0), 0.0, "stand"))
    scout, cycles = trial.start(), int(rng.integers(1, 5))
    scout.move_handles(stride=rng.uniform(*LIMITS.stride), tempo=rng.uniform(*LIMITS.tempo))
    scout.set_adverbs({"turn": rng.uniform(-0.8, 0.8)})
    begin, frames = scout.phase, trial.warm
    while scout.verb == "walk" or scout.transition is not None:
        if scout.verb == "walk" and scout.phase > begin + cycles:
            scout.command("stand")
        elif scout.phase > begin + 1.0 and scout.verb == "walk":
            scout.set_adverbs({"turn": 0.0})
        scout.step(STEP)
        frames += 1
    return Trial(adverbs, origin, trial.warm, StandOnMark(scout.travel[:2], frames * STEP, "stand"))


@pytest.mark.parametrize("settle", [pytest.param(0.0, marks=pytest.mark.long), 0.3])
@pytest.mark.parametrize("trial", _trials(), ids=lambda trial: f"{trial.mark.seconds:.2f}s")
def test_a_figure_stands_on_a_mark_within_reach_at_the_frame_asked(trial: Trial, settle: float):
    player, steering = trial.start(settle), Steering("turn")
    steering.ask(trial.mark)
    frames = round(trial.mark.seconds / STEP)
    played = steer(player, steering, frames - trial.warm, trial.warm)
    assert math.dist(player.travel[:2], trial.mark.place) < NEAR
    steer(player, steering, 1, frames)
    assert player.verb == "stand" and player.transition is None
    assert math.dist(player.travel[:2], trial.mark.place) < NEAR
    assert LIMITS.stride[0] <= played[:, 4].min() and played[:, 4].max() <= LIMITS.stride[1]
    assert LIMITS.tempo[0] <= played[:, 5].min() and played[:, 5].max() <= LIMITS.tempo[1]


def test_once_it_stands_the_turn_on_the_way_is_forgotten():
    player, steering = walker(), Steering("turn")
    steering.ask(StandOnMark((1.5, 2.5), None, "stand"))
    played = steer(player, steering, 360)
    assert steering.arrived and player.verb == "stand" and np.abs(played[:, 3]).max() > 0.2
    assert abs(player.adverbs["turn"]) < 1e-3


def test_the_nudge_is_a_small_share_of_the_speed_and_nothing_on_a_standing_figure():
    for trial in _trials()[:FEW]:
        player, steering = trial.start(), Steering("turn")
        steering.ask(StandOnMark((trial.mark.place[0] + 0.2, trial.mark.place[1]), trial.mark.seconds, "stand"))
        played = steer(player, steering, 200, trial.warm)
        moved = np.diff(played[:, :2], axis=0)
        nudged = np.hypot(*played[1:, 6:].T)
        walked = np.hypot(*(moved / STEP - played[1:, 6:]).T)
        assert (nudged <= 1.25 * LIMITS.nudge * walked + 1e-3).all()
        assert nudged[-20:].max() == 0.0


@pytest.mark.parametrize("kind", ["blended", "inertialised"])
def test_either_kind_of_transition_leads_to_the_mark(kind: str):
    player, steering = walker(kind=kind), Steering("turn")
    steering.ask(StandOnMark((0.4, -4.0), 4.0, "stand"))
    steer(player, steering, 121)
    assert player.verb == "stand" and player.transition is None
    assert math.dist(player.travel[:2], (0.4, -4.0)) < NEAR


def test_a_mark_too_far_is_reached_late_and_that_is_said():
    player, steering = walker(), Steering("turn")
    steering.ask(StandOnMark((0.0, -9.0), 3.0, "stand"))
    steer(player, steering, 1)
    expected = steering.shortfall
    steer(player, steering, 239, 1)
    assert expected is not None and steering.shortfall is not None and steering.arrived
    assert math.dist(player.travel[:2], (0.0, -9.0)) < NEAR
    fastest = 9.0 / (1.24 * LIMITS.stride[1] * LIMITS.tempo[1])
    assert fastest - 3.0 < steering.shortfall.seconds < 4.0
    assert expected.seconds == pytest.approx(steering.shortfall.seconds, abs=0.5)


@pytest.mark.parametrize("begins", ["walk", pytest.param("stand", marks=pytest.mark.long)])
def test_from_anywhere_a_figure_comes_to_stand_within_ten_centimetres(begins: str):
    goals = [(x, y) for x in (-0.8, 0.0, 2.4) for y in (-2.4, -0.8, -0.3, 0.0, 0.8, 3.0)]
    away, took = {}, {}
    for goal in [*goals, (0.0, -25.0), (20.0, 20.0), (-40.0, 5.0)]:
        player, steering = walker(settle=0.8), Steering("turn")
        if begins == "stand":
            player.command("stand")
            player.step(4.0)
        place = (player.travel[0] + goal[0], player.travel[1] + goal[1])
        steering.ask(StandOnMark(place, None, "stand"))
        frames = 0
        while not steering.arrived and frames < 3000:
            steer(player, steering, 1, frames)
            frames += 1
        assert player.verb == "stand" and player.transition is None, goal
        away[goal], took[goal] = math.dist(player.travel[:2], place), frames * STEP - math.hypot(*goal) / 1.24
    assert max(away.values()) < 0.1, max(away, key=lambda goal: away[goal])
    assert max(took.values()) < LONGEST_ROUND, max(took, key=lambda goal: took[goal])


def test_a_figure_that_stands_on_its_mark_stays_there():
    player, steering = walker(), Steering("turn")
    player.command("stand")
    player.step(4.0)
    before = player.travel
    steering.ask(StandOnMark((before[0] + 0.05, before[1]), None, "stand"))
    steer(player, steering, 60)
    assert steering.arrived and player.travel == before


def test_no_figure_goes_round_its_mark_for_ever():
    stiff = Limits(stride=(1.0, 1.0), tempo=(1.0, 1.0), nudge=0.0)
    for place in [(0.0, -0.2), (0.9, 0.0), (0.0, 3.0), (2.0, -2.0)]:
        player, steering = walker(), Steering("turn")
        steering.limits = stiff
        steering.ask(StandOnMark(place, None, "stand"))
        steer(player, steering, 1500)
        assert steering.arrived and player.verb == "stand"
        assert steering.shortfall is not None
        assert steering.shortfall.distance == pytest.approx(math.dist(player.travel[:2], place), abs=1e-6)


def test_what_cannot_turn_walks_to_what_lies_ahead_and_stops_somewhere_if_nothing_does():
    for place, near in [((0.0, -4.0), 0.5), ((0.0, 4.0), math.inf)]:
        player, steering = walker({"mood": 0.6}), Steering("mood")
        steering.ask(StandOnMark(place, None, "stand"))
        rows = steer(player, steering, 900)
        assert steering.arrived and math.dist(player.travel[:2], place) < near
        assert (rows[:, 3] == 0.6).all(), "what does not turn it is left as it is"


def test_what_does_not_turn_a_figure_follows_its_slider_on_the_way():
    player, steering = walker({"mood": 0.0}), Steering("mood")
    steering.ask(StandOnMark((0.0, -6.0), None, "stand"))
    steer(player, steering, 30)
    player.set_adverbs({"mood": 1.0})
    rows = steer(player, steering, 60, 30)
    assert rows[-1, 3] == pytest.approx(1.0, abs=1e-3)


def test_what_stands_is_found_by_itself():
    graph = walker().graph
    assert standing_verb(graph, "walk") == "stand" == standing_verb(graph, "wave")
    walks = compile_graph(generated_verbs()[1:2], [], starts=("walk",))
    assert standing_verb(walks, "walk") is None


def _with_rest():
    """The graph with another verb that stands, which is entered from standing alone and by its name comes first."""
    stand = generated_verbs()[0]
    rest = replace(stand, name="a rest")
    there = Transition("stand", "a rest", Region(0.2, 0.3), Region(0.2, 0.3), 0.0)
    back = Transition("a rest", "stand", Region(0.6, 0.7), Region(0.6, 0.7), 0.0)
    return compile_graph([*generated_verbs(), rest], [*generated_transitions(), there, back])


def test_a_figure_stands_in_the_verb_next_to_its_walk():
    assert standing_verb(_with_rest(), "stand") == "stand" == standing_verb(_with_rest(), "walk")


@pytest.mark.parametrize("begins", ["walk", "stand"])
def test_it_comes_onto_its_mark_before_it_goes_on_to_a_verb_that_is_entered_from_standing(begins: str):
    player, steering = stepped(_with_rest(), begins, settle=0.3), Steering("turn")
    steering.ask(StandOnMark((0.5, -5.0), None, "a rest"))
    steer(player, steering, 900)
    assert steering.arrived and player.verb == "a rest"
    assert math.dist(player.travel[:2], (0.5, -5.0)) < 0.1


def test_at_a_curves_end_a_figure_stands():
    player, steering = walker(settle=0.8), Steering("turn")
    steering.ask(along_points([[0.0, 0.0], [0.0, -3.0], [2.0, -6.0]], stop="stand"))
    steer(player, steering, 700)
    assert steering.arrived and player.verb == "stand" and math.dist(player.travel[:2], (2.0, -6.0)) < 0.1


def test_a_mark_too_soon_is_said_to_be_late():
    player, steering = walker({"mood": -1.0}), Steering("turn")
    steering.ask(StandOnMark((0.0, -0.5), 0.1, "stand"))
    steer(player, steering, 1)
    assert steering.shortfall is not None and steering.shortfall.seconds > 0.1
    steer(player, steering, 400, 1)
    assert steering.arrived and steering.shortfall.seconds > 0.1
    assert math.dist(player.travel[:2], (0.0, -0.5)) < 0.1


def test_a_figure_that_is_early_waits_on_the_mark():
    player, steering = walker(), Steering("turn")
    steering.ask(StandOnMark((0.0, -3.0), 12.0, "stand"))
    played = steer(player, steering, 361)
    assert math.dist(player.travel[:2], (0.0, -3.0)) < NEAR
    assert steering.shortfall is not None and steering.shortfall.seconds == 0.0
    assert np.hypot(*(played[-1, :2] - played[-100, :2])) < 1e-9


def test_adverbs_that_change_on_the_way_are_made_up_for():
    player, steering = walker(), Steering("turn")
    steering.ask(StandOnMark((0.5, -5.0), 5.0, "stand"))
    steer(player, steering, 40)
    player.set_adverbs({"mood": 0.4})
    steer(player, steering, 111, 40)
    assert math.dist(player.travel[:2], (0.5, -5.0)) < NEAR
    assert player.verb == "stand" and player.transition is None


def test_stopping_replays_bit_for_bit():
    def play() -> np.ndarray:
        player, steering = _trials()[3].start(), Steering("turn")
        steering.ask(_trials()[3].mark)
        return steer(player, steering, 150, _trials()[3].warm)

    assert (play() == play()).all()


def test_a_figure_that_sets_out_is_led_to_the_mark():
    player, steering = walker(), Steering("turn")
    player.command("stand")
    player.step(4.0)
    place = (player.travel[0] + 0.3, player.travel[1] - 4.0)
    steering.ask(StandOnMark(place, 6.0, "stand"))
    player.command("walk")
    steer(player, steering, 181)
    assert player.verb == "stand" and math.dist(player.travel[:2], place) < NEAR


def test_a_run_goes_over_into_the_walk_that_can_be_stopped():
    verbs, ways = generated_verbs(), generated_transitions()
    ways.append(Transition("run", "walk", Region(0.2, 0.4), Region(0.2, 0.4), 0.0))
    graph = compile_graph([*verbs, replace(verbs[1], name="run")], ways, starts=("run",))
    player, steering = stepped(graph, "run"), Steering("turn")
    steering.ask(StandOnMark((0.0, -5.0), 5.0, "stand"))
    steer(player, steering, 151)
    assert player.verb == "stand" and math.dist(player.travel[:2], (0.0, -5.0)) < NEAR
