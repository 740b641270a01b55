"""How far a leg stretches, and how much the root must sink where a point would be out of its reach."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .legs import Legs

Array = NDArray[np.float64]

SOFT = 0.985
"""Share of its length with a straight knee that a leg may use which is not that straight by itself."""
BY_FOOT = 0.3
"""Share that may be used of what the foot, stretched as well, would add."""
MARGIN = 0.0015
STEEPEST = 0.5
_SUM = np.ones(3)
DEEPEST = 0.5
"""Performance units that the root never sinks by for one leg, wherever its target is."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """What tells how far legs are stretched.

    Parameters
    ----------
    vectors : (n, 3 G K 3) from positions to the vectors hip to point, hip to knee and knee to point.
    lengths : (G K,) of the legs, everything straight; without end where no joint may be turned: nothing helps.
    """

    vectors: Array
    lengths: Array


def stretch_of(legs: Legs) -> Stretch:
    """Prepare `legs`: hip and knee are the first two joints that may be turned; one alone is both."""
    (count, length), most = legs.turning.shape, legs.members.shape[1]
    matrix = np.zeros((count, length + most, 3, 3, count, most, 3))
    lengths = np.full((count, most), np.inf)
    axes = np.eye(3)
    steps = np.linalg.norm(legs.steps.reshape(count, length + most, 3), axis=-1)
    carriers = legs.carriers.reshape(count, -1) - length * np.arange(count)[:, None]
    for leg in range(count):
        turned = np.flatnonzero(legs.turning[leg])
        if not len(turned):
            continue
        hip, knee = turned[0], turned[min(1, len(turned) - 1)]
        for slot in np.flatnonzero(legs.members[leg] >= 0):
            point = length + slot
            lengths[leg, slot] = steps[leg, hip + 1 : carriers[leg, point] + 1].sum() + steps[leg, point]
            for index, (start, end) in enumerate(((hip, point), (hip, knee), (knee, point))):
                matrix[leg, end, :, index, leg, slot] += axes
                matrix[leg, start, :, index, leg, slot] -= axes
    return Stretch(matrix.reshape(legs.jacobian.shape[0], -1), lengths.reshape(-1))


def sinking(stretch: Stretch, places: Array, missing: Array) -> Array:
    """How much the root must sink (T, G) for each leg.

    A leg may stretch as far as it does by itself, or until its knee is nearly straight, and a little more by its foot;
    what is beyond is taken from the root's height, gently at first. Nothing sinks where nothing is missing.

    Parameters
    ----------
    stretch : of `stretch_of`.
    places : (T, n) positions.
    missing : (T, G, 3 K) from where points are to where they should be.
    """
    vectors = places.dot(stretch.vectors).reshape(len(places), 3, -1, 3)
    distances = np.sqrt((vectors * vectors).dot(_SUM))
    straight = distances[:, 1] + distances[:, 2]
    soft = SOFT * straight + BY_FOOT * (stretch.lengths - straight)
    wanted = vectors[:, 0] + missing.reshape(len(places), -1, 3)
    lengths = np.sqrt((wanted * wanted).dot(_SUM))
    beyond = lengths - np.maximum(distances[:, 0], soft)
    if max(beyond.ravel().tolist(), default=0.0) <= 0.0:
        return np.zeros(missing.shape[:2])
    over = np.maximum(beyond, 0.0)
    eased = np.where(over < 2.0 * MARGIN, over * over / (4.0 * MARGIN), over - MARGIN)
    down = np.maximum(-wanted[..., 2] / np.maximum(lengths, MARGIN), STEEPEST)
    sunk = np.sqrt(np.square((eased / down).reshape(*missing.shape[:2], -1)).sum(axis=-1))
    return np.minimum(sunk, DEEPEST)
