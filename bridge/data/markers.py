"""Pose markers that show keytimes and move them when the user drags them.

The marker of a keytime has the keytime's name, followed by a thin space and its identifier in subscript digits, as in
``"lift ₃"``, and is on the nearest whole frame. Its name and frame are stored with the keytime whenever the two are
synchronized. A marker that differs from what is stored was dragged or renamed by the user, and then determines the
keytime. Reading never writes; only `sync` does, and operators call it first.
"""

import re
from collections.abc import Mapping, Sequence
from math import isfinite, isnan

from bpy.types import Action, PropertyGroup, TimelineMarker

from ..blender.naming import cut
from .current import action_of

LAST_FRAME = 1048574

Markers = Mapping[int, TimelineMarker]

_THIN, _SMALL = "\u2009", "₀₁₂₃₄₅₆₇₈₉"
_NAME = re.compile(rf"(.*?){_THIN}([{_SMALL}]+)(?:\.\d+)?", re.DOTALL)
_TO_SMALL, _FROM_SMALL = str.maketrans("0123456789", _SMALL), str.maketrans(_SMALL, "0123456789")
SAME_FRAME = 1e-3
ABOUT = 0.5
"""Frames by which the length of an example that wraps around a loop may differ from the loop's."""


def marker_name(keytime: PropertyGroup) -> str:
    """Return the name of the marker of a keytime; the keytime's name is truncated if it is too long for that."""
    return cut(keytime.name, _THIN + str(keytime.uid).translate(_TO_SMALL))


def parse(name: str) -> tuple[str, int]:
    """Split a marker's name into the name and identifier of the keytime; the identifier is 0 for any other marker."""
    found = _NAME.fullmatch(name)
    return (found[1], int(found[2].translate(_FROM_SMALL))) if found else (name, 0)


def keytime_markers(action: Action) -> dict[int, TimelineMarker]:
    """Return the marker of each keytime by identifier; of duplicated markers, the one that moved least.

    The others keep their names until `sync` turns them into ordinary markers.
    """
    marked: dict[int, list[TimelineMarker]] = {}
    for marker in action.pose_markers:
        marked.setdefault(parse(marker.name)[1], []).append(marker)
    marked.pop(0, None)
    keytimes = {k.uid: k for example in action.verbs_adverbs.examples for k in example.keytimes}
    return {
        uid: min(markers, key=lambda marker: abs(marker.frame - keytimes[uid].marker_frame))
        if uid in keytimes
        else markers[0]
        for uid, markers in marked.items()
    }


class ActionMarkers(dict[Action, dict[int, TimelineMarker]]):
    """The keytimes' markers by action, looked up once for each action; valid only as long as nothing is edited."""

    def __missing__(self, action: Action) -> dict[int, TimelineMarker]:
        self[action] = keytime_markers(action)
        return self[action]


def effective_frame(keytime: PropertyGroup) -> float:
    """Return a keytime's frame as the user sees it: its marker's if that was dragged. Nothing is written."""
    return _frame(keytime, keytime_markers(action_of(keytime)))


def _frame(keytime: PropertyGroup, markers: Markers) -> float:
    marker = markers.get(keytime.uid)
    moved = marker is not None and marker.frame != keytime.marker_frame
    return float(marker.frame) if moved else keytime.frame


def _markers_of(example: PropertyGroup, markers: ActionMarkers | None) -> Markers:
    """Return the keytime markers of an example's action, looked up now unless given."""
    return (ActionMarkers() if markers is None else markers)[action_of(example)]


def effective_keytimes(example: PropertyGroup, markers: ActionMarkers | None = None) -> tuple[tuple[str, float], ...]:
    """Return names and frames of an example's keytimes in list order, with dragged and renamed markers applied.

    `markers` is for callers that read many examples.
    """
    there = _markers_of(example, markers)
    return tuple((_name(keytime, there), _frame(keytime, there)) for keytime in example.keytimes)


def effective_span(example: PropertyGroup, markers: ActionMarkers | None = None) -> tuple[float, float]:
    """Return the first and last frame of an example: its outermost keytimes', or the stored ones if it has none."""
    if len(example.keytimes) < 2:
        return example.start, example.end
    there = _markers_of(example, markers)
    return _frame(example.keytimes[0], there), _frame(example.keytimes[-1], there)


def goes_around(example: PropertyGroup, span: tuple[float, float], keys: tuple[float, float]) -> bool:
    """Return whether an example wraps around the end of an action that is a loop.

    It is a cycle that extends beyond the action's keys but lasts as long as they do, or a frame more: one that begins
    within the loop, or one whose last key is a frame before its first pose.

    Parameters
    ----------
    span : first and last frame of the example.
    keys : first and last keyed frame.
    """
    beyond = span[0] < keys[0] - SAME_FRAME or span[1] > keys[1] + SAME_FRAME
    over = span[0] < keys[1] and span[1] > keys[0]
    longer = span[1] - span[0] - keys[1] + keys[0]
    return example.cyclic and beyond and over and -ABOUT < longer < 1.0 + ABOUT


def effective_windows(
    example: PropertyGroup, contact: PropertyGroup, markers: ActionMarkers | None = None
) -> tuple[tuple[float, float], ...]:
    """Return first and last frame of each window of a contact point; ends on keytimes follow the keytimes' markers."""
    there = _markers_of(example, markers)
    now = [_frame(keytime, there) for keytime in example.keytimes]
    return tuple(carried(example, contact, [keytime.frame for keytime in example.keytimes], now))


