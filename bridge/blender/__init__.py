"""Blender itself: differences between its versions, names, events and long computations."""

from typing import TYPE_CHECKING

from .. import importing

if TYPE_CHECKING:
    from . import (
        animation,
        events,
        jobs,
        naming,
        store,
        undo,
        versions,
    )
else:
    __getattr__ = importing(__name__)
