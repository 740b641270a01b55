"""Functions hung on Blender's lists of handlers, and taken off again."""

from collections.abc import Iterable

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
