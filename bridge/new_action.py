"""Actions that are made whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
from bpy.types import Action


@contextmanager
def new_action(name: str) -> Iterator[Action]:
    """A new action to fill; it is removed again when filling it fails."""
    action = bpy.data.actions.new(name)
    try:
        yield action
    except Exception:
        bpy.data.actions.remove(action)
        raise
