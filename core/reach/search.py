"""Search for adverbs p' that best meet a target, or for weights if no p' does ([Rose2001] sections 4.2 and 4.3)."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..verb.verb import Verb
from .measures import Aim, once_each

Array = NDArray[np.float64]
Search = Literal["least_squares", "line"]

SLOPE_STEP = 1e-3
LONGEST_STEP = 0.3
Residuals = Callable[[Array, NDArray[np.intp]], Array]
FIRST_DAMPING, LEAST_DAMPING = 1e-3, 1e-9
LARGER, SMALLER = 8.0, 0.1
MOST_DAMPING = 1e6
LINE = np.linspace(0.125, 2.0, 16), np.linspace(-0.125, 0.125, 17)
"""Positions tried along a line, in lengths of the error at its start; then offsets from the best one."""
CLOSE = 1e-4
STEPS = 4


@dataclass(frozen=True, eq=False)
class Found:
    """Result of a search for B points.

    Parameters
    ----------
    weights : (B, N) weights of the examples.
    errors : (B,) distance from the target, in the aim's scale; never larger than at the start.
    steps : (B,) number of steps of damped least squares, or of lines.
    """

    weights: Array
    errors: Array
    steps: NDArray[np.intp]


def search_adverbs(verb: Verb, aim: Aim, points: Array, tolerance: float, iterations: int = 20) -> Found:
    """Search by damped least squares for adverbs p' whose motion is what `points` ask for; return the weights there.

    Parameters
    ----------
    verb : the verb.
    aim : targets of its adverbs. Adverbs without targets are not changed.
    points : (B, D) requested adverbs.
    tolerance : error at which a search ends, in the aim's scale.
    iterations : largest number of steps.
    """
    targets, axes = aim.asked(points), aim.moving
    extents = (verb.adverb_ranges[:, 1] - verb.adverb_ranges[:, 0])[axes]

    def residuals(moves: Array, rows: NDArray[np.intp]) -> Array:
        """Return errors (b, M) after `moves` (b, n) from the start, in ranges of the adverbs."""
        return aim.misses(verb, verb.weights(_moved(points[rows], axes, moves * extents)), targets[rows])

    zero = np.zeros((len(points), len(axes)))
    moves, errors, steps = damped_least_squares(residuals, zero, tolerance, iterations)
    return Found(verb.weights(_moved(points, axes, moves * extents)), errors, steps)


def search_weights(
    verb: Verb, aim: Aim, points: Array, weights: Array, tolerance: float, iterations: int = 20
) -> Found:
    """Find weights near `weights` (B, N) that come closer to the targets of `points` (B, D); their sum stays 1.

    This is for targets that no adverbs meet, especially those with more dimensions than the adverbs. Each step makes
    the smallest change of weights that helps.
    """
    targets, count = aim.asked(points), weights.shape[1]
    level = np.linalg.qr(np.eye(count) - 1.0 / count)[0][:, : count - 1]

    def residuals(moves: Array, rows: NDArray[np.intp]) -> Array:
        """Return errors (b, M) after `moves` (b, N - 1) from the start."""
        return aim.misses(verb, weights[rows] + moves @ level.T, targets[rows])

    zero = np.zeros((len(points), count - 1))
    moves, errors, steps = damped_least_squares(residuals, zero, tolerance, iterations)
    return Found(weights + moves @ level.T, errors, steps)


def search(verb: Verb, aim: Aim, points: Array, tolerance: float, iterations: int = 20) -> Found:
    """Find adverbs p' that meet the targets of `points` (B, D), and from there weights where no p' does.

    Targets with more dimensions than adverbs that control them are met by no p', so weights are searched at once.
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


def search_line(verb: Verb, aim: Aim, points: Array, tolerance: float, lines: int = 1) -> Found:
    """Find adverbs p' that come closer to the targets of `points` by the line search of [Rose2001] section 4.2.

    A line goes from p against the error v_e, expressed as a change of adverbs; components that no adverbs control, such
    as the distance from a plane that they span, are left out. The line is tried at even positions, then around the best
    of them.

    Parameters
    ----------
    verb : the verb.
    aim : targets of its adverbs.
    points : (B, D) requested adverbs, where the first line begins.
    tolerance : error at which a search ends, in the aim's scale.
    lines : largest number of successive lines, each starting at the best point of the last one.
    """
    targets, places, weights = aim.asked(points), points.copy(), verb.weights(points)
    misses, steps = aim.misses(verb, weights, targets), np.zeros(len(points), dtype=np.intp)
    for _ in range(lines):
        open_ = np.flatnonzero(np.linalg.norm(misses, axis=1) > tolerance)
        if not len(open_):
            break
        way = -misses[open_] @ aim.backward
        for shares in LINE:
            tried = places[open_, None] + shares[:, None] * way[:, None]
            found = verb.weights(tried.reshape(-1, points.shape[1]))
            left = aim.misses(verb, found, np.repeat(targets[open_], len(shares), axis=0)).reshape(*tried.shape[:2], -1)
            lengths = np.linalg.norm(left, axis=2)
            best = lengths.argmin(axis=1)
            rows = np.flatnonzero(lengths.min(axis=1) < np.linalg.norm(misses[open_], axis=1))
            chosen, best = open_[rows], best[rows]
            places[chosen], misses[chosen] = tried[rows, best], left[rows, best]
            weights[chosen] = found.reshape(*tried.shape[:2], -1)[rows, best]
        steps[open_] += 1
    return Found(weights, np.linalg.norm(misses, axis=1), steps)


