"""Performing: characters play live and follow keys, buttons, sliders and the mouse."""

import bpy
from bpy.props import StringProperty
from bpy.types import Area, Context, Event, Object, Operator, Region, Timer, Window, WindowManager
from bpy_extras.view3d_utils import region_2d_to_origin_3d, region_2d_to_vector_3d

from .. import bridge
from ..bridge.blender.events import redraw_areas
from ..bridge.blender.undo import Reference
from ..bridge.data.current import current_armature
from ..bridge.session import live_characters
from ..core.errors import VerbsError
from . import reasons
from .jobs import Sliced, tell_later
from .operator_base import SHOWN_IN
from .view import way

TICK = 1.0 / 60.0
ENTER = ("RET", "NUMPAD_ENTER")
ENDS = ("ESC", *ENTER)
NUMBERS = {
    name: index
    for index, names in enumerate(
        (("ONE", "NUMPAD_1"), ("TWO", "NUMPAD_2"), ("THREE", "NUMPAD_3"), ("FOUR", "NUMPAD_4"), ("FIVE", "NUMPAD_5"),
         ("SIX", "NUMPAD_6"), ("SEVEN", "NUMPAD_7"), ("EIGHT", "NUMPAD_8"), ("NINE", "NUMPAD_9"))
    )
    for name in names
}  # fmt: skip
SIDES = {"LEFT_ARROW": True, "RIGHT_ARROW": False}
"""Whether an arrow turns the character to its left."""
LEVELS = {"DOWN_ARROW": -1, "UP_ARROW": 1}
"""In which direction an arrow moves the adverb after the steering one."""
BUTTON = "LEFTMOUSE"
MOVES = ("MOUSEMOVE", "INBETWEEN_MOUSEMOVE")

_timer: tuple[Window, Timer] | None = None


class Pointing:
    """Reads mouse events, and remembers whether a button that was pressed over a 3D view is still down."""

    def __init__(self) -> None:
        self.held = False

    def handle(self, context: Context, event: Event) -> bool:
        """Send the active character to where the mouse points, if the event asks for that; return whether it does."""
        if event.type == BUTTON and event.value == "RELEASE" and self.held:
            self.held = False
            return True
        begins = event.type == BUTTON and event.value == "PRESS" and event.ctrl
        if not (begins or (self.held and event.type in MOVES)) or live_characters.performance is None:
            return False
        under = region_under(context, event)
        if under is None or under[1].type != "WINDOW":
            return False
        self.held = True
        view, region = under[0].spaces.active.region_3d, under[1]
        spot = (event.mouse_x - region.x, event.mouse_y - region.y)
        origin, ray = region_2d_to_origin_3d(region, view, spot), region_2d_to_vector_3d(region, view, spot)
        live_characters.performance.take_of(current_armature(context)).point(origin, ray)
        return True


def is_ours(context: Context, event: Event) -> bool:
    """Whether a key is pressed over a 3D view, without modifiers."""
    modified = event.ctrl or event.alt or event.shift or event.oskey
    return not modified and region_under(context, event) is not None


def bakes(context: Context, event: Event) -> bool:
    """Whether Ctrl and Enter are pressed over a 3D view, which ends the performance, keeps its take and bakes it."""
    pressed = event.type in ENTER and event.value == "PRESS"
    return pressed and event.ctrl and not (event.alt or event.shift) and region_under(context, event) is not None


def region_under(context: Context, event: Event) -> tuple[Area, Region] | None:
    """The 3D view under the mouse and its region there; regions that overlap the view come first."""
    for area in context.window.screen.areas if context.window is not None else ():
        if area.type == "VIEW_3D" and _holds(area, event):
            over = [one for one in area.regions if one.type != "WINDOW" and _holds(one, event)]
            window = [one for one in area.regions if one.type == "WINDOW" and _holds(one, event)]
            return (area, (over + window)[0]) if over or window else None
    return None


def press(context: Context, event: Event) -> bool:
    """Carry out what a key asks for; return whether it asks for anything."""
    if event.value != "PRESS" or event.type not in NUMBERS | SIDES | LEVELS or live_characters.performance is None:
        return False
    take = live_characters.performance.take_of(current_armature(context))
    if event.type in SIDES:
        take.turn(SIDES[event.type])
        return True
    if event.type in LEVELS:
        take.nudge_next(LEVELS[event.type])
        return True
    verbs, index = take.verbs(), NUMBERS[event.type]
    if index < len(verbs) and not event.is_repeat:
        take.command(verbs[index][0])
    return True


def _holds(place: Area | Region, event: Event) -> bool:
    return 0 <= event.mouse_x - place.x < place.width and 0 <= event.mouse_y - place.y < place.height


