"""Base motions: clips with annotations, from which motion models build their trees ([Gruenvogel2003] section 6).

Of the annotations the contacts matter most: they determine when one clip can be blended into another, namely while
the same foot is planted in both. `at_common_contact` solves this for two clips that follow each other once. A cycle
continues beyond its ends. A foot that is planted while one pass ends and the next one begins must not count as two
contacts, since it does not come down where the second one would start. So stances here are identified by their start.
"""

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..errors import ClipError, quoted
from ..figure import quaternion as quat
from ..figure.channels import HEIGHT, TRAVEL, Channels, union, world_joints
from .clip import Mark, Motion, end_of, in_order, interpolated
from .clip_mixing import check_figures
from .clip_operators import Loop, time_warp
from .travel import relative

ROUNDING = 1e-9
"""Tolerance in seconds of equal times."""
LASTING = 0.5
"""Minimum duration of a blend, as a share of the longest one possible in any whole common stance."""
MIDDLE = 0.1
"""Minimum share of a stance before and after the instant at which the body is over it."""
LOOKS = 17
"""Number of instants of a stance at which the position of its point is sampled."""
LEAST_WAY = 1e-3
"""Travel of a cycle, as a share of the figure's height over the floor, from which it has a speed."""


@dataclass(frozen=True)
class BaseMotion:
    """A clip with annotations; contacts and keytimes are marks of the clip itself.

    Parameters
    ----------
    clip : the motion.
    style : manner of the motion, such as 'happy'.
    words : informal annotations.
    """

    clip: Motion
    style: str = ""
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        return str(self.clip)


@dataclass(frozen=True)
class Stance:
    """A span in which a point of the figure is planted.

    Parameters
    ----------
    point : name of the point.
    begin, end : times in seconds.
    over : time in seconds at which the body is placed over the point as it is in standing.
    """

    point: str
    begin: float
    end: float
    over: float

    @property
    def span(self) -> tuple[float, float, float]:
        """Three times in seconds: when the stance begins, when it ends, and when the body is over the point."""
        return self.begin, self.end, self.over

    def moved(self, later: float, slower: float = 1.0) -> "Stance":
        """Return the stance with its times multiplied by `slower`, then shifted by `later` seconds."""
        return Stance(self.point, *(slower * time + later for time in self.span))


@dataclass(frozen=True)
class Meeting:
    """The times of a blend of two motions, while the same point is planted in both.

    Parameters
    ----------
    begin, end : start and end in seconds of the blend from the first motion to the second (A and B).
    second_start : start time in seconds of the second motion.
    """

    begin: float
    end: float
    second_start: float

    @property
    def middle(self) -> float:
        """Time in seconds half-way through the blend."""
        return 0.5 * (self.begin + self.end)


def styles_of(records: Iterable[BaseMotion]) -> tuple[str, ...]:
    """Return the styles of base motions, each once."""
    return tuple(dict.fromkeys(record.style for record in records))


def of_style(records: Sequence[BaseMotion], style: str, what: str) -> BaseMotion:
    """Return the first of `records` that has a style.

    Parameters
    ----------
    records : base motions.
    style : the style.
    what : name of the motions in messages, such as "The walk".

    Raises
    ------
    ClipError
        If none has that style.
    """
    found = next((record for record in records if record.style == style), None)
    if found is None:
        raise ClipError(f"{what} has no style '{style}', only {quoted(styles_of(records), 12)}. Choose one of these.")
    return found


def within_cycle(marks: Iterable[Mark], begin: float, end: float) -> tuple[Mark, ...]:
    """Return the marks of a cycle from `begin` to `end` seconds, with contacts cut at these ends.

    A contact that lasts beyond the end continues at the beginning, and vice versa. So a time warp changes both parts of
    it, and a loop joins them again.
    """
    period = end - begin
    copies = (
        replace(mark, start=mark.start + shift, end=mark.end + shift)
        for mark in marks
        for shift in ((0.0,) if mark.kind == "keytime" else (-period, 0.0, period))
    )
    inside = [mark for mark in copies if mark.kind == "keytime" or (mark.end > begin and mark.start < end)]
    return in_order({replace(mark, start=max(mark.start, begin), end=min(mark.end, end)) for mark in inside})


