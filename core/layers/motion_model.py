"""Motion models: kinds of motion that are started, changed and stopped by commands ([Gruenvogel2003] sections 4 to 6).

A model turns commands into a motion tree, an expression of clips and operators on them. A run is one performance of a
model. Everything is immutable: a command returns a new run and leaves the old one unchanged, so forking runs is free.

In the paper a new tree replaces the old one, and the past is forgotten. Here a tree must also give the past, since a
timeline may request any frame. So the tree of a run is the succession of all its trees, each from its own start time;
only the last of them is printed, as in the paper.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, isfinite
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ClipError, quoted
from ..figure.channels import HEIGHT, TRAVEL, Channels, climb
from ..graph.overlay import Below
from ..motion.clip import Mark, Motion, end_of, in_order, joined
from ..motion.clip_operators import Part
from ..motion.travel import compose, relative
from .claims import Claims

Array = NDArray[np.float64]
Value = float | str
Values = Mapping[str, Value]
State = Literal["waiting", "started", "executing", "finished"]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a motion model: a number within bounds, or one of several words.

    Parameters
    ----------
    name : its name in commands.
    default : its value if a command gives none.
    lowest, highest : bounds of a number.
    choices : words to choose from; empty for a number.
    whole : whether it is a whole number.
    """

    name: str
    default: Value
    lowest: float = -inf
    highest: float = inf
    choices: tuple[str, ...] = ()
    whole: bool = False

    def checked(self, value: Value, model: str) -> Value:
        """Return a checked value, numbers as floats.

        Raises
        ------
        ClipError
            If the value is invalid.
        """
        if self.choices:
            if value not in self.choices:
                told = quoted(self.choices, 12)
                raise ClipError(f"'{model}' has no {self.name} '{value}', only {told}. Choose one of these.")
            return value
        if isinstance(value, str) or not isfinite(value) or (self.whole and value != round(value)):
            kind = "whole number" if self.whole else "number"
            raise ClipError(f"The {self.name} of '{model}' cannot be '{value}'. Give a {kind}.")
        if not self.lowest <= value <= self.highest:
            raise ClipError(
                f"The {self.name} of '{model}' cannot be {value:g}. "
                f"Choose a number from {self.lowest:g} to {self.highest:g}."
            )
        return float(value)


@dataclass(frozen=True)
class Stage:
    """A motion tree that replaced another one.

    Parameters
    ----------
    begin : time in seconds from which it is played.
    motion : the tree.
    place : (3,) position of the figure at `begin`: x, y and heading.
    own : (3,) position in the tree by itself at that time: x, y and heading.
    rise : height climbed before `begin`.
    """

    begin: float
    motion: Motion
    place: tuple[float, ...] = (0.0, 0.0, 0.0)
    own: tuple[float, ...] = (0.0, 0.0, 0.0)
    rise: float = 0.0

    def sample(self, times: Array) -> Array:
        """Return values (T, width) at `times` (T,) in seconds."""
        values = self.motion.sample(times)
        values[:, TRAVEL] = compose(np.array(self.place), relative(np.array(self.own), values[:, TRAVEL]))
        climb(self.motion.channels, values, self.rise)
        return values


