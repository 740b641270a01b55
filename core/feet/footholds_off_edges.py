"""The ground that a character stands on, and footholds: where on it a foot is put down to stand well."""

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
"""Share of a foot's length by which the ground may deviate from a slope under it."""
CELLS, ACROSS = 16, 3
"""Number of places along and across a foot at which the ground is looked at."""
WIDTH = 0.35
"""Width of a foot as a share of its length."""
SIDEWAYS = 0.4
"""Share of the farthest displacement that a foot is moved sideways, so that legs do not cross."""
HEEL = 0.35
"""Length of the heel behind the foot's joint, as a share of the length from the joint to the point."""
ROOM = 0.3
"""Share of a foot's length that is left free before a riser, so that the toes can be lifted."""
STEEPEST = 0.6
"""Slope beyond which a foot is not tilted any farther with the ground."""
ON_GROUND = 0.4, 0.5
"""Shares of the foot behind and before the point that must not stand out over an edge."""
Floor = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""Heights (N,) of the ground at places (N, 2) in performance space."""


@dataclass(frozen=True)
class Sole:
    """Length of a standing foot, behind and before the point that is put down, in performance units."""

    behind: float
    before: float

    @property
    def back(self) -> float:
        """Length behind the point, with the heel."""
        return (1.0 + HEEL) * self.behind


def soles_of(skeleton: Skeleton, points: Sequence[LockPoint], legs: Legs) -> list[Sole | None]:
    """Return the sole round each point, None where the leg has no foot or the foot stands on several points."""
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
    """Return how far (2,) from `place` a point is put down for its foot to stand well; 0 if no better place is near.

    Parameters
    ----------
    floor : heights of the ground.
    place : (2,) where the point would land.
    along : (2,) direction of the foot, of unit length.
    sole : of the foot.
    farthest : largest displacement along the foot, performance units; sideways it is smaller.
    kept : (2,) where the point was to land when this was asked before, which is preferred; None if that does not
        matter.
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
    """Whether the ground between two places (2,) rises or falls in a step rather than in a slope."""
    shares: Array = np.linspace(0.0, 1.0, CELLS)
    heights = floor(place + shares[:, None] * (other - place))
    slope = heights[0] + shares * (heights[-1] - heights[0])
    return bool(np.abs(heights - slope).max() > EDGE * (sole.back + sole.before))


def up_from(floor: Floor, place: Array, along: Array, sole: Sole) -> Vector:
    """Return the direction that is up from most of the ground round a foot, whose edges do not count.

    Parameters are as for `foothold`. The direction is (x, y, 1), not of unit length.
    """
    steps, grade = np.linspace(-sole.back, sole.before, CELLS + 1), np.zeros(2)
    for axis in (along, np.array([-along[1], along[0]])):
        grade += np.median(np.diff(floor(place + steps[:, None] * axis))) / (steps[1] - steps[0]) * axis
    x, y = (grade / max(1.0, np.hypot(*grade) / STEEPEST)).tolist()
    return -x, -y, 1.0


def _well(floor: Floor, place: Array, axes: Array, sole: Sole, most: tuple[int, int]) -> NDArray[np.bool_]:
    """Tell at which places a foot stands well, (2 most[0] + 1, 2 most[1] + 1).

    They lie round `place`, `most` steps of `axes` (2, 2) to each side.
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
