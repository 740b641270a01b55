"""The frame path: one pose at a time, with buffers that are used again."""

import math

import numpy as np
from numpy.typing import NDArray

from ..motion.bspline import SPAN_MATRICES
from .phrasing import LONGEST, SHORTEST
from .verb import Verb

Array = NDArray[np.float64]
Array32 = NDArray[np.float32]


class LivePose:
    """Evaluates a verb pose by pose ([Rose1998] section 6.1).

    While the adverbs stay the same, a pose costs four rows of mixed control points; when they change, one product of weights
    and basis functions with the rows that every example has there. Not for use from several threads.

    Parameters
    ----------
    verb : the verb.
    """

    def __init__(self, verb: Verb) -> None:
        self.verb = verb
        basis = verb.basis
        count = len(verb.example_names)
        self._features = np.ones(count + len(basis.powers))
        self._radial = self._features[:count]
        self._delta = np.empty_like(basis.centres)
        self._buffer = np.empty(count)
        self._near = np.empty(count)
        self._coefficients = np.ascontiguousarray(basis.coefficients.T)
        self._linear = basis.kernel == "cubic_b_spline" and basis.powers.sum(axis=1).max(initial=0) <= 1
        self._adverbs: tuple[float, ...] | None = None
        self.weights: Array = np.empty(count)
        self._row = np.empty(verb.mixture.columns, dtype=np.float32)
        self._group = verb.mixture.groups[0] if len(verb.mixture.groups) == 1 else None
        self._blend = np.empty((4, count), dtype=np.float32)
        self._weights32 = np.empty(count, dtype=np.float32)
        self._shape = np.empty((4, 1), dtype=np.float32)
        self._rotations = self._row[3 : 3 + 4 * len(verb.channels.rotating)].reshape(-1, 4)
        self._lengths = np.empty((len(verb.channels.rotating), 1), dtype=np.float32)
        self._mixed: dict[int, Array32] = {}

    def set_adverbs(self, adverbs: tuple[float, ...]) -> None:
        """Move to `adverbs` (D,); the weights are computed only if they differ from the last."""
        if adverbs == self._adverbs:
            return
        self._adverbs = adverbs
        self._mixed.clear()
        basis = self.verb.basis
        if not self._linear:
            self.weights[:] = basis.weights(np.array([adverbs]))[0]
        else:
            point = (np.array(adverbs) - basis.origin) / basis.scale
            np.subtract(basis.centres, point, out=self._delta)
            np.einsum("nd,nd->n", self._delta, self._delta, out=self._buffer)
            np.sqrt(self._buffer, out=self._buffer)
            np.divide(self._buffer, basis.radii, out=self._buffer)
            _cubic(self._buffer, self._near, self._radial)
            self._features[len(self._radial) + 1 :] = point[: len(self._features) - len(self._radial) - 1]
            np.dot(self._coefficients, self._features, out=self.weights)
        self._weights32[:] = self.weights

    def pose(self, phase: float, adverbs: tuple[float, ...], changing: bool = True) -> Array32:
        """Pose columns (width - 3,) at generic time `phase`; the array is overwritten by the next call.

        Parameters
        ----------
        phase : generic time; cyclic verbs take it modulo 1, others hold their ends.
        adverbs : (D,)
        changing : whether the adverbs are expected to differ at the next call; if not, mixed rows are kept.
        """
        self.set_adverbs(adverbs)
        group = self._group
        if group is None:
            return self.verb.mixture.sample(np.array([phase]), self.weights)[0]
        spans = len(group.windows)
        place = (phase - math.floor(phase) if group.periodic else min(max(phase, 0.0), 1.0)) * spans
        span = min(int(place), spans - 1)
        u = place - span
        self._shape[:, 0] = _cubic_basis(u) if group.encoding == "cubic_b_spline" else _any_basis(u, group.encoding)
        if changing:
            np.multiply(self._shape, self._weights32, out=self._blend)
            np.dot(self._blend.reshape(-1), group.windows[span], out=self._row)
        else:
            np.dot(self._shape[:, 0], self._rows(span), out=self._row)
        self._normalize()
        return self._row

    def _rows(self, span: int) -> Array32:
        if span not in self._mixed:
            assert self._group is not None
            window = self._group.windows[span].reshape(4, len(self._weights32), -1)
            self._mixed[span] = np.einsum("n,knc->kc", self._weights32, window)
        return self._mixed[span]

    def _normalize(self) -> None:
        quaternions = self._rotations
        np.einsum("rc,rc->r", quaternions, quaternions, out=self._lengths[:, 0])
        np.sqrt(self._lengths, out=self._lengths)
        np.divide(quaternions, self._lengths, out=quaternions)

    def advance(self, phase: float, seconds: float, adverbs: tuple[float, ...]) -> float:
        """Generic time after `seconds` at `adverbs` (D,), passing from segment to segment at each one's rate."""
        self.set_adverbs(adverbs)
        generic = self.verb.phrasing.generic
        cycle = math.floor(phase) if self.verb.cyclic else 0.0
        segment = min(int(np.searchsorted(generic, phase - cycle, side="right")) - 1, len(generic) - 2)
        while seconds > 0.0:
            if segment == len(generic) - 1:
                if not self.verb.cyclic:
                    return phase
                segment, cycle = 0, cycle + 1.0
            rate = (generic[segment + 1] - generic[segment]) / self.segment_length(segment)
            end = cycle + generic[segment + 1]
            if phase + rate * seconds <= end:
                return float(phase + rate * seconds)
            seconds -= float((end - phase) / rate)
            phase, segment = float(end), segment + 1
        return phase

    def segment_length(self, segment: int) -> float:
        """Seconds that `segment` lasts at the adverbs of the moment."""
        column = self.verb.phrasing.segments[:, segment]
        length, short, long = float(column @ self.weights), float(column.min()), float(column.max())
        if length > long:
            room = (LONGEST - 1.0) * long
            return long + room * math.tanh((length - long) / room)
        if length < short:
            room = (1.0 - SHORTEST) * short
            return short - room * math.tanh((short - length) / room)
        return length


def _cubic(distances: Array, buffer: Array, out: Array) -> None:
    """The kernel of `kernels.cubic_b_spline` without branches: (max(2 - x, 0)^3 - 4 max(1 - x, 0)^3) / 6."""
    np.subtract(1.0, distances, out=buffer)
    np.maximum(buffer, 0.0, out=out)
    np.multiply(out, out, out=distances)
    np.multiply(distances, out, out=distances)
    np.multiply(distances, -4.0, out=distances)
    np.add(buffer, 1.0, out=buffer)
    np.maximum(buffer, 0.0, out=buffer)
    np.multiply(buffer, buffer, out=out)
    np.multiply(out, buffer, out=out)
    np.add(out, distances, out=out)
    np.divide(out, 6.0, out=out)


def _cubic_basis(u: float) -> tuple[float, float, float, float]:
    v, square = 1.0 - u, u * u
    cube = square * u
    return v * v * v / 6.0, (4.0 - 6.0 * square + 3.0 * cube) / 6.0, (1.0 + 3.0 * (u + square - cube)) / 6.0, cube / 6.0


def _any_basis(u: float, encoding: str) -> list[float]:
    return (np.array([1.0, u, u * u, u * u * u]) @ SPAN_MATRICES[encoding]).tolist()
