"""The hybrid: a refined verb, searched once more when it runs, and polished ([Rose2001] section 4.3)."""

import numpy as np
from numpy.typing import NDArray

from ..verb.verb import Verb
from .aim import Aim
from .line_search import line_search
from .search import Found, search

Array = NDArray[np.float64]


def hybrid(verb: Verb, aim: Aim, points: Array) -> Array:
    """Weights (B, N) after one line search from `points` (B, D) on a refined verb."""
    return verb.weights(line_search(verb, aim, points))


def polish(verb: Verb, aim: Aim, points: Array, tolerance: float, iterations: int = 10) -> Found:
    """Weights that meet what `points` (B, D) ask for by less than `tolerance`, wherever these examples can.

    From the verb's own weights by damped least squares in the adverbs; what no p' reaches, in the weights.

    Parameters
    ----------
    tolerance : in the aim's scale: performance units where points are measured.
    iterations : at most so many steps in adverbs, and in weights.
    """
    return search(verb, aim, points, tolerance, iterations)
