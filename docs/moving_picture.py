"""The moving picture of a first verb: a slider and the pad are dragged in a real window, and then the figure walks.

Run by docs/make_images.py, and joined by docs/drawn_pictures.py. Each picture is taken when the figure has been drawn
as the sliders say. Pictures of the screen lack the mouse, so an arrow is drawn where it is.
"""

import subprocess
from collections.abc import Iterator
from math import cos, pi, radians, sin

import bpy
from hand import BLINK, STEP, Hand
from mathutils import Euler
from sidebar import find, show_panels
from stage import add_live_biped, director, part

Steps = Iterator[float]
FOLDER = "moving"
MOODS = (0.0, 0.3, 0.6, 1.0, 1.0, 0.6, 0.2, -0.2, -0.6, -1.0, -1.0, -0.6, -0.3, 0.0)
"""Where the slider is in each picture, from -1 to 1."""
ROUND, RADIUS = 16, 0.36
"""Pictures of the way round on the pad, and how far from its middle that goes, as a share of the pad."""
WALKED, EVERY = 33, 3
"""Frames that are walked at the end, and how many of them are between two pictures."""
TRIED = 40
"""Pixels by which the slider is dragged first, to see how far it goes."""
ARROW = "0,0 0,17 4,13 7,20 10,19 7,12 12,12"
SEEN_FROM = Euler((radians(80.0), 0.0, radians(32.0)))


def test_first_verb(gui: Hand) -> Steps:
    show_panels("directing", "modes")
    (gui.folder / FOLDER).mkdir(exist_ok=True)
    gui.area().spaces.active.show_region_toolbar = gui.area().spaces.active.show_region_tool_header = False
    yield from gui.drawn()
    yield from add_live_biped(gui)
    bpy.context.scene.frame_end = 120
    _look(gui.area().spaces.active)
    yield 1.0
    with gui.context():
        bpy.ops.screen.screen_full_area()
    yield 1.0
    yield from _slide(gui)
    yield from _go_round(gui)
    yield from _walk(gui)


def _look(space: bpy.types.SpaceView3D) -> None:
    """Let the figure stand at the left of the view, with nothing around it but its sidebar."""
    view = space.region_3d
    view.view_location, view.view_distance, view.view_rotation = (0.85, -0.75, 0.72), 4.1, SEEN_FROM.to_quaternion()
    space.show_gizmo_navigate = space.overlay.show_text = False


def _taken(gui: Hand, arrow: bool = True) -> Steps:
    """Take the next picture, of the view and its sidebar, once both are drawn."""
    yield from gui.drawn("UI")
    yield from gui.drawn()
    folder = gui.folder / FOLDER
    number = len(list(folder.glob("*.png")))
    taken, view, height = gui.picture(f"{FOLDER}/{number:03}"), gui.area(), gui.window.height
    x, y = gui.at[0], height - gui.at[1]
    mouse = ["-fill", "white", "-stroke", "black", "-draw", f"translate {x},{y} polygon {ARROW}"] if arrow else []
    cut = ["-crop", f"{view.width}x{view.height}+{view.x}+{height - view.y - view.height}", "+repage"]
    subprocess.run(["convert", str(taken), *mouse, *cut, str(taken)], check=True, timeout=60)


def _slide(gui: Hand) -> Steps:
    """Drag the slider of the mood."""
    x, y = yield from find(gui, '["mood"]')
    gui.move(x, y)
    yield BLINK
    gui.press()
    yield BLINK
    for pixels in range(TRIED + 1):
        gui.move(x + pixels, y)
        yield STEP
    yield 1.0
    pixels = TRIED / director()["mood"]
    for mood in MOODS:
        gui.move(x + mood * pixels, y)
        yield BLINK
        yield from _taken(gui)
    gui.release()
    yield BLINK


def _go_round(gui: Hand) -> Steps:
    """Drag the point of the pad from its middle, once round, and back into the middle."""
    with gui.context():
        square = part("operators.view.pad").square_in(bpy.context, bpy.context.region)
    view = gui.region()
    x, y = view.x + square.x + 0.5 * square.side, view.y + square.y + 0.5 * square.side
    gui.move(x, y)
    yield BLINK
    gui.press()
    yield BLINK
    for number in range(ROUND + 1):
        angle, share = 2.0 * pi * number / ROUND, min(1.0, number / 3.0, (ROUND - number) / 3.0)
        away = share * RADIUS * square.side
        gui.move(x + away * cos(angle), y + away * sin(angle))
        yield BLINK
        yield from _taken(gui)
    gui.release()
    yield BLINK


def _walk(gui: Hand) -> Steps:
    """Go along the timeline, as playing does."""
    bpy.ops.verbs_adverbs.performance_write()
    begin = bpy.context.scene.frame_current
    for frame in range(begin, begin + WALKED, EVERY):
        bpy.context.scene.frame_set(frame)
        yield from _taken(gui, arrow=False)
