"""Diagnostics in the report of a built verb: how well its examples predict each other, and how far its feet slip."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import world_points
from .left_out import (
    better_kernel,
    better_told,
    contradictions,
    crowded,
    distances_left_out,
    kernel_errors,
    what_fits,
)
from .radial_bases import Kernel
from .trust import flat_told
from .verb import Verb

Array = NDArray[np.float64]

SAMPLES = 12
"""Number of generic times in each window at which a point is sampled."""


def diagnosed(verb: Verb, kernel: Kernel, degree: int, radius_factor: float) -> Verb:
    """Return the verb with a report on how well its examples predict each other and how far its feet slip.

    Parameters
    ----------
    kernel, degree, radius_factor : those of its basis, as `cardinal_basis` takes them.
    """
    errors = kernel_errors(verb, kernel, degree, radius_factor)
    better = better_kernel(errors)
    report = replace(
        verb.report,
        fits=" ".join([what_fits(errors), *(better_told(better, errors[0]) if errors else ())]),
        better=(better.kernel, better.degree) if better is not None else None,
        complaints=(*verb.report.complaints, *contradictions(verb), *crowded(verb), *flat_told(verb)),
        left_out=distances_left_out(errors, len(verb.places)),
        slips=_foot_slips(verb),
    )
    return replace(verb, report=report)


def _foot_slips(verb: Verb) -> tuple[float, ...]:
    """Return the largest slips (N,) of contact points in each example, in performance units; empty without points.

    A slip is the distance over the floor from the middle of the point's positions during its window.
    """
    if not verb.contacts:
        return ()
    return tuple(_slip(verb, place) for place in verb.places)


def _slip(verb: Verb, place: Array) -> float:
    motion = verb.motion(place)
    largest = 0.0
    for contact, windows in zip(verb.contacts, motion.windows, strict=True):
        if not len(windows):
            continue
        phases = np.linspace(windows[:, 0], windows[:, 1], SAMPLES, axis=1)
        values = motion.sample_phases(phases.ravel())
        points = world_points(verb.channels, values, contact.joint, contact.offset)[:, :2].reshape(*phases.shape, 2)
        ways = np.linalg.norm(points - points.mean(axis=1, keepdims=True), axis=-1)
        largest = max(largest, float(ways.max()))
    return largest
