"""A keytime's pose marker dragged with the mouse in the Action Editor of the Dope Sheet."""

from collections.abc import Iterator

import bpy
from blender.action_hash import digest
from hand import Hand
from sidebar import expect
from stage import add_biped, biped, part

ABOVE_THE_EDGE = 30
DOUBLE_CLICK = 0.5
EDITOR = "DOPESHEET_EDITOR"


def _action() -> bpy.types.Action:
    return bpy.data.actions["Walk plain"]


def _open_action_editor(gui: Hand) -> Iterator[float]:
    """The 3D view's area becomes an Action Editor that shows the pose markers."""
    gui.area().type = EDITOR
    yield 0.5
    space = gui.area(EDITOR).spaces.active
    space.mode, space.show_pose_markers = "ACTION", True
    yield 0.5
    with gui.context(EDITOR):
        bpy.ops.action.view_all()
    yield 1.0


def _marker(name: str) -> bpy.types.TimelineMarker:
    return next(marker for marker in _action().pose_markers if marker.name.startswith(name))


def _place(gui: Hand, frame: float) -> tuple[int, int]:
    """Where a marker at a frame is drawn."""
    region = gui.region("WINDOW", EDITOR)
    return region.x + region.view2d.view_to_region(frame, 0.0, clip=False)[0], region.y + ABOVE_THE_EDGE


def _frames_of_keytimes() -> list[float]:
    example = _action().verbs_adverbs.examples[0]
    return [frame for _, frame in part("bridge.data.markers").effective_keytimes(example)]


def _state() -> str:
    """State of the verb, which the panels show too."""
    item, verbs = biped().verbs_adverbs.verbs["walk"], part("bridge.authoring.verbs")
    found = verbs.status(biped(), item)
    assert verbs.shown_status(biped(), item) == found
    return found.state


def _seconds_of_keytimes() -> list[float]:
    verb = part("bridge.authoring.verbs").verb_for(biped(), biped().verbs_adverbs.verbs["walk"])
    return list(verb.keytimes([0.0] * len(verb.adverb_names)))


def test_a_dragged_pose_marker_moves_its_keytime_alone(gui: Hand) -> Iterator[float]:
    yield from add_biped(gui)
    yield from _open_action_editor(gui)
    example = _action().verbs_adverbs.examples[0]
    row = [keytime.name for keytime in example.keytimes].index("L_down")
    before, keys = _frames_of_keytimes(), digest(_action())
    start = _marker("L_down").frame
    gui.picture("markers-before")
    yield from gui.click(*_place(gui, start))
    yield from expect(lambda: _marker("L_down").select, "the marker is selected")
    yield DOUBLE_CLICK
    yield from gui.drag(_place(gui, start), _place(gui, start - 3))
    yield from expect(lambda: _marker("L_down").frame != start, "the marker was dragged")
    gui.picture("markers-after")
    moved = float(_marker("L_down").frame)
    assert _frames_of_keytimes() == [*before[:row], moved, *before[row + 1 :]]
    assert digest(_action()) == keys
    assert _state() == "OUT_OF_DATE"
    assert bpy.ops.verbs_adverbs.verb_build() == {"FINISHED"}
    expected = (moved - before[0]) / bpy.context.scene.render.fps
    assert abs(_seconds_of_keytimes()[row] - expected) < 1e-6
    yield from gui.key("Z", ctrl=True)
    yield from expect(lambda: _marker("L_down").frame == start, "undo brings the marker back")
    assert _frames_of_keytimes() == before
