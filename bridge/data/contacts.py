"""Editing the contact points of an example and the windows in which they stand still; called by operators."""

from collections.abc import Sequence

from bpy.types import Action, PropertyGroup

from ...core.errors import ExampleError
from ..blender.naming import told_frame
from .annotate import begin, check_editable
from .markers import effective_keytimes, effective_windows
from .schema import remove_row

SNAP = 1.0


def add_contact(action: Action, item: PropertyGroup, bone: str, end: str = "HEAD") -> PropertyGroup:
    """Add a contact point to an example, unless it has it already; returns the point.

    Parameters
    ----------
    bone : name of the bone that carries it.
    end : ``'HEAD'`` or ``'TAIL'`` of the bone.
    """
    begin(action)
    for index, contact in enumerate(item.contacts):
        if (contact.bone, contact.end) == (bone, end):
            item.active_contact = index
            return contact
    contact = item.contacts.add()
    contact.bone, contact.end = bone, end
    item.active_contact = len(item.contacts) - 1
    return contact


def remove_contact(action: Action, item: PropertyGroup, index: int) -> None:
    """Remove a contact point with its windows."""
    begin(action)
    remove_row(item, "contacts", "active_contact", index)


def add_window(
    action: Action, item: PropertyGroup, contact: PropertyGroup, start: float, end: float, snap: bool = True
) -> PropertyGroup:
    """Add a window in which a contact point stands still; it may reach beyond the ends of the example.

    Parameters
    ----------
    start, end : first and last frame.
    snap : whether to move an end onto a keytime that is at most a frame away.

    Raises
    ------
    ExampleError
        If the window is empty or overlaps another one of the point.
    """
    check_editable(action)
    if snap:
        frames = [at for _, at in effective_keytimes(action, item)]
        start, end = (_snapped(frames, frame) for frame in (start, end))
    if not start < end:
        raise ExampleError(
            f"The contact window {told_frame(start)} to {told_frame(end)} of '{contact.bone}' has no length. Choose an "
            "end after the start."
        )
    for down, up in effective_windows(action, item, contact):
        if start < up and down < end:
            raise ExampleError(
                f"'{contact.bone}' already stands still from {told_frame(down)} to {told_frame(up)}, which overlaps "
                f"{told_frame(start)} to {told_frame(end)}. Change that window instead."
            )
    begin(action)
    window = contact.windows.add()
    window.start, window.end = start, end
    place = sum(other.start < window.start for other in contact.windows)
    contact.windows.move(len(contact.windows) - 1, place)
    contact.active_window = place
    return contact.windows[place]


def remove_window(action: Action, contact: PropertyGroup, index: int) -> None:
    """Remove a window of a contact point."""
    begin(action)
    remove_row(contact, "windows", "active_window", index)


def _snapped(keytimes: Sequence[float], frame: float) -> float:
    nearest = min(keytimes, key=lambda other: abs(other - frame), default=frame)
    return nearest if abs(nearest - frame) <= SNAP else frame


def begin_window(action: Action, item: PropertyGroup, contact: PropertyGroup, frame: float) -> None:
    """Let a contact point come to rest at a frame.

    A window that contains the frame begins there from now on; else a new one lasts until the next keytime or window.

    Raises
    ------
    ExampleError
        If nothing comes after the frame.
    """
    windows = effective_windows(action, item, contact)
    for row, (down, up) in enumerate(windows):
        if down < frame < up:
            begin(action)
            contact.windows[row].start = frame
            return
    later = [at for _, at in effective_keytimes(action, item)] + [down for down, _ in windows]
    ends = [at for at in later if at > frame]
    if not ends:
        raise ExampleError(
            f"Frame {told_frame(frame)} is the end of example '{item.name}', so no contact can begin there. Go to an "
            "earlier frame."
        )
    add_window(action, item, contact, frame, min(ends), snap=False)


def end_window(action: Action, item: PropertyGroup, contact: PropertyGroup, frame: float) -> None:
    """Let a contact point leave at a frame: the last window that begins before the frame ends there.

    Raises
    ------
    ExampleError
        If no window began before the frame.
    """
    begun = {down: row for row, (down, _) in enumerate(effective_windows(action, item, contact)) if down < frame}
    if not begun:
        raise ExampleError(
            f"'{contact.bone}' is not down before frame {told_frame(frame)} in example '{item.name}'. Press Down Here "
            "at an earlier frame first."
        )
    begin(action)
    contact.windows[begun[max(begun)]].end = frame
