"""Contact windows drawn while stepping through an action: the point comes down here, and goes up here."""

from bpy.types import Action, PropertyGroup

from ...core.errors import ExampleError
from ..blender.naming import told_frame
from .annotate import begin
from .contacts import add_window
from .markers import effective_keytimes, effective_windows


def begin_window(action: Action, item: PropertyGroup, contact: PropertyGroup, frame: float) -> None:
    """Let a contact point come to rest at a frame.

    A window that is there already begins at the frame; a new one lasts until the next keytime or window.

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
            f"Frame {told_frame(frame)} is at the end of example '{item.name}': no contact can begin there. Go back a"
            " little."
        )
    add_window(action, item, contact, frame, min(ends), snap=False)


def end_window(action: Action, item: PropertyGroup, contact: PropertyGroup, frame: float) -> None:
    """Let a contact point leave at a frame: the window that began last before it ends there.

    Raises
    ------
    ExampleError
        If no window began before the frame.
    """
    begun = {down: row for row, (down, _) in enumerate(effective_windows(action, item, contact)) if down < frame}
    if not begun:
        raise ExampleError(
            f"'{contact.bone}' is not down before frame {told_frame(frame)} in example '{item.name}'. Say where it"
            " comes down."
        )
    begin(action)
    contact.windows[begun[max(begun)]].end = frame
