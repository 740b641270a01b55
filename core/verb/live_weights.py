"""Weights of the examples at one point of the adverb space, with as few array operations as possible."""

import math

import numpy as np
from numpy.typing import NDArray

from .basis import FARTHEST, CardinalBasis

Array = NDArray[np.float64]


class LiveWeights:
    """Cardinal weights, and the values that go with them, at one point after the other.

    The paper's kernel is written as two truncated cubes, phi(d / r) = ((2 r - d)+^3 - 4 (r - d)+^3) / (6 r^3), whose
    factors go into the coefficients. So one product of a matrix with the point gives its differences from all centres,
    and another, of the coefficients with the bases, weights and values at once. Other kernels, and polynomials that are
    not linear, are evaluated by the basis itself.

    Parameters
    ----------
    basis : N weights over D adverbs, with K radial bases.
    values : (N, V) numbers of each example, to be mixed by the weights.
    """

    def __init__(self, basis: CardinalBasis, values: Array) -> None:
        count, dimension = basis.centres.shape
        self._basis = basis
        self._values = values
        self._quick = basis.kernel == "cubic_b_spline" and basis.powers.sum(axis=1).max(initial=0) <= 1
        self._axes: list[tuple[float, float]] = np.stack([basis.origin, FARTHEST * basis.scale], axis=1).tolist()
        examples = len(values)
        self._result = np.empty(examples + values.shape[1])
        self.weights: Array = self._result[:examples]
        self.mixed: Array = self._result[examples:]
        self._features = np.ones(2 * count + 1 + dimension)
        self._cubes = self._features[: 2 * count]
        self._point = self._features[2 * count :]
        self._to_differences = _difference_matrix(basis)
        self._differences = np.empty(2 * count * dimension)
        self._by_adverb = self._differences.reshape(dimension, 2 * count)
        self._sum = np.ones(dimension)
        self._reach = np.concatenate([2.0 * basis.radii, basis.radii])
        self._distance = np.empty(2 * count)
        self._square = np.empty(2 * count)
        self._zeros = np.zeros(2 * count)
        self._coefficients = _folded_coefficients(basis, values) if self._quick else np.empty((0, 0))

    def set(self, adverbs: tuple[float, ...]) -> None:
        """Move `weights` (N,) and `mixed` (V,) to `adverbs` (D,)."""
        if not self._quick:
            self.weights[:] = self._basis.weights(np.array([adverbs]))[0]
            self.weights.dot(self._values, self.mixed)
            return
        point = self._point
        for axis, (origin, farthest) in enumerate(self._axes):
            value = adverbs[axis] - origin
            point[axis + 1] = value if -farthest < value < farthest else math.copysign(farthest, value)
        differences, distance, square = self._differences, self._distance, self._square
        self._to_differences.dot(point, differences)
        np.multiply(differences, differences, differences)
        self._sum.dot(self._by_adverb, distance)
        np.sqrt(distance, distance)
        np.subtract(self._reach, distance, distance)
        np.maximum(distance, self._zeros, distance)
        np.multiply(distance, distance, square)
        np.multiply(square, distance, self._cubes)
        self._features.dot(self._coefficients, self._result)


def _difference_matrix(basis: CardinalBasis) -> Array:
    """Matrix (2 K D, 1 + D) from (1, adverbs less origin) to the scaled differences from every centre, twice."""
    count, dimension = basis.centres.shape
    matrix = np.zeros((dimension, 2 * count, 1 + dimension))
    for axis in range(dimension):
        matrix[axis, :, 0] = -np.tile(basis.centres[:, axis], 2)
        matrix[axis, :, 1 + axis] = 1.0 / basis.scale[axis]
    return matrix.reshape(-1, 1 + dimension)


def _folded_coefficients(basis: CardinalBasis, values: Array) -> Array:
    """Coefficients (2 K + 1 + D, N + V) of the truncated cubes and of (1, adverbs less origin)."""
    cubes = basis.radial / (6.0 * basis.radii**3)[:, None]
    polynomial = np.zeros((1 + basis.centres.shape[1], basis.radial.shape[1]))
    polynomial[: len(basis.powers)] = basis.polynomial
    polynomial[1:] /= basis.scale[:, None]
    weights = np.concatenate([cubes, -4.0 * cubes, polynomial])
    return np.concatenate([weights, weights @ values], axis=1)
