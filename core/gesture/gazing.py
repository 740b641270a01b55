"""Gaze on words: what is looked at on which word, as rotations of eyes, head and torso over the motion below.

[Kallmann2005] section 1 names eyes, head and neck, torso and steps as parts of gaze behaviour, and section 3 asks that
gestures be closely timed with the motion of head and gaze. A gaze lands on its target at the emphasis of its word, like
a gaze of the Behavior Markup Language at its sync point "ready". It begins as much earlier as the head needs at its
speed; the eyes lead, and the torso, if it helps, follows. Once it has landed, the gaze tracks its target, wherever
target and figure move, until the next gaze begins.

Everything is a function of the rows below and of their times, so that a frame does not depend on how it was reached:
the duration of a turn follows from its angle in the row itself. If words are too close for the speed of the head, a
turn begins when the previous one has landed, and lands late.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import radians
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..aim.gaze import Gaze, turn_eyes, turn_head
from ..figure import quaternion as quat
from ..figure.channels import FIRST_ROTATION, Channels, level_rotations, rotations_of, with_rotations
from ..figure.vector_components import joined, smooth
from .schedule import Rest

Array = NDArray[np.float64]

SPEED = radians(200.0)
"""Default maximum head speed in radians a second: that of people who look round in a talk, while hurried gaze
shifts are faster (Guitton and Volle, "Gaze control in humans", Journal of Neurophysiology 58, 1987)."""
QUICKEST = 0.25
"""Minimum duration of a turn in seconds."""
RETURNS = 2.0
"""Minimum seconds before the next glance for eyes and head to return to the motion below."""
PEAK = 1.5
"""Largest speed of a smooth turn, as a multiple of its mean."""
LAG = 0.25
"""Share of a turn after which the torso begins to help."""
LEAD, SACCADE = 0.1, 0.15
"""Seconds by which eyes lead the head, and duration of their turn."""
ROUNDED = 0.05
"""Seconds over which a turn's wait for the previous one is smoothed."""
FAR = 100.0
"""Distance of targets given as directions, in multiples of the head's height at rest."""
AWAY, DOWN = radians(40.0), radians(15.0)
"""Angles to the side and down for looking away."""
SIDE = radians(10.0)
"""Targets at least this far right are looked away from to the left, others to the right; smoothed by the same angle."""


@dataclass(frozen=True, eq=False)
class Path:
    """Positions in performance space over time.

    Parameters
    ----------
    seconds : (K,) increasing, one or more.
    places : (K, 3) positions at these times, constant before and after, and smooth in between.
    """

    seconds: Array
    places: Array

    def at(self, times: Array) -> Array:
        """Return the positions (T, 3) at `times` (T,)."""
        if len(self.seconds) == 1:
            return np.repeat(self.places, len(times), axis=0)
        clock = np.clip(times, self.seconds[0], self.seconds[-1])
        row = np.clip(np.searchsorted(self.seconds, clock, side="right") - 1, 0, len(self.seconds) - 2)
        span = (self.seconds[row + 1] - self.seconds[row])[:, None]
        u = (clock - self.seconds[row])[:, None] / span
        a, b = self.places[row], self.places[row + 1]
        return (
            a + _eased(u) * (b - a) + span * u * (1.0 - u) * ((1.0 - u) * self._speeds[row] - u * self._speeds[row + 1])
        )

    @cached_property
    def _speeds(self) -> Array:
        """(K, 3) velocities in units a second; zero at both ends."""
        speeds = np.zeros_like(self.places)
        speeds[1:-1] = (self.places[2:] - self.places[:-2]) / (self.seconds[2:] - self.seconds[:-2])[:, None]
        return speeds


def _eased(u: Array) -> Array:
    return u * u * (3.0 - 2.0 * u)


@dataclass(frozen=True)
class Way:
    """A direction relative to the facing direction of the figure.

    Parameters
    ----------
    aside : radians to the left.
    rise : radians upwards.
    """

    aside: float
    rise: float


@dataclass(frozen=True)
class Away:
    """A direction to the side and down, on the side opposite to the previous target."""


