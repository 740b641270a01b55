"""Pointing at the floor while characters are performed: Ctrl and the left button, held and dragged."""

from bpy.types import Context, Event
from bpy_extras.view3d_utils import region_2d_to_origin_3d, region_2d_to_vector_3d
from mathutils import Vector

from ..bridge.data.current import current_armature
from ..bridge.session import in_hand
from .perform_keys import region_under

BUTTON = "LEFTMOUSE"
MOVES = ("MOUSEMOVE", "INBETWEEN_MOUSEMOVE")


class Pointing:
    """Whether the button is held down that began over a 3D view."""

    def __init__(self) -> None:
        self.held = False

    def heed(self, context: Context, event: Event) -> bool:
        """Let the active character go where the mouse points; returns whether the event was meant for that."""
        if event.type == BUTTON and event.value == "RELEASE" and self.held:
            self.held = False
            return True
        begins = event.type == BUTTON and event.value == "PRESS" and event.ctrl
        if not (begins or (self.held and event.type in MOVES)) or in_hand.session is None:
            return False
        under = region_under(context, event)
        if under is None or under[1].type != "WINDOW":
            return False
        self.held = True
        view, region = under[0].spaces.active.region_3d, under[1]
        spot = (event.mouse_x - region.x, event.mouse_y - region.y)
        origin, ray = region_2d_to_origin_3d(region, view, spot), region_2d_to_vector_3d(region, view, spot)
        character = in_hand.session.character_of(current_armature(context))
        character.point(Vector(origin), Vector(ray))
        return True