def stances(marks: Iterable[Mark]) -> tuple[Stance, ...]:
    """Return the contacts among `marks` as stances; the body is assumed to be over the point half-way through each."""
    contacts = (mark for mark in marks if mark.kind == "contact")
    return tuple(Stance(m.name, m.start, m.end, 0.5 * (m.start + m.end)) for m in contacts)


def stances_of_clip(clip: Motion, stand: Motion) -> tuple[Stance, ...]:
    """Return the stances of a motion, in seconds from its start.

    If a point's name begins with that of a joint, such as its bone's, the joint's position in standing determines when
    the body is over the point.
    """
    return _stances_within(clip, clip.start, end_of(clip), stand)


def stances_of_cycle(cycle: Motion, stand: Motion) -> tuple[Stance, ...]:
    """Return the stances that begin within one pass of a cycle, in seconds from its start; they may end in the next."""
    period = cycle.duration
    found = (
        one.moved(-period) for one in _stances_within(Loop(0, cycle), cycle.start, end_of(cycle) + 2.0 * period, stand)
    )
    return tuple(one for one in found if -ROUNDING <= one.begin < period - ROUNDING)


def _stances_within(motion: Motion, begin: float, end: float, stand: Motion) -> tuple[Stance, ...]:
    """Return the stances of a motion that overlap the seconds from `begin` to `end`, in seconds from `begin`."""
    found = stances(motion.marks_within(begin, end))
    return tuple(replace(one, over=_over(motion, one, stand)).moved(-begin) for one in found)


def _over(walking: Motion, stance: Stance, stand: Motion) -> float:
    """Return when, in a stance, the joint named in its point is as far ahead of the root as in standing."""
    names = walking.channels.skeleton.names
    carrier = max((name for name in names if stance.point.startswith(name)), key=len, default=None)
    if carrier is None:
        return stance.over
    times, joint = np.linspace(stance.begin, stance.end, LOOKS), names.index(carrier)
    values, standing = walking.sample(times), stand.sample([stand.start])
    way = relative(values[0, TRAVEL], values[-1, TRAVEL])[:2]
    reach, stood = (
        quat.rotate(quat.from_yaw(-rows[:, 2]), places[:, joint] - places[:, 0])[:, :2] @ way
        for rows, places in (
            (values, world_joints(walking.channels, values)),
            (standing, world_joints(stand.channels, standing)),
        )
    )
    aside = MIDDLE * (stance.end - stance.begin)
    over = float(np.interp(-stood[0], -reach, times)) if reach[0] > reach[-1] else stance.over
    return min(max(over, stance.begin + aside), stance.end - aside)


def meetings(first: Iterable[Stance], second: Sequence[Stance], until: float = math.inf) -> list[Meeting]:
    """Return when two motions can be blended, in order of time: in common stances that are long enough.

    In the middle of the blend, where the weight changes fastest, both motions are at the same share of the part of the
    stance before, or after, the instant when the body is over the point. So their feet are then at about the same
    position, and any slip before that is reversed after it.

    Parameters
    ----------
    first : stances of the first motion.
    second : stances of the second one, in seconds from its start.
    until : end time in seconds of the first motion.
    """
    pairs = [(one, other) for one in first for other in second if one.point == other.point]
    least = LASTING * max((_lasts(_meeting(*pair, math.inf)) for pair in pairs), default=0.0)
    found = (_meeting(*pair, until) for pair in pairs)
    lasting = [meeting for meeting in found if _lasts(meeting) >= max(least, ROUNDING)]
    return sorted(lasting, key=lambda meeting: (meeting.begin, -meeting.end))


def _meeting(one: Stance, other: Stance, until: float) -> Meeting:
    """Return the times of a blend of two motions in a stance of each; if none is possible, it lasts 0 s or less."""
    middle = 0.5 * (one.begin + min(one.end, until))
    own = float(np.interp(middle, (one.begin, one.over, one.end), (other.begin, other.over, other.end)))
    half = min(middle - one.begin, own - other.begin, other.end - own)
    return Meeting(middle - half, middle + half, middle - own)


def _lasts(meeting: Meeting) -> float:
    return meeting.end - meeting.begin


