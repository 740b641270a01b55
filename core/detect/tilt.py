"""The floor of several clips together: a small tilt that all of them share is that of the capture, not a hill."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..verb.canonical import LEAST_GRADE
from .contacts import FootContacts
from .ground import Ground, along_the_way
from .observed import Observed, quantile

Array = NDArray[np.float64]

LEAST_TILT = 0.01
"""Tilt from which on the user is told: a centimetre a metre, less than which nobody sees."""
SURE = 4.0
"""How many times its standard error a tilt must be."""
ACCURATE = 0.004
"""Leg lengths by which the height of a standing foot is uncertain at least."""


@dataclass(frozen=True, eq=False)
class Stands:
    """Where the points of feet stood still on a floor at rest.

    Parameters
    ----------
    places : (N, 3) in leg lengths.
    along : (N,) how far along the body's path they are, in leg lengths.
    owners : (N,) index of the point that stood there.
    """

    places: Array
    along: Array
    owners: NDArray[np.intp]


def stands_of(observed: Observed, contacts: Sequence[FootContacts], ground: Ground) -> Stands:
    """Return where the feet stood still in a clip: nowhere if its floor moves."""
    places: list[Array] = []
    along: list[float] = []
    owners: list[int] = []
    owner = 0
    for foot, paths in zip(contacts, observed.paths, strict=True):
        ways = along_the_way(observed.times, observed.root, ground.body, paths)
        for index, point in enumerate(foot.points):
            path, way = paths[index], ways[index]
            for begin, end in point.still if ground.drift is None else ():
                rows = (observed.times >= begin) & (observed.times <= end)
                if rows.any():
                    places.append(np.median(path[rows], axis=0))
                    along.append(quantile(way[rows], 0.5))
                    owners.append(owner)
            owner += 1
    rests = np.array(places).reshape(-1, 3) / observed.leg
    return Stands(rests, np.array(along) / observed.leg, np.array(owners, dtype=np.intp))


def common_tilt(clips: Sequence[Stands]) -> Array | None:
    """Return the small tilt (2,) along x and y that the floor of all clips has, None if there is none.

    Heights are fitted by a plane that all clips share, and by a rise along each body's own way, which is that of a
    ramp. The two can be told apart only where bodies go in several directions: otherwise the error of both is large.
    Where there is no ramp the plane is fitted alone.
    From 3 % on a walk goes up or down a hill, which stays.
    """
    rows: list[Array] = []
    for clip in clips:
        stands = np.column_stack([clip.places[:, :2], clip.along, clip.places[:, 2]])
        for owner in np.unique(clip.owners):
            mine = stands[clip.owners == owner]
            rows.append(mine - mine.mean(axis=0))
    spread = np.concatenate(rows) if rows else np.zeros((0, 4))
    free = len(spread) - len(rows) - 3
    if free < 1:
        return None
    system = spread[:, :3].T @ spread[:, :3] + ACCURATE * np.eye(3)
    fit = np.linalg.solve(system, spread[:, :3].T @ spread[:, 3])
    left = float(np.sum((spread[:, 3] - spread[:, :3] @ fit) ** 2)) / free
    errors = np.sqrt(max(left, ACCURATE**2) * np.diag(np.linalg.inv(system)))
    size, error = float(np.linalg.norm(fit[:2])), float(np.linalg.norm(errors[:2]))
    ramp = abs(float(fit[2])) > max(SURE * float(errors[2]), 0.5 * size)
    if ramp or size < SURE * error:
        return None
    tilt = np.linalg.solve(system[:2, :2], spread[:, :2].T @ spread[:, 3])
    return tilt if LEAST_TILT <= float(np.linalg.norm(tilt)) < LEAST_GRADE else None


def told_tilt(tilt: Array) -> str:
    """Say in a sentence that a tilted floor is taken for level."""
    axis = int(np.argmax(np.abs(tilt)))
    towards = f"{'+' if tilt[axis] > 0.0 else '-'}{'XY'[axis]}"
    return (
        f"The floor of the chosen actions rises by about {100.0 * np.linalg.norm(tilt):.1f} % towards {towards}, "
        "whichever way they go, as that of a capture does that was not quite level: their cycles are levelled."
    )
