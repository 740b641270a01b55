"""The ground below a character, and footholds: positions where a foot is well supported."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ..figure.legs import Legs
from ..figure.lock_point import LockPoint
from ..figure.skeleton import Skeleton
from ..figure.two_bone_limbs import limbs_of
from ..figure.vector_components import Vector

Array = NDArray[np.float64]

EDGE = 0.06
"""Largest deviation of the ground under a foot from a slope, as a share of the foot's length."""
CELLS, ACROSS = 16, 3
"""Number of samples of the ground along and across a foot."""
WIDTH = 0.35
"""Width of a foot as a share of its length."""
SIDEWAYS = 0.4
"""Largest sideways displacement of a foot, as a share of the largest displacement, so that legs do not cross."""
HEEL = 0.35
"""Length of the heel behind the foot's joint, as a share of the length from the joint to the point."""
ROOM = 0.3
"""Free space before a riser, as a share of the foot's length, so that the toes can be lifted."""
STEEPEST = 0.6
"""Slope of the ground beyond which a foot is not tilted further."""
ON_GROUND = 0.4, 0.5
"""Shares of the foot behind and in front of the point that must not overhang an edge."""
Floor = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Function from positions (N, 2) in performance space to heights (N,) of the ground."""


@dataclass(frozen=True)
class Sole:
    """Length of a planted foot, behind and in front of its point, in performance units."""

    behind: float
    before: float

    @property
    def back(self) -> float:
        """Length behind the point, including the heel."""
        return (1.0 + HEEL) * self.behind


def soles_of(skeleton: Skeleton, points: Sequence[LockPoint], legs: Legs) -> list[Sole | None]:
    """Return the sole of each point, None if the leg has no foot or the foot has several points."""
    limbs, steps = limbs_of(legs), legs.steps.reshape(len(legs.members), -1, 3)
    found: list[Sole | None] = []
    for index, point in enumerate(points):
        leg, _ = legs.place(index)
        limb = limbs[leg]
        if limb is None or not limb.has_foot or len(limb.points) != 1:
            found.append(None)
            continue
        toes = np.linalg.norm(skeleton.tails[point.joint] - point.offset)
        found.append(Sole(float(np.linalg.norm(steps[leg, limb.points[0]])), float(toes)))
    return found


def foothold(floor: Floor, place: Array, along: Array, sole: Sole, farthest: float, kept: Array | None) -> Array:
    """Return the displacement (2,) from `place` to a good foothold for a point; 0 if there is none better nearby.

    Parameters
    ----------
    floor : heights of the ground.
    place : (2,) where the point would land.
    along : (2,) direction of the foot, of unit length.
    sole : sole of the foot.
    farthest : largest displacement along the foot, performance units; sideways it is smaller.
    kept : (2,) the foothold of the previous call, which is preferred; None if there is none.
    """
    cells = (sole.back + sole.before) / CELLS, WIDTH * (sole.back + sole.before) / (ACROSS - 1)
    axes = np.stack([along, np.array([-along[1], along[0]])]) * np.reshape(cells, (2, 1))
    if _well(floor, place, axes, sole, (0, 0)).all():
        return np.zeros(2)
    most = int(farthest / cells[0]), int(SIDEWAYS * farthest / cells[1])
    well = np.argwhere(_well(floor, place, axes, sole, most)) - most
    if not len(well):
        return np.zeros(2)
    ways = well @ axes
    wanted = np.zeros(2) if kept is None or np.hypot(*(kept - place)) > farthest else kept - place
    return ways[((ways - wanted) ** 2).sum(axis=1).argmin()]


def edge_between(floor: Floor, place: Array, other: Array, sole: Sole) -> bool:
    """Return whether the ground between two positions (2,) has a step rather than a slope."""
    shares: Array = np.linspace(0.0, 1.0, CELLS)
    heights = floor(place + shares[:, None] * (other - place))
    slope = heights[0] + shares * (heights[-1] - heights[0])
    return bool(np.abs(heights - slope).max() > EDGE * (sole.back + sole.before))


def up_from(floor: Floor, place: Array, along: Array, sole: Sole) -> Vector:
    """Return the normal of most of the ground round a foot, ignoring edges.

    Parameters are as for `foothold`. The direction is (x, y, 1), not of unit length.
    """
    steps, grade = np.linspace(-sole.back, sole.before, CELLS + 1), np.zeros(2)
    for axis in (along, np.array([-along[1], along[0]])):
        grade += np.median(np.diff(floor(place + steps[:, None] * axis))) / (steps[1] - steps[0]) * axis
    x, y = (grade / max(1.0, np.hypot(*grade) / STEEPEST)).tolist()
    return -x, -y, 1.0


def _well(floor: Floor, place: Array, axes: Array, sole: Sole, most: tuple[int, int]) -> NDArray[np.bool_]:
    """Return where a foot is well supported, (2 most[0] + 1, 2 most[1] + 1).

    The positions are round `place`, `most` steps of `axes` (2, 2) to each side.
    """
    cell, half = float(np.hypot(*axes[0])), ACROSS // 2
    back, before = round(sole.back / cell), round(sole.before / cell + ROOM * CELLS)
    steps = np.arange(-back - most[0], before + most[0] + 1), np.arange(-half - most[1], half + most[1] + 1)
    grid = np.stack(np.meshgrid(*steps, indexing="ij"), axis=-1)
    heights = floor((place + grid @ axes).reshape(-1, 2)).reshape(grid.shape[:2])
    heights = heights - grid @ np.array([np.median(np.diff(heights, axis=axis)) for axis in (0, 1)])
    own = heights[back : back + 2 * most[0] + 1, half : half + 2 * most[1] + 1]
    under = sliding_window_view(heights, (back + before + 1, ACROSS)) - own[..., None, None]
    tolerance = EDGE * cell * CELLS
    carried = slice(
        back - round(ON_GROUND[0] * sole.behind / cell), back + round(ON_GROUND[1] * sole.before / cell) + 1
    )
    hollow = under[..., carried, :].min(axis=(2, 3)) < -tolerance
    return ~(hollow | (under.max(axis=(2, 3)) > tolerance))
