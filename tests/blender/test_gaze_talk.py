"""A biped that looks at objects on its words, by tags and by hand, while it walks and gestures."""

import bpy
import numpy as np
import pytest
from blender.layering import apart, poses
from blender.performance import OPS, begin_with
from blender.performer import begin, character, end, play
from blender.stage import go_to, part
from blender.talking_biped import add_talking_biped, read_words
from blender.test_talking import LEG, SUBTITLES, speech_of
from mathutils import Vector

TAGGED = SUBTITLES.replace("<offer>welcome", "<look Cube><offer>welcome")


def cube(place=(4.0, -12.0, 1.2), name: str = "Cube") -> bpy.types.Object:
    made = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(made)
    made.location = place
    bpy.context.view_layer.update()
    return made


def talking(tmp_path, text: str = TAGGED) -> bpy.types.Object:
    add_talking_biped()
    read_words(text, tmp_path)
    return bpy.context.object


def missed(armature, thing, frame: float) -> float:
    """Degrees by which the head's front, which is its bone's Z axis, misses an object from between the eyes."""
    go_to(frame)
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    head = seen.matrix_world @ seen.pose.bones["Head"].matrix
    length = seen.pose.bones["Head"].length
    eyes = head @ Vector((0.0, 0.5 * length, 0.4 * length))
    target = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation
    return float(np.degrees((target - eyes).angle(head.to_3x3() @ Vector((0.0, 0.0, 1.0)))))


def frame_of(word) -> float:
    return word.target * bpy.context.scene.render.fps


def test_a_tag_lets_the_head_point_at_an_object_on_the_word_and_stay(tmp_path):
    thing = cube()
    armature = talking(tmp_path)
    words = speech_of(armature).words
    assert [(word.look, word.look_at) for word in words][1] == ("OBJECT", thing)
    bare = poses(armature, [1, 20, 36, 60, 120])
    assert OPS.talk() == {"FINISHED"}
    shown = poses(armature, [1, 20, 36, 60, 120])
    changed = apart(bare, shown)
    assert max(changed[f"{bone}_{side}"] for bone in LEG for side in "LR") < 1e-4 and changed["Hips"] < 1e-4
    assert apart(bare, shown, [0])["Head"] < 1e-4
    for frame in (np.ceil(frame_of(words[1])), np.ceil(frame_of(words[1])) + 5.0, 60.0, 120.0):
        assert missed(armature, thing, frame) < 0.1
    assert missed(armature, thing, 10.0) > 8.0


def test_it_looks_from_wherever_its_director_stands(tmp_path):
    thing = cube((-4.9, -5.6, 0.9))
    armature = talking(tmp_path)
    director = armature.verbs_adverbs.director
    director.location, director.rotation_euler.z = (2.0, 5.0, 0.4), -0.9
    assert OPS.talk() == {"FINISHED"}
    poses(armature, [1])
    for frame in (40.0, 60.0):
        assert missed(armature, thing, frame) < 0.1


def test_what_is_played_is_baked(tmp_path):
    thing = cube()
    armature = talking(tmp_path)
    assert OPS.talk() == {"FINISHED"}
    frames = [20, 30, 36, 50, 86, 110]
    shown = poses(armature, frames)
    assert OPS.bake(length="RANGE", frame_start=1, frame_end=150, animated=True, assign=True) == {"FINISHED"}
    assert max(apart(shown, poses(armature, frames)).values()) < 1e-4
    assert missed(armature, thing, 50.0) < 0.1


def test_an_object_that_is_moved_or_keyed_is_followed(tmp_path):
    thing = cube()
    armature = talking(tmp_path)
    assert OPS.talk() == {"FINISHED"}
    poses(armature, [1])
    thing.location = (-3.0, -12.0, 1.8)
    bpy.context.view_layer.update()
    poses(armature, [1])
    assert missed(armature, thing, 40.0) < 0.1
    for frame, x in ((1, -5.0), (60, 0.0), (120, 5.0)):
        thing.location.x = x
        thing.keyframe_insert("location", index=0, frame=frame)
    bpy.context.view_layer.update()
    poses(armature, [1])
    for frame in (40.0, 60.0, 77.0, 110.0):
        assert missed(armature, thing, frame) < 0.2


def test_looks_are_chosen_by_hand_also_without_any_gesture(tmp_path):
    thing = cube()
    armature = talking(tmp_path, SUBTITLES)
    words = speech_of(armature).words
    for word in words:
        word.gesture = ""
    with pytest.raises(RuntimeError, match="No word has a gesture"):
        OPS.talk()
    words[1].look, words[1].look_at = "OBJECT", thing
    words[3].look = "AHEAD"
    bare = poses(armature, [36, 60, 120])
    assert OPS.talk() == {"FINISHED"}
    shown = poses(armature, [36, 60, 120])
    assert missed(armature, thing, 60.0) < 0.1
    assert apart(bare, shown, [2])["Head"] < 1e-4 < apart(bare, shown, [1])["Head"]
    assert max(apart(bare, shown)[f"LowerArm_{side}"] for side in "LR") < 1e-4


