"""Scores as JSON: what is written plays the same when it is read, and what cannot be read is told with its place."""

import json
from pathlib import Path

import bpy
import pytest
from blender.action_hash import digest
from blender.farming import crowd, opened, run
from blender.performance import OPS
from blender.stage import part


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with two characters whose commands, sliders and layer have keys."""
    first, second = crowd(2, 60)
    director = first.verbs_adverbs.director
    for frame, mood in ((3.0, -0.4), (20.25, 0.7), (44.0, 0.1)):
        director["mood"] = mood
        director.keyframe_insert('["mood"]', frame=frame)
    curve = next(c for c in part("bridge.data.adverb_values").all_curves(director) if c.data_path == '["mood"]')
    curve.keyframe_points[1].interpolation = "LINEAR"
    curve.keyframe_points[0].handle_right_type, curve.keyframe_points[0].handle_right = "FREE", (9.0, -0.9)
    bpy.context.view_layer.objects.active = second
    second.verbs_adverbs.active_verb = second.verbs_adverbs.verbs.find("wave")
    assert OPS.layer_add() == {"FINISHED"}
    layer = second.verbs_adverbs.layers[0]
    part("bridge.data.commands").ask_layer(second, layer, "start", 12.0)
    path = tmp_path / "crowd.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    opened(path)
    return path


def baked(*words: str) -> dict[str, str]:
    """Digests of the bakes of the open file's characters."""
    assert run("bake", *words, "--out", str(Path(bpy.data.filepath).with_name("out.blend"))) == 0
    return {one.name: digest(one.animation_data.action) for one in bpy.data.objects if one.type == "ARMATURE"}


def test_a_score_that_is_written_and_read_again_plays_the_same_to_the_bit(file: Path, tmp_path: Path):
    wanted, score = baked(), tmp_path / "score.json"
    opened(file)
    assert run("score", "--out", str(score)) == 0
    for armature in bpy.data.objects:
        if armature.type == "ARMATURE":
            director = armature.verbs_adverbs.director
            director.animation_data_clear()
            director["mood"], director.location.x, director.verbs_adverbs.performance.seed = 0.9, 7.0, 5
    assert baked() != wanted
    opened(file)
    for armature in bpy.data.objects:
        if armature.type == "ARMATURE":
            armature.verbs_adverbs.director.animation_data_clear()
    assert baked("--score", str(score)) == wanted
    opened(file)
    again = tmp_path / "again.json"
    assert run("score", "--out", str(again)) == 0
    assert again.read_bytes() == score.read_bytes()


def test_a_score_by_hand_in_seconds_is_the_same_as_commands_of_the_operators(file: Path, tmp_path: Path):
    name, score = "Biped", tmp_path / "by hand.json"
    armature = bpy.data.objects[name]
    bpy.context.view_layer.objects.active = armature
    director = armature.verbs_adverbs.director
    director.verbs_adverbs.start_frame = 3
    assert OPS.score_clear() == {"FINISHED"}
    assert OPS.command_add(verb="walk", frame=3 + 0.5 * 24) == {"FINISHED"}
    part("bridge.data.commands").forget_keys(director, "mood", "")
    director["mood"] = 0.25
    wanted = baked("--character", name)[name]
    opened(file)
    asked = {"start_frame": 3, "commands": [{"at": 0.5, "verb": "walk"}], "adverbs": {"mood": 0.25}}
    score.write_text(json.dumps({"verbs_adverbs_score": 1, "time": "seconds", "characters": {name: asked}}))
    assert baked("--score", str(score))[name] == wanted


