"""Mixing the curves of all examples by their weights: many poses at once ([Rose2001] eq. 3)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..motion.bspline import Curve, Encoding, locate

Array = NDArray[np.float64]
Array32 = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Group:
    """Examples whose curves have one encoding and number of control points, cut for evaluation.

    Parameters
    ----------
    members : (n,) indices of the examples.
    windows : (spans, 4 n, columns) the four rows of control points that each span uses, of every member.
    periodic, encoding : of the curves.
    """

    members: NDArray[np.intp]
    windows: Array32
    periodic: bool
    encoding: Encoding


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
            span, basis = locate(phases, len(group.windows), group.periodic, group.encoding)
            shares = np.broadcast_to(weights, (len(phases), weights.shape[-1]))[:, group.members]
            rows = (basis[:, :, None] * shares[:, None, :]).reshape(len(phases), -1).astype(np.float32)
            order = np.argsort(span, kind="stable")
            bounds = np.searchsorted(span[order], np.arange(len(group.windows) + 1))
            mixed = np.empty_like(total)
            for index in np.unique(span):
                part = slice(bounds[index], bounds[index + 1])
                np.dot(rows[order[part]], group.windows[index], out=mixed[part])
            total[order] += mixed
        self.normalize(total)
        return total

    def normalize(self, poses: Array32) -> None:
        """Scale the quaternions of `poses` (T, columns) to unit length, in place."""
        quaternions = poses[:, 3 : 3 + 4 * len(self.channels.rotating)].reshape(len(poses), -1, 4)
        lengths = np.sqrt(np.einsum("trc,trc->tr", quaternions, quaternions))
        quaternions /= np.maximum(lengths, np.float32(1e-20))[..., None]
        poses[:, 3 : 3 + 4 * len(self.channels.rotating)] = quaternions.reshape(len(poses), -1)


def make_mixture(channels: Channels, curves: tuple[Curve, ...]) -> Mixture:
    """Group the examples' `curves` (N of them) by encoding and cut them into windows."""
    kinds: dict[tuple[int, bool, Encoding], list[int]] = {}
    for index, curve in enumerate(curves):
        kinds.setdefault((curve.spans, curve.periodic, curve.encoding), []).append(index)
    groups: list[Group] = []
    for (spans, periodic, encoding), members in kinds.items():
        controls = np.stack([curves[m].controls for m in members])
        rows = np.arange(spans)[:, None] + np.arange(4)
        windows = controls[:, rows].transpose(1, 2, 0, 3).reshape(spans, 4 * len(members), -1)
        groups.append(Group(np.array(members, dtype=np.intp), windows.astype(np.float32), periodic, encoding))
    return Mixture(channels, tuple(groups))
