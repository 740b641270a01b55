"""A player follows the paper's formulas for transitions and does what it is told."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.errors import GraphError, VerbError
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.graph.transition import Region, Transition, fade, region_shares
from verbs_adverbs.core.graph.verb_graph import VerbGraph
from verbs_adverbs.core.play.graph_player import GraphPlayer
from verbs_adverbs.core.play.piece import pieces_at
from verbs_adverbs.core.play.player import AskVerb
from verbs_adverbs.core.verb.verb import Verb

from .graphs import generated_graph, random_graph
from .integrated import integrate
from .stepping import Stepped, stepped

STEP = 1.0 / 60.0


def _player(graph: VerbGraph, start: str, seed: int = 0, **adverbs: float) -> Stepped:
    return stepped(graph, start, adverbs, seed)


def _play_until_transition(player: Stepped) -> float:
    """Play to the beginning of the next transition; return when that is."""
    for _ in range(1000):
        player.step_to(player.until)
        if player.transition is not None:
            return player.time
    raise AssertionError("no transition")


def _play_into(player: Stepped, verb: str, seconds: float = 40.0) -> None:
    """Play until `verb` plays alone."""
    while player.transition is not None or player.verb != verb:
        player.step(STEP)
        assert player.time < seconds


def _seconds(verb: Verb, region: Region, adverbs: list[float]) -> float:
    lengths = np.diff(verb.keytimes(adverbs))
    return float(region_shares(region, verb.phrasing.generic, verb.cyclic) @ lengths)


@pytest.mark.parametrize("phase", [0.0, 0.2, 0.5, 0.97])
def test_a_command_leaves_at_once_a_verb_that_may_be_left_anywhere(phase: float):
    graph = generated_graph()
    ways = tuple(replace(way, anywhere=True) if way.source == "stand" else way for way in graph.transitions)
    anywhere = replace(graph, transitions=ways)
    player = _player(anywhere, "stand")
    player.step_to(player.time + phase * graph.verb("stand").duration([]))
    player.command("wave")
    player.step(1e-4)
    playing = player.transition
    assert playing is not None
    assert (playing[0].leaves.begin, playing[0].leaves.length) == pytest.approx((phase, 0.1))
    _play_into(player, "wave")


def test_on_the_way_through_a_verb_that_may_be_left_anywhere_it_is_left_after_a_rest():
    graph = generated_graph()
    ways = tuple(replace(way, anywhere=True) if way.source == "stand" else way for way in graph.transitions)
    player = _player(replace(graph, transitions=ways), "walk")
    player.command("wave")
    first, then = player.plan
    assert (first.target, then.target) == ("stand", "wave")
    rests = (then.leaves.begin - first.enters.end) % 1.0 * graph.verb("stand").duration([])
    assert rests == pytest.approx(0.6)
    _play_into(player, "wave")


def test_drawn_by_likelihood_a_verb_is_left_where_the_transition_says():
    graph = generated_graph()
    way = replace(graph.leaving["stand"][0], anywhere=True, likelihood=1e9)
    player = _player(replace(graph, transitions=(way,)), "stand")
    while player.transition is None and player.time < 10.0:
        player.step(STEP)
    playing = player.transition
    assert playing is not None and playing[0].leaves == way.leaves


@pytest.mark.parametrize("seed", range(4))
def test_transitions_follow_the_paper_at_the_pace_of_each_verbs_own_clock(seed: int):
    graph = random_graph(seed)
    adverbs = {"mood": 0.3, "slope": -0.5}
    player = _player(graph, "a", **adverbs)
    player.command("b")
    begin = _play_until_transition(player)
    playing = player.transition
    assert playing is not None
    way, at = playing[0], [adverbs[name] for name in ("mood", "slope")]
    old, new = graph.verb(way.source), graph.verb(way.target)
    seconds = 0.5 * (_seconds(old, way.leaves, at) + _seconds(new, way.enters, at))
    signs = None
    start = player.values()
    for _ in range(int(seconds / STEP)):
        player.step(STEP)
        assert player.transition is not None
        share = player.transition[1]
        assert abs(share - (player.time - begin) / seconds) < 1e-9
        phases = np.array([_evenly(v, at, r, share) for v, r in ((old, way.leaves), (new, way.enters))])
        poses = [v.motion(at).sample_phases(phases[k : k + 1])[0, 3:] for k, v in enumerate((old, new))]
        rotations = [pose[3:].reshape(-1, 4) for pose in poses]
        if signs is None:
            signs = np.where(np.sum(rotations[0] * rotations[1], axis=1) < 0.0, -1.0, 1.0)[:, None]
        weight = fade(share)
        wanted = quat.normalize(weight * rotations[0] + (1.0 - weight) * signs * rotations[1])
        values = player.values()
        assert np.abs(values[6:].reshape(-1, 4) - wanted).max() < 1e-5
        location = weight * poses[0][:3] + (1.0 - weight) * poses[1][:3]
        assert np.abs(values[3:5] - location[:2]).max() < 1e-5
    shares = np.linspace(0.0, float(share), 20_001)
    weights = np.array([fade(s) for s in 0.5 * (shares[1:] + shares[:-1])])[:, None]
    regions = ((old, way.leaves), (new, way.enters))
    drifts = [np.diff(_drifted(verb, at, _evenly(verb, at, region, shares)), axis=0) for verb, region in regions]
    mixed = weights * drifts[0] + (1.0 - weights) * drifts[1]
    path = integrate(mixed, np.array([*start[:3], 0.0]))
    assert np.abs(path[-1, :3] - player.values()[:3]).max() < 2e-3


def _evenly(verb: Verb, adverbs: list[float], region: Region, shares: np.ndarray | float) -> np.ndarray:
    """Generic times (P,) at which `shares` (P,) of the region's seconds have passed."""
    motion = verb.motion(adverbs)
    begin, end = motion.clock([region.begin, region.end])
    return motion.phase(begin + shares * (end - begin))


