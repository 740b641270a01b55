"""Motion models that play: over whatever lies below in a layer, or as what lies below itself.

In [Gruenvogel2003] the motion controller builds the motion tree of the whole figure from those of all models whenever
one is commanded. Here only the tree of that one is built anew, and rows are mixed from the lowest to the highest.
"""

from bisect import insort
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import LayerError
from ..figure import quaternion as quat
from ..figure.channels import Channels, columns_in
from ..graph.overlay import Below
from ..play.adverb_smoothing import checked_adverbs
from ..play.graph_player import SETTLE
from ..play.piece import Piece
from ..play.player import AskAdverbs, Asked, AskLayer, AskModel, Handles, Happening, Stretch, check_layer
from .layer import POSES, Layer, PlaysVerb
from .layer_set import LayerSet, Table, layer_set, widened
from .motion_model import MotionModel, Parameter, Run, Value, Values

Array = NDArray[np.float64]

LONG = 10.0
"""Seconds of a motion model, after its start is over, in which every point is once in contact that ever is."""


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
    parameters: Values = field(default_factory=dict[str, Value])
    reference: Array = field(default_factory=lambda: quat.IDENTITY)

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


@dataclass(frozen=True, eq=False)
class LayeredModel:
    """A motion model that moves a figure over the floor, and layers that can be laid over it.

    Parameters
    ----------
    model : the motion model.
    channels : of the rows, which have those of the model and of all layers.
    columns : where each column of the model's trees is among those.
    resting : (width,) values of the columns that the model does not move.
    points : names of the points that it has in contact, in the order of their bits.
    layers : the layers.
    """

    model: MotionModel
    channels: Channels
    columns: NDArray[np.intp]
    resting: Array
    points: tuple[str, ...]
    layers: LayerSet

    def rows(self, run: Run, times: Array) -> Array:
        """Return rows (T, width) of a run of the model, without layers."""
        return _filled(run, times, self.columns, self.resting)


def layered_model(
    model: MotionModel, layers: Sequence[Layer], table: Table | None = None, reference: Array | None = None
) -> LayeredModel:
    """Return a motion model over which layers can be laid.

    Parameters
    ----------
    model : the motion model.
    layers : from the lowest to the highest.
    table : as of `LayerSet`.
    reference : rotation (4,) of the root at heading 0, in the model's clips; none if it is not turned.

    Raises
    ------
    LayerError
        If two layers have the same name, or one is of another figure, or does not do by itself, or is to keep step.
    """
    for layer in layers:
        if isinstance(layer.plays, PlaysVerb) and layer.plays.follows:
            raise LayerError(
                f"Layer '{layer.name}' cannot keep step with '{model.name}', which is no verb. Let it play by itself."
            )
    run = model.begin(0.0, {})
    whole, scalars = widened(run.tree.channels, layers)
    resting = np.concatenate(
        [np.zeros(whole.rotation_columns.start), whole.static[whole.rotating].reshape(-1), scalars]
    )
    until, columns = run.executes + LONG, columns_in(run.tree.channels, whole)
    usual = _filled(run, np.linspace(run.executes, until, POSES), columns, resting)
    points = {mark.name for mark in run.tree.marks_within(0.0, until) if mark.kind == "contact"}
    laid = layer_set(layers, table or {}, whole, quat.IDENTITY if reference is None else reference, usual)
    return LayeredModel(model, whole, columns, resting, tuple(sorted(points)), laid)


def _filled(run: Run, times: Array, columns: NDArray[np.intp], resting: Array) -> Array:
    """Return rows (T, width) of a run in wider channels, which are as they rest but for the `columns` of the run."""
    values = np.tile(resting, (len(times), 1))
    values[:, columns] = run.tree.sample(times)
    return values


