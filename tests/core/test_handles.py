"""The handles of a player, by which it is steered."""

import numpy as np
import pytest

from .steered import walker
from .stepping import Stepped


def _played(player: Stepped, seconds: float) -> np.ndarray:
    player.step(seconds)
    return player.values()


def test_the_stride_scales_the_way_and_neither_turn_nor_pose():
    plain, long = walker({"turn": 0.5}), walker({"turn": 0.5})
    long.move_handles(stride=1.2)
    first, second = _played(plain, 1.7), _played(long, 1.7)
    assert np.abs(second[:2] - 1.2 * first[:2]).max() < 1e-12
    assert np.abs(np.delete(second - first, [0, 1, 5])).max() < 1e-9


def test_the_stride_lengthens_the_climb_as_much_as_the_way():
    plain, long = walker({"slope": 1.0}), walker({"slope": 1.0})
    first = _played(plain, 1.7)[5], _played(walker({"slope": 1.0}), 0.0)[5]
    long.move_handles(stride=1.2)
    flat = first[0] - plain.graph.verb("walk").motion([0.0, 1.0, 0.0]).path(np.array([plain.phase]))[0, 3]
    assert _played(long, 1.7)[5] - flat == pytest.approx(1.2 * (first[0] - flat), abs=1e-9)


def test_the_tempo_is_as_many_times_the_seconds():
    quick, plain = walker(), walker()
    quick.move_handles(tempo=1.25)
    for player in (quick, plain):
        player.command("stand")
    assert plain.until == pytest.approx(1.25 * quick.until)
    for step in (0.3, 0.5, 0.8):
        assert np.abs(_played(quick, step) - _played(plain, 1.25 * step)).max() < 1e-9
    assert quick.time == pytest.approx(1.6)


def test_adverbs_settle_by_the_clock_whatever_the_tempo():
    quick, plain = walker(), walker()
    quick.move_handles(tempo=1.3)
    for player in (quick, plain):
        player.set_adverbs({"turn": 1.0})
        player.step(0.1)
    assert quick.adverbs["turn"] == pytest.approx(plain.adverbs["turn"], abs=1e-9)


def test_the_nudge_moves_the_root_alone():
    plain, nudged = walker(), walker()
    nudged.move_handles(nudge_x=0.1, nudge_y=-0.2)
    moved = _played(nudged, 1.5) - _played(plain, 1.5)
    assert np.abs(moved[:2] - [0.15, -0.3]).max() < 1e-12
    assert (moved[2:] == 0.0).all()
