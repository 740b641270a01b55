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
"""Number of rows summed at once: so few that products are too small for multiple threads, which would be slower."""


@dataclass(frozen=True, eq=False)
class SampleGrid:
    """The grid nodes that T times need, in order; nodes between distant times are left out if no time needs them.

    Parameters
    ----------
    half : number of nodes on either side that are summed.
    nodes : (G,) indices of the nodes on the whole grid.
    cells : (T,) for each time, the index among the G nodes of the last one at or before it.
    shares : (T,) position of each time between that node and the next, from 0 to 1.
    """

    half: int
    nodes: Rows
    cells: Rows
    shares: Array

    @property
    def between(self) -> Rows:
        """Indices of the times that are not at a node."""
        return np.flatnonzero(self.shares > 0.0)

    def summed(self, rows: Array, coefficients: Array) -> Array:
        """Return sums (T, N) of rows (G, N) around each time by (2 half + 1,) coefficients, in reverse order."""
        count, span = len(rows) - 2 * self.half, 2 * self.half + 1
        shifted = np.zeros((BLOCK, BLOCK + span))
        shifted[:, :span] = coefficients[::-1]
        weights = shifted.reshape(-1)[:-BLOCK].reshape(BLOCK, -1)
        padded = np.concatenate([rows, np.zeros((-count % BLOCK, rows.shape[1]))])
        windows = sliding_window_view(padded, BLOCK + span - 1, axis=0)[::BLOCK].swapaxes(1, 2)
        return self._interpolated((weights @ windows).reshape(-1, rows.shape[1]))

    def largest(self, rows: Array) -> Array:
        """Return the maximum (T, N) of rows (G, N) around each time, continuous over time."""
        most = sliding_window_view(rows, 2 * self.half + 1, axis=0).max(axis=-1)
        low, high = (most[self.cells - self.half + step] for step in (0, 1))
        return low + self.shares[:, None] * (high - low)

    def _interpolated(self, sums: Array) -> Array:
        """Return values (T, N) at the times from `sums` (G - 2 half, N) around the nodes with all neighbours."""
        return combined(sums, self.cells - self.half - 1, basis_functions(self.shares, "catmull_rom"))


def grid_around(ticks: Array, half: int) -> SampleGrid:
    """Return the nodes for `ticks` (T,), which are times in steps of the grid, with `half` on either side."""
    whole = np.floor(ticks)
    wanted, places = np.unique(whole.astype(np.intp), return_inverse=True)
    span = 2 * half + 4
    fresh = np.diff(wanted, prepend=wanted[:1] - span).clip(max=span)
    ends = np.cumsum(fresh)
    nodes = np.arange(ends[-1] if len(ends) else 0) + np.repeat(wanted + half + 3 - ends, fresh)
    return SampleGrid(half, nodes, (ends - half - 3)[places], ticks - whole)


Sides = NDArray[np.intp]

SAME = 1e-9
"""Tolerance in seconds of equal times."""
HAMMING = 1.65
"""Number of cut-off cycles on each side in a filter designed with a Hamming window."""
NEAR, FAR = 2.0, 2.6
"""Radians from a joint's first rotation up to which it is filtered in the chart there, and from which it is not."""


@dataclass(frozen=True, eq=False)
class _Sums:
    """The sums of a filter at T times, before conversion to poses.

    Parameters
    ----------
    flat : (T, N) sums in the fixed chart, as rows of `Filter._chart`.
    near : (T, R) weight of these sums for each joint.
    turns : (T, R, 3) rotation vectors from each joint's own rotation, which have the remaining weight.
    own : (T, width) values of the motion itself.
    """

    flat: Array
    near: Array
    turns: Array
    own: Array

    def towards(self, other: "_Sums", rows: NDArray[np.intp], share: Array) -> "_Sums":
        """Return L of the rows, interpolated towards the same rows of `other` by a share (L,)."""
        part = share[:, None]
        flat = (1.0 - part) * self.flat[rows] + part * other.flat
        near = (1.0 - part) * self.near[rows] + part * other.near
        turns = (1.0 - part[..., None]) * self.turns[rows] + part[..., None] * other.turns
        return _Sums(flat, near, turns, self.own[rows])


