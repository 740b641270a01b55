"""Verb graph and score in a window: drawn without a traceback, with pictures, and commands by button."""

from collections.abc import Iterator

import bpy
from hand import Hand
from performance import add_performing_biped
from sidebar import expect, find, show_panels
from stage import biped, part

Steps = Iterator[float]


def _keys() -> list[tuple[float, int]]:
    director = biped().verbs_adverbs.director
    return (
        [] if director is None else [(k.frame, k.number) for k in part("bridge.data.commands").command_keys(director)]
    )


def test_a_verbs_button_adds_a_command_at_the_current_frame(gui: Hand) -> Steps:
    yield from add_performing_biped(gui)
    show_panels("performing")
    bpy.context.scene.frame_set(40)
    x, y = yield from find(gui, "verbs_adverbs.command_add", 0.5)
    yield from gui.click(x, y)
    wave = biped().verbs_adverbs.verbs["wave"].number
    yield from expect(lambda: _keys() == [(40.0, wave)], "the button in the middle asks for 'wave' at frame 40")


def test_the_panels_show_a_graph_and_a_score(gui: Hand) -> Steps:
    yield from add_performing_biped(gui)
    rig = biped().verbs_adverbs
    for verb, frame in (("walk", 20.0), ("wave", 90.0), ("walk", 120.0)):
        bpy.ops.verbs_adverbs.command_add(verb=verb, frame=frame)
    rig.director["command"] = 9
    rig.director.keyframe_insert('["command"]', frame=150)
    rig.director.verbs_adverbs.performance.active = True
    rig.director.verbs_adverbs.performance.active_command = 3
    show_panels("directing", "performing")
    yield from gui.sidebar("Verbs")
    with gui.context():
        bpy.ops.screen.screen_full_area()
    yield 1.0
    with gui.context():
        assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    rig.active_transition = 4
    keytime = next(iter(part("bridge.authoring.transitions").keytimes_of(biped(), rig.verbs["walk"])))
    assert bpy.ops.verbs_adverbs.transition_keytime(end="leaves_begin", keytime=keytime) == {"FINISHED"}
    yield 2.0
    gui.picture("graph-played")
    show_panels("graph")
    yield 1.0
    gui.picture("graph-ready")
    rig.transitions[1].enters_end = 1.7
    part("bridge.session.live").flush()
    gui.region("UI").tag_redraw()
    yield 1.0
    gui.picture("graph-wrong")
    assert part("bridge.authoring.graph").graph_status(biped()).state == "BROKEN"
