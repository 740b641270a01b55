"""The sheet of ghosts in the 3D view: whether and how it is shown; and pictures of it, and of reach, as files."""

from typing import TYPE_CHECKING, ClassVar

import bpy
from bpy.props import BoolProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup, WindowManager
from mathutils import Matrix

from ... import bridge
from ...bridge.data.current import current_armature, current_verb
from ...core.errors import VerbError
from .. import reasons
from ..operator_base import Intent
from .pad import VERBS_ADVERBS_OT_pad_drag, adverbs_chosen

if TYPE_CHECKING:
    from ...bridge.session.drawing.sheet import Asked

MOST = 12
"""Most columns, and most rows."""


class VERBS_ADVERBS_SheetChoice(PropertyGroup):
    """How the sheet of ghosts is shown; kept while Blender runs, but not saved"""

    shown: BoolProperty(
        name="Sheet",
        description="Show the character at all values of the pad's two adverbs, as a grid of ghosts behind its start",
    )
    columns: IntProperty(
        name="Columns", description="Number of values of the horizontal adverb", default=5, min=2, max=MOST
    )
    rows: IntProperty(name="Rows", description="Number of values of the vertical adverb", default=5, min=2, max=MOST)
    moves: BoolProperty(
        name="Moving", description="The ghosts follow the character's motion; otherwise they stay at one generic time"
    )
    generic: FloatProperty(
        name="Generic Time",
        description="Point in the motion at which to show all ghosts: 0 is the first keytime, 1 the last",
        min=0.0,
        max=1.0,
        default=0.0,
        subtype="FACTOR",
    )


def asked_of(choice: PropertyGroup, upright: bool = False) -> "Asked":
    """Return the layout of the sheet: flat on the floor in the view, or upright for a picture."""
    generic = None if choice.moves else choice.generic
    return bridge.session.drawing.sheet.Asked(choice.columns, choice.rows, generic, upright)


def register() -> None:
    """Share one sheet between all windows."""
    WindowManager.verbs_adverbs_sheet = PointerProperty(type=VERBS_ADVERBS_SheetChoice)


def unregister() -> None:
    """Forget the sheet."""
    del WindowManager.verbs_adverbs_sheet


class Picture(Intent):
    """Mixin of an operator that asks for a PNG file and saves a picture there.

    A subclass defines `name`, which is proposed for the file, `save`, and `cannot`, which says why there is no picture.
    """

    bl_options: ClassVar[set[str]] = {"REGISTER"}

    filepath: StringProperty(name="File", description="PNG file to write", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.png", options={"HIDDEN"})
    check_existing: BoolProperty(
        name="Ask",
        description="Warn in red if a file of this name exists",
        default=True,
        options={"HIDDEN"},
    )
    width: IntProperty(name="Width", description="Width of the picture in pixels", default=1920, min=256, max=4096)
    height: IntProperty(name="Height", description="Height of the picture in pixels", default=1440, min=256, max=4096)

    @classmethod
    def cannot(cls, context: Context) -> str:
        """Why there is nothing to save; empty if there is something."""
        raise NotImplementedError

    def name(self, context: Context) -> str:
        """Name that is proposed for the file."""
        raise NotImplementedError

    def save(self, context: Context) -> object:
        """Save the picture; return the file that was written."""
        raise NotImplementedError

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = cls.cannot(context)
        if reason or not bpy.app.background:
            return reason
        return "Pictures are drawn by the graphics card: open the file in a window of Blender"

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Let the user choose where the picture goes."""
        if not self.filepath:
            self.filepath = f"{self.name(context)}.png"
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def do(self, context: Context) -> str:
        return f"Saved '{self.save(context)}'"


class VERBS_ADVERBS_OT_sheet_render(Picture, Operator):
    """Save a picture of the sheet of ghosts, seen from the front, as a PNG file"""

    bl_idname = "verbs_adverbs.sheet_render"
    bl_label = "Render Sheet"

    @classmethod
    def cannot(cls, context: Context) -> str:
        return VERBS_ADVERBS_OT_pad_drag.reason(context)

    def name(self, context: Context) -> str:
        return f"{current_armature(context).name} sheet"

    def save(self, context: Context) -> object:
        armature, choice = current_armature(context), context.window_manager.verbs_adverbs_sheet
        asked = asked_of(choice, upright=True)
        sheet = bridge.session.drawing.sheet.sheet_of(armature, adverbs_chosen(context), asked, context.scene)
        if sheet is None:
            raise VerbError("The verb that plays is not built yet. Press Compute under Direct first.")
        return bridge.session.drawing.picture.save_sheet(sheet, (self.width, self.height), self.filepath)


class VERBS_ADVERBS_OT_reach_render(Picture, Operator):
    """Save a picture of the heat map in this view, with graphs of the errors during refinement"""

    bl_idname = "verbs_adverbs.reach_render"
    bl_label = "Save Picture"

    @classmethod
    def cannot(cls, context: Context) -> str:
        return reasons.measured(context)

    def name(self, context: Context) -> str:
        return f"{current_armature(context).name} {current_verb(context).name} errors"

    def save(self, context: Context) -> object:
        region, size = context.region_data, (self.width, self.height)
        view = region.view_matrix if region is not None else Matrix.Rotation(-1.2, 4, "X")
        picture = bridge.session.drawing.reach_picture
        return picture.save_reach(current_armature(context), current_verb(context), view, size, self.filepath)


CLASSES = (VERBS_ADVERBS_SheetChoice, VERBS_ADVERBS_OT_sheet_render, VERBS_ADVERBS_OT_reach_render)
