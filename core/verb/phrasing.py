"""Interpolated keytimes that cannot cross ([Rose1998] eq. 4), as lengths of the segments between them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SHORTEST, LONGEST = 0.25, 4.0


@dataclass(frozen=True, eq=False)
class Phrasing:
    """Lengths of a verb's segments as the weights mix them.

    Deviation from [Rose1998] eq. 4: what is interpolated is not the keytimes but the segments between them, and beyond
    the examples' own lengths they approach a quarter of the shortest and four times the longest. The keytimes are the
    same wherever the mixture stays between the examples, and increase everywhere.

    Parameters
    ----------
    segments : (N, S) seconds, the examples' own.
    generic : (S + 1,) generic times of the keytimes.
    """

    segments: Array
    generic: Array

    @property
    def shortest(self) -> Array:
        """(S,) shortest length of each segment among the examples."""
        return self.segments.min(axis=0)

    @property
    def longest(self) -> Array:
        """(S,) longest length of each segment among the examples."""
        return self.segments.max(axis=0)

    def lengths(self, weights: Array) -> Array:
        """Segment lengths (..., S) in seconds under `weights` (..., N)."""
        return saturate(weights @ self.segments, self.shortest, self.longest)

    def keytimes(self, weights: Array) -> Array:
        """Keytimes (..., S + 1) in seconds, the first 0, under `weights` (..., N)."""
        lengths = self.lengths(weights)
        return np.concatenate([np.zeros(lengths.shape[:-1] + (1,)), np.cumsum(lengths, axis=-1)], axis=-1)


def saturate(values: Array, shortest: Array, longest: Array) -> Array:
    """Bend `values` (..., S) smoothly into (shortest / 4, longest * 4); between shortest and longest they stay."""
    above = (LONGEST - 1.0) * longest
    below = (1.0 - SHORTEST) * shortest
    high = longest + above * np.tanh(np.maximum(values - longest, 0.0) / above)
    low = shortest - below * np.tanh(np.maximum(shortest - values, 0.0) / below)
    return np.where(values > longest, high, np.where(values < shortest, low, values))


def share_windows(windows: Array, weights: Array) -> Array:
    """Contact windows (..., W, 2) in generic time under `weights` (..., N), kept within the examples' (N, W, 2).

    Begin and length are mixed, each within what the examples have, so that no window ends before it begins.
    """
    lengths = windows[..., 1] - windows[..., 0]
    begin = np.clip(np.tensordot(weights, windows[..., 0], axes=(-1, 0)), *_extent(windows[..., 0]))
    length = np.clip(np.tensordot(weights, lengths, axes=(-1, 0)), *_extent(lengths))
    return np.stack([begin, np.minimum(begin + length, windows[..., 1].max(axis=0))], axis=-1)


def share_heights(heights: Array, weights: Array) -> Array:
    """Heights (..., W) under `weights` (..., N), kept within the examples' (N, W)."""
    return np.clip(weights @ heights, *_extent(heights))


def _extent(values: Array) -> tuple[Array, Array]:
    return values.min(axis=0), values.max(axis=0)
