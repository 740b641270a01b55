"""Which frame of a director, of its keys and of its scene is which moment in seconds."""

from typing import TYPE_CHECKING

from ... import importing

if TYPE_CHECKING:
    from . import (
        counting,
        to_scene_rate,
    )
else:
    __getattr__ = importing(__name__)
