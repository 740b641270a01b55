"""Every annotated example of the file, to pick from."""

from dataclasses import dataclass

import bpy
from bpy.types import Action, PropertyGroup

from ..core.errors import ExampleError


@dataclass(frozen=True)
class Listed:
    """An example in its action.

    Parameters
    ----------
    action : the action.
    item : the example's annotation.
    """

    action: Action
    item: PropertyGroup

    @property
    def label(self) -> str:
        """The action's name, and the example's where it says more."""
        if self.item.name == self.action.name:
            return self.action.name
        return f"{self.action.name}: {self.item.name}"


def annotated_examples() -> list[Listed]:
    """All examples by name of action."""
    return [Listed(action, item) for action in bpy.data.actions for item in action.verbs_adverbs.examples]


def listed(action: str, uid: str) -> Listed:
    """The example with an identifier in the action of a name; without an identifier the action's only example.

    Raises
    ------
    ExampleError
        If there is no such action or example.
    """
    found = [example for example in annotated_examples() if example.action.name == action]
    if not found:
        raise ExampleError(f"There is no action '{action}' with an example. Annotate the action first.")
    matching = [example for example in found if uid in {example.item.uid, ""}]
    if len(matching) != 1:
        raise ExampleError(f"Action '{action}' has no such example. Choose one of its {len(found)} examples.")
    return matching[0]
