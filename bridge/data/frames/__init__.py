"""Conversion between the frames of directors, of their keys and of their scenes, and seconds."""

from typing import TYPE_CHECKING

from ... import importing

if TYPE_CHECKING:
    from . import (
        counting,
        to_scene_rate,
    )
else:
    __getattr__ = importing(__name__)
