"""Legs that are alike are computed at once, as arrays of legs and frames; one frame leg by leg, in plain numbers."""

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
    """One leg, or several consecutive ones whose joints and points have the same places in their chains.

    Parameters
    ----------
    legs : index of the leg, or those of several.
    count : how many there are.
    points : how many points each of them has.
    limb : of the leg, or of each of them, with their lengths (g, 1); None where they are no limbs.
    hinge : axis of unit length about which each knee bends, in the frame of the bone above it: a vector of numbers, or
        of arrays (g, 1) for several; None where it is not known.
    bearer : place in the chain of the joint in whose frame that is.
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
    roles : (G C,) index of the rotation that each joint takes: 0 for none, else its place, from 1 on, among those of
        the upper bones, the lower bones and the feet of each group's legs.
    """

    groups: Sequence[LegGroup]
    roles: NDArray[np.intp]

    def parted(self, values: Array) -> list[Any]:
        """Return numbers (T, G, n, c) of legs, group by group, as n vectors of c components.

        These are plain numbers for one frame, else arrays (T,) of a leg or (g, T) of several.
        """
        if len(values) == 1:
            return values[0].tolist()
        rows = np.ascontiguousarray(values.transpose(2, 3, 1, 0))
        return [[(*vector,) for vector in rows[:, :, group.legs]] for group in self.groups]

    def by_leg(self, values: Sequence[Any], count: int) -> Sequence[Any]:
        """Return a number of each group leg by leg (G,): plain ones for one frame, else arrays of `count` frames."""
        if count == 1:
            return values
        found = np.empty((sum(group.count for group in self.groups), count))
        for group, value in zip(self.groups, values, strict=True):
            found[group.legs] = value
        return list(found)


@dataclass(frozen=True, eq=False)
class LegSolver:
    """Legs, and how each of them is brought to its targets.

    Parameters
    ----------
    legs : Legs
    limbs : (G,) the limb of each leg, None where a leg is no limb.
    exact : whether `bend_limbs` alone brings all points to targets that are within reach.
    apart, alike : the legs one by one, and those together that are alike.
    """

    legs: Legs
    limbs: Sequence[Limb | None]
    exact: bool
    apart: LegGroups
    alike: LegGroups

    def groups(self, count: int) -> LegGroups:
        """Return the legs as they are computed for `count` frames."""
        return self.apart if count == 1 else self.alike


@lru_cache(maxsize=16)
def leg_solver(legs: Legs, poses: ExamplePoses | None = None) -> LegSolver:
    """Find out how each of the `legs` is brought to its targets; computed once for the same legs and poses.

    `poses` tell how knees bend. Without them straight knees bend as their feet point.
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
    """Return what is equal for legs that are alike."""
    return leg.points, leg.limb and replace(leg.limb, length=0.0), leg.hinge is None, leg.bearer


def _together(legs: Sequence[LegGroup]) -> LegGroup:
    """Return consecutive legs that are alike as one group."""
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
    """Return the index (G C,) of the rotation that each joint takes, as `LegGroups` describes it."""
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
