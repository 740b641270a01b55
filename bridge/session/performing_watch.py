"""What happens to a performance, or to what one has left half done, at undo, at loading and before rendering."""

import bpy
from bpy.app.handlers import persistent

from ..blender.listening import Heard, in_main_thread, listen, stop_listening
from ..data.current import is_newer
from . import in_hand

SOON = 0.01


@persistent
def after_undo(*_arguments: object) -> None:
    """A slider that was dragged in the middle of a performance is no step of its own: go on to its beginning."""
    if in_hand.session is not None:
        in_hand.session.undone = True
    elif in_hand.half_done() and not bpy.app.background:
        bpy.app.timers.register(_undo_further, first_interval=SOON)


@persistent
def after_redo(*_arguments: object) -> None:
    """Likewise to its end."""
    if in_hand.half_done() and not bpy.app.background:
        bpy.app.timers.register(_redo_further, first_interval=SOON)


def _undo_further() -> None:
    _step(bpy.ops.ed.undo)


def _redo_further() -> None:
    _step(bpy.ops.ed.redo)


def _step(operator: object) -> None:
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        if in_hand.half_done() and operator.poll():
            operator()


@persistent
def after_load(*_arguments: object) -> None:
    """A file that was saved in the middle of a performance plays what it played before."""
    from .journal import forget

    in_hand.forget()
    forget()
    for director in in_hand.half_done():
        if not is_newer(director.verbs_adverbs):
            director.verbs_adverbs.performance.in_hand = False


@persistent
def before_render(*_arguments: object) -> None:
    """What has been performed is kept, and rendered."""

    def keep() -> None:
        if in_hand.session is not None:
            from .performing import end

            end()

    if in_hand.session is not None:
        in_main_thread(keep)


def _handlers() -> tuple[Heard, ...]:
    lists = bpy.app.handlers
    return (
        (lists.undo_post, after_undo),
        (lists.redo_post, after_redo),
        (lists.load_post, after_load),
        (lists.render_init, before_render),
    )


def register() -> None:
    """Begin to listen."""
    listen(_handlers())


def unregister() -> None:
    """Stop listening."""
    stop_listening(_handlers())
    for timer in (_undo_further, _redo_further):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
