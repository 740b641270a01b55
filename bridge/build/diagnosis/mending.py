"""What the buttons beside the lines of a report do: each mends one mistake in a verb, its examples or its adverbs."""

from typing import cast

import bpy
from bpy.types import Action, Object, PropertyGroup

from ....core.errors import ExampleError, VerbError
from ...blender.naming import told_frame
from ...data.annotate import (
    check_between,
    check_editable,
    fps_of,
    move_keytime,
    rename_keytime,
    set_value,
    value_of,
)
from ...data.current import at
from ...data.director import check_range, keep_in_step
from ...data.example_list import referenced
from ...data.schema import KERNELS
from ..definitions import add_reference_like
from ..mirroring import mirror_action, turning_adverbs
from ..pad import range_of
from .lines import Mend
from .turning import begin_elsewhere

DEGREES = range(3)


def mend(armature: Object, item: PropertyGroup, row: int, wanted: Mend) -> str:
    """Mend a verb as one of its lines says, and return a sentence.

    Parameters
    ----------
    armature, item : an armature object and one of its verbs.
    row : row of the example in the verb's list, which a kernel needs not.
    wanted : what to do.

    Raises
    ------
    VerbsError
        If that cannot be done, because something has changed meanwhile. Nothing is changed then.
    """
    if wanted.mend == "KERNEL":
        return _choose_kernel(item, wanted)
    if wanted.mend == "UNTICK":
        return _untick(item, row)
    action, example = _example(item, row)
    if wanted.mend == "EXCHANGE":
        return _exchange(item, action, example, *_example(item, wanted.other))
    if wanted.mend == "KEYTIME":
        if not 0 < wanted.number < len(example.keytimes) - 1:
            raise ExampleError(f"'{example.name}' has no such keytime any more. Press Check Examples again.")
        check_editable(action)
        check_between(action, example, wanted.number, wanted.frame)
        move_keytime(action, example, wanted.number, wanted.frame)
        named = example.keytimes[wanted.number].name
        return f"Moved keytime '{named}' of '{example.name}' to frame {told_frame(wanted.frame)}"
    if wanted.mend == "CYCLE":
        check_editable(action)
        return begin_elsewhere(armature, action, example, wanted.number)
    if wanted.mend == "MIRROR":
        return _mirror(armature, item, row, action, example)
    if wanted.mend == "RANGE":
        return _widen(armature, example, wanted.word)
    raise VerbError(f"Nothing mends verb '{item.name}' by itself. Press one of the buttons under Report.")


def _example(item: PropertyGroup, row: int) -> tuple[Action, PropertyGroup]:
    """Return an example of a verb with its action, by its row in the verb's list."""
    reference = at(item.examples, row)
    example = referenced(reference) if reference is not None else None
    if example is None:
        raise ExampleError(f"Verb '{item.name}' has no such example any more. Press Check Examples again.")
    return reference.action, example


def _exchange(
    item: PropertyGroup, action: Action, example: PropertyGroup, other_action: Action, other: PropertyGroup
) -> str:
    names = [used.name for used in item.adverbs]
    values = [[value_of(one, name) for name in names] for one in (example, other)]
    if example == other or any(value is None for both in values for value in both):
        raise ExampleError(f"'{example.name}' and '{other.name}' have no values to exchange. Give both all values.")
    for one in (action, other_action):
        check_editable(one)
    for name, mine, theirs in zip(names, *values, strict=True):
        set_value(action, example, name, theirs)
        set_value(other_action, other, name, mine)
    return f"'{example.name}' and '{other.name}' have each other's adverb values now"


def _mirror(armature: Object, item: PropertyGroup, row: int, action: Action, example: PropertyGroup) -> str:
    """Let the mirror image of an example take its place, with the same names of keytimes."""
    names = turning_adverbs(item, [value.name for value in example.values])  # pyright: ignore[reportGeneralTypeIssues]
    made = mirror_action(armature, action, example, names, fps_of(example, bpy.context.scene))
    copy = cast(PropertyGroup, made.item)
    for keytime, mirrored in zip(example.keytimes, copy.keytimes, strict=True):
        rename_keytime(made.action, mirrored, keytime.name)
    add_reference_like(item, row, made.action, copy)
    item.examples[row].enabled = False
    said = f"'{copy.name}' takes the place of '{example.name}' in '{item.name}', which is not ticked any more"
    return ". ".join([said, *made.warnings])


def _untick(item: PropertyGroup, row: int) -> str:
    reference = at(item.examples, row)
    if reference is None or not any(one.enabled for one in item.examples if one != reference):
        raise ExampleError(f"Verb '{item.name}' would have no example left. Add others first.")
    reference.enabled = False
    return f"'{item.name}' is built without '{reference.example_name}' now; tick it again under Its Examples"


def _widen(armature: Object, example: PropertyGroup, name: str) -> str:
    adverb, value = armature.verbs_adverbs.adverbs.get(name), value_of(example, name)
    if adverb is None or value is None:
        raise VerbError(f"There is no adverb '{name}', or '{example.name}' has no value for it any more.")
    extent = range_of(armature, name)
    low, high = min(*extent, value), max(*extent, value)
    check_range(name, low, high)
    adverb.minimum, adverb.maximum = low, high
    keep_in_step(armature)
    return f"'{name}' ranges from {low:g} to {high:g} now"


def _choose_kernel(item: PropertyGroup, wanted: Mend) -> str:
    named = next((label for name, label, _ in KERNELS if name == wanted.word), "")
    if not named or wanted.number not in DEGREES:
        raise VerbError(f"There is no kernel '{wanted.word}' of degree {wanted.number}. Choose one of the menu.")
    item.kernel, item.degree = wanted.word, wanted.number
    return f"'{item.name}' has kernel {named} of degree {wanted.number} now"
