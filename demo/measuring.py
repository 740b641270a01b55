"""From performances in core's terms to what is measured of them."""

from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .footing import Floor, Footing, Played, footing_figures, level
from .operate import installed
from .root_motion import Own, own_of, root_figures
from .stillness import RUNNING_SPEED, SPEED

Array = NDArray[np.float64]

CYCLES = 2.0


@cache
def core() -> SimpleNamespace:
    """Modules of the installed extension."""
    names = {
        "channels": "core.figure.channels",
        "skeleton": "core.figure.skeleton",
        "quaternion": "core.figure.quaternion",
        "perform": "core.verb.perform",
        "verb_graph": "core.verb.verb_graph",
        "locks": "core.runtime.live_locks",
        "score": "core.runtime.score",
    }
    return installed(names)


def play(graph: Any, score: Any, times: Array, floor: Floor | None = None) -> tuple[Any, Any]:
    """A score performed without locks and with them, on a floor if there is one: two recordings."""
    modules = core()
    locks = modules.locks.LiveLocks(graph.channels, graph.points, floor)
    return modules.score.perform_score(graph, score, times), modules.score.perform_score(graph, score, times, locks)


def all_figures(graph: Any, free: Any, held: Any, running: Sequence[str], floor: Floor = level) -> dict[str, Any]:
    """Figures of a performance, recorded without locks and with them."""
    footing = footing_of(graph, free, held, running, floor)
    return footing_figures(footing) | {"root": root_figures(footing, own_motion(graph, footing.step))}


def footing_of(graph: Any, free: Any, held: Any, running: Sequence[str], floor: Floor = level) -> Footing:
    """What is measured of a performance.

    Parameters
    ----------
    graph : that was played.
    free, held : recordings without locks and with them.
    running : names of verbs that are runs; points count as still at a higher speed there.
    floor : heights of the floor.
    """
    left = left_verbs(held)
    runs = [verb in running and old in (*running, "") for verb, old in zip(held.verbs, left, strict=True)]
    spans = [locked_spans(held, point.name) for point in graph.points]
    contacts = [contact for verb in graph.verbs for contact in verb.contacts]
    clearances = [[c.clearances.ravel() for c in contacts if c.point == p.name] for p in graph.points]
    return Footing(
        times=held.times,
        verbs=held.verbs,
        left=left,
        spans=tuple(spans),
        limbs=np.array([_limb(graph.channels, point.joint) for point in graph.points]),
        speeds=np.where(runs, RUNNING_SPEED, SPEED),
        resting=np.array([np.median(np.concatenate(heights)) for heights in clearances]),
        floor=floor,
        free=played_of(graph, free.values),
        held=played_of(graph, held.values),
    )


def locked_spans(recording: Any, point: str) -> tuple[tuple[float, float], ...]:
    """Seconds between which a point was locked, steps home among them."""
    mine = [h for h in recording.happenings if h.name == point]
    downs, ups = ([h.time for h in mine if h.kind == kind] for kind in ("down", "up"))
    return tuple(zip(downs, [*ups, float(recording.times[-1])], strict=False))


def left_verbs(recording: Any) -> tuple[str, ...]:
    """Name of the verb that is left (T,) at each time, empty where no transition plays."""
    left = [""] * len(recording.times)
    verb = recording.verbs[0]
    changes = [h for h in recording.happenings if h.kind in ("transition", "verb")]
    for begin, end in zip(changes, [*changes, None][1:], strict=True):
        if begin.kind == "verb":
            verb = begin.name
            continue
        until = np.inf if end is None else end.time
        for row in np.flatnonzero((recording.times >= begin.time) & (recording.times <= until)):
            left[row] = verb
    return tuple(left)


def played_of(graph: Any, values: Array) -> Played:
    """Points, rotations and root of rows (T, width)."""
    modules = core()
    positions, turns = modules.channels.world_frames(graph.channels, values)
    points = [modules.skeleton.point_positions(positions, turns, p.joint, p.offset) for p in graph.points]
    rotations = modules.quaternion.normalize(modules.channels.rotations_of(graph.channels, values))
    legs = positions[:, [_leg(graph.channels, point.joint) for point in graph.points]]
    return Played(np.stack(points, axis=1), legs, rotations, positions[:, 0])


def own_motion(graph: Any, step: float) -> dict[str, Own]:
    """Largest step and acceleration of the root in the examples of each verb, each played by itself."""
    modules = core()

    def root(verb: Any, place: Array) -> Array:
        seconds = verb.duration(place) * (CYCLES if verb.cyclic else 1.0)
        played = modules.perform.perform(verb, np.arange(0.0, seconds, step), place)
        return modules.channels.world_joints(verb.channels, played.values)[:, 0]

    return {verb.name: own_of([root(verb, place) for place in verb.places], step) for verb in graph.verbs}


def _leg(channels: Any, joint: int) -> list[int]:
    """Hip, knee and ankle over the joint that carries a point."""
    ankle = int(channels.skeleton.parents[joint])
    knee = int(channels.skeleton.parents[ankle])
    return [int(channels.skeleton.parents[knee]), knee, ankle]


def _limb(channels: Any, joint: int) -> list[bool]:
    """Which of the turning joints (R,) carry `joint`, the root left out."""
    carriers = set()
    while joint > 0:
        carriers.add(joint)
        joint = int(channels.skeleton.parents[joint])
    return [int(turning) in carriers for turning in channels.rotating]


def ramp(degrees: float) -> Floor:
    """A floor that rises along -Y, where a figure walks at heading 0."""
    grade = np.tan(np.radians(degrees))
    return lambda places: -grade * places[:, 1]


def stairs(rise: float, tread: float) -> Floor:
    """Stairs up along -Y, steps of `rise` and `tread` metres."""
    return lambda places: rise * np.floor(-places[:, 1] / tread)


def alone(verb: Any, seconds: float, fps: float) -> tuple[Any, Any, Any]:
    """A graph of one cyclic verb, and it played in the middle of its adverbs: recordings without and with locks."""
    modules = core()
    graph = modules.verb_graph.compile_graph([verb], [])
    middle = dict(zip(verb.adverb_names, verb.places.mean(axis=0), strict=True))
    tracks = {name: modules.score.Track(np.zeros(1), np.array([value])) for name, value in middle.items()}
    times = np.arange(round(seconds * fps) + 1) / fps
    return graph, *play(graph, modules.score.Score(verb.name, (), tracks), times)
