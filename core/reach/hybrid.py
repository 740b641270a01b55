"""The hybrid: a refined verb, searched once more when it runs, and polished ([Rose2001] section 4.3)."""

import numpy as np
from numpy.typing import NDArray

from ..verb.verb import Verb
from .aim import Aim
from .search import Found, search, search_adverbs, search_weights

Array = NDArray[np.float64]


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
