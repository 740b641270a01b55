"""Scores replay exactly; recordings are clips again; the simulator's frames are the score's."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.errors import GraphError, VerbError
from verbs_adverbs.core.play.frames import Frames
from verbs_adverbs.core.play.graph_player import GraphPlayer
from verbs_adverbs.core.play.performer import Performer
from verbs_adverbs.core.play.recording import Recording
from verbs_adverbs.core.play.score import Command, Score, Track, perform_score
from verbs_adverbs.core.play.simulator import Simulator, VirtualClock

from .graphs import generated_graph, random_graph

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
    one, other = (perform_score(graph, SCORE, TIMES) for _ in range(2))
    assert _same(one, other, len(TIMES)) and one.happenings == other.happenings
    assert {"stand", "walk", "wave"} == set(one.verbs)


def test_a_command_ten_frames_later_changes_nothing_before_it():
    graph = generated_graph()
    first, changed = perform_score(graph, SCORE, TIMES), 0
    for index, command in enumerate(SCORE.commands):
        moved = list(SCORE.commands)
        moved[index] = replace(command, seconds=command.seconds + 10.0 / 30.0)
        other = perform_score(graph, replace(SCORE, commands=tuple(moved)), TIMES)
        before = int(np.searchsorted(TIMES, command.seconds))
        assert _same(first, other, before)
        changed += not _same(first, other, len(TIMES))
    assert changed


def test_commands_are_heard_at_their_own_moments():
    """Frames a second apart see what close frames see."""
    graph, score = generated_graph(), replace(SCORE, adverbs={})
    close, far = perform_score(graph, score, TIMES), perform_score(graph, score, TIMES[::30])
    assert np.abs(close.values[::30] - far.values).max() < 5e-4


def test_the_seed_decides_what_nobody_asks_for():
    graph, times = random_graph(1), np.arange(2000) / 20.0
    played = [perform_score(graph, Score("a", seed=seed), times) for seed in (1, 1, 2)]
    assert _same(played[0], played[1], len(times))
    assert played[0].verbs != played[2].verbs


def test_an_unreachable_command_says_when_and_from_where():
    with pytest.raises(GraphError, match=r"2\.50 s.*'b'.*'a'"):
        perform_score(random_graph(1, one_way=True), Score("b", (Command(2.5, "a"),)), TIMES)


def test_a_track_that_is_no_number_is_refused():
    with pytest.raises(VerbError, match="'mood'"):
        perform_score(generated_graph(), Score("walk", adverbs={"mood": Track(np.zeros(1), np.full(1, np.nan))}), TIMES)


def test_a_recording_is_a_clip_again_with_marks():
    recording = perform_score(generated_graph(), SCORE, TIMES)
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


def test_contacts_open_and_close_where_the_verb_has_them():
    graph = generated_graph()
    recording = perform_score(graph, Score("walk"), np.arange(300) / 60.0)
    motion = graph.verb("walk").motion([0.0, 0.0, 0.0])
    begins = [mark.start for mark in recording.marks if mark.kind == "contact" and mark.start > 0.0]
    for contact, windows in zip(graph.verb("walk").contacts, motion.windows, strict=True):
        opened = [h.time for h in recording.happenings if h.kind == "down" and h.name == contact.point and h.time > 0.0]
        wanted = motion.clock(windows[0, 0] + np.arange(10.0))
        assert len(opened) >= 3
        assert all(np.abs(wanted - time).min() < 1e-6 for time in opened)
        assert set(opened) <= set(begins)


def _simulated(score: Score, times: np.ndarray, prepare: Callable[[Simulator, Performer], None]) -> np.ndarray:
    """Rows of the score's start on a virtual clock, rendered at `times`."""
    graph, simulator = generated_graph(), Simulator(VirtualClock())
    player = GraphPlayer(
        graph, score.adverbs_at(0.0), np.random.default_rng(score.seed), score.verb, score.origin, settle=score.settle
    )
    performer = Performer(simulator, player)
    rows: list[np.ndarray] = []

    def frame(time: float) -> None:
        performer.render(time)
        performer.set_adverbs(score.adverbs_at(time))
        rows.append(player.values())

    for time in times:
        simulator.add(float(time), frame, "normal", 100)
    prepare(simulator, performer)
    simulator.run_until(float(times[-1]))
    return np.array(rows)


def test_frames_of_the_simulator_are_those_of_the_score():
    times = np.cumsum(np.random.default_rng(3).uniform(0.005, 0.06, 500))

    def command(_: Simulator, performer: Performer) -> None:
        for one in SCORE.commands:
            performer.command_at(one.seconds, one.verb)

    found = _simulated(SCORE, times, command)
    wanted = perform_score(generated_graph(), SCORE, times)
    assert np.abs(found - wanted.values).max() < 1e-6


def test_frames_that_come_as_the_load_allows_show_the_score():
    """A renderer that takes its time gets fewer frames; each of them is where the score is at its time stamp."""
    graph, clock = generated_graph(), VirtualClock()
    simulator = Simulator(clock)
    player = GraphPlayer(graph, {}, np.random.default_rng(4), "stand")
    changes: list[tuple[float, str, str]] = []
    performer = Performer(simulator, player, changed=lambda *change: changes.append(change))
    performer.command_at(0.5, "walk")
    shown: list[tuple[float, np.ndarray]] = []
    load = np.random.default_rng(7)

    def render(time: float) -> None:
        performer.render(time)
        clock.spend(float(load.uniform(0.001, 0.08)))

    frames = Frames(simulator, render, lambda time: shown.append((time, performer.values)))
    frames.start(0.0)
    simulator.run_until(8.0)
    times = np.array([time for time, _ in shown])
    wanted = perform_score(graph, Score("stand", (Command(0.5, "walk"),), seed=4), times)
    assert len(times) < 400
    assert np.abs(np.array([values for _, values in shown]) - wanted.values).max() < 1e-6
    assert [name for _, kind, name in changes if kind in ("transition", "verb")] == ["walk", "walk"]


def test_predictions_that_have_become_stale_are_skipped():
    simulator = Simulator(VirtualClock())
    player = GraphPlayer(generated_graph(), {}, np.random.default_rng(0), "stand", settle=0.0)
    changes: list[str] = []
    performer = Performer(simulator, player, changed=lambda _time, kind, _name: changes.append(kind))
    performer.command("walk")
    performer.command("stand")
    simulator.run_until(10.0)
    assert "transition" not in changes and "keytime" in changes
    performer.stop()
    assert simulator.next is None