@dataclass(frozen=True)
class Succession:
    """Motion trees that replace each other, all with the same channels; the figure continues from its position.

    Parameters
    ----------
    stages : one or more, in order of time.
    """

    stages: tuple[Stage, ...]

    def __str__(self) -> str:
        return str(self.stages[-1].motion)

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of sampled values."""
        return self.stages[0].motion.channels

    @property
    def start(self) -> float:
        """Time of the beginning in seconds."""
        return self.stages[0].begin

    @property
    def duration(self) -> float:
        """Duration in seconds, which may be infinite."""
        return end_of(self.stages[-1].motion) - self.start

    @property
    def moves_root(self) -> bool:
        """Whether any tree moves the root."""
        return any(stage.motion.moves_root for stage in self.stages)

    @cached_property
    def _begins(self) -> Array:
        return np.array([stage.begin for stage in self.stages])

    def marks_within(self, begin: float, end: float) -> tuple[Mark, ...]:
        """Return keytimes and contacts that overlap the seconds from `begin` to `end`, in order of time."""
        found: list[Mark] = []
        ends = [stage.begin for stage in self.stages[1:]]
        for stage, low, high in zip(self.stages, [-inf, *ends], [*ends, inf], strict=True):
            low, high = max(low, begin), min(high, end)
            for mark in stage.motion.marks_within(low, high) if low <= high else ():
                if mark.kind == "contact":
                    found.append(replace(mark, start=max(mark.start, low), end=min(mark.end, high)))
                elif low <= mark.start < high or mark.start == end:
                    found.append(mark)
        return in_order(joined(found))

    def sample(self, times: ArrayLike) -> Array:
        """Return values (T, width) at `times` (T,) in seconds."""
        clock = np.asarray(times, dtype=np.float64)
        which = np.maximum(np.searchsorted(self._begins, clock, side="right") - 1, 0)
        values = np.empty((len(clock), self.channels.width))
        for number in np.unique(which).tolist():
            rows = which == number
            values[rows] = self.stages[number].sample(clock[rows])
        return values

    def then(self, begin: float, motion: Motion, climbs: bool = True) -> "Succession":
        """Return the succession in which `motion` replaces everything from `begin` on.

        If it `climbs`, it starts in the pose that is visible at `begin`, and a difference in height counts as climbed
        before.
        """
        kept = tuple(stage for stage in self.stages if stage.begin < begin)
        if not kept:
            return Succession((Stage(begin, motion),))
        place, own = kept[-1].sample(np.array([begin]))[0], motion.sample([begin])[0]
        places = [tuple(row[TRAVEL].tolist()) for row in (place, own)]
        rise = float(place[HEIGHT] - own[HEIGHT]) if climbs else kept[-1].rise
        return Succession((*kept, Stage(begin, motion, *places, rise=rise)))


@dataclass(frozen=True)
class Run:
    """One performance of a motion model, after some commands.

    Parameters
    ----------
    model : the model.
    parameters : values of all of its parameters.
    started : start time in seconds.
    tree : its motion tree, valid from then on.
    ends : end time in seconds; infinite until it is stopped, if it does not end by itself.
    calm : time in seconds from which the last command is fully in effect.
    executes : end time of its start phase in seconds.
    """

    model: "MotionModel"
    parameters: Values
    started: float
    tree: Motion
    ends: float
    calm: float
    executes: float

    def state(self, time: float) -> State:
        """Return its state at a time; ``'started'`` is the start phase."""
        if time < self.started:
            return "waiting"
        if time >= self.ends:
            return "finished"
        return "started" if time < self.executes else "executing"

    def rows(self, below: Below) -> Array:
        """Return rows (T, width of the tree's channels) over the motion below, which most models ignore."""
        return self.tree.sample(below.times)


def past_of(run: Run) -> Succession:
    """Return the motion trees of a run; after a hard stop, its single tree."""
    return run.tree if isinstance(run.tree, Succession) else Succession((Stage(run.tree.start, run.tree),))


class MotionModel:
    """A kind of motion that can be used on its own: it visibly starts, is executed, and finishes.

    Subclasses set `name`, and implement `parameters`, `claims`, `begin`, `change` and `stop`. Each command returns a
    run whose tree equals that of the previous run until the time of the command; no other state is kept. Trees are
    built at each command, so building one must be cheap: operators do their work when they are sampled.
    """

    name: str

    def parameters(self) -> tuple[Parameter, ...]:
        """Return its parameters, with defaults and bounds."""
        raise NotImplementedError

    def claims(self, parameters: Values) -> Claims:
        """Return its claims for some parameters."""
        raise NotImplementedError

    def begin(self, time: float, parameters: Values, after: Run | None = None) -> Run:
        """Return a run that starts at `time`, continuing from the end of the run `after` of the same model.

        Raises
        ------
        ClipError
            If a parameter is unknown or out of its bounds, or the previous run has not ended.
        """
        raise NotImplementedError

    def rest(self, time: float) -> Run:
        """Return the motion before the first start: a run that has ended at `time`, in its initial pose.

        A run that continues from it behaves as if it continued from a run that was stopped at `time`.
        """
        return self.stop_hard(self.begin(time, {}), time)

    def change(self, run: Run, time: float, parameters: Values) -> Run:
        """Return the run with some parameters changed at `time`, or as soon after as the motion allows.

        Raises
        ------
        ClipError
            If a parameter is unknown or out of its bounds, or the run has ended.
        """
        raise NotImplementedError

    def stop(self, run: Run, time: float) -> Run:
        """Return the run commanded at `time` to finish properly.

        Raises
        ------
        ClipError
            If it has ended.
        """
        raise NotImplementedError

    def stop_hard(self, run: Run, time: float) -> Run:
        """Return the run that ends at `time` in its present pose.

        Raises
        ------
        ClipError
            If it has ended.
        """
        time = max(self.checked_time(run, time), run.started)
        tree = Part(run.tree.start, time, run.tree)
        return replace(run, tree=tree, ends=time, calm=min(run.calm, time), executes=min(run.executes, time))

    def settings(self, given: Values, before: Values) -> dict[str, Value]:
        """Return the values of all parameters: those given, otherwise those `before`, otherwise their defaults.

        Raises
        ------
        ClipError
            If a parameter is unknown or out of its bounds.
        """
        known = {parameter.name: parameter for parameter in self.parameters()}
        strange = [name for name in given if name not in known]
        if strange:
            told = f"only {quoted(known, 12)}. Choose one of these." if known else "and no other. Leave it out."
            raise ClipError(f"'{self.name}' has no parameter {quoted(strange)}, {told}")
        values = {name: parameter.default for name, parameter in known.items()} | dict(before)
        return values | {name: known[name].checked(value, self.name) for name, value in given.items()}

    def checked_time(self, run: Run, time: float) -> float:
        """Return the checked time of a command.

        Raises
        ------
        ClipError
            If it is not finite, or the run has ended by then.
        """
        self.checked_start(time)
        if time >= run.ends:
            raise ClipError(
                f"'{self.name}' has ended at {run.ends:g} s, and so it takes no command at {time:g} s. Start it again."
            )
        return time

    def checked_start(self, time: float, after: Run | None = None) -> float:
        """Return the start of a run commanded at `time`: not before the end of the run `after` that it continues.

        Raises
        ------
        ClipError
            If it is not finite, or the previous run has not been stopped.
        """
        if not isfinite(time):
            raise ClipError(f"'{self.name}' takes no command at {time:g} s. Give a time in seconds.")
        if after is None:
            return time
        if not isfinite(after.ends):
            raise ClipError(f"'{self.name}' is still running at {time:g} s. Stop it before you start it again.")
        return max(time, after.ends)
