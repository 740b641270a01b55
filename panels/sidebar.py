"""What the panels of the tab Verbs share (place, wrapped sentences, sliders, lists), and its first row, two modes."""

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from textwrap import wrap
from typing import TYPE_CHECKING, Any, ClassVar

from bpy.types import Context, Object, Panel, PropertyGroup, UILayout, UIList

from .. import bridge
from ..bridge.blender.jobs import Job
from ..bridge.blender.naming import told_frame, told_number
from ..bridge.data.current import current_armature, current_example, current_verb, is_newer
from ..core.detect.bone_names import told_point
from ..operators.modes import ANIMATE, TAB, can_animate, mode_of

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import IconItems

ICONS: "dict[str, IconItems]" = {
    "INFO": "INFO",
    "WARNING": "ERROR",
    "ERROR": "CANCEL",
    "DONE": "CHECKMARK",
    "STALE": "FILE_REFRESH",
    "KEYS": "KEYFRAME",
}
PIXELS_A_LETTER = 6.2
PIXELS_OF_FRAME = 62.0
PIXELS_OF_ICON = 22.0
SHARE_OF_NAME = 0.6
SHARE_OF_TITLE = 0.33
LETTERS_BETWEEN = 3
"""Characters of the arrow between two names of a row."""
LETTERS_OF_ROW = 28
"""Letters of a line where a row has room for a name and what is said of it; in a narrower sidebar that is shorter."""
WARNED: "IconItems" = "ERROR"
STATE_ICONS: "dict[str, IconItems]" = {
    "NEVER_BUILT": "RADIOBUT_OFF",
    "UP_TO_DATE": "CHECKMARK",
    "OUT_OF_DATE": "FILE_REFRESH",
    "BROKEN": "CANCEL",
}


class Viewport:
    """Mixin of a panel in the tab Verbs of the 3D viewport's sidebar."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = TAB

    if TYPE_CHECKING:
        layout: UILayout


class OfMode(Viewport):
    """Mixin of a panel of one mode of the tab; a subclass names the mode, and may define `is_about`."""

    tab_mode: ClassVar[str]

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Whether the tab is in the panel's mode, and there is something that the panel is about."""
        return mode_of(context) == cls.tab_mode and cls.is_about(context)

    @classmethod
    def is_about(cls, context: Context) -> bool:
        """Whether there is something that the panel is about."""
        return True


def with_unit(name: str, unit: str) -> str:
    """Return the name of a number, followed by its unit if it has one."""
    return f"{name} ({unit})" if unit else name


def sentence(
    layout: UILayout,
    context: Context,
    text: str,
    kind: str = "INFO",
    beside: int = 0,
    letters: int = 0,
    instead: str = "",
) -> None:
    """Draw a sentence on as many lines as it needs.

    Parameters
    ----------
    layout : where to draw it.
    context : context of the panel.
    text : the sentence.
    kind : key of `ICONS`, empty for none.
    beside : number of buttons with an icon that stand beside it.
    letters : number of letters in a line; 0 for as many as fit into the region.
    instead : a sentence that is shown there at other times; room is kept for it, so that nothing below moves.
    """
    column, width = layout.column(align=True), letters or _letters(context, beside)
    column.scale_y = 0.85
    lines = wrap(text, width) or [""]
    lines += [""] * (len(wrap(instead, width)) - len(lines))
    for index, line in enumerate(lines):
        if not kind:
            column.label(text=line)
        else:
            column.label(text=line, icon=ICONS.get(kind, "INFO") if index == 0 else "BLANK1")


def first_line(context: Context, text: str, beside: int) -> tuple[str, str]:
    """Split a sentence into what fits on a line with an icon and this many buttons, and the rest."""
    lines = wrap(text, _letters(context, beside)) or [""]
    return lines[0], " ".join(lines[1:])


def _letters(context: Context, beside: int = 0) -> int:
    scale = context.preferences.system.ui_scale
    width = context.region.width if context.region else 280
    frame = PIXELS_OF_FRAME + beside * PIXELS_OF_ICON
    return max(16 - 3 * beside, int((width - frame * scale) / (PIXELS_A_LETTER * scale)))


def is_narrow(context: Context) -> bool:
    """Whether a row is too narrow for a name and its details, or for a label beside a field."""
    return _letters(context) < LETTERS_OF_ROW


def fitting(name: str, room: float, wide: Callable[[str], float]) -> str:
    """Return a name, shortened in the middle if a function measures it as wider than the room."""
    shown, kept = name, len(name)
    while wide(shown) > room and kept > 4:
        kept -= 2
        shown = f"{name[: kept // 2]}…{name[-(kept // 2) :]}"
    return shown


def both_fitting(context: Context, first: str, second: str) -> tuple[str, str]:
    """Return two names for one row of a list, shortened in the middle if the sidebar is too narrow for both."""
    room = _letters(context, beside=2) - LETTERS_BETWEEN
    half = room // 2
    return fitting(first, max(half, room - len(second)), len), fitting(second, max(half, room - len(first)), len)


def beside(layout: UILayout, context: Context) -> UILayout:
    """Return a layout for buttons side by side, or stacked if the sidebar is narrow."""
    return layout.column(align=True) if is_narrow(context) else layout.row(align=True)


