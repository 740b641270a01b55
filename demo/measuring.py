"""Playing performances by core, and preparing what is measured of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cast import Cast
from .footing import Floor, Footing, Played, footing_figures, level
from .operate import installed
from .root_motion import own_of, root_figures
from .rows import Figure, Rows, column_names, figure_of, frames_of, point_places, rows_of, turns_of
from .stillness import RUNNING_SPEED, SPEED, stand_heights

Array = NDArray[np.float64]

CYCLES = 2.0
LEVEL = 0.02
"""Steepest slope of a root's path, in metres per metre, on ground that counts as level."""


@cache
def core() -> SimpleNamespace:
    """Modules of the installed extension that the demo measures with."""
    names = {
        "channels": "core.figure.channels",
        "verb_graph": "core.graph.verb_graph",
        "constrained": "core.feet.constrained_player",
        "score": "core.play.score",
    }
    return installed(names)


def play(graph: Any, score: Any, times: Array) -> tuple[Any, Any]:
    """Perform a score without locks and with them; returns both recordings."""
    modules = core().score
    return modules.record(modules.player_of(graph, score), score, times), locked(graph, score, times)


def locked(graph: Any, score: Any, times: Array, floor: Floor | None = None) -> Any:
    """Perform a score with locks, on a floor if one is given; returns the recording."""
    modules = core().score
    player = core().constrained.ConstrainedPlayer(modules.player_of(graph, score), floor, knees="hinge")
    return modules.record(player, score, times)


@dataclass(frozen=True, eq=False)
class Example:
    """The motion of an example by itself, without locks.

    Parameters
    ----------
    times : (T,) seconds.
    root : (T, 3) places of the root in metres.
    points : (T, K, 3) places of the contact points in metres.
    """

    times: Array
    root: Array
    points: Array

    @property
    def is_level(self) -> bool:
        """Whether the example goes over level ground."""
        x, y, climb = self.root[-1] - self.root[0]
        return abs(climb) <= LEVEL * max(float(np.hypot(x, y)), 1.0)

    def stand_heights(self, speed: float) -> list[list[float]]:
        """Heights of each point (K) in the stretches in which it is slower than `speed` metres per second."""
        return [stand_heights(self.times, self.points[:, point], speed) for point in range(self.points.shape[1])]


@dataclass(frozen=True, eq=False)
class Case:
    """A performance on a floor that is to be judged.

    Parameters
    ----------
    graph : graph that was played.
    figure : the bones at rest.
    running : names of verbs that are runs; points count as still at a higher speed there.
    free, held : rows without locks and with them.
    floor : function for the heights of the floor.
    """

    graph: Any
    figure: Figure
    running: tuple[str, ...]
    free: Rows
    held: Rows
    floor: Floor = level

    @cached_property
    def footing(self) -> Footing:
        """What is measured of the performance."""
        held, running = self.held, (*self.running, "")
        runs = [verb in self.running and old in running for verb, old in zip(held.verbs, held.left, strict=True)]
        return Footing(
            times=held.times,
            verbs=held.verbs,
            left=held.left,
            support=held.support,
            stepping=held.stepping,
            limbs=np.array([_limb(self.figure, bone, held) for bone in held.bones]),
            speeds=np.where(runs, RUNNING_SPEED, SPEED),
            resting=resting_heights(self.examples, self.running),
            floor=self.floor,
            free=played_of(self.figure, self.free),
            held=played_of(self.figure, held),
        )

    @cached_property
    def examples(self) -> dict[str, list[Example]]:
        """The examples of each verb that was played, by themselves."""
        step = float(self.held.times[1] - self.held.times[0])
        return {verb.name: examples_of(verb, self.figure, self.held, step) for verb in self.graph.verbs}

    @cached_property
    def figures(self) -> dict[str, Any]:
        """Figures of the feet, and of the root compared with the examples."""
        step = self.footing.step
        own = {verb: own_of([example.root for example in mine], step) for verb, mine in self.examples.items()}
        return footing_figures(self.footing) | {"root": root_figures(self.footing, own)}


