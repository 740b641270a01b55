"""The phases of a gesture and the curve between gestures in a real window: found, drawn, dragged and followed."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
from blender.action_hash import digest
from hand import Hand
from sidebar import expect, find, show_panels
from stage import biped, director

Steps = Iterator[float]
WORDS = """1
00:00:01,300 --> 00:00:01,900
<offer>welcome

2
00:00:03,000 --> 00:00:03,600
<indicate>there.
"""
FIND, EDIT, RESET = (f"verbs_adverbs.{name}" for name in ("phases_find", "curve_edit", "curve_reset"))
MIDDLE_ABOVE_RESET = 123
"""How far in pixels the middle of the curve is above the button Reset."""


def _played() -> str:
    """Digest of what the biped plays."""
    return digest(director().verbs_adverbs.generated)


def _middle() -> np.ndarray:
    """Where the point in the middle of the blending curve is."""
    (node,) = director().verbs_adverbs.speech.curve.nodes
    return np.array(node.mapping.curves[0].points[2].location)


def _begin() -> Steps:
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    assert bpy.ops.verbs_adverbs.add_biped(cast="TALKING") == {"FINISHED"}
    yield 0.5


def test_phases_are_found_by_a_button_and_told(gui: Hand) -> Steps:
    yield from _begin()
    armature = biped()
    armature.animation_data.action = armature.verbs_adverbs.verbs["beat"].examples[0].action
    example = armature.animation_data.action.verbs_adverbs.examples[0]
    for row in range(5, 0, -1):
        example.active_keytime = row
        assert bpy.ops.verbs_adverbs.keytime_remove() == {"FINISHED"}
    show_panels("example", "keytimes", "gesture", "check")
    yield from find(gui, FIND)
    gui.picture("phases-before")
    yield from gui.click(*(yield from find(gui, FIND)))
    yield from expect(lambda: len(example.keytimes) == 7, "the phases are found")
    yield 1.0
    gui.picture("phases-found")
    example.shortest = 1.25
    yield 0.5
    gui.region("UI").tag_redraw()
    yield 0.5
    gui.picture("phases-bounds")
    gui.move(300, 400)
    with gui.context():
        bpy.ops.verbs_adverbs.phases_find("INVOKE_DEFAULT")
    yield 1.0
    gui.picture("phases-asked")
    yield from gui.key("ESC")


def test_a_point_of_the_curve_is_dragged_and_followed(gui: Hand) -> Steps:
    yield from _begin()
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    with tempfile.TemporaryDirectory() as folder:
        said = Path(folder) / "said.srt"
        said.write_text(WORDS)
        assert bpy.ops.verbs_adverbs.words_file(filepath=str(said)) == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.talk() == {"FINISHED"}
    bpy.context.scene.frame_set(24)
    show_panels("talking", "blending")
    yield 1.0
    gui.picture("curve-before")
    yield from gui.click(*(yield from find(gui, EDIT)))
    yield from expect(lambda: director().verbs_adverbs.speech.curve is not None, "the curve is shown")
    yield 2.0
    x, y = yield from find(gui, RESET)
    gui.picture("curve")
    before, middle = _played(), _middle()
    yield from gui.drag((x, y + MIDDLE_ABOVE_RESET), (x - 30, y + MIDDLE_ABOVE_RESET + 40))
    yield from expect(lambda: np.abs(_middle() - middle).max() > 0.05, "the point in the middle was dragged")
    yield from expect(lambda: _played() != before, "what plays follows the curve")
    yield 1.0
    gui.picture("curve-dragged")
    gui.move(400, 500)
    yield from gui.key("Z", ctrl=True)
    yield from expect(lambda: np.abs(_middle() - middle).max() < 1e-6, "the curve is as before")
    yield from expect(lambda: _played() == before, "what plays is as before")
    gui.picture("curve-undone")
