"""Standing and walking verbs of a graph, how a walk turns, and the handles stride, tempo and nudge."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..errors import GraphError
from ..graph.verb_graph import VerbGraph
from ..play.adverb_smoothing import middle_adverbs
from ..play.graph_player import GraphPlayer
from ..play.player import AskAdverbs, Handles
from ..verb.speed_and_turn import SteeringTable, rates, steering_table
from ..verb.verb import Verb

Array = NDArray[np.float64]

_LEAST_SPEED, _LEAST_CURVATURE = 1e-3, 1e-6
"""Minimum speed in metres a second, and minimum curvature in radians a metre, assumed for a gait."""
UNTURNABLE = 100.0
"""Radius in metres from which a turn counts as straight."""
_LEAST_TURN = 1e-3
"""An adverb whose whole range changes the turn rate by less than this, in radians a second, does not turn a verb."""
STANDS, WALKS = 0.05, 0.2
"""Shares of the fastest verb's speed: a verb stands up to the share `STANDS`, and walks above the share `WALKS`."""


@dataclass(frozen=True)
class Limits:
    """Limits of changing a gait so that the figure goes where it should.

    Parameters
    ----------
    stride, tempo : smallest and largest factor.
    change : largest change of a factor per second.
    nudge : speed at which the root may also be moved, as a share of its present speed; a standing figure is never
        moved.
    """

    stride: tuple[float, float] = (0.75, 1.3)
    tempo: tuple[float, float] = (0.75, 1.35)
    change: float = 1.5
    nudge: float = 0.05


@dataclass(frozen=True)
class WantedHandles:
    """Target values of the steering adverb and the handles of a player.

    Parameters
    ----------
    turn : value of the steering adverb; None leaves the adverb as it is.
    stride, tempo : factors, bounded by the limits.
    nudge : velocity x + i y in metres a second, in performance space, added to the velocity of the root.
    """

    turn: float | None = None
    stride: float = 1.0
    tempo: float = 1.0
    nudge: complex = 0j

    def move(self, player: GraphPlayer, adverb: str, limits: Limits, seconds: float) -> None:
        """Command the player to move towards these values, as far as the limits allow within `seconds`.

        `adverb` is the name of the steering adverb. Only stride and tempo are limited in how fast they change.
        """
        if self.turn is not None:
            player.command(player.time, AskAdverbs({adverb: self.turn}))
        now, most = player.handles, limits.change * seconds
        stride, tempo = _towards(now.stride, self.stride, most), _towards(now.tempo, self.tempo, most)
        player.command(player.time, Handles(stride, tempo, self.nudge.real, self.nudge.imag))


NEUTRAL = WantedHandles()
"""Handles that leave the steering adverb and the gait unchanged."""


def clip(value: float, bounds: tuple[float, float]) -> float:
    """Return `value` clamped to `bounds`."""
    return min(max(value, bounds[0]), bounds[1])


def _towards(value: float, goal: float, most: float) -> float:
    """Return `value` moved towards `goal` by at most `most`."""
    return clip(goal, (value - most, value + most))


@dataclass(frozen=True, eq=False)
class Gait:
    """The walk of one verb at the present adverbs, as a function of the steering adverb.

    Parameters
    ----------
    verb : the verb.
    adverbs : (D,) present values; but the steering adverb has its value for straight walking.
    axis : index of the steering adverb.
    table : rates over the range of the steering adverb.
    neutral : value of the steering adverb for straight walking.
    speed : metres a second of straight walking, with neutral handles.
    course : radians from the heading to the direction of travel in straight walking.
    tightest : largest curvature to the right and to the left, both positive, in radians a metre.
    """

    verb: Verb
    adverbs: Array
    axis: int
    table: SteeringTable
    neutral: float
    speed: float
    course: float
    tightest: tuple[float, float]

    @property
    def is_fixed(self) -> bool:
        """Whether the steering adverb does not turn the figure and therefore stays at its present value."""
        return bool(self.table.values[0] == self.table.values[-1])

    def steered_adverbs(self) -> Array:
        """Return the adverbs (K, D) with the steering adverb at each value of the table."""
        points = np.tile(self.adverbs, (len(self.table.values), 1))
        points[:, self.axis] = self.table.values
        return points


def adverbs_of(verb: Verb, values: Mapping[str, float]) -> Array:
    """Return the values (D,) of the adverbs of `verb`, looked up by name in `values`."""
    return np.array([values[name] for name in verb.adverb_names])


