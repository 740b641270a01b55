"""Words for what the user sees: free names, ones that cannot be taken, how actions, examples and frames are called."""

from collections.abc import Iterable

import bpy
from bpy.types import Action, PropertyGroup

from ...core.errors import VerbError

LONGEST_NAME = 63
HUGE_FRAME = 1e9
COMMAND = "command"
HANDLES = ("steering stride", "steering tempo", "steering nudge x", "steering nudge y")
RESERVED = {"_RNA_UI", "cycles", "cycles_visibility", "verbs_adverbs", COMMAND, *HANDLES}


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """`wanted`, numbered when it is taken: walk, walk 2, walk 3."""
    names, number, found = set(taken), 1, wanted
    while found in names:
        number += 1
        found = f"{wanted} {number}"
    return found


def free_action_name(wanted: str) -> str:
    """`wanted`, with a number in brackets when an action has that name: Blender's own suffix reads like a value."""
    number, found = 1, cut(wanted, "")
    while found in bpy.data.actions:
        number += 1
        found = cut(wanted, f" ({number})")
    return found


def cut(name: str, ending: str) -> str:
    """A name with an ending, as long as Blender can store it."""
    room = LONGEST_NAME - len(ending.encode())
    return name.encode()[:room].decode(errors="ignore").rstrip() + ending


def told_frame(frame: float) -> str:
    """A frame for reading: two decimals where it needs them, and no more digits than anybody reads."""
    if not abs(frame) < HUGE_FRAME:
        return f"{frame:.3g}"
    return f"{round(frame, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def checked_name(name: str, what: str, taken: Iterable[str]) -> str:
    """A name for a new or renamed thing, without the blanks around it.

    Parameters
    ----------
    name : as it was typed.
    what : 'adverb' or 'verb'; an adverb's name is also that of a custom property of the director.
    taken : names of the others.

    Raises
    ------
    VerbError
        If it is empty, too long, taken, or one that Blender or an extension keeps for data of its own on objects.
    """
    wanted = name.strip()
    if not wanted:
        raise VerbError(f"The {what} needs a name.")
    if len(wanted.encode()) > LONGEST_NAME:
        raise VerbError(
            f"'{wanted}' is too long for the name of {what}. Use at most {LONGEST_NAME} letters; those beyond a to z"
            " count two to four."
        )
    if wanted in set(taken):
        raise VerbError(f"There is {what} '{wanted}' already. Choose another name.")
    if what == "adverb" and wanted in RESERVED | _registered():
        raise VerbError(
            f"Other data is kept under the name '{wanted}' on objects, so no slider can have it. Choose another name"
            " for the adverb."
        )
    return wanted


def _registered() -> set[str]:
    """Properties that extensions have hung on objects: up to Blender 4.5 they are stored among the custom ones."""
    return {prop.identifier for prop in bpy.types.Object.bl_rna.properties if prop.is_runtime}


def example_name(action: Action, item: PropertyGroup) -> str:
    """Name of an example to the user: the action's, and its own where that says more."""
    return action.name if item.name == action.name else f"{action.name}: {item.name}"
