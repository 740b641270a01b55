"""A verb whose points are held: rows from near before as from the start, closed cycles, changing adverbs as even."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.feet.constrained_player import ConstrainedPlayer
from verbs_adverbs.core.feet.footholds_off_edges import Floor
from verbs_adverbs.core.feet.playing_together import comes_free
from verbs_adverbs.core.figure.channels import climb, world_joints
from verbs_adverbs.core.graph.verb_graph import graph_of
from verbs_adverbs.core.play.recorded_motion import Recording
from verbs_adverbs.core.play.score import Score, player_of, record
from verbs_adverbs.core.verb.verb import Verb, placed

from .locked_walks import tracks, walk

FPS = 24.0
ORIGIN = 1.0, -2.0, 0.3, 0.7
TIMES = np.arange(73) / FPS
SLIDERS = [(0.4, 0.5), (-0.5, -0.5), (0.6, -0.9), (1.5, 1.4)]
NEAR = 2
"""Cycles before a row from which on it is played."""


def _joints(values: np.ndarray) -> np.ndarray:
    return world_joints(walk().channels, values)


def _sloping(places: np.ndarray) -> np.ndarray:
    return -0.1 * places[:, 1]


def _played(
    adverbs: np.ndarray | tuple[float, float],
    floor: Floor | None = None,
    times: np.ndarray = TIMES,
    lead: int = 1,
    verb: Verb | None = None,
    between: int = 1,
) -> Recording:
    """A verb at even adverbs (2,), or at those (F, 2) that change `between` times a frame."""
    verb, clock = verb or walk(), np.arange(len(adverbs)) / (FPS * between)
    told = tracks(np.array(adverbs), clock)
    score = Score(verb.name, (), told, 0, ORIGIN, settle=0.0, rate=FPS, between=between, straight=True, lead=lead)
    player = ConstrainedPlayer(player_of(graph_of(verb), score), floor, steps=False)
    return record(player, score, times)


@pytest.mark.parametrize("adverbs", SLIDERS)
@pytest.mark.parametrize("floor", [None, pytest.param(_sloping, marks=pytest.mark.long)], ids=["own ground", "slope"])
def test_a_row_played_from_near_before_is_what_it_is_in_the_whole(adverbs, floor):
    whole = _joints(_played(adverbs, floor).values)
    first = player_of(graph_of(walk()), Score("walk", adverbs=tracks(np.array(adverbs), TIMES), settle=0.0))
    assert comes_free(first)
    for row in range(0, len(TIMES), 1 if floor is None else 4):
        time = TIMES[row]
        lead = min(1, NEAR - int(time / walk().duration(adverbs)))
        near = _joints(_played(adverbs, floor, TIMES[row : row + 1], lead).values)
        assert np.abs(near[0] - whole[row]).max() < 1e-4, time


@pytest.mark.parametrize("adverbs", SLIDERS)
def test_whole_cycles_end_as_they_begin(adverbs):
    for cycles in (1, 2):
        length = cycles * walk().duration(adverbs)
        played = _played(adverbs, times=np.append(np.arange(0.0, length, 1.0 / FPS), length))
        made, climbed = played.values, played.heights
        assert np.abs(made[-1, 3:] - made[0, 3:])[[0, 1]].max() < 1e-5
        assert abs(made[-1, 5] - climbed[-1] - made[0, 5] + climbed[0]) < 1e-5
        assert np.abs(made[-1, 6:] - made[0, 6:]).max() < 1e-5


@pytest.mark.parametrize("lead", [0, 1])
@pytest.mark.parametrize("adverbs", SLIDERS)
def test_adverbs_that_are_said_to_change_but_do_not_play_as_even_ones(adverbs, lead):
    told = np.tile(np.array(adverbs), ((len(TIMES) - 1) * 9 + 1, 1))
    changing = _played(told, lead=lead, between=9)
    assert np.abs(_joints(changing.values) - _joints(_played(adverbs, lead=lead).values)).max() < 1e-4


def test_adverbs_may_change_while_a_gesture_stands_that_has_nothing_before_its_start():
    gesture, times = replace(walk(), cyclic=False), np.arange(40) / 60.0
    told = np.tile(np.array(SLIDERS[0]), (len(times), 1))
    changing, even = (_played(adverbs, times=times, verb=gesture) for adverbs in (told, SLIDERS[0]))
    assert any(mark.kind == "contact" for mark in even.marks)
    assert min(mark.start for mark in even.marks) >= 0.0
    assert np.abs(_joints(changing.values) - _joints(even.values)).max() < 1e-4


def test_what_stands_at_the_start_stands_where_it_came_down_before():
    adverbs = (0.6, -0.9)
    played, motion = _played(adverbs), walk().motion(adverbs)
    standing = [mark for mark in played.marks if mark.kind == "contact" and mark.start < 0.0 < mark.end]
    assert standing
    for mark in standing:
        joint = next(contact.joint for contact in walk().contacts if contact.point == mark.name)
        row = placed(motion.sample([mark.start]), np.array(ORIGIN)[[0, 1, 3]])
        climb(walk().channels, row, np.array([ORIGIN[2]]))
        places = _joints(played.values)[: int(mark.end * FPS), joint, :2]
        assert len(places) and np.abs(places - _joints(row)[0, joint, :2]).max() < 1e-4