def case_of(cast: Cast, graph: Any, recordings: tuple[Any, Any], floor: Floor = level) -> Case:
    """Prepare recordings without and with locks to be judged."""
    figure = figure_of(cast.armature, graph.channels.skeleton.names[0])
    return Case(graph, figure, cast.running, *(rows_of(graph, recording) for recording in recordings), floor)


def played_of(figure: Figure, rows: Rows) -> Played:
    """Compute points, legs, rotations and root from rows."""
    frames = frames_of(figure, rows.named)
    legs = frames[..., :3, 3][:, [_leg(figure, bone) for bone in rows.bones]]
    rotations = np.stack([turns_of(rows.named, bone) for bone in _turning(figure, rows)], axis=1)
    root = frames[:, figure.bones.index(figure.root), :3, 3]
    return Played(point_places(figure, rows, frames), legs, rotations, root)


def examples_of(verb: Any, figure: Figure, rows: Rows, step: float) -> list[Example]:
    """Play the examples of a verb without locks, with `step` seconds between rows."""
    found: list[Example] = []
    for place in verb.places:
        times = np.arange(0.0, verb.duration(place) * (CYCLES if verb.cyclic else 1.0), step)
        values = verb.motion(place).sample(times)
        frames = frames_of(figure, dict(zip(column_names(verb.channels), values.T, strict=True)))
        root = frames[:, figure.bones.index(figure.root), :3, 3]
        found.append(Example(times, root, point_places(figure, rows, frames)))
    return found


def resting_heights(examples: Mapping[str, Sequence[Example]], running: Sequence[str]) -> Array:
    """Heights (K,) in metres at which points rest on a level floor: medians over where they are still without locks."""
    heights = [
        example.stand_heights(RUNNING_SPEED if verb in running else SPEED)
        for verb, mine in examples.items()
        for example in mine
        if example.is_level
    ]
    return np.array([np.median(np.concatenate(every)) for every in zip(*heights, strict=True)])


def _leg(figure: Figure, bone: str) -> list[int]:
    """Indices of hip, knee and ankle above the bone that carries a point."""
    _, ankle, knee, hip, *_ = figure.chain(figure.bones.index(bone))
    return [hip, knee, ankle]


def _turning(figure: Figure, rows: Rows) -> list[str]:
    return [bone for bone in figure.bones if f"{bone} turn w" in rows.named]


def _limb(figure: Figure, bone: str, rows: Rows) -> list[bool]:
    """Which of the turning bones (R,) carry a bone, except the root."""
    carriers = {figure.bones[joint] for joint in figure.chain(figure.bones.index(bone))} - {figure.root}
    return [turning in carriers for turning in _turning(figure, rows)]


def ramp(degrees: float) -> Floor:
    """Make a floor that rises along -Y, the direction in which a figure walks at heading 0."""
    grade = np.tan(np.radians(degrees))
    return lambda places: -grade * places[:, 1]


def stairs(rise: float, tread: float) -> Floor:
    """Make stairs that rise along -Y, with steps of `rise` and `tread` metres."""
    return lambda places: rise * np.floor(-places[:, 1] / tread)


def alone(verb: Any, seconds: float, fps: float) -> tuple[Any, tuple[Any, Any]]:
    """Play a cyclic verb in the middle of its adverbs; returns a graph of it, and recordings without and with locks."""
    modules = core()
    graph = modules.verb_graph.compile_graph([verb], [])
    middle = dict(zip(verb.adverb_names, verb.places.mean(axis=0), strict=True))
    tracks = {name: modules.score.Track(np.zeros(1), np.array([value])) for name, value in middle.items()}
    times = np.arange(round(seconds * fps) + 1) / fps
    return graph, play(graph, modules.score.Score(verb.name, (), tracks), times)
