"""Blender's events: functions on its lists of handlers, calls in the main thread, and redraws that Blender misses."""

from collections.abc import Callable, Collection, Iterable, Iterator
from threading import Event, Lock, current_thread, main_thread

import bpy
from bpy.types import Area

PATIENCE = 5.0
"""Seconds for which a render waits for the main thread to call the function."""

Heard = tuple[list, object]
"""A list of `bpy.app.handlers` and a function to call."""
TRANSFORMS = ("TRANSFORM_OT_", "SEQUENCER_OT_")
"""Prefixes of the names of Blender's operators that drag strips."""
VIEWS = frozenset({"VIEW_3D"})


def listen(handlers: Iterable[Heard]) -> None:
    """Append handlers to their lists."""
    for functions, handler in handlers:
        functions.append(handler)


def stop_listening(handlers: Iterable[Heard]) -> None:
    """Remove handlers from their lists, if still there: loading a file removes those that are not persistent."""
    for functions, handler in handlers:
        if handler in functions:
            functions.remove(handler)


def in_main_thread(function: Callable[[], None]) -> None:
    """Call a function in the main thread, and wait until it has returned.

    A render from the window calls handlers in a thread of its own, where no data may be written while the window
    is drawn. If the main thread does not call the function within `PATIENCE`, the window is not being drawn, and the
    function is called in this thread.
    """
    if current_thread() is main_thread():
        function()
        return
    taken, done = Lock(), Event()

    def take() -> None:
        if taken.acquire(blocking=False):
            try:
                function()
            finally:
                done.set()

    bpy.app.timers.register(take)
    if done.wait(PATIENCE) or not taken.acquire(blocking=False):
        done.wait()
    else:
        function()


def is_transforming() -> bool:
    """Return whether the user is dragging something in a window with one of Blender's own operators."""
    windows = bpy.context.window_manager.windows
    return any(one.bl_idname.startswith(TRANSFORMS) for window in windows for one in window.modal_operators)


def redraw_areas(kinds: Collection[str] = VIEWS) -> None:
    """Redraw all areas of some kinds, with their sidebars."""
    for area in areas_of(kinds):
        area.tag_redraw()


def redraw_regions(kind: str, areas: Collection[str] = VIEWS) -> None:
    """Redraw the regions of a kind in all areas of some kinds, and nothing else, since a sidebar may be in use."""
    for area in areas_of(areas):
        for region in area.regions:
            if region.type == kind:
                region.tag_redraw()


def areas_of(kinds: Collection[str] = VIEWS) -> Iterator[Area]:
    """Yield the areas of some kinds in all windows."""
    for window in bpy.context.window_manager.windows:
        yield from (area for area in window.screen.areas if area.type in kinds)
