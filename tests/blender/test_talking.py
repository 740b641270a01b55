"""A biped that talks while it walks: words from a file, strips and markers, with strokes that land on them."""

import bpy
from blender.layering import degrees, poses
from blender.performance import OPS

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
    assert OPS.add_biped(walk=True, cast="TALKING") == {"FINISHED"}
    path = tmp_path / "said.srt"
    path.write_text(SUBTITLES)
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    assert OPS.words_file(filepath=str(path)) == {"FINISHED"}
    return bpy.context.object


def test_words_of_a_file_have_the_gestures_that_they_ask_for(tmp_path):
    armature = talking(tmp_path)
    words = armature.verbs_adverbs.director.verbs_adverbs.speech.words
    assert [word.text for word in words] == ["We", "welcome", "you,", "there."]
    names = {verb.uid: verb.name for verb in armature.verbs_adverbs.verbs}
    assert [names.get(word.gesture, "") for word in words] == ["", "offer", "", "indicate"]
    assert OPS.talk() == {"FINISHED"}


def test_strokes_land_on_their_words_over_a_walk(tmp_path):
    armature = talking(tmp_path)
    frames = [1, 30, 50, 87, 120, 170]
    bare = poses(armature, frames)
    assert OPS.talk() == {"FINISHED"}
    shown = poses(armature, frames)
    for name in bare:
        print(name, [round(degrees(bare[name][n : n + 1], shown[name][n : n + 1]), 2) for n in range(len(frames))])
    speech = armature.verbs_adverbs.director.verbs_adverbs.speech
    print([w.target for w in speech.words])
    assert 0