def _name(keytime: PropertyGroup, markers: Markers) -> str:
    marker = markers.get(keytime.uid)
    renamed = marker is not None and marker.name != keytime.marker_name
    return parse(marker.name)[0] if renamed else keytime.name


def whole_frame(frame: float) -> int:
    """Return the nearest whole frame that Blender can show; 0 if the frame is NaN."""
    return round(min(max(frame, -LAST_FRAME), LAST_FRAME)) if isfinite(frame) else 0


def place_marker(action: Action, keytime: PropertyGroup) -> None:
    """Move the marker of a keytime to the keytime; the marker is made if there is none."""
    marker = keytime_markers(action).get(keytime.uid) or _new_marker(action, keytime)
    marker.name = marker_name(keytime)
    marker.frame = whole_frame(keytime.frame)
    keytime.marker_frame, keytime.marker_name = marker.frame, marker.name


def _new_marker(action: Action, keytime: PropertyGroup) -> TimelineMarker:
    """Make a marker, not selected, since dragging one selected marker moves all selected ones."""
    marker = action.pose_markers.new(marker_name(keytime))
    marker.select = False
    return marker


def remove_marker(action: Action, uid: int) -> None:
    """Remove all markers of a keytime."""
    for marker in [marker for marker in action.pose_markers if parse(marker.name)[1] == uid]:
        action.pose_markers.remove(marker)


def follow_keytime(action: Action, keytime: PropertyGroup) -> None:
    """Update the marker, and the span at its ends, after a keytime was changed; without a marker do nothing."""
    if not keytime.marker_name:
        return
    if (keytime.marker_frame, keytime.marker_name) != (whole_frame(keytime.frame), marker_name(keytime)):
        place_marker(action, keytime)
    for example in action.verbs_adverbs.examples:
        ends = (example.keytimes[0], example.keytimes[-1]) if len(example.keytimes) > 1 else ()
        for end, side in zip(ends, ("start", "end"), strict=False):
            if end == keytime and _differ(getattr(example, side), keytime.frame):
                setattr(example, side, keytime.frame)


def follow_span(example: PropertyGroup, side: str) -> None:
    """Move the first or last keytime to the example's ``'start'`` or ``'end'``, after that was set to another frame."""
    if len(example.keytimes) > 1:
        keytime, frame = example.keytimes[0 if side == "start" else -1], getattr(example, side)
        if _differ(keytime.frame, frame):
            keytime.frame = frame


def _differ(a: float, b: float) -> bool:
    """Return whether two frames differ; two NaN values do not."""
    return a != b and not (isnan(a) and isnan(b))


def sync(action: Action) -> None:
    """Synchronize keytimes and markers: keytimes follow dragged and renamed markers, and lost markers are recreated.

    Contact windows that end on a keytime move with it. A copy of a marker loses its identifier and stays as an ordinary
    marker; a marker whose keytime no longer exists is removed.
    """
    markers = keytime_markers(action)
    keytimes = [k for example in action.verbs_adverbs.examples for k in example.keytimes]
    known = {keytime.uid for keytime in keytimes}
    before = [[keytime.frame for keytime in example.keytimes] for example in action.verbs_adverbs.examples]
    for marker in list(action.pose_markers):
        name, uid = parse(marker.name)
        if uid and uid not in known:
            action.pose_markers.remove(marker)
        elif uid and marker != markers[uid]:
            marker.name = name
    for keytime in keytimes:
        marker = markers.get(keytime.uid)
        if marker is None:
            place_marker(action, keytime)
        elif (marker.frame, marker.name) != (keytime.marker_frame, keytime.marker_name):
            name, frame = _name(keytime, markers), _frame(keytime, markers)
            keytime.marker_frame, keytime.marker_name = marker.frame, marker.name
            keytime.name, keytime.frame = name, frame
    for example, frames in zip(action.verbs_adverbs.examples, before, strict=True):
        carry_windows(example, frames)


def carried(
    item: PropertyGroup, contact: PropertyGroup, before: Sequence[float], after: Sequence[float]
) -> list[tuple[float, float]]:
    """Return the windows of a contact point after the keytimes of its example move from frames `before` to `after`.

    A window that would become empty is not changed.
    """
    found = []
    for window in contact.windows:
        ends = window.start, window.end
        start, end = (_carried(frame, before, after, item.cyclic) for frame in ends)
        found.append((start, end) if start < end else ends)
    return found


def carry_windows(item: PropertyGroup, before: Sequence[float]) -> None:
    """Move the windows of all contact points of an example along with its keytimes, which were at frames `before`."""
    after = [keytime.frame for keytime in item.keytimes]
    if list(before) == after:
        return
    for contact in item.contacts:
        for window, (start, end) in zip(contact.windows, carried(item, contact, before, after), strict=True):
            window.start, window.end = start, end


def _carried(frame: float, before: Sequence[float], after: Sequence[float], cyclic: bool) -> float:
    for turn in (0, 1, -1) if cyclic else (0,):
        for old, new in zip(before, after, strict=True):
            if abs(old + turn * (before[-1] - before[0]) - frame) < SAME_FRAME:
                return new + turn * (after[-1] - after[0])
    return frame
