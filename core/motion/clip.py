"""The interface of motions, which can be sampled in time, and clips, which are motions from data."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ClipError
from ..figure import quaternion as quat
from ..figure.channels import Channels, rotations_of, with_rotations
from .bspline import Curve, Encoding, fit_curve

Array = NDArray[np.float64]

SHORTEST = 0.1
"""Minimum duration in seconds of a common contact for blending two motions, if there is any."""
SYNC_POINTS = ("start", "ready", "stroke_start", "stroke", "stroke_end", "relax", "end")
"""Keytimes of a gesture in order, named after the sync points of the Behavior Markup Language."""
TOUCHING = 1e-9
"""Largest gap in seconds between two contacts of a point that count as one."""


@dataclass(frozen=True)
class Mark:
    """A named instant or span of a motion.

    Parameters
    ----------
    kind : ``'keytime'`` or ``'contact'``.
    name : name of the keytime, or of the point in contact.
    start, end : times in seconds, equal for an instant.
    """

    kind: Literal["keytime", "contact"]
    name: str
    start: float
    end: float


class Motion(Protocol):
    """Interface of everything that can be sampled in time: clips, verbs with given adverbs, operators on motions."""

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of sampled values."""
        ...

    @property
    def start(self) -> float:
        """Time of the beginning in seconds, which may be negative."""
        ...

    @property
    def duration(self) -> float:
        """Duration in seconds, which may be infinite."""
        ...

    @property
    def moves_root(self) -> bool:
        """Whether it moves the root; if not, the root is left to other motions that it is mixed with."""
        ...

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """Return keytimes and contacts that overlap the seconds from `begin` to `end`, in order of time."""
        ...

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds; the root is given as a displacement."""
        ...


def end_of(motion: Motion) -> float:
    """Return the time in seconds at which a motion ends, which may be infinite."""
    return motion.start + motion.duration


def in_order(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Return marks in order of time."""
    return tuple(sorted(marks, key=lambda mark: (mark.start, mark.end, mark.kind, mark.name)))


def joined(marks: Iterable[Mark]) -> Iterator[Mark]:
    """Yield marks, with contacts of each point joined if one begins as another ends."""
    last: dict[str, Mark] = {}
    for mark in in_order(marks):
        before = last.get(mark.name)
        if mark.kind != "contact":
            yield mark
        elif before is not None and mark.start <= before.end + TOUCHING:
            last[mark.name] = replace(before, end=max(before.end, mark.end))
        else:
            if before is not None:
                yield before
            last[mark.name] = mark
    yield from last.values()


@dataclass(frozen=True, eq=False)
class Clip:
    """A motion given by a curve over its duration. Before and after, the first and the last pose are held.

    Parameters
    ----------
    channels : meaning of the columns.
    start, duration : seconds.
    curve : curve of the values, with the duration scaled to [0, 1].
    marks : keytimes and contacts.
    name : its name in printed expressions.
    moves_root : whether it moves the root.
    held : (T, H) values, evenly spaced over the duration, of the scalars that are never blended; None if the curve
        gives them.
    """

    channels: Channels
    start: float
    duration: float
    curve: Curve
    marks: tuple[Mark, ...] = ()
    name: str = "Clip"
    moves_root: bool = True
    held: Array | None = None

    def __str__(self) -> str:
        return self.name

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """Return keytimes and contacts that overlap the seconds from `begin` to `end`, in order of time."""
        return in_order(mark for mark in self.marks if mark.start <= end and mark.end >= begin)

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds, with quaternions of unit length."""
        shares = (np.asarray(times, dtype=np.float64) - self.start) / self.duration
        values = self.curve.sample(shares)
        if self.held is not None:
            last = len(self.held) - 1
            values[:, self.channels.held_columns] = self.held[
                np.clip(shares * last + TOUCHING, 0, last).astype(np.intp)
            ]
        return with_rotations(self.channels, values, quat.normalize(rotations_of(self.channels, values)))


def fit_clip(
    channels: Channels,
    times: ArrayLike,
    values: ArrayLike,
    control_points: int = 0,
    marks: tuple[Mark, ...] = (),
    encoding: Encoding = "cubic_b_spline",
    name: str = "Clip",
) -> Clip:
    """Fit a clip to samples.

    Parameters
    ----------
    channels : meaning of the columns.
    times : (T,) seconds, increasing.
    values : (T, width) values of the samples.
    control_points : number of control points of the curve; 0 for two more than samples.
    marks : keytimes and contacts of the clip.
    encoding : encoding of the curve.
    name : name of the clip in printed expressions.

    Raises
    ------
    ClipError
        If there are fewer than two samples, times do not increase, or values are not finite.
    """
    clock = np.asarray(times, dtype=np.float64)
    data = np.array(values, dtype=np.float64)
    if len(clock) < 2 or not (np.diff(clock) > 0.0).all():
        raise ClipError("A clip needs at least two samples at increasing times. Give it a longer span.")
    if data.shape != (len(clock), channels.width):
        raise ClipError(
            f"A clip of {channels.width} channels cannot hold values of shape {data.shape}. Sample it again."
        )
    data = with_rotations(channels, data, quat.continuous(rotations_of(channels, data)))
    duration = float(clock[-1] - clock[0])
    count = control_points or len(clock) + 2
    curve = fit_curve((clock - clock[0]) / duration, data, count, periodic=False, encoding=encoding)
    return Clip(channels, float(clock[0]), duration, curve, marks, name)


def interpolated(
    channels: Channels,
    span: tuple[float, float],
    values: Array,
    marks: tuple[Mark, ...] = (),
    name: str = "Clip",
    moves_root: bool = True,
) -> Clip:
    """Return a clip that interpolates evenly spaced samples, with switches held from sample to sample.

    Parameters
    ----------
    channels : meaning of the columns.
    span : times in seconds of the first and the last sample.
    values : (T, width) of T samples, two or more.
    marks, name, moves_root : as for `Clip`.
    """
    data = with_rotations(channels, values, quat.continuous(rotations_of(channels, values)))
    ends = 2.0 * data[[0, -1]] - data[[1, -2]]
    curve = Curve(np.concatenate([ends[:1], data, ends[1:]]), False, "catmull_rom")
    held = values[:, channels.held_columns] if len(channels.held_columns) else None
    return Clip(channels, span[0], span[1] - span[0], curve, marks, name, moves_root, held)


def at_common_contact(first: Motion, second: Motion) -> tuple[float, float, float] | None:
    """Return when to blend two finite motions: while the same point of the figure is planted in both.

    As in [Gruenvogel2003] section 6, contacts determine the times of a blend. Of all pairs of contacts in which the
    point is planted for a tenth of a second, or for the longest time if none lasts so long, the pair is used that lets
    the second motion start latest.

    Returns
    -------
    Times in seconds of the blend's begin and end, in the first motion, and of the second motion's start; None if no
    point is planted in both.
    """
    found: list[tuple[float, float, float]] = []
    for one in first.marks_within(first.start, end_of(first)):
        for other in second.marks_within(second.start, end_of(second)):
            if one.kind == other.kind == "contact" and one.name == other.name:
                begin, enters = max(one.start, first.start), max(other.start, second.start)
                length = min(min(one.end, end_of(first)) - begin, min(other.end, end_of(second)) - enters)
                if length > TOUCHING:
                    found.append((begin, begin + length, begin - enters + second.start))
    longest = max((end - begin for begin, end, _ in found), default=0.0)
    lasting = (times for times in found if times[1] - times[0] >= min(SHORTEST, longest))
    return max(lasting, key=lambda times: (times[2], times[1] - times[0]), default=None)
