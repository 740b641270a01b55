"""Better searches for optimal p', and for weights where no p' will do ([Rose2001] sections 4.2 and 4.3)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..verb.verb import Verb
from .aim import Aim

Array = NDArray[np.float64]

SLOPE_STEP = 1e-3
LONGEST_STEP = 0.3
Residuals = Callable[[Array, NDArray[np.intp]], Array]
FIRST_DAMPING, LEAST_DAMPING = 1e-3, 1e-9
LARGER, SMALLER = 8.0, 0.1
MOST_DAMPING = 1e6


@dataclass(frozen=True, eq=False)
class Found:
    """What a search found for B points.

    Parameters
    ----------
    weights : (B, N) of the examples.
    errors : (B,) distance from what was asked, in the aim's scale; never more than at the start.
    steps : (B,) of damped least squares.
    """

    weights: Array
    errors: Array
    steps: NDArray[np.intp]


def search_adverbs(
    verb: Verb, aim: Aim, points: Array, tolerance: float, iterations: int = 20, start: Array | None = None
) -> Found:
    """Weights at the p' that damped least squares find from `points` (B, D), moving the adverbs that ask for something.

    Parameters
    ----------
    tolerance : distance from what is asked at which a point is good enough, in the aim's scale.
    iterations : at most so many steps.
    start : (B, D) where to begin instead of at `points`.
    """
    targets, axes = aim.asked(points), aim.moving
    begin = points if start is None else start
    extents = (verb.adverb_ranges[:, 1] - verb.adverb_ranges[:, 0])[axes]

    def residuals(moves: Array, rows: NDArray[np.intp]) -> Array:
        """Misses (b, M) where `moves` (b, n), in ranges, lead from the start."""
        return aim.misses(verb, verb.weights(_moved(begin[rows], axes, moves * extents)), targets[rows])

    zero = np.zeros((len(points), len(axes)))
    solved = damped_least_squares(residuals, zero, tolerance, iterations, SLOPE_STEP, LONGEST_STEP)
    weights = verb.weights(_moved(begin, axes, solved.unknowns * extents))
    return Found(weights, solved.errors, solved.steps)


def search_weights(
    verb: Verb, aim: Aim, points: Array, weights: Array, tolerance: float, iterations: int = 20
) -> Found:
    """Weights near `weights` (B, N) that come closer to what `points` (B, D) ask for; their sum stays 1.

    For targets of more dimensions than the adverbs: off the board no p' leads back onto it. Of all changes the shortest
    is taken.
    """
    targets, count = aim.asked(points), weights.shape[1]
    level = np.linalg.qr(np.eye(count) - 1.0 / count)[0][:, : count - 1]

    def residuals(moves: Array, rows: NDArray[np.intp]) -> Array:
        """Misses (b, M) where `moves` (b, N - 1) lead from the start."""
        return aim.misses(verb, weights[rows] + moves @ level.T, targets[rows])

    zero = np.zeros((len(points), count - 1))
    solved = damped_least_squares(residuals, zero, tolerance, iterations, SLOPE_STEP, LONGEST_STEP)
    return Found(weights + solved.unknowns @ level.T, solved.errors, solved.steps)


def search(verb: Verb, aim: Aim, points: Array, tolerance: float, iterations: int = 20) -> Found:
    """Adverbs first; where no p' reaches what `points` (B, D) ask for, weights from there.

    Targets of more dimensions than the adverbs that ask for them are met by no p': their weights are searched at once.
    """
    if len(aim.moving) < len(aim.origin):
        return search_weights(verb, aim, points, verb.weights(points), tolerance, iterations)
    found = search_adverbs(verb, aim, points, tolerance, iterations)
    left = np.flatnonzero(found.errors > tolerance)
    if not len(left):
        return found
    closer = search_weights(verb, aim, points[left], found.weights[left], tolerance, iterations)
    found.weights[left], found.errors[left] = closer.weights, closer.errors
    found.steps[left] += closer.steps
    return found


def _moved(start: Array, axes: NDArray[np.intp], moves: Array) -> Array:
    points = start.copy()
    points[:, axes] += moves
    return points


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


def hybrid(verb: Verb, aim: Aim, points: Array) -> Found:
    """Weights after one search from `points` (B, D) on a refined verb: one step of damped least squares.

    Deviation from [Rose2001], which searches a line: where a refined verb still errs, the error vector is short, and
    the slopes lead to the target with fewer evaluations than a line takes. Where targets have more dimensions than the
    adverbs that ask for them, the step is made in the weights.
    """
    if len(aim.moving) < len(aim.origin):
        return search_weights(verb, aim, points, verb.weights(points), 0.0, 1)
    return search_adverbs(verb, aim, points, 0.0, 1)


def polish(verb: Verb, aim: Aim, points: Array, tolerance: float, iterations: int = 10) -> Found:
    """Weights that meet what `points` (B, D) ask for by less than `tolerance`, wherever these examples can.

    From the verb's own weights by damped least squares in the adverbs; what no p' reaches, in the weights.

    Parameters
    ----------
    tolerance : in the aim's scale: performance units where points are measured.
    iterations : at most so many steps in adverbs, and in weights.
    """
    return search(verb, aim, points, tolerance, iterations)


def out_of_reach(verb: Verb, aim: Aim, point: Array, tolerance: float) -> str:
    """What to tell the animator if `point` (D,) asks for something farther than `tolerance` from all the verb can do.

    Empty where it is met. Distances are in the measure's unit, and where its components have several, in percent of the
    diagonal of the target region.
    """
    error = float(polish(verb, aim, point[None], tolerance, iterations=30).errors[0])
    if error <= tolerance:
        return ""
    wanted = ", ".join(
        f"{label} {value:.3g} {unit}"
        for label, value, unit in zip(aim.measure.labels, aim.asked(point), aim.measure.units, strict=True)
    )
    alike = len(set(aim.measure.units)) == 1
    apart = f"{error:.2g} {aim.measure.units[0]}" if alike else f"{100.0 * error / aim.diagonal:.2g} % of the region"
    return (
        f"The examples of verb '{verb.name}' do not reach {wanted}: the nearest they come is {apart} away. "
        "Bring the target nearer, or add an example there."
    )
