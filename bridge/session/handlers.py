"""Handlers and timers that Blender calls: on changes, undo, loading, saving and rendering.

They are registered with the extension, so code that needs NumPy is imported only when there is something to do.
"""

import time
from contextlib import suppress
from typing import Any

import bpy
from bpy.app.handlers import persistent
from bpy.types import Depsgraph, Object, PropertyGroup, Scene

from ...core.errors import VerbsError
from ..blender import jobs, undo
from ..blender.events import Heard, in_main_thread, is_transforming, listen, redraw_areas, stop_listening
from ..data.content import forget_actions, read_anew
from ..data.current import is_newer, ours
from ..data.frames.counting import note_rates
from ..data.library_director import claim_directors
from . import live_characters
from .live_characters import SLIDERS, TIMELINE, directors, holders, look_again, may_be_live

REST = 0.25
"""Seconds without a change after which the generated actions are written."""
PAUSE = 0.7
"""Seconds between two checks for verbs to build."""
SOON = 0.01
BUILD = "build"
"""Kind of the jobs that build verbs when idle."""
WATCHED = ("ACTION", "OBJECT", "SCENE", "ARMATURE", "NODETREE")
"""Kinds of data whose changes may put a generated action out of date."""

_changed_at = 0.0
_keys_changed = False
_undoing = False
"""Whether the changes that Blender reports now come from an undo or redo alone."""
_to_build: dict[tuple[str, str], str] = {}
"""Last known signatures of the verbs to build, by the armature's name and their identifier."""
_given_up: dict[tuple[str, str], str] = {}
"""The same for verbs whose building the user stopped: it is not restarted before they change."""


@persistent
def on_change(scene: Scene, depsgraph: Depsgraph) -> None:
    """Handle a change: show moved sliders at once, and write the generated actions after a pause."""
    if not directors() or bpy.app.is_job_running("RENDER"):
        return
    moved = _show_moved(scene)
    changed = {kind for kind in WATCHED if depsgraph.id_type_updated(kind)} if not _undoing else set()
    if moved or changed:
        _wait_for_rest("ACTION" in changed)


def note_edit() -> None:
    """Update what plays after a pause, since one of our operators has ended.

    Blender reports no change to what such an operator stores on actions that nothing plays.
    """
    if directors():
        _wait_for_rest()


@persistent
def on_frame(scene: Scene, depsgraph: Depsgraph) -> None:
    """Handle a frame change: while the timeline plays, some Blender versions report a moved slider in no other way."""
    if not directors() or not _is_playing() or bpy.app.is_job_running("RENDER"):
        return
    if depsgraph.mode == "VIEWPORT" and _show_moved(scene):
        _wait_for_rest()


def _show_moved(scene: Scene) -> bool:
    """Show the poses of a scene's directors whose sliders were moved; return whether any were, or may have been.

    Ongoing computations continue, and stopped ones stay stopped, where no slider is known to have moved.
    """
    from . import sliders

    here = [one for one in directors() if scene.objects.get(one.name) == one and one.verbs_adverbs.directs is not None]
    moved = [sliders.notice_moved(director, scene) for director in here]
    if any(moved):
        from . import live

        jobs.drop(TIMELINE)
        live.forget_stopped()
        redraw_areas()
    return not all(one is False for one in moved)


def _wait_for_rest(keys_changed: bool = False) -> None:
    """Schedule writing generated actions after a pause; `keys_changed` is whether keys or drivers may have changed."""
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
    """Write the generated actions once nothing has changed for a while, as a timer."""
    global _keys_changed
    left = _changed_at + REST - time.monotonic()
    if left > 0.0:
        return left
    if _is_playing() or bpy.app.is_job_running("RENDER"):
        return REST
    jobs.drop(SLIDERS)
    if jobs.going() is not None:
        jobs.look_again(TIMELINE)
        return REST
    changed, _keys_changed = _keys_changed, False
    _write(changed)
    return REST if is_transforming() else None


def _write(listen: bool = False, undone: bool = False) -> None:
    """Write the generated actions that are out of date, in slices if that takes long; see `live.flush`."""
    from . import live

    def again() -> None:
        if live.flush(listen=listen, undone=undone):
            redraw_areas()
        _lay_plans()

    jobs.do(TIMELINE, "Computing the motion", again, live.note_stopped)


def _lay_plans() -> None:
    """Update the strips of plans, unless strips are being dragged."""
    from ..layers.plan_strips import lay_again

    if is_transforming():
        return
    for director in directors():
        with suppress(VerbsError):
            lay_again(director)


@persistent
def before_undo(*_arguments: object) -> None:
    """Clear pointers that an undo or redo would leave dangling, before it happens."""
    undo.before_undo()


@persistent
def on_undo(*_arguments: object) -> None:
    """Check only what an undo or redo has reloaded, though Blender reports everything as changed."""
    global _undoing
    undo.after_undo()
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

    if not live.all_up_to_date(directors()):
        _wait_for_rest(True)


@persistent
def on_other_file(*_arguments: object) -> None:
    """Clear the characters of the previous file after another one was loaded."""
    from . import live

    jobs.drop()
    undo.forget()
    live.forget_characters()
    look_again()
    claim_directors()
    note_rates(ours(), bpy.context.scene)
    if bpy.app.background and may_be_live():
        _write()
    elif may_be_live():  # show the file first; little can have changed since it was saved, such as a library
        bpy.app.timers.register(_write, first_interval=SOON)


@persistent
def before_load(*_arguments: object) -> None:
    """Stop computing for this file before another one is loaded."""
    jobs.drop()


