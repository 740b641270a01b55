"""The sheet of ghosts in the 3D view: whether it is shown, how large, at which time, and a picture of it."""

from typing import TYPE_CHECKING, ClassVar

import bpy
from bpy.props import BoolProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup, WindowManager

from ... import bridge
from ...bridge.data.current import current_armature
from ...core.errors import VerbError
from ..operator_base import Intent
from .pad import VERBS_ADVERBS_OT_pad_drag, adverbs_chosen

if TYPE_CHECKING:
    from ...bridge.session.ghosts.sheet import Asked

MOST = 12
"""Most columns, and most rows."""


class VERBS_ADVERBS_SheetChoice(PropertyGroup):
    """How the sheet of ghosts is shown; kept while Blender runs, and in no file"""

    shown: BoolProperty(
        name="Sheet",
        description="Show the character at all values of the pad's two adverbs as a lattice of ghosts behind its start",
    )
    columns: IntProperty(
        name="Columns", description="Number of values of the adverb to the right", default=5, min=2, max=MOST
    )
    rows: IntProperty(name="Rows", description="Number of values of the adverb upward", default=5, min=2, max=MOST)
    moves: BoolProperty(
        name="Moving", description="The ghosts are where the character is in its motion; else at a generic time"
    )
    generic: FloatProperty(
        name="Generic Time",
        description="Where in the motion all ghosts are: 0 is its first keytime, 1 its last",
        min=0.0,
        max=1.0,
        default=0.0,
        subtype="FACTOR",
    )


def asked_of(choice: PropertyGroup, upright: bool = False) -> "Asked":
    """Return how the sheet is to be: lying on the floor of the view, or upright for a picture."""
    generic = None if choice.moves else choice.generic
    return bridge.session.ghosts.sheet.Asked(choice.columns, choice.rows, generic, upright)


class VERBS_ADVERBS_OT_sheet_render(Intent, Operator):
    """Save a picture of the sheet of ghosts, seen from the front, as a PNG file"""

    bl_idname = "verbs_adverbs.sheet_render"
    bl_label = "Render Sheet"
    bl_options: ClassVar[set[str]] = {"REGISTER"}

    filepath: StringProperty(name="File", description="PNG file that is written", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.png", options={"HIDDEN"})
    check_existing: BoolProperty(
        name="Ask",
        description="Show in red that a file of this name is there already",
        default=True,
        options={"HIDDEN"},
    )
    width: IntProperty(
        name="Width", description="Pixels of the picture from left to right", default=1920, min=256, max=4096
    )
    height: IntProperty(
        name="Height", description="Pixels of the picture from bottom to top", default=1440, min=256, max=4096
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = VERBS_ADVERBS_OT_pad_drag.reason(context)
        if reason or not bpy.app.background:
            return reason
        return "A sheet is drawn by the graphics card: open the file in a window of Blender"

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Let the user choose where the picture goes."""
        if not self.filepath:
            self.filepath = f"{current_armature(context).name} sheet.png"
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def do(self, context: Context) -> str:
        armature, choice = current_armature(context), context.window_manager.verbs_adverbs_sheet
        adverbs = adverbs_chosen(context)
        sheet = bridge.session.ghosts.sheet.sheet_of(armature, adverbs, asked_of(choice, upright=True), context.scene)
        if sheet is None:
            raise VerbError("The verb that plays is not built yet. Press Compute under Direct first.")
        written = bridge.session.ghosts.picture.save_sheet(sheet, (self.width, self.height), self.filepath)
        return f"Saved '{written}'"


CLASSES = (VERBS_ADVERBS_SheetChoice, VERBS_ADVERBS_OT_sheet_render)


def register() -> None:
    """Let every window share one sheet."""
    WindowManager.verbs_adverbs_sheet = PointerProperty(type=VERBS_ADVERBS_SheetChoice)


def unregister() -> None:
    """Forget the sheet."""
    del WindowManager.verbs_adverbs_sheet