def told(armature) -> list[str]:
    plays = part("bridge.layers.talking").plan_told(armature)
    played = part("bridge.session.live_characters").played_by(armature)
    return part("bridge.layers.looking").looks_told(armature, plays and plays.gazing, played)


def test_what_lies_beyond_the_reach_is_told_with_a_remedy(tmp_path):
    thing = cube((4.0, 3.0, 1.6))
    armature = talking(tmp_path)
    assert OPS.talk() == {"FINISHED"}
    poses(armature, [1])
    (sentence,) = told(armature)
    print(sentence)
    assert (
        "'look Cube' on 'welcome' is 1" in sentence
        and "degrees to the left, but head and torso can only turn 9" in sentence
    )
    assert "Let the character turn by" in sentence and "by frame 36" in sentence
    thing.location = (1.0, -9.0, 1.6)
    bpy.context.view_layer.update()
    poses(armature, [1])
    assert told(armature) == []
    go_to(37)
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["Head"]
    thing.location = armature.matrix_world @ (seen.matrix @ Vector((0.0, 0.1, 0.08)))
    bpy.context.view_layer.update()
    poses(armature, [1])
    assert "inside the head" in told(armature)[0]


def test_a_text_that_asks_for_what_cannot_be_looked_at_is_refused(tmp_path):
    cube()
    armature = talking(tmp_path)
    path = tmp_path / "other.srt"
    held = cube(name="Held")
    held.parent = armature
    for asked, told_of in (
        ("Ball", "no object of that name"),
        ("Held", "moved by 'Biped' itself"),
        ("Biped", "the character itself"),
    ):
        path.write_text(TAGGED.replace("<look Cube>", f"<look {asked}>"))
        with pytest.raises(RuntimeError, match=told_of):
            OPS.words_file(filepath=str(path))
        assert speech_of(armature).words[1].look == "OBJECT"
    path.write_text(TAGGED.replace("<look Cube>", "<look left>"))
    assert OPS.words_file(filepath=str(path)) == {"FINISHED"}
    assert (speech_of(armature).words[1].look, speech_of(armature).words[1].look_at) == ("LEFT", None)
    speech_of(armature).words[1].look, speech_of(armature).words[1].look_at = "OBJECT", held
    assert "'Held' is moved by 'Biped' itself" in told(armature)[0]
    speech_of(armature).words[1].look_at = None
    assert "'welcome' should look at an object, but none is chosen" in told(armature)[0]


def test_it_is_performed_as_it_plays(tmp_path):
    thing = cube()
    armature = talking(tmp_path)
    begin_with(armature, "walk")
    assert OPS.talk() == {"FINISHED"}
    layer = armature.verbs_adverbs.layers[-1]
    clock, seen = begin(armature), {}

    def start() -> None:
        assert OPS.layer_ask(wish="start", layer=layer.name) == {"FINISHED"}

    def see() -> None:
        frame = part("bridge.session.live_characters").performance.frames.shown[-1].time * 24.0
        if abs(frame - round(frame)) < 1e-6:
            seen[round(frame) + 1] = {bone.name: np.array([bone.matrix_basis]) for bone in armature.pose.bones}

    assert play(clock, 3.0, {0.2: start}, each=see)
    assert character().problem == "" and end() == []
    for frame in (31, 41, 61):
        assert max(apart(seen[frame], poses(armature, [frame])).values()) < 1e-4, frame
        assert frame < 36 or missed(armature, thing, frame) < 0.1


def with_eyes(armature) -> None:
    """Give the biped two eyes, which hang on its head and lie ahead of it."""
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    for name, x in (("Eye_L", 0.03), ("Eye_R", -0.03)):
        eye = bones.new(name)
        eye.head, eye.tail, eye.parent = (x, -0.08, 1.66), (x, -0.1, 1.66), bones["Head"]
    bpy.ops.object.mode_set(mode="OBJECT")


def test_eyes_turn_where_the_rig_has_some_and_look_at_the_object_before_the_head_does(tmp_path):
    thing = cube((7.0, -12.0, 1.2))
    assert OPS.add_biped(walk=True, cast="TALKING") == {"FINISHED"}
    armature = bpy.context.object
    with_eyes(armature)
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    read_words(TAGGED, tmp_path)
    assert OPS.talk() == {"FINISHED"}
    poses(armature, [1])
    off = {}
    for frame in (15, 36, 60, 90):
        go_to(frame)
        seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        for name in ("Eye_L", "Eye_R"):
            eye = seen.matrix_world @ seen.pose.bones[name].matrix
            ahead = eye.to_3x3() @ Vector((0.0, 1.0, 0.0))
            off[name, frame] = float(np.degrees((thing.matrix_world.translation - eye.translation).angle(ahead)))
    assert max(off[name, frame] for name, frame in off if frame >= 36) < 0.1 and off["Eye_L", 15] > 10.0
    assert 1.0 < missed(armature, thing, 60.0) < 15.0
    assert told(armature) == []