class VERBS_ADVERBS_OT_perform(Sliced, Operator):
    """Play the selected characters live. 1 to 9 command verbs, arrow keys turn them, Esc ends and keeps the take"""

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

    def execute(self, _context: Context) -> set[str]:
        self.report({"ERROR"}, "Perform needs a window and keyboard input. Call it with 'INVOKE_DEFAULT'.")
        return {"CANCELLED"}

    def invoke(self, context: Context, _event: Event) -> set[str]:
        return self.in_slices(context, self._start)

    def _start(self, context: Context) -> set[str]:
        armatures = bridge.session.performing.armatures_of(context)
        self._joined = bridge.authoring.transitions.join_where_none(
            one for one in armatures if not bridge.data.director.not_edited(one)
        )
        try:
            self._performance = bridge.session.performing.begin(armatures, context.scene)
        except Exception as error:
            bridge.authoring.transitions.part_again(self._joined)
            if not isinstance(error, VerbsError):
                raise
            self.tell("ERROR", str(error))
            return {"CANCELLED"}

        redraw_areas(SHOWN_IN)
        self._pointing = Pointing()
        manager = context.window_manager
        _start_timer(manager, context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:

        if event.type == "TIMER":
            if self._goes_on():
                way.after_tick(context.window_manager.verbs_adverbs_way)
                if not live_characters.performance.waits:
                    mark_beginning()
                return {"PASS_THROUGH"}
            if self._performance.takes or not self._performance.undone:
                return self._finish(context)
            _stop_timer()
            return {"CANCELLED"}
        if (
            live_characters.performance is not None
            and live_characters.performance.waits
            and event.type == "Z"
            and event.ctrl
        ):
            return self._finish(context)
        if self._pointing.handle(context, event):
            return {"RUNNING_MODAL"}
        if bakes(context, event):
            performed = self._performance.take_of(current_armature(context)).character.armature
            ended = self._finish(context)
            if ended == {"FINISHED"}:
                _bake_next(context, performed)
            return ended
        if not is_ours(context, event):
            return {"PASS_THROUGH"}
        if event.type in ENDS and event.value == "PRESS":
            return self._finish(context)
        return {"RUNNING_MODAL"} if press(context, event) else {"PASS_THROUGH"}

    def _goes_on(self) -> bool:
        try:
            return bridge.session.performing.tick()
        except Exception:
            _stop_timer()
            raise

    def cancel(self, _context: Context) -> None:
        """Forget the performance when another file is loaded: its characters are gone, so nothing is restored."""
        _stop_timer()
        live_characters.forget_performance()

    def _finish(self, _context: Context) -> set[str]:
        try:
            bridge.session.performing.end()
            way.after_end()
        finally:
            _stop_timer()
        performance = self._performance
        for problem in performance.problems:
            self.report({"ERROR"}, problem)
        if performance.waits:
            bridge.authoring.transitions.part_again(self._joined)
            redraw_areas(SHOWN_IN)
            self.report({"INFO"}, "No command was given, so nothing has changed")
            return {"CANCELLED"}
        said = [*(joined.said for joined in self._joined), *performance.said]
        if said:
            self.report({"INFO"}, " ".join(said))
        return {"FINISHED"}


def _bake_next(context: Context, performed: Reference[Object]) -> None:
    """Make a character active and bake its take, as a separate undo step after that of performing."""
    window, area = context.window, context.area

    def bake() -> None:
        with bpy.context.temp_override(window=window, area=area):
            bpy.context.view_layer.objects.active = performed.find()
            if bpy.ops.verbs_adverbs.bake_performance.poll():
                bpy.ops.verbs_adverbs.bake_performance("INVOKE_DEFAULT", True, asks=False)
            else:
                tell_later(
                    "WARNING", "The take was kept but cannot be baked. Press Bake Performance in Score to see why"
                )

    bpy.app.timers.register(bake)


def mark_beginning() -> None:
    """Push an undo step at the first command; it undoes the whole performance."""
    performance = live_characters.performance
    if not performance.marked:
        performance.marked = True
        bpy.ops.ed.undo_push(message="Perform")


class VERBS_ADVERBS_OT_perform_command(Operator):
    """Command this verb for the character being performed"""

    bl_idname = "verbs_adverbs.perform_command"
    bl_label = "Command"
    bl_options = {"INTERNAL"}

    verb: StringProperty(name="Verb", description="Identifier of the verb to command")

    @classmethod
    def poll(cls, _context: Context) -> bool:
        going = live_characters.performance is not None
        if not going:
            cls.poll_message_set("Press Perform first")
        return going

    def execute(self, context: Context) -> set[str]:
        take = live_characters.performance.take_of(current_armature(context))
        take.command(self.verb)
        if take.character.problem:
            self.report({"WARNING"}, take.character.problem)
            return {"CANCELLED"}
        return {"FINISHED"}


def _reason(context: Context) -> str:
    reason = reasons.character(context)
    if reason:
        return reason
    if live_characters.performance is not None:
        return "A performance is already running: end it with Esc or Enter over a 3D view"
    armature = current_armature(context)
    if not armature.verbs_adverbs.verbs:
        return "Add a verb first"
    return "Keep or discard the unfinished take first" if bridge.session.crash_journal.unfinished(armature) else ""


def _start_timer(manager: WindowManager, window: Window) -> None:
    global _timer
    _timer = window, manager.event_timer_add(TICK, window=window)


def _stop_timer() -> None:
    global _timer
    timer, _timer = _timer, None
    way.rest()
    if timer is not None:
        bpy.context.window_manager.event_timer_remove(timer[1])


CLASSES = (VERBS_ADVERBS_OT_perform, VERBS_ADVERBS_OT_perform_command)


def unregister() -> None:
    """End the performance: the score is kept, and the armatures can be restored."""
    if live_characters.performance is not None:
        _stop_timer()
        bridge.session.performing.end()
