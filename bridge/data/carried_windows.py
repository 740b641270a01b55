"""Contact windows whose ends stand on keytimes go with them, over the seam of a cycle too; other ends stay."""

from collections.abc import Sequence

from bpy.types import PropertyGroup

SAME_FRAME = 1e-3


def carried(
    item: PropertyGroup, contact: PropertyGroup, before: Sequence[float], after: Sequence[float]
) -> list[tuple[float, float]]:
    """Windows of a contact point once the keytimes of its example go from the frames `before` to `after`.

    A window that would become empty stays as it is.
    """
    found = []
    for window in contact.windows:
        ends = window.start, window.end
        start, end = (_carried(frame, before, after, item.cyclic) for frame in ends)
        found.append((start, end) if start < end else ends)
    return found


def carry_windows(item: PropertyGroup, before: Sequence[float]) -> None:
    """Move the windows of all contact points of an example whose keytimes were at the frames `before`."""
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
