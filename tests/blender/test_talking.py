"""A biped that talks while it walks: words from a file, strips and markers, with strokes that land on them."""

from typing import Any

import bpy
import numpy as np
import pytest
from blender.layering import apart, degrees, poses
from blender.performance import OPS
from blender.stage import go_to, part
from blender.talking_biped import read_words, talking_biped

LEG = ("UpperLeg", "LowerLeg", "Foot", "Toes")
SUBTITLES = """1
00:00:01,000 --> 00:00:01,300
We

2
00:00:01,300 --> 00:00:01,900
<offer>welcome

3
00:00:01,900 --> 00:00:02,300
you,

4
00:00:03,400 --> 00:00:04,000
<indicate>there.
"""


def talking(tmp_path) -> bpy.types.Object:
    armature = talking_biped()
    read_words(SUBTITLES, tmp_path)
    return armature


@pytest.fixture
def armature(tmp_path) -> bpy.types.Object:
    return talking(tmp_path)


def test_words_of_a_file_have_the_gestures_that_they_ask_for(armature):
    words = armature.verbs_adverbs.director.verbs_adverbs.speech.words
    assert [word.text for word in words] == ["We", "welcome", "you,", "there."]
    names = {verb.uid: verb.name for verb in armature.verbs_adverbs.verbs}
    assert [names.get(word.gesture, "") for word in words] == ["", "offer", "", "indicate"]
    assert OPS.talk() == {"FINISHED"}


def hands(armature, frames) -> np.ndarray:
    """Places (T, 3) of the tip of the right hand seen from the chest, which walks along."""
    found = []
    for frame in frames:
        go_to(frame)
        seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        found.append(np.array(seen.pose.bones["Chest"].matrix.inverted() @ seen.pose.bones["Hand_R"].tail))
    return np.array(found)


def speech_of(armature):
    return armature.verbs_adverbs.director.verbs_adverbs.speech


def test_strokes_land_on_their_words_over_a_walk(armature):
    frames = [1, 24, 36, 40, 70, 86, 96, 140]
    bare = poses(armature, frames)
    assert OPS.talk() == {"FINISHED"}
    shown = poses(armature, frames)
    changed = apart(bare, shown)
    assert max(changed[f"{bone}_{side}"] for bone in LEG for side in "LR") < 1e-4 and changed["Hips"] < 1e-4
    assert degrees(bare["LowerArm_R"], shown["LowerArm_R"]) > 30.0
    assert apart(bare, shown, [0, -1])["LowerArm_R"] < 1e-4
    fps = bpy.context.scene.render.fps
    for word in speech_of(armature).words:
        if word.gesture:
            around = word.target + np.arange(-0.25, 0.0501, 1.0 / 240.0)
            places = hands(armature, around * fps)
            speeds = np.linalg.norm(np.diff(places, axis=0), axis=1)
            fastest = int(np.argmax(speeds))
            along = (places - places[fastest]) @ (places[fastest + 1] - places[fastest])
            turns = around[int(np.argmax(along))]
            print(f"the hand turns {1000.0 * (turns - word.target):+.1f} ms from '{word.text}'")
            assert abs(turns - word.target) <= 0.5 / fps


def test_a_word_without_its_gesture_is_silent_and_a_moved_one_is_followed(armature):
    assert OPS.talk() == {"FINISHED"}
    both = poses(armature, [36, 86])
    speech = speech_of(armature)
    speech.active_word = 3
    assert OPS.word_gesture(gesture="NONE") == {"FINISHED"}
    one = poses(armature, [36, 86])
    assert degrees(both["LowerArm_R"][1:], one["LowerArm_R"][1:]) > 10.0
    speech.words[1].target += 4.0 / 24.0
    moved = poses(armature, [36, 86])
    assert degrees(one["LowerArm_R"][:1], moved["LowerArm_R"][:1]) > 1.0
    assert OPS.word_gesture(gesture=speech.words[1].gesture) == {"FINISHED"}
    again = poses(armature, [36, 86])
    assert degrees(one["LowerArm_R"][1:], again["LowerArm_R"][1:]) > 10.0


def test_talk_is_baked_as_it_is_played(armature):
    assert OPS.talk() == {"FINISHED"}
    frames = [20, 30, 36, 50, 86, 110]
    shown = poses(armature, frames)
    assert OPS.bake(length="RANGE", frame_start=1, frame_end=150, animated=True, assign=True) == {"FINISHED"}
    assert max(apart(shown, poses(armature, frames)).values()) < 1e-4


