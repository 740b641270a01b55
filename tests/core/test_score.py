"""Scores replay exactly; recordings are clips again; the simulator's frames are the score's."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from verbs_adverbs.core.errors import GraphError, VerbError
from verbs_adverbs.core.graph.verb_graph import graph_of
from verbs_adverbs.core.play.graph_player import GraphPlayer
from verbs_adverbs.core.play.player import Asked, Stretch
from verbs_adverbs.core.play.recorded_motion import Recording
from verbs_adverbs.core.play.score import Command, Score, Track, passing, player_of, record
from verbs_adverbs.core.play.simulator import RENDER, Frames, Simulator

from .graphs import generated_graph, random_graph
from .main_loop import MainLoop, WaitingClock
from .stepping import performed, stepped

COMMAND = RENDER - 1
"""Priority of what is asked for: before the frames of its time stamp."""
TIMES = np.arange(600) / 30.0
SCORE = Score(
    verb="stand",
    commands=(Command(1.03, "walk"), Command(6.0, "wave"), Command(13.7, "walk")),
    adverbs={
        "mood": Track(np.array([0.0, 3.0, 5.0]), np.array([-1.0, 1.0, 0.2])),
        "turn": Track(np.zeros(1), np.ones(1)),
    },
    seed=4,
    origin=(1.0, 2.0, 0.0, 0.4),
)


def _same(one: Recording, other: Recording, frames: int) -> bool:
    return (
        np.array_equal(one.values[:frames], other.values[:frames])
        and one.verbs[:frames] == other.verbs[:frames]
        and np.array_equal(one.phases[:frames], other.phases[:frames])
    )


def test_the_same_score_plays_the_same_bit_for_bit():
    graph = generated_graph()
    one, other = (performed(graph, SCORE, TIMES) for _ in range(2))
    assert _same(one, other, len(TIMES)) and one.happenings == other.happenings
    assert {"stand", "walk", "wave"} == set(one.verbs)


def test_a_command_ten_frames_later_changes_nothing_before_it():
    graph = generated_graph()
    first, changed = performed(graph, SCORE, TIMES), 0
    for index, command in enumerate(SCORE.commands):
        moved = list(SCORE.commands)
        moved[index] = replace(command, seconds=command.seconds + 10.0 / 30.0)
        other = performed(graph, replace(SCORE, commands=tuple(moved)), TIMES)
        before = int(np.searchsorted(TIMES, command.seconds))
        assert _same(first, other, before)
        changed += not _same(first, other, len(TIMES))
    assert changed


def test_commands_are_heard_at_their_own_moments():
    """Frames a second apart see what close frames see."""
    graph, score = generated_graph(), replace(SCORE, adverbs={})
    close, far = performed(graph, score, TIMES), performed(graph, score, TIMES[::30])
    assert np.abs(close.values[::30] - far.values).max() < 5e-4


def test_the_seed_decides_what_nobody_asks_for():
    graph, times = random_graph(1), np.arange(2000) / 20.0
    played = [performed(graph, Score("a", seed=seed), times) for seed in (1, 1, 2)]
    assert _same(played[0], played[1], len(times))
    assert played[0].verbs != played[2].verbs


def test_an_unreachable_command_says_when_and_from_where():
    with pytest.raises(GraphError, match=r"2\.50 s.*'b'.*'a'"):
        performed(random_graph(1, one_way=True), Score("b", (Command(2.5, "a"),)), TIMES)


def test_a_track_that_is_no_number_is_refused():
    with pytest.raises(VerbError, match="'mood'"):
        performed(generated_graph(), Score("walk", adverbs={"mood": Track(np.zeros(1), np.full(1, np.nan))}), TIMES)


@pytest.mark.parametrize("locked", [False, True])
def test_a_recording_is_a_clip_again_with_marks(locked: bool):
    recording = performed(generated_graph(), SCORE, TIMES, locked)
    clip = recording.clip()
    found = clip.sample(TIMES)
    columns = recording.channels.rotation_columns
    assert np.abs(found[:, :6] - recording.values[:, :6]).max() < 1e-3
    dots = np.sum((found[:, columns] * recording.values[:, columns]).reshape(len(TIMES), -1, 4), axis=-1)
    assert np.abs(dots).min() > 1.0 - 1e-5
    contacts = [mark for mark in clip.marks if mark.kind == "contact"]
    assert {mark.name for mark in contacts} == {"Toes_L", "Toes_R"}
    assert all(0.0 <= mark.start < mark.end <= TIMES[-1] for mark in contacts)
    passed = {mark.name for mark in clip.marks if mark.kind == "keytime"}
    assert {"R_down", "L_up", "L_down", "R_up", "in", "out", "up", "down"} <= passed


@pytest.mark.parametrize("locked", [False, True])
def test_contacts_open_and_close_where_the_verb_has_them(locked: bool):
    graph = generated_graph()
    recording = performed(graph, Score("walk"), np.arange(300) / 60.0, locked)
    motion = graph.verb("walk").motion([0.0, 0.0, 0.0])
    begins = [mark.start for mark in recording.marks if mark.kind == "contact" and mark.start > 0.0]
    for contact, windows in zip(graph.verb("walk").contacts, motion.windows, strict=True):
        opened = [h.time for h in recording.happenings if h.kind == "down" and h.name == contact.point and h.time > 0.0]
        wanted = motion.clock(windows[0, 0] + np.arange(10.0))
        assert len(opened) >= 3
        assert all(np.abs(wanted - time).min() < 1e-6 for time in opened)
        assert set(opened) <= set(begins)


def _heard(simulator: Simulator, player: GraphPlayer, score: Score, until: float) -> None:
    """Let the player hear on the simulator's clock what the score asks for, each at its own time stamp."""
    for time, what in score.asked(until):
        simulator.add(time, partial(_hear, player, what), "normal", COMMAND)


