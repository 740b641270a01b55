"""Functions hung on Blender's lists of handlers and taken off again, and called in the thread that may write data."""

from collections.abc import Callable, Iterable
from threading import Event, Lock, current_thread, main_thread

import bpy

PATIENCE = 5.0
"""Seconds after which a render waits no longer for the main thread to begin."""

Heard = tuple[list, object]
"""A list of `bpy.app.handlers` and a function to call."""


def listen(handlers: Iterable[Heard]) -> None:
    """Hang functions on their lists."""
    for functions, handler in handlers:
        functions.append(handler)


def stop_listening(handlers: Iterable[Heard]) -> None:
    """Take off what still hangs there: loading a file takes off what is not persistent."""
    for functions, handler in handlers:
        if handler in functions:
            functions.remove(handler)


def in_main_thread(function: Callable[[], None]) -> None:
    """Call a function in the main thread, and return when it has.

    A render from the window calls handlers in a thread of its own, in which nothing may be written while the window
    is drawn. Where the main thread does not come to it for `PATIENCE`, nothing is drawn: the function is called here.
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
