"""The demo's scene of layers: what it says of itself, computed again from its rows."""

from pathlib import Path

import numpy as np
import pytest
from verbs_adverbs.demo import layers
from verbs_adverbs.demo.captured_models import captured
from verbs_adverbs.demo.models import biped


@pytest.mark.long
def test_the_scene_walks_waves_carries_and_is_refused_once():
    shown, player = layers.perform(biped())
    times, rows = np.array(shown.times), np.array(shown.rows)
    found = layers.figures(player, shown, rows, times)
    assert len(rows) == round(layers.SECONDS * layers.FPS) + 1
    assert found["joint_step_over_the_examples"] < 1.002 and found["legs_changed_by_layers"] == 0.0
    assert found["slip_cm_s"]["largest"] < 0.1 and found["slip_cm_s_without_layers"]["largest"] < 0.1
    assert found["slip_cm_s_without_locks"]["mean"] > 1.0
    assert found["look_missed_degrees"] < 0.1
    assert found["hands_apart_mm_spread"] < 1.0 and len(found["refused"]) == 1
    assert all(abs(share - 1.0) < 0.03 for share in found["root_speed_over_commanded"])
    trees = [tree for _, _, tree in shown.trees]
    assert trees[0].startswith("Blend(") and "TimeWarp(" in trees[0] and "WalkCycle_happy" in trees[-2]


@pytest.mark.long
def test_the_scene_plays_a_folder_of_captured_motion(extension: object, mocap: Path):
    cast = captured(mocap)
    assert cast.figure.layers.names == ("carry", "wave", "look") and len(cast.figure.points) == 2
    shown, player = layers.perform(cast)
    times, rows = np.array(shown.times), np.array(shown.rows)
    found = layers.figures(player, shown, rows, times)
    assert found["joint_step_over_the_examples"] < 1.002 and found["legs_changed_by_layers"] == 0.0
    assert found["slip_cm_s"]["largest"] < 0.1 and found["slip_cm_s_without_locks"]["mean"] > 0.5
    assert found["hands_apart_mm_spread"] < 1.0 and found["look_missed_degrees"] < 0.1
    assert len(found["refused"]) == 1 and all(abs(share - 1.0) < 0.03 for share in found["root_speed_over_commanded"])
