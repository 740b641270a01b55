"""Radii of all pseudo-examples fitted together, so that what one carries far is not mended by the next one.

[Rose2001] section 4.3 leaves open which radii to keep. Chosen one by one as pseudo-examples come in, the early ones
serve a verb that is no longer there; fitted together, those of as many pseudo-examples leave about half the error.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..verb.basis import CardinalBasis
from ..verb.kernels import SCALE_FREE
from .mended import Mended, Mending, mended, radial_and_change, scaled_misses, scaled_points, slopes_by_weights

Array = NDArray[np.float64]

LONGEST_STEP = 0.5
DAMPINGS = (1e-3, 1e-2, 1e-1, 1.0)
NARROWEST, WIDEST = 0.5, 10.0
"""Bounds of radii: in distances to the nearest neighbour, so that none fits between the samples; and in ranges."""


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
