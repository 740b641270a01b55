"""Gaze that goes with words: what is looked at on which word, as turns of eyes, head and torso over what lies below.

[Kallmann2005] section 1 names eyes, head and neck, torso and steps as parts of gaze behaviour, and section 3 asks that
gestures be closely timed with the motion of head and gaze. A gaze lands on its target at the emphasis of its word, as a
gaze of the Behavior Markup Language does at its sync point "ready". It begins as much earlier as the head
needs at its speed; the eyes lead, and the torso, where it helps, follows. From then on it stays with the target,
wherever that and the figure go, until the next one.

All of it is a function of the rows below and of their times, so that a frame is the same however it was reached: how
long a turn takes is told by how far it is in the row itself. Where words are too close for the speed of the head, a
turn begins when the one before it has landed, and lands late.
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
"""Radians a second that the head turns at most by default: as people do who look round in a talk, while hurried gaze
shifts are quicker still (Guitton and Volle, "Gaze control in humans", Journal of Neurophysiology 58, 1987)."""
QUICKEST = 0.25
"""Seconds that a turn takes at least."""
RETURNS = 2.0
"""Seconds that are to be left before the next glance for eyes and head to return to what lies below."""
PEAK = 1.5
"""Largest speed of a smooth turn, as a multiple of its mean."""
LAG = 0.25
"""Share of a turn after which the torso begins to help."""
LEAD, SACCADE = 0.1, 0.15
"""Seconds by which eyes begin before the head, and in which they turn."""
ROUNDED = 0.05
"""Seconds around which it is rounded off that a turn waits for the one before it."""
FAR = 100.0
"""How many times as far as the head is high, at rest, a direction is looked for."""
AWAY, DOWN = radians(40.0), radians(15.0)
"""How far aside and down is looked for looking away."""
SIDE = radians(10.0)
"""What is so far to the right or farther is looked away from to the left, all else to the right; rounded by as much."""


@dataclass(frozen=True, eq=False)
class Path:
    """Places in performance space over time.

    Parameters
    ----------
    seconds : (K,) increasing, one or more.
    places : (K, 3) at them. Before and after them it stays, and between them it goes smoothly.
    """

    seconds: Array
    places: Array

    def at(self, times: Array) -> Array:
        """Return the places (T, 3) at `times` (T,)."""
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
        """(K, 3) units a second; none at both ends."""
        speeds = np.zeros_like(self.places)
        speeds[1:-1] = (self.places[2:] - self.places[:-2]) / (self.seconds[2:] - self.seconds[:-2])[:, None]
        return speeds


def _eased(u: Array) -> Array:
    return u * u * (3.0 - 2.0 * u)


@dataclass(frozen=True)
class Way:
    """A direction, seen from where the figure faces.

    Parameters
    ----------
    aside, rise : radians to the left, and up.
    """

    aside: float
    rise: float


@dataclass(frozen=True)
class Away:
    """Aside and down, on the other side than what was looked at before."""


Target = Path | Way | Away | None
"""What is looked at; None for where eyes and head are below."""
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
    time : seconds at which it lands, or begins.
    target : what is looked at.
    told : what messages call it, such as ``"'look Cube' on 'there'"``.
    begins : whether it begins at that time, as a return does that no word asks for.
    """

    time: float
    target: Target
    told: str = ""
    begins: bool = False


