"""Exchanges: a pseudo-example that serves least is taken out, and one put in where the verb is worst."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .mended import Mended, Mending, mended, radial_and_change, scaled_misses, scaled_points, slopes_by_weights
from .pseudo import without

Array = NDArray[np.float64]

TRIED = 4


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
