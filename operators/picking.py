"""Choosing: one verb from a menu, or several things from a long list in a dialog with ticks and a filter."""

from bpy.props import BoolProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup

from ..bridge.data.current import current_armature
from .intent import Intent

LONG, WIDE = 8, 12
_verbs: list[tuple[str, str, str]] = []


def verb_choices(_operator: Operator, context: Context) -> list[tuple[str, str, str]]:
    """The armature's verbs by their identifiers."""
    armature = current_armature(context) if context is not None else None
    verbs = armature.verbs_adverbs.verbs if armature is not None else ()
    _verbs[:] = [(item.uid, item.name, f"Verb {item.name}") for item in verbs]
    return _verbs


class Picker(Intent):
    """Mixin of an operator that asks which; a subclass gives `choices` and `offer`, and takes what is `picked`.

    `choices` is a collection of groups with at least a `name` and whether it is `chosen`.
    """

    filter: StringProperty(
        name="", description="Show only names that contain this", options={"SKIP_SAVE", "TEXTEDIT_UPDATE"}
    )
    every: BoolProperty(
        name="All of These",
        description="Take all the rows that are shown, not only those with a tick",
        options={"SKIP_SAVE"},
    )
    left_out: StringProperty(
        name="Left Out", description="What is not in the list, and why", options={"HIDDEN", "SKIP_SAVE"}
    )

    def offer(self, context: Context) -> str:
        """Add to `choices` what can be picked, `chosen` where that is the usual wish; say what cannot be, if anything.

        Where all of them are chosen, *All of These* is ticked, so that a filter narrows what is taken.
        """
        raise NotImplementedError

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask which."""
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
        for choice in shown:
            flow.prop(choice, "chosen", text=choice.name)
        if self.left_out:
            column.label(text=self.left_out, icon="INFO")

    def picked(self) -> list[PropertyGroup]:
        """Everything that is ticked, or all that is shown."""
        return self._shown() if self.every else [choice for choice in self.choices if choice.chosen]

    def _shown(self) -> list[PropertyGroup]:
        return [choice for choice in self.choices if self.filter.lower() in choice.name.lower()]
