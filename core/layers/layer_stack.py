"""Layers that play over one player, each with its weight: the motion controller of [Gruenvogel2003] section 7."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from math import isinf
from types import MappingProxyType
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ..graph.overlay import Below, Overlay
from ..motion.fade import Fade, weights_at
from ..play.adverb_smoothing import SETTLES_EVERY
from ..play.player import NEUTRAL, AskAdverbs, AskLayer, AskPlays, Handles, Wish
from .claims import Held, Refusal, common_joints, kept_apart, told, way_out
from .layer import Layer, Plays
from .layer_players import LayerPlayer
from .mixing import Mixer
from .switches import SWITCH_WISHES
from .weight_sliders import WeightSliders, next_tick

Array = NDArray[np.float64]
Table = Mapping[tuple[str, str], Held]

KEPT = 1.0
"""Seconds of history kept before the last step."""


@dataclass(frozen=True, eq=False)
class LayerSet:
    """Layers from the lowest to the highest, that can be applied to a verb graph.

    Parameters
    ----------
    layers : the layers.
    mixers : mixer of each layer.
    table : resolutions of conflicts for pairs of layers with their own setting, by the names of the asking layer and of
        the holder.
    shown : number of layers, from the lowest, that are visible; the others play invisibly.
    """

    layers: tuple[Layer, ...]
    mixers: tuple[Mixer, ...]
    table: Table
    shown: int

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the layers, from the lowest to the highest."""
        return tuple(layer.name for layer in self.layers)

    @property
    def plays(self) -> Mapping[str, Plays]:
        """What the layers play, by layer name."""
        return {layer.name: layer.plays for layer in self.layers}

    @cached_property
    def sliders(self) -> Mapping[str, float]:
        """Default values of the adverbs that start and weight layers, and of the adverbs of what they play."""
        found: dict[str, float] = {}
        for layer in self.layers:
            found |= {layer.switch: 0.0, layer.weight: 1.0} | {
                name: value for name, value in layer.plays.adverbs.items() if name not in found
            }
        return MappingProxyType(found)

    @property
    def heeds_places(self) -> bool:
        """Whether any layer depends on the figure's position."""
        return any(layer.plays.heeds_places for layer in self.layers)

    def overlay(self, adverbs: Mapping[str, float], settle: float) -> Overlay:
        """Return the overlay of a player; see `Layers`."""
        return LayerStack(self, adverbs, settle)


@dataclass(eq=False)
class Run:
    """One run of a layer, from its start to its end.

    Parameters
    ----------
    layer, mixer : the layer, and its mixer.
    player : its player.
    fades : fades of its weight, in order of time.
    ending : seconds of the fade-out at the run's own end: fewer than the layer's if the run is shorter than its fades.
    ends : whether it was stopped and plays to the end of its pass.
    told : whether the end of the last fade was reported.
    """

    layer: Layer
    mixer: Mixer
    player: LayerPlayer
    fades: list[Fade]
    ending: float
    ends: bool = False
    told: bool = False

    @property
    def goes(self) -> bool:
        """Whether it fades out or has faded out."""
        return self.fades[-1].goal == 0.0

    def fade(self, time: float, goal: float, seconds: float) -> None:
        """Fade its weight to `goal` from a time on, in the given seconds."""
        self.fades.append(self.fades[-1].turned(time, goal, seconds))
        self.told = False

    def fade_at_end(self, time: float) -> None:
        """Begin to fade out at a tick if the next one would be too late for the fade to end with the run."""
        left = self.player.left()
        if not self.goes and left < self.ending + SETTLES_EVERY:
            self.fade(time, 0.0, max(left, self.ending))

    def over(self, time: float) -> bool:
        """Return whether it is over at a time."""
        return self.goes and self.fades[-1].end <= time

    def until(self, time: float) -> float:
        """Return when it will end by itself, as predicted at a time; infinite if it never does."""
        return time + self.player.left()

    def fork(self) -> "Run":
        """Return an independent copy."""
        return replace(self, player=self.player.fork(), fades=list(self.fades))


def run_of(layer: Layer, mixer: Mixer, player: LayerPlayer, time: float, seconds: float) -> Run:
    """Return a run of a layer that is started at a time and fades in within the given seconds."""
    whole, fades = player.left(), seconds + layer.fade_out
    share = min(max(whole - SETTLES_EVERY, 0.0) / fades, 1.0) if fades else 1.0
    fade = Fade(time, 0.0, 0.0, 0.0, 0.0).turned(time, 1.0, share * seconds)
    return Run(layer, mixer, player, [fade], share * layer.fade_out)


