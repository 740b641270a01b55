"""Points spread over a box of the adverb space: lattices, and quasi-random sets that fall between their points."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


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