class ModelPlayer:
    """Plays a motion model, such as a walk, with layers over it: a `Player`.

    Until the model is started first, the figure is as the model rests. What is climbed is part of the root's height,
    and the ground counts as level.

    Parameters
    ----------
    figure : what it plays.
    adverbs : sliders of the layers to begin with, by name.
    settle : seconds in which a slider that jumps settles; 0 to let it jump.

    Attributes
    ----------
    time : seconds up to which it has played.
    """

    def __init__(
        self, figure: LayeredModel, adverbs: Mapping[str, float] | None = None, settle: float = SETTLE
    ) -> None:
        self.figure, self.time = figure, 0.0
        self._run = figure.model.rest(0.0)
        self._over = figure.layers.overlay(checked_adverbs(adverbs or {}), settle)
        self._waiting: list[tuple[float, Asked]] = []

    @property
    def channels(self) -> Channels:
        """What the columns of the rows mean."""
        return self.figure.channels

    @property
    def run(self) -> Run:
        """The run of the model, with the motion tree of all that it has been told."""
        return self._run

    @property
    def layers(self) -> tuple[str, ...]:
        """Names of the layers that play, from the lowest to the highest."""
        return self._over.playing

    def weights(self, times: Array) -> Mapping[str, Array]:
        """Return the weights (T,) of all layers by name, at `times` (T,) of the last stretch or a second more."""
        return self._over.weights(times)

    def command(self, time: float, what: Asked) -> None:
        """Ask for something; what cannot be done changes nothing.

        Parameters
        ----------
        time : at which it takes effect, not before the present; at the present it does so at once.
        what : for the model, a layer, or sliders of layers.

        Raises
        ------
        ClipError
            If the model cannot do it, or is not in the state for it. For a later time `play` raises the latter.
        LayerError
            If there is no such layer, or it is something that a figure without verbs is not asked for.
        VerbError
            If a slider is not a finite number.
        """
        if isinstance(what, AskAdverbs):
            what = what.checked()
        elif isinstance(what, AskLayer):
            check_layer(what.name, self.figure.layers.names)
        elif isinstance(what, AskModel):
            self.figure.model.settings(what.parameters, {})
        else:
            raise LayerError(f"'{self.figure.model.name}' is no verb. Ask for the model, a layer, or its sliders.")
        if time <= self.time and not (self._waiting and self._waiting[0][0] <= time):
            self._hear(self.time, what)
        else:
            insort(self._waiting, (max(time, self.time), what), key=lambda asked: asked[0])

    def play(self, until: float) -> Sequence[Piece]:
        """Play up to a time. A motion model has no pieces, and so none are returned."""
        while self._waiting and self._waiting[0][0] <= until:
            time, what = self._waiting.pop(0)
            self._hear(time, what)
        self._over.play(until)
        self.time = max(self.time, until)
        return ()

    def advance(self, times: ArrayLike) -> Stretch:
        """Play on, and return the rows at `times` (T,), which do not decrease and are not before the present."""
        clock = np.asarray(times, dtype=np.float64)
        self.play(float(clock[-1]))
        count, run = len(clock), self._run
        level, phases = np.zeros(count), np.zeros((2, count))
        values = self._over.laid(
            Below(self.channels, clock, self.figure.rows(run, clock), level, phases, np.ones(count))
        )
        happenings = tuple(Happening(*one) for one in self._over.happened())
        support, names = self._support(clock), (self.figure.model.name,) * count
        return Stretch(clock, values, support, names, phases[0], level, happenings)

    def _support(self, times: Array) -> NDArray[np.intp]:
        """Return the bits (T,) of the points that are in contact."""
        bits = np.zeros(len(times), dtype=np.intp)
        for mark in self._run.tree.marks_within(float(times[0]), float(times[-1])):
            if mark.kind == "contact" and mark.name in self.figure.points:
                inside = (times >= mark.start) & (times <= mark.end)
                bits[inside] |= 1 << self.figure.points.index(mark.name)
        return bits

    def _hear(self, time: float, what: Asked) -> None:
        """Carry out a command. Only what is commanded is built anew."""
        model, run = self.figure.model, self._run
        if not isinstance(what, AskModel):
            self._over.command(time, what)
        elif what.what == "start":
            self._run = model.begin(time, what.parameters, run)
        elif what.what == "change":
            self._run = model.change(run, time, what.parameters)
        else:
            self._run = model.stop(run, time) if what.what == "stop" else model.stop_hard(run, time)
