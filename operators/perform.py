"""Perform: the characters play live, and keys, buttons and sliders say what they do; Esc or Enter keeps the take."""

import bpy
from bpy.props import EnumProperty, StringProperty
from bpy.types import Context, Event, Operator, Timer, Window, WindowManager

from .. import bridge
from ..bridge.data.current import current_armature
from ..bridge.session import in_hand
from ..core.errors import VerbsError
from . import reasons
from .intent import Intent
from .picking import verb_choices
from .working import Sliced

TICK = 1.0 / 60.0

_timer: tuple[Window, Timer] | None = None


class VERBS_ADVERBS_OT_perform(Sliced, Operator):
    """Let the selected characters play live: 1 to 9 ask for verbs, arrows turn them, Esc ends and keeps the take"""

    bl_idname = "verbs_adverbs.perform"
    bl_label = "Perform"
    bl_options = {"UNDO"}

    mode = "INVOKE_DEFAULT"

    @classmethod
    def poll(cls, context: Context) -> bool:
        reason = _reason(context)
        if reason:
            cls.poll_message_set(reason)
        return not reason

    def invoke(self, context: Context, _event: Event) -> set[str]:
        return self.in_slices(context, self._start)

    def _start(self, context: Context) -> set[str]:
        try:
            self._session = bridge.session.performing.begin(
                bridge.session.performing.armatures_of(context), context.scene
            )
        except VerbsError as error:
            self.tell("ERROR", str(error))
            return {"CANCELLED"}
        from .perform_mouse import Pointing

        self._pointing, self._begun = Pointing(), False
        manager = context.window_manager
        _start_timer(manager, context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        from .perform_keys import ENDS, is_ours, press

        if event.type == "TIMER":
            if self._goes_on():
                self._mark_beginning()
                return {"PASS_THROUGH"}
            if self._session.characters or not self._session.undone:
                return self._finish(context)
            _stop_timer()
            return {"CANCELLED"}
        if in_hand.session is not None and in_hand.session.waits and event.type == "Z" and event.ctrl:
            return self._finish(context)
        if self._pointing.heed(context, event):
            return {"RUNNING_MODAL"}
        if not is_ours(context, event):
            return {"PASS_THROUGH"}
        if event.type in ENDS and event.value == "PRESS":
            return self._finish(context)
        return {"RUNNING_MODAL"} if press(context, event) else {"PASS_THROUGH"}

    def _mark_beginning(self) -> None:
        """Make the first command the step of undo to which the performance belongs; without one there is none."""
        if not self._begun and not in_hand.session.waits:
            self._begun = True
            bpy.ops.ed.undo_push(message="Perform")

    def _goes_on(self) -> bool:
        try:
            return bridge.session.performing.tick()
        except Exception:
            _stop_timer()
            bridge.session.performing.end()
            raise

    def cancel(self, _context: Context) -> None:
        """Another file is loaded: there is nothing to give back any more."""
        _stop_timer()
        in_hand.forget()

    def _finish(self, _context: Context) -> set[str]:
        _stop_timer()
        bridge.session.performing.end()
        session = self._session
        for problem in session.problems:
            self.report({"ERROR"}, problem)
        if session.waits:
            self.report({"INFO"}, "Nothing was asked for: all is as it was before")
            return {"CANCELLED"}
        if session.said:
            self.report({"INFO"}, " ".join(session.said))
        return {"FINISHED"}


class VERBS_ADVERBS_OT_perform_command(Operator):
    """Ask the character that is performed for this verb"""

    bl_idname = "verbs_adverbs.perform_command"
    bl_label = "Command"
    bl_options = {"INTERNAL"}

    verb: StringProperty(name="Verb", description="Identifier of the verb that is asked for")

    @classmethod
    def poll(cls, _context: Context) -> bool:
        going = in_hand.session is not None
        if not going:
            cls.poll_message_set("Press Perform first")
        return going

    def execute(self, context: Context) -> set[str]:
        session = in_hand.session
        armature = current_armature(context)
        character = session.character_of(armature) if armature is not None else session.characters[0]
        character.command(self.verb)
        if character.problem:
            self.report({"WARNING"}, character.problem)
            return {"CANCELLED"}
        return {"FINISHED"}


class VERBS_ADVERBS_OT_stop_verb(Intent, Operator):
    """Choose the verb that the character stops with where it is steered to, instead of the one that stands"""

    bl_idname = "verbs_adverbs.stop_verb"
    bl_label = "Stops With"

    verb: EnumProperty(name="Verb", description="Verb that the character stops with", items=verb_choices)

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb(context)

    def do(self, context: Context) -> str:
        bridge.data.director.ensure_director(current_armature(context)).verbs_adverbs.performance.stop_verb = self.verb
        return ""


def _reason(context: Context) -> str:
    reason = reasons.armature(context)
    if reason:
        return reason
    if in_hand.session is not None:
        return "A performance is going on: end it with Esc or Enter over a 3D view"
    armature = current_armature(context)
    if not armature.verbs_adverbs.verbs:
        return "Add a verb first"
    return "Keep or discard the take that was not finished first" if bridge.session.journal.unfinished(armature) else ""


def _start_timer(manager: WindowManager, window: Window) -> None:
    global _timer
    _timer = window, manager.event_timer_add(TICK, window=window)


def _stop_timer() -> None:
    global _timer
    timer, _timer = _timer, None
    if timer is not None:
        bpy.context.window_manager.event_timer_remove(timer[1])


CLASSES = (VERBS_ADVERBS_OT_perform, VERBS_ADVERBS_OT_perform_command, VERBS_ADVERBS_OT_stop_verb)


def register() -> None:
    """Begin to listen to undo, loading and rendering."""
    bridge.session.performing_watch.register()


def unregister() -> None:
    """End what is being performed: the score is kept, and the armatures can be given back."""
    bridge.session.performing_watch.unregister()
    if in_hand.session is not None:
        _stop_timer()
        bridge.session.performing.end()
