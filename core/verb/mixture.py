"""Mixing the curves of all examples by their weights: many poses at once ([Rose2001] eq. 3)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..motion.bspline import Curve, Encoding, locate

Array = NDArray[np.float64]
Array32 = NDArray[np.float32]

BLOCK = 60_000
"""Numbers in the rows that are worked on at a time: they stay in the cache."""
ONE_THREAD = 9000
"""Size of a matrix up to which OpenBLAS multiplies a vector in one thread; for threads to meet takes longer."""

ONES: Array32 = np.ones(4, dtype=np.float32)
SHORTEST_SQUARE = np.float32(1e-36)


@dataclass(frozen=True, eq=False)
class Group:
    """Examples whose curves have one encoding and number of control points, cut for evaluation.

    Parameters
    ----------
    members : (n,) indices of the examples.
    controls : (spans + 3, n, padded) control points in the order in which spans use them, of every member; a zero lies
        before the pose columns and some behind them, so that every quaternion and row begins at a multiple of four.
    periodic, encoding : of the curves.
    """

    members: NDArray[np.intp]
    controls: Array32
    periodic: bool
    encoding: Encoding

    @property
    def spans(self) -> int:
        """Number of polynomial pieces."""
        return len(self.controls) - 3

    def windows(self) -> list[Array32]:
        """The four control points of every member that each span uses: (4 n, padded) for each span, nothing copied."""
        width = self.controls.shape[-1]
        return [self.controls[span : span + 4].reshape(-1, width) for span in range(self.spans)]


@dataclass(frozen=True, eq=False)
class Mixture:
    """The pose columns of a verb (all but travel), ready to be mixed.

    Parameters
    ----------
    channels : what the columns mean.
    groups : examples by encoding; most verbs have one.
    """

    channels: Channels
    groups: tuple[Group, ...]

    @property
    def columns(self) -> int:
        """Number of pose columns: the channels' width without travel."""
        return self.channels.width - 3

    @property
    def padded(self) -> int:
        """Numbers in a row of control points: the pose columns from the second on, filled up to a multiple of four."""
        return -(-(1 + self.columns) // 4) * 4

    def sample(self, phases: Array, weights: Array) -> Array32:
        """Poses at generic times.

        Rows are sorted by span, so that each span costs one matrix product.

        Parameters
        ----------
        phases : (T,) generic time.
        weights : (T, N) or (N,)

        Returns
        -------
        (T, columns), quaternions of unit length.
        """
        lone = len(self.groups) == 1
        total = (np.empty if lone else np.zeros)((len(phases), self.padded), dtype=np.float32)
        block = max(min(BLOCK // self.padded, len(phases)), 1)
        normalize = UnitQuaternions(len(self.channels.rotating), self.padded, block)
        for group in self.groups:
            for rows, sums in _mixed(group, phases, weights, block):
                if lone:
                    normalize(sums)
                    total[rows] = sums
                else:
                    total[rows] += sums
        for begin in range(0, 0 if lone else len(total), block):
            normalize(total[begin : begin + block])
        return total[:, 1 : 1 + self.columns]


class UnitQuaternions:
    """Scales the quaternions of a few poses at a time to unit length, in scratch memory that stays in the cache.

    Parameters
    ----------
    count : R, quaternions in a pose.
    padded : numbers in a row; the quaternions begin at the fifth.
    block : how many poses at most.
    """

    def __init__(self, count: int, padded: int, block: int) -> None:
        self._others = slice(1 + count, None)
        self._scratch = np.zeros(block * padded, dtype=np.float32)
        self._factors = np.ones(block * padded // 4, dtype=np.float32)
        squares, step = self._scratch.reshape(-1, 4), ONE_THREAD // 4
        self._parts = [(squares[b : b + step], self._factors[b : b + step]) for b in range(0, len(squares), step)]

    def __call__(self, poses: Array32) -> None:
        """Scale those in the contiguous rows of `poses` (T, padded), in place; a quaternion of length 0 stays 0."""
        scratch = self._scratch[: poses.size].reshape(poses.shape)
        factors = self._factors[: poses.size // 4]
        np.multiply(poses, poses, scratch)
        for squares, sums in self._parts:
            squares.dot(ONES, sums)
        np.maximum(factors, SHORTEST_SQUARE, factors)
        by_row = factors.reshape(len(poses), -1)
        by_row[:, 0] = 1.0
        by_row[:, self._others] = 1.0
        np.sqrt(factors, factors)
        np.reciprocal(factors, factors)
        for component in poses.reshape(-1, 4).T:
            component *= factors


def _mixed(group: Group, phases: Array, weights: Array, block: int) -> Iterator[tuple[NDArray[np.intp], Array32]]:
    """Rows of `phases` (T,), `block` after `block`, and the sums (rows, padded) of what the group's members have there.

    The sums are overwritten by the next ones.
    """
    span, basis = locate(phases, group.spans, group.periodic, group.encoding)
    order = np.argsort(span.astype(np.int16), kind="stable")
    bounds = np.searchsorted(span[order], np.arange(group.spans + 1)).tolist()
    shapes = np.ascontiguousarray(basis[order].T, dtype=np.float32)
    shares = np.atleast_2d(weights).astype(np.float32)
    if weights.ndim > 1:
        shares = shares.take(order, axis=0)
    if len(group.members) < weights.shape[-1]:
        shares = shares[:, group.members]
    blend = shapes[:, None, :] * np.ascontiguousarray(shares.T)
    rows_of_blend = blend.reshape(blend.shape[0] * blend.shape[1], len(phases)).T
    windows = group.windows()
    buffer = np.empty((block, group.controls.shape[-1]), dtype=np.float32)
    for begin in range(0, len(phases), block):
        rows = order[begin : begin + block]
        last = begin + len(rows)
        for index in range(span[rows[0]], span[rows[-1]] + 1):
            part = slice(max(bounds[index], begin), min(bounds[index + 1], last))
            np.matmul(rows_of_blend[part], windows[index], out=buffer[part.start - begin : part.stop - begin])
        yield rows, buffer[: len(rows)]


def make_mixture(channels: Channels, curves: tuple[Curve, ...]) -> Mixture:
    """Group the examples' `curves` (N of them) by encoding and cut them into windows."""
    kinds: dict[tuple[int, bool, Encoding], list[int]] = {}
    for index, curve in enumerate(curves):
        kinds.setdefault((curve.spans, curve.periodic, curve.encoding), []).append(index)
    groups: list[Group] = []
    mixture = Mixture(channels, ())
    for (spans, periodic, encoding), members in kinds.items():
        controls = np.zeros((spans + 3, len(members), mixture.padded), dtype=np.float32)
        for place, member in enumerate(members):
            controls[:, place, 1 : 1 + mixture.columns] = curves[member].controls
        groups.append(Group(np.array(members, dtype=np.intp), controls, periodic, encoding))
    return replace(mixture, groups=tuple(groups))
