"""Base classes of the operators: one explains greyed-out buttons and reports errors, one lets the user pick items."""

from collections.abc import Iterable
from textwrap import wrap
from typing import TYPE_CHECKING, ClassVar

from bpy.props import BoolProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup, UILayout

from ..bridge.blender.events import redraw_areas
from ..bridge.blender.store import forget_answers
from ..bridge.data.current import current_armature, face_again, facings
from ..bridge.session.handlers import note_edit
from ..core.errors import VerbsError
from .modes import go_to, mode_of

SHOWN_IN = ("VIEW_3D", "DOPESHEET_EDITOR", "NODE_EDITOR")
LONG, WIDE, MOST_ROWS = 8, 12, 60
"""Rows from which on a dialog has a filter and two columns, and a limit on the rows shown."""
LINE = 60
"""Characters that fit into a line of a dialog."""
ERROR_LINE = 100
"""Characters per line of an error that Blender shows at the mouse, where long lines would leave the window."""
_verbs: list[tuple[str, str, str]] = []


def told_of(items: Iterable[tuple[str, str, str]], name: str) -> str:
    """Description of one item of an enumeration, for the tooltip of a button that sets it."""
    return next(text for identifier, _, text in items if identifier == name)


class Intent:
    """Mixin of an operator. A subclass defines `do`, and `reason` when it cannot always run."""

    bl_options: ClassVar[set[str]] = {"REGISTER", "UNDO"}

    if TYPE_CHECKING:
        layout: UILayout

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Whether the operator can run now; if not, the tooltip says why."""
        reason = cls.reason(context)
        if reason:
            cls.poll_message_set(reason)
        return not reason

    @classmethod
    def reason(cls, context: Context) -> str:
        """Why the operator cannot run now, empty when it can."""
        return ""

    def do(self, context: Context) -> str | None:
        """Carry out the operator; return a sentence for the user or an empty text; None if there was nothing to do."""
        raise NotImplementedError

    def leads_to(self, _context: Context) -> str:
        """Mode of the tab for the next step, once this is done; empty to stay in the current one."""
        return ""

    def execute(self, context: Context) -> set[str]:
        """Run `do`, after checking again that the operator can run; on an error report its sentence and cancel.

        The tab stays in its mode, whatever the operator has made, unless `leads_to` names the other mode.
        """
        forget_answers()
        reason = self.reason(context)
        if reason:
            self.tell("ERROR", f"{reason}.")
            return {"CANCELLED"}
        kept, mode = facings(), mode_of(context)
        try:
            said = self.do(context)
        except VerbsError as error:
            face_again(kept)
            self.tell("ERROR", str(error))
            return {"CANCELLED"}
        if said is None:
            return {"CANCELLED"}
        note_edit()
        go_to(context, self.leads_to(context) or mode)
        redraw_areas(SHOWN_IN)
        if said:
            self.tell("INFO", said)
        return {"FINISHED"}

    def tell(self, kind: str, text: str) -> None:
        """Report something to the user."""
        self.report({kind}, on_lines(kind, text) if self.options.is_invoke else text)


def on_lines(kind: str, text: str) -> str:
    """Return a text as it is reported in a window: an error broken into lines, anything else unchanged.

    A space stands before each line break, since the status bar leaves line breaks out.
    """
    return " \n".join(wrap(text, ERROR_LINE)) if kind == "ERROR" else text


def verb_choices(_operator: Operator, context: Context | None) -> list[tuple[str, str, str]]:
    """Menu items for the verbs of the current armature, with the verbs' identifiers as values."""
    armature = current_armature(context)
    verbs = armature.verbs_adverbs.verbs if armature is not None else ()
    _verbs[:] = [(item.uid, item.name, f"Verb {item.name}") for item in verbs]
    return _verbs


class Picker(Intent):
    """Mixin of an operator that lets the user tick things in a dialog.

    A subclass defines `choices` and `offer`, and works on what is `picked`.

    `choices` is a collection of groups with at least a `name` and whether it is `chosen`.
    """

    filter: StringProperty(
        name="", description="Show only names that contain this text", options={"SKIP_SAVE", "TEXTEDIT_UPDATE"}
    )
    every: BoolProperty(
        name="All of These",
        description="Use all rows that are shown, not only those that are ticked",
        options={"SKIP_SAVE"},
    )
    left_out: StringProperty(
        name="Left Out", description="What is missing from the list, and why", options={"HIDDEN", "SKIP_SAVE"}
    )

    def offer(self, context: Context) -> str:
        """Add to `choices` what can be picked, the likely ones as `chosen`; return a text about what cannot be picked.

        If all items are chosen, *All of These* is ticked, so that a filter narrows the choice.
        """
        raise NotImplementedError

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Show the dialog."""
        self.choices.clear()
        self.left_out = self.offer(context)
        self.every = all(choice.chosen for choice in self.choices)
        return context.window_manager.invoke_props_dialog(self, width=400)

    def draw(self, _context: Context) -> None:
        """Draw the ticks."""
        column = self.layout.column()
        if len(self.choices) > LONG:
            column.prop(self, "filter", icon="VIEWZOOM")
        column.prop(self, "every")
        shown = self._shown()
        flow = column.grid_flow(row_major=True, columns=2 if len(shown) > WIDE else 1, even_columns=True)
        flow.active = flow.enabled = not self.every
        for choice in shown[:MOST_ROWS]:
            flow.prop(choice, "chosen", text=choice.name)
        if len(shown) > MOST_ROWS:
            column.label(text=f"and {len(shown) - MOST_ROWS} more: type above to filter the list")
        hidden = 0 if self.every else sum(choice.chosen for choice in self.choices if choice not in shown)
        if hidden:
            column.label(text=f"{hidden} more ticked row{' is' if hidden == 1 else 's are'} not shown", icon="INFO")
        for row, line in enumerate(wrap(self.left_out, LINE)):
            column.label(text=line, icon="BLANK1" if row else "INFO")

    def picked(self) -> list[PropertyGroup]:
        """Everything that is ticked, or everything shown."""
        return self._shown() if self.every else [choice for choice in self.choices if choice.chosen]

    def _shown(self) -> list[PropertyGroup]:
        return [choice for choice in self.choices if self.filter.lower() in choice.name.lower()]
