"""There is one way to play: whichever rows are asked for, however many at once, and of how many players."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate

import numpy as np
import pytest
from verbs_adverbs.core.feet.constrained_player import LOOKS_EVERY, ConstrainedPlayer
from verbs_adverbs.core.feet.playing_together import advance_all
from verbs_adverbs.core.play.graph_player import GraphPlayer
from verbs_adverbs.core.play.piece import Piece
from verbs_adverbs.core.play.player import AskAdverbs, AskVerb, Handles, Happening, Stretch
from verbs_adverbs.core.play.score import Command, Score, Track, player_of

from .graphs import generated_graph, random_graph
from .stepping import FLOORS, Stepped, performed, stepped

NEAR = 2e-5
"""Performance units, radians and components of quaternions by which rows may differ."""
SAME_TIME = 1e-9
SECONDS = 12.0
TIMES = np.arange(round(SECONDS * 60.0)) / 60.0
KINDS = ("blended", "inertialised")
SCORE = Score(
    verb="stand",
    commands=(Command(1.03, "walk"), Command(4.0, "wave"), Command(6.5, "walk"), Command(9.1, "stand")),
    adverbs={
        "mood": Track(np.array([0.0, 3.0, 5.0]), np.array([-1.0, 1.0, 0.2])),
        "turn": Track(np.array([2.0, 2.1, 8.0, 8.5]), np.array([0.0, 0.8, 0.8, -0.6])),
    },
    seed=4,
    origin=(1.0, 2.0, 0.0, 0.4),
    handles={
        "stride": Track(np.array([3.0, 4.0, 8.0]), np.array([1.0, 1.2, 0.8])),
        "tempo": Track(np.array([2.0, 7.0, 12.0]), np.array([1.0, 1.3, 0.8])),
        "nudge x": Track(np.array([4.0, 5.0, 6.0]), np.array([0.0, 0.05, 0.0])),
    },
)


def _player(kind: str, ground: str | None, score: Score = SCORE, told: bool = True) -> GraphPlayer | ConstrainedPlayer:
    """What plays the score, without locks if there is no ground; all that is asked for waits, if it is told."""
    lower = player_of(generated_graph(kind), score)
    player = lower if ground is None else ConstrainedPlayer(lower, FLOORS[ground])
    for time, what in score.asked(SECONDS) if told else ():
        player.command(time, what)
    return player


STRAIGHT = replace(SCORE, settle=0.0, straight=True, rate=24.0, between=3, verb="walk", lead=2)
"""The same, but adverbs go straight from one reading to the next, and cycles have gone by at its beginning."""


def _joined(stretches: Sequence[Stretch]) -> Stretch:
    return Stretch(
        np.concatenate([one.times for one in stretches]),
        np.concatenate([one.values for one in stretches]),
        np.concatenate([one.support for one in stretches]),
        tuple(verb for one in stretches for verb in one.verbs),
        np.concatenate([one.phases for one in stretches]),
        np.concatenate([one.heights for one in stretches]),
        tuple(happening for one in stretches for happening in one.happenings),
    )


def _in_chunks(kind: str, ground: str | None, chunks: Iterable[np.ndarray], score: Score = SCORE) -> Stretch:
    player = _player(kind, ground, score)
    return _joined([player.advance(times) for times in chunks])


@cache
def _together(kind: str, ground: str | None) -> Stretch:
    """All rows at once."""
    return _in_chunks(kind, ground, [TIMES])


def _check_same(found: Stretch, wanted: Stretch, rows: np.ndarray | slice = slice(None)) -> None:
    """`found` are those `rows` of `wanted`, and the same has happened up to the last one."""
    away = np.abs(found.values - wanted.values[rows]).max(axis=1)
    assert away.max() < NEAR, f"{away.max():.2g} at {found.times[away.argmax()]:.4f} s, row {away.argmax()}"
    assert np.abs(found.phases - wanted.phases[rows]).max() < NEAR
    assert np.abs(found.heights - wanted.heights[rows]).max() < NEAR
    assert (found.support == wanted.support[rows]).all()
    assert list(found.verbs) == np.array(wanted.verbs)[rows].tolist()
    _check_happenings(found.happenings, [one for one in wanted.happenings if one.time <= found.times[-1]])


def _check_happenings(found: Sequence[Happening], wanted: Sequence[Happening]) -> None:
    assert sorted((one.kind, one.name) for one in found) == sorted((one.kind, one.name) for one in wanted)
    for kind, name in {(one.kind, one.name) for one in wanted}:
        both = [[one.time for one in some if (one.kind, one.name) == (kind, name)] for some in (found, wanted)]
        assert np.abs(np.subtract(*both)).max() < SAME_TIME


GROUNDS = [pytest.param(name, marks=pytest.mark.long if name == "ramp" else ()) for name in FLOORS]
"""A ramp is flat like level ground, so it is left to the long tests."""
on_grounds = pytest.mark.parametrize("ground", GROUNDS)
everywhere = pytest.mark.parametrize("ground", [None, *GROUNDS], ids=lambda ground: ground or "free")
either_kind = pytest.mark.parametrize("kind", KINDS)


@either_kind
@everywhere
def test_rows_one_by_one_are_those_of_all_at_once(kind: str, ground: str | None):
    _check_same(_in_chunks(kind, ground, TIMES[:, None]), _together(kind, ground))


@either_kind
@everywhere
def test_what_is_asked_for_at_its_moment_is_as_what_was_asked_for_before(kind: str, ground: str | None):
    """A performer who asks in the moment, whatever the frames, sees what is recorded later."""
    player, asked, stretches = _player(kind, ground, told=False), list(SCORE.asked(TIMES[-1])), list[Stretch]()
    for time in TIMES.tolist():
        while asked and asked[0][0] <= time:
            moment, what = asked.pop(0)
            player.play(moment)
            player.command(moment, what)
        stretches.append(player.advance([time]))
    _check_same(_joined(stretches), _together(kind, ground))


@on_grounds
def test_handles_moved_twice_at_one_time_are_as_moved_once(ground: str):
    found: list[np.ndarray] = []
    for twice in (True, False):
        player = stepped(generated_graph(), "walk", locked=True, floor=FLOORS[ground])
        for time in np.arange(1, 30) * 0.13:
            player.step_to(float(time))
            if twice:
                player.move_handles(tempo=1.35, stride=0.75)
                player.step_to(float(time))
            player.move_handles(tempo=0.9 + 0.2 * np.sin(time), stride=1.1)
            found.append(player.values())
    half = len(found) // 2
    assert np.abs(np.array(found[:half]) - np.array(found[half:])).max() < NEAR


@on_grounds
def test_what_is_asked_for_as_feet_are_looked_at_is_heard_all_the_same(ground: str):
    """Looks come at even times, and so may what a performer asks for: at such a time it makes no difference either."""
    looks, found = list(accumulate([LOOKS_EVERY] * 60)), list[np.ndarray]()
    asked = [
        (time, Handles(stride=1.0 + 0.2 * np.sin(index), tempo=1.0 - 0.2 * np.cos(index)))
        for index, time in enumerate(looks)
    ]
    for ahead in (True, False):
        player = ConstrainedPlayer(stepped(generated_graph(), "walk").player, FLOORS[ground])
        for time, what in asked:
            if not ahead:
                found.append(player.advance([time]).values[0])
            player.command(time, what)
        if ahead:
            found += list(player.advance(looks).values)
    assert np.abs(np.array(found[:60]) - np.array(found[60:])).max() < NEAR


@either_kind
@everywhere
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_rows_in_chunks_are_those_of_all_at_once(kind: str, ground: str | None, seed: int):
    cuts = np.sort(np.random.default_rng(seed).choice(np.arange(1, len(TIMES)), 30, replace=False))
    _check_same(_in_chunks(kind, ground, np.split(TIMES, cuts)), _together(kind, ground))


@either_kind
@everywhere
def test_every_tenth_row_alone_is_what_it_is_among_all(kind: str, ground: str | None):
    few = slice(9, None, 10)
    _check_same(_in_chunks(kind, ground, [TIMES[few]]), _together(kind, ground), few)
    _check_same(_in_chunks(kind, ground, TIMES[few, None]), _together(kind, ground), few)


@either_kind
@everywhere
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_rows_at_random_times_are_what_they_are_among_others(kind: str, ground: str | None, seed: int):
    rng = np.random.default_rng(seed)
    times = np.sort(rng.uniform(0.0, TIMES[-1], 150))
    among = np.sort(np.concatenate([times, TIMES, rng.choice(times, 20)]))
    found = _in_chunks(kind, ground, [among])
    alone = _in_chunks(kind, ground, times[:, None])
    _check_same(alone, found, np.searchsorted(among, times))
    _check_same(_together(kind, ground), found, np.searchsorted(among, TIMES))


@either_kind
@everywhere
@pytest.mark.parametrize("first", [60, 150, 400])
def test_playing_on_without_rows_changes_nothing(kind: str, ground: str | None, first: int):
    player = _player(kind, ground)
    for time in np.sort(np.random.default_rng(5).uniform(0.0, TIMES[first], 50)).tolist():
        player.play(time)
    _check_same(player.advance(TIMES[first:]), _together(kind, ground), slice(first, None))


@either_kind
@everywhere
def test_adverbs_that_go_straight_are_the_same_whichever_rows_are_asked_for(kind: str, ground: str | None):
    rng = np.random.default_rng(2)
    times = np.sort(np.concatenate([TIMES[::2], rng.uniform(0.0, TIMES[-1], 100)]))
    whole = _in_chunks(kind, ground, [times], STRAIGHT)
    _check_same(_in_chunks(kind, ground, times[:, None], STRAIGHT), whole)
    _check_same(_in_chunks(kind, ground, [times[7::10]], STRAIGHT), whole, slice(7, None, 10))
    cuts = np.sort(rng.choice(np.arange(1, len(times)), 20, replace=False))
    _check_same(_in_chunks(kind, ground, np.split(times, cuts), STRAIGHT), whole)


@either_kind
@everywhere
@pytest.mark.parametrize("first", [100, 300, 560])
def test_a_fork_goes_on_as_the_player_does_and_changes_nothing_of_it(kind: str, ground: str | None, first: int):
    player, (early, late) = _player(kind, ground), np.split(TIMES, [first])
    begun = player.advance(early)
    fork = player.fork()
    for time, what in SCORE.asked(SECONDS):
        if time > early[-1]:
            fork.command(time, what)
    _check_same(_joined([begun, fork.advance(late)]), _together(kind, ground))
    _check_same(_joined([begun, player.advance(late)]), _together(kind, ground))


@pytest.mark.parametrize("seed", range(3))
def test_a_fork_draws_what_the_player_draws(seed: int):
    player, rows, verbs = stepped(random_graph(seed), "a", seed=seed).player, list[np.ndarray](), list[object]()
    player.play(3.1)
    player.happened()
    for one in (player.fork(), player.fork(), player):
        stretch = one.advance(4.0 + TIMES)
        rows.append(stretch.values)
        verbs.append((stretch.verbs, stretch.happenings))
    assert len(set(stretch.verbs)) > 1
    assert np.array_equal(rows[0], rows[1]) and np.array_equal(rows[0], rows[2])
    assert verbs[0] == verbs[1] == verbs[2]


def test_the_score_asks_for_all_that_there_is():
    """Transitions, steps home and rows in which handles and adverbs are on their way."""
    for kind in KINDS:
        kinds = {one.kind for one in _together(kind, "level").happenings}
        assert kinds == {"transition", "verb", "keytime", "down", "up", "lift", "home"}
        assert {"stand", "walk", "wave"} == set(_together(kind, "level").verbs)


def _several() -> list[GraphPlayer | ConstrainedPlayer]:
    """Players of two graphs, with and without locks, over several floors, that are asked for different things."""
    players: list[GraphPlayer | ConstrainedPlayer] = []
    for index, (kind, ground) in enumerate((kind, ground) for kind in KINDS for ground in (None, None, *FLOORS)):
        rng = np.random.default_rng(index)
        commands = tuple(
            Command(float(time), str(rng.choice(["walk", "wave", "stand"]))) for time in rng.uniform(0, 5, 4)
        )
        mood = Track(np.array([0.0, *np.sort(rng.uniform(0.1, 5.0, 3))]), rng.uniform(-1.0, 1.0, 4))
        origin = (index * 1.5, 0.3 * index, 0.0, 0.2 * index)
        first = "walk" if index % 2 else "stand"
        score = Score(first, commands, {"mood": mood}, seed=index, origin=origin, handles=SCORE.handles)
        players.append(_player(kind, ground, score))
    return players


@pytest.mark.parametrize(
    "chunks", [1, pytest.param(7, marks=pytest.mark.long), pytest.param(360, marks=pytest.mark.long)]
)
def test_several_players_at_once_are_as_each_by_itself(chunks: int):
    clock = np.array_split(TIMES[:360], chunks)
    together, alone = _several(), [_joined([player.advance(times) for times in clock]) for player in _several()]
    found = [advance_all(together, times) for times in clock]
    for index, wanted in enumerate(alone):
        _check_same(_joined([stretches[index] for stretches in found]), wanted)


def _forked(kind: str, ground: str | None) -> Stepped:
    """A figure whose adverbs and handles stay, and of which walking, standing and walking is asked for."""
    player = stepped(generated_graph(kind), "stand", {"mood": 0.3, "turn": 0.4}, locked=ground is not None)
    player.move_handles(stride=1.1, tempo=0.9, nudge_x=0.02)
    return player


def _landing(pieces: Sequence[Piece], after: float, bit: int) -> float | None:
    return next((one.begin.time for one in pieces if one.begin.time > after and one.standing & bit), None)


@either_kind
def test_a_fork_foresees_what_then_happens_if_nothing_more_is_asked(kind: str):
    player, asked = _forked(kind, None), {0.5: "walk", 4.2: "stand", 7.0: "walk"}
    foreseen, moments = 0, sorted([*asked, *np.arange(0.0, 9.0, 0.23).tolist()])
    for moment in moments:
        player.step_to(moment)
        if moment in asked:
            player.command(asked[moment])
        piece = player.player.piece
        course = player.player.ahead(piece, moment)
        other = _replayed(kind, asked, moment)
        pieces = other.player.play(moment + 4.0)
        for point in range(len(player.graph.points)):
            if piece.standing >> point & 1:
                continue
            landing = course.until_stands(1 << point)
            wanted = _landing(pieces, moment, 1 << point)
            assert (landing is None) == (wanted is None)
            if landing is not None and wanted is not None:
                assert abs(landing - wanted) < SAME_TIME
                times = np.linspace(moment, landing, 12)
                follows = _replayed(kind, asked, moment).player.advance(times)
                assert np.abs(course.rows(times) - follows.values).max() < NEAR
                foreseen += 1
    assert foreseen > 10


def _replayed(kind: str, asked: dict[float, str], until: float) -> Stepped:
    """The same figure, played anew up to a moment."""
    player = _forked(kind, None)
    for moment, verb in asked.items():
        if moment <= until:
            player.step_to(moment)
            player.command(verb)
    player.step_to(until)
    return player


@either_kind
@everywhere
def test_what_is_asked_for_later_changes_nothing_before(kind: str, ground: str | None):
    early, later = np.split(TIMES, [round(9.1 * 60.0)])
    first = _player(kind, ground).advance(early)
    commands = (*SCORE.commands[:-1], Command(9.6, "wave"), Command(10.3, "walk"))
    mood = SCORE.adverbs["mood"]
    late = Track(np.array([*mood.seconds, 9.1, 9.4]), np.array([*mood.values, mood.values[-1], -1.0]))
    score = replace(SCORE, commands=commands, adverbs={**SCORE.adverbs, "mood": late})
    player = _player(kind, ground, score)
    other = player.advance(early)
    assert np.array_equal(first.values, other.values)
    assert first.verbs == other.verbs and first.happenings == other.happenings
    assert not np.array_equal(_together(kind, ground).values[len(early) :], player.advance(later).values)


@pytest.mark.parametrize("at_once", [True, False], ids=["at the present", "ahead"])
def test_of_what_is_asked_for_at_one_time_the_last_counts(at_once: bool):
    player, time = stepped(generated_graph(), "stand").player, 1.5
    if at_once:
        player.play(time)
    for verb, mood, stride in (("wave", 1.0, 0.8), ("stand", -1.0, 0.9), ("walk", 0.5, 1.2)):
        player.command(time, AskVerb(verb))
        player.command(time, AskAdverbs({"mood": mood}))
        player.command(time, Handles(stride=stride))
    player.play(8.0)
    assert player.verb == "walk" and player.handles == Handles(stride=1.2)
    assert player.adverbs["mood"] == 0.5
    assert not [one for one in player.happened() if one.name == "wave"]


def test_what_is_asked_for_is_heard_in_order_of_time_whatever_the_order_of_asking():
    rows: list[np.ndarray] = []
    asked = [(0.8, AskVerb("walk")), (2.0, AskAdverbs({"mood": 1.0})), (4.0, AskVerb("stand")), (5.0, AskVerb("walk"))]
    for order in ([0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 0, 1]):
        player = stepped(generated_graph(), "stand").player
        for index in order:
            player.command(*asked[index])
        rows.append(player.advance(TIMES[:360]).values)
    assert np.array_equal(rows[0], rows[1]) and np.array_equal(rows[0], rows[2])


def test_a_recording_is_what_a_player_plays():
    recording = performed(generated_graph(), SCORE, TIMES, locked=True)
    wanted = _together("blended", "level")
    assert np.abs(recording.values - wanted.values).max() < NEAR
    assert recording.verbs == wanted.verbs
    _check_happenings(recording.happenings, wanted.happenings)
