"""A sentence in a real window whose gestures are coloured by dragging a slider."""

from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
from hand import Hand
from sidebar import expect
from stage import biped, director, drag_slider, joints, part, written

Steps = Iterator[float]
SIZE = '["beat_size"]'
SUBTITLES = """1
00:00:01,000 --> 00:00:01,400
<beat>This

2
00:00:03,000 --> 00:00:03,400
<beat>grows.
"""
BEFORE = 5
"""Frames before an emphasis at which the hand is up."""


def _begin(gui: Hand) -> Steps:
    """Add a biped that walks and says two words with small beats, at a frame just before the second emphasis."""
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    assert bpy.ops.verbs_adverbs.add_biped(walk=True, cast="TALKING") == {"FINISHED"}
    bpy.context.scene.frame_end = 120
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    path = Path(bpy.app.tempdir) / "said.srt"
    path.write_text(SUBTITLES)
    assert bpy.ops.verbs_adverbs.words_file(filepath=str(path)) == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.talk() == {"FINISHED"}
    director()["beat_size"] = 0.0
    director().update_tag()
    assert bpy.ops.verbs_adverbs.performance_write() == {"FINISHED"}
    word = director().verbs_adverbs.speech.words[1]
    bpy.context.scene.frame_set(round(word.target * bpy.context.scene.render.fps) - BEFORE)
    with gui.context():
        bpy.ops.view3d.view_selected()
    bpy.ops.ed.undo_push(message="a biped that talks")
    yield 0.5


def _hand() -> float:
    """How high the right hand is over the hips, in metres, as the window shows it."""
    hips, hand = joints(["Hips", "Hand_R"])
    return float(hand[2] - hips[2])


def test_a_slider_that_is_dragged_colours_the_gestures_and_undo_takes_it_back(gui: Hand) -> Steps:
    yield from _begin(gui)
    small, made = _hand(), written()
    gui.picture("coloured-small")
    yield from drag_slider(gui, SIZE, 160)
    yield from expect(lambda: _hand() > small + 0.05, "the hand is higher at once")
    shown = _hand()
    print(f"beat_size {director()['beat_size']:.2f} lifts the hand by {100.0 * (shown - small):.1f} cm")
    yield from expect(lambda: written() != made, "the motion is written after a rest")
    np.testing.assert_allclose(_hand(), shown, atol=1e-3)
    gui.picture("coloured-large")
    plan = part("bridge.layers.talking").plan_told(biped()).plan
    assert plan is not None and len(plan.placed) == 2
    with gui.context():
        bpy.ops.ed.undo()
    yield from expect(lambda: abs(_hand() - small) < 1e-3, "undo takes the drag back")
