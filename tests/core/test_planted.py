"""A verb whose points are held: rows alone as among all others, cycles that close, changing adverbs as even ones."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.feet.planted import footing_on
from verbs_adverbs.core.feet.planting import plant_changing, plant_even
from verbs_adverbs.core.figure.channels import world_joints

from .locked_walks import walk

FPS = 24.0
ORIGIN = np.array([1.0, -2.0, 0.3, 0.7])
TIMES = np.arange(73) / FPS
SLIDERS = [(0.4, 0.5), (-0.5, -0.5), (0.6, -0.9), (1.5, 1.4)]


def _joints(values: np.ndarray) -> np.ndarray:
    return world_joints(walk().channels, values)


def _sloping(places: np.ndarray) -> np.ndarray:
    return -0.1 * places[:, 1]


def _played(adverbs, floor=None, times=TIMES, **options):
    return plant_even(footing_on(walk(), floor), walk(), np.array(adverbs), ORIGIN, times, **options)


@pytest.mark.parametrize("adverbs", SLIDERS)
@pytest.mark.parametrize("floor", [None, pytest.param(_sloping, marks=pytest.mark.long)], ids=["own ground", "slope"])
def test_a_row_alone_is_what_it_is_in_the_whole(adverbs, floor):
    whole = _joints(_played(adverbs, floor).locked())
    for row, time in enumerate(TIMES):
        near = _played(adverbs, floor, np.array([time]), reach=1.5, before=TIMES[:row])
        alone = near.locked_row(float(time), near.values[near.rows[0]])
        assert np.abs(_joints(alone[None])[0] - whole[row]).max() < 1e-4, time


@pytest.mark.parametrize("adverbs", SLIDERS)
def test_whole_cycles_end_as_they_begin(adverbs):
    for cycles in (1, 2):
        length = cycles * walk().duration(adverbs)
        times = np.append(np.arange(0.0, length, 1.0 / FPS), length)
        played = _played(adverbs, times=times, before=times - length)
        made = played.locked()
        climbed = played.heights[played.rows]
        assert np.abs(made[-1, 3:] - made[0, 3:])[[0, 1]].max() < 1e-5
        assert abs(made[-1, 5] - climbed[-1] - made[0, 5]) < 1e-5
        assert np.abs(made[-1, 6:] - made[0, 6:]).max() < 1e-5


@pytest.mark.parametrize("adverbs", SLIDERS)
def test_a_bake_from_the_start_goes_the_way_of_the_timeline_whatever_its_frames(adverbs):
    fine = np.unique(np.concatenate([TIMES, np.random.default_rng(3).uniform(0.0, TIMES[-1], 60)]))
    rows = np.searchsorted(fine, TIMES)
    misses = _joints(_played(adverbs, times=fine).locked())[rows] - _joints(_played(adverbs).locked())
    assert np.abs(misses).max() < 2e-3


@pytest.mark.parametrize("adverbs", SLIDERS)
def test_adverbs_that_are_said_to_change_but_do_not_play_as_even_ones(adverbs):
    parts = 9
    fine = np.arange((len(TIMES) - 1) * parts + 1) / (FPS * parts)
    rows = np.arange(0, len(fine), parts)
    told = np.tile(np.array(adverbs), (len(fine), 1))
    changing = plant_changing(footing_on(walk(), None), walk(), told, ORIGIN, fine, rows)
    assert np.abs(_joints(changing.locked()) - _joints(_played(adverbs).locked())).max() < 1e-4


def test_adverbs_may_change_while_a_gesture_stands_that_has_nothing_before_its_start():
    gesture = replace(walk(), cyclic=False)
    footing, fine = footing_on(gesture, None), np.arange(40) / 60.0
    told = np.tile(np.array(SLIDERS[0]), (len(fine), 1))
    changing = plant_changing(footing, gesture, told, ORIGIN, fine, np.arange(len(fine)))
    even = plant_even(footing, gesture, told[0], ORIGIN, fine)
    assert changing.spans
    assert np.abs(_joints(changing.locked()) - _joints(even.locked())).max() < 1e-4


def test_what_stands_at_the_start_stands_where_it_came_down_before():
    played = _played((0.6, -0.9))
    standing = [span for span in played.spans if span.begin < 0.0 < span.end]
    assert standing
    for span in standing:
        joint = played.footing.points[span.point].joint
        places = _joints(played.locked())[: int(span.end * FPS), joint, :2]
        assert len(places) and np.abs(places - _joints(span.opening[None])[0, joint, :2]).max() < 1e-4