def gait_of(verb: Verb, adverb: str, values: Mapping[str, float]) -> Gait:
    """Return the walk of `verb` at the adverbs `values`, steered by its adverb named `adverb`.

    An adverb that does not turn the figure is not changed: the table then holds only its present value, twice.
    """
    point = adverbs_of(verb, values)
    axis = verb.adverb_names.index(adverb)
    table = steering_table(verb, adverb, point)
    if not _turns(table):
        table = SteeringTable(point[[axis, axis]], rates(verb, np.tile(point, (2, 1))))
    point[axis] = table.neutral
    curvature = table.rates.curvature
    return Gait(
        verb=verb,
        adverbs=point,
        axis=axis,
        table=table,
        neutral=table.neutral,
        speed=max(float(np.interp(table.neutral, table.values, table.rates.speed)), _LEAST_SPEED),
        course=float(np.interp(table.neutral, table.values, table.rates.course)),
        tightest=(max(-float(curvature.min()), _LEAST_CURVATURE), max(float(curvature.max()), _LEAST_CURVATURE)),
    )


def leftward(verbs: Iterable[Verb], adverb: str, values: Mapping[str, float]) -> int:
    """Return the direction in which an adverb turns the figure more to the left: 1 for up, -1 for down.

    The first of `verbs` that turns with the adverb decides, by the slope of its turn rate; the result is 0 if none
    does.

    Parameters
    ----------
    verbs : verbs to consider, the most important first.
    adverb : name of the adverb.
    values : values of all adverbs, by name.
    """
    for verb in verbs:
        if adverb in verb.adverb_names:
            table = steering_table(verb, adverb, adverbs_of(verb, values))
            lean = float(np.dot(table.values - table.values.mean(), table.rates.turn_rate))
            if _turns(table) and lean != 0.0:
                return 1 if lean > 0.0 else -1
    return 0


def _turns(table: SteeringTable) -> bool:
    """Return whether an adverb turns a figure by more than the natural variation of a straight walk."""
    return float(np.ptp(table.rates.turn_rate)) > max(_LEAST_TURN, float(table.rates.speed.max()) / UNTURNABLE)


@lru_cache(maxsize=8)
def standing_verb(graph: VerbGraph, source: str) -> str | None:
    """Return the name of the verb to stand in after the verb `source`, None if the graph has none.

    The verb must stay in place and be reachable from `source`. A cycle is preferred to any other verb, then the verb
    with the fewest transitions from a walking verb, then the slowest one. A verb that is not a cycle counts only if no
    transition leads out of it, so that it holds its last pose. Speeds are measured with the adverbs at the middle of
    their ranges.
    """
    speeds = _speeds(graph, middle_adverbs(graph.verbs))
    bound = STANDS * max(speeds.values())
    lasting = (verb for verb in graph.verbs if verb.cyclic or not graph.leaving[verb.name])
    still = [verb for verb in lasting if speeds[verb.name] <= bound and leads(graph, source, verb.name)]
    going = [name for name, speed in speeds.items() if speed > WALKS * max(speeds.values())]

    def merit(verb: Verb) -> tuple[bool, float, float, str]:
        """Return what is least for the best verb: cycles first, few transitions, low speed; then by name."""
        ways = [len(graph.path(name, verb.name)) for name in going if leads(graph, name, verb.name)]
        return not verb.cyclic, min(ways, default=math.inf), speeds[verb.name], verb.name

    found = min(still, key=merit, default=None)
    return found.name if found is not None else None


def walking_verb(graph: VerbGraph, source: str, adverb: str, stop: str, values: Mapping[str, float]) -> str | None:
    """Return the name of the verb with which to start walking from the verb `source`, None if there is none.

    It must be a walking cycle that `adverb` steers, with a path to the verb `stop`. Of several such verbs, the one with
    the fewest transitions from `source` is returned; if these are equal in number, the slowest one.

    Parameters
    ----------
    graph : the verb graph.
    source : verb that plays.
    adverb : name of the steering adverb.
    stop : verb to stand in at the end.
    values : values of all adverbs, by name.
    """
    speeds = _speeds(graph, values)
    least = WALKS * max(speeds.values())
    steered = (verb for verb in graph.verbs if adverb in verb.adverb_names and verb.cyclic and verb.name != stop)
    going = [verb for verb in steered if speeds[verb.name] > least and leads(graph, verb.name, stop)]
    ways = {verb.name: len(graph.path(source, verb.name)) for verb in going if leads(graph, source, verb.name)}
    return min(ways, key=lambda name: (ways[name], speeds[name], name), default=None)


def _speeds(graph: VerbGraph, values: Mapping[str, float]) -> dict[str, float]:
    """Return the speed of each verb of a graph by name, in metres a second."""
    return {verb.name: _speed(verb, values) for verb in graph.verbs}


def _speed(verb: Verb, values: Mapping[str, float]) -> float:
    """Return the net speed of a verb, from start to end, in metres a second."""
    played = rates(verb, adverbs_of(verb, values))
    return math.hypot(float(played.travel[0]), float(played.travel[1])) / float(played.seconds)


def leads(graph: VerbGraph, source: str, target: str) -> bool:
    """Return whether transitions lead from one verb to another."""
    try:
        graph.path(source, target)
    except GraphError:
        return False
    return True
