"""Operators that mix two motions: Blend and Embed ([Gruenvogel2003] section 5), and when contacts let them begin.

Rotations are mixed on the arc between both (as by slerp), the root's location and other numbers along a line, switches
not at all. Of the root's travel the displacements are mixed, never the places: after a blend the figure goes on from
where the blend has led it.

The paper asks for "special care" where both motions move different joints, and leaves open which. Here a motion is
transparent where it has nothing: what only one of them moves does what that one says, before, during and after the
blend, and rests at its first or last pose where that one has not begun or is over.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ClipError, quoted
from ..figure import quaternion as quat
from ..figure.channels import FIRST_ROTATION, TRAVEL, Channels, Scalar, rotations_of
from .clip import Mark, Motion, end_of, in_order, joined
from .clip_operators import time_shift
from .travel import compose, path_of, relative

Array = NDArray[np.float64]

STEPS = 240.0
"""Steps a second in which displacements are mixed."""
WITHIN = 1e-9
"""Seconds by which a blend may be longer than its motions, for rounding."""
OTHER_WAY = np.radians(120.0)
"""Angle between two rotations from which on they are mixed the longer way round, if they began on that side."""


@dataclass(frozen=True)
class Ramp:
    """An interval in which the second motion comes in, or goes out again.

    Parameters
    ----------
    begin, end : seconds.
    rising : whether it comes in.
    """

    begin: float
    end: float
    rising: bool

    def weight(self, times: Array) -> Array:
        """Return the weight (T,) of the second motion at `times` (T,), without a corner ([Rose1998] section 5.2)."""
        share = np.clip((times - self.begin) / max(self.end - self.begin, np.finfo(np.float64).tiny), 0.0, 1.0)
        fade = np.where(times >= self.end, 1.0, 0.5 - 0.5 * np.cos(np.pi * share))
        return fade if self.rising else 1.0 - fade


class OfTwoClips:
    """What Blend and Embed have in common: two motions, the second of which comes in and may go out again."""

    first_start: float
    second_start: float
    first: Motion
    second: Motion

    @property
    def ramps(self) -> tuple[Ramp, ...]:
        """When the second motion comes in, and when it goes out."""
        raise NotImplementedError

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of sampled values: what either motion moves."""
        return self._channels

    @cached_property
    def _channels(self) -> Channels:
        return union(self.first.channels, self.second.channels)

    @property
    def start(self) -> float:
        """Time of the beginning in seconds."""
        return self.first_start

    @property
    def duration(self) -> float:
        """Duration in seconds, which may be infinite."""
        return end_of(self._motions[1 if self.ramps[-1].rising else 0]) - self.first_start

    @cached_property
    def _motions(self) -> tuple[Motion, Motion]:
        """Both motions at the times at which they start here."""
        first, second = self.first, self.second
        return time_shift(self.first_start - first.start, first), time_shift(self.second_start - second.start, second)

    def weight(self, times: Array) -> Array:
        """Return the weight (T,) of the second motion at `times` (T,)."""
        weight = self.ramps[0].weight(times)
        for ramp in self.ramps[1:]:
            weight = np.minimum(weight, ramp.weight(times))
        return weight

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """Keytimes and contacts, from `begin` to `end`, of the motion that weighs more at that moment."""
        return in_order(joined(self._marks(begin, end)))

    def _marks(self, begin: float, end: float) -> Iterator[Mark]:
        turns = [0.5 * (ramp.begin + ramp.end) for ramp in self.ramps]
        bounds = [-inf, *turns, inf]
        for number, (low, high) in enumerate(zip(bounds[:-1], bounds[1:], strict=True)):
            low, high = max(low, begin), min(high, end)
            for mark in self._motions[number % 2].marks_within(low, high) if low < high else ():
                if mark.kind == "contact":
                    yield Mark(mark.kind, mark.name, max(mark.start, low), min(mark.end, high))
                elif low <= mark.start < high:
                    yield mark

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds."""
        clock = np.asarray(times, dtype=np.float64)
        weight = self.weight(clock)
        first, second = self._sides(clock, weight)
        ramp = np.clip(np.searchsorted([one.begin for one in self.ramps], clock, side="right") - 1, 0, None)
        values = np.where((weight > 0.0)[:, None], second, first)
        rows = np.flatnonzero((weight > 0.0) & (weight < 1.0))
        if len(rows):
            values[rows] = self._between(first[rows], second[rows], weight[rows], self._ways[ramp[rows]])
        values[:, TRAVEL] = self._travel(clock, first[:, TRAVEL], second[:, TRAVEL])
        return values

    @cached_property
    def _columns(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Where the columns of each motion are among all."""
        first, second = (columns_in(motion.channels, self.channels) for motion in (self.first, self.second))
        return first, second

    def _sides(self, clock: Array, weight: Array) -> tuple[Array, Array]:
        """Return values (T, width) of both motions at `clock` (T,); 0 where neither pose nor travel depends on them."""
        width, (one, other) = self.channels.width, self._columns
        alone = len(one) < width or len(other) < width
        sides = np.zeros((2, len(clock), width))
        pairs = (one, weight < 1.0), (other, weight > 0.0)
        for side, motion, (columns, counts) in zip(sides, self._motions, pairs, strict=True):
            rows = np.flatnonzero(counts | alone)
            if len(rows):
                side[rows[:, None], columns] = motion.sample(clock[rows])
        if alone:
            lacking = [np.setdiff1d(np.arange(width), columns) for columns in (one, other)]
            sides[0][:, lacking[0]] = sides[1][:, lacking[0]]
            sides[1][:, lacking[1]] = sides[0][:, lacking[1]]
        return sides[0], sides[1]

    @cached_property
    def _ways(self) -> Array:
        """(ramps, R, 3) rotation vectors from the first motion to the second as each ramp begins."""
        begins = np.array([ramp.begin for ramp in self.ramps])
        first, second = self._sides(begins, np.full(len(begins), 0.5))
        return _from_to(self.channels, first, second)

    def _between(self, first: Array, second: Array, weight: Array, ways: Array) -> Array:
        """Return rows (T, width) between `first` and `second`, of which the latter has the `weight` (T,)."""
        turns = _from_to(self.channels, first, second)
        angles = np.linalg.norm(turns, axis=-1, keepdims=True)
        against = (angles > OTHER_WAY) & ((turns * ways).sum(axis=-1, keepdims=True) < 0.0)
        turns = np.where(against, turns * (1.0 - 2.0 * np.pi / np.maximum(angles, 1.0)), turns)
        share = weight[:, None]
        mixed = (1.0 - share) * first + share * second
        held = [self.channels.scalar_columns.start + i for i, one in enumerate(self.channels.scalars) if one.held]
        mixed[:, held] = np.where(share < 0.5, first[:, held], second[:, held])
        rotations = quat.multiply(rotations_of(self.channels, first), quat.exp(share[..., None] * turns))
        mixed[:, self.channels.rotation_columns] = rotations.reshape(len(mixed), -1)
        return mixed

    def _travel(self, clock: Array, first: Array, second: Array) -> Array:
        """Return the travel (T, 3) at `clock` (T,) from that of both motions, both (T, 3)."""
        bounds = [end for ramp in self.ramps for end in (ramp.begin, ramp.end)]
        stretches = np.searchsorted(bounds, clock, side="right")
        travel = first.copy()
        for number, (place, own, path) in enumerate(self._stretches, start=1):
            rows = np.flatnonzero(stretches == number)
            if path is None:
                moving = first if number % 4 == 0 else second
                travel[rows] = compose(place, relative(own, moving[rows]))
            else:
                times = np.linspace(bounds[number - 1], bounds[number], len(path))
                for axis in range(3):
                    travel[rows, axis] = np.interp(clock[rows], times, path[:, axis])
        return travel

    @cached_property
    def _stretches(self) -> list[tuple[Array, Array, Array | None]]:
        """Of each ramp and of what comes after it: where it begins, the motion's own travel there, or the path."""
        found: list[tuple[Array, Array, Array | None]] = []
        place = own = np.zeros(3)
        for ramp in self.ramps:
            times = np.linspace(ramp.begin, ramp.end, 2 + int((ramp.end - ramp.begin) * STEPS))
            first, second = (side[:, TRAVEL] for side in self._sides(times, np.full(len(times), 0.5)))
            leaving, entering = (first, second) if ramp.rising else (second, first)
            place = compose(place, relative(own, leaving[0]))
            share = ramp.weight(0.5 * (times[1:] + times[:-1]))[:, None]
            moves = (1.0 - share) * relative(first[:-1], first[1:]) + share * relative(second[:-1], second[1:])
            path = compose(place, path_of(moves))
            found.append((place, leaving[0], path))
            place, own = path[-1], entering[-1]
            found.append((place, own, None))
        return found


