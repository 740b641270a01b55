"""The distance map in the 3D view: whether it is shown, its position, and placing the chosen transition on it."""

from typing import NamedTuple

import bpy
from bpy.app.handlers import persistent
from bpy.props import BoolProperty, FloatVectorProperty, PointerProperty
from bpy.types import Context, Event, Operator, PropertyGroup, Region, WindowManager

from ... import bridge
from ...bridge.blender.events import Heard, listen, redraw_areas, stop_listening
from ...bridge.blender.store import forget_answers
from ...bridge.blender.undo import Reference
from ...bridge.data.current import armature_of, current_armature, current_transition
from ...core.errors import VerbsError
from .. import reasons
from ..jobs import Lasting
from ..operator_base import Intent
from .pad import ASIDE, Square, adverbs_shown, covered_by, square_in

SIDE, LEAST, NAMES, EDGE, ROW = 220.0, 48.0, 66.0, 8.0, 15.0
"""Pixels at scale 1: largest and smallest side of the square, room for keytime names, margin, and a row of text."""
MARGIN, BELOW, WORDS, WRITTEN, STATISTICS, NAVIGATION = 16.0, 62.0, 36.0, 62.0, 140.0, 96.0
"""Pixels at scale 1 that are left free: beside the tools, below for the Adjust Last Operation panel and for texts about
targets, above for viewport text and statistics, and for Blender's own buttons at the right."""
OF_NAMES, SHORT, TICKED = 0.3, 44.0, 10.0
"""Share of the room that names of keytimes take at most, along each side; and pixels at scale 1 below which there are
no names below the square, and those that its ticks take then."""
ABOVE_ROWS, BELOW_ROWS = 1.8, 4.0
"""Rows of text above and below the square and the names, with the gaps between."""
MARK = 7.0
"""Pixels at scale 1 around a suggested place within which a click snaps to it."""


class MapPlace(NamedTuple):
    """Position of the map in its region, in pixels: its square, and the room for names to its left and below it."""

    square: Square
    left: float
    below: float


def place_in(context: Context, region: Region) -> MapPlace | None:
    """Return the position of the map at the upper left of a 3D view's region; None if the view has no room for it."""
    scale, shows = context.preferences.system.ui_scale, context.space_data.overlay
    left = covered_by(context, "TOOLS") + MARGIN * scale
    right = region.width - covered_by(context, "UI") - NAVIGATION * scale
    if adverbs_shown(context) is not None:
        right = min(right, square_in(context, region).x - (ASIDE + EDGE) * scale)
    written = WRITTEN if shows.show_text else MARGIN
    top = region.height - _headers(context) - (written + (STATISTICS if shows.show_stats else 0.0)) * scale
    width, height = right - left - 2.0 * EDGE * scale, top - _bottom(context) * scale - 2.0 * EDGE * scale
    height -= (ABOVE_ROWS + BELOW_ROWS) * ROW * scale
    beside, below = (round(min(NAMES * scale, OF_NAMES * room)) for room in (width, height))
    below = below if below >= SHORT * scale else round(TICKED * scale)
    side = round(min(SIDE * scale, width - beside, height - below))
    if side < LEAST * scale:
        return None
    y = round(top - (EDGE + ABOVE_ROWS * ROW) * scale - side)
    return MapPlace(Square(round(left + EDGE * scale + beside), y, side), beside, below)


def lacks_room(context: Context) -> bool:
    """Whether the 3D view whose sidebar is being drawn is too small for the map."""
    view = next((region for region in context.area.regions if region.type == "WINDOW"), None)
    return view is not None and place_in(context, view) is None


def _bottom(context: Context) -> float:
    """Height in pixels, at scale 1, reserved at the bottom of a 3D view for texts, which appear only with targets."""
    armature = current_armature(context)
    verbs = armature.verbs_adverbs.verbs if armature is not None else ()
    return BELOW + (WORDS if any(verb.refinement.heat_map or len(verb.targets) for verb in verbs) else 0.0)


def _headers(context: Context) -> float:
    """Height in pixels of the upper part of a 3D view that its headers cover."""
    if not context.preferences.system.use_region_overlap:
        return 0.0
    kinds = {"HEADER", "TOOL_HEADER"}
    return sum(one.height for one in context.area.regions if one.type in kinds and one.alignment == "TOP")


def map_shown(context: Context) -> PropertyGroup | None:
    """Return the transition whose map is shown in a 3D view; None if there is none, or overlays are hidden."""
    shown = context.window_manager.verbs_adverbs_map.shown and context.space_data.overlay.show_overlays
    if not shown or bridge.session.live_characters.performance is not None:
        return None
    item = current_transition(context)
    verbs = bridge.data.transition_items
    known = item is not None and all(
        verbs.verb_of(armature_of(item), uid) is not None for uid in (item.source, item.target)
    )
    return item if known else None


class VERBS_ADVERBS_MapChoice(PropertyGroup):
    """Whether the distance map is shown; kept while Blender runs, but not saved"""

    shown: BoolProperty(
        name="Map", description="Show in the 3D view how far apart the poses of the transition's two verbs are"
    )


