"""The adverb pad as a gizmo of 3D views: its point is where the sliders are, and a click or drag moves it."""

from typing import TYPE_CHECKING, ClassVar

import bpy
from bpy.types import Context, Gizmo, GizmoGroup, Gizmos

from ...bridge.data.current import current_armature
from ...operators.view.pad import adverbs_shown, square_in


class VERBS_ADVERBS_GT_pad(Gizmo):
    """A square of two adverbs with the examples in it"""

    bl_idname = "VERBS_ADVERBS_GT_pad"

    def draw(self, context: Context) -> None:
        """Draw the pad, if its adverbs still belong to something that plays."""
        adverbs = adverbs_shown(context)
        if adverbs is not None and context.space_data.overlay.show_overlays:
            from .pad_drawing import draw_pad

            mouse = getattr(self, "mouse", None) if self.is_highlight or self.is_modal else None
            draw_pad(context, square_in(context, context.region), current_armature(context), adverbs, mouse)

    def test_select(self, context: Context, location: tuple[int, int]) -> int:
        """Return 0 if the mouse is over the square, else -1; over it, the pad is redrawn to name the dot there."""
        if not square_in(context, context.region).holds(*location):
            return -1
        self.mouse = location
        context.region.tag_redraw()
        return 0


class OfSquare:
    """Mixin of a group with one gizmo, a square in 3D views that is clicked and dragged."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options: ClassVar[set[str]] = {"PERSISTENT", "SHOW_MODAL_ALL"}

    square: ClassVar[str]
    """Identifier of the gizmo."""
    dragged_by: ClassVar[str]
    """Operator that a click or drag calls."""

    if TYPE_CHECKING:
        gizmos: Gizmos

    def setup(self, _context: Context) -> None:
        """Add the square; Blender calls this."""
        gizmo = self.gizmos.new(self.square)
        gizmo.target_set_operator(self.dragged_by)
        gizmo.use_draw_modal = True


class VERBS_ADVERBS_GGT_pad(OfSquare, GizmoGroup):
    """The adverb pad in 3D views"""

    bl_idname = "VERBS_ADVERBS_GGT_pad"
    bl_label = "Adverb Pad"
    square = VERBS_ADVERBS_GT_pad.bl_idname
    dragged_by = "verbs_adverbs.pad_drag"

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Whether a pad is visible."""
        return context.space_data.overlay.show_overlays and adverbs_shown(context) is not None


CLASSES = (VERBS_ADVERBS_GT_pad, VERBS_ADVERBS_GGT_pad)


def unregister() -> None:
    """Free what was drawn, if anything was."""
    if not bpy.app.background:
        from .pad_drawing import forget_drawn

        forget_drawn()
