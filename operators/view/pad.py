"""The adverb pad in the 3D view: its adverbs, its position, and dragging its point."""

from typing import NamedTuple

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatVectorProperty, PointerProperty, StringProperty
from bpy.types import Context, Event, Object, Operator, PropertyGroup, Region, WindowManager

from ... import bridge
from ...bridge.blender.events import redraw_regions
from ...bridge.data.current import MaybeNone, current_armature
from ...core.errors import VerbsError
from .. import reasons
from ..operator_base import Intent

SIDE, MARGIN, BELOW = 150.0, 24.0, 92.0
"""Pixels at scale 1: side of the square, its distance from the sidebar, and its distance from the lower edge."""
OF_HEIGHT, OF_WIDTH = 0.3, 0.4
"""Largest shares of the view for a side, so that the pad does not fill a small view."""
BUTTONS, UNDER = 54.0, 300.0
"""Pixels that Blender's navigation buttons take from the sidebar, and from the view's upper edge."""
AXES = ("x", "y")
TITLE, ASIDE = 24.0, 24.0
"""Pixels of the pad above the square, and to its left."""
FOLDED, RAISED = 240.0, 36.0
"""Pixels to the right of the tools that Blender's collapsed Adjust Last Operation panel takes, and by
which the pad is raised where it would cover that panel."""


class Square(NamedTuple):
    """Position of a pad in its region: its lower left corner and its side, in pixels."""

    x: float
    y: float
    side: float

    def share(self, x: float, y: float) -> tuple[float, float]:
        """Return the position of a pixel, from 0 to 1 along each side; outside the square, that of the nearest edge."""
        return min(max((x - self.x) / self.side, 0.0), 1.0), min(max((y - self.y) / self.side, 0.0), 1.0)

    def holds(self, x: float, y: float) -> bool:
        """Whether a pixel is in the square."""
        return 0.0 <= x - self.x <= self.side and 0.0 <= y - self.y <= self.side


def square_in(context: Context, region: Region) -> Square:
    """Return the position of the pad at the lower right of a 3D view's region, beside the sidebar."""
    scale = context.preferences.system.ui_scale
    covered = covered_by(context, "UI")
    side = min(SIDE * scale, OF_HEIGHT * region.height, OF_WIDTH * (region.width - covered))
    beside = context.space_data.show_gizmo_navigate and side + (BELOW + TITLE + UNDER) * scale > region.height
    x = region.width - covered - side - (MARGIN + (BUTTONS if beside else 0.0)) * scale
    over = x < covered_by(context, "TOOLS") + (FOLDED + ASIDE) * scale
    return Square(x, (BELOW + (RAISED if over else 0.0)) * scale, side)


def covered_by_pad(context: Context, region: Region) -> list[tuple[float, float, float, float]]:
    """Left, bottom, right and top pixel of the area that the pad and its texts cover; none if the pad is hidden."""
    seen = context.space_data.show_gizmo and context.space_data.overlay.show_overlays
    if not seen or adverbs_shown(context) is None:
        return []
    scale, (x, y, side) = context.preferences.system.ui_scale, square_in(context, region)
    aside, below, above = ASIDE * scale, BELOW * scale, TITLE * scale
    return [(x - aside, y - below, x + side + aside, y + side + above)]


def covered_by(context: Context, kind: str) -> float:
    """Width in pixels of the part of a 3D view that its regions of a kind, such as the sidebar, cover."""
    over = context.preferences.system.use_region_overlap
    return sum(region.width for region in context.area.regions if region.type == kind and over)


def adverbs_shown(context: Context) -> tuple[str, str] | None:
    """Return the adverbs of the pad that is shown; None if none is."""
    return adverbs_chosen(context) if context.window_manager.verbs_adverbs_pad.shown else None


def adverbs_chosen(context: Context) -> tuple[str, str] | MaybeNone:
    """Return the adverbs of the pad, shown or not; None if the playing verb has fewer than two."""
    choice = context.window_manager.verbs_adverbs_pad
    return bridge.authoring.pad.adverbs_of_pad(current_armature(context), choice.x, choice.y)


_items: list[tuple[str, str, str]] = []


def _adverb_items(_choice: PropertyGroup, context: Context | None) -> list[tuple[str, str, str]]:
    names = bridge.authoring.pad.adverbs_to_choose(current_armature(context))
    _items[:] = [(name, name, f"Adverb {name}") for name in names]
    return _items


def _choose(choice: PropertyGroup, axis: int, index: int) -> None:
    """Choose the adverb of one axis; the other axis keeps its own, or they are swapped if both would be the same."""
    shown, chosen = adverbs_chosen(bpy.context), _adverb_items(choice, bpy.context)[index][0]
    if shown is not None:
        other = shown[1 - axis] if shown[1 - axis] != chosen else shown[axis]
        setattr(choice, AXES[1 - axis], other)
    setattr(choice, AXES[axis], chosen)


def _shown_at(axis: int) -> int:
    """Index of the adverb of one axis of the pad among those that can be chosen."""
    adverbs = adverbs_chosen(bpy.context)
    return bridge.authoring.pad.adverbs_to_choose(current_armature(bpy.context)).index(adverbs[axis]) if adverbs else 0