@dataclass(frozen=True)
class Blend(OfTwoClips):
    """A motion that becomes another one.

    Parameters
    ----------
    first_start, second_start : seconds at which each motion starts (t0 and t1).
    begin, end : seconds between which the first becomes the second (A and B).
    first, second : the motions.
    """

    first_start: float
    second_start: float
    begin: float
    end: float
    first: Motion
    second: Motion

    def __str__(self) -> str:
        numbers = (self.first_start, self.second_start, self.begin, self.end)
        return f"Blend({', '.join(f'{number:g}' for number in numbers)}, {self.first}, {self.second})"

    @property
    def ramps(self) -> tuple[Ramp, ...]:
        """When the second motion comes in."""
        return (Ramp(self.begin, self.end, True),)


@dataclass(frozen=True)
class Embed(OfTwoClips):
    """A motion that becomes another one, and then itself again; it goes on meanwhile.

    Parameters
    ----------
    first_start, second_start : seconds at which each motion starts (t0 and t1).
    begin, end : seconds between which the first becomes the second (A and B).
    back_begin, back_end : seconds between which the second becomes the first (C and D).
    first, second : the motions.
    """

    first_start: float
    second_start: float
    begin: float
    end: float
    back_begin: float
    back_end: float
    first: Motion
    second: Motion

    def __str__(self) -> str:
        numbers = (self.first_start, self.second_start, self.begin, self.end, self.back_begin, self.back_end)
        return f"Embed({', '.join(f'{number:g}' for number in numbers)}, {self.first}, {self.second})"

    @property
    def ramps(self) -> tuple[Ramp, ...]:
        """When the second motion comes in, and when it goes out."""
        return Ramp(self.begin, self.end, True), Ramp(self.back_begin, self.back_end, False)


