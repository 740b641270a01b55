"""Searching the adverbs p' that best meet a target, or weights if no p' does ([Rose2001] sections 4.2 and 4.3)."""

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..verb.verb import Verb
from .measures import Aim

Array = NDArray[np.float64]

SLOPE_STEP = 1e-3
LONGEST_STEP = 0.3
Residuals = Callable[[Array, NDArray[np.intp]], Array]
FIRST_DAMPING, LEAST_DAMPING = 1e-3, 1e-9
LARGER, SMALLER = 8.0, 0.1
MOST_DAMPING = 1e6
CLOSE = 1e-4
STEPS = 4


@dataclass(frozen=True, eq=False)
class Found:
    """Result of a search for B points.

    Parameters
    ----------
    weights : (B, N) weights of the examples.
    errors : (B,) distance from what was asked, in the aim's scale; never more than at the start.
    steps : (B,) number of steps of damped least squares.
    """

    weights: Array
    errors: Array
    steps: NDArray[np.intp]


def search_adverbs(
    verb: Verb, aim: Aim, points: Array, tolerance: float, iterations: int = 20, start: Array | None = None
) -> Found:
    """Search adverbs p' whose motion is what `points` ask for, by damped least squares; return the weights there.

    Parameters
    ----------
    verb, aim : the verb, and what its adverbs ask for. Adverbs that ask for nothing stay as they are.
    points : (B, D) adverbs that ask.
    tolerance : error at which a search ends, in the aim's scale.
    iterations : largest number of steps.
    start : (B, D) adverbs to begin with, `points` by default.
    """
    targets, axes = aim.asked(points), aim.moving
    begin = points if start is None else start
    extents = (verb.adverb_ranges[:, 1] - verb.adverb_ranges[:, 0])[axes]

    def residuals(moves: Array, rows: NDArray[np.intp]) -> Array:
        """Return errors (b, M) after `moves` (b, n) from the start, in ranges of the adverbs."""
        return aim.misses(verb, verb.weights(_moved(begin[rows], axes, moves * extents)), targets[rows])

    zero = np.zeros((len(points), len(axes)))
    solved = damped_least_squares(residuals, zero, tolerance, iterations, SLOPE_STEP, LONGEST_STEP)
    weights = verb.weights(_moved(begin, axes, solved.unknowns * extents))
    return Found(weights, solved.errors, solved.steps)


def search_weights(
    verb: Verb, aim: Aim, points: Array, weights: Array, tolerance: float, iterations: int = 20
) -> Found:
    """Search weights near `weights` (B, N) that come closer to what `points` (B, D) ask for; their sum stays 1.

    This serves targets that no adverbs meet, above all those of more dimensions than the adverbs. Each step makes the
    smallest change of weights that helps.
    """
    targets, count = aim.asked(points), weights.shape[1]
    level = np.linalg.qr(np.eye(count) - 1.0 / count)[0][:, : count - 1]

    def residuals(moves: Array, rows: NDArray[np.intp]) -> Array:
        """Return errors (b, M) after `moves` (b, N - 1) from the start."""
        return aim.misses(verb, weights[rows] + moves @ level.T, targets[rows])

    zero = np.zeros((len(points), count - 1))
    solved = damped_least_squares(residuals, zero, tolerance, iterations, SLOPE_STEP, LONGEST_STEP)
    return Found(weights + solved.unknowns @ level.T, solved.errors, solved.steps)


