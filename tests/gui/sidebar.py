"""Finding buttons in the 3D viewport's sidebar by moving the mouse over it and asking Blender what is under it."""

from collections.abc import Callable, Generator, Iterator

import bpy
from hand import BLINK, Hand

Steps = Iterator[float]
Place = tuple[int, int]
PITCH = 12
GLANCES = (0.05, 0.2, 0.6)
"""Seconds for which the mouse stays at each height: a busy window notices late what is under it, and would name the
button above; the longer ones are tried when a button turns out not to be where it was found."""
EDGE, PAGES, TURN, TRIES = 14, 16, 500, 20
PATIENCE = 40.0
_found: dict[tuple[str, float], tuple[int, Place]] = {}
"""Page and centre of buttons that were found before, where they are looked for first."""


def expect(condition: Callable[[], bool], what: str, seconds: float = PATIENCE) -> Steps:
    """Wait until a condition holds; if it does not hold in time, fail with a message that names it."""
    for _ in range(round(seconds / BLINK)):
        if condition():
            return
        yield BLINK
    assert condition(), f"after {seconds:g} s it is still not so: {what}"


def find(gui: Hand, wanted: str, across: float = 0.5) -> Generator[float, None, Place]:
    """Return the centre of a button, given its property's data path or its operator's name.

    The tab Verbs is opened and scrolled to the button. `across` is the share of the sidebar's width at which to look.
    """
    yield from gui.sidebar("Verbs")
    yield from expect(lambda: gui.region("UI").active_panel_category == "Verbs", "the sidebar shows our tab")
    known_page, known = _found.get((wanted, across), (PAGES, (0, 0)))
    yield from _to_top(gui)
    for page in range(PAGES):
        yield BLINK
        if page < known_page < PAGES:
            _scroll(gui, TURN)
            continue
        if page == known_page and (yield from _stays(gui, wanted, known)):
            return known
        for glance in GLANCES:
            found = yield from _on_this_page(gui, wanted, across, glance)
            if not found or (yield from _stays(gui, wanted, found)):
                break
        if found:
            _found[wanted, across] = page, found
            return found
        _scroll(gui, TURN)
    if _found.pop((wanted, across), None):
        return (yield from find(gui, wanted, across))
    raise AssertionError(f"no button '{wanted}' in the sidebar")


def _to_top(gui: Hand) -> Steps:
    """Scroll to the top; where the sidebar has grown since it was drawn, that takes more than one go."""
    for _ in range(TRIES):
        _scroll(gui, -PAGES * TURN)
        yield 2 * BLINK
        region = gui.region("UI")
        if abs(region.view2d.region_to_view(0, region.height)[1]) < 2.0:
            break


def _scroll(gui: Hand, down: int) -> None:
    with gui.context(kind="UI"):
        if down > 0:
            bpy.ops.view2d.scroll_down(deltay=down)
        else:
            bpy.ops.view2d.scroll_up(deltay=-down)
    gui.region("UI").tag_redraw()


def _on_this_page(gui: Hand, wanted: str, across: float, glance: float) -> Generator[float, None, Place | None]:
    region = gui.region("UI")
    x = region.x + round(across * region.width)
    heights: list[int] = []
    for height in range(region.y + region.height - EDGE, region.y + EDGE, -PITCH):
        gui.move(x, height)
        yield glance
        if under_mouse(gui) == wanted:
            heights.append(height)
        elif heights:
            break
    return (x, sum(heights) // len(heights)) if heights else None


def _stays(gui: Hand, wanted: str, place: Place) -> Generator[float, None, bool]:
    """Whether a button is still in its place when the mouse comes back; the sidebar may have changed its layout."""
    gui.move(place[0], place[1] + 2)
    yield 3 * BLINK
    gui.move(*place)
    yield BLINK
    return under_mouse(gui) == wanted


def under_mouse(gui: Hand) -> str:
    """Data path of the property, or name of the operator, whose button is under the mouse."""
    with gui.context(kind="UI"):
        told = bpy.context.property
        if told is not None:
            return told[1]
        if not bpy.ops.ui.copy_python_command_button.poll():
            return ""
        bpy.ops.ui.copy_python_command_button()
    said = bpy.context.window_manager.clipboard
    return said.removeprefix("bpy.ops.").partition("(")[0]
