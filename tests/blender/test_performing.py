"""What is performed by the clock is shown, and becomes a score that plays the same on the timeline."""

import bpy
import numpy as np
import pytest
from blender.performance import OPS, add_graph, begin_with, graph_of
from blender.performer import TICK, begin, character, command, end, play, session, shown_root, take, walker
from blender.stage import FPS, core_joints, go_to, joints_of, part

EXACT = 1e-4


@pytest.fixture
def armature():
    yield from walker("stand")


def joints(armature) -> np.ndarray:
    return joints_of(armature, graph_of(armature).channels.skeleton.names)


def test_what_is_shown_is_the_row_of_the_time_that_it_is(armature):
    clock = begin(armature)
    assert play(clock, 5.0, {0.5: lambda: command(armature, "walk")})
    frame, row = session().frames.shown[-1], character().display.shown
    assert abs(frame.time - frame.displayed) <= TICK
    assert np.abs(joints(armature) - core_joints(graph_of(armature), row[None])[0]).max() < EXACT
    assert take().player.verb == "walk" and shown_root(armature)[1] < -1.0
    start = armature.verbs_adverbs.director.verbs_adverbs.start_frame
    assert take().status.frame == start + round(FPS * take().status.seconds)
    assert take().status.seconds == pytest.approx(frame.time)


@pytest.mark.parametrize("lock", [False, True])
def test_the_timeline_plays_what_was_performed(armature, lock):
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
    assert [name for _, name in take().player.heard] == ["walk", "wave"]
    assert len(seen) > 60 and end() == []
    own = director.verbs_adverbs
    assert own.live and own.performance.active and not own.performance.in_hand
    assert len(part("bridge.data.commands").command_keys(director)) == 2
    missed = []
    for frame, there in seen.items():
        go_to(frame)
        missed.append(np.abs(joints(armature) - there).max(axis=-1))
    assert np.max(missed) < EXACT
    assert np.ptp([there[0, 0] for there in seen.values()]) > 0.5


def test_the_first_take_has_the_sliders_of_all_verbs(armature):
    begin(armature)
    assert not armature.verbs_adverbs.director.verbs_adverbs.performance.active
    offered = {item.name for item in part("bridge.authoring.definitions").directed_adverbs(armature)}
    assert part("operators.reasons").performance(bpy.context).startswith(f"'{armature.name}' is being performed: end")
    assert not OPS.keytimes_find.poll() and not OPS.example_add.poll()
    assert offered == {item.name for item in armature.verbs_adverbs.adverbs} > set()
    end()
    stand = armature.verbs_adverbs.verbs["stand"]
    assert offered > {used.name for used in stand.adverbs}


def test_several_characters_are_performed_at_once(armature):
    armature.location.x = 0.0
    bpy.context.scene.cursor.location = 3.0, 0.0, 0.0
    add_graph()
    other = bpy.context.object
    begin_with(other, "walk")
    armature.select_set(True)
    chosen = part("bridge.session.performing").armatures_of(bpy.context)
    assert chosen == [other, armature]
    clock = begin(*chosen)
    assert character(None).armature.name == other.name
    assert play(clock, 4.0, {0.5: lambda: command(armature, "walk")})
    take(other).command(armature.verbs_adverbs.verbs["wave"].uid)
    assert character(other).problem and not character(armature).problem
    places = {one: shown_root(one) for one in chosen}
    assert places[other][1] < places[armature][1] < -0.1 and places[other][0] - places[armature][0] > 2.5
    assert end() == []
    assert all(one.verbs_adverbs.director.verbs_adverbs.performance.active for one in chosen)


def test_what_is_said_over_the_view(armature):
    clock = begin(armature)
    assert play(clock, 0.5)
    command(armature, "walk")
    assert play(clock, 0.1)
    seen = take().status
    assert seen.title.startswith("stand → walk") and not seen.coming and not character().problem
    assert "Toes_L" in seen.standing and 0.0 <= seen.share <= 1.0
    assert play(clock, 1.0)
    command(armature, "wave")
    assert play(clock, 0.05)
    seen = take().status
    assert seen.title == "walk" and seen.coming == f"then wave in {seen.wait:.1f} s"
    assert session().rate == pytest.approx(60.0, abs=1.0)
    assert seen.wait > 0.2 and play(clock, seen.wait - 0.1) and take().player.transition is None
    assert play(clock, 0.2) and take().player.transition is not None and take().status.wait is None


def test_arrows_move_the_steering_adverb_and_the_next_one(armature):
    clock, director = begin(armature), armature.verbs_adverbs.director
    names = [item.name for item in director.verbs_adverbs.adverbs]
    after = names[(names.index("turn") + 1) % len(names)]
    for _ in range(12):
        take().turn(left=True)
    take().nudge_next(-1)
    assert director["turn"] == pytest.approx(1.0) and director[after] == pytest.approx(-0.2)
    assert play(clock, 2.0) and take().player.adverbs["turn"] == pytest.approx(1.0)


def test_a_longer_performance_leaves_the_scene_as_it_is_until_it_is_fitted(armature):
    bpy.context.scene.frame_end = 20
    begin_with(armature, "walk")
    clock = begin(armature)
    going = session()
    assert play(clock, 2.0) and end() == []
    assert bpy.context.scene.frame_end == 20
    assert "Fit Scene" in " ".join(going.said)
    assert OPS.fit_scene() == {"FINISHED"} and bpy.context.scene.frame_end in (48, 49)
    fit = part("operators.commands").VERBS_ADVERBS_OT_fit_scene
    assert fit.reason(bpy.context) == "The take already ends before the scene does"
    with pytest.raises(RuntimeError, match="Call it with 'INVOKE_DEFAULT'"):
        OPS.perform()
    go_to(1)
    before = shown_root(armature)
    go_to(48)
    assert np.linalg.norm(shown_root(armature) - before) > 0.3


def test_a_fork_of_the_player_that_is_asked_for_something_leaves_the_take_as_it_is(armature):
    clock, ask = begin(armature), part("core.play.player")
    assert play(clock, 0.5, {0.1: lambda: command(armature, "walk")})
    player = take().player
    fork = player.fork()
    fork.command(fork.time, ask.AskVerb("wave"))
    fork.command(fork.time, ask.AskAdverbs({"turn": 1.0}))
    assert [name for _, name in player.heard] == ["walk"] and player.wanted["turn"] == 0.0
    assert [name for _, name in fork.heard] == ["walk", "wave"] and fork.wanted["turn"] == 1.0


def test_a_player_that_raises_ends_the_performance_and_what_was_played_is_kept(armature):
    clock, ask = begin(armature), part("core.play.player")
    assert play(clock, 1.0, {0.1: lambda: command(armature, "walk")})
    take().player.command(take().player.time + 0.5, ask.AskVerb("fly"))
    with pytest.raises(part("core.errors").VerbsError, match="fly"):
        play(clock, 1.0)
    director = armature.verbs_adverbs.director
    assert session() is None and not director.verbs_adverbs.performance.in_hand
    assert len(part("bridge.data.commands").command_keys(director)) == 1
