"""Layers that play over one player: the motion controller of [Gruenvogel2003] section 7.

The paper's controller keeps a list of commands, and builds the motion tree of all of them anew when one changes. Here
what plays in each layer is left alone when another one changes, and rows are mixed from the lowest layer to the
highest.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from math import isinf
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ..errors import LayerError, quoted
from ..figure.channels import Channels, columns_in, union
from ..graph.overlay import Below, Overlay
from ..graph.verb_graph import REST, VerbGraph, conform
from ..play.piece import SETTLES_EVERY
from ..play.player import AskAdverbs, AskLayer, Wish
from .claims import Held, Refusal, common_joints, gravest, told, way_out
from .fade import Fade, weights_at
from .layer import Layer, check_layer
from .layer_players import LayerPlayer
from .mixing import Mixer
from .relations import kept_apart
from .weight_sliders import WeightSliders, next_tick

Array = NDArray[np.float64]
Table = Mapping[tuple[str, str], Held]

SWITCHES: Mapping[int, Wish] = {
    -1: "stop_hard",
    0: "stop",
    1: "start",
    2: "instead",
    3: "after",
    4: "start",
    5: "instead",
    6: "after",
}
"""What is asked of a layer when its switch goes to a number; see `AskLayer`. It is started once more by going from one
number that starts it to another one."""
KEPT = 1.0
"""Seconds before the last step for which it is known what was played."""


@dataclass(frozen=True, eq=False)
class LayerSet:
    """Layers from the lowest to the highest, that can be laid over a verb graph.

    Parameters
    ----------
    layers : the layers.
    mixers : how each of them is mixed.
    table : what becomes of a layer that needs what another one has, for pairs of which it is said: by the names of the
        asking one and of the holder.
    """

    layers: tuple[Layer, ...]
    mixers: tuple[Mixer, ...]
    table: Table

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the layers, from the lowest to the highest."""
        return tuple(layer.name for layer in self.layers)

    @cached_property
    def sliders(self) -> Mapping[str, float]:
        """Adverbs by which layers are started and weighed, and those of what plays in them, at their defaults."""
        found: dict[str, float] = {}
        for layer in self.layers:
            found |= {layer.switch: 0.0, layer.weight: 1.0} | {
                name: value for name, value in layer.plays.adverbs.items() if name not in found
            }
        return MappingProxyType(found)

    def overlay(self, adverbs: Mapping[str, float], settle: float) -> Overlay:
        """Return what is laid over the rows of a player; see `Layers`."""
        return LayerStack(self, adverbs, settle)


def with_layers(graph: VerbGraph, layers: Sequence[Layer], table: Table | None = None) -> VerbGraph:
    """Return a verb graph over whatever plays in which layers can be laid.

    Parameters
    ----------
    graph : the graph, all of whose verbs get the channels of the layers as well.
    layers : from the lowest to the highest.
    table : as of `LayerSet`.

    Raises
    ------
    LayerError
        If two layers have the same name, or one is of another figure, or does not do by itself.
    """
    names = [layer.name for layer in layers]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise LayerError(f"Two layers are called {quoted(twice)}. Rename one of them.")
    for layer in layers:
        check_layer(layer)
        if layer.plays.channels.skeleton.names != graph.channels.skeleton.names:
            raise LayerError(f"Layer '{layer.name}' is of another figure. Choose a verb of this one.")
    whole = union([graph.channels, *(layer.plays.channels for layer in layers)])
    scalars, reference = _resting(whole, layers), graph.verbs[0].reference
    verbs = tuple(conform(verb, whole, scalars, reference) for verb in graph.verbs)
    wide = replace(graph, channels=verbs[0].channels, verbs=verbs)
    mixers = tuple(
        Mixer(wide.channels, one.plays.channels, one.mask, one.space, one.mode, (wide.poses.rows, one.plays.usual))
        for one in layers
    )
    return replace(wide, layers=LayerSet(tuple(layers), mixers, MappingProxyType(dict(table or {}))))


def _resting(whole: Channels, layers: Sequence[Layer]) -> Array:
    """Return values (S,) of the scalars of `whole` for verbs that do not have them: as layers begin, or at rest."""
    values = np.array([REST.get(scalar.kind, 0.0) for scalar in whole.scalars])
    for layer in reversed(layers):
        own = layer.plays.channels
        columns = columns_in(own, whole)[own.scalar_columns] - whole.scalar_columns.start
        for column, scalar, value in zip(columns, own.scalars, layer.plays.usual[0, own.scalar_columns], strict=True):
            if scalar.kind not in REST:
                values[column] = value
    return values


