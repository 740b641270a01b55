"""What Blender calls when the scene changes, at undo, loading, saving, rendering; imports nothing heavy early."""

import time

import bpy
from bpy.app.handlers import persistent
from bpy.types import Depsgraph, Scene

REST = 0.25
WATCHED = ("ACTION", "OBJECT", "SCENE", "ARMATURE")

_live: list[str] | None = None
_changed_at = 0.0


def look_again() -> None:
    """Find out anew which directors are live."""
    global _live
    _live = None


def _live_names() -> list[str]:
    global _live
    if _live is None:
        _live = [one.name for one in bpy.data.objects if one.verbs_adverbs.live and one.library is None]
    return _live


@persistent
def on_change(scene: Scene, depsgraph: Depsgraph) -> None:
    """Something changed: show moved sliders at once, and write the generated actions when the hand rests."""
    if not (_live if _live is not None else _live_names()):
        return
    from . import sliders, timeline

    if timeline.is_stepping() or bpy.app.is_job_running("RENDER"):
        return
    moved = False
    for name in _live_names():
        director = bpy.data.objects.get(name)
        if director is None or not director.verbs_adverbs.live or director.verbs_adverbs.directs is None:
            look_again()
            return
        if sliders.notice(director, scene):
            moved = True
    if moved:
        _redraw()
    if moved or any(depsgraph.id_type_updated(kind) for kind in WATCHED):
        _wait_for_rest()


def _redraw() -> None:
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


def _wait_for_rest() -> None:
    global _changed_at
    _changed_at = time.monotonic()
    if not bpy.app.background and not bpy.app.timers.is_registered(_rested):
        bpy.app.timers.register(_rested, first_interval=REST)


def _rested() -> float | None:
    """Timer: write the generated actions once nothing has changed for a while."""
    left = _changed_at + REST - time.monotonic()
    if left > 0.0:
        return left
    playing = any(window.screen.is_animation_playing for window in bpy.context.window_manager.windows)
    if playing or bpy.app.is_job_running("RENDER"):
        return REST
    from . import live

    if live.flush():
        _redraw()
    return None


@persistent
def on_other_state(*_arguments: object) -> None:
    """Undo, redo or another file: what was kept may be wrong."""
    from . import live

    live.forget_sessions()
    look_again()
    if _live_names():
        live.flush()


@persistent
def before_use(*_arguments: object) -> None:
    """Before rendering or saving: nothing is used out of date."""
    if _live_names():
        from . import live

        live.flush(thorough=True)


@persistent
def on_stop(*_arguments: object) -> None:
    """The timeline stopped: sliders that were moved while it played may not have been told of as changes."""
    if _live_names():
        _wait_for_rest()


def _handlers() -> tuple[tuple[list, object], ...]:
    lists = bpy.app.handlers
    return (
        (lists.depsgraph_update_post, on_change),
        (lists.animation_playback_post, on_stop),
        (lists.undo_post, on_other_state),
        (lists.redo_post, on_other_state),
        (lists.load_post, on_other_state),
        (lists.render_init, before_use),
        (lists.save_pre, before_use),
    )


def register() -> None:
    """Begin to listen."""
    look_again()
    for functions, handler in _handlers():
        functions.append(handler)


def unregister() -> None:
    """Stop listening, and give live armatures back."""
    for functions, handler in _handlers():
        if handler in functions:
            functions.remove(handler)
    if bpy.app.timers.is_registered(_rested):
        bpy.app.timers.unregister(_rested)
    look_again()
    if hasattr(bpy.data, "objects") and _live_names():
        from . import live

        live.switch_all_off()