def blend(first: Motion, second: Motion, begin: float, end: float, first_start: float, second_start: float) -> Blend:
    """Return a motion that is `first` until `begin` and `second` from `end` on; parameters are those of `Blend`.

    Raises
    ------
    ClipError
        If the blend goes back in time, or is not within both motions, or these are of different figures.
    """
    _check_order((begin, end))
    _check_inside("first", first, first_start, first_start, end)
    _check_inside("second", second, second_start, begin, end)
    _check_figures(first.channels, second.channels)
    return Blend(first_start, second_start, begin, end, first, second)


def embed(
    first: Motion,
    second: Motion,
    ramps: tuple[float, float, float, float],
    first_start: float,
    second_start: float,
) -> Embed:
    """Return a motion that is `first` but between `ramps`: the seconds A, B, C and D of `Embed`.

    Raises
    ------
    ClipError
        If the times are not in order, or are not within both motions, or these are of different figures.
    """
    _check_order(ramps)
    _check_inside("first", first, first_start, first_start, ramps[3])
    _check_inside("second", second, second_start, ramps[0], ramps[3])
    _check_figures(first.channels, second.channels)
    return Embed(first_start, second_start, *ramps, first, second)


def at_common_contact(first: Motion, second: Motion) -> tuple[float, float, float] | None:
    """Return when to blend two finite motions: while the same point of the figure stands in both.

    As [Gruenvogel2003] section 6 has it, contacts tell the times of a blend. Of all pairs of contacts that is taken in
    which the second motion starts last.

    Returns
    -------
    Seconds at which the blend begins and ends, of the first motion, and at which the second motion starts; None if no
    point stands in both.
    """
    found: list[tuple[float, float, float]] = []
    for one in first.marks_within(first.start, end_of(first)):
        for other in second.marks_within(second.start, end_of(second)):
            if one.kind == other.kind == "contact" and one.name == other.name:
                begin, enters = max(one.start, first.start), max(other.start, second.start)
                length = min(min(one.end, end_of(first)) - begin, min(other.end, end_of(second)) - enters)
                if length > WITHIN:
                    found.append((begin, begin + length, begin - enters + second.start))
    return max(found, key=lambda times: (times[2], times[1] - times[0]), default=None)


