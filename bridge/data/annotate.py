"""Annotating an action: editing examples with their span, keytimes, contacts and values; called by operators.

Every function that writes first checks everything, with keytimes at their markers, and only then updates
keytimes and markers. So a rejected edit leaves the action unchanged.
"""

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any

from bpy.types import Action, PropertyGroup, Scene

from ...core.errors import ActionError, ExampleError
from ..blender.naming import free_name, told_frame
from ..blender.versions import curves_of
from .current import newer_told
from .markers import (
    LAST_FRAME,
    carry_windows,
    effective_keytimes,
    effective_span,
    effective_windows,
    place_marker,
    remove_marker,
    sync,
)
from .schema import new_uid, note, remove_row

NEARLY = 1e-3
SNAP = 1.0
"""Distance in frames within which an end of a contact window snaps to a keytime."""
SLOWEST = 1e-3
"""Lowest number of frames per second that is accepted as a rate: other code may have written what is stored."""


def check_editable(action: Action) -> None:
    """Check that an action may be annotated.

    Raises
    ------
    ActionError
        If it is linked from another file, or was annotated by a later version.
    """
    if action.override_library is not None:
        raise ActionError(
            f"Action '{action.name}' is a library override, so examples marked in it would not be saved. Edit it in "
            "its library file, or make it local."
        )
    if action.library is not None:
        raise ActionError(
            f"Action '{action.name}' is linked from {action.library.filepath}, so its examples cannot be edited here. "
            "Edit them there, or make the action local."
        )
    check_known(action)


def check_known(action: Action) -> None:
    """Check that an action was not annotated by a later version.

    Raises
    ------
    ActionError
        If it was.
    """
    newer = newer_told("Action", action)
    if newer:
        raise ActionError(f"{newer}. Update the extension.")


def keep_found(action: Action, lines: Iterable[tuple[str, str]]) -> None:
    """Store kinds and sentences about what was found in an action, for the panel to show, replacing earlier ones."""
    found = begin(action).found
    found.clear()
    for kind, text in lines:
        line = found.add()
        line.kind, line.text = kind, text


def begin(action: Action) -> PropertyGroup:
    """Prepare an action's annotation for a change: check it, store the schema, and update keytimes and markers."""
    check_editable(action)
    annotation = action.verbs_adverbs
    note(annotation)
    sync(action)
    return annotation


def scene_fps(scene: Scene) -> float:
    """Return frames per second of a scene."""
    return scene.render.fps / scene.render.fps_base


def check_frame(frame: float) -> None:
    """Check that Blender can go to a frame.

    Raises
    ------
    ActionError
        If it cannot.
    """
    if not abs(frame) <= LAST_FRAME:
        raise ActionError(
            f"Blender cannot go to frame {told_frame(frame)}. Move the keytime or key there to a valid frame first."
        )


