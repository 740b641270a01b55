"""Uniform cubic curves over [0, 1], open or periodic: B-splines ([Rose1998] section 3.1) and two other encodings.

[Rose2001] section 3 allows each example its own encoding. In all encodings here a span is a cubic polynomial of four
neighbouring control points, so that they differ only in one matrix.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ClipError

Array = NDArray[np.float64]

SMOOTHNESS = 1e-6

Encoding = Literal["cubic_b_spline", "catmull_rom", "linear"]

SPAN_MATRICES: dict[str, Array] = {
    "cubic_b_spline": np.array(
        [[1.0, 4.0, 1.0, 0.0], [-3.0, 0.0, 3.0, 0.0], [3.0, -6.0, 3.0, 0.0], [-1.0, 3.0, -3.0, 1.0]]
    )
    / 6.0,
    "catmull_rom": np.array(
        [[0.0, 2.0, 0.0, 0.0], [-1.0, 0.0, 1.0, 0.0], [2.0, -5.0, 4.0, -1.0], [-1.0, 3.0, -3.0, 1.0]]
    )
    / 2.0,
    "linear": np.array([[0.0, 1.0, 0.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]),
}


@dataclass(frozen=True, eq=False)
class Curve:
    """A uniform cubic curve over [0, 1] with values of `width` columns.

    Parameters
    ----------
    controls : (E, width) control points; span i uses those from i to i + 3. A periodic curve of n control points
        repeats its first three at the end, so E is n + 3.
    periodic : whether time is taken modulo 1; otherwise it is clamped to [0, 1].
    encoding : selects the matrix from four control points to the polynomial of a span.
    """

    controls: Array
    periodic: bool
    encoding: Encoding = "cubic_b_spline"

    @property
    def spans(self) -> int:
        """Number of polynomial pieces."""
        return len(self.controls) - 3

    @property
    def control_points(self) -> int:
        """Number of independent control points, NumCP in the paper."""
        return self.spans if self.periodic else len(self.controls)

    def sample(self, times: ArrayLike) -> Array:
        """Evaluate the curve at `times` (T,), giving values (T, width)."""
        span, basis = locate(np.asarray(times, dtype=np.float64), self.spans, self.periodic, self.encoding)
        return combined(self.controls, span, basis)


def basis_functions(u: ArrayLike, encoding: Encoding = "cubic_b_spline") -> Array:
    """Return the four basis functions (..., 4) of a span at its local parameter `u` (...) in [0, 1]."""
    x = np.asarray(u, dtype=np.float64)[..., None]
    constant, linear, square, cube = SPAN_MATRICES[encoding]
    return constant + x * (linear + x * (square + x * cube))


def locate(
    times: Array, spans: int | NDArray[np.intp], periodic: bool, encoding: Encoding = "cubic_b_spline"
) -> tuple[NDArray[np.intp], Array]:
    """Return the span (...) in which each of `times` (...) lies, and the basis functions (..., 4) there.

    The numbers of spans are broadcast against the times.
    """
    scaled = (times - np.floor(times) if periodic else np.clip(times, 0.0, 1.0)) * spans
    span = np.minimum(scaled.astype(np.intp), spans - 1)
    return span, basis_functions(scaled - span, encoding)


def combined(controls: Array, first: NDArray[np.intp], basis: Array) -> Array:
    """Return sums (T, width) of four `controls` (E, width) each, from `first` (T,) on, weighted by `basis` (T, 4)."""
    return np.einsum("tk,tkw->tw", basis, controls[first[:, None] + np.arange(4)])


def design_matrix(times: Array, control_points: int, periodic: bool, encoding: Encoding = "cubic_b_spline") -> Array:
    """Return the matrix (T, control_points) from control points to values at `times` (T,)."""
    spans = control_points if periodic else control_points - 3
    span, basis = locate(times, spans, periodic, encoding)
    matrix = np.zeros((len(times), control_points))
    rows = np.arange(len(times))
    for k in range(4):
        np.add.at(matrix, (rows, (span + k) % control_points), basis[:, k])
    return matrix


def fit_curve(
    times: ArrayLike,
    values: ArrayLike,
    control_points: int,
    periodic: bool,
    encoding: Encoding = "cubic_b_spline",
) -> Curve:
    """Fit a curve to samples by least squares.

    Parameters
    ----------
    times : (T,) times in [0, 1].
    values : (T, width) values of the samples.
    control_points : number of independent control points, at least 4.
    periodic : whether to fit a closed curve.
    encoding : encoding of the curve.

    Returns
    -------
    Curve

    Raises
    ------
    ClipError
        If there are too few control points, or values that are not finite.
    """
    if control_points < 4:
        raise ClipError(f"A cubic curve needs at least 4 control points, not {control_points}. Use more.")
    data = np.asarray(values, dtype=np.float64)
    if not np.isfinite(data).all():
        row = int(np.flatnonzero(~np.isfinite(data).all(axis=-1))[0])
        raise ClipError(f"Sample {row} of the curve is not a finite number. Correct the key there.")
    matrix = design_matrix(np.asarray(times, dtype=np.float64), control_points, periodic, encoding)
    solution = _smoothest(matrix, data, periodic)
    return Curve(np.concatenate([solution, solution[:3]]) if periodic else solution, periodic, encoding)


def _smoothest(matrix: Array, data: Array, periodic: bool) -> Array:
    """Solve for control points (C, width); components not determined by the samples minimise the curvature."""
    solution, _, rank, _ = np.linalg.lstsq(matrix, data, rcond=None)
    count = matrix.shape[1]
    if rank < count:
        bends = np.roll(np.eye(count), -1, axis=0) - 2.0 * np.eye(count) + np.roll(np.eye(count), 1, axis=0)
        bends = SMOOTHNESS * (bends if periodic else bends[1:-1])
        wanted = np.concatenate([data, np.zeros((len(bends), data.shape[1]))])
        solution = np.linalg.lstsq(np.concatenate([matrix, bends]), wanted, rcond=None)[0]
    return np.asarray(solution, dtype=np.float64)