def speed_of(cycle: Motion, what: str) -> float:
    """Return the speed over the floor, in performance units a second, of a travelling cycle; on a curve, along it.

    Raises
    ------
    ClipError
        If it does not travel.
    """
    ends = cycle.sample([cycle.start, end_of(cycle)])
    way = relative(ends[0, TRAVEL], ends[1, TRAVEL])
    chord, bend = float(np.hypot(way[0], way[1])), float(0.5 * way[2])
    arc = chord * bend / math.sin(bend) if bend else chord
    if not arc > LEAST_WAY * abs(float(ends[0, 5])):
        raise ClipError(f"{what} stays in place, so it has no speed. Give it a cycle whose root travels.")
    return arc / cycle.duration


@dataclass(frozen=True)
class Pace:
    """A cycle played at a speed.

    Parameters
    ----------
    style : its style.
    cycle : the time-warped cycle, which starts at 0.
    stances : stances that begin within one pass of the cycle, in seconds from the beginning of the pass.
    """

    style: str
    cycle: Motion
    stances: tuple[Stance, ...]

    @cached_property
    def climb(self) -> float:
        """Height that the looped cycle climbs in a second."""
        heights = Loop(0, self.cycle).sample([self.cycle.start, end_of(self.cycle)])[:, HEIGHT]
        return float(heights[1] - heights[0]) / self.cycle.duration

    @property
    def step(self) -> float:
        """Duration of a step in seconds, half a cycle."""
        return 0.5 * self.cycle.duration

    def near(self, origin: float, time: float) -> list[Stance]:
        """Return the stances of the pass at `time`, the previous one and the next two, looped from `origin` on."""
        begins = (self.pass_at(origin, time) + number * self.cycle.duration for number in (-1, 0, 1, 2))
        return [one.moved(begin) for begin in begins for one in self.stances]

    def pass_at(self, origin: float, time: float) -> float:
        """Return when the pass that plays at `time` began, looped from `origin` on."""
        return origin + math.floor((time - origin) / self.cycle.duration + ROUNDING) * self.cycle.duration


def paced(cycle: Motion, stances: Iterable[Stance], style: str, slower: float) -> Pace:
    """Return a cycle of a style, with its stances, played slower than recorded by the factor `slower`."""
    keys = ((cycle.start, 0.0), (end_of(cycle), cycle.duration * slower))
    return Pace(style, time_warp(keys, cycle), tuple(stance.moved(0.0, slower) for stance in stances))


def still(motion: Motion, time: float) -> Motion:
    """Return the pose of a motion at `time`, held on the spot forever."""
    pose = motion.sample([time, time])
    pose[:, TRAVEL] = 0.0
    return Loop(0, interpolated(motion.channels, (0.0, 1.0), pose, name=f"{motion} held", moves_root=motion.moves_root))


def check_alike(motions: Sequence[Motion], what: str) -> None:
    """Raise unless all motions move the same joints and channels of the same figure, in the same order.

    Then all blends of them have the same columns as well.

    Raises
    ------
    ClipError
            If one of them moves something that another does not, has a different static rotation of a joint that none
            of them moves, or has its columns in another order.
    """
    first = _titles(motions[0].channels)
    for motion in motions[1:]:
        own = _titles(motion.channels)
        lacking = sorted({(first | own)[key] for key in first.keys() ^ own.keys()})
        if lacking:
            raise ClipError(
                f"The clips of {what} must move the same bones, but only one of {motions[0]} and {motion} moves "
                f"{quoted(lacking)}. Key these in all of its clips."
            )
        check_figures(motions[0].channels, motion.channels)
        blended = _titles(union([motions[0].channels, motion.channels]))
        held = [title for key, title in blended.items() if key not in own]
        if held:
            raise ClipError(
                f"The clips of {what} must agree on what they do not move: {motions[0]} and {motion} turn "
                f"{quoted(held)} otherwise. Key these in all of its clips."
            )
        swapped = [pair for pair in zip(first.items(), own.items(), strict=True) if pair[0] != pair[1]]
        if swapped:
            (_, one), (_, other) = swapped[0]
            raise ClipError(
                f"The clips of {what} must have their columns in the same order: {motions[0]} has '{one}' where "
                f"{motion} has '{other}'. Make all of them with the same channels."
            )


def _titles(channels: Channels) -> dict[Hashable, str]:
    """Return the keys of the columns in order, each with its name in messages."""
    return {key: title for (key, _), title in zip(channels.listing, channels.titles, strict=True)}
