"""The hull of a verb's examples in its adverb space: inside it every motion lies between examples."""

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

ON_THE_FACE = 1e-9
FLAT = 1e-10


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
