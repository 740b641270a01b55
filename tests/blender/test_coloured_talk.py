"""The adverbs of a sentence colour its gestures: sliders at words, keyed sliders, drags, bakes and strips."""

from typing import Any

import bpy
import numpy as np
import pytest
from blender.layering import apart, poses
from blender.performance import OPS
from blender.stage import drag, go_to, part, pose_of
from blender.talking_biped import read_words, talking_biped

SUBTITLES = """1
00:00:01,000 --> 00:00:01,400
<beat>First

2
00:00:03,000 --> 00:00:03,400
<indicate>there

3
00:00:05,000 --> 00:00:05,400
<beat>last
"""
FIRST, LAST = 0, 2
FRAMES = list(range(10, 150, 10))


def talking(tmp_path, said: str = SUBTITLES) -> bpy.types.Object:
    """Return the biped, which walks and beats on its first and its last word."""
    armature = talking_biped()
    bpy.context.scene.frame_end = 160
    read_words(said, tmp_path)
    assert OPS.talk() == {"FINISHED"}
    return armature


def director_of(armature) -> Any:
    return armature.verbs_adverbs.director


def words_of(armature) -> Any:
    return director_of(armature).verbs_adverbs.speech.words


def signature(armature) -> str:
    return part("bridge.layers.talking").plan_signature(armature)


def plan_of(armature) -> Any:
    return part("bridge.layers.talking").plays_of_words(armature).plan


def slide(armature, **sliders: float) -> None:
    """Drag sliders, and wait until the motion is written."""
    drag(director_of(armature), **sliders)
    part("bridge.session.live").flush()


def key(armature, name: str, values: dict[float, float]) -> Any:
    """Key a slider at frames, and return its F-curve."""
    director = director_of(armature)
    path = part("bridge.data.adverb_values").path_of(name)
    for frame, value in values.items():
        director[name] = value
        director.keyframe_insert(path, frame=frame)
    return part("bridge.data.adverb_values").adverb_curves(director)[path]


def frame_of(word) -> float:
    return word.target * bpy.context.scene.render.fps


def stroke(armature, word) -> np.ndarray:
    """Places (T, 3) of the tip of the right hand, seen from the chest, in the third of a second before an emphasis."""
    found = []
    for frame in frame_of(word) + np.arange(-8.0, 1.01, 0.1):
        go_to(frame)
        seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        found.append(np.array(seen.pose.bones["Chest"].matrix.inverted() @ seen.pose.bones["Hand_R"].tail))
    return np.array(found)


def way(path: np.ndarray) -> float:
    """How far apart the places (T, 3) of a path are that are farthest from one another."""
    return float(np.linalg.norm(path[:, None] - path[None, :], axis=-1).max())


def late(path: np.ndarray) -> float:
    """By how many frames a hand that strokes turns round after the emphasis."""
    fastest = int(np.argmax(np.linalg.norm(np.diff(path, axis=0), axis=1)))
    along = (path - path[fastest]) @ (path[fastest + 1] - path[fastest])
    return -8.0 + 0.1 * int(np.argmax(along))


@pytest.fixture
def armature(tmp_path):
    return talking(tmp_path)


def test_a_slider_colours_every_gesture_and_emphases_stay_on_their_words(armature):
    ways = {}
    for size in (0.1, 1.0):
        slide(armature, beat_size=size)
        for number in (FIRST, LAST):
            path = stroke(armature, words_of(armature)[number])
            ways[size, number] = way(path)
            assert abs(late(path)) <= 0.5
    print({place: f"{100.0 * length:.1f} cm" for place, length in ways.items()})
    assert all(ways[1.0, number] > 1.5 * ways[0.1, number] for number in (FIRST, LAST))
    assert ways[0.1, FIRST] == pytest.approx(ways[0.1, LAST], rel=0.05)


def test_energy_colours_all_gestures_of_the_biped(armature):
    fastest = []
    for energy in (0.0, 1.0):
        slide(armature, talk_energy=energy)
        paths = [stroke(armature, word) for word in words_of(armature)]
        fastest.append([np.linalg.norm(np.diff(path, axis=0), axis=1).max() for path in paths])
        assert max(abs(late(path)) for path in paths) <= 0.5
    print([f"{100.0 * (ratio - 1.0):.0f} % faster" for ratio in np.divide(*fastest[::-1])])
    assert (np.divide(*fastest[::-1]) > 1.1).all()


def test_a_keyed_slider_lets_the_sentence_grow(armature):
    first, last = (words_of(armature)[number] for number in (FIRST, LAST))
    alone = {}
    for word, size in ((first, 0.1), (last, 1.0)):
        slide(armature, beat_size=size)
        alone[size] = stroke(armature, word)
    key(armature, "beat_size", {frame_of(first): 0.1, frame_of(last): 1.0})
    part("bridge.session.live").flush()
    grown = [stroke(armature, word) for word in (first, last)]
    np.testing.assert_allclose(way(grown[0]), way(alone[0.1]), rtol=0.05)
    np.testing.assert_allclose(way(grown[1]), way(alone[1.0]), rtol=0.05)
    assert way(grown[1]) > 1.5 * way(grown[0])
    assert max(abs(late(path)) for path in grown) <= 0.5


