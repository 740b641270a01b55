"""How much planted points slide in a mixture, before any lock."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..figure.channels import world_points
from .verb import Verb

Array = NDArray[np.float64]

SAMPLES = 64


def contact_slip(verb: Verb, adverbs: ArrayLike) -> Array:
    """Mean speed over the floor of every contact point in every one of its windows.

    Parameters
    ----------
    verb : the verb.
    adverbs : (D,) where in its adverb space.

    Returns
    -------
    (K,) performance units per second, K the number of windows of all contacts.
    """
    motion = verb.motion(adverbs)
    speeds: list[float] = []
    for contact, windows in zip(verb.contacts, motion.windows, strict=True):
        for begin, end in windows:
            phases = np.linspace(float(begin), float(end), SAMPLES)
            points = world_points(verb.channels, motion.sample_phases(phases), contact.joint, contact.offset)
            length = np.linalg.norm(np.diff(points[:, :2], axis=0), axis=-1).sum()
            seconds = np.diff(motion.clock(phases[[0, -1]]))[0]
            speeds.append(float(length / seconds))
    return np.array(speeds)
