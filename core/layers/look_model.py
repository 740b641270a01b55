"""The motion model look: a figure turns to a point in space, and keeps looking at it while it moves.

Some motion models take their surroundings as parameters ([Gruenvogel2003] section 4). This one has no clip: the
position of a point relative to the figure depends on the rest of the body. So it is computed over the rows of the
motion below, by `gaze.look_at`: joints such as neck and head share the rotation, each within an ellipse.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..aim.gaze import Gaze, GazeJoint, gaze_of, look_at
from ..errors import ClipError
from ..figure import quaternion as quat
from ..figure.channels import TRAVEL, Channels, level_rotations, rotations_of, with_rotations
from ..figure.vector_components import smooth
from ..graph.overlay import Below
from ..motion.clip import Mark, Motion
from .claims import Claims
from .motion_model import MotionModel, Parameter, Run, Value, Values

Array = NDArray[np.float64]

NECK, HEAD = GazeJoint("Neck", 3.0, 0.4, 0.6, 0.0), GazeJoint("Head", 4.0, 0.5, 0.8, 0.0)
"""Joints that rotate by default."""
TURNS = 0.6
"""Default duration of a turn in seconds."""
QUICKEST, SLOWEST = 0.1, 10.0
"""Bounds of this duration."""
FAR = 10.0
"""Distance of the default point straight ahead, in multiples of the eyes' height."""


@dataclass(frozen=True)
class Glance:
    """A turn to a point.

    Parameters
    ----------
    begin : start time in seconds.
    seconds : duration.
    place : x, y and z, performance units; None for the direction of the head in the motion below.
    """

    begin: float
    seconds: float
    place: tuple[float, float, float] | None

    @property
    def end(self) -> float:
        """End time in seconds."""
        return self.begin + self.seconds


@dataclass(frozen=True, eq=False)
class Looking:
    """A sequence of turns to points: a motion of the rotating joints, over standing if there is no motion below.

    Parameters
    ----------
    model : the motion model.
    glances : turns in order of time.
    ends : time in seconds after which it no longer changes.
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
        """Whether it moves the root."""
        return False

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """Return no keytimes and no contacts."""
        return ()

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds, of a figure that stands at the start of performances."""
        clock, model = np.asarray(times, dtype=np.float64), self.model
        stands = np.tile(model.pose, (len(clock), 1))
        flat, phases, alone = np.zeros(len(clock)), np.zeros((2, len(clock))), np.ones(len(clock))
        return self.over(Below(model.stand.channels, clock, stands, flat, phases, alone))

    def over(self, below: Below) -> Array:
        """Return values (T, width) over rows of the motion below."""
        clock = np.minimum(below.times, self.ends)
        own = level_rotations(below.channels, below.values)[:, self.model.turning]
        turned, glances = own, self._heard(clock)
        goals = iter(self._goals([glance.place for glance in glances if glance.place is not None], below))
        for glance in glances:
            goal = own if glance.place is None else next(goals)
            share = np.asarray(smooth(np.clip((clock - glance.begin) / glance.seconds, 0.0, 1.0)))[:, None, None]
            turned = quat.multiply(turned, quat.exp(share * quat.log(quat.multiply(quat.conjugate(turned), goal))))
        channels = self.model.channels
        values = np.zeros((len(clock), channels.width))
        rotations = rotations_of(channels, values)
        rotations[:, 0], rotations[:, 1:] = quat.IDENTITY, turned
        return with_rotations(channels, values, rotations)

    def _heard(self, clock: Array) -> tuple[Glance, ...]:
        """Return, in order, the glances that have an effect at any of the times `clock` (T,)."""
        first, last = float(clock.min(initial=inf)), float(clock.max(initial=-inf))
        past = [number for number, glance in enumerate(self.glances) if glance.end <= first]
        return tuple(glance for glance in self.glances[past[-1] if past else 0 :] if glance.begin < last)

    def _goals(self, places: Sequence[tuple[float, float, float]], below: Below) -> Array:
        """Return the rotations (N, T, joints, 4) that look at N points over rows of the motion below."""
        model, count = self.model, len(places)
        if not places:
            return np.empty((0, len(below.times), len(model.turning), 4))
        targets = np.repeat(np.array(places), len(below.times), axis=0)
        targets[:, 2] -= np.tile(below.heights, count)
        made = look_at(model.gaze, below.channels, np.tile(below.values, (count, 1)), targets)
        found = level_rotations(below.channels, made.rows)[:, model.turning]
        return found.reshape(count, len(below.times), -1, 4)


@dataclass(frozen=True)
class LookRun(Run):
    """A run of a look.

    Parameters
    ----------
    looking : its turns, and those of earlier runs.
    """

    looking: Looking

    def rows(self, below: Below) -> Array:
        """Return rows (T, width of the tree's channels) over the motion below."""
        return replace(self.looking, ends=self.ends).over(below)


