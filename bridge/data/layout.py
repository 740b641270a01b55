"""Everything that an example consists of apart from its place, written at once over what was there."""

from dataclasses import dataclass, replace
from itertools import pairwise

from bpy.types import Action, PropertyGroup

from ...core.errors import ExampleError
from ..blender.naming import told_frame
from .annotate import (
    NEARLY,
    add_example,
    add_keytime,
    begin,
    check_editable,
    check_ends,
    remove_keytime,
    rename_keytime,
    set_span,
)
from .contacts import add_contact, add_window

Window = tuple[float, float]

DECIMALS = 3
"""Of frames: what is finer is rounding, and reads badly in a field."""


@dataclass(frozen=True)
class Layout:
    """Kind, keytimes and contacts of an example, in frames.

    Parameters
    ----------
    kind : as the annotation has it, such as ``'TRAVELLING'``.
    cyclic : the last keytime marks the same event as the first.
    keytimes : names and frames in the order of time, at least the two ends.
    contacts : bone, which end of it, and its windows.
    """

    kind: str
    cyclic: bool
    keytimes: tuple[tuple[str, float], ...]
    contacts: tuple[tuple[str, str, tuple[Window, ...]], ...]


def write_layout(action: Action, item: PropertyGroup | None, name: str, layout: Layout, fps: float) -> PropertyGroup:
    """Let an example of an action be laid out so; its values stay.

    Parameters
    ----------
    item : the example, None for a new one.
    name : of a new one.
    fps : frames per second at which the action's keys lie.

    Raises
    ------
    VerbsError
        If the action cannot be edited, or the span is empty.
    """
    layout = _tidied(layout)
    check_layout(action, layout)
    begin(action)
    start, end = layout.keytimes[0][1], layout.keytimes[-1][1]
    if item is None:
        item = add_example(action, name, start, end, fps)
    for index in reversed(range(1, len(item.keytimes) - 1)):
        remove_keytime(action, item, index)
    item.contacts.clear()
    set_span(action, item, start, end)
    item.fps, item.kind, item.cyclic = fps, layout.kind, layout.cyclic
    for index in (0, -1):
        rename_keytime(action, item.keytimes[index], layout.keytimes[index][0])
    for keytime, frame in layout.keytimes[1:-1]:
        add_keytime(action, item, keytime, frame)
    for bone, side, windows in layout.contacts:
        contact = add_contact(action, item, bone, side)
        for window in windows:
            add_window(action, item, contact, *window, snap=False)
    item.active_keytime = item.active_contact = 0
    return item


def check_layout(action: Action, layout: Layout) -> None:
    """Check that an example of an action can be laid out so.

    Raises
    ------
    VerbsError
        If the action cannot be edited, the span is empty, keytimes are not in order, or contact windows are empty or
        overlap.
    """
    check_editable(action)
    (_, start), (_, end) = layout.keytimes[0], layout.keytimes[-1]
    check_ends(action.name, start, end)
    for (before, frame), (name, later) in pairwise(layout.keytimes):
        if not frame + NEARLY <= later:
            raise ExampleError(
                f"In action '{action.name}' keytime '{name}' would lie at frame {told_frame(later)}, and '{before}'"
                f" before it at frame {told_frame(frame)}. Sort the keytimes, and move them apart."
            )
    windows: dict[tuple[str, str], list[Window]] = {}
    for bone, side, spans in layout.contacts:
        windows.setdefault((bone, side), []).extend(spans)
    for (bone, _), spans in windows.items():
        told = ", ".join(f"{told_frame(down)} to {told_frame(up)}" for down, up in sorted(spans))
        apart = all(one[1] <= other[0] for one, other in pairwise(sorted(spans)))
        if not apart or not all(down < up for down, up in spans):
            raise ExampleError(
                f"In action '{action.name}' the contact windows of '{bone}' would be {told}. Let each end after its"
                " start, and none overlap another."
            )


def _tidied(layout: Layout) -> Layout:
    """The same at frames without rounding errors of their own."""
    keytimes = tuple((name, _tidy(frame)) for name, frame in layout.keytimes)
    contacts = tuple(
        (bone, end, tuple((_tidy(a), _tidy(b)) for a, b in windows)) for bone, end, windows in layout.contacts
    )
    return replace(layout, keytimes=keytimes, contacts=contacts)


def _tidy(frame: float) -> float:
    return round(frame, DECIMALS) + 0.0
