"""While adverbs are swept, contact windows move over the present; no point is let go and locked again for that."""

import numpy as np
import pytest
from verbs_adverbs.core.feet.constrained_player import ConstrainedPlayer
from verbs_adverbs.core.graph.verb_graph import graph_of
from verbs_adverbs.core.play.graph_player import GraphPlayer
from verbs_adverbs.core.play.player import AskAdverbs
from verbs_adverbs.core.play.score import Score, Track, player_of, record
from verbs_adverbs.core.verb.verb import Verb

from .knee_bends import captured_verb
from .locked_walks import walk

APART = 0.08
"""Seconds within which no point comes to stand twice."""
RATE = 30.0


def _sweep(verb: Verb, rng: np.random.Generator, settle: float) -> tuple[Score, float]:
    """A score in which one adverb goes from end to end, back and forth, in 0.25 to 2 s; and when it is over."""
    places = verb.places
    low, high = places.min(axis=0), places.max(axis=0)
    start, seconds, swept = rng.uniform(0.5, 2.5), rng.uniform(0.25, 2.0), rng.integers(len(low))
    first = rng.uniform(low, high)
    ends = np.stack([first, first])
    ends[:, swept] = (low[swept], high[swept]) if rng.random() < 0.5 else (high[swept], low[swept])
    times = np.cumsum([0.0, start, seconds, seconds, seconds, 1.5])
    values = ends[[0, 0, 1, 0, 1, 1]]
    tracks = {name: Track(times, values[:, index]) for index, name in enumerate(verb.adverb_names)}
    return Score(verb.name, adverbs=tracks, settle=settle, rate=60.0, straight=True), float(times[-1])


def _landings(verb: Verb, score: Score, end: float, rate: float) -> dict[str, np.ndarray]:
    """Times at which each point comes to stand, played with so many rows a second."""
    player = ConstrainedPlayer(player_of(graph_of(verb), score), steps=False)
    marks = record(player, score, np.arange(int(end * rate) + 1) / rate).marks
    return {
        contact.point: np.array([m.start for m in marks if m.kind == "contact" and m.name == contact.point])
        for contact in verb.contacts
    }


def _check(verb: Verb, settle: float, count: int) -> None:
    rng = np.random.default_rng(11)
    for _ in range(count):
        score, end = _sweep(verb, rng, settle)
        for times in _landings(verb, score, end, RATE).values():
            assert len(times) > 2 and np.diff(times).min() > APART


@pytest.mark.parametrize("settle", [0.0, 0.8])
def test_no_point_of_the_generated_walk_comes_to_stand_twice_at_once(settle):
    _check(walk(), settle, 20)


@pytest.mark.parametrize("settle", [0.0, 0.8])
@pytest.mark.parametrize("name", ["walk_energy_turn", "walk_turn", "run_speed"])
def test_no_point_of_captured_verbs_comes_to_stand_twice_at_once(mocap, name, settle):
    _check(captured_verb(mocap, name), settle, 8)


def test_when_points_stand_does_not_depend_on_which_rows_are_asked_for():
    rng = np.random.default_rng(12)
    for _ in range(6):
        score, end = _sweep(walk(), rng, 0.0)
        coarse, fine = (_landings(walk(), score, end, rate) for rate in (24.0, 90.0))
        for point in coarse:
            shorter = min(len(coarse[point]), len(fine[point]))
            assert shorter > 2 and np.abs(coarse[point][:shorter] - fine[point][:shorter]).max() < 1e-9


def test_adverbs_that_go_elsewhere_and_back_at_one_instant_change_nothing():
    verb, rng = walk(), np.random.default_rng(13)
    there, back = dict.fromkeys(verb.adverb_names, 1.0), dict.fromkeys(verb.adverb_names, -1.0)
    times = np.arange(120) / RATE
    for moment in rng.uniform(0.2, 2.5, 30):
        players = [GraphPlayer(graph_of(verb), back, np.random.default_rng(0), verb.name, settle=0.0) for _ in range(2)]
        for values in (there, back):
            players[1].command(float(moment), AskAdverbs(values))
        calm, touched = (ConstrainedPlayer(player, steps=False).advance(times) for player in players)
        assert np.array_equal(calm.support, touched.support)
