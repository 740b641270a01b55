"""What 3D views show of a character while it plays: where it goes, and the views that go with it."""

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
