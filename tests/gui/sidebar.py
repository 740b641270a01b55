"""Finding buttons in the 3D viewport's sidebar by moving the mouse over it and asking Blender what is under it."""

from collections.abc import Callable, Generator, Iterable, Iterator
from importlib import import_module

import bpy
from hand import BLINK, Hand

Steps = Iterator[float]
Place = tuple[int, int]
PITCH = 12
ROW, FINE, AROUND = 18, 5, 126
"""Pixels between two heights at which a button is looked for, all of which are at least 20 high; between those at which
its middle is looked for; and by which one may have moved that is looked for near where it was."""
GLANCES = (0.05, 0.2, 0.6)
"""Seconds for which the mouse stays at each height: a busy window notices late what is under it, and would name the
button above; the longer ones are tried when a button is not found, or turns out not to be where it was found."""
EDGE, PAGES, NOTCH, OVERLAP, NEAR = 14, 12, 40, 80, 2.0
"""Pixels at the ends of a page at which nothing is looked for, most pages, pixels by which Blender scrolls at a time,
pixels by which a page overlaps the one before it, and pixels that count as the same place."""
PATIENCE = 40.0
PANELS = "bl_ext.user_default.verbs_adverbs.panels"
ANIMATE, SET_UP = "ANIMATE", "SET_UP"
SET_UP_HAS = frozenset(
    f"verbs_adverbs.{name}"
    for name in (
        *("add_biped", "walks_choose", "keytimes_find", "actions_conform", "action_mirror", "feet_find", "foot_take"),
        *("phases_find", "measure_travel", "verb_build", "verbs_copy", "bones_map", "transitions_suggest", "refine"),
        *("examples_check", "verb_mend"),
    )
)
"""Buttons of the mode Set Up; everything else that is looked for is in Animate."""
EDGES = 1, 8
"""Pixels from the sidebar's edge at which it can be dragged: since Blender 5.0, and before."""
NEAR_WIDTH = 20
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

    The tab Verbs is opened in the mode that has the button, and scrolled to it. `across` is the share of the sidebar's
    width at which to look.
    """
    yield from show_mode(gui, SET_UP if wanted in SET_UP_HAS else ANIMATE)
    yield from expect(lambda: gui.region("UI").active_panel_category == "Verbs", "the sidebar shows our tab")
    if (wanted, across) in _found:
        page, known = _found[wanted, across]
        yield from _to_page(gui, page)
        if (yield from _stays(gui, wanted, known)):
            return known
        moved = yield from _in_rows(gui, wanted, known[0], _rows_around(gui, known[1]), GLANCES[0])
        if moved and (yield from _stays(gui, wanted, moved)):
            _found[wanted, across] = page, moved
            return moved
    for glance in GLANCES:
        yield from _to_page(gui, 0)
        for page in range(PAGES):
            found = yield from _on_this_page(gui, wanted, across, glance)
            if found and (glance == GLANCES[-1] or (yield from _stays(gui, wanted, found))):
                _found[wanted, across] = page, found
                return found
            above = _top(gui)
            yield from _turn(gui)
            if found or abs(above - _top(gui)) < NEAR:
                break
    raise AssertionError(f"no button '{wanted}' in the sidebar")


def narrow(gui: Hand, width: int) -> Steps:
    """Drag the edge of the sidebar until it has a width; where the mouse catches it depends on Blender's version."""
    for inward in EDGES:
        region = gui.region("UI")
        if abs(region.width - width) < NEAR_WIDTH:
            return
        x, y = region.x + inward, region.y + region.height // 2
        yield from gui.drag((x, y), (x + region.width - width, y))
        yield from gui.drawn("UI")
    assert abs(gui.region("UI").width - width) < NEAR_WIDTH


def show_mode(gui: Hand, mode: str) -> Steps:
    """Open the tab Verbs in a mode."""
    yield from gui.sidebar("Verbs")
    tab = bpy.context.window_manager.verbs_adverbs_tab
    if tab.mode != mode:
        tab.mode = mode
        yield from gui.drawn("UI")


def show_panels(*names: str) -> None:
    """Register panels alone, all of them open, and choose the mode of the first one.

    Parameters
    ----------
    names : ends of their names, such as "directing".
    """
    modules = (import_module(f"{PANELS}.{name}") for name in import_module(PANELS).MODULES)
    found = {
        panel.__name__.partition("_PT_")[2]: panel
        for module in modules
        for panel in module.CLASSES
        if issubclass(panel, bpy.types.Panel)
    }
    for panel in reversed(found.values()):
        if hasattr(bpy.types, panel.__name__):
            bpy.utils.unregister_class(panel)
    for name, panel in found.items():
        if name in names:
            panel.bl_options = set(getattr(panel, "bl_options", ())) - {"DEFAULT_CLOSED"}
            bpy.utils.register_class(panel)
    mode = getattr(found[names[0]], "tab_mode", "")
    if mode:
        bpy.context.window_manager.verbs_adverbs_tab.mode = mode


def _top(gui: Hand) -> float:
    """Pixels from the top of the sidebar's content to what is shown at its top; negative."""
    region = gui.region("UI")
    return region.view2d.region_to_view(0, region.height)[1]


def _to_page(gui: Hand, page: int) -> Steps:
    """Scroll to the top, and from there to a page."""
    for _ in range(PAGES):
        if abs(_top(gui)) < NEAR:
            break
        with gui.context(kind="UI"):
            bpy.ops.view2d.scroll_up(page=True)
        yield from gui.drawn("UI")
    for _ in range(page):
        yield from _turn(gui)


def _turn(gui: Hand) -> Steps:
    """Scroll to the next page, which begins with the end of this one; the last page ends with the content."""
    with gui.context(kind="UI"):
        for _ in range((gui.region("UI").height - OVERLAP) // NOTCH):
            bpy.ops.view2d.scroll_down()
    yield from gui.drawn("UI")


def _on_this_page(gui: Hand, wanted: str, across: float, glance: float) -> Generator[float, None, Place | None]:
    region = gui.region("UI")
    rows = range(region.y + region.height - EDGE, region.y + EDGE, -ROW)
    return (yield from _in_rows(gui, wanted, region.x + round(across * region.width), rows, glance))


def _rows_around(gui: Hand, height: int) -> list[int]:
    """Heights at which a button is looked for that was at a height before: the nearest ones first."""
    region = gui.region("UI")
    steps = sorted(range(-AROUND, AROUND + 1, ROW), key=abs)
    return [height + step for step in steps if EDGE <= height + step - region.y < region.height - EDGE]


def _in_rows(
    gui: Hand, wanted: str, x: int, heights: Iterable[int], glance: float
) -> Generator[float, None, Place | None]:
    """Look for a button at some heights, and return the middle of it, as far as it reaches to both sides."""
    for height in heights:
        if (yield from _is_at(gui, wanted, (x, height), glance)):
            reached = [height]
            for step in (FINE, -FINE):
                beyond = height + step
                while abs(beyond - height) < ROW and (yield from _is_at(gui, wanted, (x, beyond), glance)):
                    reached.append(beyond)
                    beyond += step
            return x, (min(reached) + max(reached)) // 2
    return None


def _is_at(gui: Hand, wanted: str, place: Place, glance: float) -> Generator[float, None, bool]:
    gui.move(*place)
    yield glance
    return under_mouse(gui) == wanted


def _stays(gui: Hand, wanted: str, place: Place) -> Generator[float, None, bool]:
    """Whether a button is still in its place when the mouse comes back; the sidebar may have changed its layout."""
    gui.move(place[0], place[1] + 2)
    yield from gui.drawn("UI")
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