Target = Path | Way | Away | None
"""A target of gaze; None for the direction of eyes and head in the motion below."""
WAYS: dict[str, Target] = {
    "left": Way(radians(50.0), 0.0),
    "right": Way(radians(-50.0), 0.0),
    "up": Way(0.0, radians(35.0)),
    "down": Way(0.0, radians(-35.0)),
    "away": Away(),
    "ahead": None,
}
"""Directions by their names."""


@dataclass(frozen=True, eq=False)
class Glance:
    """A turn to a target.

    Parameters
    ----------
    time : time in seconds at which it lands, or at which it begins if `begins` is set.
    target : the target.
    told : its name in messages, such as ``"'look Cube' on 'there'"``.
    begins : whether `time` is its beginning, as for a return that is not on a word.
    """

    time: float
    target: Target
    told: str = ""
    begins: bool = False


@dataclass(frozen=True, eq=False)
class Gazing:
    """Glances over the motion of a figure.

    Parameters
    ----------
    gaze : the gaze, which has a reach.
    glances : the glances, in order of time.
    front : (3,) facing direction of the figure in the root's own frame.
    speed : maximum head speed in radians a second.
    stays : seconds after which eyes and head return to the motion below; 0 for never.
    """

    gaze: Gaze
    glances: tuple[Glance, ...]
    front: Array
    speed: float = SPEED
    stays: float = 0.0

    @cached_property
    def turning(self) -> NDArray[np.intp]:
        """(N,) rotating joints of torso, neck and head, outwards."""
        return np.array([joint for joint, _ in self.gaze.head.aim.own.channels], dtype=np.intp)

    @cached_property
    def eyes(self) -> NDArray[np.intp]:
        """(E,) joints of the eyes."""
        return np.array([eye.joint for eye in self.gaze.eyes], dtype=np.intp)

    @cached_property
    def longest(self) -> float:
        """Longest time in seconds before its own in which a glance may have an effect.

        The previous glance may still have an effect as long after that time.
        """
        return float(np.hypot(QUICKEST, PEAK * 2.0 * np.pi / self.speed)) + LEAD

    @cached_property
    def _lags(self) -> Array:
        """(N,) shares of a turn after which the joints begin."""
        return np.where(np.arange(len(self.turning)) < self.gaze.head.aim.helping, LAG, 0.0)

    def resting(self, moved: Channels | None, static: Array, root: Array) -> Rest | None:
        """Return the rest pose of the rotating joints that are not in `moved`; None if there are none.

        Parameters
        ----------
        static : (J, 4) rotations from rest of static joints.
        root : (4,) rotation of the root.
        """
        known: set[int] = set() if moved is None else {int(joint) for joint in moved.rotating}
        lacking = [joint for joint in (*self.turning.tolist(), *self.eyes.tolist()) if joint not in known]
        if not lacking:
            return None
        channels = Channels(self.gaze.own.skeleton, np.array([0, *lacking], dtype=np.intp), (), static)
        row = np.zeros(channels.width)
        row[FIRST_ROTATION:] = np.concatenate([root, static[lacking].ravel()])
        return Rest(channels, row)

    def laid(self, channels: Channels, times: Array, rows: Array, heights: Array) -> Array:
        """Return rows (T, width) of the whole figure with the gaze applied to those below.

        Parameters
        ----------
        channels : channels of the rows, including all rotating joints.
        times : (T,) seconds.
        rows : (T, width) rows below, in performance space.
        heights : (T,) heights of the ground under the root, by which rows are raised later.
        """
        if not len(self._heard(times)):
            return rows
        whole = level_rotations(channels, rows)
        begins = self._turn(channels, times, rows, heights, whole)
        made = _with(channels, rows, whole)
        if len(self.eyes):
            self._turn_eyes(channels, times, made, heights, whole, begins)
            made = _with(channels, made, whole)
        return made

    def _heard(self, times: Array) -> list[tuple[int, NDArray[np.intp]]]:
        """Return the numbers of the glances that may take effect at some of the times, each with its rows."""
        found: list[tuple[int, NDArray[np.intp]]] = []
        for number, glance in enumerate(self.glances):
            later = self.glances[number + 1].time + self.longest if number + 1 < len(self.glances) else np.inf
            rows = np.flatnonzero((times > glance.time - self.longest) & (times < later))
            if len(rows):
                found.append((number, rows))
        return found

    def _turn(self, channels: Channels, times: Array, rows: Array, heights: Array, whole: Array) -> dict[int, Array]:
        """Turn torso, neck and head in rotations (T, J, 4), in place; return when each glance begins, row by row."""
        begins = dict[int, Array]()
        for number, here in self._heard(times):
            glance, own = self.glances[number], whole[np.ix_(here, self.turning)]
            made = rows[here]
            if glance.target is not None:
                places = self.places(number, channels, times[here], made, heights[here])
                made = turn_head(self.gaze, channels, made, places).rows
            goal = level_rotations(channels, made)[:, self.turning]
            angles = np.sum(quat.angle_between(own, goal) / (1.0 - self._lags), axis=-1)
            lasts = np.hypot(QUICKEST, PEAK * angles / self.speed)
            begins[number] = self._begin(number, lasts)
            past = (times[here] - begins[number])[:, None] / lasts[:, None]
            share = np.asarray(smooth((past - self._lags) / (1.0 - self._lags)))[..., None]
            whole[np.ix_(here, self.turning)] = _between(own, goal, share)
        return begins

    def _begin(self, number: int, lasts: Array) -> Array:
        """Return when a glance of `lasts` (T,) seconds begins: in time to land, but not before the last one landed."""
        glance = self.glances[number]
        if glance.begins:
            return np.full(len(lasts), glance.time)
        return glance.time - lasts + _past(lasts - self._room(number))

    def _room(self, number: int) -> float:
        """Return the seconds from the previous glance's landing to a glance's time; infinity for the first glance."""
        if not number:
            return np.inf
        before = self.glances[number - 1]
        return self.glances[number].time - before.time - (QUICKEST if before.begins else 0.0)

    def _turn_eyes(
        self, channels: Channels, times: Array, rows: Array, heights: Array, whole: Array, begins: dict[int, Array]
    ) -> None:
        """Turn the eyes in rotations (T, J, 4), in place, in rows in which the head has turned."""
        for number, here in self._heard(times):
            glance, own = self.glances[number], whole[np.ix_(here, self.eyes)]
            made = rows[here]
            if glance.target is not None:
                places = self.places(number, channels, times[here], made, heights[here])
                made = turn_eyes(self.gaze, channels, made, places)
            goal = level_rotations(channels, made)[:, self.eyes]
            earlier = glance.time - begins[number] + LEAD
            begin = begins[number] - LEAD + (0.0 if glance.begins else _past(earlier - self._room(number)))
            share = np.asarray(smooth((times[here] - begin) / SACCADE))[:, None, None]
            whole[np.ix_(here, self.eyes)] = _between(own, goal, share)

    def places(self, number: int, channels: Channels, times: Array, rows: Array, heights: Array) -> Array:
        """Return the positions (T, 3) of a glance's target, for rows that are not yet raised by the ground."""
        target = self.glances[number].target
        if isinstance(target, Path):
            return target.at(times) - heights[:, None] * [0.0, 0.0, 1.0]
        head = self.gaze.head
        eyes = joined(head.ray(head.frames(channels, rows)).origins)
        if isinstance(target, Way):
            aside, rise = np.full(len(rows), target.aside), np.full(len(rows), target.rise)
        else:
            aside, rise = self._away_from(number - 1, channels, times, rows, heights, eyes), np.full(len(rows), -DOWN)
        angle = self.facing(channels, rows) + aside
        way = np.stack([np.cos(rise) * np.cos(angle), np.cos(rise) * np.sin(angle), np.sin(rise)], axis=-1)
        return eyes + FAR * float(np.linalg.norm(channels.skeleton.offsets, axis=-1).sum()) * way

    def _away_from(
        self, number: int, channels: Channels, times: Array, rows: Array, heights: Array, eyes: Array
    ) -> Array:
        """Return the angle to the left (T,), in radians, for looking away from the target of the previous glance."""
        seen = np.zeros(len(rows))
        if number >= 0 and self.glances[number].target is not None:
            seen = self.aside(channels, rows, eyes, self.places(number, channels, times, rows, heights))
        return AWAY * (2.0 * np.asarray(smooth((-seen - SIDE) / SIDE)) - 1.0)

    def facing(self, channels: Channels, rows: Array) -> Array:
        """Return the facing directions (T,) of the figure, in radians from X."""
        turned = quat.rotate(level_rotations(channels, rows)[:, 0], self.front)
        return np.arctan2(turned[:, 1], turned[:, 0]) + rows[:, 2]

    def aside(self, channels: Channels, rows: Array, eyes: Array, places: Array) -> Array:
        """Return the angles to the left (T,), in radians, of positions (T, 3) seen from the eyes (T, 3)."""
        way = places - eyes
        angles = np.arctan2(way[:, 1], way[:, 0]) - self.facing(channels, rows)
        return (angles + np.pi) % (2.0 * np.pi) - np.pi

    def stopped(self, time: float) -> "Gazing":
        """Return the gaze stopped at a time: it drops glances that have not begun, and returns to the motion below."""
        begun = tuple(glance for glance in self.glances if glance.time - self.longest < time)
        last = max((glance.time for glance in begun), default=time)
        return replace(self, glances=(*begun, Glance(max(time, last), None, begins=True)) if begun else ())

    def followed(self, time: float, glances: Sequence[Glance]) -> "Gazing":
        """Return the gaze with the glances of new words in place of all that have not begun at a time.

        Parameters
        ----------
        time : seconds.
        glances : glances of the new words, in order; they do not begin before `time`, and so may land late.
        """
        begun = [one for one in self.glances if one.time - self.longest < time]
        earliest = max([time, *(one.time for one in begun)])
        fresh = list[Glance]()
        for one in glances:
            fresh.append(replace(one, time=max(one.time - QUICKEST, earliest), begins=True))
            earliest = fresh[-1].time + QUICKEST
        until = fresh[0].time if fresh else np.inf
        returns = [one for one in self.glances[len(begun) :] if one.begins and one.target is None and one.time < until]
        return replace(
            self, glances=(*begun, *returns[:1], *gazing_of(self.gaze, fresh, self.front, self.stays).glances)
        )

    @property
    def over(self) -> float:
        """Time in seconds from which nothing rotates, if the last glance is a return."""
        return self.glances[-1].time + self.longest if self.glances else -np.inf


