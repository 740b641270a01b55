"""Pseudo-examples ([Rose2001] section 4.3): points with given weights, added to a verb's basis and optimised."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..verb.cardinal_basis import CardinalBasis, fit_polynomial, monomials
from ..verb.radial_bases import CONSTRAINED, SCALE_FREE, radial_bases, radial_system, solve_radial
from ..verb.verb import Verb
from .measures import Aim, Distortion, distortion

Array = NDArray[np.float64]

WEIGHT_STEP, RADIUS_STEP = 1e-4, 1e-4
SLOPES_AT = 500
TRIED = 4
LONGEST_STEP = 0.5
DAMPINGS = (1e-3, 1e-2, 1e-1, 1.0)
NARROWEST, WIDEST = 0.5, 10.0
"""Bounds of radii: the lower in distances to the nearest neighbour, the upper in ranges of the adverbs."""
EXACT = 1e-10
LARGEST_CONDITION = 1e10
LEAST_SEPARATION = 1e-3


@dataclass(frozen=True, eq=False)
class PseudoExamples:
    """Points besides the examples at which a verb's basis yields given weights.

    Parameters
    ----------
    places : (Q, D) points in the adverbs' own units.
    weights : (Q, N) weights of the examples there; a pseudo-example has no motion of its own.
    radii : (Q,) radius of each radial basis function, with adverbs divided by their ranges.
    """

    places: Array
    weights: Array
    radii: Array

    def joined(self, place: Array, weights: Array, radius: float) -> "PseudoExamples":
        """Return these plus one at `place` (D,) with `weights` (N,)."""
        return PseudoExamples(
            np.concatenate([self.places, place[None]]),
            np.concatenate([self.weights, weights[None]]),
            np.append(self.radii, radius),
        )


def without(pseudo: PseudoExamples, index: int) -> PseudoExamples:
    """Return `pseudo` without the one at `index`."""
    return PseudoExamples(*(np.delete(part, index, axis=0) for part in (pseudo.places, pseudo.weights, pseudo.radii)))


def none_of(verb: Verb) -> PseudoExamples:
    """Return an empty set of pseudo-examples for a verb."""
    return PseudoExamples(np.zeros((0, len(verb.adverb_names))), np.zeros((0, len(verb.example_names))), np.zeros(0))


def with_pseudo_examples(verb: Verb, pseudo: PseudoExamples, refit: bool = False) -> Verb | None:
    """Add pseudo-examples to the basis of a verb built from its examples alone; None if points are too close.

    The radii and hyperplanes of the examples are kept, and only the radial coefficients are solved again. With `refit`
    the hyperplanes are also fitted again, to examples and pseudo-examples: the paper's alternative, whose effect is
    not local.
    """
    basis = refined_basis(verb.basis, pseudo, refit)
    return None if basis is None else replace(verb, basis=basis)


def refined_basis(basis: CardinalBasis, pseudo: PseudoExamples, refit: bool = False) -> CardinalBasis | None:
    """Add pseudo-examples to a basis; None if it would no longer be exact at the examples."""
    count = basis.radial.shape[1]
    centres = np.concatenate([basis.centres[:count], (pseudo.places - basis.origin) / basis.scale])
    radii = np.concatenate([basis.radii[:count], pseudo.radii])
    values = np.concatenate([np.eye(count), pseudo.weights])
    polynomial = fit_polynomial(centres, basis.powers, values) if refit else basis.polynomial
    residuals = values - monomials(centres, basis.powers) @ polynomial
    try:
        radial, constant, condition = solve_radial(centres, radii, basis.kernel, residuals, count)
    except np.linalg.LinAlgError:
        return None
    polynomial = np.concatenate([polynomial[:1] + constant, polynomial[1:]])
    refined = replace(basis, centres=centres, radii=radii, radial=radial, polynomial=polynomial, condition=condition)
    places = centres[:count] * basis.scale + basis.origin
    missed = np.abs(refined.weights(places) - np.eye(count)).max()
    return refined if condition < LARGEST_CONDITION and missed < EXACT else None


def local_radius(basis: CardinalBasis, pseudo: PseudoExamples, place: Array, factor: float) -> float:
    """Return a radius for a pseudo-example at `place` (D,): `factor` times half its distance to the nearest point."""
    if basis.kernel in SCALE_FREE:
        return 1.0
    others = np.concatenate([basis.centres[: basis.radial.shape[1]], (pseudo.places - basis.origin) / basis.scale])
    nearest = np.linalg.norm(others - (place - basis.origin) / basis.scale, axis=1).min()
    return float(max(nearest, LEAST_SEPARATION) * 0.5 * factor)


@dataclass(frozen=True, eq=False)
class RefinementTask:
    """The problem that a refinement solves.

    Parameters
    ----------
    first : verb built from its examples alone.
    aim : targets of the adverbs.
    points : (P, D) points of the adverb space at which errors are computed.
    refit : whether to fit the hyperplanes again with the pseudo-examples.
    """

    first: Verb
    aim: Aim
    points: Array
    refit: bool

    @property
    def few(self) -> slice:
        """The points at which derivatives are computed: many more than pseudo-examples, but not all, to save time."""
        return slice(None, None, max(1, len(self.points) // SLOPES_AT))


@dataclass(frozen=True, eq=False)
class RefinedVerb:
    """A verb with pseudo-examples, and its errors at the points of the task."""

    verb: Verb
    pseudo: PseudoExamples
    found: Distortion

    @property
    def cost(self) -> float:
        """Mean fourth power of the errors in percent, which emphasises the largest without neglecting the others."""
        return float(np.mean(self.found.percent**4))


def refined_verb(task: RefinementTask, pseudo: PseudoExamples) -> RefinedVerb | None:
    """Add `pseudo` to the verb of a task and compute the errors; None if points are too close."""
    verb = with_pseudo_examples(task.first, pseudo, task.refit)
    return None if verb is None else RefinedVerb(verb, pseudo, distortion(verb, task.aim, task.points))


def slopes_by_weights(task: RefinementTask, now: RefinedVerb) -> Array:
    """Return derivatives (P, M, N) of scaled errors by the examples' weights at the `few` points, by differences."""
    weights, achieved = now.verb.weights(task.points[task.few]), now.found.achieved[task.few]
    columns = [
        task.aim.measure.of_weights(now.verb, weights + WEIGHT_STEP * row) - achieved
        for row in np.eye(weights.shape[1])
    ]
    return np.stack(columns, axis=-1) / (WEIGHT_STEP * task.aim.scale[:, None])