class VERBS_ADVERBS_PadChoice(PropertyGroup):
    """Whether the pad is shown, and its adverbs; kept while Blender runs, but not saved"""

    shown: BoolProperty(
        name="Adverb Pad",
        description="Show two adverbs as a square in the 3D view. Dots are examples; drag the point to set the sliders",
        default=True,
    )
    ghosts: BoolProperty(
        name="Ghosts",
        description="Show the blended examples beside the character. They always show while the point is dragged",
    )
    dragged: BoolProperty(name="Dragged", description="The point is being dragged")
    x: StringProperty(name="To the Right", description="Adverb that increases to the right")
    y: StringProperty(name="Upward", description="Adverb that increases upward")
    to_the_right: EnumProperty(
        name="To the Right",
        description="Adverb that increases to the right",
        items=_adverb_items,
        get=lambda _choice: _shown_at(0),
        set=lambda choice, index: _choose(choice, 0, index),
    )
    upward: EnumProperty(
        name="Upward",
        description="Adverb that increases upward",
        items=_adverb_items,
        get=lambda _choice: _shown_at(1),
        set=lambda choice, index: _choose(choice, 1, index),
    )


class Held(NamedTuple):
    """The sliders that a drag moves: those of two adverbs, on the director of an armature."""

    armature: Object
    director: Object
    adverbs: tuple[str, str]


class VERBS_ADVERBS_OT_pad_drag(Intent, Operator):
    """Set two adverbs at once on the square; with Auto Keying they are also keyed"""

    bl_idname = "verbs_adverbs.pad_drag"
    bl_label = "Drag on Adverb Pad"

    place: FloatVectorProperty(
        name="Place",
        description="Position in the square, from 0 to 1 to the right and upward",
        size=2,
        default=(0.5, 0.5),
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.character(context)
        if reason:
            return reason
        return "" if adverbs_chosen(context) else "Switch on a verb that varies along two adverbs first"

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Let the point follow the mouse until the button is released."""
        self._region, self._held = context.region, self._about(context)
        try:
            self._before = bridge.data.adverb_values.slider_values(self._held.director, self._held.adverbs)
            self._follow(context, event)
        except VerbsError as error:
            self.tell("ERROR", str(error))
            return {"CANCELLED"}
        context.window_manager.verbs_adverbs_pad.dragged = True
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        """Follow the mouse; Esc and the right button restore the sliders; other events pass through."""
        found = self._heard(context, event)
        if found <= {"FINISHED", "CANCELLED"}:
            self._let_go(context)
        return found

    def cancel(self, context: Context) -> None:
        """Release the point if Blender ends the drag itself."""
        self._let_go(context)

    def _let_go(self, context: Context) -> None:
        context.window_manager.verbs_adverbs_pad.dragged = False
        redraw_regions("WINDOW")

    def _heard(self, context: Context, event: Event) -> set[str]:
        try:
            if event.type in {"ESC", "RIGHTMOUSE"} and event.value == "PRESS":
                bridge.authoring.pad.set_point(self._held.director, self._held.adverbs, self._before)
                return {"CANCELLED"}
            if event.type == "MOUSEMOVE":
                self._follow(context, event)
                return {"RUNNING_MODAL"}
            if event.type == "LEFTMOUSE" and event.value == "RELEASE":
                self._end(context, self._held)
                return {"FINISHED"}
        except VerbsError as error:
            self.tell("ERROR", str(error))
            return {"CANCELLED"}
        except ReferenceError:
            return {"CANCELLED"}
        return {"PASS_THROUGH"}

    def do(self, context: Context) -> str:
        """Set the sliders, and key them if Auto Keying is on."""
        self._end(context, self._about(context))
        return ""

    def _follow(self, context: Context, event: Event) -> None:
        square = square_in(context, self._region)
        self.place = square.share(event.mouse_x - self._region.x, event.mouse_y - self._region.y)
        self._set(self._held)

    def _end(self, context: Context, held: Held) -> None:
        self._set(held)
        performed = held.director.verbs_adverbs.performance.in_hand
        if context.scene.tool_settings.use_keyframe_insert_auto and not performed:
            items = [held.armature.verbs_adverbs.adverbs[name] for name in held.adverbs]
            bridge.data.commands.key_sliders(held.armature, items, context.scene.frame_current_final)

    def _set(self, held: Held) -> None:
        extents = [bridge.authoring.pad.range_of(held.armature, name) for name in held.adverbs]
        values = [low + share * (high - low) for share, (low, high) in zip(self.place, extents, strict=True)]
        bridge.authoring.pad.set_point(held.director, held.adverbs, values)

    def _about(self, context: Context) -> Held:
        armature, adverbs = current_armature(context), adverbs_chosen(context)
        return Held(armature, bridge.data.director.director_of(armature), adverbs)  # pyright: ignore[reportArgumentType]


CLASSES = (VERBS_ADVERBS_PadChoice, VERBS_ADVERBS_OT_pad_drag)


def register() -> None:
    """Share the choice of adverbs between all windows."""
    WindowManager.verbs_adverbs_pad = PointerProperty(type=VERBS_ADVERBS_PadChoice)


def unregister() -> None:
    """Forget the choice."""
    del WindowManager.verbs_adverbs_pad
