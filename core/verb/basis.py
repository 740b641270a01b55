"""The cardinal basis: one weight for each example, 1 at its own place and 0 at the others' ([Rose2001] eqs. 2 to 4)."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import BasisError

Array = NDArray[np.float64]

SMALLEST_SEPARATION = 1e-6
LARGEST_ADVERB = 1e9
LARGEST_MISS = 1e-6
FARTHEST = 1e12
"""Ranges away from the examples beyond which nothing changes, so that no pose overflows in single precision."""
Kernel = Literal["cubic_b_spline", "linear", "thin_plate", "gaussian"]
SCALE_FREE = frozenset({"linear", "thin_plate"})


@dataclass(frozen=True, eq=False)
class CardinalBasis:
    """Weights of N examples over an adverb space of D adverbs.

    Parameters
    ----------
    centres : (K, D) places of the N examples, then of pseudo-examples if there are any; each adverb divided by its
        range.
    scale : (D,) by which adverbs are divided.
    origin : (D,) subtracted before.
    radii : (K,) dilation alpha of each radial basis.
    powers : (L, D) exponents of the polynomial's terms.
    radial : (K, N) coefficients: row = radial basis, column = example whose weight it serves.
    polynomial : (L, N) coefficients of the terms.
    kernel : name of the radial kernel.
    condition : condition number of the radial system.
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
        """Radial and polynomial bases (P, K + L) at `points` (P, D) in the adverbs' own units."""
        scaled = (np.asarray(points, dtype=np.float64) - self.origin) / self.scale
        np.clip(scaled, -FARTHEST, FARTHEST, out=scaled)
        distances = np.zeros((len(self.centres), len(scaled)))
        for places, values in zip(self.centres.T, np.ascontiguousarray(scaled.T), strict=True):
            difference = values - places[:, None]
            difference *= difference
            distances += difference
        np.sqrt(distances, out=distances)
        distances /= self.radii[:, None]
        radial = KERNELS[self.kernel](distances)
        return np.concatenate([radial, monomials(scaled, self.powers).T]).T

    def weights(self, points: ArrayLike) -> Array:
        """Weights (P, N) of the examples at `points` (P, D); they sum to 1."""
        return self.features(points) @ self.coefficients

    @property
    def coefficients(self) -> Array:
        """(K + L, N): radial and polynomial coefficients in the order of `features`."""
        return np.concatenate([self.radial, self.polynomial])


def exponents(dimension: int, degree: int) -> NDArray[np.intp]:
    """Exponents (L, D) of all monomials of `dimension` variables up to `degree`, the constant first; -1 has none."""
    rows: list[list[int]] = []
    for total in range(degree + 1):
        for chosen in combinations_with_replacement(range(dimension), total):
            rows.append([chosen.count(axis) for axis in range(dimension)])
    return np.array(rows, dtype=np.intp).reshape(len(rows), dimension)


def monomials(points: Array, powers: NDArray[np.intp]) -> Array:
    """Values (P, L) of the monomials `powers` (L, D) at `points` (P, D)."""
    values = np.ones((len(points), len(powers)))
    for axis, column in enumerate(powers.T):
        for term in np.flatnonzero(column):
            values[:, term] *= points[:, axis] ** column[term]
    return values


def support_radii(centres: Array, factor: float) -> Array:
    """Dilation alpha (N,) of each kernel: the distance to the nearest other example times half of `factor`.

    With factor 2 the cubic B-spline's support reaches twice that distance, as in [Rose1998] section 4.2.
    """
    if len(centres) == 1:
        return np.ones(1)
    distances = np.linalg.norm(centres[:, None] - centres, axis=-1)
    np.fill_diagonal(distances, np.inf)
    return distances.min(axis=1) * (0.5 * factor)


def fit_polynomial(centres: Array, powers: NDArray[np.intp], values: Array) -> Array:
    """Least-squares coefficients (L, V) of the polynomial through `values` (N, V) at `centres` ([Rose2001] eq. 4)."""
    return np.asarray(np.linalg.lstsq(monomials(centres, powers), values, rcond=None)[0], dtype=np.float64)


def solve_radial(centres: Array, radii: Array, kernel: Kernel, residuals: Array) -> tuple[Array, float]:
    """Coefficients r (N, V) with Q r = q, and the condition number of Q; Q[i, j] is basis j at example i.

    One example is met by the polynomial: kernels that vanish at their centre could not meet it.

    Raises
    ------
    LinAlgError
        If Q is singular, or so near to it that the solution misses the examples.
    """
    if len(centres) == 1:
        return np.zeros_like(residuals), 1.0
    distances = np.linalg.norm(centres[:, None] - centres, axis=-1)
    system = KERNELS[kernel](distances / radii)
    radial = np.asarray(np.linalg.solve(system, residuals), dtype=np.float64)
    if not np.abs(system @ radial - residuals).max() < LARGEST_MISS * max(1.0, float(np.abs(residuals).max())):
        raise np.linalg.LinAlgError("The solution misses its data.")
    return radial, float(np.linalg.cond(system))


