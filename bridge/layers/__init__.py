"""Layers over what a director plays, and the words of a director whose gestures are played in one of them."""

from typing import TYPE_CHECKING

from .. import importing

if TYPE_CHECKING:
    from . import (
        gestures,
        hearing,
        layers,
        looking,
        plan_strips,
        said,
        saying,
        scores,
        talking,
    )
else:
    __getattr__ = importing(__name__)
