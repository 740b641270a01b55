"""The operator Filter ([Gruenvogel2003] section 5): a motion smoothed by weighted sums of samples on an even grid."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, isfinite

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike, NDArray

from ..errors import ClipError
from ..figure import quaternion as quat
from ..figure.channels import rotations_of
from .bspline import basis_functions, combined
from .clip import Mark, Motion, end_of
from .clip_operators import OfOneClip

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


Sides = NDArray[np.intp]

SAME = 1e-9
"""Seconds by which two times may differ and count as one."""
HAMMING = 1.65
"""Cycles of the cut-off on each side that a filter designed with Hamming's window spans."""
NEAR, FAR = 2.0, 2.6
"""Radians from a joint's first rotation up to which it is filtered in the chart there, and from which on it is not."""


@dataclass(frozen=True, eq=False)
class _Sums:
    """What a filter adds up at T times, before it is made poses.

    Parameters
    ----------
    flat : (T, N) sums in the fixed chart, as rows of `Filter._chart`.
    near : (T, R) how much they count for each joint.
    turns : (T, R, 3) rotation vectors from each joint's own rotation, which count for the rest.
    own : (T, width) values of the motion itself.
    """

    flat: Array
    near: Array
    turns: Array
    own: Array

    def towards(self, other: "_Sums", rows: NDArray[np.intp], share: Array) -> "_Sums":
        """Return some of the rows, (L,), on the way to those of `other` by a share (L,)."""
        part = share[:, None]
        flat = (1.0 - part) * self.flat[rows] + part * other.flat
        near = (1.0 - part) * self.near[rows] + part * other.near
        turns = (1.0 - part[..., None]) * self.turns[rows] + part[..., None] * other.turns
        return _Sums(flat, near, turns, self.own[rows])


