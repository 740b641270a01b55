"""Limbs: legs whose foot goes where it is wanted by hip and knee alone, and keeps its direction.

Everything is counted from the root's place, in the heading's frame, component by component (`components`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .components import (
    NO_TURN,
    NOWHERE,
    TINY,
    Quaternion,
    Vector,
    add,
    arc,
    cross,
    dot,
    larger,
    minus,
    product,
    smaller,
    times,
    turned,
)
from .legs import Legs

Array = NDArray[np.float64]

SOFT = 0.985
"""Share of its length that a limb may use which is not that straight by itself."""
MARGIN = 0.002
"""Share of its length over which the root begins to sink."""
LEAST_MARGIN = 1e-6
STEEPEST = 0.5
DEEPEST = 0.6
"""Lengths of a limb that the root never sinks by for it, wherever its target is."""
STRAIGHT = 1e-3
"""How little a knee must be bent for the direction of the foot to tell which way it bends."""
ANYWHERE: Vector = (0.48, 0.6, 0.64)
BY_FOOT = 0.9
"""Share of that turn that a foot takes: it rather stays level."""
DAMPING = 0.15
SHORTEST = 1e-3
"""Performance units that a leg counts as at least."""
LEAST_EVEN = 0.1
"""Share of a chain's length that two bones must be even by to be a limb."""


@dataclass(frozen=True)
class Limb:
    """Two bones that carry a foot.

    Parameters
    ----------
    hip, knee : places in the leg's chain.
    end : place among joints and points of what the two bones bring somewhere: the foot's joint, or the only point.
    has_foot : whether `end` is a joint that turns.
    points : places of the points behind it.
    rigid : whether the foot carries them all without anything in between that turns.
    length : of both bones.
    """

    hip: int
    knee: int
    end: int
    has_foot: bool
    points: Sequence[int]
    rigid: bool
    length: float


@lru_cache(maxsize=16)
def limbs_of(legs: Legs) -> list[Limb | None]:
    """The limb of each leg, None where it is something else."""
    return [_limb_of(legs, leg) for leg in range(len(legs.members))]


@lru_cache(maxsize=16)
def lengths_of(legs: Legs) -> list[float]:
    """How long each leg is: both bones of its limb, or all of its steps; a point on the root itself has a short one."""
    whole = np.linalg.norm(legs.steps.reshape(len(legs.members), -1, 3), axis=-1).sum(axis=1)
    lengths = [limb.length if limb else float(size) for limb, size in zip(limbs_of(legs), whole, strict=True)]
    return [max(length, SHORTEST) for length in lengths]


def _limb_of(legs: Legs, leg: int) -> Limb | None:
    count, length = legs.turning.shape
    steps = np.linalg.norm(legs.steps.reshape(count, -1, 3)[leg], axis=-1)
    carriers = legs.carriers.reshape(count, -1)[leg] - leg * length
    points = [length + int(slot) for slot in np.flatnonzero(legs.members[leg] >= 0)]
    along = np.cumsum(steps[:length])
    ends = [joint for joint in np.flatnonzero(legs.turning[leg]).tolist() if joint <= min(carriers[points])]
    places = [*along[ends], *([along[carriers[points[0]]] + steps[points[0]]] if len(points) == 1 else [])]
    candidates = [*ends, *(points if len(points) == 1 else [])]
    found = [(_evenness(places[j] - places[i], places[k] - places[j]), i, j, k) for i, j, k in _triples(len(places))]
    evenness, hip, knee, end = max(found, default=(0.0, 0, 0, 0))
    if evenness <= LEAST_EVEN * places[-1]:
        return None
    has_foot = candidates[end] < length
    rigid = len(points) <= 2 and len({int(carriers[p]) for p in points}) == 1
    size = float(places[end] - places[hip])
    return Limb(candidates[hip], candidates[knee], candidates[end], has_foot, tuple(points), rigid, size)


def _evenness(upper: float, lower: float) -> float:
    """How well two bones of these lengths are a thigh and a shin: long, and about as long as each other."""
    return 2.0 * min(upper, lower) - max(upper, lower)


def _triples(count: int) -> list[tuple[int, int, int]]:
    return [(i, j, k) for k in range(count) for j in range(k) for i in range(j)]


def foot_towards(
    limb: Limb,
    places: Sequence[Vector],
    targets: Sequence[Vector],
    asked: Sequence[Any],
    tilt: Quaternion = NO_TURN,
) -> tuple[Quaternion, Vector]:
    """The turn of a foot, and the way of its joint, by which its points come to their targets.

    One point alone turns it by `tilt` only; the first and the last together turn it as little as can be.

    Parameters
    ----------
    limb : whose foot.
    places : of the leg's joints and points.
    targets, asked : of each point, and 1 if it is to come there, else 0.
    tilt : of a foot with one point.
    """
    foot, count = places[limb.end], sum(asked)
    share = 1.0 / (count + (count == 0))
    missing = middle = NOWHERE
    for point, target, chosen in zip(limb.points, targets, asked, strict=True):
        missing = add(missing, times(minus(target, places[point]), chosen * share))
        middle = add(middle, times(places[point], chosen * share))
    if not limb.has_foot:
        return NO_TURN, missing
    if len(limb.points) == 1:
        turn = product(tilt, _foot_turn(limb, places, middle, missing))
    else:
        both = asked[0] * asked[-1]
        alone = _foot_turn(limb, places, middle, times(missing, 1.0 - both))
        sole = minus(places[limb.points[-1]], places[limb.points[0]])
        wanted = minus(minus(targets[-1], targets[0]), sole)
        turn = product(arc(sole, add(sole, times(wanted, both))), alone)
    way = missing
    for point, chosen in zip(limb.points, asked, strict=True):
        arm = minus(places[point], foot)
        way = add(way, times(minus(arm, turned(turn, arm)), chosen * share))
    return turn, way


