"""Keytimes: conversion of clock time T to generic time t ([Rose1998] eq. 1), and keytimes of mixtures (eq. 4)."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ExampleError

Array = NDArray[np.float64]
Timing = Literal["mean_share", "equal"]
SHORTEST, LONGEST = 0.25, 4.0
LARGEST_RATIO = 1.5
"""Factor by which a segment may be longer in an example than its share of generic time."""
ROUNDED = 0.03
"""Maximum generic time before and after a keytime in which the corner of the time warp is rounded."""


def generic_keytimes(segments: Array, timing: Timing) -> Array:
    """Return the generic time (M,) of each keytime.

    [Rose1998] eq. 1 gives every segment between keytimes an equal share (``'equal'``). By default, deviating from it,
    each segment gets its mean share in the examples, which needs far fewer control points if segments differ much in
    length. A segment whose share in one example is more than one and a half times the mean gets more, so that this
    example is not squeezed into too few control points.

    Parameters
    ----------
    segments : (N, M - 1) lengths in seconds of the segments of N examples.
    timing : ``'mean_share'`` or ``'equal'``.
    """
    count = segments.shape[1]
    if timing == "equal":
        return np.linspace(0.0, 1.0, count + 1)
    every = segments / segments.sum(axis=1, keepdims=True)
    shares = np.maximum(every.mean(axis=0), every.max(axis=0) / LARGEST_RATIO)
    generic = np.concatenate([[0.0], np.cumsum(shares)])
    return np.asarray(generic / generic[-1])


def generic_time(times: ArrayLike, keytimes: Array, generic: Array, cyclic: bool = False) -> Array:
    """Return the generic time t(T) of clock times.

    Parameters
    ----------
    times : (T,) seconds from the first keytime.
    keytimes : (M,) seconds, increasing from 0.
    generic : (M,) generic times of the keytimes, from 0 to 1.
    cyclic : whether generic time continues beyond the ends, by 1 each cycle; otherwise it is held there.
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
    """Check keytimes and return them (M,) relative to the first.

    Raises
    ------
    ExampleError
        If there are fewer than two, they do not increase, or one is not finite.
    """
    values = np.asarray(keytimes, dtype=np.float64)
    if len(values) < 2:
        raise ExampleError(f"Example '{where}' has {len(values)} keytimes. It needs at least a first and a last one.")
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
    """Lengths of a verb's segments as mixed by the weights.

    Deviation from [Rose1998] eq. 4: the segments between keytimes are interpolated, not the keytimes, and beyond the
    examples' own lengths they approach a quarter of the shortest and four times the longest. Wherever the mixture stays
    between the examples, the keytimes are those of eq. 4; they increase everywhere.

    Parameters
    ----------
    segments : (N, S) lengths in the examples in seconds.
    generic : (S + 1,) generic times of the keytimes.
    cyclic : whether the motion goes on beyond its ends.

    Notes
    -----
    Generic time changes its rate at the keytimes, so that a motion fitted over it has a corner there in each example,
    and corners of mixtures do not cancel. Deviating from the paper, the curves have their own time. It equals generic
    time except near a keytime, where it is rounded so that its rate is continuous against the clock: by a rational
    quadratic, which is increasing for any rates and has an inverse in closed form (Gregory and Delbourgo, IMA Journal
    of Numerical Analysis 2, 1982). The rate at the keytime is the harmonic mean of those before and after.
    """

    segments: Array
    generic: Array
    cyclic: bool = False

    @cached_property
    def shortest(self) -> Array:
        """(S,) shortest length of each segment among the examples."""
        return self.segments.min(axis=0)

    @cached_property
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

    def curve_times(self, phases: Array, weights: Array) -> Array:
        """Return the curves' own time (T,) at generic times `phases` (T,), under `weights` (T, N) or (N,)."""
        within, stretches, near = self._near_corners(phases)
        if not len(near):
            return phases
        steepness = self._steepness(self.lengths(weights[near] if weights.ndim > 1 else weights), stretches)
        share = self._shares(within, stretches)
        left = 1.0 - share
        bend = steepness * share * left
        return self._moved(phases, near, stretches, bend * left / (1.0 + bend))

    def generic_times(self, times: Array, lengths: Array) -> Array:
        """Return generic times (T,) of the curves' own `times` (T,): the inverse of `curve_times`.

        Parameters
        ----------
        times : (T,) the curves' own times.
        lengths : (S,) seconds of the segments.
        """
        within, stretches, near = self._near_corners(times)
        steepness, share = self._steepness(lengths, stretches), self._shares(within, stretches)
        linear = 1.0 + steepness * (1.0 - share)
        root = np.sqrt(linear * linear + 4.0 * steepness * (share - 1.0) * share)
        return self._moved(times, near, stretches, 2.0 * share / (linear + root) - share)

    def _near_corners(self, times: Array) -> tuple[Array, NDArray[np.intp], NDArray[np.intp]]:
        """Return which of `times` (T,) are near a keytime, K of them.

        Returns
        -------
        These times (K,) within the motion, the stretch (K,) that contains each, and their indices (K,). Every segment
        is divided into three stretches: after its begin, in the middle, and before its end. Corners are rounded in the
        first and the last stretch. A time on a keytime is in the segment after it.
        """
        within = times - np.floor(times) if self.cyclic else np.clip(times, 0.0, 1.0)
        stretches = self._stretch_ends.searchsorted(within, side="right")
        (near,) = self._away[stretches].nonzero()
        return within[near], stretches[near], near

    @cached_property
    def _stretch_ends(self) -> Array:
        """(3 S - 1,) generic times at which the next stretch begins."""
        begins, ends = self.generic[:-1], self.generic[1:]
        return np.stack([begins + self._reach, ends - self._reach, ends], axis=1).ravel()[:-1]

    @cached_property
    def _reach(self) -> Array:
        """(S,) distance in generic time from a keytime within which each segment's corners are rounded."""
        return np.minimum(ROUNDED, 0.5 * self._spans)

    @cached_property
    def _away(self) -> Array:
        """(3 S,) signed extent of rounding in each stretch: negative before a keytime, 0 without rounding."""
        return (self._reach[:, None] * np.array([1.0, 0.0, -1.0])).ravel()

    @cached_property
    def _corners(self) -> Array:
        """(3 S,) generic time of the keytime next to each stretch."""
        return np.stack([self.generic[:-1], self.generic[:-1], self.generic[1:]], axis=1).ravel()

    @cached_property
    def _spans(self) -> Array:
        """(S,) generic duration of each segment."""
        return np.diff(self.generic)

    @cached_property
    def _here(self) -> NDArray[np.intp]:
        """(3 S,) the segment of each stretch."""
        return np.repeat(np.arange(len(self._spans)), 3)

    @cached_property
    def _beyond(self) -> NDArray[np.intp]:
        """(3 S,) the segment on the other side of each stretch's keytime; its own where a motion begins or ends."""
        count = len(self._spans)
        beyond = (np.arange(count)[:, None] + np.array([-1, 0, 1])).ravel()
        return beyond % count if self.cyclic else np.clip(beyond, 0, count - 1)

    def _shares(self, within: Array, stretches: NDArray[np.intp]) -> Array:
        """Return the distances of times `within` (K,) from keytimes beside `stretches` (K,), relative to the reach."""
        return (within - self._corners[stretches]) / self._away[stretches]

    def _steepness(self, lengths: Array, stretches: NDArray[np.intp]) -> Array:
        """Return by how much (K,) the rate at the keytime next to each of `stretches` (K,) exceeds that in its segment.

        The excess is relative to the segment's rate. `lengths` are (K, S) or (S,) seconds of the segments.
        """
        slowness = lengths / self._spans
        here, there = self._here[stretches], self._beyond[stretches]
        if slowness.ndim > 1:
            rows = np.arange(len(stretches))
            own, other = slowness[rows, here], slowness[rows, there]
        else:
            own, other = slowness[here], slowness[there]
        return (own - other) / (own + other)

    def _moved(self, times: Array, near: NDArray[np.intp], stretches: NDArray[np.intp], moved: Array) -> Array:
        """Return `times` (T,) with those `near` a keytime moved by shares `moved` (K,) of the reach of rounding."""
        result = times.copy()
        result[near] += moved * self._away[stretches]
        return result


def saturate(values: Array, shortest: Array, longest: Array) -> Array:
    """Limit `values` (..., S) smoothly to (shortest / 4, longest * 4); between shortest and longest they stay."""
    over, under = values > longest, values < shortest
    if not (over | under).any():
        return values
    above = (LONGEST - 1.0) * longest
    below = (1.0 - SHORTEST) * shortest
    high = longest + above * np.tanh(np.maximum(values - longest, 0.0) / above)
    low = shortest - below * np.tanh(np.maximum(shortest - values, 0.0) / below)
    return np.where(over, high, np.where(under, low, values))


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
