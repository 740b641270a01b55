"""Points spread over a box of the adverb space, and which of them lie between the examples."""

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
ON_THE_FACE = 1e-9
FLAT = 1e-10


def lattice(ranges: ArrayLike, count: int) -> Array:
    """Points (count ** D, D) of a regular lattice over `ranges` (D, 2), its faces included."""
    low, high = np.asarray(ranges, dtype=np.float64).reshape(-1, 2).T
    places = np.indices((count,) * len(low)).reshape(len(low), -1).T
    return np.asarray(low + places / (count - 1) * (high - low), dtype=np.float64)


def scattered(ranges: ArrayLike, count: int) -> Array:
    """Points (count, D) spread evenly without a pattern over `ranges` (D, 2): Roberts' additive recurrence.

    Its steps are the powers of 1 / g, where g is the root of x^(D + 1) = x + 1 (the golden ratio for D = 1).
    """
    low, high = np.asarray(ranges, dtype=np.float64).reshape(-1, 2).T
    dimension = len(low)
    root = 1.5
    for _ in range(40):
        root = (1.0 + root) ** (1.0 / (dimension + 1))
    steps = root ** -np.arange(1.0, dimension + 1.0)
    shares = (0.5 + np.arange(1, count + 1)[:, None] * steps) % 1.0
    return low + shares * (high - low)


def with_faces(ranges: ArrayLike, points: Array, share: float) -> Array:
    """`points` (P, D), those within `share` of a range from one of its ends moved onto that end.

    Errors are largest on the faces of the region and at its corners, which scattered points never reach.
    """
    low, high = np.asarray(ranges, dtype=np.float64).reshape(-1, 2).T
    near = share * (high - low)
    return np.where(points < low + near, low, np.where(points > high - near, high, points))


def crowded_at_faces(ranges: ArrayLike, points: Array) -> Array:
    """`points` (P, D), every other one drawn towards the faces of `ranges` (D, 2) as Chebyshev's points are.

    Weights change fastest there, and a basis between few samples could swing unseen.
    """
    low, high = np.asarray(ranges, dtype=np.float64).reshape(-1, 2).T
    shares = (points - low) / (high - low)
    drawn = 0.5 - 0.5 * np.cos(np.pi * shares)
    return np.where((np.arange(len(points)) % 2 == 0)[:, None], low + drawn * (high - low), points)


def inside_hull(places: ArrayLike, ranges: ArrayLike, points: ArrayLike) -> NDArray[np.bool_]:
    """Which of `points` (P, D) lie in the convex hull of `places` (N, D), its faces included.

    Parameters
    ----------
    places : of the examples, which span the adverb space.
    ranges : (D, 2) of the adverbs, by whose extents places are divided.
    points : to look at.
    """
    extents = np.ptp(np.asarray(ranges, dtype=np.float64).reshape(-1, 2), axis=1)
    normals, offsets = _faces(np.asarray(places, dtype=np.float64) / extents)
    heights = (np.asarray(points, dtype=np.float64) / extents) @ normals.T - offsets
    return np.all(heights <= ON_THE_FACE, axis=1)


def _faces(places: Array) -> tuple[Array, Array]:
    """Half-spaces that hold all of `places` (N, D): outward normals (F, D) and offsets (F,), some of them twice.

    Every D examples span a plane; it is a face where all the others lie on one side of it. The number of planes grows
    as N to the power D, which for examples that people made is small.
    """
    count, dimension = places.shape
    corners = places[np.array(list(combinations(range(count), dimension)), dtype=np.intp)]
    edges = corners[:, 1:] - corners[:, :1]
    normals = np.stack([_cofactor(edges, axis) for axis in range(dimension)], axis=-1)
    lengths = np.linalg.norm(normals, axis=1)
    kept = lengths > FLAT
    normals = normals[kept] / lengths[kept, None]
    offsets = np.einsum("fd,fd->f", normals, corners[kept, 0])
    heights = places @ normals.T - offsets[:, None].T
    low, high = np.all(heights >= -ON_THE_FACE, axis=0), np.all(heights <= ON_THE_FACE, axis=0)
    return np.concatenate([normals[high], -normals[low]]), np.concatenate([offsets[high], -offsets[low]])


def _cofactor(edges: Array, axis: int) -> Array:
    """Component `axis` (C,) of the normals to `edges` (C, D - 1, D)."""
    return np.asarray((-1.0) ** axis * np.linalg.det(np.delete(edges, axis, axis=2)), dtype=np.float64)