def label_fields(layout: UILayout, context: Context) -> None:
    """Put the labels of a layout's fields beside them, or inside them if the sidebar is too narrow for labels."""
    layout.use_property_split, layout.use_property_decorate = not is_narrow(context), False


def titled(layout: UILayout, context: Context, title: str) -> UILayout:
    """Return a layout for a menu with a title beside it, or above it in a narrow sidebar."""
    if is_narrow(context):
        layout.label(text=title)
        return layout.row(align=True)
    row = layout.split(factor=SHARE_OF_TITLE, align=True)
    row.label(text=title)
    return row.row(align=True)


def draw_choice(layout: UILayout, context: Context, data: Any, name: str) -> None:
    """Draw a menu or text field of a layout of `label_fields`; in a narrow sidebar its label is above it."""
    if is_narrow(context):
        layout.label(text=data.bl_rna.properties[name].name)
        layout.prop(data, name, text="")
    else:
        layout.prop(data, name)


def draw_progress(layout: UILayout, job: Job) -> None:
    """Draw the progress of a long computation, and the button that stops it."""
    row = layout.row(align=True)
    row.progress(factor=job.fraction, text=f"{job.title}: {100.0 * job.fraction:.0f} %")
    row.operator("verbs_adverbs.stop", text="", icon="CANCEL")


def draw_sliders(layout: UILayout, context: Context, director: Object, adverbs: Iterable[PropertyGroup]) -> None:
    """Draw a director's sliders of some adverbs of its armature."""
    for item in adverbs:
        if item.name in director and not bridge.data.adverb_values.is_number(director[item.name]):
            sentence(layout, context, f"The value of slider '{item.name}' is not a number: press Reset.", "ERROR")
        elif item.name in director:
            path, text = bridge.data.adverb_values.path_of(item.name), with_unit(item.name, item.unit)
            layout.prop(director, path, text=text, slider=True)
            draw_ends(layout, item)


def draw_ends(layout: UILayout, item: PropertyGroup) -> None:
    """Write below the slider of an adverb what its ends mean, if that was set."""
    if item.low_end or item.high_end:
        row = layout.row()
        row.active, row.scale_y = False, 0.7
        row.label(text=item.low_end)
        at_right(row, item.high_end)


class List:
    """Mixin of a list in the sidebar; a subclass defines `draw_row`."""

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
        """Draw one row; Blender calls this."""
        self.draw_row(context, layout.row(align=True), item)

    def draw_row(self, context: Context, row: UILayout, item: PropertyGroup) -> None:
        """Draw one row."""
        raise NotImplementedError


class Searched(List):
    """Mixin of a list whose items have no name of their own; a subclass defines `text_of`, which is searched."""

    if TYPE_CHECKING:
        filter_name: str
        bitflag_filter_item: int

    def text_of(self, item: PropertyGroup) -> str:
        """What the row of an item says."""
        raise NotImplementedError

    def filter_items(self, _context: Context, data: PropertyGroup, name: str) -> tuple[list[int], list[int]]:
        """Tell Blender which rows match the filter below the list; the order stays."""
        if not self.filter_name:
            return [], []
        wanted = f"*{self.filter_name.lower()}*"
        found = (fnmatchcase(self.text_of(item).lower(), wanted) for item in getattr(data, name))
        return [self.bitflag_filter_item if shown else 0 for shown in found], []


def at_right(row: UILayout, text: str, icon: "IconItems" = "NONE", active: bool = True) -> None:
    """Draw a short text at the right end of a row."""
    end = row.row()
    end.alignment, end.active = "RIGHT", active
    end.label(text=text, icon=icon)


def draw_name(row: UILayout, item: PropertyGroup, icon: "IconItems") -> None:
    """Draw the name of a verb, an adverb or a keytime in a row, where it can be changed."""
    name = row.row()
    name.enabled = not is_newer(item.id_data.verbs_adverbs)
    name.prop(item, "typed_name", text="", emboss=False, icon=icon)


class VERBS_ADVERBS_UL_examples(List, UIList):
    """Examples of an action."""

    def draw_row(self, _context: Context, row: UILayout, item: PropertyGroup) -> None:
        parts = row.split(factor=SHARE_OF_NAME)
        name = parts.row()
        name.enabled = not is_newer(item.id_data.verbs_adverbs)
        name.prop(item, "name", text="", emboss=False)
        start, end = bridge.data.markers.effective_span(item)
        at_right(parts, f"{start:.0f} to {end:.0f}")


class VERBS_ADVERBS_UL_keytimes(List, UIList):
    """Keytimes of an example."""

    def draw_row(self, _context: Context, row: UILayout, item: PropertyGroup) -> None:
        draw_name(row, item, "PMARKER_ACT")
        at_right(row, told_frame(bridge.data.markers.effective_frame(item)))


