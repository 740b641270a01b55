"""Limbs of one frame in plain numbers: quicker than arrays of one row, and the same to within rounding."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .components import (
    NO_TURN,
    NOWHERE,
    Quaternion,
    Vector,
    add,
    arc,
    difference,
    minus,
    product,
    times,
    turned,
)
from .leg_reach import Way, reach_of
from .legs import Legs
from .limbs import Limb
from .plain_limb import bend, foot_turn

Array = NDArray[np.float64]
Rotations = list[Quaternion]
"""Lifted rotations of all joints of all legs, as `leg_kinematics.lifted` has them."""


@dataclass(frozen=True, eq=False)
class PlainLeg:
    """A leg that is a limb.

    Parameters
    ----------
    limb : its places are counted in this leg's own chain, the root first and without joints that do nothing.
    rows : places of the chain's joints among all legs' rotations.
    steps : the place of each joint behind the root, as in `rows`, and the step to it from the joint before.
    arms : the joint that carries each point, and the step from it.
    bending : the joints that turn: hip, knee and foot.
    """

    limb: Limb
    rows: list[int]
    steps: list[tuple[int, Vector]]
    arms: list[tuple[int, Vector]]
    bending: list[int]


@dataclass(frozen=True, eq=False)
class PlainLegs:
    """All legs, and how their rotations are read from rows of values and written to them.

    Parameters
    ----------
    legs : one by one.
    lift, idle : (width, G C 4) and (G C 4,) as of `Legs`; None if that is nothing.
    bending : places of the joints that turn among all legs' rotations.
    settle, columns : (4 B, 4 B) and (4 B,) from the B bending joints' rotations to the row's columns.
    """

    legs: Sequence[PlainLeg]
    lift: Array
    idle: Array | None
    bending: Sequence[int]
    settle: Array
    columns: NDArray[np.intp]

    def read(self, row: Array) -> Rotations:
        """Rotations in a row of values (width,)."""
        lifted = row.dot(self.lift)
        return (lifted if self.idle is None else lifted + self.idle).reshape(-1, 4).tolist()

    def written(self, row: Array, rotations: Rotations) -> Array:
        """Copy of the row (width,) with the bending joints' rotations."""
        made = row.copy()
        flat = list(chain.from_iterable([rotations[joint] for joint in self.bending]))
        made[self.columns] = np.array(flat).dot(self.settle)
        return made


@lru_cache(maxsize=16)
def plain_legs_of(legs: Legs) -> PlainLegs | None:
    """Prepare `legs`; None where plain numbers do not tell all: legs that are no limbs, or have steps that change."""
    reach = reach_of(legs)
    if not reach.exact or len(legs.steps_by_scalar):
        return None
    found = [_plain_leg(legs, leg, limb) for leg, limb in enumerate(reach.limbs) if limb is not None]
    bending = [leg.rows[joint] for leg in found for joint in leg.bending]
    flat = [4 * joint + component for joint in bending for component in range(4)]
    used = np.flatnonzero(legs.settle[flat].any(axis=0))
    idle = legs.idle if legs.idle.any() else None
    return PlainLegs(found, legs.lift, idle, bending, legs.settle[flat][:, used], legs.columns[used])


def _plain_leg(legs: Legs, leg: int, limb: Limb) -> PlainLeg:
    count, length = legs.turning.shape
    pad = _filled_up(legs, leg)
    steps = [tuple(step) for step in legs.steps.reshape(count, -1, 3)[leg].tolist()]
    carriers = (legs.carriers.reshape(count, -1)[leg] - leg * length).tolist()
    own = replace(
        limb,
        hip=limb.hip - pad,
        knee=limb.knee - pad,
        end=limb.end - pad,
        points=[point - pad for point in limb.points],
    )
    rows = [leg * length, *range(leg * length + 1 + pad, (leg + 1) * length)]
    return PlainLeg(
        limb=own,
        rows=rows,
        steps=list(zip(rows[1:], steps[1 + pad : length], strict=True)),
        arms=[(max(carriers[point] - pad, 0), steps[point]) for point in limb.points],
        bending=[own.hip, own.knee, *([own.end] if own.has_foot else [])],
    )


def _filled_up(legs: Legs, leg: int) -> int:
    """How many joints behind the root do nothing."""
    count, length = legs.turning.shape
    read = legs.lift.reshape(-1, count, length, 4)[:, leg, 1:].any(axis=(0, 2))
    return int(np.argmax(read)) if read.any() else length - 1


