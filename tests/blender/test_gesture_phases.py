"""Phases of gestures found in actions, stored as keytimes, corrected by hand, and how far they may be warped."""

import json
from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.figurine import everything
from blender.performance import OPS
from blender.stage import part
from blender.talking_biped import read_words, talking_biped

SYNC = ("start", "ready", "stroke_start", "stroke", "stroke_end", "relax", "end")
SAME = 3.0
"""Frames within which the middle one of the found instants is annotated."""
UP_DOWN = "gesture/bn2_raise-up"
RAISED = "gesture/bn2_raise-up-right-hand_normal_006.bvh"


def captured(path: Path) -> bpy.types.Object:
    """A captured gesture as one imports it, with its whole action as an example that is no cycle."""
    bpy.ops.import_anim.bvh(filepath=str(path), global_scale=0.01, frame_start=1, update_scene_fps=True)
    assert OPS.example_add(kind="STATIONARY", cyclic=False) == {"FINISHED"}
    return bpy.context.object


def gesturing(verb: str) -> bpy.types.Object:
    """A biped whose chosen action is the first one of a gesture, without its keytimes."""
    assert OPS.add_biped(walk=True, cast="TALKING") == {"FINISHED"}
    armature = bpy.context.object
    armature.animation_data.action = armature.verbs_adverbs.verbs[verb].examples[0].action
    return armature


def example_of(armature) -> bpy.types.PropertyGroup:
    return armature.animation_data.action.verbs_adverbs.examples[0]


def keytimes_of(example) -> dict[str, float]:
    return {key.name: key.frame for key in example.keytimes}


def lines_of(armature) -> list[tuple[str, str]]:
    return [(line.kind, line.text) for line in armature.animation_data.action.verbs_adverbs.found]


def complaints(armature) -> list[str]:
    return part("bridge.layers.gestures").gesture_complaints(example_of(armature), bpy.context.scene)


def test_phases_of_captured_gestures_are_found(mocap, tell: Callable[[str], None]):
    late, early = [], []
    clips = json.loads((mocap / "keytimes.json").read_text(encoding="utf-8"))["clips"]
    for clip in [clip for clip in clips if UP_DOWN in clip["file"]]:
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        armature = captured(mocap / clip["file"])
        assert OPS.phases_find() == {"FINISHED"}
        found = keytimes_of(example_of(armature))
        assert tuple(found) == SYNC and (np.diff(list(found.values())) > 0.0).all()
        (_, told), (kind, doubt) = lines_of(armature)
        assert kind == "WARNING" and "stroke cannot be told from the preparation" in doubt
        hand = "left" if "'Hand_L'" in told else "right"
        assert hand in clip["file"] or "both" in clip["file"]
        late.append(found["stroke"] - 1.0 - clip["keytimes"][1])
        early.append(clip["keytimes"][2] - found["relax"] + 1.0)
    tell(f"strokes {np.round(late, 1)} frames after a hand is marked as up, relaxing {np.round(early, 1)} before")
    assert len(late) == 15
    assert np.median(np.abs(late)) < SAME and np.median(np.abs(early)) < SAME


@pytest.mark.parametrize("verb", ["beat", "indicate", "offer", "count", "shrug", "greet"])
def test_phases_of_the_bipeds_gestures_are_found_where_they_are(verb: str, tell: Callable[[str], None]):
    armature = gesturing(verb)
    known = keytimes_of(example_of(armature))
    assert tuple(known) == SYNC
    assert OPS.phases_find(replace=True) == {"FINISHED"}
    found = keytimes_of(example_of(armature))
    misses = {name: found[name] - known[name] for name in SYNC}
    tell(f"{verb}: " + ", ".join(f"{name} {miss:+.1f}" for name, miss in misses.items()) + " frames off")
    assert abs(misses["stroke"]) < 0.5
    assert max(map(abs, misses.values())) < 2.0
    assert [kind for kind, _ in lines_of(armature)] == ["INFO"]