class VERBS_ADVERBS_UL_contacts(List, UIList):
    """Contact points of an example."""

    def draw_row(self, context: Context, row: UILayout, item: PropertyGroup) -> None:
        armature = current_armature(context)
        bone = bridge.data.bones.names.bone_of_contact(armature, current_example(context), item)
        known = armature is None or bone in armature.data.bones
        row.alert = not known
        row.label(text=told_point(bone or item.bone, item.end), icon="BONE_DATA" if known else "ERROR")
        at_right(row, f"{len(item.windows)}\u00d7")


class VERBS_ADVERBS_UL_adverbs(List, UIList):
    """Adverbs of an armature."""

    def draw_row(self, context: Context, row: UILayout, item: PropertyGroup) -> None:
        draw_name(row, item, "DRIVER_DISTANCE")
        low, high = (told_number(end, item.maximum - item.minimum) for end in (item.minimum, item.maximum))
        if not is_narrow(context):
            at_right(row, f"{low} to {high} {item.unit}".rstrip())


class VERBS_ADVERBS_UL_verbs(List, UIList):
    """Verbs of an armature."""

    def draw_row(self, context: Context, row: UILayout, item: PropertyGroup) -> None:
        found = bridge.authoring.verbs.shown_status(current_armature(context), item)
        warned = found.state == "UP_TO_DATE" and found.warnings
        draw_name(row, item, WARNED if warned else STATE_ICONS[found.state])
        count = len(item.examples)
        at_right(row, f"{count}" if is_narrow(context) else f"{count} example{'' if count == 1 else 's'}")


class VERBS_ADVERBS_UL_verb_examples(Searched, UIList):
    """Examples of a verb with their place in its adverb space."""

    def text_of(self, item: PropertyGroup) -> str:
        example = bridge.data.example_list.referenced(item)
        return item.example_name if example is None else f"{item.action.name} {example.name}"

    def draw_row(self, context: Context, row: UILayout, item: PropertyGroup) -> None:
        example, verb = bridge.data.example_list.referenced(item), current_verb(context)
        used = row.row()
        used.enabled = not is_newer(item.id_data.verbs_adverbs)
        used.prop(item, "enabled", text="")
        if example is None:
            row.alert = True
            row.label(text=f"{item.example_name or item.action_name} (missing)", icon="ERROR")
            return
        name = row.row()
        name.active = item.enabled
        beginning = bridge.data.example_list.shown_beginning(verb)
        shown = f"\u2026{example.name.removeprefix(beginning)}" if beginning else example.name
        name.label(text=shown, icon=WARNED if _is_guilty(context, verb, item) else "NONE")
        if not is_narrow(context):
            at_right(row, _place(example, verb, current_armature(context).verbs_adverbs.adverbs), active=item.enabled)


def _is_guilty(context: Context, verb: PropertyGroup, item: PropertyGroup) -> bool:
    """Whether the verb's report says that something is wrong with an example, a row of the verb's list."""
    guilty = bridge.authoring.verbs.shown_status(current_armature(context), verb).guilty
    return any(bridge.data.current.at(verb.examples, row) == item for row in guilty)


def _place(example: PropertyGroup, verb: PropertyGroup, adverbs: Any) -> str:
    """The example's values as text, in the order of the verb's adverbs, rounded to fit their ranges."""
    extents = {one.name: one.maximum - one.minimum for one in adverbs}
    values = {one.name: told_number(one.value, extents.get(one.name, 0.0)) for one in example.values}  # pyright: ignore[reportGeneralTypeIssues]
    return ", ".join(values.get(adverb.name, "?") for adverb in verb.adverbs)


class VERBS_ADVERBS_PT_modes(Viewport, Panel):
    """Choose between everyday tools and one-time setup"""

    bl_label = "Modes"
    bl_idname = "VERBS_ADVERBS_PT_modes"
    bl_options = {"HIDE_HEADER"}
    bl_order = 0

    def draw(self, context: Context) -> None:
        layout = self.layout
        row = layout.row(align=True)
        row.scale_y = 1.2
        row.prop(context.window_manager.verbs_adverbs_tab, "mode", expand=True)
        _build_what_changed(context)
        if mode_of(context) == ANIMATE:
            _draw_what_lacks(layout, context)


def _build_what_changed(context: Context) -> None:
    """Have the chosen verb built when Blender is idle, if it has changed; in both modes."""
    armature, verb = current_armature(context), current_verb(context)
    if verb is not None and bridge.authoring.verbs.shown_status(armature, verb).state == "OUT_OF_DATE":
        bridge.session.handlers.build_soon(armature, verb)


def _draw_what_lacks(layout: UILayout, context: Context) -> None:
    """If there is nothing to animate, draw why."""
    armature = current_armature(context)
    if armature is None:
        sentence(layout, context, "Select an armature with verbs, or its mesh, director or target.")
    elif not can_animate(armature):
        sentence(layout, context, f"{armature.name} has no verbs yet: choose Set Up to make one.")


CLASSES = (
    VERBS_ADVERBS_UL_examples,
    VERBS_ADVERBS_UL_keytimes,
    VERBS_ADVERBS_UL_contacts,
    VERBS_ADVERBS_UL_adverbs,
    VERBS_ADVERBS_UL_verbs,
    VERBS_ADVERBS_UL_verb_examples,
    VERBS_ADVERBS_PT_modes,
)
