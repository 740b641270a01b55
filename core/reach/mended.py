"""A verb with pseudo-examples: what it does at the samples, which to exchange, and radii fitted together."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..verb.basis import KERNELS, SCALE_FREE, CardinalBasis
from ..verb.verb import Verb
from .aim import Aim, Distortion, distortion
from .pseudo import PseudoExamples, with_pseudo_examples, without

Array = NDArray[np.float64]

WEIGHT_STEP, RADIUS_STEP = 1e-4, 1e-4
SLOPES_AT = 500
TRIED = 4
LONGEST_STEP = 0.5
DAMPINGS = (1e-3, 1e-2, 1e-1, 1.0)
NARROWEST, WIDEST = 0.5, 10.0
"""Bounds of radii: in distances to the nearest neighbour, so that none fits between the samples; and in ranges."""


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


def exchange(task: Mending, now: Mended, put_in: Callable[[Mended], Mended | None]) -> Mended | None:
    """The verb with one pseudo-example in a better place; None where no exchange that is tried makes it better.

    Parameters
    ----------
    put_in : one more pseudo-example where the verb is worst.
    """
    for index in np.argsort(_costs_without(task, now))[:TRIED]:
        fewer = mended(task, without(now.pseudo, int(index)))
        tried = None if fewer is None else put_in(fewer)
        if tried is not None and tried.cost < now.cost:
            return tried
    return None


def _costs_without(task: Mending, now: Mended) -> Array:
    """What the cost would come to without each pseudo-example (Q,), from how misses change with weights.

    Without centre j the coefficients change by -Q^-1[:, j] r_j / Q^-1[j, j].
    """
    basis, count = now.verb.basis, len(now.pseudo.radii)
    at_points, _ = radial_and_change(basis, scaled_points(basis, task.points[task.few]))
    at_centres, _ = radial_and_change(basis, basis.centres)
    inverse = np.linalg.inv(at_centres)
    moved = (at_points @ inverse / np.diag(inverse))[:, -count:]
    changes = (slopes_by_weights(task, now) @ basis.radial[-count:].T) * moved[:, None]
    left = scaled_misses(task, now)[..., None] - changes
    return np.asarray(np.mean(np.sum(left * left, axis=1) ** 2, axis=0), dtype=np.float64)


def fit_radii(task: Mending, now: Mended) -> Mended:
    """One step of damped least squares in the logarithms of all radii; `now` again where none helps."""
    if now.verb.basis.kernel in SCALE_FREE or not len(now.pseudo.radii):
        return now
    slopes, misses = _linear_model(task, now)
    system, right = slopes.T @ slopes, slopes.T @ misses
    identity = np.eye(len(system))
    level = float(np.trace(system)) / len(system) + 1e-300
    for damping in DAMPINGS:
        radii = _bounded(now, _step(system + damping * level * identity, right))
        tried = mended(task, replace(now.pseudo, radii=radii))
        if tried is not None and tried.cost < now.cost:
            return tried
    return now


def _step(system: Array, right: Array) -> Array:
    found = np.asarray(np.linalg.solve(system, right), dtype=np.float64)
    return np.clip(-found, -LONGEST_STEP, LONGEST_STEP)


def _bounded(now: Mended, step: Array) -> Array:
    """Radii (Q,) after a step in their logarithms."""
    centres, radii = now.verb.basis.centres, now.pseudo.radii
    distances = np.linalg.norm(centres[-len(radii) :, None] - centres, axis=-1)
    nearest = np.where(distances > 0.0, distances, np.inf).min(axis=1)
    return np.clip(radii * np.exp(step), np.minimum(NARROWEST * nearest, radii), WIDEST)


def _linear_model(task: Mending, now: Mended) -> tuple[Array, Array]:
    """Jacobian (P M, Q) of the misses (P M,) by the logarithms of radii, both weighed by the length of each miss."""
    basis, count = now.verb.basis, len(now.pseudo.radii)
    misses = scaled_misses(task, now)
    by_example = slopes_by_weights(task, now) @ basis.radial[-count:].T
    slopes = by_example * _bases_by_radii(basis, task.points[task.few])[:, None, -count:]
    lengths = np.linalg.norm(misses, axis=1)[:, None]
    return (slopes * lengths[..., None]).reshape(-1, count), (misses * lengths).ravel()


def _bases_by_radii(basis: CardinalBasis, points: Array) -> Array:
    """G (P, K): the weights at `points` (P, D) change by G[:, j] times row j of `radial`, with the log of radius j.

    From w = R Q^-1 q, where column j of R and of Q alone depends on radius j: dw = (dR_j - R Q^-1 dQ_j) r_j.
    """
    at_points, points_change = radial_and_change(basis, scaled_points(basis, points))
    at_centres, centres_change = radial_and_change(basis, basis.centres)
    return np.asarray(points_change - at_points @ np.linalg.solve(at_centres, centres_change), dtype=np.float64)
