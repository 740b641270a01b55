"""The progress of a computation that the window waits for: at the mouse cursor, or told to a function."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import bpy

AT_ONCE = 0.25
"""Seconds of a computation after which its progress is shown; one that is a job goes on in slices from then on."""

_listener: Callable[[float], None] | None = None


@contextmanager
def heard_by(listener: Callable[[float], None]) -> Iterator[None]:
    """Tell a function, in the `with` block, which fraction of a computation is done that somebody waits for.

    The fraction begins at 0 again with each computation.
    """
    global _listener
    before, _listener = _listener, listener
    try:
        yield
    finally:
        _listener = before


class Cursor:
    """Shows the progress of a long computation at the mouse cursor while the window waits for it."""

    def __enter__(self) -> Cursor:
        self._began, self._shown = time.monotonic(), False
        return self

    def tell(self, fraction: float, _text: str = "") -> None:
        """Show this fraction as done."""
        if _listener is not None:
            _listener(fraction)
        if not self._shown and time.monotonic() - self._began > AT_ONCE:
            self._shown = True
            bpy.context.window_manager.progress_begin(0.0, 1.0)
        if self._shown:
            bpy.context.window_manager.progress_update(fraction)

    def __exit__(self, *_error: object) -> None:
        if self._shown:
            bpy.context.window_manager.progress_end()
