"""Better searches for optimal p', and for weights where no p' will do ([Rose2001] section 4.2)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..verb.verb import Verb
from .aim import Aim
from .damped import damped_least_squares

Array = NDArray[np.float64]

SLOPE_STEP = 1e-3
LONGEST_STEP = 0.3


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
