"""A guess of what kind of example a motion makes."""

import numpy as np

from ..verb.example import Kind
from .ground import SLOWEST, Ground
from .observed import Observed
from .smooth import averaged
from .treadmill import STEADY

GONE = 0.75
"""Leg lengths from its start, about a step: a figure that stays within sways, bows or shifts its feet."""


def guess_kind(observed: Observed, ground: Ground) -> Kind:
    """Kind of example: a figure that goes somewhere over its floor travels, or is in place where the floor passes."""
    body = averaged(observed.times, ground.body[:, :2], STEADY)
    way = np.cumsum(0.5 * (body[1:] + body[:-1]) * observed.step, axis=0)
    farthest = float(np.linalg.norm(way, axis=1).max())
    if farthest < GONE * observed.leg or ground.speed < SLOWEST * observed.leg:
        return "stationary"
    return "travelling" if ground.drift is None else "in_place"
