"""Operators that change when a clip plays: TimeShift, Loop, Revert and TimeWarp ([Gruenvogel2003] section 5).

Each makes a motion from a motion, so operators can be nested. They are immutable: they can be compared, and print as in
the paper. Before their start and after their end they show what their inner motions show there, which for a clip is its
first and its last pose.

Times are in seconds, while the paper counts frames. The functions check their arguments; the classes trust them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import inf, isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ClipError
from ..figure.channels import HEIGHT, TRAVEL, Channels, climb
from .clip import Mark, Motion, end_of, in_order, joined
from .travel import compose, relative, repeat

Array = NDArray[np.float64]
WarpKey = tuple[float, float]
"""Times of the clip, and times at which they are played, in seconds."""

ROUNDING = 1e-9
"""Share of a pass by which a time before a pass counts as its beginning."""
GENTLEST, STEEPEST = 0.03, 1.0
"""Range of a pass's climb, as a share of its displacement, in which a loop keeps climbing."""


class OfOneClip:
    """Common base of operators on a single motion."""

    clip: Motion

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of sampled values."""
        return self.clip.channels

    @property
    def duration(self) -> float:
        """Duration in seconds, which may be infinite."""
        return self.clip.duration

    @property
    def moves_root(self) -> bool:
        """Whether it moves the root; see `Motion`."""
        return self.clip.moves_root


@dataclass(frozen=True)
class TimeShift(OfOneClip):
    """A motion that plays `shift` seconds later."""

    shift: float
    clip: Motion

    def __str__(self) -> str:
        return f"TimeShift({self.shift:g}, {self.clip})"

    @property
    def start(self) -> float:
        """Time of the beginning in seconds."""
        return self.clip.start + self.shift

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """Return keytimes and contacts that overlap the seconds from `begin` to `end`, in order of time."""
        return _mapped(self.clip.marks_within(begin - self.shift, end - self.shift), lambda t: t + self.shift)

    def own(self, played: Array) -> Array:
        """Return the times (T,) of the clip that are played at `played` (T,)."""
        return played - self.shift

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds."""
        return self.clip.sample(self.own(np.asarray(times, dtype=np.float64)))


