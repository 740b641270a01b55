"""The root sinks for legs that stand, and what it sank for one that leaves fades without a jump."""

import numpy as np
import pytest
from verbs_adverbs.core.feet.terrain_pose import LET_GO, TAKE_OVER, PelvisDropShare, TerrainPose
from verbs_adverbs.core.figure.channels import world_points
from verbs_adverbs.core.figure.legs import legs_for
from verbs_adverbs.core.figure.vector_components import UP

from .standing_rows import BALL, CHANNELS, standing

INSTANT = 1e-6


def _sunk_and_lowered(counted: float, kept: float = 0.0, down: float = 0.15) -> tuple[float, float]:
    """How much the root of a standing figure sinks, and its ball, which is to be `down` lower."""
    legs, row = legs_for(CHANNELS, (BALL,)), standing()[None]
    rises = np.array([[[0.0, 0.0, 0.0, 1.0, 0.0, *UP], [0.0, 0.0, -down, counted, kept, *UP]]])
    made = TerrainPose(CHANNELS, legs).lift(row, rises)
    before, after = (world_points(CHANNELS, rows, BALL.joint, BALL.offset)[0, 2] for rows in (row, made))
    return float(row[0, 5] - made[0, 5]), float(before - after)


def test_the_root_sinks_for_a_foot_that_stands_and_not_for_one_that_swings():
    sunk, came = _sunk_and_lowered(1.0)
    assert sunk > 0.1
    assert came == pytest.approx(0.15, abs=2e-3)
    sunk, came = _sunk_and_lowered(0.0)
    assert sunk == 0.0
    assert came < 0.05


def test_where_the_root_still_sinks_for_a_leg_that_left_its_foot_comes_as_far_down():
    assert _sunk_and_lowered(0.0, kept=0.04)[0] == pytest.approx(0.04)
    assert _sunk_and_lowered(0.0, kept=0.04)[1] == pytest.approx(_sunk_and_lowered(0.0)[1] + 0.04, abs=0.01)


def test_what_is_kept_begins_as_it_was_and_fades():
    drop = PelvisDropShare().leaving(2.0).keeping(2.0, 0.05, 0.1)
    assert drop.share(2.0) == 0.0
    assert drop.rest(2.0) == pytest.approx(0.05)
    assert (drop.rest(2.0 + INSTANT) - 0.05) / INSTANT == pytest.approx(0.1, rel=1e-2)
    assert drop.rest(2.0 + LET_GO) == 0.0


def test_however_a_landing_is_foreseen_anew_the_share_that_counts_does_not_jump():
    drop = PelvisDropShare().leaving(0.0)
    for time, lands in [(0.0, 0.4), (0.3, 0.31), (0.305, 0.9), (0.8, 0.82), (0.81, 0.81)]:
        after = drop.landing(time, lands)
        assert after.share(time) == pytest.approx(drop.share(time), abs=1e-9)
        drop = after
    assert drop.share(0.81 + TAKE_OVER) == 1.0
