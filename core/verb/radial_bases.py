"""Radial bases ([Rose1998] section 4.2, [Rose2001] 3.1.2): functions of the distance from an example's place."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LARGEST_MISS = 1e-6
"""Error at the examples above which a solution counts as failed."""
SUPPORT = 2.0
"""Distance in radii beyond which a cubic B-spline is 0."""
CELLS, MOST_TESTED = 4, 4_000_000
"""Number of grid cells per centre, and the limit on cells times centres, of the grid that finds centres in reach."""
WIDE = 0.5
"""A centre that touches more than this share of the cells is not listed, but evaluated everywhere."""
Kernel = Literal["cubic_b_spline", "kriging", "linear", "thin_plate", "gaussian"]
"""Name of a radial basis function."""
SCALE_FREE = frozenset({"linear", "thin_plate"})
"""Kernels that need no radius."""
CONSTRAINED = frozenset({"kriging"})
"""Kernels whose coefficients sum to 0 for each weight, with an additional constant; pseudo-examples on top of them are
cubic B-splines."""
ROUNDED = 0.15
"""Share of the distance to the nearest example over which the corner of kriging at an example is rounded."""


def cubic_b_spline(x: Array) -> Array:
    """Return the uniform cubic B-spline of support 2: 2/3 at 0, and 0 from 2 on ([Rose1998] section 4.2)."""
    far, near = 2.0 - x, 1.0 - x
    for side in (far, near):
        np.maximum(side, 0.0, out=side)
        side *= side * side
    near *= 4.0
    far -= near
    far /= 6.0
    return far


def kriging(distances: Array, corner: Array | float = 0.0) -> Array:
    """Return minus the distance and its square: ordinary kriging with the variogram d + d squared.

    Since the coefficients sum to 0, the squares sum to a plane, less steep than the best fit, as in ridge regression:
    beyond the examples weights change less steeply than between them. The corner at distance 0 would make a figure
    whose adverbs sweep through an example change its speed in one frame, so within about the distance `corner` it is
    rounded, as in Hardy's multiquadrics (1971).
    """
    return -np.sqrt(distances * distances + corner * corner) - distances * distances


def linear(x: Array) -> Array:
    """Return minus the distance."""
    return -x


def thin_plate(x: Array) -> Array:
    """Return x squared times the logarithm of x."""
    return x * x * np.log(np.maximum(x, 1e-300))


def gaussian(x: Array) -> Array:
    """Return exp(-x squared)."""
    return np.exp(-x * x)


KERNELS: dict[str, Callable[[Array], Array]] = {
    "cubic_b_spline": cubic_b_spline,
    "linear": linear,
    "thin_plate": thin_plate,
    "gaussian": gaussian,
}
"""Radial basis functions by name, of distances in radii. Kriging, whose radius rounds its corner, is separate."""


def radii_of(centres: Array, kernel: Kernel, radius_factor: float) -> Array:
    """Return the radii (N,) of the kernels at `centres` (N, D)."""
    if kernel in SCALE_FREE or len(centres) == 1:
        return np.ones(len(centres))
    if kernel == "kriging":
        return ROUNDED * _nearest(centres)
    return support_radii(centres, radius_factor)


def support_radii(centres: Array, factor: float) -> Array:
    """Return the dilation alpha (N,) of each kernel: half of `factor` times the distance to the nearest other centre.

    With factor 2 the support of the cubic B-spline reaches twice that distance, as in [Rose1998] section 4.2.
    """
    return _nearest(centres) * (0.5 * factor) if len(centres) > 1 else np.ones(1)


def _nearest(centres: Array) -> Array:
    """Return the distance (N,) of each of N centres, at least two, to the nearest other."""
    distances = np.linalg.norm(centres[:, None] - centres, axis=-1)
    np.fill_diagonal(distances, np.inf)
    return np.asarray(distances.min(axis=1), dtype=np.float64)


def radial_bases(distances: Array, radii: Array, kernel: Kernel, examples: int) -> Array:
    """Return the radial bases (K, P) at `distances` (K, P) from their centres.

    Parameters
    ----------
    distances : (K, P) distances from the centres, in ranges of the adverbs.
    radii : (K,) radii of the bases, in the same.
    kernel : kernel of the examples.
    examples : number of the examples, which are the first centres; the others are pseudo-examples.
    """
    if kernel != "kriging":
        return KERNELS[kernel](distances / radii[:, None])
    straight = kriging(distances[:examples], radii[:examples, None])
    return np.concatenate([straight, cubic_b_spline(distances[examples:] / radii[examples:, None])])


@dataclass(frozen=True, eq=False)
class ReachGrid:
    """Find which of K centres can reach a point: those whose support touches the point's cell of a grid.

    The grid covers the bounding box of the centres. A point outside uses the cell of the nearest point of the box,
    which is no farther from any centre than the point itself.

    Parameters
    ----------
    low : (D,) lower corner of the grid, in ranges of the adverbs.
    per_range : (D,) cells per range of each adverb; 0 where all centres have the same value.
    last : (D,) index of the last cell along each adverb.
    strides : (D,) index step from one cell to the next along each adverb.
    everywhere : centres that are not listed, since they touch most cells.
    begins : (C + 1,) start of each cell's list in `listed`.
    listed : centres whose support touches a cell, cell after cell.
    spared : mean number of centres that a cell excludes.
    """

    low: Array
    per_range: Array
    last: Array
    strides: NDArray[np.intp]
    everywhere: NDArray[np.intp]
    begins: NDArray[np.intp]
    listed: NDArray[np.intp]
    spared: float

    def _cells(self, points: Array) -> NDArray[np.intp]:
        """Return the cell (P,) of each of `points` (P, D), in ranges of the adverbs; any cell for a NaN point.

        Rounding at a border is harmless, since a spline that ends there is flat.
        """
        along = (points - self.low) * self.per_range
        np.fmin(np.fmax(along, 0.0, out=along), self.last, out=along)
        return along.astype(np.intp).dot(self.strides)

    def around(self, point: Array) -> NDArray[np.intp]:
        """Return all centres that can reach one `point` (1, D)."""
        cell = int(self._cells(point)[0])
        listed = self.listed[self.begins[cell] : self.begins[cell + 1]]
        return np.concatenate([self.everywhere, listed]) if len(self.everywhere) else listed

    def listed_at(self, points: Array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the centres listed at each of `points` (P, D), point after point, and how many each has (P,)."""
        cells = self._cells(points)
        begins = self.begins[cells]
        counts = self.begins[cells + 1] - begins
        begins[1:] -= np.cumsum(counts[:-1])
        places = np.repeat(begins, counts)
        places += np.arange(len(places))
        return self.listed.take(places), counts