def cardinal_basis(
    points: ArrayLike,
    ranges: ArrayLike,
    names: tuple[str, ...] = (),
    examples: tuple[str, ...] = (),
    kernel: Kernel = "cubic_b_spline",
    degree: int = 1,
    radius_factor: float = 2.0,
) -> CardinalBasis:
    """Solve for the weights' coefficients.

    First the hyperplane that fits each column of the identity best, then the radial bases that carry the residuals.
    Deviation from [Rose1998]: row = location, column = basis; the paper prints the matrix transposed, and taken
    literally it would miss its own examples. Every adverb is divided by its range first.

    Parameters
    ----------
    points : (N, D) adverbs of the examples.
    ranges : (D,) extent of each adverb, by which it is divided.
    names, examples : what to call the adverbs and examples in messages.
    kernel, degree, radius_factor : the radial kernel, the polynomial's degree (-1 for none), and the support in nearest
        distances.

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
    _check_places(centres, degree, adverbs, labels)
    _check_terms(centres, degree)
    powers = exponents(places.shape[1], degree if len(places) > 1 else 0)
    _check_degree(centres, powers, degree)
    radii = radii_of(centres, kernel, radius_factor)
    identity = np.eye(len(places))
    polynomial = fit_polynomial(centres, powers, identity)
    try:
        radial, condition = solve_radial(centres, radii, kernel, identity - monomials(centres, powers) @ polynomial)
    except np.linalg.LinAlgError:
        raise BasisError(f"The {kernel} kernel cannot tell these examples apart. Choose the cubic B-spline.") from None
    return CardinalBasis(centres, scale, origin, radii, powers, radial, polynomial, kernel, condition)


def radii_of(centres: Array, kernel: Kernel, radius_factor: float) -> Array:
    """Radii (N,) of the kernels about centres (N, D)."""
    if kernel in SCALE_FREE:
        return np.ones(len(centres))
    return support_radii(centres, radius_factor)


def _check_numbers(places: Array, scale: Array, adverbs: tuple[str, ...], labels: tuple[str, ...]) -> None:
    for axis, name in enumerate(adverbs):
        if not (np.isfinite(scale[axis]) and scale[axis] > 0.0):
            raise BasisError(f"Adverb '{name}' has no extent. Give it a minimum below its maximum.")
        for row in np.flatnonzero(~(np.abs(places[:, axis]) <= LARGEST_ADVERB * scale[axis])):
            raise BasisError(
                f"Adverb '{name}' of example '{labels[row]}' is {places[row, axis]:g}: not a number near its range. "
                "Set it to where the example stands."
            )


def _check_places(centres: Array, degree: int, adverbs: tuple[str, ...], labels: tuple[str, ...]) -> None:
    count, dimension = centres.shape
    if dimension == 0 and count > 1:
        raise BasisError(f"{count} examples but no adverb to tell them apart. Add an adverb, or keep one example.")
    distances = np.linalg.norm(centres[:, None] - centres, axis=-1)
    np.fill_diagonal(distances, np.inf)
    if count > 1 and distances.min() < SMALLEST_SEPARATION:
        first, second = np.unravel_index(int(np.argmin(distances)), distances.shape)
        raise BasisError(
            f"Examples '{labels[first]}' and '{labels[second]}' have the same adverbs. "
            "Move one of them apart or leave it out."
        )
    if dimension and count < dimension + 1:
        raise BasisError(
            f"{count} example{'s' if count > 1 else ''} cannot span {dimension} adverb{'s' if dimension > 1 else ''} "
            f"({', '.join(adverbs)}): at least {dimension + 1} are needed. Add examples or take an adverb away."
        )
    if degree < 1 or dimension == 0:
        return
    relative = centres - centres.mean(axis=0)
    extents, axes = np.linalg.eigh(relative.T @ relative)
    if extents[0] < 1e-12 * extents[-1]:
        axis = adverbs[int(np.abs(axes[:, 0]).argmax())]
        raise BasisError(
            f"All examples lie on one line or plane of the adverb space: '{axis}' cannot be told from the others. "
            "Add an example off it, or take that adverb away."
        )


def _polynomial(centres: Array, degree: int) -> str:
    return f"A polynomial of degree {degree} in {centres.shape[1]} adverb{'s' if centres.shape[1] > 1 else ''}"


def _check_terms(centres: Array, degree: int) -> None:
    """Check that there are as many examples as the polynomial has terms, before these are listed."""
    if degree < 2 or len(centres) == 1:
        return
    count = comb(centres.shape[1] + degree, centres.shape[1])
    if len(centres) < count:
        raise BasisError(
            f"{_polynomial(centres, degree)} needs at least {count} examples, not {len(centres)}. Choose degree 1 or"
            " add some."
        )


def _check_degree(centres: Array, powers: NDArray[np.intp], degree: int) -> None:
    """Where a polynomial of degree 2 or more is not determined, the weights would not sum to 1 between the examples."""
    if degree < 2 or len(centres) == 1:
        return
    values = np.linalg.svd(monomials(centres, powers), compute_uv=False)
    if values[-1] < 1e-6 * values[0]:
        raise BasisError(
            f"{_polynomial(centres, degree)} is not told by where these examples stand. Choose degree 1, or add"
            " examples elsewhere."
        )


def cubic_b_spline(x: Array) -> Array:
    """The uniform cubic B-spline of support 2: 2/3 at 0, 0 from 2 on, C2 ([Rose1998] section 4.2)."""
    far, near = 2.0 - x, 1.0 - x
    for side in (far, near):
        np.maximum(side, 0.0, out=side)
        side *= side * side
    near *= 4.0
    far -= near
    far /= 6.0
    return far


def linear(x: Array) -> Array:
    """Minus the distance: with a constant this is kriging with a linear variogram."""
    return -x


def thin_plate(x: Array) -> Array:
    """x squared times log x."""
    return x * x * np.log(np.maximum(x, 1e-300))


def gaussian(x: Array) -> Array:
    """exp(-x squared)."""
    return np.exp(-x * x)


KERNELS: dict[str, Callable[[Array], Array]] = {
    "cubic_b_spline": cubic_b_spline,
    "linear": linear,
    "thin_plate": thin_plate,
    "gaussian": gaussian,
}
