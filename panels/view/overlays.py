"""Registers what is drawn over 3D views; the modules that draw are imported when a view is first drawn."""

from typing import TYPE_CHECKING, Any

import bpy

if TYPE_CHECKING:
    from .heat_map import Drawn

CLASSES = ()
_drawn: "dict[str, Drawn]" = {}
"""Batches of the heat maps that were drawn, freed when the extension is switched off."""
_ghosts: dict[str, Any] = {}
"""The same of ghosts, and what is to be written over them."""
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


def _draw_way() -> None:
    if bpy.context.window_manager.verbs_adverbs_way.shown:
        from .way import draw_way

        draw_way()


def _draw_distances() -> None:
    if bpy.context.window_manager.verbs_adverbs_way.shown:
        from .way import draw_distances

        draw_distances()


def _draw_ghosts() -> None:
    from .ghosts import draw_neighbours, draw_sheet

    draw_neighbours(_ghosts)
    draw_sheet(_ghosts)


def _write_ghosts() -> None:
    from .ghosts import write_names

    write_names(_ghosts)


def register() -> None:
    """Start drawing overlays in 3D views: performances, ways ahead, heat maps and targets."""
    if not bpy.app.background:
        words = _draw_hud, _draw_words, _draw_distances, _write_ghosts
        shown = (
            *((one, "POST_VIEW") for one in (_draw_way, _draw_map, _draw_ghosts)),
            *((one, "POST_PIXEL") for one in words),
        )
        for draw, when in shown:
            _handlers.append(bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", when))


def unregister() -> None:
    """Stop drawing overlays."""
    while _handlers:
        bpy.types.SpaceView3D.draw_handler_remove(_handlers.pop(), "WINDOW")
    _drawn.clear()
    _ghosts.clear()
