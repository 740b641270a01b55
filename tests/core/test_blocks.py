"""Steps of moving adverbs that are planned together are those that would be planned one by one."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import ArrayLike
from verbs_adverbs.core.graph.verb_graph import graph_of
from verbs_adverbs.core.play.adverb_smoothing import SettlingAdverbs
from verbs_adverbs.core.play.graph_player import GraphPlayer
from verbs_adverbs.core.play.player import AskAdverbs, AskVerb
from verbs_adverbs.core.play.steps_ahead import Step, steps_ahead
from verbs_adverbs.core.play.verb_now import Pacer
from verbs_adverbs.core.verb.verb import Verb

from .locked_walks import walk

POINTS = {"Heel_L": 0, "Toes_L": 1, "Heel_R": 2, "Toes_R": 3}


@dataclass(frozen=True, eq=False)
class Touching(Verb):
    """A verb whose poses are made from more than weights."""

    def mixing(self, adverbs: ArrayLike) -> np.ndarray:
        weights = self.weights(adverbs)
        return np.concatenate([weights, weights[..., :3] + 1.0], axis=-1)


def straight(names: tuple[str, ...], first: float, last: float, begin: float, seconds: float) -> Step:
    adverbs = SettlingAdverbs(dict.fromkeys(names, first), 0.0)
    then = dict.fromkeys(names, last)
    return Step(begin, seconds, begin + seconds, adverbs, then, (then, begin + seconds), 0)


def test_what_is_computed_together_is_what_is_computed_step_by_step():
    verb = walk()
    names, ahead = verb.adverb_names, [straight(walk().adverb_names, 0.1 * k, 0.1 * k + 0.1, k, 1.0) for k in range(5)]
    paced, alone = Pacer(verb, POINTS).paced(ahead), Pacer(verb, POINTS)
    for index, step in enumerate(ahead):
        going = alone.going(step.adverbs.values, step.then)
        now = paced.now(index)
        assert np.abs(paced.rates[index] - going.rates).max() < 1e-12
        assert np.abs(paced.drifts[index] - np.array(going.drifts)).max() < 1e-12
        assert np.abs(np.array(now.windows) - np.array(going.windows)).max() < 1e-12
        assert np.abs(paced.mixing[index] - going.mixing).max() < 1e-12
        assert np.abs(paced.thens[index] - alone.mixing(tuple(step.then[name] for name in names))).max() < 1e-12
        held = [window in {at for *_, at in going.stands if _[0] <= 0.3 < _[1]} for window in range(len(going.windows))]
        assert paced.inside(np.full(len(ahead), 0.3))[index].tolist() == held
        edges = sorted(edge for edge in paced.edges[index].tolist() if np.isfinite(edge))
        assert (
            np.abs(np.array(edges) - np.array(sorted(e for s in going.stands for e in s[:2] if 0.0 < e < 1.0))).max()
            < 1e-12
        )


def test_a_place_half_way_through_a_step_has_all_that_its_poses_are_made_from():
    verb = Touching(**vars(walk()))
    pacer = Pacer(verb, POINTS)
    pacer.paced([straight(verb.adverb_names, 0.0, 1.0, 0.0, 1.0)])
    middle = dict.fromkeys(verb.adverb_names, 0.5)
    assert np.abs(pacer.at(middle).mixing - verb.mixing(tuple(middle.values()))).max() < 1e-12


def test_steps_end_where_adverbs_rest_or_something_else_is_asked_for():
    adverbs = SettlingAdverbs({"mood": 0.0}, 0.5)
    adverbs.set({"mood": 1.0})
    assert steps_ahead(adverbs, 0.0, None, [], 9.0)[-1].until == pytest.approx(0.5, abs=1.0 / 60.0)
    asked = [(0.21, AskAdverbs({"mood": 0.3})), (0.4, AskVerb("walk")), (0.45, AskAdverbs({"mood": 0.0}))]
    found = steps_ahead(adverbs, 0.0, None, asked, 9.0)
    assert found[-1].until <= 0.4 < found[-1].until + 1.0 / 60.0 and found[-1].heard == 1
    assert adverbs.values == {"mood": 0.0}


def test_two_commands_at_one_time_are_both_heard_before_steps_are_planned_together():
    verb, played = walk(), list[np.ndarray]()
    for at_once in (True, False):
        player = GraphPlayer(graph_of(verb), {}, np.random.default_rng(0), verb.name, settle=0.3)
        first, second = ({name: value for name in verb.adverb_names} for value in (0.9, -0.7))
        player.command(1.0, AskAdverbs(first))
        player.command(1.0, AskAdverbs(second))
        times = np.arange(1.0, 1.4, 0.004)
        rows = [player.advance([time]).values for time in times] if at_once else [player.advance(times).values]
        played.append(np.concatenate(rows))
    assert np.abs(played[0] - played[1]).max() < 1e-9