def _drifted(verb: Verb, adverbs: list[float], phases: np.ndarray) -> np.ndarray:
    """What a verb has drifted (P, 4) at generic times `phases` (P,), each component by itself."""
    drifts = np.tensordot(verb.weights(adverbs), verb.drifts, axes=1)
    knots = np.concatenate([np.zeros((1, 4)), np.cumsum(drifts, axis=0)])
    cycles = np.floor(phases)
    within = [np.interp(phases - cycles, verb.phrasing.generic, knot) for knot in knots.T]
    return np.stack(within, axis=-1) + cycles[:, None] * knots[-1]


def test_a_verb_alone_is_the_verb_itself():
    graph = generated_graph()
    player = _player(graph, "walk", mood=0.4, slope=-0.2, turn=0.7)
    motion = graph.verb("walk").motion([0.4, -0.2, 0.7])
    for frame in range(1, 400):
        player.step(STEP)
        wanted = motion.sample(np.array([frame * STEP]))[0]
        assert np.abs(player.values() - wanted).max() < 2e-5
        assert abs(player.phase - motion.phase(frame * STEP)) < 1e-9


def test_a_command_waits_for_the_transition_and_comes_out_at_its_end():
    graph = generated_graph()
    player = _player(graph, "stand")
    player.command("walk")
    (way,) = player.plan
    _play_until_transition(player)
    assert player.verb == "walk" and not player.plan
    while player.transition is not None:
        player.step(1e-3)
    assert way.enters.end <= player.phase < way.enters.end + 2e-3


def test_of_equally_short_ways_the_soonest_is_taken():
    player = _player(generated_graph(), "stand")
    player.step(0.5 * 3.6)
    phase = player.phase
    player.command("walk")
    begins = [t.leaves.begin for t in player.graph.leaving["stand"] if t.target == "walk"]
    assert player.plan[0].leaves.begin == min(begin for begin in begins if begin > phase)


def test_far_verbs_are_reached_through_others():
    player = _player(generated_graph(), "walk")
    player.command("wave")
    assert [way.target for way in player.plan] == ["stand", "wave"]
    _play_into(player, "wave")


def test_during_a_transition_commands_count_from_its_target():
    player = _player(generated_graph(), "stand")
    player.command("walk")
    _play_until_transition(player)
    player.command("stand")
    assert player.transition is not None and player.transition[0].target == "walk"
    assert [way.source for way in player.plan] == ["walk"]
    _play_into(player, "stand")


def test_what_is_asked_for_at_the_very_beginning_comes_before_any_choice():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        player = GraphPlayer(random_graph(2), {}, rng, "a")
        player.command(0.0, AskVerb("b"))
        player.play(0.01)
        assert rng.random() == np.random.default_rng(seed).random()
        assert player.verb == "b" or player.plan[-1].target == "b"


def test_a_command_for_the_cycle_that_plays_keeps_it_and_drops_the_plan():
    player = _player(generated_graph(), "walk")
    player.command("wave")
    player.command("walk")
    assert player.plan == ()
    player.step(5.0)
    assert player.verb == "walk"


def test_commands_faster_than_transitions_end_with_the_last():
    player = _player(generated_graph(), "stand")
    names = ("walk", "wave", "stand", "walk", "stand", "wave", "walk")
    for index in range(140):
        player.command(names[index % len(names)])
        player.step(0.05)
    _play_into(player, names[139 % len(names)])
    player.step(5.0)
    assert player.verb == names[139 % len(names)]


