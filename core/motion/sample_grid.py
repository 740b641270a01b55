"""Weighted sums of samples on an even grid, between whose nodes they are interpolated as clips are."""

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from .bspline import basis_functions, combined

Array = NDArray[np.float64]
Rows = NDArray[np.intp]

BLOCK = 8
"""Rows that are summed at once: so few that a product is too small to be shared among threads, which costs more."""


@dataclass(frozen=True, eq=False)
class SampleGrid:
    """The nodes of a grid that T times need, in order; between those of times far apart nodes are left out.

    Parameters
    ----------
    half : how many nodes on either side are added to one.
    nodes : (G,) their numbers on the whole grid.
    cells : (T,) which of the G is the last node that is not after each time.
    shares : (T,) of the way from there to the next node.
    """

    half: int
    nodes: Rows
    cells: Rows
    shares: Array

    @property
    def between(self) -> Rows:
        """Which of the times are at no node."""
        return np.flatnonzero(self.shares > 0.0)

    def summed(self, rows: Array, coefficients: Array) -> Array:
        """Return sums (T, N) of rows (G, N) around each time by (2 half + 1,) coefficients, the last for the first."""
        count, span = len(rows) - 2 * self.half, 2 * self.half + 1
        shifted = np.zeros((BLOCK, BLOCK + span))
        shifted[:, :span] = coefficients[::-1]
        weights = shifted.reshape(-1)[:-BLOCK].reshape(BLOCK, -1)
        padded = np.concatenate([rows, np.zeros((-count % BLOCK, rows.shape[1]))])
        windows = sliding_window_view(padded, BLOCK + span - 1, axis=0)[::BLOCK].swapaxes(1, 2)
        return self._interpolated((weights @ windows).reshape(-1, rows.shape[1]))

    def largest(self, rows: Array) -> Array:
        """Return the largest (T, N) of rows (G, N) around each time, without jumps over time."""
        most = sliding_window_view(rows, 2 * self.half + 1, axis=0).max(axis=-1)
        low, high = (most[self.cells - self.half + step] for step in (0, 1))
        return low + self.shares[:, None] * (high - low)

    def _interpolated(self, sums: Array) -> Array:
        """Return values (T, N) at the times from `sums` (G - 2 half, N) around the nodes that have all neighbours."""
        return combined(sums, self.cells - self.half - 1, basis_functions(self.shares, "catmull_rom"))


def grid_around(ticks: Array, half: int) -> SampleGrid:
    """Return the nodes for `ticks` (T,), which are times counted in steps of the grid, with `half` on either side."""
    whole = np.floor(ticks)
    wanted, places = np.unique(whole.astype(np.intp), return_inverse=True)
    span = 2 * half + 4
    fresh = np.diff(wanted, prepend=wanted[:1] - span).clip(max=span)
    ends = np.cumsum(fresh)
    nodes = np.arange(ends[-1] if len(ends) else 0) + np.repeat(wanted + half + 3 - ends, fresh)
    return SampleGrid(half, nodes, (ends - half - 3)[places], ticks - whole)
