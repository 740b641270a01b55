"""The points of all legs of a pose brought where they are wanted: limbs bend, other legs turn as little as can be."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .components import NO_TURN, NOWHERE, Quaternion, Vector, add, smaller
from .leg_kinematics import reach_points
from .legs import Legs
from .limbs import Limb, bend, foot_towards, limbs_of, sinking
from .products import multiply

Array = NDArray[np.float64]
Way = tuple[Quaternion, Vector]


@dataclass(frozen=True, eq=False)
class Reach:
    """Legs and how each of them reaches.

    Parameters
    ----------
    legs : Legs
    limbs : (G,) None for legs that are none.
    roles : (G C,) which turn each joint takes: none, or upper, lower or foot of its leg.
    exact : whether `bent` brings all points to their targets that can be there.
    """

    legs: Legs
    limbs: Sequence[Limb | None]
    roles: NDArray[np.intp]
    exact: bool


@dataclass(frozen=True, eq=False)
class Wanted:
    """Where points are to be, counted from the root's place, component by component.

    Parameters
    ----------
    targets : (G, K) vectors.
    asked : (G, K) 1 for points that have a target, 0 for the others.
    tilts : (G,) how feet that have one point turn about it besides; none by default.
    """

    targets: Sequence[Sequence[Vector]]
    asked: Sequence[Sequence[Any]]
    tilts: Sequence[Quaternion] = ()


@lru_cache(maxsize=16)
def reach_of(legs: Legs) -> Reach:
    """Prepare `legs`."""
    limbs = limbs_of(legs)
    roles = np.zeros(legs.turning.shape, dtype=np.intp)
    for leg, limb in enumerate(limbs):
        if limb is not None:
            roles[leg, limb.hip :] = 3 * leg + 1
            roles[leg, limb.knee :] = 3 * leg + 2
            if limb.has_foot:
                roles[leg, limb.end :] = 3 * leg + 3
    exact = all(limb is not None and limb.rigid for limb in limbs)
    return Reach(legs, limbs, roles.reshape(-1), exact)


def by_component(legs: Legs, places: Array) -> list[list[Vector]]:
    """`positions` (T, n) of each leg's joints and points: plain numbers for one frame, else arrays (T,)."""
    count = len(legs.members)
    if len(places) == 1:
        return places[0].reshape(count, -1, 3).tolist()
    rows = np.ascontiguousarray(places.T).reshape(count, -1, 3, len(places))
    return [[(x, y, z) for x, y, z in leg] for leg in rows]


def ways(reach: Reach, places: Sequence[Sequence[Vector]], wanted: Wanted) -> list[Way]:
    """Turn and way of each leg's foot."""
    found: list[Way] = []
    for leg, limb in enumerate(reach.limbs):
        asked = wanted.asked[leg]
        held = sum(asked)
        if limb is None or (isinstance(held, float) and not held):
            found.append((NO_TURN, NOWHERE))
        else:
            found.append(foot_towards(limb, places[leg], wanted.targets[leg], asked, *wanted.tilts[leg : leg + 1]))
    return found


def sunk_for(reach: Reach, places: Sequence[Sequence[Vector]], found: Sequence[Way]) -> list[Any]:
    """How much the root must sink for each leg."""
    return [
        0.0 if limb is None or way is NOWHERE else sinking(limb, leg, way)
        for limb, leg, (_, way) in zip(reach.limbs, places, found, strict=True)
    ]


def bent(reach: Reach, places: Sequence[Sequence[Vector]], found: Sequence[Way], rotations: Array) -> Array:
    """Rotations (T, G C, 4) in space with each foot turned and brought its way."""
    turns: list[Quaternion] = [NO_TURN]
    for limb, leg, (turn, way) in zip(reach.limbs, places, found, strict=True):
        if limb is None or way is NOWHERE:
            turns += [NO_TURN, NO_TURN, NO_TURN]
        else:
            turns += [*bend(limb, leg, way), turn]
    if len(rotations) == 1:
        chosen = np.array(turns)[reach.roles]
    else:
        stack = np.empty((len(turns), 4, len(rotations)))
        for index, turn in enumerate(turns):
            for component in range(4):
                stack[index, component] = turn[component]
        chosen = stack[reach.roles].transpose(2, 0, 1).reshape(-1, 4)
    return multiply(chosen, rotations.reshape(-1, 4)).reshape(rotations.shape)


def raised(found: Sequence[Way], lifts: Sequence[Any]) -> list[Way]:
    """The ways with each foot `lifts` higher."""
    return [
        (turn, way if isinstance(lift, float) and not lift else add(way, (0.0, 0.0, lift)))
        for (turn, way), lift in zip(found, lifts, strict=True)
    ]


def refined(reach: Reach, rotations: Array, steps: Array | None, wanted: Wanted, sunk: Sequence[Any]) -> Array:
    """The same, step by step, for legs that are no limbs and feet of which several parts that turn are asked for."""
    if reach.exact:
        return rotations
    asked = np.zeros((len(rotations), *reach.legs.members.shape, 3))
    targets = np.zeros_like(asked)
    for leg, limb in enumerate(reach.limbs):
        slots = len(limb.points) if limb else int((reach.legs.members[leg] >= 0).sum())
        if limb is not None and limb.rigid:
            continue
        several = smaller(sum(wanted.asked[leg]) - 1.0, 1.0) if limb else 1.0
        for slot in range(slots):
            asked[:, leg, slot] = np.reshape(several * wanted.asked[leg][slot], (-1, 1))
            for axis, value in enumerate(add(wanted.targets[leg][slot], (0.0, 0.0, sunk[leg]))):
                targets[:, leg, slot, axis] = value
    if not asked.any():
        return rotations
    shape = len(rotations), len(reach.limbs), -1
    return reach_points(reach.legs, rotations, steps, targets.reshape(shape), np.maximum(asked, 0.0).reshape(shape))