def go_to(scene: Scene, frame: float) -> None:
    """Set the current frame, which may be a subframe.

    Raises
    ------
    ActionError
        If Blender has no such frame.
    """
    check_frame(frame)
    scene.frame_set(int(frame // 1.0), subframe=frame % 1.0)


def fps_of(item: PropertyGroup, scene: Scene) -> float:
    """Return the frame rate at which an example's frames were set; the scene's if the example stores none."""
    return item.fps if item.fps >= SLOWEST else scene_fps(scene)


def key_range(action: Action) -> tuple[float, float]:
    """Return the first and last frame of an action that has a key.

    Raises
    ------
    ActionError
        If the action has no key.
    """
    ends = [frame for curve in curves_of(action) for frame in curve.range() if isfinite(frame)]
    if not ends:
        raise ActionError(f"Action '{action.name}' has no keys. Animate it before marking examples in it.")
    return min(ends), max(ends)


def add_example(action: Action, name: str, start: float, end: float, fps: float) -> PropertyGroup:
    """Mark a span of an action as an example; its ends become its first and last keytime.

    Parameters
    ----------
    action : the action.
    name : the example's name; a number is added if it is taken.
    start, end : first and last frame.
    fps : frame rate of the action's keys, in frames per second.

    Raises
    ------
    VerbsError
        If the action cannot be edited or the span is empty.
    """
    check_ends(name, start, end)
    annotation = begin(action)
    item = annotation.examples.add()
    item.uid, item.fps = new_uid(), fps
    item.name = free_name(name, [other.name for other in annotation.examples if other != item])
    item.start, item.end = start, end
    for keytime, frame in (("start", start), ("end", end)):
        _new_keytime(action, item, keytime, frame)
    annotation.active_example = len(annotation.examples) - 1
    return item


def remove_example(action: Action, item: PropertyGroup) -> None:
    """Remove an example with its markers."""
    annotation = begin(action)
    for keytime in item.keytimes:
        remove_marker(action, keytime.uid)
    remove_row(annotation, "examples", "active_example", list(annotation.examples).index(item))


def set_span(action: Action, item: PropertyGroup, start: float, end: float) -> None:
    """Move the ends of an example's span.

    Keytimes between them stay in place. If they were copied and the user has not moved them yet, they are scaled
    with the span.
    """
    check_ends(item.name, start, end)
    begin(action)
    before = [keytime.frame for keytime in item.keytimes]
    scaled = is_untouched(item)
    if scaled:
        scale(action, item, (before[0], before[-1]), (start, end))
    while len(item.keytimes) < 2:
        _new_keytime(action, item, ("start", "end")[len(item.keytimes)], end)
    item.start, item.end = start, end
    for keytime, frame in ((item.keytimes[0], start), (item.keytimes[-1], end)):
        _move(action, keytime, frame)
    if len(before) == len(item.keytimes) and not scaled:
        carry_windows(item, before)


def add_keytime(action: Action, item: PropertyGroup, name: str, frame: float) -> PropertyGroup:
    """Add a keytime within an example's span; the list stays in chronological order.

    Raises
    ------
    ExampleError
        If the frame lies outside the span or another keytime is there.
    """
    check_editable(action)
    start, end = effective_span(item)
    if not start < frame < end:
        raise ExampleError(
            f"Frame {told_frame(frame)} is outside example '{item.name}', which spans frames {told_frame(start)} to "
            f"{told_frame(end)}. Go to a frame within it, or move its ends."
        )
    same = next((known for known, at in effective_keytimes(item) if abs(at - frame) < NEARLY), None)
    if same is not None:
        raise ExampleError(
            f"Example '{item.name}' already has the keytime '{same}' at frame {told_frame(frame)}. Rename it, or go to "
            "another frame."
        )
    begin(action)
    _new_keytime(action, item, name, frame)
    place = sum(keytime.frame < item.keytimes[-1].frame for keytime in item.keytimes)
    item.keytimes.move(len(item.keytimes) - 1, place)
    item.active_keytime = place
    return item.keytimes[place]


def remove_keytime(action: Action, item: PropertyGroup, index: int) -> None:
    """Remove a keytime between the ends, and its marker.

    Raises
    ------
    ExampleError
        If it is the first or the last, which are the ends of the span.
    """
    if not 0 < index < len(item.keytimes) - 1:
        raise ExampleError(
            f"The first and last keytime of example '{item.name}' mark its ends and cannot be removed. Move them "
            "instead."
        )
    begin(action)
    remove_marker(action, item.keytimes[index].uid)
    item.keytimes.remove(index)
    item.active_keytime = min(item.active_keytime, len(item.keytimes) - 1)


def rename_keytime(action: Action, keytime: PropertyGroup, name: str) -> None:
    """Rename a keytime and its marker."""
    begin(action)
    keytime.name = name
    place_marker(action, keytime)


def check_between(item: PropertyGroup, index: int, frame: float) -> None:
    """Check that a keytime can move to a frame without passing its neighbours.

    Raises
    ------
    ExampleError
        If it cannot.
    """
    frames = [at for _, at in effective_keytimes(item)]
    before, after = frames[max(index - 1, 0) : index], frames[index + 1 : index + 2]
    if not (all(there < frame for there in before) and all(frame < there for there in after)):
        raise ExampleError(
            f"Keytime '{item.keytimes[index].name}' cannot move to frame {told_frame(frame)}, past its neighbours at "
            f"{' and '.join(map(told_frame, before + after))}. Go to a frame between them, or move the neighbours "
            "first."
        )


def move_keytime(action: Action, item: PropertyGroup, index: int, frame: float) -> None:
    """Move a keytime and its marker; the first and last move the ends of the span with them."""
    start, end = effective_span(item)
    ends = {0: (frame, end), len(item.keytimes) - 1: (start, frame)}
    if index in ends:
        set_span(action, item, *ends[index])
    else:
        begin(action)
        before = [keytime.frame for keytime in item.keytimes]
        _move(action, item.keytimes[index], frame)
        carry_windows(item, before)


def sort_keytimes(action: Action, item: PropertyGroup) -> None:
    """Sort an example's keytimes by time; the outermost become the ends of the span."""
    begin(action)
    order = sorted(range(len(item.keytimes)), key=lambda index: item.keytimes[index].frame)
    uids = [item.keytimes[index].uid for index in order]
    for place, uid in enumerate(uids):
        item.keytimes.move([keytime.uid for keytime in item.keytimes].index(uid), place)
    if uids:
        item.start, item.end = item.keytimes[0].frame, item.keytimes[-1].frame


def value_of(item: PropertyGroup, adverb: str) -> float | None:
    """Return the value of an adverb in an example, None if it has none."""
    values: Any = item.values
    return next((value.value for value in values if value.name == adverb), None)


def set_value(action: Action, item: PropertyGroup, adverb: str, value: float) -> None:
    """Set an example's value for an adverb."""
    begin(action)
    values: Any = item.values
    found = next((entry for entry in values if entry.name == adverb), None) or values.add()
    found.name, found.value = adverb, value


def rename_value(action: Action, old: str, new: str, keep_old: bool, drop_new: bool) -> None:
    """Rename an adverb in all examples of an action; its values replace existing ones under the new name.

    Parameters
    ----------
    keep_old : whether the values under the old name stay as well, since something else uses that name.
    drop_new : whether to remove values of the new name also from examples that have none under the old name.
    """
    for item in begin(action).examples:
        amount = value_of(item, old)
        for name, goes in ((new, amount is not None or drop_new), (old, not keep_old)):
            if goes and name in item.values:
                item.values.remove(item.values.find(name))
        if amount is not None:
            set_value(action, item, new, amount)


def check_ends(name: str, start: float, end: float) -> None:
    """Check that a span is valid for an example; the example's name is for the message.

    Raises
    ------
    ExampleError
        If the span is empty, or an end of it is not a number.
    """
    if not (isfinite(start) and isfinite(end) and end > start):
        raise ExampleError(
            f"Example '{name}' cannot span frames {told_frame(start)} to {told_frame(end)}. Choose an end after the "
            "start."
        )


def _new_keytime(action: Action, item: PropertyGroup, name: str, frame: float) -> None:
    annotation = action.verbs_adverbs
    keytime = item.keytimes.add()
    keytime.uid, annotation.next_id = annotation.next_id, annotation.next_id + 1
    keytime.name, keytime.frame = name, frame
    place_marker(action, keytime)


def _move(action: Action, keytime: PropertyGroup, frame: float) -> None:
    keytime.frame = frame
    place_marker(action, keytime)


def note_placed(item: PropertyGroup) -> None:
    """Store that the keytimes between the ends were placed proportionally, not by the user."""
    for keytime in item.keytimes[1:-1]:
        keytime.placed = keytime.frame


def is_untouched(item: PropertyGroup) -> bool:
    """Return whether all keytimes between the ends are still where they were placed proportionally."""
    inner = item.keytimes[1:-1]
    return bool(inner) and all(k.is_property_set("placed") and abs(k.frame - k.placed) < NEARLY for k in inner)


def scale(action: Action, item: PropertyGroup, before: tuple[float, float], after: tuple[float, float]) -> None:
    """Scale the keytimes between the ends, and all contact windows, from one span to another.

    Parameters
    ----------
    action, item : an action and one of its examples.
    before, after : first and last frame of the old and of the new span.
    """
    stretch = (after[1] - after[0]) / (before[1] - before[0])
    for keytime in item.keytimes[1:-1]:
        keytime.frame = after[0] + (keytime.frame - before[0]) * stretch
        place_marker(action, keytime)
    for window in (window for contact in item.contacts for window in contact.windows):
        window.start, window.end = (after[0] + (edge - before[0]) * stretch for edge in (window.start, window.end))
    note_placed(item)


def add_contact(action: Action, item: PropertyGroup, bone: str, end: str = "HEAD") -> PropertyGroup:
    """Add a contact point to an example, unless it already has it; return the point.

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
    """Add a window in which a contact point is planted; it may extend beyond the ends of the example.

    Parameters
    ----------
    start, end : first and last frame.
    snap : whether to snap an end to a keytime that is at most a frame away.

    Raises
    ------
    ExampleError
        If the window is empty or overlaps another one of the point.
    """
    check_editable(action)
    if snap:
        frames = [at for _, at in effective_keytimes(item)]
        start, end = (_snapped(frames, frame) for frame in (start, end))
    if not start < end:
        raise ExampleError(
            f"The contact window {told_frame(start)} to {told_frame(end)} of '{contact.bone}' has no length. Choose an "
            "end after the start."
        )
    for down, up in effective_windows(item, contact):
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
    """Plant a contact point at a frame.

    A window that contains the frame is changed to begin there; else a new one lasts until the next keytime or window.

    Raises
    ------
    ExampleError
        If nothing comes after the frame.
    """
    windows = effective_windows(item, contact)
    for row, (down, up) in enumerate(windows):
        if down < frame < up:
            begin(action)
            contact.windows[row].start = frame
            return
    later = [at for _, at in effective_keytimes(item)] + [down for down, _ in windows]
    ends = [at for at in later if at > frame]
    if not ends:
        raise ExampleError(
            f"Frame {told_frame(frame)} is the end of example '{item.name}', so no contact can begin there. Go to an "
            "earlier frame."
        )
    add_window(action, item, contact, frame, min(ends), snap=False)


def end_window(action: Action, item: PropertyGroup, contact: PropertyGroup, frame: float) -> None:
    """Lift a contact point at a frame: the last window that begins before the frame is changed to end there.

    Raises
    ------
    ExampleError
        If no window began before the frame.
    """
    begun = {down: row for row, (down, _) in enumerate(effective_windows(item, contact)) if down < frame}
    if not begun:
        raise ExampleError(
            f"'{contact.bone}' is not down before frame {told_frame(frame)} in example '{item.name}'. Press Down Here "
            "at an earlier frame first."
        )
    begin(action)
    contact.windows[begun[max(begun)]].end = frame
