"""The scheduler and the interpolator of [Kallmann2005] sections 5.2 and 5.3: motions layered over one another in time.

A schedule is a stack of entries that is evaluated from bottom to top: each entry is blended with the result of all
entries below it. Before and after its own time a motion shows its first and last pose. The same motion may be in
several entries, also at the same time, and a schedule may be nested in another one.

A schedule does not move the figure over the floor: as with layers, travel comes from the motion below. Motions that
travel are joined by `Blend`, which mixes their displacements.

The interpolator is a schedule of two entries: the first motion is held after its end, the second one is shown before
its beginning, and the blending curve spans any part of both.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import GestureError
from ..figure import quaternion as quat
from ..figure.channels import FIRST_ROTATION, Channels, columns_in, rotations_of, union
from ..motion.bspline import locate
from ..motion.clip import Clip, Mark, Motion, in_order
from ..motion.clip_operators import Part, TimeShift, TimeWarp
from .stack import SMOOTH, BlendingCurve, Entry, Shown, Stack, stack_of

Array = NDArray[np.float64]

WITHIN = 1e-9
"""Rounding tolerance in seconds by which eases may be longer than the time of their entry."""
WHEN = (TimeShift, TimeWarp, Part)
"""Operators that change only the timing of a motion."""
FEW = 64
"""Number of rows up to which sampling clips together is worthwhile, and needs little memory."""
NEIGHBOURS = np.arange(4)
"""Control points of a span, relative to its first one."""


def entry(
    motion: Motion,
    starts: float,
    eases: tuple[float, float] = (0.0, 0.0),
    early: float = 0.0,
    holds: float = 0.0,
    curve: BlendingCurve = SMOOTH,
    mask: Array | None = None,
) -> Entry:
    """Return an entry of a schedule in which a motion starts at a time.

    Parameters
    ----------
    motion : the motion.
    starts : start time in seconds of the schedule.
    eases : ease-in and ease-out times in seconds.
    early : seconds for which its first pose is shown before it starts.
    holds : seconds for which its last pose is held after it ends.
    curve, mask : as for `Entry`.

    Raises
    ------
    GestureError
        If a time is NaN or has the wrong sign, or the eases do not fit into the entry.
    """
    if not isfinite(starts) or not all(isfinite(one) and one >= 0.0 for one in (*eases, early, holds)):
        raise GestureError(
            f"A motion of a schedule starts at {starts:g} s, with {eases[0]:g} and {eases[1]:g} s to come and go, and "
            f"{early:g} and {holds:g} s before and after it. Give numbers, of which only the first may be below 0."
        )
    length = early + motion.duration + holds
    if sum(eases) > length + WITHIN:
        raise GestureError(
            f"A motion of {length:g} s is too short for fades of {eases[0]:g} s and {eases[1]:g} s. Shorten the fades, "
            "or hold it longer."
        )
    return Entry(motion, starts - motion.start, starts - early, starts - early + length, *eases, curve, mask)


@dataclass(frozen=True, eq=False)
class Rest:
    """The rest pose of a figure.

    Parameters
    ----------
    channels : meaning of the columns.
    row : (width,) the pose.
    """

    channels: Channels
    row: Array


@dataclass(frozen=True, eq=False)
class Schedule:
    """Motions layered over one another in time: a `Motion`.

    Parameters
    ----------
    entries : the entries, from the bottom to the top; at least one, unless the rest pose is given. Anything that none
        of them moves at some time is at rest or, in `laid`, as in the motion below.
    name : its name where an expression is printed.
    rest : rest pose of the figure. A joint that is not in it (no joint is, if it is None) rests in the initial pose of
        the first entry that moves that joint.
    """

    entries: tuple[Entry, ...]
    name: str = "Schedule"
    rest: Rest | None = None

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{one.begin:g}: {one.motion}' for one in self.entries)})"

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of sampled values: everything that any of the entries moves."""
        return self._channels

    @cached_property
    def _channels(self) -> Channels:
        resting = [self.rest.channels] if self.rest is not None else []
        return union([*resting, *(one.motion.channels for one in self.entries)])

    @property
    def moves_root(self) -> bool:
        """Whether it moves the root: never."""
        return False

    @property
    def start(self) -> float:
        """Time of the beginning in seconds."""
        return min((one.begin for one in self.entries), default=0.0)

    @property
    def duration(self) -> float:
        """Duration in seconds, which may be infinite."""
        return max((one.end for one in self.entries), default=0.0) - self.start

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """Return keytimes and contacts of all active entries that overlap the seconds from `begin` to `end`."""
        found: list[Mark] = []
        for one in self.entries:
            low, high = max(begin, one.begin), min(end, one.end)
            for mark in one.motion.marks_within(low - one.shift, high - one.shift) if low <= high else ():
                ends = max(mark.start + one.shift, one.begin), min(mark.end + one.shift, one.end)
                found.append(Mark(mark.kind, mark.name, *ends))
        return in_order(dict.fromkeys(found))

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds; the travel is 0."""
        clock = np.asarray(times, dtype=np.float64)
        return self.laid(clock, np.tile(self.resting, (len(clock), 1)))

    def laid(self, times: Array, below: Array) -> Array:
        """Return rows (T, width) with all entries blended over those `below` (T, width), at `times` (T,)."""
        values = below.copy()
        stretches = self._stack.stretches(times)
        for number in set(stretches.tolist()):
            rows = np.flatnonzero(stretches == number)
            part = values if len(rows) == len(times) else values[rows]
            self._lay(times[rows], part)
            if part is not values:
                values[rows] = part
        return values

    def _lay(self, times: Array, values: Array) -> None:
        """Blend entries over rows (T, width), in place, at `times` (T,) at which the same entries are active."""
        active = self._stack.active(float(times[0]))
        weights, clocks = self._stack.weights(active, times), self._stack.own_times(active, times)
        shown, numbers = Shown(self._stack, active, weights, values), list[int](active.tolist())
        clocks = [leaf_times(self.entries[number].motion, clock) for number, clock in zip(numbers, clocks, strict=True)]
        inner = [self._schedules[number] for number in numbers]
        alone = [place for place, one in enumerate(inner) if one is None]
        leaves = [self._leaves[numbers[place]] for place in alone]
        for place, rows in zip(alone, sampled(leaves, [clocks[place] for place in alone]), strict=True):
            shown.show(place, rows)
        shown.align()
        for place, schedule in enumerate(inner):
            if schedule is not None:
                shown.show(place, schedule.laid(clocks[place], values[:, self._columns[numbers[place]]]))
                shown.align(place)
            shown.lay(place)

    @cached_property
    def _leaves(self) -> list[Motion]:
        """The motions of the entries, without operators around them that change only their timing."""
        return [leaf_of(one.motion) for one in self.entries]

    @cached_property
    def _schedules(self) -> list["Schedule | None"]:
        """Those of the motions that are themselves schedules; what they do not move is taken from the motion below."""
        return [leaf if isinstance(leaf, Schedule) else None for leaf in self._leaves]

    @cached_property
    def resting(self) -> Array:
        """(width,) the rest pose, without travel."""
        row = np.zeros(self.channels.width)
        for one, placing in reversed(list(zip(self.entries, self._columns, strict=True))):
            row[placing] = one.motion.sample([one.motion.start])[0]
        if self.rest is not None:
            row[columns_in(self.rest.channels, self.channels)] = self.rest.row
        row[:FIRST_ROTATION] = 0.0
        return row

    @cached_property
    def _columns(self) -> list[NDArray[np.intp]]:
        """Indices of the columns of each entry among all."""
        return [columns_in(one.motion.channels, self.channels) for one in self.entries]

    @cached_property
    def _stack(self) -> Stack:
        return stack_of(self.entries, self._columns, self.channels, self.resting)


def handed_over(one: Entry, after: Entry) -> tuple[Entry, ...]:
    """Split an entry followed by another: covered joints keep their weight until that has faded in, others fade out.

    Returns
    -------
    The entry of the joints that are not covered, if any, and that of the covered ones.
    """
    mine, theirs = moved(one), moved(after)
    covered = np.where(theirs >= 1.0, mine, 0.0)
    left = mine - covered
    known = {scalar.key for scalar in after.motion.channels.scalars}
    alone = any(scalar.joint < 0 and scalar.key not in known for scalar in one.motion.channels.scalars)
    if not left.any() and not alone:
        return (replace(one, ease_out=0.0),)
    return replace(one, mask=left), replace(one, ease_out=0.0, mask=covered, properties=False)


def moved(one: Entry) -> Array:
    """Return the weights (J,) of the joints that an entry moves."""
    channels = one.motion.channels
    joints = np.zeros(len(channels.skeleton.names))
    joints[channels.rotating] = 1.0
    joints[[scalar.joint for scalar in channels.scalars if scalar.joint >= 0]] = 1.0
    return joints if one.mask is None else joints * one.mask


def interpolator(
    first: Motion,
    second: Motion,
    span: tuple[float, float],
    second_starts: float,
    curve: BlendingCurve = SMOOTH,
) -> Schedule:
    """Return the first motion, from its start, blended into the second one ([Kallmann2005] section 5.3, figure 5).

    All of the paper's configurations are spans. From the end of the first motion to the start of the second, the last
    frame of the first becomes the first frame of the second. From before that end to after that start, the motions keep
    running (figure 5). If the second starts before the first ends, both run.

    Parameters
    ----------
    first, second : the motions.
    span : begin and end of the blend in seconds. It may have any length.
    second_starts : start time of the second motion in seconds.
    curve : blending curve.

    Raises
    ------
    GestureError
        If the span is negative, begins before the first motion, or ends after the second one.
    """
    begin, end = span
    over = second_starts + second.duration
    if not (first.start - WITHIN <= begin < end <= over + WITHIN and isfinite(end)):
        raise GestureError(
            f"The first motion starts at {first.start:g} s and the second ends at {over:g} s, so they cannot be "
            f"blended from {begin:g} to {end:g} s. Blend between these times."
        )
    starts = Entry(first, 0.0, first.start, end, 0.0, end - begin, curve)
    follows = Entry(second, second_starts - second.start, begin, over, end - begin, 0.0, curve)
    return Schedule((*handed_over(starts, follows), follows), "Interpolate")


def leaf_of(motion: Motion) -> Motion:
    """Return the motion below operators that change only its timing."""
    while isinstance(motion, WHEN):
        motion = motion.clip
    return motion


def leaf_times(motion: Motion, times: Array) -> Array:
    """Return the times (T,) of the motion from `leaf_of` that are shown at `times` (T,) of `motion`."""
    while isinstance(motion, WHEN):
        times, motion = motion.own(times), motion.clip
    return times


def sampled(motions: Sequence[Motion], times: Sequence[Array]) -> list[Array]:
    """Return rows (T, width) of each of some motions at its own times (T,), the same number for all."""
    alike: dict[Hashable, list[int]] = {}
    for number, motion in enumerate(motions):
        kind = number if not isinstance(motion, Clip) or motion.held is not None else _kind(motion)
        alike.setdefault(kind, []).append(number)
    found = list(times)
    for numbers in alike.values():
        clips = [motion for number in numbers if isinstance(motion := motions[number], Clip)]
        if len(clips) < 2 or len(times[0]) > FEW:
            for number in numbers:
                found[number] = motions[number].sample(times[number])
            continue
        for number, rows in zip(
            numbers, _together(clips, np.array([times[number] for number in numbers])), strict=True
        ):
            found[number] = rows
    return found


def _kind(clip: Clip) -> Hashable:
    """Return a key that is equal for clips that can be sampled together."""
    return id(clip.channels), clip.curve.encoding, clip.curve.periodic


def _together(clips: Sequence[Clip], times: Array) -> Array:
    """Return rows (M, T, width) of M clips at `times` (M, T), as from `Clip.sample`."""
    starts, durations, spans = np.array([(one.start, one.duration, one.curve.spans) for one in clips]).T[..., None]
    curve, channels = clips[0].curve, clips[0].channels
    first, basis = locate((times - starts) / durations, spans.astype(np.intp), curve.periodic, curve.encoding)
    near = first[..., None] + NEIGHBOURS
    controls = np.array([one.curve.controls[rows] for one, rows in zip(clips, near, strict=True)])
    values = np.einsum("mtk,mtkw->mtw", basis, controls)
    rows = values.reshape(-1, channels.width)
    turns = quat.normalize(rotations_of(channels, rows))
    rows[:, channels.rotation_columns] = turns.reshape(len(rows), -1)
    return values
