"""A minute of captured motion through a verb graph, in Blender: feet stand, bodies move evenly, bakes are alike."""

from pathlib import Path

import numpy as np
import pytest
from blender.minutes import assert_held_to_targets, captured_minute

pytestmark = pytest.mark.long

BAKED_CM = 0.01
SLIP_CM_S = 0.3


@pytest.mark.parametrize("name", ["level", "ramp", "stairs", "half turn"])
def test_the_figures_of_a_captured_minute_are_held_to_their_targets(mocap: Path, name: str, tell):
    assert_held_to_targets(captured_minute(mocap).cases[name], f"captured minute, {name}", tell)


def test_the_minute_has_twenty_commands_and_adverbs_that_change(mocap: Path):
    minute = captured_minute(mocap)
    assert len(minute.cast.script.commands) == 20
    assert all(np.ptp(track.values) > 1.0 for track in minute.score.adverbs.values())
    assert set(minute.cases["level"].held.verbs) == {"stand", "walk", "run", "raise hand"}


def test_the_baked_action_plays_what_is_judged(mocap: Path):
    bake = captured_minute(mocap).bake
    assert bake["frames"] == 3601
    assert bake["differs_cm"] < BAKED_CM


@pytest.mark.parametrize("name", ["level", "ramp", "stairs"])
def test_feet_that_would_slide_stand_still(mocap: Path, name: str):
    figures = captured_minute(mocap).cases[name].figures
    for where in ("inside_verbs", "in_transitions"):
        slip = figures[where]["slip_where_locked"]
        assert slip["held_cm_per_s"] < SLIP_CM_S
        assert slip["free_cm_per_s"] > 10.0 * SLIP_CM_S


def test_feet_stand_still_halfway_between_a_left_and_a_right_turn(mocap: Path):
    slip = captured_minute(mocap).cases["half turn"].figures["inside_verbs"]["slip_where_locked"]
    assert slip["free_cm_per_s_median"] > 20.0
    assert slip["held_cm_per_s"] < SLIP_CM_S