def search(verb: Verb, aim: Aim, points: Array, tolerance: float, iterations: int = 20) -> Found:
    """Search adverbs p' that meet what `points` (B, D) ask for, and from there weights where no p' does.

    Targets with more dimensions than adverbs that ask for them are met by no p', so weights are searched at once.
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
    """Result of damped least squares for B problems.

    Parameters
    ----------
    unknowns : (B, n) values found.
    errors : (B,) lengths of the residuals there, never larger than at the start.
    steps : (B,) number of steps tried.
    """

    unknowns: Array
    errors: Array
    steps: NDArray[np.intp]


def damped_least_squares(
    residuals: Residuals, start: Array, tolerance: float, iterations: int, step: float, longest: float
) -> Solved:
    """Minimise the residuals of B problems by the Levenberg-Marquardt method, each from its own start.

    Parameters
    ----------
    residuals : function from unknowns (b, n) and the indices (b,) of their problems to residuals (b, M).
    start : (B, n) values to begin with.
    tolerance : length of residuals at which a problem is solved.
    iterations : largest number of steps.
    step : step of the numeric derivatives, in the unknowns.
    longest : largest length of a step, in the unknowns.
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
    """Return Jacobians (b, M, n) by forward differences, with one call for all unknowns of all problems."""
    count, size = unknowns.shape
    moved = unknowns[:, None] + step * np.eye(size)
    found = residuals(moved.reshape(-1, size), np.repeat(rows, size)).reshape(count, size, -1)
    return np.swapaxes(found - misses[:, None], 1, 2) / step


def _moves(slopes: Array, misses: Array, damping: Array) -> Array:
    """Solve ``(J'J + damping * mean square of J) x = J'r`` for steps x (b, n), or its dual where that is smaller."""
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
    """Return the weights after a single step of damped least squares from `points` (B, D) on a refined verb.

    This deviates from [Rose2001], which searches a line. The errors of a refined verb are small, so that derivatives
    lead to the target with fewer evaluations than a line search. Where targets have more dimensions than the adverbs
    that ask for them, the step is made in the weights.
    """
    if len(aim.moving) < len(aim.origin):
        return search_weights(verb, aim, points, verb.weights(points), 0.0, 1)
    return search_adverbs(verb, aim, points, 0.0, 1)


def polish(verb: Verb, aim: Aim, points: Array, tolerance: float, iterations: int = 10) -> Found:
    """Return weights that meet what `points` (B, D) ask for within `tolerance`, wherever the examples allow it.

    The search begins with the verb's own weights, and goes through adverbs first, then through weights.

    Parameters
    ----------
    verb, aim : the verb, and what its adverbs ask for.
    points : (B, D) adverbs that ask.
    tolerance : largest error in the aim's scale, which is in performance units if places are measured.
    iterations : largest number of steps in adverbs, and again in weights.
    """
    return search(verb, aim, points, tolerance, iterations)


def out_of_reach(verb: Verb, aim: Aim, point: Array, tolerance: float) -> str:
    """Say in a sentence how far what `point` (D,) asks for is from anything that the verb can do.

    The sentence is empty if the distance is within `tolerance`. Distances are in the unit of the measure, or in percent
    of the diagonal of the region of targets if its components have several units.
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


@dataclass(frozen=True, eq=False)
class ExactVerb(Verb):
    """A verb that searches the weights for what its adverbs ask wherever it is evaluated, live and in bakes.

    Weights whose error is below `CLOSE` times the diagonal of the region of targets are left as the basis gives them. A
    refined verb needs a step or two, another one up to `STEPS` in its adverbs and as many in the weights.

    Parameters
    ----------
    searched : the same verb with weights by its basis alone, perhaps refined.
    aim : what its adverbs ask for.
    """

    searched: Verb
    aim: Aim

    def weights(self, adverbs: ArrayLike) -> Array:
        """Search the weights (..., N) of the examples at `adverbs` (..., D), once for equal places."""
        points = np.asarray(adverbs, dtype=np.float64)
        places, rows = np.unique(points.reshape(-1, points.shape[-1]), axis=0, return_inverse=True)
        found = polish(self.searched, self.aim, places, CLOSE * self.aim.diagonal, STEPS).weights
        return found[rows.reshape(-1)].reshape(points.shape[:-1] + (found.shape[1],))

    @property
    def motion_key(self) -> object:
        """Equal for verbs that have the same poses at the same adverbs and generic times."""
        return self.mixture, self.basis, self.aim


def exact(verb: Verb, aim: Aim) -> ExactVerb:
    """Return `verb` with its weights searched for `aim` wherever it is evaluated."""
    return ExactVerb(**{field.name: getattr(verb, field.name) for field in fields(verb)}, searched=verb, aim=aim)
