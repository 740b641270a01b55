"""Clips that close by themselves, as animators make them: repeated, so that a cycle may begin anywhere in them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from .contacts import FootContacts, PointContacts, Windows
from .cycles import Cycle, closing, moved
from .observed import Observed

Array = NDArray[np.float64]

CLOSED = 0.01
"""Leg lengths of distance between the poses at a clip's ends that no animator sees."""
EXACT = 5e-4
"""Leg lengths that no two captured poses are near to each other by chance."""
STEADY = 0.5
"""Share of the usual speed by which the motion may change over the seam, and at which it must go on there: what comes
to rest at both ends is done once."""


def closes(observed: Observed) -> bool:
    """Whether the last frame shows what the first does, exactly, or nearly while the motion goes on over the seam."""
    apart = closing(observed, float(observed.times[0]), float(observed.times[-1]))
    if apart > CLOSED:
        return False
    turns = quat.from_yaw(-observed.headings[[1, -1]])
    steps = np.stack([observed.joints[1] - observed.joints[0], observed.joints[-1] - observed.joints[-2]])
    after, before = quat.rotate(turns[:, None], steps)
    usual = _size(np.diff(observed.joints, axis=0))
    goes_on = min(_size(after), _size(before)) >= STEADY * usual
    return bool(_size(after - before) <= STEADY * usual and (goes_on or apart <= EXACT))


def _size(vectors: Array) -> float:
    """Root mean square length of vectors (..., 3)."""
    return float(np.linalg.norm(vectors)) / np.sqrt(vectors.size / 3.0)


def repeated(observed: Observed) -> Observed:
    """The clip three times over, each copy gone on from where the one before ended; times keep the middle one's."""
    count = len(observed.times) - 1
    turn = float(observed.headings[-1] - observed.headings[0])
    begins, ends = observed.root[0], observed.root[-1]
    rows = np.arange(count)

    def copies(paths: Array) -> Array:
        """Paths (..., T, 3) before, within and after the clip, (..., 3 T - 2, 3)."""
        within = paths[..., rows, :]
        before = quat.rotate(quat.from_yaw(-turn), within - ends) + begins
        after = quat.rotate(quat.from_yaw(turn), paths - begins) + ends
        return np.concatenate([before, within, after], axis=-2)

    times = observed.times[0] + observed.step * np.arange(-count, 2 * count + 1)
    headings = np.concatenate([observed.headings[rows] - turn, observed.headings[rows], observed.headings + turn])
    joints = np.swapaxes(copies(np.swapaxes(observed.joints, 0, 1)), 0, 1)
    paths = tuple(copies(path) for path in observed.paths)
    return replace(observed, times=times, headings=headings, joints=joints, paths=paths)


def within_clip(observed: Observed, cycles: Sequence[Cycle]) -> tuple[Cycle, ...]:
    """Cycles of a repeated clip that begin in the clip itself; ends less than a frame beyond it are brought onto it."""
    first, last = float(observed.times[0]), float(observed.times[-1])
    found: list[Cycle] = []
    for cycle in cycles:
        if abs(cycle.start - first) < observed.step and abs(cycle.end - last) < observed.step:
            found.append(replace(cycle, keytimes=(first, *cycle.keytimes[1:-1], last)))
        elif first <= cycle.start < last - observed.step:
            found.append(moved(cycle, 0.0, cycle.end > last))
    return tuple(found)


def contacts_within(observed: Observed, contacts: Sequence[FootContacts]) -> tuple[FootContacts, ...]:
    """Contacts of a repeated clip that touch the clip itself; they may reach over its ends."""
    first, last = float(observed.times[0]), float(observed.times[-1])

    def touching(windows: Windows) -> Windows:
        """Windows that reach into the clip."""
        return tuple(window for window in windows if window[1] > first and window[0] < last)

    return tuple(
        FootContacts(
            foot.foot,
            touching(foot.windows),
            tuple(PointContacts(p.point, touching(p.windows), touching(p.still)) for p in foot.points),
        )
        for foot in contacts
    )
