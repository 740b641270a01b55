"""A simulated user of a Blender window, with mouse, keys and pictures. Coordinates count from the bottom left."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import bpy

Steps = Iterator[float]
BLINK = 0.15
STEP, LONGEST_DRAWING = 0.05, 1.5
"""Seconds between two places of a drag, and between two looks whether a region is drawn; and the longest such wait."""


class Hand:
    """Moves the mouse and presses keys in Blender's first window, and takes pictures of the screen.

    Methods that return `Steps` are called with ``yield from``; between a press and its release they wait for a moment.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.at = (0, 0)

    @property
    def window(self) -> bpy.types.Window:
        """Blender's first window, looked up at each call, since loading a file makes another one."""
        return bpy.context.window_manager.windows[0]

    def area(self, kind: str = "VIEW_3D") -> bpy.types.Area:
        """The largest area of a kind."""
        found = [area for area in self.window.screen.areas if area.type == kind]
        assert found, f"no area {kind} on the screen"
        return max(found, key=lambda area: area.width * area.height)

    def region(self, kind: str = "WINDOW", area: str = "VIEW_3D") -> bpy.types.Region:
        """A region of the largest area of a kind."""
        return next(region for region in self.area(area).regions if region.type == kind)

    def context(self, area: str = "VIEW_3D", kind: str = "WINDOW") -> object:
        """Context override for operators that want an area: ``with hand.context(): bpy.ops...``."""
        return bpy.context.temp_override(window=self.window, area=self.area(area), region=self.region(kind, area))

    def move(self, x: float, y: float) -> None:
        """Move the mouse."""
        self.at = (round(x), round(y))
        self._event("MOUSEMOVE", "NOTHING")

    def press(self, button: str = "LEFTMOUSE", **modifiers: bool) -> None:
        """Press a button or key and keep it down."""
        self._event(button, "PRESS", **modifiers)

    def release(self, button: str = "LEFTMOUSE", **modifiers: bool) -> None:
        """Let a button or key go."""
        self._event(button, "RELEASE", **modifiers)

    def click(self, x: float, y: float, button: str = "LEFTMOUSE") -> Steps:
        """Move the mouse to a place and click."""
        self.move(x, y)
        yield BLINK
        self.press(button)
        yield BLINK
        self.release(button)
        yield BLINK

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 8) -> Steps:
        """Press the left button at the start, move the mouse to the end in steps, and release the button."""
        self.move(*start)
        yield BLINK
        self.press()
        yield BLINK
        for step in range(1, steps + 1):
            share = step / steps
            self.move(start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
            yield STEP
        yield BLINK - STEP
        self.release()
        yield BLINK

    def key(self, name: str, **modifiers: bool) -> Steps:
        """Press and release a key where the mouse is; modifiers are ctrl, shift, alt, oskey."""
        self._event("MOUSEMOVE", "NOTHING")
        yield BLINK
        self.press(name, **modifiers)
        yield BLINK
        self.release(name, **modifiers)
        yield BLINK

    def sidebar(self, category: str, area: str = "VIEW_3D") -> Steps:
        """Open the sidebar of an area at a tab, and wait until it is drawn."""
        self.area(area).spaces.active.show_region_ui = True
        yield from self.drawn("UI", area)
        if self.region("UI", area).active_panel_category == category:
            return
        try:
            self.region("UI", area).active_panel_category = category
        except AttributeError:
            self.area(area).tag_redraw()
            yield from self.drawn("UI", area)
            self.region("UI", area).active_panel_category = category
        yield from self.drawn("UI", area)

    def drawn(self, kind: str = "WINDOW", area: str = "VIEW_3D") -> Steps:
        """Have a region of the largest area of a kind laid out and drawn anew, and wait until it is.

        One that is hidden is not drawn: the wait ends without it.
        """
        wanted, seen = self.region(kind, area).as_pointer(), []
        space = type(self.area(area).spaces.active)

        def note() -> None:
            if bpy.context.region is not None and bpy.context.region.as_pointer() == wanted:
                seen.append(wanted)

        handler = space.draw_handler_add(note, (), kind, "POST_PIXEL")
        self.region(kind, area).tag_redraw()
        for _ in range(round(LONGEST_DRAWING / STEP)):
            yield STEP
            if seen:
                break
        space.draw_handler_remove(handler, kind)

    def picture(self, name: str) -> Path:
        """Take a picture of the screen: FOLDER/<name>.png."""
        target = self.folder / f"{name}.png"
        subprocess.run(["import", "-silent", "-window", "root", str(target)], check=True, timeout=60)
        return target

    def _event(self, kind: str, value: str, **modifiers: bool) -> None:
        self.window.event_simulate(type=kind, value=value, x=self.at[0], y=self.at[1], **modifiers)