@dataclass(frozen=True, eq=False)
class LookModel(MotionModel):
    """A look at a point in space, given in the space in which the figure moves.

    Parameters
    ----------
    stand : a motion at whose beginning the figure looks straight ahead.
    ahead : (3,) direction straight ahead at heading 0; horizontal.
    joints : joints that rotate, from the trunk outwards, the head last.
    eyes : names of the eye joints, which rotate after the head.
    name : its name in messages.

    Raises
    ------
    RigError
        If the figure has no such joints, or they cannot be used; see `gaze.gaze_of`.
    """

    stand: Motion
    ahead: tuple[float, float, float]
    joints: tuple[GazeJoint, ...] = (NECK, HEAD)
    eyes: tuple[str, ...] = ()
    name: str = "look"

    def __post_init__(self) -> None:
        self.parameters()

    @cached_property
    def pose(self) -> Array:
        """Pose (width,) in which the figure looks straight ahead, at the start of performances."""
        pose = self.stand.sample([self.stand.start])[0]
        pose[TRAVEL] = 0.0
        return pose

    @cached_property
    def channels(self) -> Channels:
        """Meaning of the columns of its rows."""
        channels = self.stand.channels
        return Channels(channels.skeleton, np.append(np.intp(0), self.turning), (), channels.static)

    @cached_property
    def turning(self) -> NDArray[np.intp]:
        """Joints that rotate."""
        return np.array([joint for joint, _ in self.gaze.own.channels], dtype=np.intp)

    @cached_property
    def gaze(self) -> Gaze:
        """Rotating joints and their ranges."""
        channels = self.stand.channels
        pose = level_rotations(channels, self.pose[None])[0]
        return gaze_of(channels.skeleton, pose, self.ahead, self.joints, self.eyes)

    def parameters(self) -> tuple[Parameter, ...]:
        """Return its parameters: ``'x'``, ``'y'`` and ``'z'`` of the point, and the ``'seconds'`` of a turn."""
        head = self.gaze.head
        eyes = np.array(head.ray(head.frames(self.stand.channels, self.pose[None])).origins)
        place = eyes + FAR * eyes[2] * np.array(self.ahead)
        coordinates = (Parameter(name, float(number)) for name, number in zip("xyz", place, strict=True))
        return (*coordinates, Parameter("seconds", TURNS, QUICKEST, SLOWEST))

    def claims(self, parameters: Values) -> Claims:
        """Return its claims: the joints that rotate."""
        return Claims(frozenset((*(one.name for one in self.joints), *self.eyes)))

    def begin(self, time: float, parameters: Values, after: Run | None = None) -> LookRun:
        """Return a look that begins at `time`; see `MotionModel`."""
        values, started = self.settings(parameters, {}), self.checked_start(time, after)
        before = _look(after).looking.glances if after is not None else ()
        return self._turned(before, values, started, started)

    def change(self, run: Run, time: float, parameters: Values) -> LookRun:
        """Return the look at another point from `time` on; see `MotionModel`. The duration applies to future turns."""
        run, time = _look(run), max(self.checked_time(run, time), run.started)
        values = self.settings(parameters, run.parameters)
        if isfinite(run.ends) or all(values[name] == run.parameters[name] for name in "xyz"):
            return replace(run, parameters=values)
        return self._turned(run.looking.glances, values, time, run.started)

    def stop(self, run: Run, time: float) -> LookRun:
        """Return the look that ends with a turn to the head's direction in the motion below."""
        run, time = _look(run), max(self.checked_time(run, time), run.started)
        if isfinite(run.ends):
            return run
        glance = Glance(time, float(run.parameters["seconds"]), None)
        looking = Looking(self, _told(run.looking.glances, glance), glance.end)
        return replace(run, tree=looking, looking=looking, ends=glance.end, calm=glance.end)

    def _turned(self, before: Sequence[Glance], values: dict[str, Value], time: float, started: float) -> LookRun:
        """Return a run that turns to the point in `values` from `time` on, after earlier glances."""
        place = float(values["x"]), float(values["y"]), float(values["z"])
        glance = Glance(time, float(values["seconds"]), place)
        looking = Looking(self, _told(before, glance))
        executes = next(one.end for one in looking.glances if one.begin >= started)
        return LookRun(self, values, started, looking, inf, glance.end, executes, looking)


def _told(before: Sequence[Glance], glance: Glance) -> tuple[Glance, ...]:
    """Return the glances `before` and then `glance`, which replaces those that begin at the same time or later."""
    return (*(one for one in before if one.begin < glance.begin), glance)


def _look(run: Run) -> LookRun:
    """Return a run as a look run.

    Raises
    ------
    ClipError
        If it is a run of another model.
    """
    if not isinstance(run, LookRun):
        raise ClipError(f"'{run.model.name}' is not a look. Send its command to its own model.")
    return run
