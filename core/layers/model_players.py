"""Players of motion models: in a layer over another motion, or as the motion below layers."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from ..errors import LayerError
from ..figure import quaternion as quat
from ..figure.channels import Channels, columns_in
from ..figure.knee_hinges import ExamplePoses
from ..figure.lock_point import LockPoint
from ..graph.overlay import Below
from ..play.player import AskAdverbs, AskPlays, Handles
from .layer import POSES, Layer, PlaysVerb
from .layer_set import layer_set, widened
from .layer_stack import LayerSet, Table
from .motion_model import MotionModel, Parameter, Run, Value, Values

Array = NDArray[np.float64]

LONG = 10.0
"""Seconds after the start phase of a motion model in which every contact point is in contact at least once."""


@dataclass(frozen=True, eq=False)
class PlaysModel:
    """A motion model that a layer plays, such as a wave; it implements `Plays`.

    Its numeric parameters are sliders, named after the model and the parameter, such as ``'wave speed'``, since most
    models have parameters of the same names.

    Parameters
    ----------
    model : the motion model.
    parameters : initial values of its parameters, if not the defaults.
    reference : rotation (4,) of the root at heading 0, in its clips.

    Raises
    ------
    ClipError
        If a parameter is unknown or out of its bounds.
    """

    model: MotionModel
    parameters: Values = field(default_factory=dict[str, Value])
    reference: Array = field(default_factory=lambda: quat.IDENTITY)

    def __post_init__(self) -> None:
        self.model.settings(self.parameters, {})

    @cached_property
    def _whole(self) -> Run:
        """A run that ends: stopped after its start phase, if it would not end by itself."""
        run = self.model.begin(0.0, self.parameters)
        return run if isfinite(run.ends) else self.model.stop(run, run.executes)

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of its rows."""
        return self._whole.tree.channels

    @property
    def adverbs(self) -> Mapping[str, float]:
        """Initial values of the sliders of its numeric parameters."""
        values = self.model.settings(self.parameters, {})
        return {slider: float(values[one.name]) for slider, one in sliders_of(self.model).items()}

    @property
    def heeds_places(self) -> bool:
        """Always True: a model may look or point at a place, or keep a foot on it."""
        return True

    @property
    def usual(self) -> Array:
        """Rows (K, width) from its beginning to its end."""
        return self._whole.tree.sample(np.linspace(0.0, self._whole.ends, POSES))

    def begin(self, time: float, adverbs: Mapping[str, float], settle: float) -> "RunPlayer":
        """Return a player that starts at `time`; models make their parameters settle themselves."""
        return RunPlayer(self.model, time, {**self.parameters, **told_by(self.model, adverbs)})


def sliders_of(model: MotionModel) -> dict[str, Parameter]:
    """Return the numeric parameters of a model by the names of their sliders."""
    return {f"{model.name} {one.name}": one for one in model.parameters() if not one.choices}


def told_by(model: MotionModel, adverbs: Mapping[str, float]) -> dict[str, float]:
    """Return values of a model's parameters from its sliders among some adverbs, clamped to its bounds."""
    found: dict[str, float] = {}
    for slider, parameter in sliders_of(model).items():
        if slider in adverbs:
            value = min(max(adverbs[slider], parameter.lowest), parameter.highest)
            found[parameter.name] = float(round(value)) if parameter.whole else value
    return found


