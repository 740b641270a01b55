"""What is performed by the clock is shown, and becomes a score that plays the same on the timeline."""

import numpy as np
import pytest
from blender.performance import begin_with, biped_with_graph, graph_of
from blender.performer import TICK, begin, character, command, end, play, session, shown_root
from blender.stage import FPS, core_joints, go_to, joints_of, part

EXACT = 1e-4
ROOT, FOOT = 0.01, 0.04
"""A foot that is let go of leaves with the pace that it had over the last frames, and these lie differently in time."""


@pytest.fixture
def armature():
    made = biped_with_graph()
    begin_with(made, "stand")
    yield made
    if session() is not None:
        end()


def joints(armature) -> np.ndarray:
    return joints_of(armature, graph_of(armature).channels.skeleton.names)


def test_what_is_shown_is_the_row_of_the_time_that_it_is(armature):
    clock = begin(armature)
    assert play(clock, 5.0, {0.5: lambda: command(armature, "walk")})
    frame, row = session().frames.shown[-1], character().shown
    assert abs(frame.time - frame.displayed) <= TICK
    assert np.abs(joints(armature) - core_joints(graph_of(armature), row[None])[0]).max() < EXACT
    assert character().player.verb == "walk" and shown_root(armature)[1] < -1.0


@pytest.mark.parametrize(("lock", "root", "foot"), [(False, EXACT, EXACT), (True, ROOT, FOOT)])
def test_the_timeline_plays_what_was_performed(armature, lock, root, foot):
    director = armature.verbs_adverbs.director
    director.verbs_adverbs.performance.lock_feet = lock
    clock, seen = begin(armature), {}

    def turn() -> None:
        director["turn"] = min(director["turn"] + 0.1, 1.0)

    def see() -> None:
        frame = session().frames.shown[-1].time * FPS
        if abs(frame - round(frame)) < 1e-6:
            seen[round(frame) + 1] = joints(armature)

    asked = {0.4: lambda: command(armature, "walk"), 5.0: lambda: command(armature, "wave")}
    asked |= {1.5 + 0.03 * step: turn for step in range(8)}
    assert play(clock, 8.0, asked, each=see)
    assert [name for _, name in character().player.heard] == ["walk", "wave"]
    assert len(seen) > 60 and end() == []
    own = director.verbs_adverbs
    assert own.live and own.performance.active and not own.performance.in_hand
    assert len(part("bridge.commands").command_keys(director)) == 2
    missed = []
    for frame, there in seen.items():
        go_to(frame)
        missed.append(np.abs(joints(armature) - there).max(axis=-1))
    assert max(one[0] for one in missed) < root
    assert np.max(missed) < foot
    assert np.ptp([there[0, 0] for there in seen.values()]) > 0.5
