"""How reliable a verb is at a place of its adverb space: near its examples, and where it interpolates them."""

import numpy as np
from numpy.typing import NDArray

from ..errors import quoted
from .verb import Verb

Array = NDArray[np.float64]

EXCESS = 0.5
"""Total weight outside of 0 to 1, summed over the examples, at which trust has fallen to 1/e."""
FLAT = 0.1
"""In a direction with less than this share of the largest spread, examples hardly differ, and motions are guessed."""
THIN = 0.02
"""Minimum spread assumed across a line of examples, as a share of the adverbs' ranges."""
APART = 1e-6
"""Share of the adverbs' ranges from which examples count as lying at different places."""


def trust(verb: Verb, points: Array) -> Array:
    """Return how reliable a verb is at `points` (P, D) of its adverb space: (P,) from 1 down towards 0.

    It is 1 at the examples. It falls with weights outside of 0 to 1, which extrapolate beyond the examples, with a
    distance from the nearest example larger than the usual spacing, and off a line or plane on which all examples lie.
    Distances are shares of the adverbs' ranges. The measure is our own; the papers have none.
    """
    weights = verb.weights(points)
    excess = np.maximum(-weights, 0.0).sum(axis=1) + np.maximum(weights - 1.0, 0.0).sum(axis=1)
    extent = np.ptp(verb.adverb_ranges, axis=1)
    size = np.where(extent > 0.0, extent, 1.0)
    places = verb.places / size
    away = _distances(points / size, places).min(axis=1)
    across, middle = _hardly_spread(places), places.mean(axis=0)
    reach = np.maximum(np.abs((places - middle) @ across).max(axis=0), THIN)
    beside = np.maximum(np.abs((points / size - middle) @ across) / reach - 1.0, 0.0).sum(axis=1)
    return np.exp(-excess / EXCESS - np.maximum(away / _usual_distance(places) - 1.0, 0.0) - beside)


def flat_told(verb: Verb) -> tuple[str, ...]:
    """Return a sentence on examples that nearly lie on a line or plane of the adverb space; none if they do not."""
    across = _hardly_spread(verb.places / np.ptp(verb.adverb_ranges, axis=1))
    if not across.shape[1]:
        return ()
    count = len(verb.adverb_names)
    where = "line" if count - across.shape[1] == 1 else "plane"
    told = quoted(verb.adverb_names)
    return (
        f"In {told} the examples lie nearly on one {where}, and away from it the verb only extrapolates. Add an "
        f"example off the {where}, or remove one of these adverbs.",
    )


def _hardly_spread(places: Array) -> Array:
    """Return the directions (D, K), as unit vectors, in which examples at `places` (N, D) hardly differ."""
    if len(places) <= max(places.shape[1], 1):
        return np.zeros((places.shape[1], 0))
    away = places - places.mean(axis=0)
    squares, directions = np.linalg.eigh(away.T @ away)
    return directions[:, squares < FLAT**2 * squares.max(initial=0.0)]


def _distances(some: Array, others: Array) -> Array:
    return np.linalg.norm(some[:, None] - others[None], axis=2)


def _usual_distance(places: Array) -> float:
    """Return the median distance from an example to the nearest one at another place; 1 if all are at one place."""
    between = _distances(places, places)
    between[between < APART] = np.inf
    nearest: Array = between.min(axis=1)
    return float(np.median(nearest)) if bool(np.isfinite(nearest).all()) else 1.0
