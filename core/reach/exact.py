"""A verb whose weights are searched wherever it is evaluated: the hybrid at run time ([Rose2001] section 4.3)."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..verb.live_weights import LiveWeights
from ..verb.verb import Verb
from .aim import Aim
from .search import polish

Array = NDArray[np.float64]

CLOSE = 1e-4
STEPS = 4


@dataclass(frozen=True, eq=False)
class ExactVerb(Verb):
    """A verb that comes nearer to what its adverbs ask than its basis does, in previews, on the timeline and in bakes.

    What is missed by less than `CLOSE` of the target region's diagonal is left as the basis has it; a refined verb
    takes a step or two, one that is not refined up to `STEPS` in its adverbs and as many in the examples' weights.

    Parameters
    ----------
    searched : the same verb as its basis plays it, perhaps refined.
    aim : what is asked of it.
    """

    searched: Verb
    aim: Aim

    def weights(self, adverbs: ArrayLike) -> Array:
        """Weights (..., N) of the examples at `adverbs` (..., D), searched; equal places are searched once."""
        points = np.asarray(adverbs, dtype=np.float64)
        places, rows = np.unique(points.reshape(-1, points.shape[-1]), axis=0, return_inverse=True)
        found = polish(self.searched, self.aim, places, CLOSE * self.aim.diagonal, STEPS).weights
        return found[rows.reshape(-1)].reshape(points.shape[:-1] + (found.shape[1],))

    def live_weights(self, values: Array) -> LiveWeights:
        """Weights pose by pose, searched."""
        return _SearchedWeights(self, values)


class _SearchedWeights(LiveWeights):
    def __init__(self, verb: ExactVerb, values: Array) -> None:
        super().__init__(verb.basis, values)
        self._verb = verb

    def set(self, adverbs: tuple[float, ...]) -> None:
        """Move `weights` (N,) and `mixed` (V,) to `adverbs` (D,)."""
        self.weights[:] = self._verb.weights(np.array(adverbs))
        self.weights.dot(self._values, self.mixed)


def exact(verb: Verb, aim: Aim) -> ExactVerb:
    """`verb`, searched once more for `aim` wherever it is evaluated."""
    return ExactVerb(**{field.name: getattr(verb, field.name) for field in fields(verb)}, searched=verb, aim=aim)
