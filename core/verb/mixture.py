"""Weighted sums of the curves of all examples, for many poses at once ([Rose2001] eq. 3)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..motion.bspline import Curve, Encoding, locate

Array = NDArray[np.float64]

BLOCK = 60_000
"""Number of values in the rows of poses that are computed at a time, so that they fit the processor's cache."""
ONE_THREAD = 9000
"""Largest matrix that OpenBLAS multiplies with a vector in one thread; synchronising threads takes longer."""

ONES: Array = np.ones(4)
SHORTEST_SQUARE = 1e-36
"""Smallest squared length by which a quaternion is divided, so that a zero quaternion stays zero."""


@dataclass(frozen=True, eq=False)
class Group:
    """Curves of examples that have the same encoding and number of control points, arranged for evaluation.

    Parameters
    ----------
    members : (n,) indices of the examples.
    controls : (spans + 3, n, padded) control points of every member, in the order in which spans use them. The pose
        columns are preceded by a zero and followed by padding, so that every quaternion and row begins at a multiple of
        four.

    periodic, encoding : of the curves.
    """

    members: NDArray[np.intp]
    controls: Array
    periodic: bool
    encoding: Encoding

    @property
    def spans(self) -> int:
        """Number of polynomial pieces of each curve."""
        return len(self.controls) - 3

    def window(self, span: int) -> Array:
        """Return the four control points of every member that a span uses, (4 n, padded); without copying."""
        return self.controls[span : span + 4].reshape(-1, self.controls.shape[-1])


@dataclass(frozen=True, eq=False)
class Mixture:
    """Curves of the pose columns of a verb's examples (all columns but travel), for weighted sums.

    Parameters
    ----------
    channels : meaning of the columns.
    groups : examples by the encoding of their curves; most verbs have one group.
    """

    channels: Channels
    groups: tuple[Group, ...]

    @property
    def columns(self) -> int:
        """Number of pose columns: the channels' width without travel."""
        return self.channels.width - 3

    @property
    def padded(self) -> int:
        """Length of a row of control points: a zero, the pose columns, and padding to a multiple of four."""
        return -(-(1 + self.columns) // 4) * 4

    @cached_property
    def _of_one(self) -> "UnitQuaternions":
        """Scaler of the quaternions of one pose at a time."""
        return UnitQuaternions(len(self.channels.rotating), self.padded, 1)

    def sample(self, phases: Array, weights: Array) -> Array:
        """Return poses at generic times under given weights.

        Times are sorted by the curve's spans, so that each span takes one matrix product.

        Parameters
        ----------
        phases : (T,) generic times.
        weights : (T, N) or (N,) weights of the examples.

        Returns
        -------
        (T, columns), quaternions scaled to unit length.
        """
        lone, padded = len(self.groups) == 1, self.padded
        total = (np.empty if lone else np.zeros)((len(phases), padded))
        block = max(min(BLOCK // padded, len(phases)), 1)
        normalize = self._of_one if block == 1 else UnitQuaternions(len(self.channels.rotating), padded, block)
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
    """Scale the quaternions of a few poses at a time to unit length, in a scratch buffer that stays in the cache.

    Parameters
    ----------
    count : R, the number of quaternions in a pose.
    padded : length of a row; the quaternions begin at the fifth number.
    block : largest number of poses at a time.
    """

    def __init__(self, count: int, padded: int, block: int) -> None:
        self._others = slice(1 + count, None)
        self._scratch = np.zeros(block * padded)
        self._factors = np.ones(block * padded // 4)
        squares, step = self._scratch.reshape(-1, 4), ONE_THREAD // 4
        self._parts = [(squares[b : b + step], self._factors[b : b + step]) for b in range(0, len(squares), step)]

    def __call__(self, poses: Array) -> None:
        """Scale the quaternions in contiguous `poses` (T, padded), in place; a quaternion of length 0 stays 0."""
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


def _mixed(group: Group, phases: Array, weights: Array, block: int) -> Iterator[tuple[NDArray[np.intp], Array]]:
    """Yield indices into `phases` (T,) and the weighted sums (rows, padded) of the members' curves there, by blocks.

    The array of sums is reused for the next block.
    """
    span, basis = locate(phases, group.spans, group.periodic, group.encoding)
    shares = np.atleast_2d(weights)
    if len(group.members) < weights.shape[-1]:
        shares = shares[:, group.members]
    if len(phases) == 1:
        factors = np.multiply.outer(basis[0], shares[0]).reshape(-1)
        yield np.zeros(1, dtype=np.intp), _product(factors, group.window(int(span[0])))[None]
        return
    order = np.argsort(span.astype(np.int16), kind="stable")
    bounds = np.searchsorted(span[order], np.arange(group.spans + 1)).tolist()
    shapes = np.ascontiguousarray(basis[order].T)
    if weights.ndim > 1:
        shares = shares.take(order, axis=0)
    blend = shapes[:, None, :] * np.ascontiguousarray(shares.T)
    rows_of_blend = blend.reshape(blend.shape[0] * blend.shape[1], len(phases)).T
    buffer = np.empty((block, group.controls.shape[-1]))
    for begin in range(0, len(phases), block):
        rows = order[begin : begin + block]
        last = begin + len(rows)
        for index in range(span[rows[0]], span[rows[-1]] + 1):
            part = slice(max(bounds[index], begin), min(bounds[index + 1], last))
            into = buffer[part.start - begin : part.stop - begin]
            if len(into) == 1:
                into[0] = _product(rows_of_blend[part.start], group.window(index))
            elif len(into):
                np.matmul(rows_of_blend[part], group.window(index), out=into)
        yield rows, buffer[: len(rows)]


def _product(factors: Array, window: Array) -> Array:
    """Return the product (padded,) of `factors` (4 n,) and a `window` (4 n, padded), in parts of one thread each."""
    product, step = np.empty(window.shape[1]), max(ONE_THREAD // len(factors), 1)
    for first in range(0, len(product), step):
        product[first : first + step] = factors.dot(window[:, first : first + step])
    return product


def make_mixture(channels: Channels, curves: tuple[Curve, ...]) -> Mixture:
    """Return the mixture of the examples' `curves` (N of them), grouped by encoding and number of control points."""
    kinds: dict[tuple[int, bool, Encoding], list[int]] = {}
    for index, curve in enumerate(curves):
        kinds.setdefault((curve.spans, curve.periodic, curve.encoding), []).append(index)
    groups: list[Group] = []
    mixture = Mixture(channels, ())
    for (spans, periodic, encoding), members in kinds.items():
        controls = np.zeros((spans + 3, len(members), mixture.padded))
        for place, member in enumerate(members):
            controls[:, place, 1 : 1 + mixture.columns] = curves[member].controls
        groups.append(Group(np.array(members, dtype=np.intp), controls, periodic, encoding))
    return replace(mixture, groups=tuple(groups))
