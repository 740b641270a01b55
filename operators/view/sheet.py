"""The sheet of ghosts in the 3D view: whether it is shown, how large, and at which time."""

from typing import TYPE_CHECKING

from bpy.props import BoolProperty, FloatProperty, IntProperty, PointerProperty
from bpy.types import PropertyGroup, WindowManager

from ... import bridge

if TYPE_CHECKING:
    from ...bridge.session.drawing.sheet import Asked

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
    return bridge.session.drawing.sheet.Asked(choice.columns, choice.rows, generic, upright)


CLASSES = (VERBS_ADVERBS_SheetChoice,)


def register() -> None:
    """Let every window share one sheet."""
    WindowManager.verbs_adverbs_sheet = PointerProperty(type=VERBS_ADVERBS_SheetChoice)


def unregister() -> None:
    """Forget the sheet."""
    del WindowManager.verbs_adverbs_sheet
