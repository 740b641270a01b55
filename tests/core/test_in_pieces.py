"""Long performances are computed some hundred rows at a time: no piece shows, and all work can be stopped."""

import numpy as np
import pytest
from verbs_adverbs.core.feet.constrained_player import ConstrainedPlayer
from verbs_adverbs.core.feet.footholds_off_edges import Floor
from verbs_adverbs.core.graph.verb_graph import graph_of
from verbs_adverbs.core.play import score as scores
from verbs_adverbs.core.play.recorded_motion import Recording
from verbs_adverbs.core.play.score import Command, Score, Track, player_of, record
from verbs_adverbs.core.progress import Progress
from verbs_adverbs.core.verb.build import build_verb

from .graphs import generated_graph
from .locked_walks import tracks, walk
from .walks import ADVERBS, biped_channels, walk_examples

ORIGIN = 1.0, -2.0, 0.3, 0.7
FPS, PARTS, FRAMES = 24.0, 9, 240
TIMES = np.delete(np.arange(FRAMES), [3, 4, 5, 90]) / FPS
WHOLE = 5000
SAME = 1e-9


class Stopped(Exception):
    """Somebody has had enough."""


def _hilly(places: np.ndarray) -> np.ndarray:
    return 0.05 * np.sin(places[:, 0]) - 0.1 * places[:, 1]


def _wandering(seconds: np.ndarray) -> np.ndarray:
    """Adverbs (F, 2) that come by all places between the examples."""
    return np.stack([0.9 * np.sin(0.7 * seconds), 0.8 * np.cos(0.3 * seconds)], axis=-1)


def _even(floor: Floor | None, held: bool = True, progress: Progress | None = None) -> Recording:
    """A walk at even adverbs, asked for at frames of which some are left out."""
    return _walked(np.array([0.4, 0.5]), floor, held, progress)


def _changing(floor: Floor | None, held: bool = True, progress: Progress | None = None) -> Recording:
    """A walk whose adverbs change in every one of its small steps."""
    return _walked(_wandering(np.arange(FRAMES * PARTS) / (FPS * PARTS)), floor, held, progress)


def _walked(adverbs: np.ndarray, floor: Floor | None, held: bool, progress: Progress | None) -> Recording:
    told = tracks(adverbs, np.arange(len(adverbs)) / (FPS * PARTS))
    score = Score("walk", (), told, 0, ORIGIN, settle=0.0, rate=FPS, between=PARTS, straight=True, lead=1)
    player = player_of(graph_of(walk()), score)
    return record(ConstrainedPlayer(player, floor, steps=False) if held else player, score, TIMES, progress)


PLAYED = [_even, _changing]


def _in_pieces_of(monkeypatch: pytest.MonkeyPatch, count: int, played, floor: Floor | None, held: bool) -> Recording:
    monkeypatch.setattr(scores, "ROWS", count)
    return played(floor, held)


@pytest.mark.parametrize("floor", [None, _hilly], ids=["own ground", "hills"])
@pytest.mark.parametrize("played", PLAYED, ids=["even", "changing"])
@pytest.mark.parametrize("count", [7, pytest.param(64, marks=pytest.mark.long), 1000])
def test_rows_computed_in_pieces_are_those_computed_at_once(monkeypatch, count, played, floor):
    whole, pieces = (_in_pieces_of(monkeypatch, rows, played, floor, True) for rows in (WHOLE, count))
    assert np.array_equal(pieces.times, TIMES)
    assert np.abs(pieces.phases - whole.phases).max() < SAME
    assert np.abs(pieces.heights - whole.heights).max() < SAME
    assert np.abs(pieces.values - whole.values).max() < SAME
    assert [(mark.kind, mark.name) for mark in pieces.marks] == [(mark.kind, mark.name) for mark in whole.marks]
    ends = [[(mark.start, mark.end) for mark in one.marks] for one in (pieces, whole)]
    assert np.abs(np.subtract(*ends)).max() < SAME


def test_a_verb_that_nothing_holds_plays_in_pieces_as_at_once(monkeypatch):
    whole, pieces = (_in_pieces_of(monkeypatch, rows, _changing, None, False) for rows in (WHOLE, 33))
    for name in ("times", "phases", "values", "heights"):
        assert np.abs(getattr(pieces, name) - getattr(whole, name)).max() < SAME, name


@pytest.mark.parametrize("floor", [None, _hilly], ids=["own ground", "hills"])
@pytest.mark.parametrize("played", PLAYED, ids=["even", "changing"])
def test_who_shows_how_far_it_is_hears_of_it_and_can_stop_it(monkeypatch, played, floor):
    monkeypatch.setattr(scores, "ROWS", 20)
    heard: list[float] = []
    made = played(floor, progress=heard.append)
    assert len(heard) > 10 and heard == sorted(heard) and heard[0] >= 0.0 and heard[-1] == 1.0

    def stop(fraction: float) -> None:
        if fraction > 0.5:
            raise Stopped

    with pytest.raises(Stopped):
        played(floor, progress=stop)
    assert np.array_equal(played(floor).values, made.values)


@pytest.mark.parametrize("held", [True, False], ids=["held", "free"])
def test_a_score_tells_how_far_it_is_and_can_be_stopped(monkeypatch, held):
    mood = Track(np.array([0.0, 3.0]), np.array([-1.0, 1.0]))
    score, times, heard = Score("walk", (Command(1.0, "wave"),), {"mood": mood}), np.arange(120) / FPS, list[float]()

    def played(progress: Progress | None = None) -> Recording:
        player = player_of(generated_graph(), score)
        return record(ConstrainedPlayer(player) if held else player, score, times, progress)

    monkeypatch.setattr(scores, "ROWS", 10)
    whole = played(heard.append)
    assert len(heard) > 10 and heard == sorted(heard) and heard[0] >= 0.0 and heard[-1] <= 1.0

    def stop(fraction: float) -> None:
        if fraction > 0.5:
            raise Stopped

    with pytest.raises(Stopped):
        played(stop)
    assert np.array_equal(played().values, whole.values)


def test_building_a_verb_tells_how_far_it_is_and_can_be_stopped():
    heard: list[float] = []

    def hear(fraction: float, text: str) -> None:
        heard.append(fraction)
        if fraction > 0.9:
            raise Stopped(text)

    with pytest.raises(Stopped):
        build_verb("walk", biped_channels(), walk_examples(), ADVERBS, [[-1, 1], [-1, 1]], progress=hear)
    assert len(heard) > 10 and heard == sorted(heard)
