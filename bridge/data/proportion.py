"""Keytimes and contact windows that a copied example holds in proportion, until the user has moved a keytime."""

from bpy.types import Action, PropertyGroup

from .markers import place_marker

NEARLY = 1e-3


def note_placed(item: PropertyGroup) -> None:
    """Remember that the keytimes between the ends stand where they were put in proportion, by nobody's hand."""
    for keytime in item.keytimes[1:-1]:
        keytime.placed = keytime.frame


def is_untouched(item: PropertyGroup) -> bool:
    """Whether every keytime between the ends still stands where it was put in proportion."""
    inner = item.keytimes[1:-1]
    return bool(inner) and all(k.is_property_set("placed") and abs(k.frame - k.placed) < NEARLY for k in inner)


def scale(action: Action, item: PropertyGroup, before: tuple[float, float], after: tuple[float, float]) -> None:
    """Bring the keytimes between the ends, and all contact windows, from one span to another in proportion.

    Parameters
    ----------
    action, item : an example of the action.
    before, after : first and last frame.
    """
    stretch = (after[1] - after[0]) / (before[1] - before[0])
    for keytime in item.keytimes[1:-1]:
        keytime.frame = after[0] + (keytime.frame - before[0]) * stretch
        place_marker(action, keytime)
    for window in (window for contact in item.contacts for window in contact.windows):
        window.start, window.end = (after[0] + (edge - before[0]) * stretch for edge in (window.start, window.end))
    note_placed(item)
