"""Motion models that play: over whatever lies below in a layer, or as what lies below itself."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..graph.overlay import Below
from ..play.player import AskAdverbs, Handles
from .motion_model import MotionModel, Parameter, Run, Values

Array = NDArray[np.float64]

POSES = 48
"""Poses of a motion model from which it is learnt how it usually turns joints."""


def _no_values() -> Values:
    return {}


def _unturned() -> Array:
    return np.array([1.0, 0.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False)
class PlaysModel:
    """A motion model that a layer plays, such as a wave: what a layer `Plays`.

    Numbers among its parameters are sliders, which are called by the model's name and the parameter's, as in
    ``'wave speed'``, for most models have parameters of the same names.

    Parameters
    ----------
    model : the motion model.
    parameters : values of its parameters to begin with, where they are not the defaults.
    reference : rotation (4,) of the root at heading 0, in its clips.

    Raises
    ------
    ClipError
        If it has no such parameter, or one is out of its bounds.
    """

    model: MotionModel
    parameters: Values = field(default_factory=_no_values)
    reference: Array = field(default_factory=_unturned)

    def __post_init__(self) -> None:
        self.model.settings(self.parameters, {})

    @cached_property
    def _whole(self) -> Run:
        """A run that ends: stopped as soon as its start is over, if it would not end by itself."""
        run = self.model.begin(0.0, self.parameters)
        return run if isfinite(run.ends) else self.model.stop(run, run.executes)

    @property
    def channels(self) -> Channels:
        """What the columns of its rows mean."""
        return self._whole.tree.channels

    @property
    def adverbs(self) -> Mapping[str, float]:
        """Sliders of those parameters that are numbers, at what they begin with."""
        values = self.model.settings(self.parameters, {})
        return {slider: float(values[one.name]) for slider, one in sliders_of(self.model).items()}

    @property
    def usual(self) -> Array:
        """Rows (K, width) that it has from its beginning to its end."""
        return self._whole.tree.sample(np.linspace(0.0, self._whole.ends, POSES))

    def begin(self, time: float, adverbs: Mapping[str, float], settle: float) -> "RunPlayer":
        """Return what plays it from `time` on; models see for themselves that their parameters settle."""
        return RunPlayer(self.model, time, {**self.parameters, **told_by(self.model, adverbs)})


def sliders_of(model: MotionModel) -> dict[str, Parameter]:
    """Return those parameters of a model that are numbers, by the names of their sliders."""
    return {f"{model.name} {one.name}": one for one in model.parameters() if not one.choices}


def told_by(model: MotionModel, adverbs: Mapping[str, float]) -> dict[str, float]:
    """Return values of a model's parameters from its sliders among some adverbs, as near as its bounds allow."""
    found: dict[str, float] = {}
    for slider, parameter in sliders_of(model).items():
        if slider in adverbs:
            value = min(max(adverbs[slider], parameter.lowest), parameter.highest)
            found[parameter.name] = float(round(value)) if parameter.whole else value
    return found


class RunPlayer:
    """Plays a motion model in a layer, by its runs: what is told to it takes effect as the model has it.

    Parameters
    ----------
    model : the motion model.
    time : seconds at which it begins.
    parameters : values of its parameters to begin with.
    """

    def __init__(self, model: MotionModel, time: float, parameters: Values) -> None:
        self._model, self._time = model, time
        self._run, self._before = model.begin(time, parameters), list[Run]()

    @property
    def channels(self) -> Channels:
        """What the columns of its rows mean."""
        return self._run.tree.channels

    @property
    def run(self) -> Run:
        """The run that plays, or that will when those before it are over."""
        return self._run

    def hear(self, time: float, what: AskAdverbs | Handles) -> None:
        """Change those parameters whose sliders are moved at the present time; models keep their own tempo."""
        self._time = time
        if isinstance(what, Handles):
            return
        told = told_by(self._model, what.values)
        news = {name: value for name, value in told.items() if value != self._run.parameters[name]}
        if news and time < self._run.ends:
            self._run = self._model.change(self._run, time, news)

    def play(self, until: float) -> None:
        """Play up to a time."""
        self._time = max(self._time, until)

    def left(self) -> float:
        """Return the seconds until it is over by itself; infinite if it goes on until it is stopped."""
        return max(self._run.ends - self._time, 0.0)

    def forget(self, before: float) -> None:
        """Forget the runs that were over before a time. A tree is short, and is kept as it is."""
        self._before = [run for run in self._before if run.ends > before]

    def finish(self) -> None:
        """Let it finish properly; what has been asked for once more, and has not begun, is given up."""
        while self._before and self._time < self._run.started:
            self._run = self._before.pop()
        if self._time < self._run.ends:
            self._run = self._model.stop(self._run, self._time)

    def again(self) -> None:
        """Let it be started once more when it is over, if it ever is."""
        if isfinite(self._run.ends):
            self._before.append(self._run)
            self._run = self._model.begin(self._time, self._run.parameters, self._run)

    def rows(self, below: Below) -> Array:
        """Return rows (T, width of its channels) at the times of what lies below."""
        return self._run.tree.sample(below.times)

    def fork(self) -> "RunPlayer":
        """Return one that goes on by itself from the present."""
        made = copy(self)
        made._before = list(self._before)
        return made
