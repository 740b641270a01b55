"""Figures in centimetres are held as the same figures in metres are."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.feet.live_locks import LiveLocks
from verbs_adverbs.core.feet.locks import Span, lock_motion
from verbs_adverbs.core.feet.spans import lock_points
from verbs_adverbs.core.figure.channels import Channels

from .locked_walks import Floor, play, swinging

LARGER = 100.0


def _large(channels: Channels) -> Channels:
    skeleton = replace(
        channels.skeleton, offsets=LARGER * channels.skeleton.offsets, tails=LARGER * channels.skeleton.tails
    )
    return replace(channels, skeleton=skeleton)


def _scaled(rows: np.ndarray) -> np.ndarray:
    found = rows.copy()
    found[..., [0, 1, 3, 4, 5]] *= LARGER
    return found


def _ramp(places: np.ndarray) -> np.ndarray:
    return places @ np.array([0.02, -0.15])


@pytest.mark.parametrize("floor", [None, _ramp], ids=["flat", "ramp"])
def test_a_walk_in_centimetres_is_held_as_in_metres(floor: Floor | None):
    played = play(swinging, 3.0)
    spans = [
        Span(s.point, s.begin, s.end, _scaled(s.opening), _scaled(s.closing), LARGER * s.clearance, LARGER * s.drop)
        for s in played.spans
    ]
    points = lock_points(played.verb)
    large = None if floor is None else lambda places: LARGER * floor(places / LARGER)
    made = lock_motion(_large(played.verb.channels), points, played.times, _scaled(played.values), spans, large)
    assert np.abs(made - _scaled(played.locked(floor))).max() < 1e-9 * LARGER


def test_a_foot_steps_home_in_centimetres_as_in_metres():
    played = play((0.0, 0.0), 1.0)
    points = lock_points(played.verb)
    found = []
    for channels, scale in ((played.verb.channels, lambda row: row), (_large(played.verb.channels), _scaled)):
        locks = LiveLocks(channels, points)
        locks.switch_on(0, scale(played.values[0]))
        locks.apply(scale(played.values[10]))
        locks.step_home(0, scale(played.values[10]))
        made = []
        while locks.is_stepping(0):
            locks.advance(1.0 / 60.0)
            made.append(locks.apply(scale(played.values[10])))
        found.append((np.array(made), locks.length(0)))
    (small, length), (large, longer) = found
    assert abs(longer - LARGER * length) < 1e-9
    assert 0.35 * 60.0 < len(small) <= 0.5 * 60.0 + 1.0
    assert np.abs(large - _scaled(small)).max() < 1e-9 * LARGER
