"""Listing the annotated examples of the file, and what a verb stores of each of its examples."""

from collections.abc import Iterator
from os.path import commonprefix
from typing import NamedTuple

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import Action, Object, PropertyGroup

from ...core.errors import ExampleError
from ..blender.naming import example_name
from ..blender.store import while_unchanged
from .bones.names import keyed_names, names_in_curves
from .schema import ENCODINGS

LONG, BETWEEN = 18, " _-."
"""Letters beyond which a name is too long for a row of a list, and the separators between words of names."""


class VERBS_ADVERBS_ExampleRef(PropertyGroup):
    """An example that a verb is built from."""

    action: PointerProperty(type=bpy.types.Action, name="Action")
    example_uid: StringProperty(name="Example", description="Identifier of the example in its action")
    enabled: BoolProperty(name="Use", description="Build the verb from this example", default=True)
    action_name: StringProperty(name="Action Name", description="Last known name of the action")
    example_name: StringProperty(name="Example Name", description="Last known name of the example")
    bones: StringProperty(
        name="Bones",
        description="Last known digest of the bone names in the action's curves; empty if unknown",
    )
    control_points: IntProperty(
        name="Control Points",
        description="Number of control points of this example's curves in this verb; 0 to use the verb's setting",
        min=0,
        soft_max=256,
    )
    encoding: EnumProperty(
        name="Encoding",
        description="How this example's curves are interpolated between control points",
        items=ENCODINGS,
    )


class Listed(NamedTuple):
    """An example with its action.

    Parameters
    ----------
    action : the action.
    item : the example's annotation.
    """

    action: Action
    item: PropertyGroup

    @property
    def label(self) -> str:
        """The action's name, and the example's name if it differs."""
        return example_name(self.action, self.item)


def annotated_examples() -> list[Listed]:
    """Return all annotated examples, sorted by the names of their actions."""
    return [Listed(action, item) for action in bpy.data.actions for item in action.verbs_adverbs.examples]


def moves(action: Action, armature: Object) -> bool:
    """Return whether an action moves a bone of an armature."""
    names = names_in_curves(armature, action)
    return any(names.bone(name) in armature.data.bones for name in keyed_names(action, armature))


def listed(action: str, uid: str) -> Listed:
    """Return the example with an identifier in the action of a name; without an identifier, the action's only example.

    Raises
    ------
    ExampleError
        If there is no such action or example.
    """
    found = [example for example in annotated_examples() if example.action.name == action]
    if not found:
        raise ExampleError(f"There is no action '{action}' with an example. Mark an example in it first.")
    matching = [example for example in found if uid in {example.item.uid, ""}]
    if len(matching) != 1:
        raise ExampleError(f"Action '{action}' does not have that example. Choose one of its {len(found)} examples.")
    return matching[0]


def used_examples(verb: PropertyGroup) -> Iterator[PropertyGroup]:
    """Yield the examples from which a verb is built, except missing ones."""
    found = (referenced(reference) for reference in verb.examples if reference.enabled)
    return (example for example in found if example is not None)


def verb_with(
    armature: Object, example: PropertyGroup, preferred: PropertyGroup | None
) -> tuple[PropertyGroup | None, int]:
    """Return a verb of an armature with an example, preferably the given verb, and the example's row; else none."""
    for verb in sorted(armature.verbs_adverbs.verbs, key=lambda verb: verb != preferred):
        for row, reference in enumerate(verb.examples):
            if reference.example_uid == example.uid and reference.action == example.id_data:
                return verb, row
    return None, -1


def referenced(reference: PropertyGroup) -> PropertyGroup | None:
    """Return the example that a verb's reference refers to, or None if the action or the example is missing."""
    examples = reference.action.verbs_adverbs.examples if reference.action else ()
    return next((example for example in examples if example.uid == reference.example_uid), None)


def shown_beginning(verb: PropertyGroup) -> str:
    """Return whole words with which all of a verb's long example names begin; empty if they are short, or differ.

    It is cached until something changes, as panels request it for every row.
    """
    return while_unchanged(("beginning", verb.id_data.session_uid, verb.uid), lambda: _beginning(verb))


def _beginning(verb: PropertyGroup) -> str:
    names = [example.name for example in map(referenced, verb.examples) if example is not None]
    if len(names) < 2 or max(map(len, names)) < LONG:
        return ""
    alike = commonprefix(names)
    return alike[: max(alike.rfind(mark) for mark in BETWEEN) + 1]
