"""How high contact points stand over the ground of their examples."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import TRAVEL, Channels, world_points
from .canonical import Canonical
from .example import Contact
from .travel import rotate_plane

Array = NDArray[np.float64]

SAMPLES = 17
NO_TURN = 1e-6
SAME_GROUND = 0.035
"""Share of a leg's length by which heights of one ground differ."""


def stand_heights(
    channels: Channels,
    canonicals: Sequence[Canonical],
    contact: Contact,
    windows: Sequence[Array],
    generic: Array,
    cyclic: bool,
) -> tuple[list[Array], list[Array]]:
    """Clearances and drops of a contact point in all examples.

    The ground of an example is where its root starts, at height 0, and climbs evenly along its way: what stands ahead
    of the root stands the higher for it.

    Parameters
    ----------
    channels : of the examples.
    canonicals : the examples in canonical form.
    contact : which point.
    windows : for each example (W, 2) of the point, in generic time.
    generic : (M,) generic times of the keytimes.
    cyclic : whether windows may lie in neighbouring cycles.

    Returns
    -------
    clearances : for each example (W,) mean height of the point over the ground in each window.
    drops : for each example (W,) how far it sinks from the beginning of the window to its mean height.
    """
    together = world_points(channels, np.concatenate([c.values for c in canonicals]), contact.joint, contact.offset)
    points = np.split(together, np.cumsum([len(c.values) for c in canonicals])[:-1])
    every = zip(points, canonicals, windows, strict=True)
    found = [_heights_of(place, canonical, mine, generic, cyclic) for place, canonical, mine in every]
    return [clearances for clearances, _ in found], [drops for _, drops in found]


def _heights_of(
    points: Array, canonical: Canonical, windows: Array, generic: Array, cyclic: bool
) -> tuple[Array, Array]:
    """Clearances (W,) and drops (W,) of one example's point, which is at `points` (G, 3)."""
    heights, grounds = points[:, 2], _ground_under(points, canonical)
    phases = windows[:, :1] + np.linspace(0.0, 1.0, SAMPLES) * (windows[:, 1:] - windows[:, :1])
    cycles = np.floor(phases) if cyclic else np.zeros_like(phases)
    within = phases - cycles
    rows = np.linspace(0.0, 1.0, len(heights))
    over, ground = np.interp(within, rows, heights), np.interp(within, rows, grounds)
    climbed = canonical.drift[3] * (cycles + np.interp(within, generic, canonical.shares))
    lifted = over + climbed
    return (over - ground).mean(axis=1), lifted[:, 0] - lifted.mean(axis=1)


def _ground_under(points: Array, canonical: Canonical) -> Array:
    """Heights (G,) of the ground under points (G, 3), over the ground under the root at the same time.

    It is known along the way of one cycle before and behind the root, and taken to be level farther off.
    """
    x, y, turn, climb = canonical.drift
    length = float(np.hypot(x, y))
    if climb == 0.0 or length == 0.0:
        return np.zeros(len(points))
    travel = canonical.values[:, TRAVEL]
    local = rotate_plane(points[:, :2] - travel[:, :2], -travel[:, 2]) @ np.array([[x, -y], [y, x]]) / length
    ahead, left = local.T
    if abs(turn) > NO_TURN:
        radius = length / abs(turn)
        ahead = radius * np.arctan2(ahead, radius - np.sign(turn) * left)
    return climb * np.clip(ahead / length, -1.0, 1.0)


def over_one_ground(clearances: Array, length: float) -> Array:
    """How far a point stands too high in each window, to be at one height over the ground in all examples.

    What stands on the floor touches it with the same part of the sole; that examples differ by a little comes from the
    capture, or from closing their cycles. Where a point stands much higher or lower, it is left there.

    Parameters
    ----------
    clearances : (...) as `stand_heights` says, of all windows.
    length : of the leg.
    """
    over = clearances - np.median(clearances)
    return np.where(np.abs(over) < SAME_GROUND * length, over, 0.0)
