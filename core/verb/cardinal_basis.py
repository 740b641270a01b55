"""The cardinal basis: one weight per example, 1 at its own place and 0 at the others' ([Rose2001] eqs. 2 and 4)."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import BasisError
from .radial_bases import (
    CONSTRAINED,
    SUPPORT,
    Kernel,
    ReachGrid,
    cubic_b_spline,
    radial_bases,
    radii_of,
    reach_grid,
    solve_radial,
)

Array = NDArray[np.float64]

SMALLEST_SEPARATION = 1e-6
"""Distance in adverb ranges below which two examples coincide."""
LARGEST_ADVERB = 1e9
"""Distance from an adverb's range, in ranges, beyond which an example's value counts as a mistake."""
FARTHEST = 1e12
"""Distance from the examples' mean, in ranges, beyond which weights are constant, so that poses fit single floats."""
SPARED_AT_ONE, SPARED_AT_MANY, SPARED_AT_LEAST = 600, 6000, 50
"""Number of splines out of reach above which skipping them is faster: for one point; for several points in total; and
the least number for each of several."""
VALUES_AT_ONCE, LEAST_AT_ONCE = 100_000, 500
"""Number of radial bases evaluated together, and minimum number of points: larger arrays do not fit the cache."""


@dataclass(frozen=True, eq=False)
class CardinalBasis:
    """Weights of N examples as functions over an adverb space of D adverbs ([Rose2001] eqs. 2 and 4).

    Parameters
    ----------
    centres : (K, D) centres of the radial bases: the places of the N examples, then those of pseudo-examples if there
        are any, less `origin` and divided by `scale`.
    scale : (D,) range of each adverb.
    origin : (D,) mean of the examples, in the adverbs' own units.
    radii : (K,) dilation alpha of each radial basis; for kriging, the distance over which its corner is rounded.
    powers : (L, D) exponents of the polynomial's terms.
    radial : (K, N) coefficients: row = radial basis, column = the example whose weight it contributes to.
    polynomial : (L, N) coefficients of the terms.
    kernel : name of the radial basis function.
    condition : condition number of the system that the radial coefficients solve.
    """

    centres: Array
    scale: Array
    origin: Array
    radii: Array
    powers: NDArray[np.intp]
    radial: Array
    polynomial: Array
    kernel: Kernel
    condition: float

    def features(self, points: ArrayLike) -> Array:
        """Return radial bases and polynomial terms (P, K + L) at `points` (P, D) in the adverbs' own units."""
        scaled = (np.asarray(points, dtype=np.float64) - self.origin) / self.scale
        np.clip(scaled, -FARTHEST, FARTHEST, out=scaled)
        distances = np.zeros((len(self.centres), len(scaled)))
        for places, values in zip(self.centres.T, np.ascontiguousarray(scaled.T), strict=True):
            difference = values - places[:, None]
            difference *= difference
            distances += difference
        np.sqrt(distances, out=distances)
        radial = radial_bases(distances, self.radii, self.kernel, self.radial.shape[1])
        return np.concatenate([radial, monomials(scaled, self.powers).T]).T

    def weights(self, points: ArrayLike) -> Array:
        """Return the weights (P, N) of the examples at `points` (P, D).

        With a polynomial of degree 0 or more they sum to 1.
        """
        if self._quick is None:
            return self.features(points) @ self.coefficients
        return self._quick.weights(np.asarray(points, dtype=np.float64))

    @cached_property
    def coefficients(self) -> Array:
        """(K + L, N) radial and polynomial coefficients, in the order of `features`."""
        return np.concatenate([self.radial, self.polynomial])

    @cached_property
    def _quick(self) -> "_QuickWeights | None":
        """Fast evaluator of the weights, for the two usual kernels with a polynomial of degree 1 or less; else None."""
        linear = self.powers.sum(axis=1).max(initial=0) <= 1
        quick = self.kernel in ("cubic_b_spline", "kriging") and linear and len(self.scale) > 0
        return _QuickWeights(self) if quick else None