def written(character: dict, **whole: object) -> str:
    return json.dumps({"verbs_adverbs_score": 1, "time": "frames", "characters": {"Biped": character}, **whole})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "line 1, column 2: this is not JSON"),
        ("[]", "Score, as a whole: expected a JSON object"),
        ("[" * 100_000, "cannot be read as JSON"),
        ('{"time": "frames"}', "'verbs_adverbs_score', 'characters' is missing"),
        (written({}, verbs_adverbs_score=2), "newer than 1"),
        (written({}, time="minutes"), "Score, time: 'minutes' is not one of 'seconds', 'frames'"),
        (written({}, characters={"Nobody": {}}), "there is no character 'Nobody'. The file has: 'Biped'"),
        (written({"commands": [{"at": 1, "verb": "fly"}]}), "'Biped' / commands: there is no verb 'fly'. Available: "),
        (written({"begins_with": "fly"}), "'Biped' / begins_with: there is no verb 'fly'"),
        (written({"commands": [{"at": 1}]}), "'Biped' / commands / 1: 'verb' is missing"),
        (written({"commands": [{"at": "1", "verb": "walk"}]}), 'commands / 1 / at: expected a number, not "1"'),
        (written({"commands": [{"at": 1e7, "verb": "walk"}]}), "commands / 1 / at: 10000000.0 is outside"),
        (written({"commands": [{"at": 5, "verb": "walk"}] * 2}), "commands / 2: it has the same frame as"),
        (written({"adverbs": {"joy": 1}}), "adverbs: there is no adverb 'joy'"),
        (written({"adverbs": {"mood": [{"at": 1, "value": True}]}}), "'mood' / 1 / value: expected a number"),
        (written({"adverbs": {"mood": 1e8}}), "Adverb 'mood' of 'Biped director' is 1e+08"),
        (written({"adverbs": {"mood": float("nan")}}), "NaN is not a number in JSON"),
        (written({"layers": {"no": []}}), "layers: there is no layer 'no'. Available: none"),
        (written({"place": [1, 2]}), "place: expected three numbers"),
        (written({"words": [{"text": "a", "start": 2, "end": 1}]}), "words / 1: it ends before it begins"),
        (written({"words": [{"text": "a", "start": 1, "end": 2, "gesture": "fly"}]}), "there is no gesture 'fly'"),
        (written({"speed": 1}), "'Biped': 'speed' is unknown. Use one of 'begins_with'"),
        ('{"time": "frames", "time": "frames"}', "'time' occurs twice in the same object"),
    ],
)
def test_a_bad_score_ends_with_3_a_sentence_with_its_place_and_no_file(tmp_path: Path, capsys, text: str, said: str):
    crowd(1, 40)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "crowd.blend"))
    score, out = tmp_path / "score.json", tmp_path / "out.blend"
    score.write_text(text)
    for where in ("--out", "--part"):
        assert run("bake", "--score", str(score), where, str(out)) == 3
    told = capsys.readouterr().err
    assert said in told and told.startswith("Error: ")
    assert sorted(tmp_path.iterdir()) == [tmp_path / "crowd.blend", score]


def test_words_by_hand_are_said_with_gestures(tmp_path: Path):
    assert OPS.add_biped(walk=True, cast="TALKING") == {"FINISHED"}
    armature, score = bpy.context.object, tmp_path / "score.json"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "talker.blend"))
    words = [
        {"text": "you", "start": 1.0, "end": 1.3, "gesture": "offer", "look": "LEFT"},
        {"text": "know", "start": 1.4, "end": 1.8, "look": {"object": "Nowhere"}},
    ]
    told = {"verbs_adverbs_score": 1, "time": "seconds", "characters": {armature.name: {"words": words}}}
    score.write_text(json.dumps(told))
    assert run("bake", "--score", str(score), "--last", "60", "--out", str(tmp_path / "out.blend")) == 3
    del words[1]["look"]
    score.write_text(json.dumps(told))
    assert run("bake", "--score", str(score), "--last", "60", "--out", str(tmp_path / "out.blend")) == 0
    said = armature.verbs_adverbs.director.verbs_adverbs.speech.words
    assert [(word.text, round(word.start, 3), word.look) for word in said] == [
        ("you", 1.042, "LEFT"),
        ("know", 1.442, "NONE"),
    ]
    assert armature.verbs_adverbs.layers[0].talks
