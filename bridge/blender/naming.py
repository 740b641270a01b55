"""Names: free ones, checks of names that the user types, and how examples and frames are written in messages."""

from collections.abc import Iterable
from math import floor, isfinite, log10

import bpy
from bpy.types import Action, PropertyGroup

from ...core.errors import VerbError

LONGEST_NAME = 63
HUGE_FRAME = 1e9
COMMAND = "command"
HANDLES = ("steering stride", "steering tempo", "steering nudge x", "steering nudge y")
RESERVED = {"_RNA_UI", "cycles", "cycles_visibility", "verbs_adverbs", COMMAND, *HANDLES}


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """Return `wanted`, with a number if it is taken: walk, walk 2, walk 3."""
    names, number, found = set(taken), 1, wanted
    while found in names:
        number += 1
        found = f"{wanted} {number}"
    return found


def free_action_name(wanted: str) -> str:
    """Return `wanted`, with a number in brackets if an action has that name.

    Blender itself would append a suffix such as .001, which reads like the value of an adverb.
    """
    number, found = 1, cut(wanted, "")
    while found in bpy.data.actions:
        number += 1
        found = cut(wanted, f" ({number})")
    return found


def cut(name: str, ending: str) -> str:
    """Return a name with an ending; the name is shortened if Blender could not store both."""
    room = LONGEST_NAME - len(ending.encode())
    return name.encode()[:room].decode(errors="ignore").rstrip() + ending


def told_frame(frame: float) -> str:
    """Return a frame number as text for the user, to at most two decimal places."""
    if not abs(frame) < HUGE_FRAME:
        return f"{frame:.3g}"
    return f"{round(frame, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def told_number(number: float, extent: float) -> str:
    """Return a number as text, as precisely as matters within a range.

    Parameters
    ----------
    number : the number.
    extent : length of the range that contains it; about three digits of that are kept.
    """
    if not (isfinite(number) and 0.0 < extent < HUGE_FRAME):
        return f"{number:.3g}"
    decimals = max(2 - floor(log10(extent)), 0)
    told = f"{round(number, decimals) + 0.0:.{decimals}f}"
    return told.rstrip("0").rstrip(".") if decimals else told


def told_length(amount: float, precision: int = 2) -> str:
    """Return a length in the scene as text, in the scene's units.

    Parameters
    ----------
    amount : in the scene's own units.
    precision : decimal places.
    """
    units = bpy.context.scene.unit_settings
    return bpy.utils.units.to_string(units.system, "LENGTH", amount * units.scale_length, precision=precision)


def checked_name(name: str, what: str, taken: Iterable[str]) -> str:
    """Return a name for a new or renamed adverb or verb, stripped of surrounding blanks.

    Parameters
    ----------
    name : as it was typed.
    what : 'adverb' or 'verb'; an adverb's name is also that of a custom property of the director.
    taken : names of the others.

    Raises
    ------
    VerbError
        If it is empty, too long, taken, or one that Blender or an extension uses for data of its own on objects.
    """
    wanted = name.strip()
    if not wanted:
        raise VerbError(f"The {what} needs a name. Type one.")
    if len(wanted.encode()) > LONGEST_NAME:
        raise VerbError(
            f"The {what} name '{wanted}' is too long. Use at most {LONGEST_NAME} characters; accented and non-Latin "
            "ones count as two to four."
        )
    if wanted in set(taken):
        raise VerbError(f"Another {what} is already called '{wanted}'. Choose another name.")
    if what == "adverb" and wanted in RESERVED | _registered():
        raise VerbError(
            f"Objects already store other data under the name '{wanted}', so no slider can use it. Choose another name "
            "for the adverb."
        )
    return wanted


def _registered() -> set[str]:
    """Return names of properties that extensions defined on objects, custom properties up to Blender 4.5."""
    return {prop.identifier for prop in bpy.types.Object.bl_rna.properties if prop.is_runtime}


def example_name(action: Action, item: PropertyGroup) -> str:
    """Return the name of an example for the user: the action's name, and the example's own where it differs."""
    return action.name if item.name == action.name else f"{action.name}: {item.name}"
