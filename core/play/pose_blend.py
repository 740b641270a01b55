"""Two poses mixed, of verbs whose quaternions may lie in different hemispheres."""

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import FIRST_ROTATION, Channels
from ..verb.live import Array32

Array = NDArray[np.float64]

FAR = -0.5
"""Scalar product of two quaternions at which the way round is changed."""


class PoseBlend:
    """Mixes pose columns: location and scalars linearly, quaternions along the chord, switches not at all.

    Which way round a joint turns from the one pose to the other is chosen as the mixing begins and then kept, so that
    it does not flip on the way; only joints that would have to turn by more than 240 degrees change their way.

    Parameters
    ----------
    channels : of the poses.
    """

    def __init__(self, channels: Channels) -> None:
        count = len(channels.rotating)
        first = FIRST_ROTATION - 3
        self._old = np.empty(channels.width - 3)
        self._new = np.empty(channels.width - 3)
        self._turns = slice(first, first + 4 * count)
        self._old_turns = self._old[self._turns].reshape(-1, 4)
        self._new_turns = self._new[self._turns].reshape(-1, 4)
        self._signs = np.ones((count, 1))
        self._products = np.empty((count, 4))
        held = [index for index, scalar in enumerate(channels.scalars) if scalar.held]
        self._held = np.array(held, dtype=np.intp) + self._turns.stop

    def begin(self, old: Array32, new: Array32) -> None:
        """Choose the nearer way round for every joint from `old` (width - 3,) to `new`."""
        one, other = (np.asarray(row[self._turns], dtype=np.float64).reshape(-1, 4) for row in (old, new))
        self._signs[:, 0] = np.where(np.sum(one * other, axis=1) < 0.0, -1.0, 1.0)

    def take(self, old: Array32) -> None:
        """Remember the pose (width - 3,) to mix with."""
        self._old[:] = old

    def mix(self, new: Array32, weight: float, out: Array) -> None:
        """Write to `out` (width - 3,) the pose taken, by `weight`, and `new`, by the rest."""
        self._new[:] = new
        if len(self._held) and weight >= 0.5:
            self._new[self._held] = self._old[self._held]
        old, mine, signs = self._old_turns, self._new_turns, self._signs
        np.multiply(mine, signs, out=mine)
        np.multiply(old, mine, out=self._products)
        far = self._products.sum(axis=1) < FAR
        if far.any():
            signs[far] *= -1.0
            mine[far] *= -1.0
        held = self._new[self._held]
        np.multiply(self._old, weight, out=out)
        np.multiply(self._new, 1.0 - weight, out=self._new)
        np.add(out, self._new, out=out)
        out[self._held] = held
        turns = out[self._turns].reshape(-1, 4)
        np.multiply(turns, turns, out=self._products)
        turns /= np.sqrt(self._products.sum(axis=1, keepdims=True))
