"""Groups of legs: similar legs are computed together, as arrays of legs and frames; one frame in plain numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .knee_hinges import ExamplePoses, knee_hinges
from .legs import Legs
from .two_bone_limbs import Limb, limbs_of
from .vector_components import Vector

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LegGroup:
    """One leg, or several consecutive ones whose joints and points have the same indices in their chains.

    Parameters
    ----------
    legs : index of the leg, or indices of several.
    count : number of legs.
    points : number of points of each leg.
    limb : limb of the leg, or of each of them, with lengths (g, 1); None if they are not limbs.
    hinge : axis of unit length about which each knee bends, in the frame of the bone above it: a vector of numbers, or
        of arrays (g, 1) for several; None if unknown.
    bearer : index in the chain of the joint in whose frame the hinge is given.
    """

    legs: int | slice
    count: int
    points: int
    limb: Limb | None
    hinge: Vector | None
    bearer: int


@dataclass(frozen=True, eq=False)
class LegGroups:
    """All legs, group by group.

    Parameters
    ----------
    groups : Sequence[LegGroup]
    roles : (G C,) index of the rotation of each joint: 0 for none, otherwise its 1-based index among those of
        the upper bones, the lower bones and the feet of each group's legs.
    """

    groups: Sequence[LegGroup]
    roles: NDArray[np.intp]

    def parted(self, values: Array) -> list[Any]:
        """Split values (T, G, n, c) of legs into groups, each as n vectors of c components.

        The components are plain numbers for one frame, otherwise arrays (T,) of one leg or (g, T) of several.
        """
        if len(values) == 1:
            return values[0].tolist()
        rows = np.ascontiguousarray(values.transpose(2, 3, 1, 0))
        return [[(*vector,) for vector in rows[:, :, group.legs]] for group in self.groups]

    def by_leg(self, values: Sequence[Any], count: int) -> Sequence[Any]:
        """Return one value per group, leg by leg (G,): numbers for one frame, else arrays of `count` frames."""
        if count == 1:
            return values
        found = np.empty((sum(group.count for group in self.groups), count))
        for group, value in zip(self.groups, values, strict=True):
            found[group.legs] = value
        return list(found)


@dataclass(frozen=True, eq=False)
class LegSolver:
    """Legs, and how each of them reaches its targets.

    Parameters
    ----------
    legs : Legs
    limbs : (G,) the limb of each leg, None if it is not a limb.
    exact : whether `bend_limbs` alone brings all points to reachable targets.
    apart : the legs one by one, for a single frame.
    alike : the legs with similar ones grouped, for several frames.
    """

    legs: Legs
    limbs: Sequence[Limb | None]
    exact: bool
    apart: LegGroups
    alike: LegGroups

    def groups(self, count: int) -> LegGroups:
        """Return the grouping of legs used for `count` frames."""
        return self.apart if count == 1 else self.alike


@lru_cache(maxsize=16)
def leg_solver(legs: Legs, poses: ExamplePoses | None = None) -> LegSolver:
    """Find how each of the `legs` reaches its targets; cached for the same legs and poses.

    `poses` determine how knees bend. Without them straight knees bend towards the direction of the foot.
    """
    limbs, (count, joints) = limbs_of(legs), legs.turning.shape
    hinges = [None] * count if poses is None else knee_hinges(legs, poses)
    carriers, points = legs.carriers.reshape(count, -1), (legs.members >= 0).sum(axis=1).tolist()
    apart: list[LegGroup] = []
    for leg, (limb, hinge) in enumerate(zip(limbs, hinges, strict=True)):
        bearer = int(carriers[leg, limb.knee]) - leg * joints if limb else 0
        apart.append(LegGroup(leg, 1, points[leg], limb, hinge, bearer))
    alike = [_together(list(group)) for _, group in groupby(apart, _kind)]
    exact = all(limb is not None and limb.rigid for limb in limbs)
    return LegSolver(legs, limbs, exact, *(LegGroups(groups, _roles(legs, groups)) for groups in (apart, alike)))


def _kind(leg: LegGroup) -> object:
    """Return a key that is equal for similar legs."""
    return leg.points, leg.limb and replace(leg.limb, length=0.0), leg.hinge is None, leg.bearer


def _together(legs: Sequence[LegGroup]) -> LegGroup:
    """Return consecutive similar legs as one group."""
    first = legs[0]
    if len(legs) == 1 or not isinstance(first.legs, int):
        return first
    limb, hinges = first.limb, [leg.hinge for leg in legs if leg.hinge is not None]
    if limb is not None:
        limb = replace(limb, length=np.array([[leg.limb.length] for leg in legs if leg.limb is not None]))
    x, y, z = np.array(hinges).T[:, :, None] if hinges else (0.0, 0.0, 0.0)
    own = slice(first.legs, first.legs + len(legs))
    return replace(first, legs=own, count=len(legs), limb=limb, hinge=(x, y, z) if hinges else None)


def _roles(legs: Legs, groups: Sequence[LegGroup]) -> NDArray[np.intp]:
    """Return the index (G C,) of the rotation of each joint, as described in `LegGroups`."""
    roles = np.zeros(legs.turning.shape, dtype=np.intp)
    first = 1
    for group in groups:
        if group.limb is not None:
            limb, own = group.limb, first + np.arange(group.count)[:, None]
            begins = limb.hip, limb.knee, *([limb.end] if limb.has_foot else [])
            mine = roles[group.legs].reshape(group.count, -1)
            for bone, begin in enumerate(begins):
                mine[:, begin:] = own + bone * group.count
        first += 3 * group.count
    return roles.reshape(-1)