@dataclass(frozen=True, eq=False)
class Gazing:
    """Glances over what a figure does.

    Parameters
    ----------
    gaze : what turns; it has a reach.
    glances : in order of time.
    front : (3,) direction in the root's own frame to which the figure faces.
    speed : radians a second that the head turns at most.
    stays : seconds after which eyes and head return to what lies below; 0 for never.
    """

    gaze: Gaze
    glances: tuple[Glance, ...]
    front: Array
    speed: float = SPEED
    stays: float = 0.0

    @cached_property
    def turning(self) -> NDArray[np.intp]:
        """(N,) joints of torso, neck and head that turn, outwards."""
        return np.array([joint for joint, _ in self.gaze.head.aim.own.channels], dtype=np.intp)

    @cached_property
    def eyes(self) -> NDArray[np.intp]:
        """(E,) joints of the eyes."""
        return np.array([eye.joint for eye in self.gaze.eyes], dtype=np.intp)

    @cached_property
    def longest(self) -> float:
        """Seconds for which a glance may have a bearing before its time, and the one before it afterwards."""
        return float(np.hypot(QUICKEST, PEAK * 2.0 * np.pi / self.speed)) + LEAD

    @cached_property
    def _lags(self) -> Array:
        """(N,) shares of a turn after which the joints begin."""
        return np.where(np.arange(len(self.turning)) < self.gaze.head.aim.helping, LAG, 0.0)

    def resting(self, moved: Channels | None, static: Array, root: Array) -> Rest | None:
        """Return how those joints rest that turn, but not among what is `moved` already; None if there is none.

        Parameters
        ----------
        static : (J, 4) rotations from rest of joints that nothing turns.
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
        """Return rows (T, width) of the whole figure with the gaze over those below.

        Parameters
        ----------
        channels : of the rows, which have all that turns.
        times : (T,) seconds.
        rows : (T, width) below, in performance space.
        heights : (T,) of the ground under the root, by which rows are raised later.
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
        """Return the glances that count at some of the times, by their numbers, with the rows in which they do."""
        found: list[tuple[int, NDArray[np.intp]]] = []
        for number, glance in enumerate(self.glances):
            later = self.glances[number + 1].time + self.longest if number + 1 < len(self.glances) else np.inf
            rows = np.flatnonzero((times > glance.time - self.longest) & (times < later))
            if len(rows):
                found.append((number, rows))
        return found

    def _turn(self, channels: Channels, times: Array, rows: Array, heights: Array, whole: Array) -> dict[int, Array]:
        """Turn torso, neck and head in rotations (T, J, 4), in place; return when glances begin in their rows."""
        begins = dict[int, Array]()
        for number, here in self._heard(times):
            glance, own = self.glances[number], whole[np.ix_(here, self.turning)]
            if glance.target is None:
                goal = level_rotations(channels, rows[here])[:, self.turning]
            else:
                places = self.places(number, channels, times[here], rows[here], heights[here])
                made = turn_head(self.gaze, channels, rows[here], places).rows
                goal = level_rotations(channels, made)[:, self.turning]
            angles = np.sum(quat.angle_between(own, goal) / (1.0 - self._lags), axis=-1)
            lasts = np.hypot(QUICKEST, PEAK * angles / self.speed)
            begins[number] = self._begin(number, lasts)
            past = (times[here] - begins[number])[:, None] / lasts[:, None]
            share = np.asarray(smooth((past - self._lags) / (1.0 - self._lags)))[..., None]
            whole[np.ix_(here, self.turning)] = _between(own, goal, share)
        return begins

    def _begin(self, number: int, lasts: Array) -> Array:
        """Return when a glance begins that lasts some seconds (T,): so that it lands in time, but not before others."""
        glance = self.glances[number]
        if glance.begins:
            return np.full(len(lasts), glance.time)
        return glance.time - lasts + _past(lasts - self._room(number))

    def _room(self, number: int) -> float:
        """Return the seconds from the glance before to the time of one."""
        if not number:
            return np.inf
        before = self.glances[number - 1]
        return self.glances[number].time - before.time - (QUICKEST if before.begins else 0.0)

    def _turn_eyes(
        self, channels: Channels, times: Array, rows: Array, heights: Array, whole: Array, begins: dict[int, Array]
    ) -> None:
        """Turn the eyes in rotations (T, J, 4), in place, over rows in which the head has turned."""
        for number, here in self._heard(times):
            glance, own = self.glances[number], whole[np.ix_(here, self.eyes)]
            if glance.target is None:
                goal = level_rotations(channels, rows[here])[:, self.eyes]
            else:
                places = self.places(number, channels, times[here], rows[here], heights[here])
                made = turn_eyes(self.gaze, channels, rows[here], places)
                goal = level_rotations(channels, made)[:, self.eyes]
            earlier = glance.time - begins[number] + LEAD
            begin = begins[number] - LEAD + (0.0 if glance.begins else _past(earlier - self._room(number)))
            share = np.asarray(smooth((times[here] - begin) / SACCADE))[:, None, None]
            whole[np.ix_(here, self.eyes)] = _between(own, goal, share)

    def places(self, number: int, channels: Channels, times: Array, rows: Array, heights: Array) -> Array:
        """Return where a glance looks (T, 3), seen from rows before they are raised by the ground."""
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
        """Return how far to the left (T,), in radians, is looked to look away from what a glance before looks at."""
        seen = np.zeros(len(rows))
        if number >= 0 and self.glances[number].target is not None:
            seen = self.aside(channels, rows, eyes, self.places(number, channels, times, rows, heights))
        return AWAY * (2.0 * np.asarray(smooth((-seen - SIDE) / SIDE)) - 1.0)

    def facing(self, channels: Channels, rows: Array) -> Array:
        """Return the headings (T,), radians from X, to which the figure faces."""
        turned = quat.rotate(level_rotations(channels, rows)[:, 0], self.front)
        return np.arctan2(turned[:, 1], turned[:, 0]) + rows[:, 2]

    def aside(self, channels: Channels, rows: Array, eyes: Array, places: Array) -> Array:
        """Return how far to the left (T,), in radians, places (T, 3) are, seen from the eyes (T, 3)."""
        way = places - eyes
        angles = np.arctan2(way[:, 1], way[:, 0]) - self.facing(channels, rows)
        return (angles + np.pi) % (2.0 * np.pi) - np.pi

    def stopped(self, time: float) -> "Gazing":
        """Return the gaze that ends: what has not begun at a time is left out, and it returns to what lies below."""
        begun = tuple(glance for glance in self.glances if glance.time - self.longest < time)
        last = max((glance.time for glance in begun), default=time)
        return replace(self, glances=(*begun, Glance(max(time, last), None, begins=True)) if begun else ())

    def followed(self, time: float, glances: Sequence[Glance]) -> "Gazing":
        """Return the gaze if other words take the place of the rest at a time: what has not begun then is left out.

        Parameters
        ----------
        time : seconds.
        glances : those of the new words, in order; they begin then at the earliest, and so may land late.
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
        """Seconds at which nothing turns any more, if the last glance is a return."""
        return self.glances[-1].time + self.longest if self.glances else -np.inf


def gazing_of(gaze: Gaze, glances: Sequence[Glance], front: Array, stays: float = 0.0, speed: float = SPEED) -> Gazing:
    """Return glances in order, each of which stays for so many seconds, or until the next one.

    Parameters
    ----------
    gaze, front, stays, speed : as of `Gazing`.
    glances : in any order; of several at the same time the last one counts.
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
    """Return how far seconds are past 0: nothing before, and all of it after, rounded off."""
    near = np.clip(seconds, -ROUNDED, ROUNDED) + ROUNDED
    return np.where(seconds >= ROUNDED, seconds, near * near / (4.0 * ROUNDED))


def _between(own: Array, goal: Array, share: Array) -> Array:
    return quat.multiply(own, quat.exp(share * quat.log(quat.multiply(quat.conjugate(own), goal))))


def _with(channels: Channels, rows: Array, whole: Array) -> Array:
    """Return rows with the rotations (T, J, 4) of all joints."""
    made = with_rotations(channels, rows, whole[:, channels.rotating])
    signs = np.sign(np.sum(rotations_of(channels, made) * rotations_of(channels, rows), axis=-1, keepdims=True))
    return with_rotations(channels, rows, rotations_of(channels, made) * np.where(signs < 0.0, -1.0, 1.0))
