"""A minute of captured motion through a verb graph, in Blender: feet stand, bodies move evenly, bakes are alike."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from blender.stage import part
from verbs_adverbs.demo.cast import captured_cast
from verbs_adverbs.demo.footing import Floor
from verbs_adverbs.demo.measuring import all_figures, alone, play, ramp, stairs
from verbs_adverbs.demo.perform import baked, performed
from verbs_adverbs.demo.script import FPS, write_script
from verbs_adverbs.demo.targets import verdicts

pytestmark = pytest.mark.long

BAKED_CM = 0.01
SLIP_CM_S = 0.3
ON_FLOORS_SECONDS = 20.0


@cache
def performance(mocap: Path):
    """The cast, its director, graph and score, and the recordings without locks and with them."""
    cast = captured_cast(mocap)
    director = write_script(cast.armature, cast.script)
    graph, score, recordings = performed(cast.armature, director)
    verb = part("bridge.build.verbs").verb_for(cast.armature, cast.armature.verbs_adverbs.verbs[cast.alone[0]])
    bake = baked(cast, director, recordings[1])
    return cast, graph, score, recordings, verb, bake


def test_a_minute_of_twenty_commands_meets_every_target(mocap: Path, tell):
    cast, graph, score, recordings, _, _ = performance(mocap)
    assert len(cast.script.commands) == 20
    assert all(np.ptp(track.values) > 1.0 for track in score.adverbs.values())
    assert set(recordings[1].verbs) == {"stand", "walk", "run", "raise hand"}
    found = verdicts(all_figures(graph, *recordings, cast.running))
    tell("\n".join(f"  {v.what}: {v.figure:.3f}, target {v.limit:g}" for v in found))
    assert [v.what for v in found if not v.met] == []
    assert len(found) > 20


def test_the_baked_action_plays_what_was_performed(mocap: Path):
    bake = performance(mocap)[-1]
    assert bake["frames"] == 3601
    assert bake["differs_cm"] < BAKED_CM


@pytest.mark.parametrize("floor", [ramp(10.0), stairs(0.12, 0.36)], ids=["ramp", "stairs"])
def test_feet_stand_still_on_a_floor_that_the_examples_do_not_know(mocap: Path, floor: Floor):
    cast, graph, score, _, _, _ = performance(mocap)
    times = np.arange(0.0, ON_FLOORS_SECONDS, 1.0 / FPS)
    figures = all_figures(graph, *play(graph, score, times, floor), cast.running, floor)
    for where in ("inside_verbs", "in_transitions", "just_after_transitions"):
        assert figures[where]["slip_where_locked"]["held_cm_per_s"] < SLIP_CM_S
        assert figures[where]["slip_where_locked"]["free_cm_per_s"] > 10.0 * SLIP_CM_S


def test_feet_stand_still_halfway_between_a_left_and_a_right_turn(mocap: Path, tell):
    cast, _, _, _, verb, _ = performance(mocap)
    figures = all_figures(*alone(verb, 10.0, FPS), cast.running)["inside_verbs"]
    slip = figures["slip_where_locked"]
    tell(
        f"  halfway: slip {slip['free_cm_per_s_median']:.1f} cm/s without locks, "
        f"{slip['held_cm_per_s']:.3f} with them, corrections up to {figures['correction_degrees']:.1f} degrees"
    )
    assert slip["free_cm_per_s_median"] > 20.0
    assert slip["held_cm_per_s"] < SLIP_CM_S