def _moved(start: Array, axes: NDArray[np.intp], moves: Array) -> Array:
    points = start.copy()
    points[:, axes] += moves
    return points


def damped_least_squares(
    residuals: Residuals, start: Array, tolerance: float, iterations: int
) -> tuple[Array, Array, NDArray[np.intp]]:
    """Minimise the residuals of B problems by the Levenberg-Marquardt method, each from its own start.

    Parameters
    ----------
    residuals : function from unknowns (b, n) and the indices (b,) of their problems to residuals (b, M).
    start : (B, n) initial values.
    tolerance : length of the residuals at which a problem counts as solved.
    iterations : largest number of steps.

    Returns
    -------
    unknowns : (B, n) values found.
    errors : (B,) lengths of the residuals there, never larger than at the start.
    steps : (B,) number of steps tried.
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
        slopes = _slopes(residuals, unknowns[open_], misses[open_], open_)
        moves = _moves(slopes, misses[open_], damping[open_])
        lengths = np.linalg.norm(moves, axis=1, keepdims=True)
        tried = unknowns[open_] - moves * np.minimum(1.0, LONGEST_STEP / np.maximum(lengths, 1e-300))
        found = residuals(tried, open_)
        reached = np.linalg.norm(found, axis=1)
        better = reached < errors[open_]
        taken = open_[better]
        unknowns[taken], misses[taken], errors[taken] = tried[better], found[better], reached[better]
        damping[open_] = np.maximum(damping[open_] * np.where(better, SMALLER, LARGER), LEAST_DAMPING)
        steps[open_] += 1
    return unknowns, errors, steps


def _slopes(residuals: Residuals, unknowns: Array, misses: Array, rows: NDArray[np.intp]) -> Array:
    """Return Jacobians (b, M, n) by forward differences, with one call for all unknowns of all problems."""
    count, size = unknowns.shape
    moved = unknowns[:, None] + SLOPE_STEP * np.eye(size)
    found = residuals(moved.reshape(-1, size), np.repeat(rows, size)).reshape(count, size, -1)
    return np.swapaxes(found - misses[:, None], 1, 2) / SLOPE_STEP


def _moves(slopes: Array, misses: Array, damping: Array) -> Array:
    """Solve ``(J'J + damping * mean square of J) x = J'r`` for steps x (b, n), or its dual if that is smaller."""
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


def out_of_reach(verb: Verb, aim: Aim, point: Array, tolerance: float) -> str:
    """Return a sentence on how far the target of `point` (D,) is from anything that the verb can do.

    It is empty if the distance is within `tolerance`. Distances are in the unit of the measure, or in percent of the
    diagonal of the region of targets if its components have several units.
    """
    error = float(search(verb, aim, point[None], tolerance, iterations=30).errors[0])
    if error <= tolerance:
        return ""
    wanted = ", ".join(
        f"{label} {value:.3g} {unit}"
        for label, value, unit in zip(aim.measure.labels, aim.asked(point), aim.measure.units, strict=True)
    )
    alike = len(set(aim.measure.units)) == 1
    apart = f"{error:.2g} {aim.measure.units[0]}" if alike else f"{100.0 * error / aim.diagonal:.2g} % of the region"
    return (
        f"The examples of verb '{verb.name}' cannot reach {wanted}: the closest is {apart} away. Move the target "
        "closer, or add an example there."
    )


@dataclass(frozen=True, eq=False)
class ExactVerb(Verb):
    """A verb that searches for weights that meet the targets of its adverbs at every evaluation, live and in bakes.

    With a refined verb this is the hybrid of [Rose2001] section 4.3. Weights whose error is below `CLOSE` times the
    diagonal of the region of targets are used unchanged. A refined verb needs one or two steps of damped least squares,
    any other up to `STEPS` in its adverbs and as many in the weights, or up to `STEPS` lines.

    Parameters
    ----------
    searched : the same verb with weights from its basis alone, perhaps refined.
    aim : targets of its adverbs.
    by : damped least squares in adverbs, then in weights if no adverbs suffice; or lines in adverbs only.
    """

    searched: Verb
    aim: Aim
    by: Search

    def weights(self, adverbs: ArrayLike) -> Array:
        """Find the weights (..., N) of the examples at `adverbs` (..., D), once for each distinct place."""
        chosen, close = search_line if self.by == "line" else search, CLOSE * self.aim.diagonal
        return once_each(adverbs, lambda places: chosen(self.searched, self.aim, places, close, STEPS).weights)

    @property
    def motion_key(self) -> object:
        """Key that is equal for verbs with the same poses at the same adverbs and generic times."""
        return self.mixture, self.basis, self.aim, self.by


def exact(verb: Verb, aim: Aim, by: Search = "least_squares") -> ExactVerb:
    """Return `verb` with weights searched to meet `aim` at every evaluation."""
    own = {field.name: getattr(verb, field.name) for field in fields(verb)}
    return ExactVerb(**own, searched=verb, aim=aim, by=by)
