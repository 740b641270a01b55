"""Footprints: where, when and in which direction a figure's feet are planted in playback."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import world_frames
from ..figure.legs import limbs
from ..figure.lock_point import LockPoint
from ..figure.skeleton import Skeleton
from ..graph.verb_graph import VerbGraph
from ..play.player import Happening
from .footholds_off_edges import HEEL, Floor

Array = NDArray[np.float64]

SHORT = 0.3
"""Length, as a share of the leg, up to which the last bone before a planted point counts as part of the foot."""
APART = 1e-3
"""Share of a leg's length from which two joints count as being at different positions."""
LANDS = frozenset({"down", "home"})
LEAVES = frozenset({"up", "lift"})
"""Kinds of events by which a point is planted, and by which it is lifted."""


@dataclass(frozen=True, eq=False)
class Foot:
    """A foot with one or more points, and the bones that define its direction and length.

    Parameters
    ----------
    points : points that can be planted.
    clearances : (K,) height of each point over the ground while planted, in performance units.
    hip : joint that determines whether the foot is the left or the right one.
    back : joint whose head is the rear of the foot.
    toe : joint whose tail is the front of the foot.
    """

    points: tuple[LockPoint, ...]
    clearances: tuple[float, ...]
    hip: int
    back: int
    toe: int


class Footprint(NamedTuple):
    """The place where a foot is planted.

    Parameters
    ----------
    time : time in seconds at which it lands.
    point : name of the point that lands.
    place : x, y and z on the ground in performance space, under that point.
    heading : direction of the foot in radians from +X, counterclockwise.
    behind : length of the foot behind that place, performance units.
    before : length of the foot in front of that place, performance units.
    side : 1 for the left foot, -1 for the right one, 0 if the figure has only one foot.
    """

    time: float
    point: str
    place: tuple[float, float, float]
    heading: float
    behind: float
    before: float
    side: int


_feet: "WeakKeyDictionary[VerbGraph, tuple[Foot, ...]]" = WeakKeyDictionary()


def feet_of_graph(graph: VerbGraph) -> tuple[Foot, ...]:
    """Return the feet of the figure in the verbs of a graph; cached for each graph."""
    if graph not in _feet:
        _feet[graph] = _find_feet(graph)
    return _feet[graph]


def _find_feet(graph: VerbGraph) -> tuple[Foot, ...]:
    skeleton = graph.channels.skeleton
    groups = limbs(graph.points, skeleton)
    chains = [skeleton.chain(_lowest([graph.points[p] for p in group], skeleton)) for group in groups]
    shared = set(chains[0]).intersection(*chains[1:]) if len(chains) > 1 else set[int]()
    heights = _clearances(graph)
    return tuple(
        Foot(
            tuple(graph.points[p] for p in group),
            tuple(heights.get(graph.points[p].name, 0.0) for p in group),
            _hip(chain, shared, skeleton),
            _back(chain, skeleton),
            chain[0],
        )
        for group, chain in zip(groups, chains, strict=True)
    )


def _clearances(graph: VerbGraph) -> dict[str, float]:
    """Return the height over the ground of each point by name: the median over all examples."""
    found: dict[str, list[Array]] = {}
    for contact in (one for verb in graph.verbs for one in verb.contacts):
        found.setdefault(contact.point, []).append(contact.clearances.ravel())
    return {name: float(np.median(np.concatenate(heights))) for name, heights in found.items()}


def _lowest(points: Sequence[LockPoint], skeleton: Skeleton) -> int:
    return max((point.joint for point in points), key=lambda joint: len(skeleton.chain(joint)))


def _lengths(chain: tuple[int, ...], skeleton: Skeleton) -> Array:
    """Return the length of the bone before each joint of a chain (n,), from the lowest joint up; that of the root is 0.

    Only the chain's own joints are included, since those above all legs do not belong to a leg.
    """
    return np.linalg.norm(skeleton.offsets[list(chain)], axis=-1)