def _check_order(times: Sequence[float]) -> None:
    """Raise if the times of a blend are not in order."""
    if not all(isfinite(time) for time in times) or list(times) != sorted(times):
        told = ", ".join(f"{time:g}" for time in times)
        raise ClipError(f"The times of the blend, {told} s, are not in order. Each must not be before the last one.")


def _check_inside(which: str, motion: Motion, starts: float, begin: float, end: float) -> None:
    """Raise if a motion that `starts` then has not begun at `begin`, or is over before `end`."""
    over = starts + motion.duration
    if begin < starts - WITHIN or end > over + WITHIN:
        raise ClipError(
            f"The blend lasts until {end:g} s, but its {which} motion plays from {starts:g} to {over:g} s. "
            "Blend for a shorter time, or start that motion at another one."
        )


def _from_to(channels: Channels, first: Array, second: Array) -> Array:
    """Return rotation vectors (T, R, 3) in radians that lead from the rotations of `first` to those of `second`."""
    return quat.log(quat.multiply(quat.conjugate(rotations_of(channels, first)), rotations_of(channels, second)))


def _check_figures(first: Channels, second: Channels) -> None:
    """Raise if two motions are not of the same figure."""
    one, other = first.skeleton, second.skeleton
    if one.names == other.names:
        return
    lacking = sorted(set(one.names) ^ set(other.names))
    raise ClipError(f"Both motions must be of the same figure: only one of them has {quoted(lacking)}.")


def union(first: Channels, second: Channels) -> Channels:
    """Return channels of the same figure that hold everything that either `first` or `second` moves."""
    if first is second:
        return first
    more = [int(joint) for joint in second.rotating if joint not in first.rotating]
    known = {_key(scalar) for scalar in first.scalars}
    controls = {traveller.joint for traveller in first.travelling}
    return Channels(
        first.skeleton,
        np.array([*first.rotating.tolist(), *more], dtype=np.intp),
        (*first.scalars, *(scalar for scalar in second.scalars if _key(scalar) not in known)),
        first.static,
        (*first.travelling, *(one for one in second.travelling if one.joint not in controls)),
    )


def columns_in(own: Channels, whole: Channels) -> NDArray[np.intp]:
    """Return where (width,) each column of `own` is among those of `whole`."""
    joints = whole.rotating.tolist()
    rows = np.array([joints.index(joint) for joint in own.rotating.tolist()], dtype=np.intp)
    rotations = (FIRST_ROTATION + 4 * rows[:, None] + np.arange(4)).reshape(-1)
    keys = [_key(scalar) for scalar in whole.scalars]
    scalars = [whole.scalar_columns.start + keys.index(_key(scalar)) for scalar in own.scalars]
    return np.concatenate([np.arange(FIRST_ROTATION), rotations, np.array(scalars, dtype=np.intp)])


def _key(scalar: Scalar) -> tuple[str, int]:
    return scalar.path, scalar.axis
