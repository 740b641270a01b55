"""The reference for the extension: the same evaluation, written plainly in float64 NumPy."""

import numpy as np
from numpy.typing import NDArray

from ..core.motion.timewarp import ROUNDED
from .synthetic import CONTROL_POINTS, Synthetic

Array = NDArray[np.float64]

SPAN = np.array([[1.0, 4.0, 1.0, 0.0], [-3.0, 0.0, 3.0, 0.0], [3.0, -6.0, 3.0, 0.0], [-1.0, 3.0, -3.0, 1.0]]) / 6.0


class PlainVerb:
    """A verb over rotation vectors: one einsum for the weights, one for the four rows, one vectorised conversion.

    Each step is the fastest measured variant that fits in a line or two.
    """

    def __init__(self, data: Synthetic) -> None:
        basis = data.verb.basis
        self.origin, self.scale, self.centres, self.radii = basis.origin, basis.scale, basis.centres, basis.radii
        self.coefficients = basis.coefficients
        self.keytimes = np.concatenate([np.zeros((len(data.places), 1)), np.cumsum(data.segments, axis=1)], axis=1)
        self.generic = data.generic
        self.controls = np.ascontiguousarray(data.vectors.transpose(1, 0, 2))

    def weights(self, adverbs: tuple[float, ...]) -> Array:
        """Return the weights (N,) at `adverbs` (D,)."""
        point = (np.array(adverbs) - self.origin) / self.scale
        differences = self.centres - point
        squares = np.einsum("nd,nd->n", differences, differences)
        features = np.concatenate([-squares - np.sqrt(squares + self.radii * self.radii), [1.0]])
        return np.einsum("f,fn->n", features, self.coefficients)

    def pose(self, seconds: float, adverbs: tuple[float, ...]) -> tuple[Array, Array]:
        """Return the root location (3,) and quaternions (J, 4) at a clock time."""
        weights = self.weights(adverbs)
        keytimes = weights @ self.keytimes
        phase = float(np.interp(seconds % keytimes[-1], keytimes, self.generic))
        place = (phase + self._rounding(phase, keytimes)) * CONTROL_POINTS
        span = min(int(place % CONTROL_POINTS), CONTROL_POINTS - 1)
        u = place % CONTROL_POINTS - span
        basis = np.array([1.0, u, u * u, u * u * u]) @ SPAN
        row = basis @ np.einsum("n,knc->kc", weights, self.controls[span : span + 4])
        return row[:3], quaternions_of(row[3:].reshape(-1, 3))

    def _rounding(self, phase: float, keytimes: Array) -> float:
        """Return the correction of a generic time that makes its rate smooth at the adjacent keytime."""
        lengths = np.diff(self.generic)
        corner = int(np.abs(self.generic - phase).argmin())
        off = phase - float(self.generic[corner])
        side = corner - (off < 0.0)
        count = len(lengths)
        here, other = side % count, (corner - 1 if side == corner else corner) % count
        reach = min(ROUNDED, 0.5 * float(lengths[here]))
        share = abs(off) / reach
        if share >= 1.0:
            return 0.0
        rates = lengths / np.diff(keytimes)
        slope = 2.0 * float(rates[other]) / float(rates[here] + rates[other])
        between = share * (1.0 - share)
        moved = (share * share + slope * between) / (1.0 + (slope - 1.0) * between) - share
        return reach * (moved if off >= 0.0 else -moved)


def quaternions_of(vectors: Array) -> Array:
    """Return the quaternions (J, 4) of rotation vectors (J, 3)."""
    angles = np.sqrt(np.einsum("jc,jc->j", vectors, vectors))
    half = 0.5 * angles
    quaternions = np.empty((len(vectors), 4))
    quaternions[:, 0] = np.cos(half)
    quaternions[:, 1:] = vectors * (np.sin(half) / np.maximum(angles, 1e-12))[:, None]
    return quaternions
