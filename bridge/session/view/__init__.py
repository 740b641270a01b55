"""3D view features for a playing character: the path ahead, and views that follow it."""

from typing import TYPE_CHECKING

from ... import importing

if TYPE_CHECKING:
    from . import (
        camera,
        following,
        status,
        way_ahead,
    )
else:
    __getattr__ = importing(__name__)