def test_a_plan_is_made_again_only_for_what_its_gestures_have(armature):
    before = signature(armature)
    drag(director_of(armature), mood=0.7, shrug_size=0.9, offer_both=1.0)
    assert signature(armature) == before
    drag(director_of(armature), talk_energy=0.9)
    assert signature(armature) != before
    drag(director_of(armature), talk_energy=0.5)
    assert signature(armature) == before


def test_a_key_counts_where_a_word_is_and_not_while_it_is_muted(armature):
    first, last = (frame_of(words_of(armature)[number]) for number in (FIRST, LAST))
    slide(armature, beat_size=0.5)
    before = signature(armature)
    curve = key(armature, "beat_size", {first: 0.5, 0.5 * (first + last): 1.0, last: 0.5})
    curve.keyframe_points[0].interpolation = "CONSTANT"
    assert signature(armature) == before
    curve.keyframe_points[2].co.y = 0.8
    curve.update()
    assert signature(armature) != before
    director_of(armature)["beat_size"] = 0.5
    curve.mute = True
    assert signature(armature) == before


def test_a_slider_that_something_drives_does_not_colour_gestures_otherwise_at_each_frame(armature):
    director = director_of(armature)
    before = signature(armature)
    driver = director.driver_add(part("bridge.data.adverb_values").path_of("beat_size"))
    driver.driver.expression = "0.01 * frame"
    for frame in (1, 60):
        go_to(frame)
        assert signature(armature) == before


def test_a_drag_shows_at_once_what_is_then_played(armature):
    frame = round(frame_of(words_of(armature)[LAST])) - 3
    slide(armature, beat_size=0.2)
    go_to(frame)
    small = pose_of(armature)
    drag(director_of(armature), beat_size=0.3)
    drag(director_of(armature), beat_size=1.0)
    dragged = pose_of(armature)
    assert np.abs(dragged - small).max() > 0.05
    part("bridge.session.live").flush()
    go_to(1)
    go_to(frame)
    np.testing.assert_allclose(pose_of(armature), dragged, atol=2e-4)


def test_only_gestures_that_a_slider_changes_are_made_again(armature):
    before = [one.chosen.gesture for one in plan_of(armature).placed]
    for slider, kept in (("beat_size", [False, True, False]), ("indicate_side", [True, False, True])):
        drag(director_of(armature), **{slider: 0.9})
        after = [one.chosen.gesture for one in plan_of(armature).placed]
        assert [one is other for one, other in zip(before, after, strict=True)] == kept
        before = after


def test_a_gesture_without_room_is_made_smaller_than_asked_and_never_larger(tmp_path):
    armature = talking(
        tmp_path,
        SUBTITLES.replace("00:00:03,000 --> 00:00:03,400\n<indicate>", "00:00:01,600 --> 00:00:02,000\n<beat>"),
    )
    talk, colouring = part("bridge.layers.talking"), part("bridge.layers.gestures")
    item = armature.verbs_adverbs.verbs["beat"]
    verb = part("bridge.authoring.verbs").verb_for(armature, item)
    for size, lasts in ((0.9, True), (0.0, False), (-0.5, False)):
        drag(director_of(armature), beat_size=size)
        asked = dict(beat_size=size, talk_energy=0.5)
        choices = colouring.sizes_of(armature, item, verb, ("Hand_R",), asked)
        durations = [one.motion.duration for one in choices]
        assert durations[0] == verb.duration([size, 0.5])
        assert durations == sorted(durations, reverse=True) and len(durations) == (3 if lasts else 1)
        assert talk.plays_of_words(armature).plan.placed


def test_what_is_coloured_is_baked_as_it_is_played(armature):
    first, last = (frame_of(words_of(armature)[number]) for number in (FIRST, LAST))
    key(armature, "beat_size", {first: 0.0, last: 1.0})
    shown = poses(armature, FRAMES)
    assert OPS.bake(length="RANGE", frame_start=1, frame_end=150, animated=True, assign=True) == {"FINISHED"}
    assert max(apart(shown, poses(armature, FRAMES)).values()) < 1e-4


def test_strips_of_a_plan_that_is_coloured_otherwise_do_not_count_as_dragged(armature):
    slide(armature, beat_size=0.1)
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    said = part("bridge.layers.said")
    before = said.said_words(director_of(armature))
    spans = [part("bridge.blender.versions").strip_span(strip) for strip, _ in said.own_strips(director_of(armature))]
    slide(armature, beat_size=1.0)
    part("bridge.session.handlers")._lay_plans()
    after = [part("bridge.blender.versions").strip_span(strip) for strip, _ in said.own_strips(director_of(armature))]
    assert sorted(after) != sorted(spans)
    assert said.said_words(director_of(armature)) == before
    assert not any(any(moved) for moved in said.dragged(director_of(armature)).values())


def test_a_slider_without_a_number_is_told_and_panels_go_on(armature):
    director_of(armature)["beat_size"] = "large"
    assert part("bridge.layers.talking").plan_told(armature) is None
    with pytest.raises(RuntimeError, match="is not a number"):
        OPS.talk()