class RunPlayer:
    """Plays a motion model in a layer by its runs; commands take effect as defined by the model.

    Parameters
    ----------
    model : the motion model.
    time : start time in seconds.
    parameters : initial values of its parameters.
    """

    def __init__(self, model: MotionModel, time: float, parameters: Values) -> None:
        self._model, self._time = model, time
        self._run, self._before = model.begin(time, parameters), list[Run]()

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of its rows."""
        return self._run.tree.channels

    @property
    def run(self) -> Run:
        """The run that plays, or will play when those before it are over."""
        return self._run

    def hear(self, time: float, what: AskAdverbs | AskPlays | Handles) -> None:
        """Change the parameters whose sliders move at the present time; models keep their own tempo."""
        self._time = time
        if not isinstance(what, AskAdverbs):
            return
        told = told_by(self._model, what.values)
        news = {name: value for name, value in told.items() if value != self._run.parameters[name]}
        if news and time < self._run.ends:
            self._run = self._model.change(self._run, time, news)

    def play(self, until: float) -> None:
        """Advance to a time."""
        self._time = max(self._time, until)

    def left(self) -> float:
        """Return the seconds until it ends by itself; infinite if it plays until it is stopped."""
        return max(self._run.ends - self._time, 0.0)

    def forget(self, before: float) -> None:
        """Discard the runs that were over before a time. Trees are short, and are kept whole."""
        self._before = [run for run in self._before if run.ends > before]

    def finish(self) -> None:
        """Let it finish properly, and cancel a repetition that has not begun."""
        while self._before and self._time < self._run.started:
            self._run = self._before.pop()
        if self._time < self._run.ends:
            self._run = self._model.stop(self._run, self._time)

    def again(self) -> None:
        """Start it once more when it is over, if it ever is."""
        if isfinite(self._run.ends):
            self._before.append(self._run)
            self._run = self._model.begin(self._time, self._run.parameters, self._run)

    def rows(self, below: Below) -> Array:
        """Return rows (T, width of its channels) at the times of the motion below."""
        return self._run.rows(below)

    def fork(self) -> "RunPlayer":
        """Return an independent copy that continues from the present."""
        made = copy(self)
        made._before = list(self._before)
        return made


@dataclass(frozen=True, eq=False)
class LayeredModel:
    """A motion model that moves a figure over the floor, and layers over it.

    Parameters
    ----------
    model : the motion model.
    channels : channels of the rows, including those of the model and of all layers.
    columns : index, in these rows, of each column of the model's trees.
    resting : (width,) values of the columns that the model does not move.
    points : contact points of the model, in the order of their bits.
    poses : poses from which the bending of knees is learnt.
    layers : the layers.
    """

    model: MotionModel
    channels: Channels
    columns: NDArray[np.intp]
    resting: Array
    points: tuple[LockPoint, ...]
    poses: ExamplePoses
    layers: LayerSet

    def rows(self, run: Run, times: Array) -> Array:
        """Return rows (T, width) of a run of the model, without layers."""
        return _filled(run, times, self.columns, self.resting)


def layered_model(
    model: MotionModel,
    layers: Sequence[Layer],
    table: Table | None = None,
    reference: Array | None = None,
    points: Sequence[LockPoint] = (),
) -> LayeredModel:
    """Return a motion model with layers over it.

    Parameters
    ----------
    model : the motion model.
    layers : layers from the lowest to the highest.
    table : as for `LayerSet`.
    reference : rotation (4,) of the root at heading 0, in the model's clips; None if it is not rotated.
    points : contact points of the model. The name of a point that is not given begins with the name of its joint.

    Raises
    ------
    LayerError
            If two layers have the same name, or one is of another figure, is invalid by itself, or follows the motion
            below; or if the joint of a point is unknown.
    """
    for layer in layers:
        if isinstance(layer.plays, PlaysVerb) and layer.plays.follows:
            raise LayerError(
                f"Layer '{layer.name}' cannot keep step with '{model.name}', which is not a verb. Let it play freely."
            )
    run = model.begin(0.0, {})
    whole, scalars = widened(run.tree.channels, layers)
    resting = np.concatenate(
        [np.zeros(whole.rotation_columns.start), whole.static[whole.rotating].reshape(-1), scalars]
    )
    until, columns = run.executes + LONG, columns_in(run.tree.channels, whole)
    usual = _filled(run, np.linspace(run.executes, until, POSES), columns, resting)
    stand = {mark.name for mark in run.tree.marks_within(0.0, until) if mark.kind == "contact"}
    laid = layer_set(layers, table or {}, whole, quat.IDENTITY if reference is None else reference, usual)
    held = tuple(_point(name, points, model, whole) for name in sorted(stand))
    return LayeredModel(model, whole, columns, resting, held, ExamplePoses(usual, whole.scalar_columns), laid)


def _point(name: str, points: Sequence[LockPoint], model: MotionModel, whole: Channels) -> LockPoint:
    """Return the point called `name`, or else one at the joint with whose name `name` begins."""
    given = next((point for point in points if point.name == name), None)
    if given is not None:
        return given
    joint = max((joint for joint in whole.skeleton.names if name.startswith(joint)), key=len, default=None)
    if joint is None:
        raise LayerError(f"'{name}' of '{model.name}' is in contact, but no bone has its name. Say what carries it.")
    return LockPoint(name, whole.skeleton.index(joint), np.zeros(3))


def _filled(run: Run, times: Array, columns: NDArray[np.intp], resting: Array) -> Array:
    """Return rows (T, width) of a run in wider channels, at rest except for the `columns` of the run."""
    values = np.tile(resting, (len(times), 1))
    values[:, columns] = run.tree.sample(times)
    return values