@dataclass(frozen=True)
class Part(OfOneClip):
    """The part of a motion from `begin` to `end` seconds, for cutting clips. The paper uses whole clips."""

    begin: float
    end: float
    clip: Motion

    def __str__(self) -> str:
        return str(self.clip)

    @property
    def start(self) -> float:
        """Time of the beginning in seconds."""
        return self.begin

    @property
    def duration(self) -> float:
        """Duration in seconds."""
        return self.end - self.begin

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """Return keytimes and contacts from `begin` to `end` seconds, cut to the part, in order of time."""
        marks = self.clip.marks_within(max(begin, self.begin), min(end, self.end))
        return in_order(replace(m, start=max(m.start, self.begin), end=min(m.end, self.end)) for m in marks)

    def own(self, played: Array) -> Array:
        """Return the times (T,) of the clip that are played at `played` (T,)."""
        return np.clip(played, self.begin, self.end)

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds."""
        return self.clip.sample(self.own(np.asarray(times, dtype=np.float64)))


@dataclass(frozen=True)
class Loop(OfOneClip):
    """A finite motion that is played `count` times, or endlessly if `count` is below 1.

    Each pass begins at the position and heading at which the previous one ended, and also at that height if the motion
    climbs: by at least 3 % of its displacement, as over a ramp or stairs, but by no more than its displacement, unlike
    a jump or sitting down.
    """

    count: int
    clip: Motion

    def __str__(self) -> str:
        return f"Loop({self.count}, {self.clip})"

    @property
    def start(self) -> float:
        """Time of the beginning in seconds."""
        return self.clip.start

    @property
    def duration(self) -> float:
        """Duration in seconds, infinite for an endless loop."""
        return self.count * self.clip.duration if self.count >= 1 else inf

    @cached_property
    def _ends(self) -> Array:
        """(2, 4) travel at the beginning and at the end of the first pass, and the root's height if it climbs."""
        values = self.clip.sample([self.clip.start, end_of(self.clip)])
        ends = np.concatenate([values[:, TRAVEL], values[:, HEIGHT : HEIGHT + 1]], axis=1)
        way, climbed = np.linalg.norm(ends[1, :2] - ends[0, :2]), abs(ends[1, 3] - ends[0, 3])
        if not GENTLEST * way <= climbed <= STEEPEST * way:
            ends[:, 3] = 0.0
        return ends

    def _passes(self, times: Array) -> Array:
        """Return the number of completed passes (T,) at `times` (T,)."""
        last = self.count - 1.0 if self.count >= 1 else inf
        return np.clip(np.floor((times - self.start) / self.clip.duration + ROUNDING), 0.0, last)

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """Return keytimes and contacts that overlap the seconds from `begin` to `end`, in order of time."""
        first, last = self._passes(np.array([begin, end])).tolist()
        passes = (TimeShift(number * self.clip.duration, self.clip) for number in range(int(first), int(last) + 1))
        return in_order(joined(mark for one in passes for mark in one.marks_within(begin, end)))

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds."""
        clock = np.asarray(times, dtype=np.float64)
        passes = self._passes(clock)
        values = self.clip.sample(clock - passes * self.clip.duration)
        origin, over = self._ends
        before = compose(origin[:3], repeat(relative(origin[:3], over[:3]), passes))
        values[:, TRAVEL] = compose(before, relative(origin[:3], values[:, TRAVEL]))
        climb(self.channels, values, passes * (over[3] - origin[3]))
        return values


@dataclass(frozen=True)
class Revert(OfOneClip):
    """A finite motion played backwards from `new_start` on. Its travel begins at 0, like that of any motion."""

    new_start: float
    clip: Motion

    def __str__(self) -> str:
        return f"Revert({self.new_start:g}, {self.clip})"

    @property
    def start(self) -> float:
        """Time of the beginning in seconds."""
        return self.new_start

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """Return keytimes and contacts that overlap the seconds from `begin` to `end`, in order of time."""
        last = self.new_start + end_of(self.clip)
        return _mapped(self.clip.marks_within(last - end, last - begin), lambda t: last - t)

    @cached_property
    def _origin(self) -> Array:
        """(3,) travel at the end of the motion."""
        return self.clip.sample([end_of(self.clip)])[0, TRAVEL]

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds."""
        values = self.clip.sample(self.new_start + end_of(self.clip) - np.asarray(times, dtype=np.float64))
        values[:, TRAVEL] = relative(self._origin, values[:, TRAVEL])
        return values


