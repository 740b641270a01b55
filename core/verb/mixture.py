"""Mixing the curves of all examples by their weights: many poses at once ([Rose2001] eq. 3)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..motion.bspline import Curve, Encoding, locate

Array = NDArray[np.float64]
Array32 = NDArray[np.float32]

BLOCK = 60_000
"""Numbers in the rows that are worked on at a time: they stay in the cache, and products of them in one thread."""

ONES: Array32 = np.ones(4, dtype=np.float32)
FOURFOLD: Array32 = np.repeat(np.eye(4, dtype=np.float32), 4, axis=1)
SHORTEST_SQUARE = np.float32(1e-36)


@dataclass(frozen=True, eq=False)
class Group:
    """Examples whose curves have one encoding and number of control points, cut for evaluation.

    Parameters
    ----------
    members : (n,) indices of the examples.
    controls : (spans + 3, n, columns) control points in the order in which spans use them, of every member.
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
        """The four control points of every member that each span uses: (4 n, columns) for each span, nothing copied."""
        columns = self.controls.shape[-1]
        return [self.controls[span : span + 4].reshape(-1, columns) for span in range(self.spans)]


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
        total = (np.empty if lone else np.zeros)((len(phases), self.columns), dtype=np.float32)
        block = max(BLOCK // self.columns, 1)
        normalize = UnitQuaternions(len(self.channels.rotating), block)
        for group in self.groups:
            for rows, sums in _mixed(group, phases, weights, block):
                if lone:
                    normalize(sums)
                    total[rows] = sums
                else:
                    total[rows] += sums
        for begin in range(0, 0 if lone else len(total), block):
            normalize(total[begin : begin + block])
        return total


class UnitQuaternions:
    """Scales the quaternions of a few poses at a time to unit length, in scratch memory that stays in the cache.

    Parameters
    ----------
    count : R, quaternions in a pose.
    block : how many poses at most.
    """

    def __init__(self, count: int, block: int) -> None:
        self._count = count
        self._columns = slice(3, 3 + 4 * count)
        rounded = -(-block * count // 4) * 4
        self._inverse = np.ones(rounded, dtype=np.float32)
        self._scratch = np.empty(4 * rounded, dtype=np.float32)

    def __call__(self, poses: Array32) -> None:
        """Scale those in `poses` (T, columns), in place; a quaternion of length 0 stays 0."""
        quaternions = poses[:, self._columns]
        scratch = self._scratch[: quaternions.size].reshape(quaternions.shape)
        np.multiply(quaternions, quaternions, scratch)
        lengths = self._inverse[: len(poses) * self._count]
        scratch.reshape(-1, 4).dot(ONES, lengths)
        np.maximum(lengths, SHORTEST_SQUARE, lengths)
        np.sqrt(lengths, lengths)
        np.reciprocal(lengths, lengths)
        self._inverse.reshape(-1, 4).dot(FOURFOLD, self._scratch.reshape(-1, 16))
        quaternions *= scratch


def _mixed(
    group: Group, phases: Array, weights: Array, block: int
) -> Iterator[tuple[NDArray[np.intp], Array32]]:
    """Rows of `phases` (T,), `block` after `block`, and the sums (rows, columns) of what the group's members have there.

    The sums are overwritten by the next ones.
    """
    span, basis = locate(phases, group.spans, group.periodic, group.encoding)
    order = np.argsort(span.astype(np.int16), kind="stable")
    bounds = np.searchsorted(span[order], np.arange(group.spans + 1)).tolist()
    shapes = np.ascontiguousarray(basis[order].T, dtype=np.float32)
    shares = np.broadcast_to(weights, (len(phases), weights.shape[-1])).take(order, axis=0)[:, group.members]
    blend = (shapes[:, None, :] * np.ascontiguousarray(shares.T, dtype=np.float32)).reshape(-1, len(phases)).T
    windows = group.windows()
    buffer = np.empty((block, group.controls.shape[-1]), dtype=np.float32)
    for begin in range(0, len(phases), block):
        rows = order[begin : begin + block]
        last = begin + len(rows)
        for index in range(span[rows[0]], span[rows[-1]] + 1):
            part = slice(max(bounds[index], begin), min(bounds[index + 1], last))
            np.matmul(blend[part], windows[index], out=buffer[part.start - begin : part.stop - begin])
        yield rows, buffer[: len(rows)]


def make_mixture(channels: Channels, curves: tuple[Curve, ...]) -> Mixture:
    """Group the examples' `curves` (N of them) by encoding and cut them into windows."""
    kinds: dict[tuple[int, bool, Encoding], list[int]] = {}
    for index, curve in enumerate(curves):
        kinds.setdefault((curve.spans, curve.periodic, curve.encoding), []).append(index)
    groups: list[Group] = []
    for (_, periodic, encoding), members in kinds.items():
        controls = np.stack([curves[m].controls for m in members], axis=1).astype(np.float32)
        groups.append(Group(np.array(members, dtype=np.intp), controls, periodic, encoding))
    return Mixture(channels, tuple(groups))
