"""Keytimes: clock time T against generic time t between them ([Rose1998] eq. 1), and interpolated ones (eq. 4)."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ExampleError

Array = NDArray[np.float64]
Timing = Literal["mean_share", "equal"]
SHORTEST, LONGEST = 0.25, 4.0


def generic_keytimes(segments: Array, timing: Timing) -> Array:
    """Return the generic time (M,) of each keytime.

    [Rose1998] eq. 1 gives every segment between keytimes an equal share (``'equal'``). By default, deviating from it,
    each segment gets the mean share that it has in the examples, which needs far fewer control points where segments
    differ much in length.

    Parameters
    ----------
    segments : (N, M - 1) lengths in seconds of the segments of N examples.
    timing : ``'mean_share'`` or ``'equal'``.
    """
    count = segments.shape[1]
    if timing == "equal":
        return np.linspace(0.0, 1.0, count + 1)
    shares = np.mean(segments / segments.sum(axis=1, keepdims=True), axis=0)
    generic = np.concatenate([[0.0], np.cumsum(shares)])
    return np.asarray(generic / generic[-1])


def generic_time(times: ArrayLike, keytimes: Array, generic: Array, cyclic: bool = False) -> Array:
    """Return the generic time t(T) of clock times.

    Parameters
    ----------
    times : (T,) seconds from the first keytime.
    keytimes : (M,) seconds, increasing from 0.
    generic : (M,) generic times of the keytimes, from 0 to 1.
    cyclic : whether time goes on beyond the ends, by 1 each cycle; otherwise it is held there.
    """
    clock = np.asarray(times, dtype=np.float64)
    duration = float(keytimes[-1])
    cycles = np.floor(clock / duration) if cyclic else np.zeros_like(clock)
    return cycles + np.interp(clock - cycles * duration, keytimes, generic)


def clock_time(generic_times: ArrayLike, keytimes: Array, generic: Array, cyclic: bool = False) -> Array:
    """Return the clock times in seconds of generic times: the inverse of `generic_time`."""
    phase = np.asarray(generic_times, dtype=np.float64)
    cycles = np.floor(phase) if cyclic else np.zeros_like(phase)
    return cycles * keytimes[-1] + np.interp(phase - cycles, generic, keytimes)


def check_keytimes(keytimes: ArrayLike, names: tuple[str, ...], where: str) -> Array:
    """Keytimes (M,) as an array, from 0, if they increase.

    Raises
    ------
    ExampleError
        If there are fewer than two, or one does not come after the one before it, or one is not finite.
    """
    values = np.asarray(keytimes, dtype=np.float64)
    if len(values) < 2:
        raise ExampleError(f"Example '{where}' has {len(values)} keytimes. Give it at least a first and a last one.")
    for index in range(len(values)):
        if not np.isfinite(values[index]):
            raise ExampleError(
                f"Keytime '{names[index]}' of example '{where}' is not a finite number. Set it to a frame."
            )
        if index and values[index] <= values[index - 1]:
            raise ExampleError(
                f"Keytime '{names[index]}' of example '{where}' ({values[index]:.3f} s) does not come after "
                f"'{names[index - 1]}' ({values[index - 1]:.3f} s). Move one of the two markers."
            )
    return values - values[0]


@dataclass(frozen=True, eq=False)
class Phrasing:
    """Lengths of a verb's segments as the weights mix them.

    Deviation from [Rose1998] eq. 4: what is interpolated is not the keytimes but the segments between them, and beyond
    the examples' own lengths they approach a quarter of the shortest and four times the longest. The keytimes are the
    same wherever the mixture stays between the examples, and increase everywhere.

    Parameters
    ----------
    segments : (N, S) seconds, the examples' own.
    generic : (S + 1,) generic times of the keytimes.
    """

    segments: Array
    generic: Array

    @property
    def shortest(self) -> Array:
        """(S,) shortest length of each segment among the examples."""
        return self.segments.min(axis=0)

    @property
    def longest(self) -> Array:
        """(S,) longest length of each segment among the examples."""
        return self.segments.max(axis=0)

    def lengths(self, weights: Array) -> Array:
        """Return the segment lengths (..., S) in seconds under `weights` (..., N)."""
        return saturate(weights @ self.segments, self.shortest, self.longest)

    def keytimes(self, weights: Array) -> Array:
        """Return the keytimes (..., S + 1) in seconds from 0 under `weights` (..., N)."""
        lengths = self.lengths(weights)
        return np.concatenate([np.zeros(lengths.shape[:-1] + (1,)), np.cumsum(lengths, axis=-1)], axis=-1)


def saturate(values: Array, shortest: Array, longest: Array) -> Array:
    """Limit `values` (..., S) smoothly to (shortest / 4, longest * 4); those between shortest and longest stay."""
    above = (LONGEST - 1.0) * longest
    below = (1.0 - SHORTEST) * shortest
    high = longest + above * np.tanh(np.maximum(values - longest, 0.0) / above)
    low = shortest - below * np.tanh(np.maximum(shortest - values, 0.0) / below)
    return np.where(values > longest, high, np.where(values < shortest, low, values))


def saturated(length: float, shortest: float, longest: float) -> float:
    """Return one length of a segment, as `saturate` has it."""
    if length > longest:
        room = (LONGEST - 1.0) * longest
        return longest + room * math.tanh((length - longest) / room)
    if length < shortest:
        room = (1.0 - SHORTEST) * shortest
        return shortest - room * math.tanh((shortest - length) / room)
    return length


def share_windows(windows: Array, weights: Array) -> Array:
    """Mix contact windows (N, W, 2) in generic time under `weights` (..., N), giving (..., W, 2).

    Beginnings and lengths are mixed, and each is clamped to the range of the examples, so that no window ends before it
    begins.
    """
    lengths = windows[..., 1] - windows[..., 0]
    begin = np.clip(np.tensordot(weights, windows[..., 0], axes=(-1, 0)), *_extent(windows[..., 0]))
    length = np.clip(np.tensordot(weights, lengths, axes=(-1, 0)), *_extent(lengths))
    return np.stack([begin, np.minimum(begin + length, windows[..., 1].max(axis=0))], axis=-1)


def share_heights(heights: Array, weights: Array) -> Array:
    """Mix heights (N, W) under `weights` (..., N), giving (..., W), clamped to the range of the examples."""
    return np.clip(weights @ heights, *_extent(heights))


def _extent(values: Array) -> tuple[Array, Array]:
    return values.min(axis=0), values.max(axis=0)
