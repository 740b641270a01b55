"""Layers on top of what a director plays, and a director's words, whose gestures are played in one of the layers."""

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