@dataclass(frozen=True)
class Filter(OfOneClip):
    """A motion whose values are weighted sums of the values around them in another motion.

    Parameters
    ----------
    coefficients : coefficients of the impulse response, an odd number of them; the middle one is for the time itself.
    rate : coefficients per second.
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
        """Return keytimes and contacts that overlap the seconds from `begin` to `end`, in order of time."""
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
        """(2, width) first and last values; for an endless motion, the first ones twice."""
        return self.clip.sample([self.start, end_of(self.clip) if isfinite(self.clip.duration) else self.start])

    def _chart(self, values: Array) -> Array:
        """Return rows (T, N) that can be summed: `values` (T, width) with rotation vectors instead of quaternions."""
        columns, first = self.channels.rotation_columns, rotations_of(self.channels, self._edges[:1])
        vectors = quat.log(quat.multiply(quat.conjugate(first), rotations_of(self.channels, values)))
        parts = values[:, : columns.start], vectors.reshape(len(values), -1), values[:, columns.stop :]
        return np.concatenate(parts, axis=1)

    def _vectors(self, flat: Array) -> Array:
        """Return the rotation vectors (T, R, 3) in rows (T, N) of `_chart`."""
        begin, joints = self.channels.rotation_columns.start, len(self.channels.rotating)
        return flat[:, begin : begin + 3 * joints].reshape(len(flat), joints, 3)

    def _sums(self, clock: Array, anchor: float) -> _Sums:
        """Return the sums at `clock` (T,) of samples on the grid with a node at `anchor` in seconds."""
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
        """Return times (G,) reflected into the motion, and where they were: -1 before it, 1 after it, 0 inside."""
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
        """Return the weights (T, R) of the fixed chart, and rotation vectors (T, R, 3) for the rest.

        Parameters
        ----------
        grid : the nodes.
        sides : the side of the motion on which each of them is.
        vectors : (G, R, 3) rotation vectors at the nodes, reflected into the motion.
        nodes : (G, width) values of the motion at the nodes.
        own : (T, width) values of the motion at the times themselves.
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
        """Return the values (T, width) of sums."""
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
    """Return which of `ticks` are within `near` of a whole number."""
    return np.abs(ticks - np.round(ticks)) < near


def _ways(sides: Sides, nodes: Array, edges: Array) -> Array:
    """Return the accumulated rotation (G, J, 3) of joints over the nodes, as sums of rotation vectors.

    Parameters
    ----------
    sides : (G,) the side of the motion of each node; beyond its ends the motion is continued by point reflection.
    nodes : (G, J, 4) rotations at the nodes, reflected into the motion.
    edges : (2, J, 4) rotations at the ends of the motion.
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
    """Return the coefficients of a low-pass filter with `cutoff` in hertz, at `rate` a second.

    It is the ideal low pass with a Hamming window, and preserves constants.

    Raises
    ------
    ClipError
        If the cut-off is not between 0 and half of the rate.
    """
    if not 0.0 < cutoff < 0.5 * rate:
        raise ClipError(f"A cut-off of {cutoff:g} Hz is not possible. Choose one between 0 and {0.5 * rate:g} Hz.")
    half = ceil(HAMMING * rate / cutoff)
    lags = np.arange(-half, half + 1.0)
    ideal = np.asarray(np.sinc(2.0 * cutoff / rate * lags), dtype=np.float64) * np.hamming(len(lags))
    return tuple((ideal / ideal.sum()).tolist())


def filtered(coefficients: Sequence[float], rate: float, clip: Motion) -> Filter:
    """Return a motion whose values are weighted sums of the values around them in `clip`; see `Filter`.

    Raises
    ------
    ClipError
        If the number of coefficients is even, one of them is NaN, or they span more than the motion.
    """
    if len(coefficients) % 2 == 0:
        raise ClipError(f"A filter needs an odd number of coefficients, not {len(coefficients)}. Add or remove one.")
    if not all(isfinite(value) for value in coefficients):
        raise ClipError("One of the filter's coefficients is not a number. Give only numbers.")
    reach = (len(coefficients) // 2) / rate
    if reach > clip.duration:
        raise ClipError(
            f"The filter extends {reach:.2f} s to both sides, but the motion lasts only {clip.duration:.2f} s. Raise "
            "the cut-off, or use a longer motion."
        )
    return Filter(tuple(float(value) for value in coefficients), rate, clip)