class LayerStack:
    """Layers that play over one player: an `Overlay`.

    Parameters
    ----------
    layers : layers that can be started.
    adverbs : initial values by name. A layer whose switch is on at the beginning has its full weight at once.
    settle : settling time of adverbs in seconds.

    Attributes
    ----------
    refusals : by layer, the reasons why requested layers were not started.
    """

    def __init__(self, layers: LayerSet, adverbs: Mapping[str, float], settle: float) -> None:
        self.refusals: dict[str, Refusal] = {}
        self._layers, self._settle = layers, settle
        self._adverbs = {**layers.sliders, **adverbs}
        self._weights = WeightSliders({one.weight: self._adverbs[one.weight] for one in layers.layers}, settle)
        self._runs: list[Run] = []
        self._instead: dict[str, Plays] = {}
        self._waiting: dict[str, Wish] = {}
        self._told: list[tuple[float, str, str, str, str]] = []
        self._time, self._since, self._handles = 0.0, 0.0, NEUTRAL
        for layer in layers.layers:
            wish = SWITCH_WISHES.get(round(self._adverbs[layer.switch]), "stop")
            if wish not in ("stop", "stop_hard"):
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
        """Handle adverbs, handles, or a command to a layer, at the present time or later."""
        time = max(time, 0.0)
        self._go_on(time)
        if isinstance(what, AskLayer):
            self._ask(time, what)
        elif isinstance(what, AskPlays):
            self._instead[what.name] = cast(Plays, what.plays)
            for run in self._runs:
                if run.layer.name == what.name and not run.over(time):
                    run.player.hear(time, what)
        elif isinstance(what, AskAdverbs | Handles):
            self._hear(time, what)

    def _hear(self, time: float, what: AskAdverbs | Handles) -> None:
        """Handle adverbs or handles; switches that go off are handled before those that go on."""
        for run in self._runs:
            if not run.over(time):
                run.player.hear(time, what)
        if isinstance(what, Handles):
            self._handles = what
        else:
            self._weights.hear(time, what)
            before, self._adverbs = self._adverbs, {**self._adverbs, **what.values}
            switches = {
                one.name: (round(before[one.switch]), round(self._adverbs[one.switch])) for one in self._layers.layers
            }
            for name, (old, new) in sorted(switches.items(), key=lambda switch: switch[1][1] > 0):
                if new != old:
                    self._ask(time, AskLayer(name, SWITCH_WISHES.get(new, "stop")))

    def play(self, until: float) -> None:
        """Advance to a time."""
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
        shown = self._layers.layers[: self._layers.shown]
        for run in (run for run in self._in_order() if run.layer in shown):
            weights = self._weight(run, below.times)
            rows = np.flatnonzero(weights > 0.0)
            if len(rows):
                part = below.part(rows)
                own = run.player.rows(part)
                values[rows] = run.mixer.mixed(part.values, own, weights[rows])
                apart.append((run, rows, own, weights[rows]))
        for run, rows, own, weights in apart:
            for pair in run.layer.claims.distances:
                values[rows] = kept_apart(run.mixer, values[rows], own, weights, pair)
        return values

    def weights(self, times: Array) -> Mapping[str, Array]:
        """Return the weights (T,) of all layers at `times` (T,), by name; for the times see `laid`."""
        found = {name: np.zeros(len(times)) for name in self._layers.names}
        for run in self._runs:
            found[run.layer.name] = np.maximum(found[run.layer.name], self._weight(run, times))
        return found

    def _weight(self, run: Run, times: Array) -> Array:
        """Return the weight (T,) of a layer at `times` (T,): that of its fades times that of its slider."""
        return weights_at(run.fades, times) * self._weights.at(run.layer.weight, times)

    def happened(self) -> Sequence[tuple[float, str, str, str, str]]:
        """Return the events since the last call, as fields of a `Happening`."""
        found, self._told = self._told, []
        return found

    def fork(self) -> "LayerStack":
        """Return an independent copy that continues from the present."""
        made = copy(self)
        made.refusals, made._adverbs, made._waiting = dict(self.refusals), dict(self._adverbs), dict(self._waiting)
        made._instead = dict(self._instead)
        made._weights, made._runs, made._told = self._weights.copy(), [run.fork() for run in self._runs], []
        return made

    def _in_order(self) -> list[Run]:
        """Return all runs from the lowest to the highest layer, those of one layer in order of their start."""
        names = self._layers.names
        return sorted(self._runs, key=lambda run: names.index(run.layer.name))

    def _go_on(self, until: float) -> None:
        """Advance to a time, and update the layers at every tick on the way."""
        while (tick := next_tick(self._time)) <= until:
            self._reach(tick)
            self._weights.step(tick)
            for run in self._runs:
                run.fade_at_end(tick)
            for name, wish in list(self._waiting.items()):
                self._start_if_free(tick, self._layer(name), wish)
        self._reach(until)

    def _reach(self, time: float) -> None:
        """Advance all runs to a time, and report layers that have faded in or out by then."""
        for run in self._runs:
            if not run.over(self._time):
                run.player.play(time)
            if not run.told and run.fades[-1].end <= time:
                run.told = True
                if run.goes or not run.ends:
                    self._tell(run.fades[-1].end, "finished" if run.goes else "executing", run.layer)
        self._time = max(self._time, time)

    def _ask(self, time: float, what: AskLayer, seconds: float | None = None) -> None:
        """Execute a command; a layer that is started fades in within the given seconds, by default its own."""
        layer = self._layer(what.name)
        self.refusals.pop(layer.name, None)
        self._waiting.pop(layer.name, None)
        if what.what in ("stop", "stop_hard"):
            self._stop(time, layer, what.what == "stop_hard")
        else:
            self._start_if_free(time, layer, what.what, seconds)
        self._reach(time)

    def _start_if_free(self, time: float, layer: Layer, wish: Wish, seconds: float | None = None) -> None:
        """Start a layer, let it wait, or refuse it, depending on its settings and on the holders of what it needs.

        A layer that already plays continues, whatever others hold.
        """
        ways = self._ways_out(layer, wish)
        present = any(run.layer is layer and not run.goes for run in self._runs)
        if not present and any(way == "wait" or (way == "refuse" and layer.name in self._waiting) for _, way in ways):
            if layer.name not in self._waiting:
                self._waiting[layer.name] = wish
                self._tell(time, "queued", layer)
            return
        holder = next((run for run, way in ways if way == "refuse"), None)
        if holder is not None and not present:
            self._refuse(time, layer, holder)
            return
        self._waiting.pop(layer.name, None)
        for run, way in ways:
            if way == "replace" and (wish == "instead" or not present):
                run.fade(time, 0.0, run.layer.fade_out)
        self._start(time, layer, layer.fade_in if seconds is None else seconds)

    def _ways_out(self, layer: Layer, wish: Wish) -> list[tuple[Run, Held]]:
        """Return the runs that hold something that a layer needs, with the resolution of each conflict."""
        given: Mapping[Wish, Held] = {"instead": "replace", "after": "wait"}
        table, found = self._layers.table, list[tuple[Run, Held]]()
        for run in self._runs:
            if run.layer is not layer and not run.goes and common_joints(layer.claims, run.layer.claims):
                pair, priorities = (layer.name, run.layer.name), (layer.priority, run.layer.priority)
                usual = way_out(*pair, priorities, layer.when_held, table)
                found.append((run, usual if wish not in given or table.get(pair) == "share" else given[wish]))
        return found

    def _refuse(self, time: float, layer: Layer, holder: Run) -> None:
        joints = common_joints(layer.claims, holder.layer.claims)
        names = told(holder.mixer.whole.skeleton, joints)
        self.refusals[layer.name] = Refusal(time, layer.name, holder.layer.name, names, holder.until(time))
        self._tell(time, "refused", layer, str(self.refusals[layer.name]), holder.layer.name)

    def _start(self, time: float, layer: Layer, seconds: float) -> None:
        """Start a layer, or continue its present run; a run that fades out is continued only if it has no end."""
        present = next((run for run in reversed(self._runs) if run.layer is layer and not run.over(time)), None)
        if present is None or (present.goes and not isinf(present.player.left())):
            player = self._instead.get(layer.name, layer.plays).begin(time, self._adverbs, self._settle)
            if self._handles != NEUTRAL:
                player.hear(time, self._handles)
            mixer = self._layers.mixers[self._layers.layers.index(layer)]
            self._runs.append(run_of(layer, mixer, player, time, seconds))
            self._tell(time, "started", layer)
            return
        present.player.again()
        if present.goes:
            present.fade(time, 1.0, seconds)
            self._tell(time, "started", layer)
        elif present.ends:
            self._tell(time, "executing" if present.told else "started", layer)
        present.ends = False

    def _stop(self, time: float, layer: Layer, hard: bool) -> None:
        """Stop a layer: at once, or by its own settings."""
        for run in [run for run in self._runs if run.layer is layer and not run.over(time)]:
            if hard:
                run.fade(time, 0.0, 0.0)
            elif not run.goes and not run.ends:
                run.ends = True
                self._tell(time, "stopping", layer)
                if layer.finishes:
                    run.player.finish()
                if not layer.finishes or isinf(run.player.left()):
                    run.fade(time, 0.0, layer.fade_out)

    def _tell(self, time: float, kind: str, layer: Layer, text: str = "", other: str = "") -> None:
        self._told.append((time, kind, layer.name, text, other))

    def _layer(self, name: str) -> Layer:
        return self._layers.layers[self._layers.names.index(name)]