def reach_grid(centres: Array, reaches: Array) -> ReachGrid:
    """Return the grid of `centres` (K, D) with supports `reaches` (K,), all in ranges of the adverbs.

    Its cells are about equally long along each adverb.
    """
    low, extents = centres.min(axis=0), centres.max(axis=0) - centres.min(axis=0)
    most = min(CELLS * len(centres), MOST_TESTED // len(centres))
    side = max(float(extents.max()) / most, np.finfo(np.float64).tiny)
    while np.prod(extents // side + 1.0) > most:
        side *= 1.05
    numbers = extents // side + 1.0
    sides = extents / numbers
    squares = np.zeros((1, len(centres)))
    for axis, side in enumerate(sides):
        borders: Array = low[axis] + np.arange(int(numbers[axis]))[:, None] * side
        gaps = np.maximum(np.maximum(borders - centres[:, axis], centres[:, axis] - borders - side), 0.0)
        squares = (squares[:, None] + gaps * gaps).reshape(-1, len(centres))
    touches = squares < reaches * reaches
    wide = touches.mean(axis=0) > WIDE
    touches[:, wide] = False
    cells, listed = np.nonzero(touches)
    per_range = np.divide(1.0, sides, out=np.zeros_like(sides), where=sides > 0.0)
    strides = np.array([np.prod(numbers[axis + 1 :]) for axis in range(len(numbers))], dtype=np.intp)
    begins = np.searchsorted(cells, np.arange(len(touches) + 1))
    spared = float(len(centres) - np.count_nonzero(wide) - len(listed) / len(touches))
    return ReachGrid(low, per_range, numbers - 1.0, strides, np.flatnonzero(wide), begins, listed.copy(), spared)


def radial_system(centres: Array, radii: Array, kernel: Kernel, examples: int) -> Array:
    """Return the matrix Q (K, K) with basis j at centre i in Q[i, j]; the first of the centres are the `examples`.

    For a constrained kernel it is (K + 1, K + 1); the border represents the constant and the constraint.
    """
    distances = np.linalg.norm(centres[:, None] - centres, axis=-1)
    system = radial_bases(distances, radii, kernel, examples).T
    if kernel not in CONSTRAINED:
        return system
    constraint = np.where(np.arange(len(centres) + 1) < examples, 1.0, 0.0)
    return np.block([[system, np.ones((len(centres), 1))], [constraint]])


def solve_radial(
    centres: Array, radii: Array, kernel: Kernel, residuals: Array, examples: int
) -> tuple[Array, Array, float]:
    """Solve Q r = q for the radial coefficients (K, V), the constant (V,) and the condition number of Q.

    Q is that of `radial_system`, and q the `residuals` (K, V) of the polynomial. The constant is 0 unless the kernel is
    constrained. A single example is left to the polynomial, since a kernel that vanishes at its centre could not
    interpolate it.

    Raises
    ------
    LinAlgError
        If Q is singular, or so nearly singular that the solution misses the examples.
    """
    count = len(centres)
    if count == 1:
        return np.zeros_like(residuals), np.zeros(residuals.shape[1]), 1.0
    system = radial_system(centres, radii, kernel, examples)
    wanted = np.pad(residuals, ((0, len(system) - count), (0, 0)))
    solved = np.asarray(np.linalg.solve(system, wanted), dtype=np.float64)
    if not np.abs(system @ solved - wanted).max() < LARGEST_MISS * max(1.0, float(np.abs(residuals).max())):
        raise np.linalg.LinAlgError("The solution misses its data.")
    return solved[:count], solved[count:].sum(axis=0), float(np.linalg.cond(system))
