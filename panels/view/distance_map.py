"""The distance map as a gizmo of 3D views: a click or drag on it places the chosen transition."""

from typing import TYPE_CHECKING

from bpy.types import Context, Gizmo, GizmoGroup

from ...operators.view.distance_map import map_shown, place_in
from .pad import OfSquare

if TYPE_CHECKING:
    from .map_drawing import Drawn

_drawn: "Drawn" = {}
"""What was made to draw the map; freed when the extension is disabled."""


class VERBS_ADVERBS_GT_map(Gizmo):
    """A square of the generic times of two verbs, coloured by how different their poses are"""

    bl_idname = "VERBS_ADVERBS_GT_map"

    __slots__ = ("over",)

    def setup(self) -> None:
        """Start with the mouse elsewhere."""
        self.over: tuple[int, int] | None = None

    def draw(self, context: Context) -> None:
        """Draw the map, if the view has room for it."""
        item, place = map_shown(context), place_in(context, context.region)
        if item is not None and place is not None:
            from .map_drawing import draw_map

            draw_map(context, place, item, self.over if self.is_highlight else None, _drawn)

    def test_select(self, context: Context, location: tuple[int, int]) -> int:
        """Return 0 if the mouse is over the square, else -1; the values shown follow the mouse."""
        place = place_in(context, context.region)
        over = (location[0], location[1]) if place is not None and place.square.holds(*location) else None
        if over != self.over:
            self.over = over
            context.region.tag_redraw()
        return 0 if over is not None else -1


class VERBS_ADVERBS_GGT_map(OfSquare, GizmoGroup):
    """The distance map in 3D views"""

    bl_idname = "VERBS_ADVERBS_GGT_map"
    bl_label = "Distance Map"
    square = VERBS_ADVERBS_GT_map.bl_idname
    dragged_by = "verbs_adverbs.transition_place"

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Whether a map is visible."""
        return map_shown(context) is not None


CLASSES = (VERBS_ADVERBS_GT_map, VERBS_ADVERBS_GGT_map)


def unregister() -> None:
    """Free the pictures."""
    _drawn.clear()
