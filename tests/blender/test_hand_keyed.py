"""Three loops keyed by hand on a Rigify character: what Find Keytimes writes, and the walk that comes of it."""

import bpy
import numpy as np
import pytest
from blender.captured import find, played_frames
from blender.control_rig import SIDES, part
from blender.hand_keyed import FPS, SOLES, Loop, key_loop, three_loops, walked
from blender.rigify_rig import make_rigify
from blender.stage import drag
from records import assert_held
from verbs_adverbs.demo.operate import Refused, do
from verbs_adverbs.dev.figure import Figure

MIRRORED = 2.0
"""Frames."""
SLIP, LIMP = 0.1, 0.02
"""Centimetres a second; share of a half cycle's pace."""
ways = pytest.mark.parametrize(("cycles", "travelling"), [(False, False), (True, False), (False, True), (True, True)])


@pytest.fixture
def armature(extension):
    """A Rigify character at 24 frames a second."""
    bpy.context.scene.render.fps = FPS
    return make_rigify()


def keyed(armature, cycles: bool, travelling: bool) -> tuple[Loop, ...]:
    """Key the three loops and find their keytimes for the verb 'walk'."""
    loops = three_loops(cycles, travelling)
    for loop in loops:
        key_loop(armature, loop)
    find(*(loop.name for loop in loops), verb="walk")
    return loops


def curves_of(armature, action):
    return part("bridge.blender.versions").bag_for_write(armature, action).fcurves


def windows_of(example) -> dict[tuple[str, str], list[tuple[float, float]]]:
    return {(c.bone, c.end): [(window.start, window.end) for window in c.windows] for c in example.contacts}


@ways
def test_contacts_of_both_feet_stand_on_the_controls_and_mirror_each_other(armature, cycles, travelling, tell):
    worst = 0.0
    for loop in keyed(armature, cycles, travelling):
        (example,) = bpy.data.actions[loop.name].verbs_adverbs.examples
        assert example.kind == ("TRAVELLING" if travelling else "IN_PLACE")
        windows = windows_of(example)
        assert set(windows) == {(f"foot_ik.{side}", end) for side in SIDES for end in SOLES}
        lasts = example.keytimes[-1].frame - example.keytimes[0].frame
        assert lasts == pytest.approx(loop.frames, abs=0.01)
        for end in SOLES:
            (left,), (right,) = (windows[f"foot_ik.{side}", end] for side in SIDES)
            apart = [(one - other) % lasts - 0.5 * lasts for one, other in zip(left, right, strict=True)]
            worst = max(worst, *np.abs(apart))
        assert all(example.start - 0.5 <= down < example.end for spans in windows.values() for down, _ in spans)
    tell(f"  windows of the two feet: at most {worst:.2f} frames from mirroring each other")
    assert worst <= MIRRORED


def test_a_frame_range_that_is_that_of_the_loop_does_not_keep_a_cycle_from_going_around(armature):
    loop = three_loops()[1]
    action = key_loop(armature, loop)
    for curve in curves_of(armature, action):
        keys = {1.0 + (key.co.x + 9.0) % loop.frames: key.co.y for key in curve.keyframe_points}
        keys = {1.0: curve.evaluate(1.0 + loop.frames - 10.0), **keys, 1.0 + loop.frames: curve.evaluate(19.0)}
        curve.keyframe_points.clear()
        for frame, value in sorted(keys.items()):
            curve.keyframe_points.insert(frame, value)
    action.use_frame_range, action.use_cyclic = True, True
    action.frame_start, action.frame_end = 1, 1 + loop.frames
    find(loop.name, verb="walk")
    (example,) = action.verbs_adverbs.examples
    assert example.start > 2.0 and example.end == pytest.approx(example.start + loop.frames, abs=0.1)


def test_a_clip_that_is_nearly_a_loop_says_how_far_apart_its_ends_are(armature):
    loop = three_loops()[1]
    for curve in curves_of(armature, key_loop(armature, loop)):
        if "upper_arm_fk.L" in curve.data_path:
            curve.keyframe_points[-1].co.y += 0.05
    with pytest.raises(
        Refused, match="If it is a loop, make its last pose match its first: they differ by [1-4].. % of the leg length"
    ):
        find(loop.name, verb="walk")


