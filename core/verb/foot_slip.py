"""How far planted points go over the floor where a verb plays its examples, before any foot is locked."""

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import world_points
from .verb import Verb

Array = NDArray[np.float64]

SAMPLES = 12
"""Generic times of each window at which a point is looked at."""


def foot_slips(verb: Verb) -> tuple[float, ...]:
    """Return the largest ways (N,) of contact points in each example, in performance units; empty without points.

    A way is the distance over the floor from the middle of where the point is during its window.
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