@persistent
def before_render(scene: Scene, *_arguments: object) -> None:
    """Update the generated actions before a render, after Blender has evaluated the latest changes."""

    def bring_up_to_date() -> None:
        from . import live

        bpy.context.view_layer.update()
        forget_actions()
        live.flush(listen=True, scene=scene)

    if directors():
        in_main_thread(bring_up_to_date)


@persistent
def before_save(*_arguments: object) -> None:
    """Update the generated actions and plans before saving, so that none is stored out of date."""
    if directors():
        from . import live

        forget_actions()
        live.flush(listen=True)
        _lay_plans()


@persistent
def on_stop(*_arguments: object) -> None:
    """Check sliders when playback has stopped: moves during playback may not have been reported as changes."""
    if directors():
        _wait_for_rest()


@persistent
def performance_undone(*_arguments: object) -> None:
    """Undo further, to the beginning of a performance, after an undo into its middle, where a slider was dragged."""
    if live_characters.performance is not None:
        live_characters.performance.undone = True
    elif live_characters.left_half_done() and not bpy.app.background:
        bpy.app.timers.register(_undo_further, first_interval=SOON)


@persistent
def performance_redone(*_arguments: object) -> None:
    """Redo further, to the end of a performance, after a redo into its middle."""
    if live_characters.left_half_done() and not bpy.app.background:
        bpy.app.timers.register(_redo_further, first_interval=SOON)


def _undo_further() -> None:
    _step(bpy.ops.ed.undo)


def _redo_further() -> None:
    _step(bpy.ops.ed.redo)


def _step(operator: Any) -> None:
    """Undo or redo once more if the file is marked as being in a performance."""
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        if live_characters.left_half_done() and operator.poll():
            operator()


@persistent
def performance_loaded(*_arguments: object) -> None:
    """Restore what a loaded file played before a performance, if it was saved in the middle of one."""
    live_characters.forget_performance()
    for director in live_characters.left_half_done():
        if not is_newer(director.verbs_adverbs):
            director.verbs_adverbs.performance.in_hand = False


@persistent
def performance_rendered(*_arguments: object) -> None:
    """End the performance before a render, so that the take is rendered."""

    def keep() -> None:
        if live_characters.performance is not None:
            from .performing import end

            end()

    if live_characters.performance is not None:
        in_main_thread(keep)


def build_soon(armature: Object, item: PropertyGroup) -> None:
    """Schedule building a verb once its definition is unchanged for a moment; fast, as panels call it when drawing."""
    _to_build.setdefault((armature.name, item.uid), "")
    if not bpy.app.background and not bpy.app.timers.is_registered(build_when_idle):
        bpy.app.timers.register(build_when_idle, first_interval=PAUSE)


def build_when_idle() -> float | None:
    """Build one verb unchanged since the last check, as a timer; return seconds to the next call, None to stop."""
    from ..authoring.verbs import verb_signature

    if _is_busy():
        return PAUSE
    for key, seen in list(_to_build.items()):
        found = _verb_of(*key)
        if found is None:
            del _to_build[key]
            continue
        try:
            current = verb_signature(*found)
        except VerbsError:  # bones are being edited
            continue
        if current != seen:
            _to_build[key] = current
            continue
        del _to_build[key]
        if current != _given_up.get(key):
            _build(*found, current)
            return PAUSE
    return PAUSE if _to_build else None


def forget_builds() -> None:
    """Clear the verbs scheduled for building."""
    _to_build.clear()
    _given_up.clear()
    if bpy.app.timers.is_registered(build_when_idle):
        bpy.app.timers.unregister(build_when_idle)


def _build(armature: Object, item: PropertyGroup, current: str) -> None:
    """Build a verb, in slices if that takes long, and redraw the panels, which show its problems."""
    from ..authoring.verbs import built_for

    name, uid = armature.name, item.uid

    def again() -> None:
        found = _verb_of(name, uid)
        if found is not None:
            with suppress(VerbsError):
                read_anew(found[0])
                built_for(*found)
        redraw_areas()

    def give_up() -> None:
        _given_up[name, uid] = current

    jobs.do(BUILD, f"Building '{item.name}'", again, give_up)


def _verb_of(name: str, uid: str) -> tuple[Object, PropertyGroup] | None:
    """Return the armature with a name and its verb with an identifier, None if either is gone."""
    armature = bpy.data.objects.get((name, None))
    verbs = armature.verbs_adverbs.verbs if armature is not None and armature.type == "ARMATURE" else ()
    verb = next((verb for verb in verbs if verb.uid == uid), None)
    return (armature, verb) if armature is not None and verb is not None else None


def _is_busy() -> bool:
    playing = any(window.screen.is_animation_playing for window in bpy.context.window_manager.windows)
    return playing or bpy.app.is_job_running("RENDER") or jobs.going() is not None


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
        (lists.undo_post, performance_undone),
        (lists.redo_post, performance_redone),
        (lists.load_pre, before_load),
        (lists.load_post, on_other_file),
        (lists.load_post, performance_loaded),
        (lists.render_init, before_render),
        (lists.render_init, performance_rendered),
        (lists.save_pre, before_save),
    )


def register() -> None:
    """Start reacting to Blender's events."""
    look_again()
    listen(_handlers())


def unregister() -> None:
    """Stop reacting to Blender's events, and restore live armatures."""
    stop_listening(_handlers())
    for timer in (_rested, _write, _undo_further, _redo_further):
        if bpy.app.timers.is_registered(timer):
            bpy.app.timers.unregister(timer)
    forget_builds()
    look_again()
    if hasattr(bpy.data, "objects") and holders():
        from .switching import switch_all_off

        switch_all_off()