def _hear(player: GraphPlayer, what: Asked, time: float) -> None:
    player.command(time, what)


def test_frames_of_the_simulator_are_those_of_the_score():
    times = np.cumsum(np.random.default_rng(3).uniform(0.005, 0.06, 500))
    graph, simulator = generated_graph(), MainLoop(WaitingClock())
    player, rows = player_of(graph, SCORE), list[np.ndarray]()
    for time in times:
        simulator.add(float(time), lambda time: rows.append(player.advance([time]).values[0]), "normal", RENDER)
    _heard(simulator, player, SCORE, float(times[-1]))
    simulator.run_until(float(times[-1]))
    assert np.abs(np.array(rows) - performed(graph, SCORE, times).values).max() < 1e-6


def test_frames_that_come_as_the_load_allows_show_the_score():
    """A renderer that takes its time gets fewer frames; each of them is where the score is at its time stamp."""
    graph, clock = generated_graph(), WaitingClock()
    score, simulator = Score("stand", (Command(0.5, "walk"),), seed=4), MainLoop(clock)
    player, stretches, load = player_of(graph, score), dict[float, Stretch](), np.random.default_rng(7)
    _heard(simulator, player, score, 8.0)

    def render(time: float) -> None:
        stretches[time] = player.advance([time])
        clock.spend(float(load.uniform(0.001, 0.08)))

    shown: list[float] = []
    frames = Frames(simulator, render, shown.append)
    frames.start(0.0)
    simulator.run_until(8.0)
    wanted = performed(graph, score, shown)
    assert len(shown) < 400
    assert np.abs(np.array([stretches[time].values[0] for time in shown]) - wanted.values).max() < 1e-6
    happened = [one for stretch in stretches.values() for one in stretch.happenings]
    assert [one.name for one in happened if one.kind in ("transition", "verb")] == ["walk", "walk"]


def test_a_verb_that_is_no_longer_asked_for_is_not_entered():
    player = stepped(generated_graph(), "stand", settle=0.0)
    player.command("walk")
    player.command("stand")
    player.step(10.0)
    assert not player.happened("transition") and player.happened("keytime")


def test_of_commands_at_one_moment_the_last_counts_where_both_could_begin_at_once():
    graph = random_graph(2)
    names = [way.target for way in graph.leaving["b"]]
    begins = min(graph.leaving["b"], key=lambda way: way.leaves.begin).leaves.begin
    seconds = float(graph.verb("b").motion([0.0, 0.0]).clock([begins])[0])
    for last in names:
        both = performed(graph, Score("b", tuple(Command(seconds, name) for name in (*names, last))), TIMES[:150])
        alone = performed(graph, Score("b", (Command(seconds, last),)), TIMES[:150])
        assert both.verbs == alone.verbs


@pytest.mark.parametrize("tempo", [0.0, -0.5, 1e5, np.nan])
def test_a_tempo_that_no_figure_has_is_refused_in_a_sentence(tempo: float):
    handles = {"tempo": Track(np.array([0.0, 1.0]), np.array([1.0, tempo]))}
    with pytest.raises(VerbError, match=r"tempo .*between 0\.01 and 100"):
        performed(generated_graph(), Score("walk", handles=handles), TIMES)


def test_the_time_of_a_verb_that_is_no_cycle_ends_with_it_while_its_adverbs_go_on():
    graph, seconds = graph_of(generated_graph().verb("wave")), np.arange(0.0, 4.0, 1.0 / 30.0)
    adverbs = {"energy": Track(seconds, np.sin(seconds)), "height": Track(np.zeros(1), np.zeros(1))}
    score = Score("wave", adverbs=adverbs, settle=0.0, rate=30.0, straight=True, lead=1)
    times, phases, _ = passing(player_of(graph, score), score, 4.0)
    ends = float(times[np.argmax(phases >= 1.0)])
    assert 0.5 < ends < 3.0 and phases[-1] == 1.0
    shown = record(player_of(graph, score), score, np.array([ends - 1e-3, ends + 1e-3]))
    assert shown.phases[0] < 1.0 == shown.phases[1]