def gazing_of(gaze: Gaze, glances: Sequence[Glance], front: Array, stays: float = 0.0, speed: float = SPEED) -> Gazing:
    """Return a gaze with glances put in order; each is held for `stays` seconds, or until the next one.

    Parameters
    ----------
    gaze, front, stays, speed : as for `Gazing`.
    glances : the glances, in any order; of several at the same time the last one is used.
    """
    ordered = sorted({glance.time: glance for glance in glances}.values(), key=lambda glance: glance.time)
    found: list[Glance] = []
    for number, glance in enumerate(ordered):
        found.append(glance)
        end = glance.time + stays
        free = number + 1 == len(ordered) or ordered[number + 1].time - end > RETURNS
        if stays > 0.0 and glance.target is not None and free:
            found.append(Glance(end, None, begins=True))
    return Gazing(gaze, tuple(found), front, speed, stays)


def _past(seconds: Any) -> Any:
    """Return the smoothed positive part of seconds."""
    near = np.clip(seconds, -ROUNDED, ROUNDED) + ROUNDED
    return np.where(seconds >= ROUNDED, seconds, near * near / (4.0 * ROUNDED))


def _between(own: Array, goal: Array, share: Array) -> Array:
    return quat.multiply(own, quat.exp(share * quat.log(quat.multiply(quat.conjugate(own), goal))))


def _with(channels: Channels, rows: Array, whole: Array) -> Array:
    """Return rows with the given rotations (T, J, 4) of all joints."""
    made = with_rotations(channels, rows, whole[:, channels.rotating])
    signs = np.sign(np.sum(rotations_of(channels, made) * rotations_of(channels, rows), axis=-1, keepdims=True))
    return with_rotations(channels, rows, rotations_of(channels, made) * np.where(signs < 0.0, -1.0, 1.0))
