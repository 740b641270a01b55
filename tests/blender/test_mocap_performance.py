"""A minute of captured motion through a verb graph, in Blender: feet stand, bodies move evenly, bakes are alike."""

from pathlib import Path

import numpy as np
import pytest
from blender.minutes import Regression, assert_held_to_targets, captured_minute, without_target

pytestmark = pytest.mark.long

BAKED_CM = 0.01
SLIP_CM_S = 0.3
CORRECTION, IN_TRANSITIONS = "inside verbs: correction, degrees", "in transitions: correction, degrees"
STEPS_HOME = "steps home: correction, degrees"
REGRESSIONS: dict[str, dict[str, Regression]] = {
    "level": {
        CORRECTION: Regression(target=12.0, bound=12.9),
        STEPS_HOME: Regression(target=20.0, bound=22.3),
        **without_target(any_frame=0.01, off_floor_in_transitions=0.92, steps_home=6.29),
    },
    "ramp": {
        CORRECTION: Regression(target=12.0, bound=39.5),
        IN_TRANSITIONS: Regression(target=20.0, bound=44.6),
        STEPS_HOME: Regression(target=20.0, bound=39.9),
        **without_target(any_frame=0.01, off_floor_in_transitions=0.92, steps_home=6.27),
    },
    "stairs": {
        CORRECTION: Regression(target=12.0, bound=72.1),
        "inside verbs: release, degrees a frame": Regression(target=3.0, bound=3.42),
        IN_TRANSITIONS: Regression(target=20.0, bound=77.4),
        STEPS_HOME: Regression(target=20.0, bound=59.9),
        **without_target(any_frame=0.01, off_floor_in_transitions=0.92, steps_home=6.27),
    },
    "half turn": {
        "inside verbs: share locked": Regression(target=0.95, bound=0.878),
        "inside verbs: off the floor, cm": Regression(target=1.0, bound=1.64),
        **without_target(any_frame=0.01),
    },
}
"""What the figures came to where they miss their targets or have none: bounds that they may not pass, and no goals."""


@pytest.mark.parametrize("name", REGRESSIONS)
def test_the_figures_of_a_captured_minute_are_held_to_their_targets(mocap: Path, name: str, tell):
    assert_held_to_targets(captured_minute(mocap).cases[name], REGRESSIONS[name], tell)


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
