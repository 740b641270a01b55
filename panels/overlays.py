"""What is drawn over 3D views; what draws it is imported when a view is first drawn."""

import bpy

CLASSES = ()
_drawn: dict[str, object] = {}
"""What heat maps have made to be drawn, let go when the extension is switched off."""
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
    """Draw over 3D views from now on; without a performance, a map or a target that is nothing."""
    if not bpy.app.background:
        for draw, when in ((_draw_hud, "POST_PIXEL"), (_draw_map, "POST_VIEW"), (_draw_words, "POST_PIXEL")):
            _handlers.append(bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", when))


def unregister() -> None:
    """Draw no more."""
    while _handlers:
        bpy.types.SpaceView3D.draw_handler_remove(_handlers.pop(), "WINDOW")
    _drawn.clear()
