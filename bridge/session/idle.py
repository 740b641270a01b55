"""Verbs that are out of date are built anew while nothing else happens, if somebody asked for them."""

from contextlib import suppress

import bpy
from bpy.types import Object, PropertyGroup

from ...core.errors import VerbsError
from ..blender import jobs
from ..blender.redraw import redraw_areas
from ..build.verbs import built_for, signature

PAUSE = 0.7
IDLE = "idle"

_asked: dict[tuple[str, str], str] = {}
_given_up: dict[tuple[str, str], str] = {}
"""Signatures of the verbs that somebody stopped building: they are not begun again before they change."""


def ask_for(armature: Object, item: PropertyGroup) -> None:
    """Let a verb be built once its definition has rested for a moment; cheap, and writes nothing."""
    _asked.setdefault((armature.name, item.uid), "")
    if not bpy.app.background and not bpy.app.timers.is_registered(build_when_idle):
        bpy.app.timers.register(build_when_idle, first_interval=PAUSE)


def build_when_idle() -> float | None:
    """Timer: build one verb that rested since the last look; returns when to look again, None when nothing is left."""
    if _is_busy():
        return PAUSE
    for key, seen in list(_asked.items()):
        armature = bpy.data.objects.get(key[0])
        verbs = armature.verbs_adverbs.verbs if armature is not None and armature.type == "ARMATURE" else ()
        item = next((verb for verb in verbs if verb.uid == key[1]), None)
        if item is None:
            del _asked[key]
            continue
        current = signature(armature, item)
        if current != seen:
            _asked[key] = current
            continue
        del _asked[key]
        if current != _given_up.get(key):
            _build(armature, item, current)
            return PAUSE
    return PAUSE if _asked else None


def stop() -> None:
    """Forget what was asked for."""
    _asked.clear()
    _given_up.clear()
    if bpy.app.timers.is_registered(build_when_idle):
        bpy.app.timers.unregister(build_when_idle)


def _build(armature: Object, item: PropertyGroup, current: str) -> None:
    """Build and draw; what is wrong is kept with the verb, and its panel says it."""
    name, uid = armature.name, item.uid

    def again() -> None:
        found = bpy.data.objects.get(name)
        verbs = found.verbs_adverbs.verbs if found is not None and found.type == "ARMATURE" else ()
        verb = next((verb for verb in verbs if verb.uid == uid), None)
        if verb is not None:
            with suppress(VerbsError):
                built_for(found, verb, thorough=True)
        redraw_areas()

    def give_up() -> None:
        _given_up[name, uid] = current

    jobs.do(IDLE, f"Building '{item.name}'", again, give_up)


def _is_busy() -> bool:
    playing = any(window.screen.is_animation_playing for window in bpy.context.window_manager.windows)
    return playing or bpy.app.is_job_running("RENDER") or jobs.going() is not None