def scaled_misses(task: RefinementTask, now: RefinedVerb) -> Array:
    """Return the errors (P, M) at the `few` points in the aim's scale."""
    return (now.found.achieved - now.found.asked)[task.few] / task.aim.scale


def radial_and_change(basis: CardinalBasis, scaled: Array) -> tuple[Array, Array]:
    """Return the radial basis functions (P, K) at `scaled` (P, D), and their derivatives by log radius.

    For a constrained kernel, a column of ones and a column of zeros represent the constant.
    """
    distances = np.linalg.norm(scaled[:, None] - basis.centres, axis=-1).T
    now, wider = (
        radial_bases(distances, radii, basis.kernel, basis.radial.shape[1]).T
        for radii in (basis.radii, basis.radii * np.exp(RADIUS_STEP))
    )
    change = (wider - now) / RADIUS_STEP
    if basis.kernel in CONSTRAINED:
        return np.pad(now, ((0, 0), (0, 1)), constant_values=1.0), np.pad(change, ((0, 0), (0, 1)))
    return now, change


def scaled_points(basis: CardinalBasis, points: Array) -> Array:
    """Return `points` (P, D) in the units of the basis."""
    return (points - basis.origin) / basis.scale


def exchange(
    task: RefinementTask, now: RefinedVerb, put_in: Callable[[RefinedVerb], RefinedVerb | None]
) -> RefinedVerb | None:
    """Replace a pseudo-example of little use by one elsewhere; None if no exchange tried lowers the cost.

    Parameters
    ----------
    task : the problem.
    now : the verb so far.
    put_in : function that adds a pseudo-example where the error is largest.
    """
    for index in np.argsort(_costs_without(task, now))[:TRIED]:
        fewer = refined_verb(task, without(now.pseudo, int(index)))
        tried = None if fewer is None else put_in(fewer)
        if tried is not None and tried.cost < now.cost:
            return tried
    return None