@ways
def test_speed_and_turn_mirror_copy_and_build_hold_at_once(armature, cycles, travelling, tell):
    loops = keyed(armature, cycles, travelling)
    do("measure_travel")
    verb = armature.verbs_adverbs.verbs["walk"]
    assert [adverb.name for adverb in verb.adverbs] == ["speed"]
    do("verb_build")
    told = part("bridge.authoring.verbs").status(armature, verb)
    assert [line.text for line in told.lines if line.kind != "INFO"] == []
    values = {loop.name: bpy.data.actions[loop.name].verbs_adverbs.examples[0].values["speed"].value for loop in loops}
    off = [abs(values[loop.name] / loop.speed - 1.0) for loop in loops]
    tell(f"  speeds at most {100.0 * max(off):.1f} % off")
    assert max(off) < 0.1
    do("action_mirror")
    # The mirror image of a walk straight ahead lies where the walk does.
    assert [reference.enabled for reference in verb.examples] == [True, True, True, False]
    mirrored = next(ref.action for ref in verb.examples if ref.action_name.endswith("mirrored"))
    assert {c.bone for c in mirrored.verbs_adverbs.examples[0].contacts} == {f"foot_ik.{side}" for side in SIDES}
    another = key_loop(armature, Loop("another", 26, 0.66, cycles, travelling))
    armature.animation_data.action = bpy.data.actions["plain"]
    do("structure_copy", choices=[{"name": another.name, "chosen": True}])
    (copy,) = another.verbs_adverbs.examples
    assert {(c.bone, c.end) for c in copy.contacts} == {(f"foot_ik.{side}", end) for side in SIDES for end in SOLES}
    part("bridge.authoring.definitions").add_reference(verb, another, copy)
    do("measure")
    do("verb_build")
    assert [
        line.text for line in part("bridge.authoring.verbs").status(armature, verb).lines if line.kind == "ERROR"
    ] == []


@ways
def test_the_walk_that_is_played_neither_slips_nor_limps(armature, cycles, travelling, tell):
    own = max(own_limp(armature, loop) for loop in keyed(armature, cycles, travelling))
    do("measure_travel")
    do("live_on")
    verb = part("bridge.authoring.verbs").verb_for(armature, armature.verbs_adverbs.verbs["walk"])
    low, high = verb.places[:, 0].min(), verb.places[:, 0].max()
    found = []
    for share in (0.0, 0.3, 0.5, 0.8, 1.0):
        drag(armature.verbs_adverbs.director, speed=float(low + share * (high - low)))
        found.append(walked(armature))
    slips, resting, limps = (max(getattr(one, name) for one in found) for name in ("slip", "resting", "limp"))
    tell(f"  {'travelling' if travelling else 'in place'}, Cycles {'on' if cycles else 'off'}:")
    tell(f"  feet slip by {slips:.3f} cm/s, points at rest by {resting:.3f}")
    tell(f"  half cycles' paces differ by {100.0 * limps:.2f} %, those of the loops by {100.0 * own:.2f} %")
    assert max(slips, resting) < SLIP
    where = f"hand-keyed loops, {'travelling' if travelling else 'in place'}, Cycles {'on' if cycles else 'off'}"
    assert_held(where, [Figure("difference of the half cycles' paces", limps, LIMP, "", "")])


def own_limp(armature, loop: Loop) -> float:
    """By which share the paces of the two half cycles of a loop itself differ, between the strikes that were found.

    In place a foot that stands goes as fast as the floor.
    """
    action = bpy.data.actions[loop.name]
    at = {keytime.name: keytime.frame for keytime in action.verbs_adverbs.examples[0].keytimes[:-1]}
    first, second = sorted(("L_down", "R_down"), key=at.__getitem__)
    ends, names = (at[first], at[second], at[first] + loop.frames), [bone.name for bone in armature.pose.bones]
    paces = []
    for begin, end, strike in ((ends[0], ends[1], first), (ends[1], ends[2], second)):
        around = [(frame - 1.0) % loop.frames + 1.0 for frame in (begin, end)]
        places = played_frames(armature, action, around)[0]
        row = names.index("torso" if loop.travelling else f"foot_ik.{strike[0]}")
        round_ = 2.0 * loop.step * (around[1] < around[0]) if loop.travelling else 0.0
        paces.append(abs(abs(places[1, row, 1] - places[0, row, 1]) - round_) / (end - begin))
    return abs(paces[0] - paces[1]) / (0.5 * sum(paces))
