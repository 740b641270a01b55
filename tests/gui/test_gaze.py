"""A figure that looks at objects on its words, in a real window: its panel, what is out of reach, poses."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import bpy
import numpy as np
from hand import Hand
from mathutils import Vector
from sidebar import expect, find
from stage import biped, director, part

Steps = Iterator[float]
SAID = """1
00:00:00,600 --> 00:00:01,000
<look Lamp><offer>Here

2
00:00:02,000 --> 00:00:02,400
<look right>or

3
00:00:03,200 --> 00:00:03,600
<look Door>there,

4
00:00:04,600 --> 00:00:05,000
<look ahead>now.
"""
LAST = 130


def _begin(gui: Hand) -> Steps:
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, LAST
    assert bpy.ops.verbs_adverbs.add_biped(walk=True, cast="TALKING") == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    for name, place in (("Lamp", (2.5, -4.0, 2.0)), ("Door", (4.0, 3.0, 1.4))):
        thing = bpy.data.objects.new(name, None)
        scene.collection.objects.link(thing)
        thing.location = place
    bpy.context.view_layer.objects.active = biped()
    bpy.context.view_layer.update()
    yield from gui.sidebar("Verbs")


def _missed(name: str, frame: int) -> float:
    """Degrees by which the head points past an object."""
    bpy.context.scene.frame_set(frame)
    head = biped().evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["Head"]
    eyes = head.matrix @ Vector((0.0, 0.5 * head.length, 0.4 * head.length))
    ahead = head.matrix.to_3x3() @ Vector((0.0, 0.0, 1.0))
    return float(np.degrees((bpy.data.objects[name].matrix_world.translation - eyes).angle(ahead)))


def test_it_looks_on_its_words_and_the_panel_tells_what_is_out_of_reach(gui: Hand) -> Steps:
    yield from _begin(gui)
    words = Path(mkdtemp()) / "said.srt"
    words.write_text(SAID)
    assert bpy.ops.verbs_adverbs.words_file(filepath=str(words)) == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.talk() == {"FINISHED"}
    layers, characters = part("bridge.layers"), part("bridge.session.live_characters")

    def told() -> list[str]:
        plays = layers.talking.plan_told(biped())
        return layers.looking.looks_told(biped(), plays and plays.gazing, characters.played_by(biped()))

    yield from expect(lambda: len(told()) == 1, "the panel tells of the door")
    assert "'look Door' on 'there,' is" in told()[0]
    director().verbs_adverbs.speech.active_word = 2
    bpy.context.scene.frame_set(20)
    yield from expect(lambda: _missed("Lamp", 20) < 0.1, "the motion was written")
    yield from find(gui, "verbs_adverbs.talk")
    with gui.context():
        bpy.ops.view3d.view_axis(type="FRONT")
    biped().data.show_axes = True
    for frame in (5, 20, 56, 84, 118):
        bpy.context.scene.frame_set(frame)
        view = gui.area().spaces.active.region_3d
        view.view_location, view.view_distance = biped().pose.bones["Chest"].matrix.translation, 2.5
        yield 0.4
        gui.picture(f"gaze-{frame}")
    bpy.data.objects["Door"].location = (1.5, -9.0, 1.4)
    bpy.context.view_layer.update()
    yield from expect(lambda: _missed("Door", 84) < 0.1, "the door was moved to where it can be seen")
    assert told() == []
