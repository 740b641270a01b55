"""Pseudo-examples: weights put where the verb's own would miss what is asked ([Rose2001] section 4.3)."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..verb.basis import SCALE_FREE, CardinalBasis, fit_polynomial, monomials, solve_radial
from ..verb.verb import Verb

Array = NDArray[np.float64]

EXACT = 1e-10
LARGEST_CONDITION = 1e10
LEAST_SEPARATION = 1e-3


@dataclass(frozen=True, eq=False)
class PseudoExamples:
    """Places and weights that a verb's basis is to meet besides its examples.

    Parameters
    ----------
    places : (Q, D) in the adverbs' own units.
    weights : (Q, N) of the examples there: a pseudo-example carries no motion of its own.
    radii : (Q,) dilation of each one's radial basis, in adverbs divided by their ranges.
    """

    places: Array
    weights: Array
    radii: Array

    def joined(self, place: Array, weights: Array, radius: float) -> "PseudoExamples":
        """These and one more at `place` (D,) with `weights` (N,)."""
        return PseudoExamples(
            np.concatenate([self.places, place[None]]),
            np.concatenate([self.weights, weights[None]]),
            np.append(self.radii, radius),
        )


def without(pseudo: PseudoExamples, index: int) -> PseudoExamples:
    """`pseudo` less the one at `index`."""
    return PseudoExamples(*(np.delete(part, index, axis=0) for part in (pseudo.places, pseudo.weights, pseudo.radii)))


def none_of(verb: Verb) -> PseudoExamples:
    """No pseudo-examples, to begin with."""
    return PseudoExamples(np.zeros((0, len(verb.adverb_names))), np.zeros((0, len(verb.example_names))), np.zeros(0))


def with_pseudo_examples(verb: Verb, pseudo: PseudoExamples, refit: bool = False) -> Verb | None:
    """`verb`, built from its examples alone, with a basis that meets `pseudo` too; None if they stand too close.

    Radii and hyperplanes of the examples stay, and the radial coefficients alone are solved again. With `refit` the
    hyperplanes too are fitted again, to the examples and `pseudo`: the paper's other choice, whose effect is not local.
    """
    basis = refined_basis(verb.basis, pseudo, refit)
    return None if basis is None else replace(verb, basis=basis)


def refined_basis(basis: CardinalBasis, pseudo: PseudoExamples, refit: bool = False) -> CardinalBasis | None:
    """`basis` of N examples with Q further places; None where the examples would no longer be met exactly."""
    count = basis.radial.shape[1]
    centres = np.concatenate([basis.centres[:count], (pseudo.places - basis.origin) / basis.scale])
    radii = np.concatenate([basis.radii[:count], pseudo.radii])
    values = np.concatenate([np.eye(count), pseudo.weights])
    polynomial = fit_polynomial(centres, basis.powers, values) if refit else basis.polynomial
    residuals = values - monomials(centres, basis.powers) @ polynomial
    try:
        radial, condition = solve_radial(centres, radii, basis.kernel, residuals)
    except np.linalg.LinAlgError:
        return None
    refined = replace(basis, centres=centres, radii=radii, radial=radial, polynomial=polynomial, condition=condition)
    places = centres[:count] * basis.scale + basis.origin
    missed = np.abs(refined.weights(places) - np.eye(count)).max()
    return refined if condition < LARGEST_CONDITION and missed < EXACT else None


def local_radius(basis: CardinalBasis, pseudo: PseudoExamples, place: Array, factor: float) -> float:
    """Radius of a pseudo-example at `place` (D,): half of `factor` times its distance from the nearest other."""
    if basis.kernel in SCALE_FREE:
        return 1.0
    others = np.concatenate([basis.centres[: basis.radial.shape[1]], (pseudo.places - basis.origin) / basis.scale])
    nearest = np.linalg.norm(others - (place - basis.origin) / basis.scale, axis=1).min()
    return float(max(nearest, LEAST_SEPARATION) * 0.5 * factor)