def test_keytimes_are_replaced_only_knowingly(mocap):
    armature = captured(mocap / RAISED)
    bpy.context.scene.frame_set(20)
    assert OPS.keytime_add(name="highest") == {"FINISHED"}
    before = everything()
    with pytest.raises(RuntimeError, match=r"'highest'.* would be replaced"):
        OPS.phases_find()
    assert everything() == before
    assert OPS.phases_find(replace=True) == {"FINISHED"}
    once = keytimes_of(example_of(armature))
    assert tuple(once) == SYNC
    assert OPS.phases_find(replace=True) == {"FINISHED"}
    again = keytimes_of(example_of(armature))
    assert max(abs(again[name] - once[name]) for name in SYNC) < 1.0


def test_finding_is_one_step_to_undo_and_keeps_contacts(mocap):
    captured(mocap / RAISED)
    assert OPS.contact_add(bone="Foot_L") == {"FINISHED"}
    assert OPS.window_add(start=-5.0, end=50.0) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="captured")
    before = everything()
    assert OPS.phases_find("EXEC_DEFAULT", True) == {"FINISHED"}
    example = example_of(bpy.context.object)
    (window,) = example.contacts[0].windows
    assert (window.start, window.end) == pytest.approx((example.start, 50.0), abs=1e-3)
    assert everything() != before
    bpy.ops.ed.undo()
    assert everything() == before


def test_found_phases_are_markers_whose_dragging_moves_what_is_played(mocap):
    armature = captured(mocap / RAISED)
    assert OPS.phases_find() == {"FINISHED"}
    action, example = armature.animation_data.action, example_of(armature)
    markers = {marker.name.partition("\u2009")[0]: marker for marker in action.pose_markers}
    found = keytimes_of(example)
    assert {name: marker.frame for name, marker in markers.items()} == {n: round(f) for n, f in found.items()}
    assert OPS.verb_add(name="raise") == {"FINISHED"}
    chosen = [{"name": action.name, "action": action.name, "uid": example.uid, "chosen": True}]
    assert OPS.verb_examples_add(choices=chosen) == {"FINISHED"}
    verb = armature.verbs_adverbs.verbs["raise"]
    talking, building = part("bridge.layers.talking"), part("bridge.authoring.verbs")
    assert [one.name for one in talking.gesture_verbs(armature)] == ["raise"]
    markers["stroke"].frame -= 3
    motion = building.built_for(armature, verb).verb.motion([])
    at = {mark.name: mark.start for mark in motion.marks_within(-1.0, 9.0) if mark.kind == "keytime"}
    fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    expected = (round(found["stroke"]) - 3 - found["start"]) / fps
    assert at["stroke"] - at["start"] == pytest.approx(expected, abs=1e-3)


def test_an_action_without_a_gesture_says_so_and_stays_as_it_is(mocap):
    armature = captured(mocap / RAISED)
    armature.animation_data.action = bpy.data.actions.new("still")
    for frame in (1, 40):
        for bone in armature.pose.bones:
            bone.keyframe_insert("rotation_euler", frame=frame)
    assert OPS.example_add(kind="STATIONARY", cyclic=False) == {"FINISHED"}
    before = everything()
    with pytest.raises(RuntimeError, match="No hand moves enough in 'still'"):
        OPS.phases_find()
    assert everything() == before
    example_of(armature).cyclic = True
    with pytest.raises(RuntimeError, match="untick Cyclic"):
        OPS.phases_find()


