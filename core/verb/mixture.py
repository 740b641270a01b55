"""Mixing the curves of all examples by their weights: many poses at once ([Rose2001] eq. 3)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..motion.bspline import Curve, Encoding, locate

Array = NDArray[np.float64]
Array32 = NDArray[np.float32]

BLOCK = 128
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
        total = np.zeros((len(phases), self.columns), dtype=np.float32)
        for group in self.groups:
            for rows, sums in _mixed(group, phases, weights):
                if len(self.groups) == 1:
                    self.normalize(sums)
                    total[rows] = sums
                else:
                    total[rows] += sums
        if len(self.groups) > 1:
            self.normalize(total)
        return total

    def normalize(self, poses: Array32) -> None:
        """Scale the quaternions of `poses` (T, columns) to unit length, in place; a few rows at a time, for the cache."""
        count = len(self.channels.rotating)
        columns = slice(3, 3 + 4 * count)
        inverse = np.ones(-(-BLOCK * count // 4) * 4, dtype=np.float32)
        for begin in range(0, len(poses), BLOCK):
            quaternions = poses[begin : begin + BLOCK, columns]
            squares = quaternions * quaternions
            lengths = inverse[: len(quaternions) * count]
            squares.reshape(-1, 4).dot(ONES, lengths)
            np.maximum(lengths, SHORTEST_SQUARE, lengths)
            np.sqrt(lengths, lengths)
            np.reciprocal(lengths, lengths)
            fourfold = inverse.reshape(-1, 4).dot(FOURFOLD).reshape(-1)[: quaternions.size]
            quaternions *= fourfold.reshape(quaternions.shape)


def _mixed(group: Group, phases: Array, weights: Array) -> Iterator[tuple[NDArray[np.intp], Array32]]:
    """Some rows of `phases` (T,) after others, and the sums (rows, columns) of what the group's members have there."""
    span, basis = locate(phases, group.spans, group.periodic, group.encoding)
    order = np.argsort(span.astype(np.int16), kind="stable")
    ends = np.searchsorted(span[order], np.arange(group.spans), side="right").tolist()
    shapes = basis.astype(np.float32)[:, :, None]
    shares = np.broadcast_to(weights, (len(phases), weights.shape[-1]))[:, None, group.members].astype(np.float32)
    windows = group.windows()
    index = 0
    for begin in range(0, len(phases), BLOCK):
        rows = order[begin : begin + BLOCK]
        blend = (shapes[rows] * shares[rows]).reshape(len(rows), -1)
        sums = np.empty((len(rows), group.controls.shape[-1]), dtype=np.float32)
        done = 0
        while done < len(rows):
            upto = min(ends[index] - begin, len(rows))
            if upto > done:
                np.dot(blend[done:upto], windows[index], out=sums[done:upto])
                done = upto
            if done < len(rows):
                index += 1
        yield rows, sums


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
