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
        span.label(text=f"{start:g} - {end:g}", icon="FILE_REFRESH" if item.cyclic else "NONE")


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
        frame.label(text=f"{effective_frame(item.id_data, item):.6g}")


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
        split = row.split(factor=0.45 if verb.adverbs else 1.0, align=True)
        split.active = item.enabled
        split.label(text=example.name)
        values = split.row(align=True)
        values.enabled = item.action.library is None
        for adverb in verb.adverbs:
            value = example.values.get(adverb.name)
            if value is None:
                values.label(text="?", icon="ERROR")
            else:
                values.prop(value, "value", text="")


CLASSES = (
    VERBS_ADVERBS_UL_examples,
    VERBS_ADVERBS_UL_keytimes,
    VERBS_ADVERBS_UL_contacts,
    VERBS_ADVERBS_UL_adverbs,
    VERBS_ADVERBS_UL_verbs,
    VERBS_ADVERBS_UL_verb_examples,
)
