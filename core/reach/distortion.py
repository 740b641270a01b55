"""Distortion of a verb: asked against achieved over its adverb space ([Rose2001] section 4.1, figures 6 to 8)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..verb.verb import Verb
from .aim import Aim

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Distortion:
    """How well some points of the adverb space are met.

    Parameters
    ----------
    asked, achieved : (P, M) in the measure's units.
    percent : (P,) distance between them in percent of the diagonal of the target region.
    """

    asked: Array
    achieved: Array
    percent: Array

    @property
    def average(self) -> float:
        """Mean of `percent`."""
        return float(self.percent.mean())

    @property
    def maximum(self) -> float:
        """Largest of `percent`."""
        return float(self.percent.max())


def distortion(verb: Verb, aim: Aim, points: Array) -> Distortion:
    """Distortion of `verb` at `points` (P, D) of its adverb space."""
    return distortion_of(verb, aim, points, verb.weights(points))


def distortion_of(verb: Verb, aim: Aim, points: Array, weights: Array) -> Distortion:
    """Distortion where `points` (P, D) ask and `weights` (P, N) answer, however these were found."""
    asked = aim.asked(points)
    achieved = aim.measure.of_weights(verb, weights)
    return Distortion(asked, achieved, percent(aim, achieved - asked))


def percent(aim: Aim, misses: Array) -> Array:
    """Lengths (P,) of `misses` (P, M), in percent of the diagonal of the target region."""
    return 100.0 / aim.diagonal * np.linalg.norm(misses / aim.scale, axis=-1)
