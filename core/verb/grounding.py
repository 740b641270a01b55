"""How high contact points stand over the ground of their examples."""

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels, world_points
from .canonical import Canonical
from .example import Contact

Array = NDArray[np.float64]

SAMPLES = 17
SAME_GROUND = 0.035
"""Share of a leg's length by which heights of one ground differ."""


def stand_heights(
    channels: Channels, canonical: Canonical, contact: Contact, windows: Array, generic: Array, cyclic: bool
) -> tuple[Array, Array]:
    """Clearances and drops of a contact point in one example.

    The ground of an example is where its root starts, at height 0, and climbs with it.

    Parameters
    ----------
    channels : of the example.
    canonical : the example in canonical form.
    contact : which point.
    windows : (W, 2) of the point, in generic time.
    generic : (M,) generic times of the keytimes.
    cyclic : whether windows may lie in neighbouring cycles.

    Returns
    -------
    clearances : (W,) mean height of the point over the ground in each window.
    drops : (W,) how far it sinks from the beginning of the window to its mean height.
    """
    heights = world_points(channels, canonical.values, contact.joint, contact.offset)[:, 2]
    phases = windows[:, :1] + np.linspace(0.0, 1.0, SAMPLES) * (windows[:, 1:] - windows[:, :1])
    cycles = np.floor(phases) if cyclic else np.zeros_like(phases)
    within = phases - cycles
    over = np.interp(within, np.linspace(0.0, 1.0, len(heights)), heights)
    climbed = canonical.drift[3] * (cycles + np.interp(within, generic, canonical.shares))
    lifted = over + climbed
    return over.mean(axis=1), lifted[:, 0] - lifted.mean(axis=1)


def on_one_ground(clearances: Array, drops: Array, length: float) -> Array:
    """Drops (N, W) after which a point stands at one height over the ground in all examples.

    What stands on the floor touches it with the same part of the sole; that examples differ by a little comes from the
    capture, or from closing their cycles. Where a point stands much higher or lower, it is left there.

    Parameters
    ----------
    clearances, drops : (N, W) as `stand_heights` says.
    length : of the leg.
    """
    over = clearances - np.median(clearances)
    return drops + np.where(np.abs(over) < SAME_GROUND * length, over, 0.0)
