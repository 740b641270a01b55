"""How far a verb can be trusted at a place of its adverb space: near its examples, and where it only mixes them."""

import numpy as np
from numpy.typing import NDArray

from .verb import Verb

Array = NDArray[np.float64]

EXCESS = 0.5
"""Weight outside of 0 to 1, of all examples together, at which trust has fallen to 1/e."""
APART = 1e-6
"""Share of the adverbs' ranges by which examples must differ to lie at different places."""


def trust(verb: Verb, points: Array) -> Array:
    """Return how far a verb can be trusted at `points` (P, D) of its adverb space: (P,) from 1 down towards 0.

    It is 1 at the examples. It falls with the weights outside of 0 to 1, with which the verb goes on beyond its
    examples, and farther from the nearest example than examples usually are from each other. Distances are shares of
    the adverbs' ranges. The measure is our own; the papers have none.
    """
    weights = verb.weights(points)
    excess = np.maximum(-weights, 0.0).sum(axis=1) + np.maximum(weights - 1.0, 0.0).sum(axis=1)
    extent = np.ptp(verb.adverb_ranges, axis=1)
    size = np.where(extent > 0.0, extent, 1.0)
    places = verb.places / size
    away = _distances(points / size, places).min(axis=1)
    return np.exp(-excess / EXCESS - np.maximum(away / _usual_distance(places) - 1.0, 0.0))


def _distances(some: Array, others: Array) -> Array:
    return np.linalg.norm(some[:, None] - others[None], axis=2)


def _usual_distance(places: Array) -> float:
    """Median distance of examples from the nearest one that lies elsewhere; 1 if all lie at one place."""
    between = _distances(places, places)
    between[between < APART] = np.inf
    nearest: Array = between.min(axis=1)
    return float(np.median(nearest)) if bool(np.isfinite(nearest).all()) else 1.0
