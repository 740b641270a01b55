"""Verbs as assets: marked for the Asset Browser with a picture, and put on characters of this or another file."""

from typing import TYPE_CHECKING

from ... import importing

if TYPE_CHECKING:
    from . import (
        marking,
        putting,
    )
else:
    __getattr__ = importing(__name__)
