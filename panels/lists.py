"""Lists of the sidebar."""

from bpy.types import Context, PropertyGroup, UILayout, UIList

from .. import bridge
from ..bridge.blender.naming import told_frame
from ..bridge.data.current import current_armature, current_verb, is_newer

SHARE_OF_NAME = 0.6
WARNED = "ERROR"
STATE_ICONS = {
    "NEVER_BUILT": "RADIOBUT_OFF",
    "UP_TO_DATE": "CHECKMARK",
    "OUT_OF_DATE": "FILE_REFRESH",
    "BROKEN": "CANCEL",
}


class List:
    """Mixin of a list; a subclass gives `draw_row`."""

    def draw_item(
        self,
        context: Context,
        layout: UILayout,
        _data: PropertyGroup,
        item: PropertyGroup,
        _icon: int,
        _active: PropertyGroup,
        _name: str,
    ) -> None:
        """Draw one row, as Blender asks for it."""
        self.draw_row(context, layout.row(align=True), item)

    def draw_row(self, context: Context, row: UILayout, item: PropertyGroup) -> None:
        """Draw one row."""
        raise NotImplementedError


def at_right(row: UILayout, text: str, icon: str = "NONE", active: bool = True) -> None:
    """End a row of a list with a figure."""
    end = row.row()
    end.alignment, end.active = "RIGHT", active
    end.label(text=text, icon=icon)


class VERBS_ADVERBS_UL_examples(List, UIList):
    """Examples of an action."""

    def draw_row(self, _context: Context, row: UILayout, item: PropertyGroup) -> None:
        parts = row.split(factor=SHARE_OF_NAME)
        name = parts.row()
        name.enabled = not is_newer(item.id_data.verbs_adverbs)
        name.prop(item, "name", text="", emboss=False)
        start, end = bridge.data.markers.effective_span(item.id_data, item)
        at_right(parts, f"{start:.0f} to {end:.0f}")


class VERBS_ADVERBS_UL_keytimes(List, UIList):
    """Keytimes of an example."""

    def draw_row(self, _context: Context, row: UILayout, item: PropertyGroup) -> None:
        row.label(text=item.name, icon="PMARKER_ACT")
        at_right(row, told_frame(bridge.data.markers.effective_frame(item.id_data, item)))


class VERBS_ADVERBS_UL_contacts(List, UIList):
    """Contact points of an example."""

    def draw_row(self, context: Context, row: UILayout, item: PropertyGroup) -> None:
        armature = current_armature(context)
        known = armature is None or item.bone in armature.data.bones
        row.alert = not known
        row.label(text=f"{item.bone} ({item.end.lower()})", icon="BONE_DATA" if known else "ERROR")
        at_right(row, f"{len(item.windows)}\u00d7")


class VERBS_ADVERBS_UL_adverbs(List, UIList):
    """Adverbs of an armature."""

    def draw_row(self, _context: Context, row: UILayout, item: PropertyGroup) -> None:
        row.label(text=item.name, icon="DRIVER_DISTANCE")
        at_right(row, f"{item.minimum:g} to {item.maximum:g} {item.unit}".rstrip())


class VERBS_ADVERBS_UL_verbs(List, UIList):
    """Verbs of an armature."""

    def draw_row(self, context: Context, row: UILayout, item: PropertyGroup) -> None:
        found = bridge.build.verbs.status(current_armature(context), item)
        warned = found.state == "UP_TO_DATE" and found.warnings
        row.label(text=item.name, icon=WARNED if warned else STATE_ICONS[found.state])
        count = len(item.examples)
        at_right(row, f"{count} example{'' if count == 1 else 's'}")


class VERBS_ADVERBS_UL_verb_examples(List, UIList):
    """Examples of a verb with their place in its adverb space."""

    def draw_row(self, context: Context, row: UILayout, item: PropertyGroup) -> None:
        example, verb = bridge.data.listing.referenced(item), current_verb(context)
        used = row.row()
        used.enabled = not is_newer(item.id_data.verbs_adverbs)
        used.prop(item, "enabled", text="")
        if example is None:
            row.alert = True
            row.label(text=f"{item.example_name or item.action_name} is gone", icon="ERROR")
            return
        name = row.row()
        name.active = item.enabled
        name.label(text=example.name)
        at_right(row, _place(example, verb), active=item.enabled)


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