def test_a_figure_whose_hands_are_not_known_says_what_to_call_them():
    data = bpy.data.armatures.new("Rod")
    armature = bpy.data.objects.new("Rod", data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    data.edit_bones.new("rod").tail = (0.0, 0.0, 1.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    for frame in (1, 40):
        armature.pose.bones["rod"].rotation_quaternion.x = 0.01 * frame
        armature.pose.bones["rod"].keyframe_insert("rotation_quaternion", frame=frame)
    assert OPS.example_add(kind="STATIONARY", cyclic=False) == {"FINISHED"}
    with pytest.raises(RuntimeError, match=r"hand\.L"):
        OPS.phases_find()


def test_what_is_no_gesture_is_told_where_one_looks():
    armature = gesturing("beat")
    example = example_of(armature)
    assert complaints(armature) == []
    stroke = next(m for m in armature.animation_data.action.pose_markers if m.name.startswith("stroke\u2009"))
    kept = stroke.frame
    stroke.frame = 500
    assert any("comes before 'stroke'" in text for text in complaints(armature))
    stroke.frame = kept
    example.shortest, example.longest = 1.25, 1.125
    (told,) = complaints(armature)
    assert "may last 1.25 to 1.125 times its recorded length" in told
    example.shortest, example.longest = 0.7, 1.5
    example.keytimes[3].name = "middle"
    told = " ".join(complaints(armature))
    assert "lacks the keytimes 'stroke'" in told and "'middle'" in told
    example.keytimes[3].name = "stroke"
    example.cyclic = True
    assert any("cyclic" in text for text in complaints(armature))


def talked(tmp_path, gap: float) -> bpy.types.Object:
    """A biped that is to point on two words with a gap of some seconds between them."""
    armature = talking_biped()
    cues = [
        f"{number}\n00:00:{start:06.3f} --> 00:00:{start + 0.3:06.3f}\n<indicate>{word}.\n"
        for number, (start, word) in enumerate(((2.0, "one"), (2.0 + gap, "two")), 1)
    ]
    read_words("\n".join(cues), tmp_path)
    return armature


def plan_of(armature):
    return part("bridge.layers.talking").plays_of_words(armature).plan


def test_bounds_are_those_of_core_by_default():
    armature = gesturing("beat")
    core = part("core.gesture.gesture")
    verb = armature.verbs_adverbs.verbs["beat"]
    assert part("bridge.layers.gestures").bounds_of(verb) == (core.SHORTEST, core.LONGEST)


def test_bounds_of_the_examples_reach_the_plan(tmp_path, tell: Callable[[str], None]):
    armature = talked(tmp_path, 0.6)
    verb = armature.verbs_adverbs.verbs["indicate"]
    examples = [part("bridge.data.example_list").referenced(reference) for reference in verb.examples]
    kept = {}
    for shortest in (1.0, 0.4):
        for example in examples:
            example.shortest = shortest
        plan = plan_of(armature)
        assert {one.chosen.gesture.bounds for one in plan.placed} == {(shortest, 1.5)}
        kept[shortest] = len(plan.placed), max(one.chosen.squeezed for one in plan.placed)
    tell(f"gestures kept of two, and how much they are squeezed, by the shortest: {kept}")
    assert kept[1.0] != kept[0.4]
    examples[0].shortest = 0.9
    assert plan_of(armature).placed[0].chosen.gesture.bounds[0] == 0.9


@pytest.mark.parametrize("make", ["action_mirror", "action_smooth", "structure_copy"])
def test_bounds_come_along_where_an_example_is_made_anew(make: str):
    armature = gesturing("beat")
    example = example_of(armature)
    example.shortest, example.longest = 0.5, 2.0
    other = armature.animation_data.action.copy()
    other.verbs_adverbs.examples.clear()
    known = set(bpy.data.actions) - {other}
    options = {"choices": [{"name": other.name, "chosen": True}]} if make == "structure_copy" else {}
    assert getattr(OPS, make)(**options) == {"FINISHED"}
    made = [one for one in set(bpy.data.actions) - known if one.verbs_adverbs.examples]
    assert [(item.shortest, item.longest) for one in made for item in one.verbs_adverbs.examples] == [(0.5, 2.0)]


def test_bounds_that_cross_are_told_when_talking_and_mended_bounds_play(tmp_path):
    armature = talked(tmp_path, 2.0)
    example = armature.verbs_adverbs.verbs["indicate"].examples[0].action.verbs_adverbs.examples[0]
    example.shortest = 1.25
    with pytest.raises(RuntimeError, match=r"'indicate' may last 1\.25 to 1\.5"):
        OPS.talk()
    example.shortest = 0.5
    assert OPS.talk() == {"FINISHED"}
    assert len(plan_of(armature).placed) == 2
