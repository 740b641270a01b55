"""A verb with pseudo-examples and what it does at the samples; and how that changes with the examples' weights."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..verb.basis import CardinalBasis
from ..verb.kernels import KERNELS
from ..verb.verb import Verb
from .aim import Aim
from .distortion import Distortion, distortion
from .pseudo import PseudoExamples, with_pseudo_examples

Array = NDArray[np.float64]

WEIGHT_STEP, RADIUS_STEP = 1e-4, 1e-4
SLOPES_AT = 500


@dataclass(frozen=True, eq=False)
class Mending:
    """What a refinement works on.

    Parameters
    ----------
    first : the verb that its examples alone make.
    aim : what is asked of what.
    points : (P, D) samples that are looked at.
    refit : fit the hyperplanes again too.
    """

    first: Verb
    aim: Aim
    points: Array
    refit: bool

    @property
    def few(self) -> slice:
        """Those of the samples from which slopes are told: far more than pseudo-examples, and the others cost time."""
        return slice(None, None, max(1, len(self.points) // SLOPES_AT))


@dataclass(frozen=True, eq=False)
class Mended:
    """A verb with `pseudo` in it, and what it does at the samples."""

    verb: Verb
    pseudo: PseudoExamples
    found: Distortion

    @property
    def cost(self) -> float:
        """Mean fourth power of the errors in percent: the largest count most, but all count."""
        return float(np.mean(self.found.percent**4))


def mended(task: Mending, pseudo: PseudoExamples) -> Mended | None:
    """The verb with `pseudo`; None where they stand too close."""
    verb = with_pseudo_examples(task.first, pseudo, task.refit)
    return None if verb is None else Mended(verb, pseudo, distortion(verb, task.aim, task.points))


def slopes_by_weights(task: Mending, now: Mended) -> Array:
    """How scaled misses change with the examples' weights at a `few` of the samples: (P, M, N), by differences."""
    weights, achieved = now.verb.weights(task.points[task.few]), now.found.achieved[task.few]
    columns = [
        task.aim.measure.of_weights(now.verb, weights + WEIGHT_STEP * row) - achieved
        for row in np.eye(weights.shape[1])
    ]
    return np.stack(columns, axis=-1) / (WEIGHT_STEP * task.aim.scale[:, None])


def scaled_misses(task: Mending, now: Mended) -> Array:
    """What is achieved less what is asked at a `few` of the samples, (P, M), in the aim's scale."""
    return (now.found.achieved - now.found.asked)[task.few] / task.aim.scale


def radial_and_change(basis: CardinalBasis, scaled: Array) -> tuple[Array, Array]:
    """Radial bases (P, K) at `scaled` (P, D), and their derivatives by the logarithms of their radii."""
    kernel = KERNELS[basis.kernel]
    distances = np.linalg.norm(scaled[:, None] - basis.centres, axis=-1) / basis.radii
    radial = kernel(distances.copy())
    return radial, (kernel(distances * np.exp(-RADIUS_STEP)) - radial) / RADIUS_STEP


def scaled_points(basis: CardinalBasis, points: Array) -> Array:
    """`points` (P, D) in the basis's own units."""
    return (points - basis.origin) / basis.scale
