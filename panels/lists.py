"""Lists of the sidebar."""

from bpy.types import Context, PropertyGroup, UILayout, UIList

from ..bridge.current import current_armature, current_verb
from ..bridge.definitions import referenced
from ..bridge.markers import effective_frame, effective_span
from ..bridge.verbs import status

KIND_ICONS = {"TRAVELLING": "CON_FOLLOWPATH", "IN_PLACE": "PIVOT_CURSOR", "STATIONARY": "SNAP_FACE_CENTER"}
STATE_ICONS = {
    "NEVER_BUILT": "RADIOBUT_OFF",
    "UP_TO_DATE": "CHECKMARK",
    "OUT_OF_DATE": "FILE_REFRESH",
    "BROKEN": "CANCEL",
}


def shown(frame: float) -> str:
    """A frame for reading, with two decimals where it needs them."""
    return f"{frame:.2f}".rstrip("0").rstrip(".")


class VERBS_ADVERBS_UL_examples(UIList):
    """Examples of an action."""

    def draw_item(
        self,
        _context: Context,
        layout: UILayout,
        _data: PropertyGroup,
        item: PropertyGroup,
        _icon: int,
        _active: PropertyGroup,
        _row: str,
    ) -> None:
        row = layout.row(align=True)
        row.prop(item, "name", text="", emboss=False, icon=KIND_ICONS[item.kind])
        span = row.row()
        span.alignment = "RIGHT"
        start, end = effective_span(item.id_data, item)
        span.label(text=f"{shown(start)} - {shown(end)}", icon="FILE_REFRESH" if item.cyclic else "NONE")


class VERBS_ADVERBS_UL_keytimes(UIList):
    """Keytimes of an example."""

    def draw_item(
        self,
        _context: Context,
        layout: UILayout,
        _data: PropertyGroup,
        item: PropertyGroup,
        _icon: int,
        _active: PropertyGroup,
        _row: str,
    ) -> None:
        row = layout.row(align=True)
        row.label(text=item.name, icon="PMARKER_ACT")
        frame = row.row()
        frame.alignment = "RIGHT"
        frame.label(text=shown(effective_frame(item.id_data, item)))


class VERBS_ADVERBS_UL_contacts(UIList):
    """Contact points of an example."""

    def draw_item(
        self,
        context: Context,
        layout: UILayout,
        _data: PropertyGroup,
        item: PropertyGroup,
        _icon: int,
        _active: PropertyGroup,
        _row: str,
    ) -> None:
        armature = current_armature(context)
        known = armature is None or item.bone in armature.data.bones
        row = layout.row(align=True)
        row.alert = not known
        row.label(text=f"{item.bone} ({item.end.lower()})", icon="BONE_DATA" if known else "ERROR")
        count = row.row()
        count.alignment = "RIGHT"
        count.label(text=f"{len(item.windows)} window{'' if len(item.windows) == 1 else 's'}")


class VERBS_ADVERBS_UL_adverbs(UIList):
    """Adverbs of an armature."""

    def draw_item(
        self,
        _context: Context,
        layout: UILayout,
        _data: PropertyGroup,
        item: PropertyGroup,
        _icon: int,
        _active: PropertyGroup,
        _row: str,
    ) -> None:
        row = layout.row(align=True)
        row.label(text=item.name, icon="DRIVER_DISTANCE")
        extent = row.row()
        extent.alignment = "RIGHT"
        extent.label(text=f"{item.minimum:g} to {item.maximum:g} {item.unit}".rstrip())


class VERBS_ADVERBS_UL_verbs(UIList):
    """Verbs of an armature."""

    def draw_item(
        self,
        context: Context,
        layout: UILayout,
        _data: PropertyGroup,
        item: PropertyGroup,
        _icon: int,
        _active: PropertyGroup,
        _row: str,
    ) -> None:
        armature = current_armature(context)
        row = layout.row(align=True)
        row.label(text=item.name, icon=STATE_ICONS[status(armature, item).state])
        count = row.row()
        count.alignment = "RIGHT"
        count.label(text=f"{len(item.examples)} example{'' if len(item.examples) == 1 else 's'}")


class VERBS_ADVERBS_UL_verb_examples(UIList):
    """Examples of a verb with their place in its adverb space."""

    def draw_item(
        self,
        context: Context,
        layout: UILayout,
        _data: PropertyGroup,
        item: PropertyGroup,
        _icon: int,
        _active: PropertyGroup,
        _row: str,
    ) -> None:
        example, verb = referenced(item), current_verb(context)
        row = layout.row(align=True)
        row.prop(item, "enabled", text="")
        if example is None:
            row.alert = True
            row.label(text=f"{item.example_name or item.action_name} is gone", icon="ERROR")
            return
        name = row.row()
        name.active = item.enabled
        name.label(text=example.name)
        place = row.row()
        place.alignment, place.active = "RIGHT", item.enabled
        place.label(text=_place(example, verb))


def _place(example: PropertyGroup, verb: PropertyGroup) -> str:
    """Where an example lies, in the order of the verb's adverbs."""
    values = {entry.name: f"{entry.value:.3g}" for entry in example.values}
    return ", ".join(values.get(adverb.name, "?") for adverb in verb.adverbs)


CLASSES = (
    VERBS_ADVERBS_UL_examples,
    VERBS_ADVERBS_UL_keytimes,
    VERBS_ADVERBS_UL_contacts,
    VERBS_ADVERBS_UL_adverbs,
    VERBS_ADVERBS_UL_verbs,
    VERBS_ADVERBS_UL_verb_examples,
)
