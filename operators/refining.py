"""Refine: pseudo-examples are put into a verb until it does what its measured adverbs ask; Esc gives it up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.types import Context, Event, Operator, Timer, Window

from .. import bridge
from ..bridge.blender.redraw import redraw_areas
from ..bridge.data.current import current_armature, current_verb
from ..core.errors import VerbsError
from . import reasons
from .intent import Intent
from .working import Sliced

if TYPE_CHECKING:
    from ..bridge.build.refinement import Refining

TICK = 0.02
GIVE_UP, ENOUGH = ("ESC", "RIGHTMOUSE"), ("RET", "NUMPAD_ENTER")

_timer: tuple[Window, Timer] | None = None


class VERBS_ADVERBS_OT_refine(Sliced, Intent, Operator):
    """Put pseudo-examples where the verb misses what its measured adverbs ask; Enter ends it sooner, Esc gives it up"""

    bl_idname = "verbs_adverbs.refine"
    bl_label = "Refine"

    mode = "INVOKE_DEFAULT"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.measured(context) or reasons.verb_example(context)

    def do(self, context: Context) -> str:
        armature, verb = current_armature(context), current_verb(context)
        going = _begin(context)
        while going.step():
            pass
        return _keep(going, armature, verb)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        return self.in_slices(context, self._start)

    def _start(self, context: Context) -> set[str]:
        try:
            self._going = _begin(context)
        except VerbsError as error:
            self.tell("ERROR", str(error))
            return {"CANCELLED"}
        self._armature, self._verb = (
            bridge.session.character.FoundAgain(current_armature(context)),
            current_verb(context).uid,
        )
        context.window_manager.progress_begin(0.0, 1.0)
        _start_timer(context)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        if event.type == "TIMER":
            if self._going.step():
                context.window_manager.progress_update(self._going.share)
                context.workspace.status_text_set(f"Refining: {self._going.told}   Enter: enough   Esc: give up")
                return {"RUNNING_MODAL"}
            return self._finish(context)
        if event.value == "PRESS" and event.type in ENOUGH:
            return self._finish(context)
        if event.value == "PRESS" and event.type in GIVE_UP:
            self._end(context)
            self.report({"INFO"}, "The refinement was given up; nothing has changed")
            return {"CANCELLED"}
        return {"PASS_THROUGH"} if event.type in {"MOUSEMOVE", "INBETWEEN_MOUSEMOVE"} else {"RUNNING_MODAL"}

    def cancel(self, context: Context) -> None:
        """Another file is loaded."""
        self._end(context)

    def _end(self, context: Context) -> None:
        _stop_timer()
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)

    def _finish(self, context: Context) -> set[str]:
        self._end(context)
        armature = self._armature.find()
        verbs = armature.verbs_adverbs.verbs if armature is not None else ()
        verb = next((verb for verb in verbs if verb.uid == self._verb), None)
        if verb is None:
            self.report({"ERROR"}, "The verb that was being refined is gone.")
            return {"CANCELLED"}
        try:
            said = _keep(self._going, armature, verb)
        except VerbsError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, said)
        return {"FINISHED"}


class VERBS_ADVERBS_OT_refinement_remove(Intent, Operator):
    """Take the pseudo-examples out again: the verb is what its examples alone make of it"""

    bl_idname = "verbs_adverbs.refinement_remove"
    bl_label = "Remove Refinement"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb(context)
        if reason:
            return reason
        own = current_verb(context).refinement
        return "" if own.text or own.exactly else "The verb is not refined"

    def do(self, context: Context) -> str:
        bridge.build.refinement.remove_refinement(current_verb(context))
        _play_again()
        return "The verb is what its examples alone make of it"


def _begin(context: Context) -> Refining:
    return bridge.build.refinement.Refining(current_armature(context), current_verb(context))


def _keep(going: Refining, armature: bpy.types.Object, verb: bpy.types.PropertyGroup) -> str:
    going.keep(armature, verb)
    bridge.build.verbs.note_built(armature, verb, bridge.build.verbs.built_for(armature, verb))
    _play_again()
    redraw_areas()
    own, count = verb.refinement, len(going.best.pseudo.places)
    return (
        f"{count} pseudo-examples: {own.average_before:.2g} % off on average and {own.maximum_before:.2g} % at most"
        f" became {own.average_after:.2g} % and {own.maximum_after:.2g} %"
    )


def _play_again() -> None:
    """Let live verbs be as they are now."""
    bridge.session.live.flush()


def _start_timer(context: Context) -> None:
    global _timer
    _timer = context.window, context.window_manager.event_timer_add(TICK, window=context.window)


def _stop_timer() -> None:
    global _timer
    timer, _timer = _timer, None
    if timer is not None:
        bpy.context.window_manager.event_timer_remove(timer[1])


CLASSES = (VERBS_ADVERBS_OT_refine, VERBS_ADVERBS_OT_refinement_remove)


def unregister() -> None:
    """End what is under way; nothing has changed."""
    _stop_timer()