class Stance(NamedTuple):
    """How a leg stands.

    Parameters
    ----------
    spaces : rotations in space of its joints.
    places : of its joints and points, counted from the root's.
    thigh, shin : from hip to knee, and from there to the limb's end.
    """

    spaces: Rotations
    places: list[Vector]
    thigh: Vector
    shin: Vector


def stance(leg: PlainLeg, rotations: Rotations) -> Stance:
    """How a leg stands whose joints have these lifted rotations."""
    w, x, y, z = turn = rotations[leg.rows[0]]
    px, py, pz = place = NOWHERE
    spaces, places = [turn], [place]
    for row, (a, b, c) in leg.steps:
        p, q, r = 2.0 * (x * a + y * b + z * c), 2.0 * w, w * w - x * x - y * y - z * z
        px += r * a + p * x + q * (y * c - z * b)
        py += r * b + p * y + q * (z * a - x * c)
        pz += r * c + p * z + q * (x * b - y * a)
        d, e, f, g = rotations[row]
        w, x, y, z = (
            w * d - x * e - y * f - z * g,
            w * e + x * d + y * g - z * f,
            w * f - x * g + y * d + z * e,
            w * g + x * f - y * e + z * d,
        )
        places.append((px, py, pz))
        spaces.append((w, x, y, z))
    for carrier, arm in leg.arms:
        places.append(add(places[carrier], _carried(spaces[carrier], arm)))
    (a, b, c), (d, e, f), (x, y, z) = places[leg.limb.hip], places[leg.limb.knee], places[leg.limb.end]
    return Stance(spaces, places, (d - a, e - b, f - c), (x - d, y - e, z - f))


def _carried(turn: Quaternion, step: Vector) -> Vector:
    """A step in space, as long as `leg_kinematics.positions` has it where the turn is not quite of unit length."""
    (w, x, y, z), (a, b, c) = turn, step
    p, q, r = 2.0 * (x * a + y * b + z * c), 2.0 * w, w * w - x * x - y * y - z * z
    return (
        r * a + p * x + q * (y * c - z * b),
        r * b + p * y + q * (z * a - x * c),
        r * c + p * z + q * (x * b - y * a),
    )


def foot_way(limb: Limb, places: Sequence[Vector], wanted: Sequence[tuple[int, Vector]]) -> Way:
    """As `limbs.foot_towards`, for one or both of a foot's points, each with its place among `places` and target."""
    point, target = wanted[0]
    middle = places[point]
    missing = minus(target, middle)
    if not limb.has_foot:
        return NO_TURN, missing
    foot = places[limb.end]
    if len(wanted) == 1:
        arm = minus(middle, foot)
        sole = minus(places[limb.points[-1]], places[limb.points[0]]) if len(limb.points) > 1 else arm
        arms = minus(middle, places[limb.hip]), minus(middle, places[limb.knee]), arm
        turn = foot_turn(arms, sole, missing, limb.length)
    else:
        other, beyond = wanted[1]
        missing = times(add(missing, minus(beyond, places[other])), 0.5)
        arm = minus(times(add(middle, places[other]), 0.5), foot)
        turn = arc(minus(places[other], middle), minus(beyond, target))
    return turn, add(missing, minus(arm, turned(turn, arm)))


def bend_leg(leg: PlainLeg, stands: Stance, way: Way, rotations: Rotations) -> None:
    """Turn a leg's foot and bring it its way; the three joints' lifted `rotations` change."""
    limb, rows = leg.limb, leg.rows
    spaces, places, thigh, shin = stands
    i, j, k = limb.hip, limb.knee, limb.end
    upper, lower = bend(thigh, shin, minus(places[limb.points[-1]], places[k]), way[1], limb.length)
    lower = product(upper, lower)
    above, below = product(upper, spaces[i]), product(lower, spaces[j])
    rotations[rows[i]] = difference(spaces[i - 1], above)
    rotations[rows[j]] = difference(above if j == i + 1 else product(upper, spaces[j - 1]), below)
    if limb.has_foot:
        ankle = below if k == j + 1 else product(lower, spaces[k - 1])
        rotations[rows[k]] = difference(ankle, product(way[0], spaces[k]))
