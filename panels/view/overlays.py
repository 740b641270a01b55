"""Registers what is drawn over 3D views; the modules that draw are imported when a view is first drawn."""

from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from .heat_map import Drawn

CLASSES = ()
_drawn: "dict[str, Drawn]" = {}
"""Batches of the heat maps that were drawn, freed when the extension is switched off."""
_handlers: list[object] = []


def _draw_hud() -> None:
    from .hud import draw

    draw()


def _draw_map() -> None:
    from .heat_map import draw_map

    draw_map(_drawn)


def _draw_words() -> None:
    from .heat_map import draw_words

    draw_words()


def register() -> None:
    """Let the performance, heat maps and sentences on targets be drawn over 3D views from now on."""
    if not bpy.app.background:
        for draw, when in ((_draw_hud, "POST_PIXEL"), (_draw_map, "POST_VIEW"), (_draw_words, "POST_PIXEL")):
            _handlers.append(bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", when))


def unregister() -> None:
    """Stop drawing over 3D views."""
    while _handlers:
        bpy.types.SpaceView3D.draw_handler_remove(_handlers.pop(), "WINDOW")
    _drawn.clear()