def _costs_without(task: RefinementTask, now: RefinedVerb) -> Array:
    """Estimate the cost (Q,) without each pseudo-example, with errors linearised in the weights.

    Without centre j the coefficients change by -Q^-1[:, j] r_j / Q^-1[j, j].
    """
    basis, count = now.verb.basis, len(now.pseudo.radii)
    at_points, _ = radial_and_change(basis, scaled_points(basis, task.points[task.few]))
    inverse = np.linalg.inv(radial_system(basis.centres, basis.radii, basis.kernel, basis.radial.shape[1]))
    moved = (at_points @ inverse / np.diag(inverse))[:, len(basis.centres) - count : len(basis.centres)]
    changes = (slopes_by_weights(task, now) @ basis.radial[-count:].T) * moved[:, None]
    left = scaled_misses(task, now)[..., None] - changes
    return np.asarray(np.mean(np.sum(left * left, axis=1) ** 2, axis=0), dtype=np.float64)


def fit_radii(task: RefinementTask, now: RefinedVerb) -> RefinedVerb:
    """Make one step of damped least squares in the logarithms of all radii, if it lowers the cost."""
    if now.verb.basis.kernel in SCALE_FREE or not len(now.pseudo.radii):
        return now
    slopes, misses = _linear_model(task, now)
    system, right = slopes.T @ slopes, slopes.T @ misses
    identity = np.eye(len(system))
    level = float(np.trace(system)) / len(system) + 1e-300
    for damping in DAMPINGS:
        radii = _bounded(now, _step(system + damping * level * identity, right))
        tried = refined_verb(task, replace(now.pseudo, radii=radii))
        if tried is not None and tried.cost < now.cost:
            return tried
    return now


def _step(system: Array, right: Array) -> Array:
    found = np.asarray(np.linalg.solve(system, right), dtype=np.float64)
    return np.clip(-found, -LONGEST_STEP, LONGEST_STEP)


def _bounded(now: RefinedVerb, step: Array) -> Array:
    """Return the radii (Q,) after a step in their logarithms, within their bounds."""
    centres, radii = now.verb.basis.centres, now.pseudo.radii
    distances = np.linalg.norm(centres[-len(radii) :, None] - centres, axis=-1)
    nearest = np.where(distances > 0.0, distances, np.inf).min(axis=1)
    return np.clip(radii * np.exp(step), np.minimum(NARROWEST * nearest, radii), WIDEST)


def _linear_model(task: RefinementTask, now: RefinedVerb) -> tuple[Array, Array]:
    """Return the Jacobian (P M, Q) of errors by log radii, and the errors (P M,), both weighted by their lengths."""
    basis, count = now.verb.basis, len(now.pseudo.radii)
    misses = scaled_misses(task, now)
    by_example = slopes_by_weights(task, now) @ basis.radial[-count:].T
    first = len(basis.radii) - count
    slopes = by_example * _bases_by_radii(basis, task.points[task.few])[:, None, first : first + count]
    lengths = np.linalg.norm(misses, axis=1)[:, None]
    return (slopes * lengths[..., None]).reshape(-1, count), (misses * lengths).ravel()


def _bases_by_radii(basis: CardinalBasis, points: Array) -> Array:
    """Return G (P, K): d weights / d log radius j = G[:, j] times row j of `radial`, at `points` (P, D).

    This follows from w = R Q^-1 q, where only column j of R and of Q depends on radius j:
    dw = (dR_j - R Q^-1 dQ_j) r_j.
    """
    at_points, points_change = radial_and_change(basis, scaled_points(basis, points))
    _, centres_change = radial_and_change(basis, basis.centres)
    system = radial_system(basis.centres, basis.radii, basis.kernel, basis.radial.shape[1])
    centres_change = np.pad(centres_change, ((0, len(system) - len(basis.centres)), (0, 0)))
    return np.asarray(points_change - at_points @ np.linalg.solve(system, centres_change), dtype=np.float64)
