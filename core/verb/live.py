"""The frame path: one pose at a time, with buffers that are used again."""

import math
from bisect import bisect_right
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..motion.bspline import SPAN_MATRICES, Encoding
from .live_path import compose, path_at
from .mixture import ONE_THREAD, Group
from .phrasing import LONGEST, SHORTEST
from .verb import Verb

Array = NDArray[np.float64]
Array32 = NDArray[np.float32]


class LivePose:
    """Evaluates a verb pose by pose ([Rose1998] section 6.1).

    While the adverbs stay the same, a pose costs four rows of mixed control points; when they change, one product of
    weights and basis functions with the rows that every example has there. Not for use from several threads.

    Parameters
    ----------
    verb : the verb.
    more : (N, M) further numbers of its examples, which `paces` mixes too.
    """

    def __init__(self, verb: Verb, more: Array | None = None) -> None:
        self.verb = verb
        values = [verb.phrasing.segments, verb.drifts.reshape(len(verb.drifts), -1)]
        self._live = verb.live_weights(np.concatenate(values if more is None else [*values, more], axis=1))
        self.weights: Array = self._live.weights
        self._adverbs: tuple[float, ...] | None = None
        self._generic: list[float] = verb.phrasing.generic.tolist()
        self._shortest: list[float] = verb.phrasing.shortest.tolist()
        self._longest: list[float] = verb.phrasing.longest.tolist()
        self._group = verb.mixture.groups[0] if len(verb.mixture.groups) == 1 else None
        count, rotating = len(verb.example_names), len(verb.channels.rotating)
        self._weights32 = np.empty((1, count), dtype=np.float32)
        self._shape = np.empty((4, 1), dtype=np.float32)
        self._blend = np.empty((4, count), dtype=np.float32)
        self._padded = np.empty(verb.mixture.padded, dtype=np.float32)
        self._row = self._padded[1 : 1 + verb.mixture.columns]
        self._rotations = self._padded[4 : 4 + 4 * rotating].reshape(-1, 4)
        self._squares = np.empty((rotating, 4), dtype=np.float32)
        self._norms = np.empty((rotating, 4), dtype=np.float32)
        self._sum_of_four = np.ones((4, 4), dtype=np.float32)
        self._mixed: dict[int, Array32] = {}
        self._pieces = _cut(self._group, self._padded) if self._group else []

    def set_adverbs(self, adverbs: tuple[float, ...]) -> None:
        """Move to `adverbs` (D,); the weights are computed only if they differ from the last."""
        if adverbs == self._adverbs:
            return
        self._live.set(adverbs)
        self._weights32[:] = self.weights
        self._adverbs = adverbs
        self._mixed.clear()

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
        place = (phase - math.floor(phase) if group.periodic else min(max(phase, 0.0), 1.0)) * group.spans
        span = min(int(place), group.spans - 1)
        shape = self._shape
        shape[0, 0], shape[1, 0], shape[2, 0], shape[3, 0] = _basis(place - span, group.encoding)
        if changing:
            shape.dot(self._weights32, self._blend)
            blend = self._blend.reshape(-1)
            for windows, out in self._pieces:
                blend.dot(windows[span], out)
        else:
            shape[:, 0].dot(self._rows(group, span), self._padded)
        rotations, squares, norms = self._rotations, self._squares, self._norms
        np.multiply(rotations, rotations, squares)
        squares.dot(self._sum_of_four, norms)
        np.sqrt(norms, norms)
        np.divide(rotations, norms, rotations)
        return self._row

    def _rows(self, group: Group, span: int) -> Array32:
        if span not in self._mixed:
            self._mixed[span] = np.tensordot(self._weights32[0], group.controls[span : span + 4], axes=(0, 1))
        return self._mixed[span]

    def advance(self, phase: float, seconds: float, adverbs: tuple[float, ...]) -> float:
        """Generic time after `seconds` at `adverbs` (D,), passing from segment to segment at each one's rate."""
        self.set_adverbs(adverbs)
        generic, lengths = self._generic, self.paces()[0]
        cycle = math.floor(phase) if self.verb.cyclic else 0.0
        segment = min(bisect_right(generic, phase - cycle) - 1, len(generic) - 2)
        while seconds > 0.0:
            if segment == len(generic) - 1:
                if not self.verb.cyclic:
                    return phase
                segment, cycle = 0, cycle + 1.0
            rate = (generic[segment + 1] - generic[segment]) / lengths[segment]
            end = cycle + generic[segment + 1]
            if phase + rate * seconds <= end:
                return phase + rate * seconds
            seconds -= (end - phase) / rate
            phase, segment = end, segment + 1
        return phase

    def at(
        self, seconds: float, adverbs: tuple[float, ...], origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ) -> tuple[float, tuple[float, float, float, float]]:
        """Generic time, and travel (x, y, heading, height climbed), `seconds` after the start with even adverbs.

        Parameters
        ----------
        seconds : of cyclic verbs any, of others those within the verb's duration count.
        adverbs : (D,) from the start on.
        origin : travel at the start.
        """
        self.set_adverbs(adverbs)
        generic, count = self._generic, len(self._shortest)
        lengths, drifts, _ = self.paces()
        duration = sum(lengths)
        cycles = math.floor(seconds / duration) if self.verb.cyclic else 0
        left = min(max(seconds - cycles * duration, 0.0), duration)
        segment = 0
        while segment < count - 1 and left >= lengths[segment]:
            left -= lengths[segment]
            segment += 1
        fraction = min(left / lengths[segment], 1.0)
        phase = cycles + generic[segment] + fraction * (generic[segment + 1] - generic[segment])
        start = complex(origin[0], origin[1]), origin[2]
        place, heading = compose(start, path_at(drifts, segment, fraction, cycles))
        climbs = drifts[3::4]
        height = cycles * sum(climbs) + sum(climbs[:segment]) + fraction * climbs[segment]
        return phase, (place.real, place.imag, heading, height)

    def paces(self) -> tuple[list[float], list[float], list[float]]:
        """At these adverbs: seconds of each segment (S,), its displacement x and y, turn and climb, and `more`."""
        numbers: list[float] = self._live.mixed.tolist()
        count = len(self._shortest)
        told = zip(numbers[:count], self._shortest, self._longest, strict=True)
        lengths = [value if short <= value <= long else _bent(value, short, long) for value, short, long in told]
        return lengths, numbers[count : 5 * count], numbers[5 * count :]