def test_words_come_from_text_strips_and_from_markers(armature):
    scene = bpy.context.scene
    with pytest.raises(RuntimeError, match="no unmuted text strips"):
        OPS.words_strips()
    with pytest.raises(RuntimeError, match="no markers"):
        OPS.words_markers()
    assert len(speech_of(armature).words) == 4
    editor: Any = scene.sequence_editor_create()
    strips = editor.strips if hasattr(editor, "strips") else editor.sequences
    for number, (text, first) in enumerate((("Look", 30), ("<shrug>there", 45))):
        length = {"length": 12} if hasattr(editor, "strips") else {"frame_end": first + 12}
        strip = strips.new_effect(name=text, type="TEXT", channel=1 + number, frame_start=first, **length)
        strip.text = text
    assert OPS.words_strips() == {"FINISHED"}
    words = speech_of(armature).words
    assert [word.text for word in words] == ["Look", "there"]
    fps = scene.render.fps / scene.render.fps_base
    np.testing.assert_allclose([word.start for word in words], [30 / fps, 45 / fps], atol=1e-5)
    for text, frame in (("one", 20), ("<beat>two", 40)):
        scene.timeline_markers.new(text, frame=frame)
    assert OPS.words_markers() == {"FINISHED"}
    names = {verb.uid: verb.name for verb in armature.verbs_adverbs.verbs}
    assert [(word.text, names.get(word.gesture)) for word in speech_of(armature).words] == [
        ("one", None),
        ("two", "beat"),
    ]


def test_what_a_text_cannot_ask_for_is_told_and_nothing_has_changed(armature, tmp_path):
    path = tmp_path / "other.srt"
    path.write_text(SUBTITLES.replace("<offer>", "<juggle>"))
    with pytest.raises(RuntimeError, match="'juggle'"):
        OPS.words_file(filepath=str(path))
    assert [word.tag for word in speech_of(armature).words] == ["", "offer", "", "indicate"]
    speech_of(armature).words.clear()
    with pytest.raises(RuntimeError, match="No word has a gesture"):
        OPS.talk()
    assert not armature.verbs_adverbs.layers


def strips() -> dict[str, Any]:
    return {strip.name: strip for strip in part("bridge.blender.versions").strips_of(bpy.context.scene)}


def span(strip) -> tuple[float, float]:
    return part("bridge.blender.versions").strip_span(strip)


def phases_of(strip) -> dict[str, tuple[float, float]]:
    """Spans of the phases of a gesture's strip."""
    held = strip.strips if hasattr(strip, "strips") else strip.sequences
    return {one.name.split(".")[0]: span(one) for one in held}


def said(armature) -> list:
    return part("bridge.layers.said").said_words(armature.verbs_adverbs.director)


def drag(strip, frames: int) -> None:
    strip.frame_start += frames
    assert OPS.performance_write.poll() is False or OPS.performance_write() == {"FINISHED"}
    part("bridge.session.live").flush()
    part("bridge.session.handlers")._lay_plans()


def test_the_plan_is_shown_as_strips_over_the_words(armature):
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    found, words = strips(), speech_of(armature).words
    assert {"We", "welcome", "you,", "there."} <= set(found)
    assert {"offer", "indicate"} <= set(found)
    fps = bpy.context.scene.render.fps
    for name, word in (("offer", words[1]), ("indicate", words[3])):
        phases = phases_of(found[name])
        assert phases["stroke"][1] == phases["land"][0] == round(word.target * fps)
        assert span(found[name]) == (phases["prepare"][0], max(end for _, end in phases.values()))
    assert span(found["welcome"]) == (round(words[1].start * fps), round(words[1].end * fps))
    assert all(found[name].mute for name in ("We", "offer", "indicate"))
    assert OPS.plan_strips(show=False) == {"FINISHED"}
    assert not strips()


def test_a_strip_that_is_dragged_takes_its_word_along_and_the_plan_is_laid_anew(armature):
    assert OPS.talk() == {"FINISHED"}
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    fps = bpy.context.scene.render.fps
    before = [(word.start, word.target) for word in said(armature)]
    other = phases_of(strips()["indicate"])
    drag(strips()["offer"], 4)
    after = [(word.start, word.target) for word in said(armature)]
    np.testing.assert_allclose(np.subtract(after, before)[1], [0.0, 4.0 / fps], atol=1e-5)
    np.testing.assert_allclose(np.delete(np.subtract(after, before), 1, axis=0), 0.0)
    assert phases_of(strips()["offer"])["stroke"][1] == round(after[1][1] * fps)
    assert phases_of(strips()["indicate"])["stroke"] == other["stroke"]
    drag(strips()["there."], -5)
    assert said(armature)[3].start == pytest.approx(before[3][0] - 5.0 / fps, abs=1e-5)
    assert phases_of(strips()["indicate"])["land"][0] == round(said(armature)[3].target * fps)

    assert OPS.word_gesture(gesture=speech_of(armature).words[0].gesture or "NONE") == {"FINISHED"}
    assert [word.target for word in speech_of(armature).words] == [word.target for word in said(armature)]


