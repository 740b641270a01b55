"""Contact windows drawn while stepping through an action: the point comes down here, and goes up here."""

from bpy.types import Action, PropertyGroup

from ..core.errors import ExampleError
from .contacts import add_window
from .markers import effective_keytimes


def begin_window(action: Action, item: PropertyGroup, contact: PropertyGroup, frame: float) -> None:
    """Let a contact point come to rest at a frame.

    A window that is there already begins at the frame; a new one lasts until the next keytime or window.

    Raises
    ------
    ExampleError
        If nothing comes after the frame.
    """
    for window in contact.windows:
        if window.start < frame < window.end:
            window.start = frame
            return
    later = [at for _, at in effective_keytimes(action, item)] + [window.start for window in contact.windows]
    ends = [at for at in later if at > frame]
    if not ends:
        raise ExampleError(
            f"Frame {frame:g} is at the end of example '{item.name}': no contact can begin there. Go back a little."
        )
    add_window(action, item, contact, frame, min(ends), snap=False)


def end_window(action: Action, item: PropertyGroup, contact: PropertyGroup, frame: float) -> None:
    """Let a contact point leave at a frame: the window that began last before it ends there.

    Raises
    ------
    ExampleError
        If no window began before the frame.
    """
    begun = [window for window in contact.windows if window.start < frame]
    if not begun:
        raise ExampleError(
            f"'{contact.bone}' is not down before frame {frame:g} in example '{item.name}'. Say where it comes down."
        )
    max(begun, key=lambda window: window.start).end = frame
