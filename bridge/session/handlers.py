"""What Blender calls when the scene changes, at undo, loading, saving, rendering; imports nothing heavy early."""

import time

import bpy
from bpy.app.handlers import persistent
from bpy.types import Depsgraph, Scene

from ..blender import jobs
from ..blender.listening import Heard, in_main_thread, listen, stop_listening
from ..blender.redraw import redraw_areas
from ..data import between_steps
from .live_directors import directors, holders, look_again, may_be_live

REST = 0.25
TIMELINE = "timeline"
WATCHED = ("ACTION", "OBJECT", "SCENE", "ARMATURE")

_changed_at = 0.0
_keys_changed = False
_undoing = False
"""Whether what Blender tells of at the moment was changed by an undo or redo alone."""


@persistent
def on_change(scene: Scene, depsgraph: Depsgraph) -> None:
    """Something changed: show moved sliders at once, and write the generated actions when the hand rests."""
    if not directors() or bpy.app.is_job_running("RENDER"):
        return
    moved = _show_moved(scene)
    changed = {kind for kind in WATCHED if depsgraph.id_type_updated(kind)} if not _undoing else set()
    if moved or changed:
        _wait_for_rest("ACTION" in changed)


@persistent
def on_frame(scene: Scene, depsgraph: Depsgraph) -> None:
    """The timeline plays on: some Blenders tell of a slider that is moved meanwhile in no other way."""
    if not directors() or not _is_playing() or bpy.app.is_job_running("RENDER"):
        return
    if depsgraph.mode == "VIEWPORT" and _show_moved(scene):
        _wait_for_rest()


def _show_moved(scene: Scene) -> bool:
    """Show the pose of sliders that were moved of directors in a scene; returns whether there are any."""
    from . import sliders

    here = [one for one in directors() if scene.objects.get(one.name) == one and one.verbs_adverbs.directs is not None]
    moved = any([sliders.notice(director, scene) for director in here])
    if moved:
        from . import live

        jobs.drop(TIMELINE)
        live.forget_stopped()
        redraw_areas()
    return moved


def _wait_for_rest(keys_changed: bool = False) -> None:
    global _changed_at, _keys_changed
    from . import live

    live.note_change()
    _changed_at = time.monotonic()
    _keys_changed |= keys_changed
    if not bpy.app.background and not bpy.app.timers.is_registered(_rested):
        bpy.app.timers.register(_rested, first_interval=REST)


def _is_playing() -> bool:
    return any(window.screen.is_animation_playing for window in bpy.context.window_manager.windows)


def _rested() -> float | None:
    """Timer: write the generated actions once nothing has changed for a while."""
    global _keys_changed
    left = _changed_at + REST - time.monotonic()
    if left > 0.0:
        return left
    if _is_playing() or bpy.app.is_job_running("RENDER"):
        return REST
    if jobs.going() is not None:
        jobs.look_again(TIMELINE)
        return REST
    changed, _keys_changed = _keys_changed, False
    _write(changed)
    return None


def _write(listen: bool = False, undone: bool = False) -> None:
    """Write the generated actions, in slices if that lasts."""
    from . import live

    def again() -> None:
        if live.flush(listen=listen, undone=undone):
            redraw_areas()

    jobs.do(TIMELINE, "Computing the motion", again, live.note_stopped)


@persistent
def before_undo(*_arguments: object) -> None:
    """Undo or redo is about to happen."""
    between_steps.before_undo()


@persistent
def on_undo(*_arguments: object) -> None:
    """Undo or redo: what it has read anew may be different; Blender will call everything changed."""
    global _undoing
    between_steps.after_undo()
    jobs.drop()
    look_again()
    if not may_be_live():
        return
    _write(undone=True)
    _undoing = True
    try:
        bpy.context.view_layer.update()
    finally:
        _undoing = False
    from . import live

    if not live.all_are_told(directors()):
        _wait_for_rest(True)


@persistent
def on_other_file(*_arguments: object) -> None:
    """Another file: what was kept is of no use."""
    from . import live

    jobs.drop()
    between_steps.forget()
    live.forget_sessions()
    look_again()
    if may_be_live():
        _write()


@persistent
def before_load(*_arguments: object) -> None:
    """Another file is coming: what was computed for this one is not wanted any more."""
    jobs.drop()


@persistent
def before_render(scene: Scene, *_arguments: object) -> None:
    """Before rendering a scene: nothing is used out of date, nor what has not been evaluated yet."""

    def bring_up_to_date() -> None:
        from . import live

        bpy.context.view_layer.update()
        live.flush(thorough=True, listen=True, scene=scene)

    if directors():
        in_main_thread(bring_up_to_date)


@persistent
def before_save(*_arguments: object) -> None:
    """Before saving: nothing is stored out of date."""
    if directors():
        from . import live

        live.flush(thorough=True, listen=True)


@persistent
def on_stop(*_arguments: object) -> None:
    """The timeline stopped: sliders that were moved while it played may not have been told of as changes."""
    if directors():
        _wait_for_rest()


def _handlers() -> tuple[Heard, ...]:
    lists = bpy.app.handlers
    return (
        (lists.depsgraph_update_post, on_change),
        (lists.frame_change_post, on_frame),
        (lists.animation_playback_post, on_stop),
        (lists.undo_pre, before_undo),
        (lists.redo_pre, before_undo),
        (lists.undo_post, on_undo),
        (lists.redo_post, on_undo),
        (lists.load_pre, before_load),
        (lists.load_post, on_other_file),
        (lists.render_init, before_render),
        (lists.save_pre, before_save),
    )


def register() -> None:
    """Begin to listen."""
    look_again()
    listen(_handlers())


def unregister() -> None:
    """Stop listening, and give live armatures back."""
    stop_listening(_handlers())
    if bpy.app.timers.is_registered(_rested):
        bpy.app.timers.unregister(_rested)
    look_again()
    if hasattr(bpy.data, "objects") and holders():
        from . import live

        live.switch_all_off()
