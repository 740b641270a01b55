"""Long performances are computed some thousand rows at a time: no piece shows, and all work can be stopped."""

import numpy as np
import pytest
from verbs_adverbs.core.feet import locks, planting
from verbs_adverbs.core.feet.planted import footing_on
from verbs_adverbs.core.play.score import Command, Score, Track, perform_score
from verbs_adverbs.core.verb import perform
from verbs_adverbs.core.verb.build import build_verb

from .graphs import generated_graph
from .locked_walks import walk
from .walks import ADVERBS, biped_channels, walk_examples

ORIGIN = np.array([1.0, -2.0, 0.3, 0.7])
FPS, PARTS, FRAMES = 24.0, 9, 240
WHOLE = 10**9
SAME = 1e-9


class Stopped(Exception):
    """Somebody has had enough."""


def _hilly(places: np.ndarray) -> np.ndarray:
    return 0.05 * np.sin(places[:, 0]) - 0.1 * places[:, 1]


def _wandering(seconds: np.ndarray) -> np.ndarray:
    """Adverbs (F, 2) that come by all places between the examples."""
    return np.stack([0.9 * np.sin(0.7 * seconds), 0.8 * np.cos(0.3 * seconds)], axis=-1)


def _even(floor, progress=None):
    """A walk at even adverbs, told at frames of which some are left out."""
    times = np.delete(np.arange(FRAMES), [3, 4, 5, 90]) / FPS
    footing, adverbs = footing_on(walk(), floor), np.array([0.4, 0.5])
    planted = planting.plant_even(footing, walk(), adverbs, ORIGIN, times, progress=progress)
    return planted, planted.locked(progress)


def _changing(floor, progress=None):
    """A walk whose adverbs change in every one of its small steps."""
    fine = np.arange((FRAMES - 1) * PARTS + 1) / (FPS * PARTS)
    rows = np.arange(0, len(fine), PARTS)
    planted = planting.plant_changing(footing_on(walk(), floor), walk(), _wandering(fine), ORIGIN, fine, rows, progress)
    return planted, planted.locked(progress)


PLAYED = [_even, _changing]


def _in_pieces_of(monkeypatch, count: int, played, floor):
    for module in (perform, planting, locks):
        monkeypatch.setattr(module, "PIECE", count)
    return played(floor)


@pytest.mark.parametrize("floor", [None, _hilly], ids=["own ground", "hills"])
@pytest.mark.parametrize("played", PLAYED, ids=["even", "changing"])
@pytest.mark.parametrize("count", [7, 64, 1000])
def test_rows_computed_in_pieces_are_those_computed_at_once(monkeypatch, count, played, floor):
    whole, held = _in_pieces_of(monkeypatch, WHOLE, played, floor)
    planted, made = _in_pieces_of(monkeypatch, count, played, floor)
    assert np.abs(planted.times - whole.times).max() < SAME
    assert np.abs(planted.phases - whole.phases).max() < SAME
    assert np.abs(planted.heights - whole.heights).max() < SAME
    assert np.abs(planted.values - whole.values).max() < SAME
    assert np.abs(made - held).max() < SAME


def test_a_verb_that_nothing_holds_plays_in_pieces_as_at_once(monkeypatch):
    fine = np.arange(2000) / 200.0
    rows = np.random.default_rng(5).permutation(2000)[:300]
    wholes = perform.perform(walk(), fine, _wandering(fine), 0.3, ORIGIN[:3], rows)
    monkeypatch.setattr(perform, "PIECE", 33)
    pieces = perform.perform(walk(), fine, _wandering(fine), 0.3, ORIGIN[:3], rows)
    for name in ("times", "phases", "values", "heights"):
        assert np.abs(getattr(pieces, name) - getattr(wholes, name)).max() < SAME, name


@pytest.mark.parametrize("floor", [None, _hilly], ids=["own ground", "hills"])
@pytest.mark.parametrize("played", PLAYED, ids=["even", "changing"])
def test_who_shows_how_far_it_is_hears_of_it_and_can_stop_it(played, floor):
    heard: list[float] = []
    done, made = played(floor, heard.append)
    assert len(heard) > 10 and min(heard) >= 0.0 and max(heard) <= 1.0
    assert np.sum(np.diff(heard) < 0.0) == 1, "once it is played and once it is held"

    def stop(fraction: float) -> None:
        if fraction > 0.5:
            raise Stopped

    with pytest.raises(Stopped):
        played(floor, stop)
    with pytest.raises(Stopped):
        done.locked(stop)
    assert np.array_equal(done.locked(), made)


def test_a_score_tells_how_far_it_is_and_can_be_stopped():
    mood = Track(np.array([0.0, 3.0]), np.array([-1.0, 1.0]))
    score, times, heard = Score("walk", (Command(1.0, "wave"),), {"mood": mood}), np.arange(120) / FPS, list[float]()
    whole = perform_score(generated_graph(), score, times, progress=heard.append)
    assert len(heard) > 10 and heard == sorted(heard) and heard[0] >= 0.0 and heard[-1] <= 1.0

    def stop(fraction: float) -> None:
        if fraction > 0.5:
            raise Stopped

    with pytest.raises(Stopped):
        perform_score(generated_graph(), score, times, progress=stop)
    assert np.array_equal(perform_score(generated_graph(), score, times).values, whole.values)


def test_building_a_verb_tells_how_far_it_is_and_can_be_stopped():
    heard: list[float] = []

    def hear(fraction: float, text: str) -> None:
        heard.append(fraction)
        if fraction > 0.9:
            raise Stopped(text)

    with pytest.raises(Stopped):
        build_verb("walk", biped_channels(), walk_examples(), ADVERBS, [[-1, 1], [-1, 1]], progress=hear)
    assert len(heard) > 10 and heard == sorted(heard)