def test_unreachable_verbs_are_named_with_both_ends_and_nothing_changes():
    graph = random_graph(1, one_way=True)
    player, other = _player(graph, "b"), _player(graph, "b")
    player.command("b")
    with pytest.raises(GraphError, match=r"'b'.*'a'"):
        player.command("a")
    with pytest.raises(GraphError, match="nowhere"):
        player.command("nowhere")
    assert player.plan == ()
    for one in (player, other):
        one.step(1.0)
    assert np.array_equal(player.values(), other.values())


def test_a_verb_that_is_no_cycle_ends_in_a_drawn_transition():
    player = _player(generated_graph(), "wave")
    _play_until_transition(player)
    assert player.verb == "stand"
    player.step(10.0)
    assert player.verb == "stand"


def test_a_verb_that_is_no_cycle_is_played_again_when_asked_for_twice():
    player = _player(generated_graph(), "wave")
    player.step(0.8)
    player.command("wave")
    assert [way.target for way in player.plan] == ["stand", "wave"]
    _play_into(player, "stand")
    _play_into(player, "wave")


def test_a_verb_that_is_only_just_entered_is_not_played_twice():
    player = _player(generated_graph(), "stand")
    player.command("wave")
    _play_until_transition(player)
    player.command("wave")
    assert player.plan == ()


@pytest.mark.parametrize(
    ("loop", "least", "most"), [(0.0, 0.0, 1.0), pytest.param(1.0, 0.8, 2.2, marks=pytest.mark.long), (3.0, 2.7, 4.3)]
)
def test_a_cycle_goes_on_with_itself_as_often_as_it_is_likely(loop: float, least: float, most: float):
    """Against one way out of likelihood 1, `loop` choices to stay come before it; the way may then be a pass ahead."""
    player = _player(random_graph(3, loops={"a": loop}), "a", seed=5)
    player.step(3000.0)
    left, passes = player.happened("transition").count("b"), player.happened("keytime").count("end a")
    assert left > 200
    assert least <= passes / left <= most


def test_adverbs_must_be_numbers():
    player = _player(generated_graph(), "walk")
    before = dict(player.adverbs)
    with pytest.raises(VerbError, match="'mood'"):
        player.set_adverbs({"turn": 0.5, "mood": float("nan")})
    with pytest.raises(VerbError, match="'mood'"):
        _player(generated_graph(), "walk", mood=float("inf"))
    assert player.adverbs == before


def test_what_changes_comes_when_it_is_foretold():
    player = _player(generated_graph(), "walk", mood=-0.6)
    player.command("stand")
    player.step(0.0)
    for _ in range(240):
        due, count = player.until, len(player.heard)
        if due - player.time > 1e-9:
            player.step(0.999 * (due - player.time))
            assert len(player.heard) == count
        player.step_to(due)
        assert all(abs(happening.time - due) < 1e-9 for happening in player.heard[count:])
    assert len(player.heard) > 20
    assert {happening.kind for happening in player.heard} == {"transition", "verb", "keytime", "down", "up"}


def test_transitions_are_cut_at_their_instants_not_at_frames():
    """Frames of 1/10 and 1/240 second see the same motion: no more than the bend of the path within a step differs."""
    ends: list[np.ndarray] = []
    for rate in (10, 240):
        player = _player(generated_graph(), "stand", mood=0.5)
        player.command("walk")
        for _ in range(8 * rate):
            player.step(1.0 / rate)
        ends.append(player.values())
    assert np.abs(ends[0] - ends[1]).max() < 2e-4


def test_transitions_from_a_verb_to_itself_play_it_twice_over():
    way = Transition("a", "a", Region(0.7, 0.9), Region(0.1, 0.3), likelihood=5.0)
    graph = random_graph(2, further=[way])
    player = _player(graph, "a")
    for _ in range(600):
        player.step(STEP)
        assert np.isfinite(player.values()).all()


def test_a_time_alone_lies_in_the_piece_in_which_it_lies_among_others():
    player = GraphPlayer(generated_graph(), {}, np.random.default_rng(0), "walk")
    pieces = player.play(6.0)
    begins = [piece.begin.time for piece in pieces]
    assert len(begins) > 10
    times = np.concatenate([[-1.0], begins, np.random.default_rng(1).uniform(0.0, 7.0, 50)])
    alone = [pieces_at(pieces, times[row : row + 1]).tolist() for row in range(len(times))]
    assert [[index] for index in pieces_at(pieces, times).tolist()] == alone


def test_a_region_may_be_given_in_whole_numbers():
    played: list[np.ndarray] = []
    for begin in (0, 0.0):
        way = Transition("a", "b", Region(begin, 0.1), Region(begin, 0.1), likelihood=5.0)
        player = _player(random_graph(2, further=[way]), "a")
        rows: list[np.ndarray] = []
        for _ in range(300):
            player.step(STEP)
            rows.append(player.values())
        played.append(np.array(rows))
    assert np.array_equal(*played)
