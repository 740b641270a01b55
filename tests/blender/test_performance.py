"""On the timeline the score is what core performs, and each frame depends on nothing that comes after it."""

import numpy as np
import pytest
from blender.performance import END, graph_of, performing_biped, recorded
from blender.stage import core_joints, go_to, joints_of, part

EXACT = 1e-5


def _joints(armature, frames) -> np.ndarray:
    names, found = graph_of(armature).channels.skeleton.names, []
    for frame in frames:
        go_to(frame)
        found.append(joints_of(armature, names))
    return np.array(found)


@pytest.fixture
def armature():
    return performing_biped(walk=20, wave=110)


def test_the_timeline_is_what_core_performs(armature):
    wanted = recorded(armature, {"walk": 20, "wave": 110}, adverbs=_middle(armature))
    assert {"stand", "walk", "wave"} == set(wanted.verbs)
    frames = range(1, END + 1, 7)
    expected = core_joints(graph_of(armature), wanted.values)[[frame - 1 for frame in frames]]
    assert np.abs(_joints(armature, frames) - expected).max() < EXACT


def _middle(armature) -> dict:
    track = part("core.runtime.score").Track
    return {item.name: track(np.zeros(1), np.zeros(1)) for item in armature.verbs_adverbs.adverbs}