@dataclass(frozen=True)
class Filter(OfOneClip):
    """A motion of which each value is a weighted sum of those around it.

    Parameters
    ----------
    coefficients : of the impulse response, an odd number of them; the middle one belongs to the present.
    rate : how many of them there are a second.
    clip : the motion.
    """

    coefficients: tuple[float, ...]
    rate: float
    clip: Motion

    def __str__(self) -> str:
        told = ", ".join(f"{value:.3g}" for value in self.coefficients)
        return f"Filter([{told}], {self.clip})"

    @property
    def start(self) -> float:
        """Time of the beginning in seconds."""
        return self.clip.start

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """Keytimes and contacts that touch the seconds from `begin` to `end`, in order of time."""
        return self.clip.marks_within(begin, end)

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds."""
        end, reach = end_of(self.clip), len(self.coefficients) // 2 / self.rate
        clock = np.clip(np.asarray(times, dtype=np.float64), self.start, end)
        sums = self._sums(clock, self.start)
        values = self._posed(sums)
        last = np.flatnonzero(clock > end - reach)
        if len(last) and not _whole(np.array(self.clip.duration * self.rate), SAME * self.rate):
            share = (1.0 - (end - clock[last]) / reach) ** 2
            values[last] = self._posed(sums.towards(self._sums(clock[last], end), last, share))
        return values

    @cached_property
    def _edges(self) -> Array:
        """(2, width) first and last values; of a motion without end the first ones twice."""
        return self.clip.sample([self.start, end_of(self.clip) if isfinite(self.clip.duration) else self.start])

    def _chart(self, values: Array) -> Array:
        """Return rows (T, N) that may be added: `values` (T, width) with rotation vectors in place of quaternions."""
        columns, first = self.channels.rotation_columns, rotations_of(self.channels, self._edges[:1])
        vectors = quat.log(quat.multiply(quat.conjugate(first), rotations_of(self.channels, values)))
        parts = values[:, : columns.start], vectors.reshape(len(values), -1), values[:, columns.stop :]
        return np.concatenate(parts, axis=1)

    def _vectors(self, flat: Array) -> Array:
        """Return the rotation vectors (T, R, 3) in rows (T, N) of `_chart`."""
        begin, joints = self.channels.rotation_columns.start, len(self.channels.rotating)
        return flat[:, begin : begin + 3 * joints].reshape(len(flat), joints, 3)

    def _sums(self, clock: Array, anchor: float) -> _Sums:
        """Return the sums at `clock` (T,) of samples on the grid of which `anchor` in seconds is a node."""
        ticks, half = (clock - anchor) * self.rate, len(self.coefficients) // 2
        grid = grid_around(np.where(_whole(ticks, SAME * self.rate), np.round(ticks), ticks), half)
        seconds, sides = self._mirrored(anchor + grid.nodes / self.rate)
        _, once, again = np.unique(np.round(seconds / SAME), return_index=True, return_inverse=True)
        values = self.clip.sample(np.concatenate([seconds[once], clock[grid.between]]))
        own = again[grid.cells]
        own[grid.between] = len(once) + np.arange(len(grid.between))
        flat = self._chart(values)
        nodes, edges = flat[again], self._chart(self._edges)
        for side, edge in ((-1, edges[0]), (1, edges[1])):
            nodes[sides == side] = 2.0 * edge - nodes[sides == side]
        sums = self._filtered(grid, nodes, flat[own])
        near, turns = self._farther(grid, sides, self._vectors(flat)[again], values[again], values[own])
        return _Sums(sums, near, turns, values[own])

    def _mirrored(self, seconds: Array) -> tuple[Array, Sides]:
        """Return times (G,) led back into the motion, and on which side of it, -1 or 1, they were; 0 is inside."""
        begin, end = self.start, end_of(self.clip)
        sides = (seconds > end + SAME).astype(np.intp) - (seconds < begin - SAME)
        inside = np.where(sides < 0, 2.0 * begin - seconds, np.where(sides > 0, 2.0 * end - seconds, seconds))
        return np.clip(inside, begin, end), sides

    def _filtered(self, grid: SampleGrid, nodes: Array, own: Array) -> Array:
        """Return sums (T, N) of rows at the nodes (G, N), and at the times themselves (T, N)."""
        half, others = len(self.coefficients) // 2, np.array(self.coefficients)
        others[half] = 0.0
        return self.coefficients[half] * own + grid.summed(nodes, others)

    def _farther(self, grid: SampleGrid, sides: Sides, vectors: Array, nodes: Array, own: Array) -> tuple[Array, Array]:
        """Return how much the fixed chart counts, (T, R), and rotation vectors (T, R, 3) for where it does not.

        Parameters
        ----------
        grid, sides : nodes, and on which side of the motion they are.
        vectors : (G, R, 3) rotation vectors at the nodes, led back into the motion.
        nodes, own : values (G, width) of the motion there, and (T, width) at the times themselves.
        """
        shape, angles = (len(own), len(self.channels.rotating)), np.linalg.norm(vectors, axis=-1)
        if not (angles > NEAR).any():
            return np.broadcast_to(1.0, shape), np.broadcast_to(0.0, (*shape, 3))
        share = np.clip((FAR - grid.largest(angles)) / (FAR - NEAR), 0.0, 1.0)
        near, turns = share * share * (3.0 - 2.0 * share), np.zeros((*shape, 3))
        joints = np.flatnonzero((near < 1.0).any(axis=0))
        ends, there, here = (rotations_of(self.channels, rows)[:, joints] for rows in (self._edges, nodes, own))
        ways = _ways(sides, there, ends)
        way = ways[grid.cells] + quat.log(quat.multiply(quat.conjugate(there[grid.cells]), here))
        sums = self._filtered(grid, ways.reshape(len(ways), -1), way.reshape(len(way), -1))
        turns[:, joints] = sums.reshape(way.shape) - sum(self.coefficients) * way
        return near, turns

    def _posed(self, sums: _Sums) -> Array:
        """Return the values (T, width) that sums give."""
        channels, columns = self.channels, self.channels.rotation_columns
        rotations = quat.multiply(rotations_of(channels, self._edges[:1]), quat.exp(self._vectors(sums.flat)))
        far = np.nonzero(sums.near < 1.0)
        if len(far[0]):
            turned = quat.multiply(rotations_of(channels, sums.own)[far], quat.exp(sums.turns[far]))
            back = quat.log(quat.multiply(quat.conjugate(turned), rotations[far]))
            rotations[far] = quat.multiply(turned, quat.exp(sums.near[far][:, None] * back))
        begin, after = columns.start, columns.start + 3 * len(channels.rotating)
        parts = sums.flat[:, :begin], rotations.reshape(len(rotations), -1), sums.flat[:, after:]
        values = np.concatenate(parts, axis=1)
        values[:, channels.held_columns] = sums.own[:, channels.held_columns]
        return values


def _whole(ticks: Array, near: float) -> NDArray[np.bool_]:
    """Return which numbers are whole, or as near to a whole one as that."""
    return np.abs(ticks - np.round(ticks)) < near


def _ways(sides: Sides, nodes: Array, edges: Array) -> Array:
    """Return by how much joints have turned (G, J, 3) from node to node, as the sum of their rotation vectors.

    Parameters
    ----------
    sides : (G,) on which side of the motion a node is; beyond its ends it is continued as its point reflection.
    nodes, edges : (G, J, 4) and (2, J, 4) rotations at nodes led back into the motion, and at its ends.
    """
    steps = quat.log(quat.multiply(quat.conjugate(nodes[:-1]), nodes[1:]))
    steps[sides[:-1] != 0] *= -1.0
    over = np.flatnonzero(sides[:-1] != sides[1:])
    side = (sides[:-1] + sides[1:])[over]
    back = quat.conjugate(edges[(side > 0).astype(np.intp)])
    beside = (quat.log(quat.multiply(back, nodes[over + step])) for step in (0, 1))
    steps[over] = -side[:, None, None] * sum(beside)
    return np.concatenate([np.zeros((1, *steps.shape[1:])), np.cumsum(steps, axis=0)])


def low_pass(cutoff: float, rate: float) -> tuple[float, ...]:
    """Return the coefficients of a filter that keeps what is slower than `cutoff` in hertz, at `rate` a second.

    It is the ideal low pass in Hamming's window, and keeps what rests.

    Raises
    ------
    ClipError
        If the cut-off is not between 0 and half of the rate.
    """
    if not 0.0 < cutoff < 0.5 * rate:
        raise ClipError(f"A cut-off of {cutoff:g} Hz does not do. Choose one between 0 and {0.5 * rate:g} Hz.")
    half = ceil(HAMMING * rate / cutoff)
    lags = np.arange(-half, half + 1.0)
    ideal = np.asarray(np.sinc(2.0 * cutoff / rate * lags), dtype=np.float64) * np.hamming(len(lags))
    return tuple((ideal / ideal.sum()).tolist())


def filtered(coefficients: Sequence[float], rate: float, clip: Motion) -> Filter:
    """Return a motion of which each value is a weighted sum of those around it; parameters are those of `Filter`.

    Raises
    ------
    ClipError
        If the number of coefficients is even, or one is no number, or they reach farther than the motion.
    """
    if len(coefficients) % 2 == 0:
        raise ClipError(f"A filter needs an odd number of coefficients, not {len(coefficients)}: one for the present.")
    if not all(isfinite(value) for value in coefficients):
        raise ClipError("One of the filter's coefficients is no number. Give numbers alone.")
    reach = (len(coefficients) // 2) / rate
    if reach > clip.duration:
        raise ClipError(
            f"The filter reaches {reach:.2f} s to both sides, but the motion lasts only {clip.duration:.2f} s. "
            "Raise the cut-off, or take a longer motion."
        )
    return Filter(tuple(float(value) for value in coefficients), rate, clip)