def _foot_turn(limb: Limb, places: Sequence[Vector], middle: Vector, missing: Vector) -> Quaternion:
    """How a foot turns in space where hip, knee and foot together turn as little as can be.

    That is one step of damped least squares, for what the `middle` of its points is `missing` over the floor: a foot
    that is lifted stays level.
    It does not roll about its own length.
    """
    arms = [minus(middle, places[joint]) for joint in (limb.hip, limb.knee, limb.end)]
    x, y, z = add(add(arms[0], arms[1]), arms[2])
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = arms
    xx, yy, zz = ax * ax + bx * bx + cx * cx, ay * ay + by * by + cy * cy, az * az + bz * bz + cz * cz
    damping = DAMPING * limb.length * (missing[0] * missing[0] + missing[1] * missing[1]) ** 0.5
    a, b, c = yy + zz + damping, xx + zz + damping, xx + yy + damping
    d, e, f = -(ax * ay + bx * by + cx * cy), -(ax * az + bx * bz + cx * cz), -(ay * az + by * bz + cy * cz)
    p, q, r = b * c - f * f, e * f - d * c, d * f - b * e
    scale = BY_FOOT / (a * p + d * q + e * r)
    push = (
        scale * (p * missing[0] + q * missing[1]),
        scale * (q * missing[0] + (a * c - e * e) * missing[1]),
        scale * (r * missing[0] + (d * e - a * f) * missing[1]),
    )
    turn = cross((x, y, z), push)
    first = limb.points[0] if len(limb.points) > 1 else limb.end
    sole = minus(places[limb.points[-1]], places[first])
    x, y, z = times(minus(turn, times(sole, dot(turn, sole) / dot(sole, sole))), 0.5)
    size = (1.0 + x * x + y * y + z * z) ** -0.5
    return size, x * size, y * size, z * size


def sinking(limb: Limb, places: Sequence[Vector], way: Vector) -> Any:
    """How much the root must sink so that the foot can go a `way`.

    A limb may stretch as far as it does by itself, or until its knee is nearly straight; what is beyond is taken from
    the root's height, gently at first.
    """
    hip, knee, foot = places[limb.hip], places[limb.knee], places[limb.end]
    thigh, shin, leg = minus(knee, hip), minus(foot, knee), minus(foot, hip)
    wanted = add(leg, way)
    straight = dot(thigh, thigh) ** 0.5 + dot(shin, shin) ** 0.5
    length = dot(wanted, wanted) ** 0.5
    allowed = larger(dot(leg, leg) ** 0.5, SOFT * straight)
    over = larger(length - allowed, 0.0)
    margin = larger(smaller(MARGIN * limb.length, straight - allowed), LEAST_MARGIN * limb.length)
    down = larger(-wanted[2] / (length + MARGIN * limb.length), STEEPEST)
    return smaller(over * over / (over + margin) / down, DEEPEST * limb.length)


def bend(limb: Limb, places: Sequence[Vector], way: Vector) -> tuple[Quaternion, Quaternion]:
    """Turns in space of the bones of a limb, upper and lower, that take its foot's joint a `way`, or as far as it can.

    The knee bends in the plane in which it is bent, and the hip turns the limb as little as can be.
    """
    hip, knee, foot = places[limb.hip], places[limb.knee], places[limb.end]
    thigh, shin, leg = minus(knee, hip), minus(foot, knee), minus(foot, hip)
    axis = _knee_axis(limb, places, thigh, shin, leg)
    along = dot(axis, thigh) * dot(axis, shin)
    even, odd = dot(thigh, shin) - along, -dot(axis, cross(thigh, shin))
    reach = even * even + odd * odd
    longest = reach**0.5
    change = dot(leg, way) + 0.5 * dot(way, way)
    change = smaller(larger(change, -longest - even), longest - even)
    bent = larger(odd * odd - change * (2.0 * even + change), 0.0) ** 0.5
    cosine = (even * (even + change) - odd * bent) / reach
    sine = (odd * (even + change) + even * bent) / reach
    half = larger(0.5 * (1.0 + cosine), 1e-12) ** 0.5
    share = 0.5 * sine / half
    knee_turn = (half, axis[0] * share, axis[1] * share, axis[2] * share)
    upper = arc(add(thigh, turned(knee_turn, shin)), add(leg, way))
    return upper, product(upper, knee_turn)


def _knee_axis(limb: Limb, places: Sequence[Vector], thigh: Vector, shin: Vector, leg: Vector) -> Vector:
    """The knee bends about this, forwards: where the leg is straight, the foot tells where that is."""
    toe = minus(places[limb.points[-1]], places[limb.end]) if limb.has_foot else NOWHERE
    forwards = add(toe, times(ANYWHERE, STRAIGHT * limb.length))
    x, y, z = add(cross(thigh, shin), times(cross(forwards, leg), STRAIGHT))
    size = (x * x + y * y + z * z) ** 0.5 + TINY
    return x / size, y / size, z / size
