"""The paper's line search for the best adverbs p' ([Rose2001] section 4.2), to compare damped least squares with."""

import numpy as np
from numpy.typing import NDArray
from verbs_adverbs.core.reach.measures import Aim
from verbs_adverbs.core.verb.verb import Verb

Array = NDArray[np.float64]

FARTHEST = 2.0
INTERVALS = 8
ROUNDS = 3


def line_search(verb: Verb, aim: Aim, points: Array, repeats: int = 1, start: Array | None = None) -> Array:
    """Return adverbs p' (B, D) whose motions come nearer to what `points` (B, D) ask for than the start, or as near.

    The search goes from p against the error v_e, expressed as a change of the adverbs. The line is cut into
    `INTERVALS`; the two intervals beside the best cut are cut again, `ROUNDS` times in all.

    Parameters
    ----------
    verb, aim : the verb, and what its adverbs ask for.
    points : (B, D) adverbs as they are asked for.
    repeats : number of lines that are searched one after the other, each from the end of the last one.
    start : (B, D) where to begin instead of at `points`.
    """
    targets = aim.asked(points)
    best = (points if start is None else start).copy()
    for _ in range(repeats):
        misses = aim.misses(verb, verb.weights(best), targets)
        best = _along(verb, aim, targets, best, -misses @ aim.backward, np.linalg.norm(misses, axis=1))
    return best


def _along(verb: Verb, aim: Aim, targets: Array, start: Array, way: Array, errors: Array) -> Array:
    """The best points (B, D) found from `start` along `way`, both (B, D); `errors` (B,) are those of the start."""
    rows = np.arange(len(start))
    middle, least, width = np.zeros(len(start)), errors.copy(), FARTHEST
    for turn in range(ROUNDS):
        cuts = np.linspace(0.0 if turn == 0 else -width, width, INTERVALS + 1)
        places = middle[:, None] + cuts
        tried = start[:, None] + places[..., None] * way[:, None]
        weights = verb.weights(tried.reshape(-1, start.shape[1]))
        misses = aim.misses(verb, weights, np.repeat(targets, len(cuts), axis=0))
        found = np.linalg.norm(misses, axis=1).reshape(places.shape)
        chosen = found.argmin(axis=1)
        better = found[rows, chosen] < least
        middle = np.where(better, places[rows, chosen], middle)
        least = np.where(better, found[rows, chosen], least)
        width = float(cuts[1] - cuts[0])
    return start + middle[:, None] * way