@dataclass(eq=False)
class Run:
    """A layer from when it was started until it is over.

    Parameters
    ----------
    layer, mixer : the layer, and how it is mixed.
    player : what plays in it.
    fades : of its weight, in order of time.
    ends : whether it was stopped and plays to the end of its pass.
    """

    layer: Layer
    mixer: Mixer
    player: LayerPlayer
    fades: list[Fade]
    ends: bool = False

    @property
    def goes(self) -> bool:
        """Whether it fades out or has done so."""
        return self.fades[-1].goal == 0.0

    def fade(self, time: float, goal: float, seconds: float) -> None:
        """Let its weight go to `goal` from a time on, in so many seconds."""
        self.fades.append(self.fades[-1].turned(time, goal, seconds))

    def over(self, time: float) -> bool:
        """Whether it has been over at a time."""
        return self.goes and self.fades[-1].end <= time

    def until(self, time: float) -> float:
        """Return when it will be over by itself, as far as is known at a time; infinite if it never is."""
        return time + self.player.left()

    def fork(self) -> "Run":
        """Return one that goes on by itself."""
        return replace(self, player=self.player.fork(), fades=list(self.fades))


class LayerStack:
    """Layers that play over one player: an `Overlay`.

    Parameters
    ----------
    layers : that can be started.
    adverbs : values by name to begin with. A layer whose switch is on from the beginning has its whole weight at once.
    settle : seconds in which adverbs settle.

    Attributes
    ----------
    refusals : by layer, why those were not started that were asked for and do not play.
    """

    def __init__(self, layers: LayerSet, adverbs: Mapping[str, float], settle: float) -> None:
        self.refusals: dict[str, Refusal] = {}
        self._layers, self._settle = layers, settle
        self._adverbs = {**layers.sliders, **adverbs}
        self._weights = WeightSliders({one.weight: self._adverbs[one.weight] for one in layers.layers}, settle)
        self._runs: list[Run] = []
        self._waiting: list[str] = []
        self._told: list[tuple[float, str, str, str, str]] = []
        self._time = self._since = 0.0
        for layer in layers.layers:
            wish = SWITCHES.get(round(self._adverbs[layer.switch]), "stop")
            if wish in ("start", "instead", "after"):
                self._ask(0.0, AskLayer(layer.name, wish), 0.0)

    @property
    def playing(self) -> tuple[str, ...]:
        """Names of the layers that play and do not fade out, from the lowest to the highest."""
        return tuple(run.layer.name for run in self._in_order() if not run.goes)

    @property
    def waiting(self) -> tuple[str, ...]:
        """Names of the layers that wait for others."""
        return tuple(self._waiting)

    def command(self, time: float, what: object) -> None:
        """Hear adverbs, or a command to a layer, at a time that has not been passed."""
        time = max(time, 0.0)
        self._go_on(time)
        if isinstance(what, AskLayer):
            self._ask(time, what)
        elif isinstance(what, AskAdverbs):
            self._weights.hear(time, what)
            for run in self._runs:
                run.player.hear(time, what)
            before, self._adverbs = self._adverbs, {**self._adverbs, **what.values}
            for layer in self._layers.layers:
                wish = SWITCHES.get(round(self._adverbs[layer.switch]), "stop")
                if round(self._adverbs[layer.switch]) != round(before[layer.switch]):
                    self._ask(time, AskLayer(layer.name, wish))

    def play(self, until: float) -> None:
        """Play up to a time."""
        before = self._since - KEPT
        self._weights.forget(before)
        self._runs = [run for run in self._runs if not run.over(before)]
        for run in self._runs:
            run.player.forget(before)
        self._go_on(until)
        self._since = max(self._since, until)

    def laid(self, below: Below) -> Array:
        """Return rows (T, width) with the layers over those below; see `Overlay`."""
        values, apart = below.values, list[tuple[Run, NDArray[np.intp], Array, Array]]()
        for run in self._in_order():
            weights = weights_at(run.fades, below.times) * self._weights.at(run.layer.weight, below.times)
            rows = np.flatnonzero(weights > 0.0)
            if len(rows):
                part = Below(
                    below.times[rows], values[rows], below.heights[rows], below.phases[:, rows], below.weights[rows]
                )
                own = run.player.rows(part)
                values[rows] = run.mixer.mixed(part.values, own, weights[rows])
                apart.append((run, rows, own, weights[rows]))
        for run, rows, own, weights in apart:
            for pair in run.layer.claims.distances:
                values[rows] = kept_apart(run.mixer, values[rows], own, weights, pair)
        return values

    def happened(self) -> Sequence[tuple[float, str, str, str, str]]:
        """Return what has happened since this was last called: the fields of a `Happening`."""
        found, self._told = self._told, []
        return found

    def fork(self) -> "LayerStack":
        """Return one that goes on by itself from the present."""
        made = copy(self)
        made.refusals, made._adverbs, made._waiting = dict(self.refusals), dict(self._adverbs), list(self._waiting)
        made._weights, made._runs, made._told = self._weights.copy(), [run.fork() for run in self._runs], []
        return made

    def _in_order(self) -> list[Run]:
        """Return all runs from the lowest to the highest, those of one layer as they were started."""
        names = self._layers.names
        return sorted(self._runs, key=lambda run: names.index(run.layer.name))

    def _go_on(self, until: float) -> None:
        """Play up to a time, and look after the layers at every tick on the way."""
        while (tick := next_tick(self._time)) <= until:
            self._time = tick
            self._weights.step(tick)
            for run in self._runs:
                run.player.play(tick)
            self._look_after(tick)
        for run in self._runs:
            run.player.play(until)
        self._time = max(self._time, until)

    def _look_after(self, time: float) -> None:
        """End layers that come to their end, tell of those that have come in or gone, and start those that wait."""
        for run in self._runs:
            fade = run.fades[-1]
            if not run.goes and run.player.left() <= run.layer.fade_out:
                run.fade(time, 0.0, run.layer.fade_out)
            elif time - SETTLES_EVERY < fade.end <= time:
                self._tell(fade.end, "finished" if run.goes else "executing", run.layer)
        for name in list(self._waiting):
            layer = self._layer(name)
            if not self._holders(layer):
                self._waiting.remove(name)
                self._start(time, layer, layer.fade_in)

    def _ask(self, time: float, what: AskLayer, seconds: float | None = None) -> None:
        """Carry out a command; a layer that is started comes in within so many seconds, by default its own."""
        layer = self._layer(what.name)
        self.refusals.pop(layer.name, None)
        if what.what in ("stop", "stop_hard"):
            self._stop(time, layer, what.what == "stop_hard")
            return
        holders = self._holders(layer)
        for run in holders if what.what == "instead" else ():
            run.fade(time, 0.0, run.layer.fade_out)
        given: dict[Wish, Held] = {"instead": "share", "after": "wait"}
        way = given.get(what.what) or self._way_out(layer, holders)
        if not holders or way in ("share", "replace"):
            for run in holders if way == "replace" else ():
                run.fade(time, 0.0, run.layer.fade_out)
            self._start(time, layer, layer.fade_in if seconds is None else seconds)
        elif way == "wait":
            self._waiting = [*(name for name in self._waiting if name != layer.name), layer.name]
            self._tell(time, "queued", layer)
        else:
            self._refuse(time, layer, holders[0])

    def _way_out(self, layer: Layer, holders: Sequence[Run]) -> Held:
        """Return what becomes of a layer that needs what some others have."""
        return gravest(
            [
                way_out(
                    layer.name,
                    run.layer.name,
                    (layer.priority, run.layer.priority),
                    layer.when_held,
                    self._layers.table,
                )
                for run in holders
            ]
        )

    def _refuse(self, time: float, layer: Layer, holder: Run) -> None:
        joints = common_joints(layer.claims, holder.layer.claims)
        names = told(holder.mixer.whole.skeleton, joints)
        self.refusals[layer.name] = Refusal(time, layer.name, holder.layer.name, names, holder.until(time))
        self._tell(time, "refused", layer, str(self.refusals[layer.name]), holder.layer.name)

    def _holders(self, layer: Layer) -> list[Run]:
        """Return what plays and has something that a layer needs, with which it is not said to be mixed."""
        others = [run for run in self._runs if run.layer is not layer and not run.goes]
        return [
            run
            for run in others
            if common_joints(layer.claims, run.layer.claims)
            and self._layers.table.get((layer.name, run.layer.name)) != "share"
        ]

    def _start(self, time: float, layer: Layer, seconds: float) -> None:
        """Start a layer, or let the run of it that plays go on."""
        present = next((run for run in reversed(self._runs) if run.layer is layer), None)
        if present is not None and not present.goes:
            present.player.again()
            present.ends = False
            return
        if present is not None and not present.over(time) and isinf(present.player.left()):
            present.fade(time, 1.0, seconds)
        else:
            mixer = self._layers.mixers[self._layers.layers.index(layer)]
            player = layer.plays.begin(time, self._adverbs, self._settle)
            self._runs.append(Run(layer, mixer, player, [Fade(time, 0.0, 0.0, 0.0, 0.0).turned(time, 1.0, seconds)]))
        self._tell(time, "started", layer)

    def _stop(self, time: float, layer: Layer, hard: bool) -> None:
        """Stop a layer: at once, or as it says."""
        self._waiting = [name for name in self._waiting if name != layer.name]
        for run in [run for run in self._runs if run.layer is layer and not run.over(time)]:
            if hard:
                run.fade(time, 0.0, 0.0)
                self._tell(time, "finished", layer)
            elif not run.goes and not run.ends:
                run.ends = True
                if layer.finishes:
                    run.player.finish()
                if not layer.finishes or isinf(run.player.left()):
                    run.fade(time, 0.0, layer.fade_out)

    def _tell(self, time: float, kind: str, layer: Layer, text: str = "", other: str = "") -> None:
        self._told.append((time, kind, layer.name, text, other))

    def _layer(self, name: str) -> Layer:
        return self._layers.layers[self._layers.names.index(name)]
