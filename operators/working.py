"""What goes on in slices: stopped with Esc where nothing else uses that key, and told about when it is done."""

from collections.abc import Callable

import bpy
from bpy.props import StringProperty
from bpy.types import Context, Event, KeyMap, KeyMapItem, Operator

from ..bridge.blender import jobs
from ..bridge.data.current import current_action, current_armature, face_again, facings
from .intent import Intent

Run = Callable[[Context], set[str]]

OPERATOR = "operator"

_keys: list[tuple[KeyMap, KeyMapItem]] = []


class Sliced:
    """Mixin of an operator that goes on in slices when it is begun in a window."""

    mode = "EXEC_DEFAULT"
    """How it is called again."""

    def in_slices(self, context: Context, run: Run) -> set[str]:
        """What `run` returns; if something in it lasts, the operator is cancelled and called again when it is there."""
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
        """Report something; of an operator that Python called nobody would read it, so another one tells it."""
        if _is_called_again():
            tell_later(kind, text)
        else:
            self.report({kind}, text)


class Lasting(Sliced, Intent):
    """Mixin of an intent that may last: begun in a window it goes on in slices, from a script it runs through."""

    def execute(self, context: Context) -> set[str]:
        """Run `do`."""
        if jobs.attempted() is None and (not self.options.is_invoke or self.options.is_repeat):
            return super().execute(context)
        return self.in_slices(context, super().execute)


def _unless_paused(context: Context, run: Run) -> set[str]:
    try:
        return _tried(context, run)
    except jobs.Paused:
        return {"CANCELLED"}


def _tried(context: Context, run: Run) -> set[str]:
    """What `run` returns; what is paused has not decided how verbs face."""
    kept = facings()
    try:
        return run(context)
    except jobs.Paused:
        face_again(kept)
        raise


def _is_called_again() -> bool:
    """Whether this happens in a job that was begun earlier."""
    return jobs.going() is not None and jobs.attempted() is jobs.going()


class _Call:
    """An operator as it was called, to be called again when it is gone."""

    def __init__(self, operator: Operator, context: Context) -> None:
        self._name, self._label = operator.bl_idname.rpartition(".")[2].rpartition("_OT_")[2], operator.bl_label
        self._given, self._mode = _given(operator), operator.mode
        self._window, self._area = context.window.as_pointer(), context.area.as_pointer() if context.area else 0
        self._region = context.region.type if context.region else "WINDOW"
        self._about = _about(context)

    def again(self) -> None:
        """Call it again where it was called; if that has changed, it is told that it was stopped."""
        with bpy.context.temp_override(**self._place()):
            operator = getattr(bpy.ops.verbs_adverbs, self._name)
            if _about(bpy.context) == self._about and operator.poll():
                operator(self._mode, True, **self._given)
            else:
                tell_later("WARNING", f"{self._label} was stopped, since something else is chosen now")

    def _place(self) -> dict[str, object]:
        windows = list(bpy.context.window_manager.windows)
        window = next((one for one in windows if one.as_pointer() == self._window), windows[0])
        areas = window.screen.areas
        area = next((one for one in areas if one.as_pointer() == self._area), None)
        area = area or next((one for one in areas if one.type == "VIEW_3D"), areas[0])
        region = next((one for one in area.regions if one.type == self._region), area.regions[-1])
        return {"window": window, "area": area, "region": region}


def _about(context: Context) -> tuple[int, ...]:
    """What an operator is about: the armature with its chosen verb, the action and the scene."""
    armature, action = current_armature(context), current_action(context)
    verb = armature.verbs_adverbs.active_verb if armature is not None else -1
    return tuple(one.session_uid if one is not None else 0 for one in (armature, action, context.scene)) + (verb,)


def _given(operator: Operator) -> dict[str, object]:
    """What an operator's properties say, so that another one can be called with it."""
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
    """Let a text be told in the window."""
    window = bpy.context.window or bpy.context.window_manager.windows[0]
    with bpy.context.temp_override(window=window):
        bpy.ops.verbs_adverbs.tell("INVOKE_DEFAULT", kind=kind, text=text)


class VERBS_ADVERBS_OT_stop(Operator):
    """Stop what is being computed; nothing has changed then"""

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
    """Tell in the status bar what came of something that lasted"""

    bl_idname = "verbs_adverbs.tell"
    bl_label = "Tell"
    bl_options = {"INTERNAL"}

    kind: StringProperty(name="Kind", description="How serious it is", default="INFO", options={"HIDDEN"})
    text: StringProperty(name="Text", description="The sentence that is told", options={"HIDDEN"})

    def invoke(self, context: Context, _event: Event) -> set[str]:
        manager = context.window_manager
        self._timer = manager.event_timer_add(0.01, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, _event: Event) -> set[str]:
        context.window_manager.event_timer_remove(self._timer)
        self.report({self.kind}, self.text)
        return {"FINISHED", "PASS_THROUGH"}


CLASSES = (VERBS_ADVERBS_OT_stop, VERBS_ADVERBS_OT_tell)


def register() -> None:
    """Let Esc stop it, after everything else that may want the key."""
    configuration = bpy.context.window_manager.keyconfigs.addon
    if configuration is not None:
        keys = configuration.keymaps.new("Window", space_type="EMPTY")
        _keys.append((keys, keys.keymap_items.new(VERBS_ADVERBS_OT_stop.bl_idname, "ESC", "PRESS")))


def unregister() -> None:
    """Stop it, and let the key be."""
    jobs.drop()
    while _keys:
        keys, item = _keys.pop()
        keys.keymap_items.remove(item)