class _QuickWeights:
    """Evaluate weights in few array operations, skipping splines out of reach where this saves enough.

    Parameters
    ----------
    basis : N weights over D adverbs, with K radial bases.
    """

    def __init__(self, basis: CardinalBasis) -> None:
        straight = basis.radial.shape[1] if basis.kernel == "kriging" else 0
        self._origin, self._scale = basis.origin, basis.scale
        self._centres = np.ascontiguousarray(basis.centres[straight:].T)
        self._radii, self._radial = basis.radii[straight:], basis.radial[straight:]
        self._squares = self._radii * self._radii
        self._all = _sum_of(basis, straight)
        self._at_once = max(LEAST_AT_ONCE, VALUES_AT_ONCE // len(self._all.coefficients))

    @cached_property
    def _grid(self) -> ReachGrid:
        return reach_grid(self._centres.T, SUPPORT * self._radii)

    @cached_property
    def _everywhere(self) -> "_RadialSum":
        """The sum without the splines that the grid lists."""
        return self._all.only(self._grid.everywhere)

    def weights(self, points: Array) -> Array:
        """Return the weights (P, N) at `points` (P, D)."""
        scaled = np.minimum(np.maximum((points - self._origin) / self._scale, -FARTHEST), FARTHEST)
        if len(scaled) <= self._at_once:
            return self._at(scaled)
        blocks = range(self._at_once, len(scaled), self._at_once)
        return np.concatenate([self._at(block) for block in np.split(scaled, blocks)])

    def _at(self, scaled: Array) -> Array:
        """Return the weights (P, N) at the points `scaled` (P, D), few enough to fit the cache."""
        count = len(scaled)
        enough = SPARED_AT_ONE if count == 1 else max(SPARED_AT_LEAST, SPARED_AT_MANY / max(count, 1))
        if len(self._radii) < enough or self._grid.spared < enough:
            return self._all.at(scaled)
        if count == 1:
            return self._all.only(self._grid.around(scaled)).at(scaled)
        return self._everywhere.at(scaled) + self._listed(scaled)

    def _listed(self, scaled: Array) -> Array:
        """Return the contribution of the splines listed at the points `scaled` (P, D) to the weights (P, N)."""
        splines, counts = self._grid.listed_at(scaled)
        squares = np.zeros(len(splines))
        for places, values in zip(self._centres, scaled.T, strict=True):
            difference = places.take(splines)
            difference -= np.repeat(values, counts)
            difference *= difference
            squares += difference
        squares /= self._squares.take(splines)
        inside = np.flatnonzero(squares < SUPPORT**2)
        added = self._radial.take(splines.take(inside), axis=0)
        added *= cubic_b_spline(np.sqrt(squares.take(inside)))[:, None]
        ends = np.searchsorted(inside, np.cumsum(counts))
        reached = np.flatnonzero(np.diff(ends, prepend=0))
        found = np.zeros((len(scaled), added.shape[1]))
        if len(reached):
            found[reached] = np.add.reduceat(added, np.append(0, ends).take(reached), axis=0)
        return found


class _RadialSum(NamedTuple):
    """A sum of radial bases and a plane, evaluated together.

    The cubic B-spline is two truncated cubes, phi(d / r) = ((2 r - d)+^3 - 4 (r - d)+^3) / (6 r^3), whose factors are
    included in the coefficients, as is the sign of kriging.

    Parameters
    ----------
    centres : (D, C) centres of the bases.
    straight : number S of kriging bases, which come first; then the truncated cubes of 2 r, then those of r.
    limits : (C,) squared corner of each kriging basis, and the end of each truncated cube.
    coefficients : (C + 1 + D, N) coefficients of the bases, the constant and the slopes.
    """

    centres: Array
    straight: int
    limits: Array
    coefficients: Array

    def at(self, scaled: Array) -> Array:
        """Return the sum (P, N) at the points `scaled` (P, D)."""
        straight, count = self.straight, len(self.limits)
        features = np.ones((len(scaled), len(self.coefficients)))
        features[:, count + 1 :] = scaled
        differences = scaled[:, :, None] - self.centres
        squares = np.einsum("pdc,pdc->pc", differences, differences)
        if straight:
            least = squares[:, :straight]
            np.add(least, np.sqrt(least + self.limits[:straight]), out=features[:, :straight])
        if straight < count:
            inside = np.subtract(self.limits[straight:], np.sqrt(squares[:, straight:]))
            np.maximum(inside, 0.0, out=inside)
            np.multiply(inside * inside, inside, out=features[:, straight:count])
        return features.dot(self.coefficients)

    def only(self, splines: NDArray[np.intp]) -> "_RadialSum":
        """Return the sum with only the given `splines`."""
        straight, count, last = self.straight, len(self.limits), len(self.coefficients)
        wide = splines + straight
        narrow = wide + (count - straight) // 2
        rows = np.concatenate([np.arange(straight), wide, narrow, np.arange(count, last)])
        bases = rows[: count - last]
        taken = self.centres.take(bases, axis=1), self.straight, self.limits.take(bases)
        return _RadialSum(*taken, self.coefficients.take(rows, axis=0))


def _sum_of(basis: CardinalBasis, straight: int) -> _RadialSum:
    """Return the weights of a basis as one sum; its first `straight` radial bases are kriging bases."""
    radii = basis.radii[straight:]
    cubes = basis.radial[straight:] / (6.0 * radii**3)[:, None]
    plane = np.pad(basis.polynomial, ((0, 1 + len(basis.scale) - len(basis.powers)), (0, 0)))
    return _RadialSum(
        np.ascontiguousarray(np.concatenate([basis.centres, basis.centres[straight:]]).T),
        straight,
        np.concatenate([basis.radii[:straight] ** 2, SUPPORT * radii, radii]),
        np.concatenate([-basis.radial[:straight], cubes, -4.0 * cubes, plane]),
    )


def exponents(dimension: int, degree: int) -> NDArray[np.intp]:
    """Return the exponents (L, D) of all monomials of `dimension` variables up to `degree`, the constant first.

    Degree -1 has no monomials.
    """
    rows: list[list[int]] = []
    for total in range(degree + 1):
        for chosen in combinations_with_replacement(range(dimension), total):
            rows.append([chosen.count(axis) for axis in range(dimension)])
    return np.array(rows, dtype=np.intp).reshape(len(rows), dimension)


def monomials(points: Array, powers: NDArray[np.intp]) -> Array:
    """Return the values (P, L) of the monomials with exponents `powers` (L, D) at `points` (P, D)."""
    values = np.ones((len(points), len(powers)))
    for axis, column in enumerate(powers.T):
        for term in np.flatnonzero(column):
            values[:, term] *= points[:, axis] ** column[term]
    return values


def fit_polynomial(centres: Array, powers: NDArray[np.intp], values: Array) -> Array:
    """Return least-squares coefficients (L, V) of a polynomial for `values` (N, V) at `centres` ([Rose2001] eq. 4)."""
    return np.asarray(np.linalg.lstsq(monomials(centres, powers), values, rcond=None)[0], dtype=np.float64)


def cardinal_basis(
    points: ArrayLike,
    ranges: ArrayLike,
    names: tuple[str, ...] = (),
    examples: tuple[str, ...] = (),
    kernel: Kernel = "cubic_b_spline",
    degree: int = 1,
    radius_factor: float = 2.0,
) -> CardinalBasis:
    """Return the cardinal basis of N examples: weights that are 1 at their own example and 0 at all others.

    First the polynomial (a hyperplane by default) is fitted to each column of the identity, then the radial bases are
    solved for the residuals. Deviation from [Rose1998]: a row is a location and a column a basis; the paper prints the
    matrix transposed, which taken literally would not interpolate its own examples. Every adverb is first divided by
    its range.

    Parameters
    ----------
    points : (N, D) adverbs of the examples.
    ranges : (D,) extent of each adverb, by which it is divided.
    names, examples : names of the adverbs and the examples in messages.
    kernel : radial basis function.
    degree : degree of the polynomial, -1 for none; constrained kernels always have a constant.
    radius_factor : radius of the kernels' support, in distances to the nearest example.

    Raises
    ------
    BasisError
        If examples coincide, are too few, lie on a line or plane, are not finite, or the system is singular.
    """
    places = np.asarray(points, dtype=np.float64)
    scale = np.asarray(ranges, dtype=np.float64)
    adverbs = names or tuple(f"adverb {i + 1}" for i in range(places.shape[1]))
    labels = examples or tuple(f"example {i + 1}" for i in range(len(places)))
    _check_numbers(places, scale, adverbs, labels)
    origin = places.mean(axis=0)
    centres = (places - origin) / scale
    _check_places(centres, degree >= 1 or kernel in CONSTRAINED, adverbs, labels)
    _check_terms(centres, degree)
    lowest = 0 if kernel in CONSTRAINED else degree
    powers = exponents(places.shape[1], max(degree, lowest) if len(places) > 1 else 0)
    _check_degree(centres, powers, degree)
    radii = radii_of(centres, kernel, radius_factor)
    identity = np.eye(len(places))
    polynomial = fit_polynomial(centres, powers, identity)
    try:
        residuals = identity - monomials(centres, powers) @ polynomial
        radial, constant, condition = solve_radial(centres, radii, kernel, residuals, len(centres))
    except np.linalg.LinAlgError:
        raise BasisError(
            f"The {kernel} kernel cannot tell these examples apart. Choose the Cubic B-Spline kernel."
        ) from None
    polynomial[:1] += constant
    return CardinalBasis(centres, scale, origin, radii, powers, radial, polynomial, kernel, condition)


def _check_numbers(places: Array, scale: Array, adverbs: tuple[str, ...], labels: tuple[str, ...]) -> None:
    """Raise if an adverb has no extent, or an example's value is not finite or far outside the range."""
    for axis, name in enumerate(adverbs):
        if not (np.isfinite(scale[axis]) and scale[axis] > 0.0):
            raise BasisError(f"Adverb '{name}' has no range. Set its minimum below its maximum.")
        for row in np.flatnonzero(~(np.abs(places[:, axis]) <= LARGEST_ADVERB * scale[axis])):
            raise BasisError(
                f"Adverb '{name}' of example '{labels[row]}' is {places[row, axis]:g}, which is far outside its range. "
                "Correct the value."
            )


def _check_places(centres: Array, spanning: bool, adverbs: tuple[str, ...], labels: tuple[str, ...]) -> None:
    """Raise if examples coincide, are too few for the adverbs, or must be `spanning` but lie on a line or plane."""
    count, dimension = centres.shape
    if dimension == 0 and count > 1:
        raise BasisError(
            f"There are {count} examples but no adverb to tell them apart. Add an adverb, or keep only one example."
        )
    distances = np.linalg.norm(centres[:, None] - centres, axis=-1)
    np.fill_diagonal(distances, np.inf)
    if count > 1 and distances.min() < SMALLEST_SEPARATION:
        first, second = np.unravel_index(int(np.argmin(distances)), distances.shape)
        raise BasisError(
            f"Examples '{labels[first]}' and '{labels[second]}' have the same adverb values. Change the values of one "
            "of them, or leave it out."
        )
    if dimension and count < dimension + 1:
        raise BasisError(
            f"{count} example{'s are' if count > 1 else ' is'} not enough for {dimension} "
            f"adverb{'s' if dimension > 1 else ''} ({', '.join(adverbs)}): at least {dimension + 1} are needed. Add "
            "examples or remove an adverb."
        )
    if not spanning or len(centres) == 1 or dimension == 0:
        return
    relative = centres - centres.mean(axis=0)
    extents, axes = np.linalg.eigh(relative.T @ relative)
    if extents[0] < 1e-12 * extents[-1]:
        axis = adverbs[int(np.abs(axes[:, 0]).argmax())]
        raise BasisError(
            f"All examples lie on one line or plane of the adverb space: '{axis}' cannot be distinguished from the "
            "others. Add an example off it, or take that adverb away."
        )


def _polynomial(centres: Array, degree: int) -> str:
    """Return the subject of a sentence about the polynomial."""
    return f"A polynomial of degree {degree} in {centres.shape[1]} adverb{'s' if centres.shape[1] > 1 else ''}"


def _check_terms(centres: Array, degree: int) -> None:
    """Raise if there are fewer examples than polynomial terms; checked before the terms are listed."""
    if degree < 2 or len(centres) == 1:
        return
    count = comb(centres.shape[1] + degree, centres.shape[1])
    if len(centres) < count:
        raise BasisError(
            f"{_polynomial(centres, degree)} needs at least {count} examples, not {len(centres)}. Choose degree 1, or "
            "add examples."
        )


def _check_degree(centres: Array, powers: NDArray[np.intp], degree: int) -> None:
    """Raise if the examples do not determine a polynomial of degree 2 or more.

    The weights would then not sum to 1 between the examples.
    """
    if degree < 2 or len(centres) == 1:
        return
    values = np.linalg.svd(monomials(centres, powers), compute_uv=False)
    if values[-1] < 1e-6 * values[0]:
        raise BasisError(
            f"{_polynomial(centres, degree)} is not determined by the places of these examples. Choose degree 1, or add"
            " examples elsewhere."
        )
