"""Operators that may take long: they compute in short slices, so that the window stays responsive; Esc stops them."""

from collections.abc import Callable
from typing import Any

import bpy
from bpy.props import StringProperty
from bpy.types import Context, Event, KeyMap, KeyMapItem, Operator

from ..bridge.blender import jobs
from ..bridge.data.current import current_action, current_armature, face_again, facings, selected_armatures
from .operator_base import Intent, on_lines

Run = Callable[[Context], set[str]]

OPERATOR = "operator"
DIALOG, LETTERS = 420, 78
"""Width of a dialog with text, and characters per line."""
_keys: list[tuple[KeyMap, KeyMapItem]] = []


class Sliced:
    """Mixin of an operator that computes in slices while the window stays responsive."""

    mode = "EXEC_DEFAULT"
    """Calls the operator again when a long computation is done."""

    def in_slices(self, context: Context, run: Run) -> set[str]:
        """Return what `run` returns.

        If something in it takes long, return {'CANCELLED'} instead; the operator is called again once that is computed.
        """
        if jobs.attempted() is not None:
            return _unless_paused(context, run)
        call, outcome = _Call(self, context), {"CANCELLED"}

        def again() -> None:
            nonlocal outcome
            if _is_called_again():
                call.again()
            else:
                outcome = _tried(context, run)

        jobs.do(OPERATOR, self.bl_label, again)
        return outcome

    def tell(self, kind: str, text: str) -> None:
        """Report something to the user.

        Blender shows no reports of an operator that was called from Python, so those go through another operator.
        """
        if _is_called_again():
            tell_later(kind, text)
        else:
            self.report({kind}, on_lines(kind, text) if self.options.is_invoke else text)


class Lasting(Sliced, Intent):
    """Mixin of an intent that may take long: in a window it computes in slices, from a script all at once."""

    def execute(self, context: Context) -> set[str]:
        """Run `do`, in slices if the operator was called from a window."""
        if jobs.attempted() is None and (not self.options.is_invoke or self.options.is_repeat):
            return super().execute(context)
        return self.in_slices(context, super().execute)


def _unless_paused(context: Context, run: Run) -> set[str]:
    try:
        return _tried(context, run)
    except jobs.Paused:
        return {"CANCELLED"}


def _tried(context: Context, run: Run) -> set[str]:
    """Return what `run` returns; if it is paused, put back the facings of verbs that it has changed."""
    kept = facings()
    try:
        return run(context)
    except jobs.Paused:
        face_again(kept)
        raise


def _is_called_again() -> bool:
    """Whether the operator is running now because the job that it waited for is done."""
    return jobs.going() is not None and jobs.attempted() is jobs.going()


class _Call:
    """How an operator was called: its properties, context and subject, so that it can be called again."""

    def __init__(self, operator: Sliced, context: Context) -> None:
        self._name, self._label = operator.bl_idname.rpartition(".")[2].rpartition("_OT_")[2], operator.bl_label
        self._given, self._mode = _given(operator), operator.mode
        self._window, self._area = context.window.as_pointer(), context.area.as_pointer() if context.area else 0
        self._region = context.region.type if context.region else "WINDOW"
        self._every = bool(self._given.get("every"))
        self._about = _about(context, self._every)

    def again(self) -> None:
        """Call the operator again in its context; if the selection has changed, say that it was stopped."""
        with bpy.context.temp_override(**self._place()):
            operator = getattr(bpy.ops.verbs_adverbs, self._name)
            if _about(bpy.context, self._every) == self._about and operator.poll():
                operator(self._mode, True, **self._given)
            else:
                tell_later("WARNING", f"{self._label} was stopped because the selection has changed")

    def _place(self) -> dict[str, Any]:
        windows = list(bpy.context.window_manager.windows)
        window = next((one for one in windows if one.as_pointer() == self._window), windows[0])
        areas = window.screen.areas
        area = next((one for one in areas if one.as_pointer() == self._area), None)
        area = area or next((one for one in areas if one.type == "VIEW_3D"), areas[0])
        region = next((one for one in area.regions if one.type == self._region), area.regions[-1])
        return {"window": window, "area": area, "region": region}


def _about(context: Context, every: bool) -> tuple[int, ...]:
    """Identity of what an operator works on: the armature with its chosen verb, the action and the scene.

    If it works on all that are selected, these belong to it.
    """
    armature, action = current_armature(context), current_action(context)
    verb = armature.verbs_adverbs.active_verb if armature is not None else -1
    selected = selected_armatures(context) if every else []
    things = armature, action, context.scene, *selected
    return *(one.session_uid if one is not None else 0 for one in things), verb


def _given(operator: Sliced) -> dict[str, object]:
    """The properties of an operator that are set, as keyword arguments for calling it again."""
    found: dict[str, object] = {}
    for known in operator.properties.bl_rna.properties:
        if known.identifier == "rna_type" or not operator.properties.is_property_set(known.identifier):
            continue
        value = getattr(operator.properties, known.identifier)
        if known.type == "COLLECTION":
            found[known.identifier] = [
                {one.identifier: getattr(row, one.identifier) for one in row.bl_rna.properties if not one.is_readonly}
                for row in value
            ]
        else:
            found[known.identifier] = value
    return found


def tell_later(kind: str, text: str) -> None:
    """Report a text to the user through a separate operator that runs in the window."""
    window = bpy.context.window or bpy.context.window_manager.windows[0]
    with bpy.context.temp_override(window=window):
        bpy.ops.verbs_adverbs.tell("INVOKE_DEFAULT", kind=kind, text=text)


class VERBS_ADVERBS_OT_stop(Operator):
    """Stop the computation; nothing is changed"""

    bl_idname = "verbs_adverbs.stop"
    bl_label = "Stop Computing"
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, _context: Context) -> bool:
        going = jobs.going() is not None
        if not going:
            cls.poll_message_set("Nothing is being computed")
        return going

    def execute(self, _context: Context) -> set[str]:
        title = jobs.going().title
        jobs.stop()
        self.report({"INFO"}, f"{title}: stopped")
        return {"FINISHED"}


class VERBS_ADVERBS_OT_tell(Operator):
    """Show the result of a long computation in the status bar"""

    bl_idname = "verbs_adverbs.tell"
    bl_label = "Tell"
    bl_options = {"INTERNAL"}

    kind: StringProperty(name="Kind", description="Type of the report", default="INFO", options={"HIDDEN"})
    text: StringProperty(name="Text", description="Text of the report", options={"HIDDEN"})

    def invoke(self, context: Context, _event: Event) -> set[str]:
        manager = context.window_manager
        self._timer = manager.event_timer_add(0.01, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, _event: Event) -> set[str]:
        context.window_manager.event_timer_remove(self._timer)
        self.report({self.kind}, on_lines(self.kind, self.text))
        return {"FINISHED", "PASS_THROUGH"}


CLASSES = (VERBS_ADVERBS_OT_stop, VERBS_ADVERBS_OT_tell)


def register() -> None:
    """Let Esc stop the computation, unless something else uses the key."""
    configuration = bpy.context.window_manager.keyconfigs.addon
    if configuration is not None:
        keys = configuration.keymaps.new("Window", space_type="EMPTY")
        _keys.append((keys, keys.keymap_items.new(VERBS_ADVERBS_OT_stop.bl_idname, "ESC", "PRESS")))


def unregister() -> None:
    """Stop the computation, and release the Esc key."""
    jobs.drop()
    while _keys:
        keys, item = _keys.pop()
        keys.keymap_items.remove(item)
