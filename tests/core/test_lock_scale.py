"""Figures that are made in other units are held as the same figures in metres are."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.feet.foot_locks import FootLocks, locked_rows
from verbs_adverbs.core.feet.footholds_off_edges import Floor
from verbs_adverbs.core.figure.channels import Channels
from verbs_adverbs.core.graph.verb_graph import graph_of
from verbs_adverbs.core.verb.verb import Verb

from .locked_walks import play, swinging, walk
from .standing_rows import FRAME

LARGER = 128.0
"""About as many as centimetres in a metre; by a power of two numbers are scaled exactly."""


def _large(channels: Channels) -> Channels:
    skeleton = replace(
        channels.skeleton, offsets=LARGER * channels.skeleton.offsets, tails=LARGER * channels.skeleton.tails
    )
    return replace(channels, skeleton=skeleton)


def _scaled(rows: np.ndarray) -> np.ndarray:
    found = rows.copy()
    found[..., [0, 1, 3, 4, 5]] *= LARGER
    return found


def _large_verb(verb: Verb) -> Verb:
    channels, drifts = _large(verb.channels), verb.drifts.copy()
    drifts[..., [0, 1, 3]] *= LARGER
    groups = [replace(group, controls=group.controls.copy()) for group in verb.mixture.groups]
    for group in groups:
        group.controls[..., 1:4] *= LARGER
    contacts = tuple(
        replace(c, offset=LARGER * c.offset, clearances=LARGER * c.clearances, drops=LARGER * c.drops)
        for c in verb.contacts
    )
    mixture = replace(verb.mixture, channels=channels, groups=tuple(groups))
    return replace(verb, channels=channels, drifts=drifts, mixture=mixture, contacts=contacts)


def _ramp(places: np.ndarray) -> np.ndarray:
    return places @ np.array([0.02, -0.15])


@pytest.mark.parametrize("floor", [None, _ramp], ids=["flat", "ramp"])
def test_a_walk_of_a_large_figure_is_held_as_that_of_a_small_one(floor: Floor | None):
    small, large = play(swinging, 3.0), play(swinging, 3.0, _large_verb(walk()))
    over = None if floor is None else lambda places: LARGER * floor(places / LARGER)
    assert np.abs(large.values - _scaled(small.values)).max() < 1e-9 * LARGER
    assert np.abs(small.locked(floor) - small.values).max() > 0.01
    assert np.abs(large.locked(over) - _scaled(small.locked(floor))).max() < 1e-9 * LARGER


def test_a_foot_of_a_large_figure_steps_home_as_that_of_a_small_one():
    played = play((0.0, 0.0), 1.0)
    points, rows = graph_of(played.verb).points, played.values
    found = []
    for channels, scale in ((played.verb.channels, lambda row: row), (_large(played.verb.channels), _scaled)):
        locks = FootLocks(channels, points)
        locks.lock(0, 0.0, scale(rows[0]))
        locks.step_home(0, 0.0, scale(rows[10]))
        seconds = locks.steps[0].end
        times = np.arange(0.0, seconds, FRAME)
        still = np.tile(scale(rows[10]), (len(times), 1))
        found.append((locked_rows([locks], [[locks.at(times)]], still), locks.length(0), seconds))
    (small, length, quick), (large, longer, slow) = found
    assert abs(longer - LARGER * length) < 1e-9
    assert 0.35 < quick <= 0.5
    assert abs(slow - quick) < 1e-9
    assert np.abs(large - _scaled(small)).max() < 1e-9 * LARGER