def _hip(chain: tuple[int, ...], shared: set[int], skeleton: Skeleton) -> int:
    """Return the highest joint of a chain that is at a different position than the joints shared with other feet."""
    own = [joint for joint in chain if joint not in shared]
    lengths = dict(zip(chain, _lengths(chain, skeleton).tolist(), strict=True))
    apart = [joint for joint in own if lengths[joint] > APART * sum(lengths[one] for one in own)]
    return (apart or own or list(chain))[-1]


def _back(chain: tuple[int, ...], skeleton: Skeleton) -> int:
    """Return the rearmost joint of a foot: the one above the lowest if the bone between is short, else the lowest."""
    lengths = _lengths(chain, skeleton)
    has_parent = len(chain) > 1 and lengths[0] < SHORT * lengths.sum()
    return chain[int(has_parent)]


class Footprints:
    """Finds footprints in playback, one stretch of rows after another.

    Parameters
    ----------
    graph : graph that is played.
    floor : heights of the ground; None for the examples' own.
    standing : names of the points planted at the beginning.
    """

    def __init__(self, graph: VerbGraph, floor: Floor | None = None, standing: Sequence[str] = ()) -> None:
        self._channels, self._floor = graph.channels, floor
        self._feet = feet_of_graph(graph)
        self._foot_of = {point.name: (foot, slot) for foot in self._feet for slot, point in enumerate(foot.points)}
        self._standing = set(standing)

    def landings(self, happenings: Sequence[Happening]) -> list[Happening]:
        """Return the events that plant a foot none of whose points was planted; `happenings` are in order of time.

        A foot with several points counts as planted as soon as the first of them is.
        """
        found: list[Happening] = []
        for told in happenings:
            if told.name not in self._foot_of:
                continue
            if told.kind in LEAVES:
                self._standing.discard(told.name)
            elif told.kind in LANDS:
                foot, _ = self._foot_of[told.name]
                if self._standing.isdisjoint(point.name for point in foot.points):
                    found.append(told)
                self._standing.add(told.name)
        return found

    def of(self, times: Array, values: Array, landings: Sequence[Happening]) -> list[Footprint]:
        """Return the footprints of some landings.

        Parameters
        ----------
        times : (T,) seconds, increasing; a footprint is sampled at the first of them at which the foot is planted.
        values : (T, width) rows of values.
        landings : landings up to the last of the times, as returned by `landings`.
        """
        if not landings:
            return []
        rows = np.searchsorted(times, [one.time for one in landings])
        places, turns = world_frames(self._channels, values[rows])
        middle = places[:, [foot.hip for foot in self._feet]].mean(axis=1)
        found = [self._print(told, places[index], turns[index], middle[index]) for index, told in enumerate(landings)]
        if self._floor is not None:
            heights = self._floor(np.array([one.place[:2] for one in found])).tolist()
            found = [one._replace(place=(*one.place[:2], z)) for one, z in zip(found, heights, strict=True)]
        return found

    def _print(self, told: Happening, places: Array, turns: Array, middle: Array) -> Footprint:
        """Return the footprint of a landing, from joint positions `places` (J, 3) and orientations `turns` (J, 4)."""
        foot, slot = self._foot_of[told.name]
        point = foot.points[slot]
        stands = places[point.joint] + quat.rotate(turns[point.joint], point.offset)
        tip = places[foot.toe] + quat.rotate(turns[foot.toe], self._channels.skeleton.tails[foot.toe])
        back = places[foot.back]
        along = complex(*(tip - back)[:2]) or 1j
        heading = float(np.angle(along))
        aside = complex(*(places[foot.hip] - middle)[:2]) / along
        side = 0 if len(self._feet) < 2 else 1 if aside.imag > 0.0 else -1
        x, y, z = stands.tolist()
        behind, before = (float(np.linalg.norm(end - stands)) for end in (back, tip))
        return Footprint(
            told.time, told.name, (x, y, z - foot.clearances[slot]), heading, (1.0 + HEEL) * behind, before, side
        )
