"""Where a reach gets, by forward kinematics with matrices, and how far that is from a target in percent of a diagonal.

Nothing here comes from what is judged except the poses, the skeleton at rest, and the time of the reach's keytime.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from verbs_adverbs.core.verb.verb import Verb

Array = NDArray[np.float64]

COUNT = 5000


@dataclass(frozen=True, eq=False)
class Region:
    """What a reach is asked for: points of a rectangle or a box.

    Parameters
    ----------
    ranges : (D, 2) metres, one row for each adverb.
    axes : (D,) the axis of space that each adverb asks for.
    plane : height along the remaining axis, where that counts as well.
    joint, point : what reaches: a place (3,) in a joint's frame.
    """

    ranges: Array
    axes: tuple[int, ...]
    plane: tuple[int, float] | None
    joint: str
    point: Array

    def part(self, share: float) -> "Region":
        """Return the middle of this, with `share` of the extent along each adverb."""
        middle, half = self.ranges.mean(axis=1), 0.5 * share * (self.ranges[:, 1] - self.ranges[:, 0])
        return replace(self, ranges=np.stack([middle - half, middle + half], axis=-1))


ARM = Region(np.array([[0.35, 0.8], [-0.3, 0.3]]), (0, 1), None, "tip", np.zeros(3))
ON_BOARD = Region(np.array([[-0.72, 0.32], [0.78, 1.72]]), (0, 2), (1, -0.5), "Hand_R", np.array([0.0, 0.09, 0.0]))
IN_SPACE = Region(
    np.array([[-0.5, 0.0], [-0.6, -0.35], [1.0, 1.4]]), (0, 1, 2), None, "Hand_R", np.array([0.0, 0.09, 0.0])
)


def drawn(region: Region, seed: int) -> Array:
    """Return random points (COUNT, D) of a region."""
    return np.random.default_rng(7000 + seed).uniform(*region.ranges.T, (COUNT, len(region.ranges)))


@dataclass(frozen=True)
class Off:
    """Errors in percent: on average, and the largest."""

    average: float
    maximum: float

    def __str__(self) -> str:
        return f"{self.average:.3f} / {self.maximum:.3f}"


def off(region: Region, verb: Verb, points: Array, weights: Array | None = None) -> Off:
    """Return how far a verb is from `points` (P, D), in percent of the diagonal of the region.

    The weights are those that the verb has by itself unless others are given.
    """
    missed = misses(region, verb, points, weights)
    diagonal = np.sqrt(np.sum((region.ranges[:, 1] - region.ranges[:, 0]) ** 2))
    percent = 100.0 / diagonal * np.sqrt(np.sum(missed**2, axis=1))
    return Off(float(percent.mean()), float(percent.max()))


def misses(region: Region, verb: Verb, points: Array, weights: Array | None = None) -> Array:
    """Return what is missing along each axis that counts: (P, D), or (P, D + 1) with the distance from the plane."""
    shares = verb.weights(points) if weights is None else weights
    there = _tip(verb, verb.sample_phases(np.full(len(points), verb.phrasing.generic[1]), shares), region)
    missed = there[:, list(region.axes)] - points
    if region.plane is None:
        return missed
    axis, height = region.plane
    return np.concatenate([missed, there[:, axis : axis + 1] - height], axis=1)


def _tip(verb: Verb, values: Array, region: Region) -> Array:
    """Return the places (P, 3) of the point: down the chain of joints, matrix by matrix."""
    skeleton, turning = verb.channels.skeleton, list(verb.channels.rotating)
    chain = [skeleton.names.index(region.joint)]
    while skeleton.parents[chain[0]] >= 0:
        chain.insert(0, int(skeleton.parents[chain[0]]))
    place, turned = values[:, 3:6].copy(), np.tile(np.eye(3), (len(values), 1, 1))
    for joint in chain:
        if joint:
            place = place + turned @ skeleton.offsets[joint]
            turned = turned @ _matrix(skeleton.rests[joint][None])
        column = 6 + 4 * turning.index(joint) if joint in turning else None
        own = verb.channels.static[joint][None] if column is None else values[:, column : column + 4]
        turned = turned @ _matrix(own)
    return place + turned @ region.point


def _matrix(quaternions: Array) -> Array:
    """Return the rotation matrices (P, 3, 3) of quaternions (P, 4), written w x y z."""
    w, x, y, z = (quaternions / np.sqrt(np.sum(quaternions**2, axis=1, keepdims=True))).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)
