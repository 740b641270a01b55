"""While adverbs are swept, contact windows move over the present: no point stands twice for that, no joint pops."""

import numpy as np
import pytest
from verbs_adverbs.core.feet.constrained_player import ConstrainedPlayer, Knees
from verbs_adverbs.core.figure.channels import rotations_of
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


def _sweep(verb: Verb, rng: np.random.Generator, settle: float, beyond: float = 1.0) -> tuple[Score, float]:
    """A score in which one adverb goes from end to end, back and forth, in 0.25 to 2 s; and when it is over.

    The ends are those of the examples, or so many times `beyond` them.
    """
    places = verb.places
    middle, half = 0.5 * (places.max(axis=0) + places.min(axis=0)), 0.5 * beyond * np.ptp(places, axis=0)
    low, high = middle - half, middle + half
    start, seconds, swept = rng.uniform(0.5, 2.5), rng.uniform(0.25, 2.0), rng.integers(len(low))
    first = rng.uniform(low, high)
    ends = np.stack([first, first])
    ends[:, swept] = (low[swept], high[swept]) if rng.random() < 0.5 else (high[swept], low[swept])
    return _back_and_forth(verb, start, seconds, ends, settle)


def _back_and_forth(verb: Verb, start: float, seconds: float, ends: np.ndarray, settle: float) -> tuple[Score, float]:
    """A score whose adverbs go from one of the `ends` (2, D) to the other, back, and there again."""
    times = np.cumsum([0.0, start, seconds, seconds, seconds, 1.5])
    values = ends[[0, 0, 1, 0, 1, 1]]
    tracks = {name: Track(times, values[:, index]) for index, name in enumerate(verb.adverb_names)}
    return Score(verb.name, adverbs=tracks, settle=settle, rate=60.0, straight=True), float(times[-1])


def _landings(verb: Verb, score: Score, end: float, rate: float, knees: Knees = "free") -> dict[str, np.ndarray]:
    """Times at which each point comes to stand, played with so many rows a second."""
    player = ConstrainedPlayer(player_of(graph_of(verb), score), steps=False, knees=knees)
    marks = record(player, score, np.arange(int(end * rate) + 1) / rate).marks
    return {
        contact.point: np.array([m.start for m in marks if m.kind == "contact" and m.name == contact.point])
        for contact in verb.contacts
    }


def _added(verb: Verb, score: Score, end: float) -> float:
    """Degrees by which a joint turns more in a frame with locks than without, at most; knees are hinges."""
    times = np.arange(int(end * RATE) + 1) / RATE
    free = record(player_of(graph_of(verb), score), score, times).values
    player = ConstrainedPlayer(player_of(graph_of(verb), score), steps=False, knees="hinge")
    turns = []
    for rows in (free, record(player, score, times).values):
        joints = rotations_of(verb.channels, rows)
        turns.append(2.0 * np.degrees(np.arccos(np.abs(np.sum(joints[1:] * joints[:-1], axis=-1)).clip(0.0, 1.0))))
    return float((turns[1] - turns[0]).max())


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


POP = 6.0
"""Degrees in a frame that are seen as a pop."""


@pytest.mark.parametrize("beyond", [1.0, 1.5])
@pytest.mark.parametrize("settle", [0.0, 0.8])
def test_locks_add_no_pop_to_sweeps_of_the_generated_walk(settle, beyond):
    rng = np.random.default_rng(14)
    assert max(_added(walk(), *_sweep(walk(), rng, settle, beyond)) for _ in range(3)) < POP


@pytest.mark.parametrize(
    ("name", "settle", "start", "seconds", "ends"),
    [
        ("walk_turn", 0.8, 0.87, 0.48, [[-0.95], [0.88]]),
        ("walk_turn", 0.0, 1.95, 0.42, [[0.88], [-0.95]]),
        ("walk_energy_turn", 0.8, 2.47, 1.29, [[-0.08, -1.23], [-0.08, 1.41]]),
        ("walk_energy_turn", 0.0, 2.19, 0.31, [[0.08, 1.41], [0.08, -1.23]]),
        ("run_speed", 0.8, 1.95, 0.28, [[-0.89], [0.9]]),
    ],
)
def test_locks_add_no_pop_to_hard_sweeps_of_captured_verbs(mocap, tell, name, settle, start, seconds, ends):
    verb = captured_verb(mocap, name)
    added = _added(verb, *_back_and_forth(verb, start, seconds, np.array(ends), settle))
    tell(f"{name} swept in {seconds:g} s: locks add {added:.2f} degrees a frame at most")
    assert added < POP


def test_points_that_are_let_go_do_not_stand_again_before_their_next_window(mocap):
    verb = captured_verb(mocap, "walk_energy_turn")
    score, end = _back_and_forth(verb, 2.19, 0.31, np.array([[0.13, 2.07], [0.13, -1.89]]), 0.0)
    held, loose = (_landings(verb, score, end, RATE, knees) for knees in ("hinge", "free"))
    assert all(np.array_equal(held[point], loose[point]) for point in held)
    fine = _landings(verb, score, end, 77.0, "hinge")
    for point in held:
        both = min(len(held[point]), len(fine[point]))
        assert both > 2 and np.abs(held[point][:both] - fine[point][:both]).max() < 1e-9


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
