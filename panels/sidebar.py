"""What the panels of our tab share: where they stand, and sentences that are wrapped to their width."""

from textwrap import wrap

from bpy.types import Context, UILayout

ICONS = {"INFO": "INFO", "WARNING": "ERROR", "ERROR": "CANCEL", "DONE": "CHECKMARK", "STALE": "FILE_REFRESH"}
PIXELS_A_LETTER = 6.2
PIXELS_OF_FRAME = 62.0


class Viewport:
    """Mixin of a panel in our tab of the 3D viewport's sidebar."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Verbs"


def with_unit(name: str, unit: str) -> str:
    """Name of a number, with its unit where it has one."""
    return f"{name} ({unit})" if unit else name


def sentence(layout: UILayout, context: Context, text: str, kind: str = "INFO") -> None:
    """Draw a sentence over as many lines as it needs.

    Parameters
    ----------
    layout : where to draw it.
    context : of the panel.
    text : the sentence.
    kind : key of `ICONS`, empty for none.
    """
    column = layout.column(align=True)
    column.scale_y = 0.85
    for index, line in enumerate(wrap(text, _letters(context)) or [""]):
        if not kind:
            column.label(text=line)
        else:
            column.label(text=line, icon=ICONS.get(kind, "INFO") if index == 0 else "BLANK1")


def _letters(context: Context) -> int:
    scale = context.preferences.system.ui_scale
    width = context.region.width if context.region else 280
    return max(16, int((width - PIXELS_OF_FRAME * scale) / (PIXELS_A_LETTER * scale)))
