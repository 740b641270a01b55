"""Damped least squares with numeric derivatives, for many small problems at once."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Residuals = Callable[[Array, NDArray[np.intp]], Array]

FIRST_DAMPING, LEAST_DAMPING = 1e-3, 1e-9
LARGER, SMALLER = 8.0, 0.1
MOST_DAMPING = 1e6


@dataclass(frozen=True, eq=False)
class Solved:
    """Where damped least squares ended.

    Parameters
    ----------
    unknowns : (B, n)
    errors : (B,) lengths of the residuals there; none is larger than at the start.
    steps : (B,) how many steps were tried for each.
    """

    unknowns: Array
    errors: Array
    steps: NDArray[np.intp]


def damped_least_squares(
    residuals: Residuals, start: Array, tolerance: float, iterations: int, step: float, longest: float
) -> Solved:
    """Make the residuals of B problems small, each from its own start; a step that does not help is not taken.

    Parameters
    ----------
    residuals : from unknowns (b, n) and the indices (b,) of the problems they belong to, to residuals (b, M).
    start : (B, n)
    tolerance : a problem is left when its residual is no longer than this.
    iterations : at most so many steps.
    step : of the numeric derivatives, in the unknowns.
    longest : step that is taken at most, in the unknowns.
    """
    unknowns = start.copy()
    misses = residuals(unknowns, np.arange(len(start)))
    errors = np.linalg.norm(misses, axis=1)
    damping = np.full(len(start), FIRST_DAMPING)
    steps = np.zeros(len(start), dtype=np.intp)
    for _ in range(iterations):
        open_ = np.flatnonzero((errors > tolerance) & (damping < MOST_DAMPING))
        if not len(open_):
            break
        slopes = _slopes(residuals, unknowns[open_], misses[open_], open_, step)
        moves = _moves(slopes, misses[open_], damping[open_])
        lengths = np.linalg.norm(moves, axis=1, keepdims=True)
        tried = unknowns[open_] - moves * np.minimum(1.0, longest / np.maximum(lengths, 1e-300))
        found = residuals(tried, open_)
        reached = np.linalg.norm(found, axis=1)
        better = reached < errors[open_]
        taken = open_[better]
        unknowns[taken], misses[taken], errors[taken] = tried[better], found[better], reached[better]
        damping[open_] = np.maximum(damping[open_] * np.where(better, SMALLER, LARGER), LEAST_DAMPING)
        steps[open_] += 1
    return Solved(unknowns, errors, steps)


def _slopes(residuals: Residuals, unknowns: Array, misses: Array, rows: NDArray[np.intp], step: float) -> Array:
    """Jacobians (b, M, n) by forward differences, all unknowns of all problems in one call."""
    count, size = unknowns.shape
    moved = unknowns[:, None] + step * np.eye(size)
    found = residuals(moved.reshape(-1, size), np.repeat(rows, size)).reshape(count, size, -1)
    return np.swapaxes(found - misses[:, None], 1, 2) / step


def _moves(slopes: Array, misses: Array, damping: Array) -> Array:
    """Steps (b, n) with ``(J'J + damping * mean square of J) x = J'r``; by the smaller of both systems."""
    across = np.swapaxes(slopes, 1, 2)
    rows, columns = slopes.shape[1:]
    level = damping * np.maximum(np.einsum("bij,bij->b", slopes, slopes) / min(rows, columns), 1e-300)
    if rows < columns:
        system = slopes @ across + level[:, None, None] * np.eye(rows)
        return (across @ _solve(system, misses[..., None]))[..., 0]
    system = across @ slopes + level[:, None, None] * np.eye(columns)
    return _solve(system, across @ misses[..., None])[..., 0]


def _solve(systems: Array, right: Array) -> Array:
    return np.asarray(np.linalg.solve(systems, right), dtype=np.float64)
