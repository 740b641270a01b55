"""Relations that a layer claims, such as the distance of both hands, and that are put right when all is mixed."""

import numpy as np
from numpy.typing import NDArray

from ..figure.chain_inverse_kinematics import reach
from ..figure.channels import Channels, world_points
from ..figure.lock_point import LockPoint
from .mixing import Mixer

Array = NDArray[np.float64]

CLOSE = 1e-5
"""Share of a distance by which it may be wrong."""
_ORIGIN = np.zeros(3)


def distances(channels: Channels, values: Array, pair: tuple[int, int]) -> Array:
    """Return how far (T,) two joints are from each other in rows (T, width)."""
    one, other = (world_points(channels, values, joint, _ORIGIN) for joint in pair)
    return np.linalg.norm(one - other, axis=-1)


def kept_apart(mixer: Mixer, values: Array, layer: Array, weights: Array, pair: tuple[int, int]) -> Array:
    """Return rows (T, width) in which two joints are as far apart as in a layer's own motion.

    Both move along the line between them by the same way; of the joints that lead to them those turn that the layer
    has wholly. They turn by least squares, see `reach`.

    Parameters
    ----------
    mixer : of the layer.
    values : (T, width) rows after mixing.
    layer : (T, own width) rows of the layer.
    weights : (T,) of the layer. A layer that comes in brings the distance in with it.
    pair : the two joints.
    """
    whole = mixer.whole
    one, other = (world_points(whole, values, joint, _ORIGIN) for joint in pair)
    apart = np.linalg.norm(other - one, axis=-1)
    wanted = apart + weights * (distances(mixer.own, layer, pair) - apart)
    rows = np.flatnonzero(np.abs(wanted - apart) > CLOSE * wanted)
    if not len(rows):
        return values
    way = (other - one)[rows] / np.maximum(apart[rows], np.finfo(np.float64).tiny)[:, None]
    half = 0.5 * (wanted - apart)[rows, None] * way
    points = [LockPoint(whole.skeleton.names[joint], joint, _ORIGIN) for joint in pair]
    made = values.copy()
    made[rows] = reach(
        whole,
        values[rows],
        points,
        np.stack([one[rows] - half, other[rows] + half]),
        among=mixer.mask[whole.rotating] >= 1.0,
    )
    return made