class VERBS_ADVERBS_OT_transition_map(Lasting, Operator):
    """Show in the 3D view how far apart the poses of both verbs are at all times. Click it to place the transition"""

    bl_idname = "verbs_adverbs.transition_map"
    bl_label = "Distance Map"
    bl_options = {"REGISTER"}

    shown: BoolProperty(name="Shown", description="Show the map, computing it if necessary", default=True)

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.transition(context)

    def do(self, context: Context) -> str:
        if self.shown:
            bridge.authoring.distance_map.map_for(current_armature(context), current_transition(context))
        else:
            bridge.authoring.distance_map.forget_map()
        context.window_manager.verbs_adverbs_map.shown = self.shown
        redraw_areas()
        return ""


class VERBS_ADVERBS_OT_transition_place(Intent, Operator):
    """Place the chosen transition at a point of the distance map"""

    bl_idname = "verbs_adverbs.transition_place"
    bl_label = "Place on Distance Map"

    place: FloatVectorProperty(
        name="Place",
        description="Generic times, from 0 to 1, at which the transition begins to leave the old verb and to enter the "
        "new one",
        size=2,
        default=(0.5, 0.5),
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.transition(context)

    def do(self, context: Context) -> str:
        armature, item = current_armature(context), current_transition(context)
        kept = bridge.authoring.distance_map.map_for(armature, item)
        bridge.authoring.distance_map.place_at(kept, item, tuple(self.place))
        apart, agree = bridge.authoring.distance_map.numbers_at(kept, tuple(self.place))
        label = bridge.data.transition_items.label_of(armature, item)
        return f"{label}: poses differ by {apart} on average, feet match {agree} of the time"

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Let the transition follow the mouse until the button is released."""
        forget_answers()
        in_view = context.area is not None and context.area.type == "VIEW_3D" and context.region.type == "WINDOW"
        if not in_view or map_shown(context) is None:
            self.tell("ERROR", "There is no map under the mouse. Show it with Map in Verb Graph, then click on it.")
            return {"CANCELLED"}
        self._region, item = context.region, current_transition(context)
        self._armature, self._uid = Reference(current_armature(context)), item.uid
        self._before = bridge.data.transition_items.ends_of(item)
        if bridge.authoring.distance_map.outdated(armature_of(item), item):
            self.tell("ERROR", "The verbs have changed since the map was computed. Press Update Map first.")
            return {"CANCELLED"}
        self._follow(context, event)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        """Follow the mouse; Esc and the right button restore the regions; other events pass through."""
        try:
            if event.type == "MOUSEMOVE" and self._follow(context, event):
                return {"RUNNING_MODAL"}
            lets_go = event.type == "LEFTMOUSE" and event.value == "RELEASE"
            if lets_go and self._is_chosen(context):
                return self.execute(context)
            ends = event.type == "MOUSEMOVE" or (event.type in {"ESC", "RIGHTMOUSE"} and event.value == "PRESS")
            if not (ends or lets_go):
                return {"PASS_THROUGH"}
        except (VerbsError, ReferenceError) as error:
            self.tell("ERROR", str(error))
        self._give_back()
        return {"CANCELLED"}

    def cancel(self, _context: Context) -> None:
        """Restore the regions if Blender ends the drag itself."""
        self._give_back()

    def _held(self) -> PropertyGroup | None:
        """The transition that is dragged, None if it is gone."""
        armature = self._armature.find()
        items = armature.verbs_adverbs.transitions if armature is not None else ()
        return next((item for item in items if item.uid == self._uid), None)

    def _is_chosen(self, context: Context) -> bool:
        """Whether the transition that is dragged is still the chosen one."""
        item = current_transition(context)
        return item is not None and item == self._held()

    def _give_back(self) -> None:
        item = self._held()
        if item is not None:
            bridge.data.transition_items.set_ends(item, self._before)
            redraw_areas()

    def _follow(self, context: Context, event: Event) -> bool:
        """Place the transition under the mouse; return whether there still is a map to place it on."""
        item, place = self._held(), place_in(context, self._region)
        kept = bridge.authoring.distance_map.shown_map(armature_of(item), item) if item is not None else None
        if item is None or place is None or kept is None or not self._is_chosen(context):
            return False
        at = event.mouse_x - self._region.x, event.mouse_y - self._region.y
        self.place = snapped(kept.marks, place.square, at, MARK * context.preferences.system.ui_scale)
        bridge.authoring.distance_map.place_at(kept, item, tuple(self.place))
        redraw_areas()
        return True


def snapped(
    marks: list[tuple[float, float]], square: Square, at: tuple[float, float], within: float
) -> tuple[float, float]:
    """Return the generic times at a pixel, or those of a suggested place if the pixel is close to that place."""
    for x, y in marks:
        if abs(square.x + x * square.side - at[0]) <= within and abs(square.y + y * square.side - at[1]) <= within:
            return x, y
    return square.share(*at)


CLASSES = (VERBS_ADVERBS_MapChoice, VERBS_ADVERBS_OT_transition_map, VERBS_ADVERBS_OT_transition_place)


@persistent
def on_other_file(*_arguments: object) -> None:
    """Another file has other verbs: their map is computed when it is shown."""
    bridge.authoring.distance_map.forget_map()


def _handlers() -> tuple[Heard, ...]:
    return ((bpy.app.handlers.load_post, on_other_file),)


def register() -> None:
    """Share the switch between all windows."""
    listen(_handlers())
    WindowManager.verbs_adverbs_map = PointerProperty(type=VERBS_ADVERBS_MapChoice)


def unregister() -> None:
    """Forget whether it is shown, and what was computed."""
    stop_listening(_handlers())
    bridge.authoring.distance_map.forget_map()
    del WindowManager.verbs_adverbs_map