@dataclass(frozen=True)
class TimeWarp(OfOneClip):
    """A motion that is squeezed and stretched over time (Witkin and Popovic, "Motion warping", 1995).

    Parameters
    ----------
    keys : two or more keys, increasing in both times. Before the first and after the last one the motion is only
        shifted.
    clip : the motion.
    smooth : whether the speed changes gradually, by monotone rational quadratics between the keys (Gregory and
        Delbourgo, IMA Journal of Numerical Analysis 2, 1982), not at once at each key.
    rates : rates at the keys of a smooth warp, played seconds per second of the clip; by default, harmonic means of the
        rates before and after each key.
    """

    keys: tuple[WarpKey, ...]
    clip: Motion
    smooth: bool = False
    rates: tuple[float, ...] = ()

    def __str__(self) -> str:
        keys = ", ".join(f"{own:g}: {played:g}" for own, played in self.keys)
        return f"TimeWarp({{{keys}}}, {self.clip})"

    @property
    def start(self) -> float:
        """Time of the beginning in seconds."""
        return float(self.played(np.array([self.clip.start]))[0])

    @property
    def duration(self) -> float:
        """Duration in seconds, which may be infinite."""
        if not isfinite(self.clip.duration):
            return inf
        return float(self.played(np.array([end_of(self.clip)]))[0]) - self.start

    @cached_property
    def _table(self) -> tuple[Array, Array, Array]:
        """The keys' times in the clip, the times at which these are played, and the rates there, (K,) each."""
        own, played = np.array(self.keys).T
        if self.rates:
            return own, played, np.array(self.rates)
        rates = np.diff(played) / np.diff(own)
        ends = 2.0 * rates[:-1] * rates[1:] / (rates[:-1] + rates[1:])
        return own, played, np.concatenate([rates[:1], ends, rates[-1:]])

    def played(self, own: Array) -> Array:
        """Return when (T,) the times `own` (T,) of the clip are played."""
        begins, ends, _ = self._table
        beyond = np.minimum(own - begins[0], 0.0) + np.maximum(own - begins[-1], 0.0)
        if not self.smooth:
            return np.interp(own, begins, ends) + beyond
        index, low, secant, bend = self._spans(own, begins)
        share = np.clip((own - begins[index]) / (begins[index + 1] - begins[index]), 0.0, 1.0)
        between = share * (1.0 - share)
        rise = (secant * share * share + low * between) / (secant + bend * between)
        return ends[index] + (ends[index + 1] - ends[index]) * rise + beyond

    def own(self, played: Array) -> Array:
        """Return the times (T,) of the clip that are played at `played` (T,): the inverse of `played`."""
        ends, begins, _ = self._table
        beyond = np.minimum(played - begins[0], 0.0) + np.maximum(played - begins[-1], 0.0)
        if not self.smooth:
            return np.interp(played, begins, ends) + beyond
        index, low, secant, bend = self._spans(played, begins)
        rise = np.clip((played - begins[index]) / (begins[index + 1] - begins[index]), 0.0, 1.0)
        square, linear = secant - low + rise * bend, low - rise * bend
        root = np.sqrt(linear * linear + 4.0 * square * secant * rise)
        share = 2.0 * secant * rise / (linear + root)
        return ends[index] + (ends[index + 1] - ends[index]) * share + beyond

    def _spans(self, times: Array, begins: Array) -> tuple[NDArray[np.intp], Array, Array, Array]:
        """Return the key (T,) before each of `times`, the rate there, the mean rate to the next key, and its change."""
        own, played, rates = self._table
        index = np.clip(np.searchsorted(begins, times, side="right") - 1, 0, len(begins) - 2)
        secant = (np.diff(played) / np.diff(own))[index]
        return index, rates[index], secant, rates[index] + rates[index + 1] - 2.0 * secant

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """Return keytimes and contacts that overlap the seconds from `begin` to `end`, in order of time."""
        first, last = self.own(np.array([begin, end])).tolist()
        return _mapped(self.clip.marks_within(first, last), lambda t: float(self.played(np.array([t]))[0]))

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds."""
        return self.clip.sample(self.own(np.asarray(times, dtype=np.float64)))


def _mapped(marks: Iterable[Mark], moved: Callable[[float], float]) -> tuple[Mark, ...]:
    """Return marks with times mapped by `moved`, which may run backwards."""
    ends = ((mark, sorted((moved(mark.start), moved(mark.end)))) for mark in marks)
    return in_order(replace(mark, start=begin, end=end) for mark, (begin, end) in ends)


def time_shift(shift: float, clip: Motion) -> Motion:
    """Return a motion that plays `shift` seconds later, or earlier if it is negative.

    Raises
    ------
    ClipError
        If the shift is not a finite number.
    """
    if not isfinite(shift):
        raise ClipError(f"A motion cannot be moved by {shift:g} seconds. Give a number.")
    return TimeShift(shift, clip)


def loop(count: int, clip: Motion) -> Motion:
    """Return a motion played `count` times, or endlessly if `count` is below 1; an endless motion is unchanged.

    Raises
    ------
    ClipError
        If the motion has no duration.
    """
    if not isfinite(clip.duration):
        return clip
    if clip.duration <= 0.0:
        raise ClipError("A motion of a single frame cannot be repeated. Give it a longer span.")
    if isinstance(clip, Loop):
        return Loop(max(count, 0) * clip.count, clip.clip)
    return Loop(max(count, 0), clip)


def revert(new_start: float, clip: Motion) -> Motion:
    """Return a motion played backwards from `new_start` seconds on.

    Raises
    ------
    ClipError
        If the motion is endless.
    """
    if not isfinite(clip.duration):
        raise ClipError("An endless motion cannot be played backward. Loop it a fixed number of times instead.")
    return Revert(new_start, clip)


def time_warp(keys: Sequence[WarpKey], clip: Motion, smooth: bool = False) -> Motion:
    """Return a motion that is squeezed and stretched so that each key's first time plays at its second.

    Raises
    ------
    ClipError
        If there are fewer than two keys, or they do not increase.
    """
    if len(keys) < 2:
        raise ClipError(f"A time warp needs at least two keys, not {len(keys)}. Add some.")
    for (own, played), (later, then) in pairwise(keys):
        if not (later > own and then > played):
            raise ClipError(
                f"The time warp runs backward: {own:g} s plays at {played:g} s, but {later:g} s at {then:g} s. Move "
                "one of these keys."
            )
    return TimeWarp(tuple((float(own), float(played)) for own, played in keys), clip, smooth)
