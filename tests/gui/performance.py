"""Performing a biped with a verb graph in a window, and recording what the window shows of it."""

from collections.abc import Generator

import bpy
import numpy as np
from hand import Hand
from sidebar import PITCH, expect, find, under_mouse
from stage import biped, director, part, press_button

Waiting = Generator[float, None, None]

PAUSE = 1.0

_seen: list[tuple[float, float, np.ndarray]] = []


def add_performing_biped(gui: Hand, start: str = "stand") -> Waiting:
    """Add a biped, alone in the scene, with stand, wave and walk and the suggested transitions between them."""
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    assert bpy.ops.verbs_adverbs.add_biped(stand=True, wave=True) == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.transitions_suggest() == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.start_verb(verb=biped().verbs_adverbs.verbs[start].uid) == {"FINISHED"}
    bpy.context.preferences.system.viewport_aa = "OFF"
    view = gui.area().spaces.active.region_3d
    view.view_location, view.view_distance = (0.0, -2.0, 0.8), 9.0
    bpy.ops.ed.undo_push(message="a biped with verbs")
    yield 0.3


def session() -> object:
    """The performance that is going on, or None."""
    return part("bridge.session.live_characters").performance


def goes_on() -> bool:
    """Whether there is a performance."""
    return session() is not None


def player() -> object:
    """The object that plays the biped's verbs."""
    return session().take_of(biped()).player


def heard() -> list[tuple[float, str]]:
    """Time in seconds and verb of the commands that the performance has received."""
    return player().heard


def verb_is(name: str) -> bool:
    """Whether the biped plays a verb alone."""
    return player().verb == name and player().transition is None


def press_perform(gui: Hand) -> Waiting:
    """Press the button Perform in the sidebar, and record from now on what each drawing shows."""
    yield from press_button(gui, "verbs_adverbs.perform", "the biped is performed", goes_on)
    _watch()


def begin_at_once(gui: Hand) -> Waiting:
    """Begin to perform by calling the operator, without the sidebar, since the window draws faster without one."""
    with gui.context():
        bpy.ops.verbs_adverbs.perform("INVOKE_DEFAULT")
    yield from expect(goes_on, "the biped is performed")
    _watch()


def fit_scene(gui: Hand) -> Waiting:
    """Lengthen the scene to the end of the take, which is longer than the scene when the machine is busy."""
    with gui.context():
        if bpy.ops.verbs_adverbs.fit_scene.poll():
            bpy.ops.verbs_adverbs.fit_scene()
    yield 0.5


def begin_walking(gui: Hand) -> Waiting:
    """Begin to perform a biped that begins with walking; the take begins with the key 3, which asks for the walk."""
    yield from begin_at_once(gui)
    yield from in_view(gui)
    yield from gui.key("THREE")


def _watch() -> None:
    _seen.clear()
    handler = bpy.types.SpaceView3D.draw_handler_add(_see, (), "WINDOW", "POST_VIEW")
    bpy.app.timers.register(lambda: _unless_going_on(handler), first_interval=0.2)


def command_with_button(gui: Hand, verb: str) -> Waiting:
    """Press a verb's button in the sidebar."""
    before, number = len(heard()), [item.name for item in biped().verbs_adverbs.verbs].index(verb)
    x, y = yield from find(gui, "verbs_adverbs.perform_command", across=(0.5 + number) / 3.0)
    yield from gui.click(x, y)
    yield from expect(lambda: len(heard()) > before, f"the button {verb} is heard")
    assert heard()[-1][1] == verb


def drag_while_drawn(gui: Hand, path: str, pixels: int) -> Waiting:
    """Drag a slider while the view is drawn all the time.

    Blender then notices late what is under the mouse, so places around the slider are tried until it is the slider.
    """
    x, y = yield from find(gui, path)
    for height in (y, y + PITCH, y + 2 * PITCH, y - PITCH):
        gui.move(x, height)
        yield PAUSE
        if under_mouse(gui) == path:
            break
    before = director()[path[2:-2]]
    yield from gui.drag((x, height), (x + pixels, height))
    yield from expect(lambda: director()[path[2:-2]] != before, f"the slider {path} was moved")


def turn(value: float) -> None:
    """Do what dragging a slider does: change its value, and make that a step of undo."""
    director()["turn"] = value
    director().update_tag()
    bpy.ops.ed.undo_push(message="Change turn")


def in_view(gui: Hand, across: float = 0.4, up: float = 0.3) -> Waiting:
    """Put the mouse into the 3D view, left of its sidebar."""
    region = gui.region()
    gui.move(region.x + across * region.width, region.y + up * region.height)
    yield 0.2


def look_at_root(gui: Hand) -> Waiting:
    """Move the view so that the biped is in its middle."""
    gui.area().spaces.active.region_3d.view_location = root()
    yield 0.4


def root() -> np.ndarray:
    """Place (3,) of the root in the world, as the window has evaluated it."""
    seen = biped().evaluated_get(bpy.context.view_layer.depsgraph)
    return np.array(seen.matrix_world @ seen.pose.bones["Hips"].head)


def roots_at() -> tuple[list[float], list[np.ndarray]]:
    """Frames on the timeline that were drawn, and the root's place in each of these drawings."""
    fps, start = bpy.context.scene.render.fps, director().verbs_adverbs.start_frame
    return [start + time * fps for time, _, _ in _seen], [place for _, _, place in _seen]


def drawings() -> list[tuple[float, float, np.ndarray]]:
    """Return for each drawing but those of the beginning the time shown, the time on the clock and the root's place."""
    return [drawing for drawing in _seen if drawing[0] > 0.0]


def drawn(count: int = 8) -> tuple[float, float]:
    """How late the last drawings were, and the seconds between them, in the middle."""
    last = drawings()[-count:]
    late = sorted(now - time for time, now, _ in last)
    apart = sorted(b[1] - a[1] for a, b in zip(last[:-1], last[1:], strict=True))
    return late[len(late) // 2], apart[len(apart) // 2]


def _see() -> None:
    if goes_on() and session().frames.shown and "Biped" in bpy.data.objects:
        _seen.append((session().frames.shown[-1].time, session().simulator.clock.now(), root()))


def _unless_going_on(handler: object) -> float | None:
    if goes_on():
        return 0.2
    bpy.types.SpaceView3D.draw_handler_remove(handler, "WINDOW")
    return None