def test_a_drag_is_taken_back_with_the_strip(armature):
    assert OPS.talk() == {"FINISHED"}
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    before = [word.target for word in said(armature)]
    laid = span(strips()["offer"])
    drag(strips()["offer"], 6)
    assert said(armature)[1].target == pytest.approx(before[1] + 0.25, abs=1e-5)
    drag(strips()["offer"], -6)
    assert [word.target for word in said(armature)] == pytest.approx(before, abs=1e-6)
    assert span(strips()["offer"]) == laid


def test_a_text_strip_of_the_users_takes_its_word_along(armature):
    scene, versions = bpy.context.scene, part("bridge.blender.versions")
    for number, (text, first) in enumerate((("Look", 30), ("<shrug>there", 60))):
        versions.new_strip(scene, "TEXT", text, 1 + number, first, first + 12).text = text
    assert OPS.words_strips() == {"FINISHED"}
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    assert {name for name in strips() if "Look" in name} == {"Look"}
    drag(strips()["<shrug>there"], 10)
    assert said(armature)[1].start == pytest.approx(70 / scene.render.fps, abs=1e-5)
    assert OPS.plan_strips(show=False) == {"FINISHED"}
    assert set(strips()) == {"Look", "<shrug>there"}


def test_a_word_that_is_nudged_stops_at_its_neighbour(armature):
    speech, fps = speech_of(armature), bpy.context.scene.render.fps
    speech.active_word = 3
    target = speech.words[3].target
    assert OPS.word_nudge(frames=-4) == {"FINISHED"}
    assert speech.words[3].target == pytest.approx(target - 4.0 / fps, abs=1e-5)
    assert OPS.word_nudge(frames=-400) == {"FINISHED"}
    assert speech.words[3].start == pytest.approx(speech.words[2].end, abs=1e-5)


def test_strips_that_are_shown_leave_what_is_rendered_as_it_was(armature):
    scene = bpy.context.scene
    assert scene.render.use_sequencer
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    assert scene.render.use_sequencer != part("bridge.blender.versions").renders_muted_strips()
    assert OPS.plan_strips(show=False) == {"FINISHED"}
    assert scene.render.use_sequencer


def test_a_word_and_its_gesture_that_are_dragged_together_move_once(armature):
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    fps, before = bpy.context.scene.render.fps, said(armature)[1].target
    for name in ("welcome", "offer"):
        strips()[name].frame_start += 5
    assert said(armature)[1].target == pytest.approx(before + 5.0 / fps, abs=1e-5)
    part("bridge.session.handlers")._lay_plans()
    strips()["offer"].frame_start += 2
    assert said(armature)[1].target == pytest.approx(before + 7.0 / fps, abs=1e-5)
    assert OPS.plan_strips(show=False) == {"FINISHED"}
    assert speech_of(armature).words[1].target == pytest.approx(before + 7.0 / fps, abs=1e-5)


def test_strips_that_the_user_put_into_another_strip_are_hidden_too(armature):
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    holder = part("bridge.blender.versions").new_strip(bpy.context.scene, "META", "mine", 20, 1, 200)
    strips()["offer"].move_to_meta(holder)
    strips()["We"].move_to_meta(holder)
    assert OPS.plan_strips(show=False) == {"FINISHED"}
    assert set(strips()) == {"mine"}


def test_a_text_strip_that_is_moved_and_made_longer_still_takes_its_word_along(armature):
    scene, versions = bpy.context.scene, part("bridge.blender.versions")
    versions.new_strip(scene, "TEXT", "Text", 1, 30, 42).text = "<shrug>there"
    assert OPS.words_strips() == {"FINISHED"}
    strip = strips()["Text"]
    strip.frame_start += 10
    versions.end_strip(strip, 60)
    assert said(armature)[0].start == pytest.approx(40 / scene.render.fps, abs=1e-5)
    strip.text = "another"
    assert said(armature)[0].start == pytest.approx(30 / scene.render.fps, abs=1e-5)


def test_a_word_that_was_dragged_over_its_neighbour_is_nudged_back_and_does_not_jump(armature):
    speech, fps = speech_of(armature), bpy.context.scene.render.fps
    speech.words[3].start, speech.words[3].end = 1.5, 2.1
    speech.active_word = 3
    target = speech.words[3].target
    assert OPS.word_nudge(frames=1) == {"FINISHED"}
    assert speech.words[3].target == pytest.approx(target + 1.0 / fps, abs=1e-5)


def test_a_director_that_was_renamed_shows_its_plan_once(armature):
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    names = set(strips())
    armature.verbs_adverbs.director.name = "Other"
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    assert set(strips()) == names
