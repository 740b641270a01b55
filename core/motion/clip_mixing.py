"""Operators that mix two motions: Blend and Embed ([Gruenvogel2003] section 5).

Rotations are mixed on the arc between both (as by slerp), the root's location and other numbers linearly, while
switches change at half the weight. For the root's travel, displacements are mixed, never positions: after a blend the
figure continues from where the blend has moved it.

The paper asks for "special care" if the motions move different joints, without details. Here a motion has no effect
where it has no channels: a joint that only one of the motions moves follows that one before, during and after the
blend, and holds its first or last pose where that motion has not begun or is over.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import acos, inf, isfinite, pi

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ClipError, quoted
from ..figure import quaternion as quat
from ..figure.channels import FIRST_ROTATION, TRAVEL, Channels, columns_in, rotations_of, union
from .clip import Mark, Motion, end_of, in_order, joined
from .clip_operators import time_shift
from .fade import Ramp
from .travel import compose, path_of, relative

Array = NDArray[np.float64]

WITHIN = 1e-9
"""Rounding tolerance in seconds by which a blend may be longer than its motions."""
FAINT = 0.15
"""Weight below which a motion that has a point in the air hardly moves it."""
FAINT_UNTIL = acos(1.0 - 2.0 * FAINT) / pi
"""Share of a blend at which the second motion has that weight; the first one has it symmetrically before the end."""


Columns = NDArray[np.intp]


class OfTwoClips:
    """Common base of Blend and Embed: two motions, the second of which fades in and may fade out again."""

    first_start: float
    second_start: float
    first: Motion
    second: Motion

    @property
    def ramps(self) -> tuple[Ramp, ...]:
        """When the second motion fades in, and when it fades out."""
        raise NotImplementedError

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of sampled values: everything that either motion moves."""
        return self._channels

    @cached_property
    def _channels(self) -> Channels:
        return union((self.first.channels, self.second.channels))

    @property
    def moves_root(self) -> bool:
        """Whether either motion moves the root."""
        return self.first.moves_root or self.second.moves_root

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
        """Both motions, shifted to start at their times in this one."""
        first, second = self.first, self.second
        return time_shift(self.first_start - first.start, first), time_shift(self.second_start - second.start, second)

    def weight(self, times: Array) -> Array:
        """Return the weight (T,) of the second motion at `times` (T,)."""
        weight = self.ramps[0].weight(times)
        for ramp in self.ramps[1:]:
            weight = np.minimum(weight, ramp.weight(times))
        return weight

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """Return keytimes and contacts from `begin` to `end`.

        A keytime is that of the motion which has the larger weight at the time.

        A point is in contact where it is in both motions, or in one while the other's weight is small: a point that the
        motion of larger weight has in the air is moved by the mixture.
        """
        return in_order(joined((*self._contacts(begin, end), *self._keytimes(begin, end))))

    def _contacts(self, begin: float, end: float) -> Iterator[Mark]:
        faint = ((ramp, FAINT_UNTIL * (ramp.end - ramp.begin)) for ramp in self.ramps)
        bounds = [-inf, *(time for ramp, ease in faint for time in (ramp.begin + ease, ramp.end - ease)), inf]
        for number, (low, high) in enumerate(zip(bounds[:-1], bounds[1:], strict=True)):
            low, high = max(low, begin), min(high, end)
            if low >= high:
                continue
            sides = (number // 2 % 2,) if number % 2 == 0 else (0, 1)
            own, *others = ([m for m in self._motions[k].marks_within(low, high) if m.kind == "contact"] for k in sides)
            for mark in own:
                pair = [other for other in others[0] if other.name == mark.name] if others else [mark]
                spans = ((max(low, mark.start, other.start), min(high, mark.end, other.end)) for other in pair)
                yield from (replace(mark, start=first, end=last) for first, last in spans if first < last)

    def _keytimes(self, begin: float, end: float) -> Iterator[Mark]:
        turns = [0.5 * (ramp.begin + ramp.end) for ramp in self.ramps]
        bounds = [-inf, *turns, inf]
        common = {mark for both in self._common for mark in both}
        for number, (low, high) in enumerate(zip(bounds[:-1], bounds[1:], strict=True)):
            low, high = max(low, begin), min(high, end)
            for mark in self._motions[number % 2].marks_within(low, high) if low < high else ():
                if mark.kind == "keytime" and low <= mark.start <= high and mark not in common:
                    yield mark
        for one, other in self._common:
            time = 0.5 * (one.start + other.start)
            if begin <= time <= end:
                yield replace(one, start=time, end=time)

    @cached_property
    def _common(self) -> list[tuple[Mark, Mark]]:
        """Pairs of keytimes of one name that both motions have during a ramp; of several, the first in each motion."""
        found: list[tuple[Mark, Mark]] = []
        for ramp in self.ramps:
            ends = ramp.begin - WITHIN, ramp.end + WITHIN
            first, second = ([m for m in one.marks_within(*ends) if m.kind == "keytime"] for one in self._motions)
            names = dict.fromkeys(mark.name for mark in first)
            pairs = ([next((m for m in side if m.name == name), None) for side in (first, second)] for name in names)
            found.extend((one, other) for one, other in pairs if one is not None and other is not None)
        return found

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds."""
        clock = np.asarray(times, dtype=np.float64)
        weight = self.weight(clock)
        first, second = self._sides(clock, weight)
        values = np.where((weight > 0.0)[:, None], second, first)
        for number, ramp in enumerate(self.ramps):
            rows = np.flatnonzero((clock > ramp.begin) & (clock < ramp.end))
            if len(rows):
                values[rows] = self._between(clock[rows], first[rows], second[rows], weight[rows], number)
        values[:, TRAVEL] = self._travel(clock, first[:, TRAVEL], second[:, TRAVEL])
        return values

    @cached_property
    def _columns(self) -> tuple[tuple[Columns, Columns], tuple[Columns, Columns]]:
        """Active columns of each motion: in its own values, and among all."""
        first, second = (_counting(motion, self.channels) for motion in (self.first, self.second))
        return first, second

    @cached_property
    def _lacking(self) -> tuple[Columns, Columns]:
        """Columns that each motion lacks, or that are inactive in it."""
        every = np.arange(self.channels.width)
        first, second = (np.setdiff1d(every, columns) for _, columns in self._columns)
        return first, second

    def _sides(self, clock: Array, weight: Array) -> tuple[Array, Array]:
        """Return values (T, width) of each motion at `clock` (T,), 0 where neither pose nor travel depends on it."""
        lacking = self._lacking
        alone = any(len(columns) for columns in lacking)
        first, second = (
            self._side(side, clock, counts | alone) for side, counts in enumerate((weight < 1.0, weight > 0.0))
        )
        if alone:
            first[:, lacking[0]] = second[:, lacking[0]]
            second[:, lacking[1]] = first[:, lacking[1]]
        return first, second

    def _side(self, side: int, clock: Array, counts: NDArray[np.bool_]) -> Array:
        """Return values (T, width) of the first or the second motion at the relevant times of `clock` (T,)."""
        motion, (own, columns), rows = self._motions[side], self._columns[side], np.flatnonzero(counts)
        whole = len(columns) == self.channels.width and np.array_equal(own, columns)
        if whole and len(rows) == len(clock):
            return motion.sample(clock)
        values = np.zeros((len(clock), self.channels.width))
        values[:, self.channels.rotation_columns.start : self.channels.rotation_columns.stop : 4] = 1.0
        if len(rows):
            found = motion.sample(clock[rows])
            values[rows if whole else np.ix_(rows, columns)] = found if whole else found[:, own]
        return values

    @cached_property
    def _ways(self) -> list[tuple[Array, Array]]:
        """For each ramp, times (G,) in it and rotations (G, R, 4) from the first motion to the second, without flips.

        At the start of a ramp they go the shorter way round.
        """
        found: list[tuple[Array, Array]] = []
        for ramp in self.ramps:
            times = ramp.times()
            ways = _from_to(self.channels, *self._sides(times, np.full(len(times), 0.5)))
            ways[0] = quat.align(ways[0], quat.IDENTITY)
            found.append((times, quat.continuous(ways)))
        return found

    def _between(self, clock: Array, first: Array, second: Array, weight: Array, ramp: int) -> Array:
        """Return rows (T, width) at `clock` (T,) in a ramp from `first` to `second`, which has the `weight` (T,)."""
        times, ways = self._ways[ramp]
        nearest = np.clip(np.searchsorted(times, clock), 0, len(times) - 1)
        turns = quat.turns(quat.align(_from_to(self.channels, first, second), ways[nearest]))
        share = weight[:, None]
        mixed = (1.0 - share) * first + share * second
        held = self.channels.held_columns
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
        """For each ramp and the part after it: travel and the motion's own travel at its start, and a ramp's path."""
        found: list[tuple[Array, Array, Array | None]] = []
        place = own = np.zeros(3)
        for ramp in self.ramps:
            times = ramp.times()
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
    """A blend from one motion to another.

    Parameters
    ----------
    first_start, second_start : start times in seconds of the motions (t0 and t1).
    begin, end : begin and end in seconds of the blend from the first to the second (A and B).
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
        """When the second motion fades in."""
        return (Ramp(self.begin, self.end, True),)


@dataclass(frozen=True)
class Embed(OfTwoClips):
    """A blend from one motion to another and back; the first continues meanwhile.

    Parameters
    ----------
    first_start, second_start : start times in seconds of the motions (t0 and t1).
    begin, end : begin and end in seconds of the blend from the first to the second (A and B).
    back_begin, back_end : begin and end in seconds of the blend from the second to the first (C and D).
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
        """When the second motion fades in, and when it fades out."""
        return Ramp(self.begin, self.end, True), Ramp(self.back_begin, self.back_end, False)


def blend(first: Motion, second: Motion, begin: float, end: float, first_start: float, second_start: float) -> Blend:
    """Return a motion that is `first` until `begin` and `second` from `end` on; for the parameters see `Blend`.

    Raises
    ------
    ClipError
        If the blend has negative length or is not within both motions, or the motions are of different figures.
    """
    _check_order((begin, end))
    _check_inside("first", first, first_start, first_start, end)
    _check_inside("second", second, second_start, begin, end)
    check_figures(first.channels, second.channels)
    return Blend(first_start, second_start, begin, end, first, second)


def embed(
    first: Motion,
    second: Motion,
    ramps: tuple[float, float, float, float],
    first_start: float,
    second_start: float,
) -> Embed:
    """Return a motion that is `first` except between `ramps`: the times A, B, C and D of `Embed` in seconds.

    Raises
    ------
    ClipError
        If the times are out of order or not within both motions, or the motions are of different figures.
    """
    _check_order(ramps)
    _check_inside("first", first, first_start, first_start, ramps[3])
    _check_inside("second", second, second_start, ramps[0], ramps[3])
    check_figures(first.channels, second.channels)
    return Embed(first_start, second_start, *ramps, first, second)


def _check_order(times: Sequence[float]) -> None:
    """Raise if the times of a blend are not in order."""
    if not all(isfinite(time) for time in times) or list(times) != sorted(times):
        told = ", ".join(f"{time:g}" for time in times)
        raise ClipError(
            f"The times of the blend, {told} s, are not in order. Each must be at or after the one before it."
        )


def _check_inside(which: str, motion: Motion, starts: float, begin: float, end: float) -> None:
    """Raise if a motion that starts at `starts` has not begun at `begin`, or is over before `end`."""
    over = starts + motion.duration
    if begin < starts - WITHIN or end > over + WITHIN:
        raise ClipError(
            f"The blend lasts until {end:g} s, but its {which} motion plays from {starts:g} to {over:g} s. Shorten the "
            "blend, or start that motion at another time."
        )


def _from_to(channels: Channels, first: Array, second: Array) -> Array:
    """Return the rotations (T, R, 4) from those of `first` to those of `second`."""
    return quat.multiply(quat.conjugate(rotations_of(channels, first)), rotations_of(channels, second))


def _counting(motion: Motion, whole: Channels) -> tuple[Columns, Columns]:
    """Return the columns of a motion that are active, and their indices in `whole`."""
    own = motion.channels
    counts = np.ones(own.width, dtype=bool)
    if not motion.moves_root:
        counts[: FIRST_ROTATION + 4] = False
        counts[(FIRST_ROTATION + 4 * own.travelling_rows[:, None] + np.arange(4)).reshape(-1)] = False
        counts[own.travelling_places.reshape(-1)] = False
    chosen = np.flatnonzero(counts)
    return chosen, columns_in(own, whole)[chosen]


def check_figures(first: Channels, second: Channels) -> None:
    """Raise if two motions are not of the same figure."""
    one, other = first.skeleton, second.skeleton
    if one.names == other.names:
        return
    lacking = sorted(set(one.names) ^ set(other.names))
    raise ClipError(
        f"Both motions must be of the same figure, but only one of them has {quoted(lacking)}. Choose another motion."
    )
