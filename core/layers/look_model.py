"""The motion model look: neck and head turn to a place in space, and stay with it while the figure moves.

Some motion models take their surroundings as parameters ([Gruenvogel2003] section 4). This one has no clip: where a
place is, seen from the figure, is known only when it is known what the rest of the body does. So it is computed over
the rows of what lies below.

Neck and head share the turn. Each swings within an ellipse, about the axis to the side and about the upright one, and
is not twisted: the neck takes its share of the swing, and the head turns on from there until it looks at the place or
is at its limit. The frame of both is that of the bone which carries the neck, with its z axis where the figure looks
when it stands. To look behind itself the figure would have to change the side at once when the place passes there; so
the nearer a place is to straight behind, the less it is looked at.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ClipError
from ..figure import quaternion as quat
from ..figure.channels import TRAVEL, Channels, all_rotations, rotations_of, with_rotations, world_frames
from ..figure.swing_twist import from_swing_and_twist, limb_frame, nearest_in_ellipse, swing_towards
from ..figure.vector_components import smooth
from ..graph.overlay import Below
from ..motion.clip import Mark, Motion
from .claims import Claims
from .motion_model import MotionModel, Parameter, Run, Value, Values

Array = NDArray[np.float64]

NECK, HEAD = (0.4, 0.6), (0.5, 0.8)
"""Half-axes in radians within which neck and head swing by default, up and down, and to the sides."""
TURNS = 0.6
"""Seconds in which the figure turns to a place by default."""
QUICKEST, SLOWEST = 0.1, 10.0
"""Bounds of these seconds."""
BESIDE = 2.3
"""Radians aside of straight ahead from which on a place is looked at less; it is not at half a turn."""
FAR = 10.0
"""How many times as far as the head is high the place is, straight ahead, that is looked at by default."""
UPRIGHT: Array = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Glance:
    """A turn to a place.

    Parameters
    ----------
    begin, seconds : when it begins, and how long it takes.
    place : x, y and z, performance units; None for where the head is below.
    """

    begin: float
    seconds: float
    place: tuple[float, float, float] | None

    @property
    def end(self) -> float:
        """Seconds at which it is over."""
        return self.begin + self.seconds


@dataclass(frozen=True, eq=False)
class Gaze:
    """How a figure turns neck and head to a place.

    Parameters
    ----------
    neck, head : indices of the joints.
    above : index of the joint that carries the neck.
    standing : (3, 4) orientations of that joint, of the neck and of the head where the figure looks straight ahead,
        from the frame whose z axis is ahead and whose y axis is up.
    limits : (2, 2) half-axes of neck and head, radians, about the axis to the side and about the upright one.
    """

    neck: int
    head: int
    above: int
    standing: Array
    limits: Array

    def turned(self, channels: Channels, values: Array, place: Array) -> Array:
        """Return rotations (T, 2, 4) of neck and head that look at `place` (T, 3), over rows (T, width)."""
        places, turns = world_frames(channels, values)
        ahead = quat.multiply(turns[:, self.above], quat.conjugate(self.standing[0]))
        aside = _halted(swing_towards(quat.rotate(quat.conjugate(ahead), place - places[:, self.head])))
        share = self.limits[0] / np.maximum(self.limits.sum(axis=0), np.finfo(np.float64).tiny)
        first = from_swing_and_twist(nearest_in_ellipse(share * aside, self.limits[0]), 0.0)
        neck = quat.multiply(quat.multiply(ahead, first), self.standing[1])
        moved = quat.multiply(neck, quat.conjugate(turns[:, self.neck]))
        eyes = places[:, self.neck] + quat.rotate(moved, places[:, self.head] - places[:, self.neck])
        wanted = _halted(swing_towards(quat.rotate(quat.conjugate(ahead), place - eyes)))
        line = quat.rotate(from_swing_and_twist(wanted, 0.0), UPRIGHT)
        rest = nearest_in_ellipse(swing_towards(quat.rotate(quat.conjugate(first), line)), self.limits[1])
        second = quat.multiply(first, from_swing_and_twist(rest, 0.0))
        head = quat.multiply(quat.multiply(ahead, second), self.standing[2])
        parents, rests = channels.skeleton.parents, channels.skeleton.rests
        carries = quat.multiply(moved, turns[:, parents[self.head]])
        found = [
            quat.multiply(quat.conjugate(quat.multiply(under, rests[joint])), own)
            for joint, under, own in ((self.neck, turns[:, self.above], neck), (self.head, carries, head))
        ]
        return np.stack(found, axis=1)


def _halted(swings: Array) -> Array:
    """Return swings (T, 2), smaller the nearer they lead to straight behind."""
    size = np.linalg.norm(swings, axis=-1)
    return swings * np.asarray(smooth(np.clip((np.pi - size) / (np.pi - BESIDE), 0.0, 1.0)))[:, None]


@dataclass(frozen=True, eq=False)
class Looking:
    """Turns to places, one after the other: a motion of neck and head, over standing if nothing else is below.

    Parameters
    ----------
    model : the motion model.
    glances : in order of time.
    ends : seconds at which it stays as it is.
    """

    model: "LookModel"
    glances: tuple[Glance, ...]
    ends: float = inf

    def __str__(self) -> str:
        place = self.glances[-1].place
        return "Look(ahead)" if place is None else f"Look({', '.join(f'{number:g}' for number in place)})"

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of sampled values."""
        return self.model.channels

    @property
    def start(self) -> float:
        """Time of the beginning in seconds."""
        return self.glances[0].begin

    @property
    def duration(self) -> float:
        """Duration in seconds, which may be infinite."""
        return self.ends - self.start

    @property
    def moves_root(self) -> bool:
        """Whether it says anything of the root."""
        return False

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """No keytimes and no contacts."""
        return ()

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds, of a figure that stands where performances begin."""
        clock, model = np.asarray(times, dtype=np.float64), self.model
        stands = np.tile(model.pose, (len(clock), 1))
        flat, phases, alone = np.zeros(len(clock)), np.zeros((2, len(clock))), np.ones(len(clock))
        return self.over(Below(model.stand.channels, clock, stands, flat, phases, alone))

    def over(self, below: Below) -> Array:
        """Return values (T, width) over rows of what lies below."""
        clock, model, gaze = np.minimum(below.times, self.ends), self.model, self.model.gaze
        own = all_rotations(below.channels, below.values)[:, [gaze.neck, gaze.head]]
        turned, first = own, float(clock.min(initial=inf))
        past = [number for number, glance in enumerate(self.glances) if glance.end <= first]
        for glance in self.glances[past[-1] if past else 0 :]:
            goal = own
            if glance.place is not None:
                place = np.array(glance.place) - below.heights[:, None] * UPRIGHT
                goal = gaze.turned(below.channels, below.values, place)
            share = np.asarray(smooth(np.clip((clock - glance.begin) / glance.seconds, 0.0, 1.0)))[:, None, None]
            turned = quat.multiply(turned, quat.exp(share * quat.log(quat.multiply(quat.conjugate(turned), goal))))
        values = np.zeros((len(clock), model.channels.width))
        rotations = rotations_of(model.channels, values)
        rotations[:, 0], rotations[:, 1:] = quat.IDENTITY, turned
        return with_rotations(model.channels, values, rotations)


@dataclass(frozen=True)
class LookRun(Run):
    """A run of a look.

    Parameters
    ----------
    looking : its turns, and those of runs before it.
    """

    looking: Looking

    def rows(self, below: Below) -> Array:
        """Return rows (T, width of the tree's channels) over what lies below."""
        return replace(self.looking, ends=self.ends).over(below)


@dataclass(frozen=True, eq=False)
class LookModel(MotionModel):
    """A look at a place in space, which is given in the space in which the figure goes.

    Parameters
    ----------
    stand : a motion at whose beginning the figure looks straight ahead.
    ahead : (3,) where that is at heading 0; level.
    neck, head : names of the joints; the head hangs on the neck.
    limits : half-axes of the ellipses in which neck and head swing, radians: up and down, and to the sides.
    name : what messages call it.

    Raises
    ------
    ClipError
        If the figure has no such neck or head, or a limit is no angle below half a turn.
    """

    stand: Motion
    ahead: tuple[float, float, float]
    neck: str = "Neck"
    head: str = "Head"
    limits: tuple[tuple[float, float], tuple[float, float]] = (NECK, HEAD)
    name: str = "look"

    def __post_init__(self) -> None:
        skeleton = self.stand.channels.skeleton
        lacking = [name for name in (self.neck, self.head) if name not in skeleton.names]
        if lacking or skeleton.index(self.neck) not in skeleton.chain(skeleton.index(self.head))[1:-1]:
            told = f"has no bone '{lacking[0]}'" if lacking else f"has no head '{self.head}' on a neck '{self.neck}'"
            raise ClipError(f"The figure of '{self.name}' {told}. Choose its neck, which must hang on another bone.")
        if not all(isfinite(angle) and 0.0 <= angle < np.pi for pair in self.limits for angle in pair):
            raise ClipError(f"'{self.name}' cannot turn so far: limits are angles from 0 to half a turn. Mend them.")

    @cached_property
    def pose(self) -> Array:
        """(width,) in which the figure looks straight ahead, where performances begin."""
        pose = self.stand.sample([self.stand.start])[0]
        pose[TRAVEL] = 0.0
        return pose

    @cached_property
    def channels(self) -> Channels:
        """Meaning of the columns of its rows."""
        channels = self.stand.channels
        return Channels(channels.skeleton, np.array([0, self.gaze.neck, self.gaze.head]), (), channels.static)

    @cached_property
    def gaze(self) -> Gaze:
        """How it turns neck and head."""
        skeleton = self.stand.channels.skeleton
        neck, head = skeleton.index(self.neck), skeleton.index(self.head)
        above = int(skeleton.parents[neck])
        ahead = limb_frame(self.ahead, np.cross(UPRIGHT, self.ahead))
        turns = world_frames(self.stand.channels, self.pose[None])[1][0, [above, neck, head]]
        return Gaze(neck, head, above, quat.multiply(quat.conjugate(ahead), turns), np.array(self.limits))

    def parameters(self) -> tuple[Parameter, ...]:
        """Return its parameters: ``'x'``, ``'y'`` and ``'z'`` of the place, and the ``'seconds'`` of a turn."""
        eyes = world_frames(self.stand.channels, self.pose[None])[0][0, self.gaze.head]
        place = eyes + FAR * eyes[2] * np.array(self.ahead)
        coordinates = (Parameter(name, float(number)) for name, number in zip("xyz", place, strict=True))
        return (*coordinates, Parameter("seconds", TURNS, QUICKEST, SLOWEST))

    def claims(self, parameters: Values) -> Claims:
        """Return what it needs to itself: neck and head."""
        return Claims(frozenset({self.neck, self.head}))

    def begin(self, time: float, parameters: Values, after: Run | None = None) -> LookRun:
        """Return a look that begins at `time`; see `MotionModel`."""
        values, started = self.settings(parameters, {}), self.checked_start(time, after)
        before = _look(after).looking.glances if after is not None else ()
        return self._turned(before, values, started, started)

    def change(self, run: Run, time: float, parameters: Values) -> LookRun:
        """Return the look at another place from `time` on; see `MotionModel`. Seconds count for turns to come."""
        run, time = _look(run), max(self.checked_time(run, time), run.started)
        values = self.settings(parameters, run.parameters)
        if isfinite(run.ends) or all(values[name] == run.parameters[name] for name in "xyz"):
            return replace(run, parameters=values)
        return self._turned(run.looking.glances, values, time, run.started)

    def stop(self, run: Run, time: float) -> LookRun:
        """Return the look that ends with a turn to where the head is below."""
        run, time = _look(run), max(self.checked_time(run, time), run.started)
        if isfinite(run.ends):
            return run
        glance = Glance(time, float(run.parameters["seconds"]), None)
        looking = Looking(self, _told(run.looking.glances, glance), glance.end)
        return replace(run, tree=looking, looking=looking, ends=glance.end, calm=glance.end)

    def _turned(self, before: Sequence[Glance], values: dict[str, Value], time: float, started: float) -> LookRun:
        """Return a run that turns to the place among `values` from `time` on, after some glances."""
        place = float(values["x"]), float(values["y"]), float(values["z"])
        glance = Glance(time, float(values["seconds"]), place)
        looking = Looking(self, _told(before, glance))
        executes = next(one.end for one in looking.glances if one.begin >= started)
        return LookRun(self, values, started, looking, inf, glance.end, executes, looking)


def _told(before: Sequence[Glance], glance: Glance) -> tuple[Glance, ...]:
    """Return glances after one that is told last; what was to begin no earlier is given up for it."""
    return (*(one for one in before if one.begin < glance.begin), glance)


def _look(run: Run) -> LookRun:
    """Return a run as one of a look.

    Raises
    ------
    ClipError
        If it is a run of another model.
    """
    if not isinstance(run, LookRun):
        raise ClipError(f"'{run.model.name}' is not a look. Give its command to its own model.")
    return run