def _bent(length: float, short: float, long: float) -> float:
    """One length of a segment, as `saturate` has it."""
    if length > long:
        room = (LONGEST - 1.0) * long
        return long + room * math.tanh((length - long) / room)
    room = (1.0 - SHORTEST) * short
    return short - room * math.tanh((short - length) / room)


def _cut(group: Group, row: Array32) -> list[tuple[list[Array32], Array32]]:
    """Windows of some columns each, small enough for one thread, and the part of `row` (padded,) that they make."""
    pieces = -(-4 * len(group.members) * len(row) // ONE_THREAD)
    bounds = [len(row) * piece // pieces for piece in range(pieces + 1)]
    found: list[tuple[list[Array32], Array32]] = []
    for begin, end in zip(bounds[:-1], bounds[1:], strict=True):
        part = replace(group, controls=np.ascontiguousarray(group.controls[..., begin:end]))
        found.append((part.windows(), row[begin:end]))
    return found


def _basis(u: float, encoding: Encoding) -> tuple[float, float, float, float]:
    if encoding != "cubic_b_spline":
        a, b, c, d = (np.array([1.0, u, u * u, u * u * u]) @ SPAN_MATRICES[encoding]).tolist()
        return a, b, c, d
    v, square = 1.0 - u, u * u
    cube = square * u
    return v * v * v / 6.0, (4.0 - 6.0 * square + 3.0 * cube) / 6.0, (1.0 + 3.0 * (u + square - cube)) / 6.0, cube / 6.0
