"""Limbs: legs whose two bones, turned at hip and knee, bring the foot to its target while it keeps its direction.

Everything is in the heading's frame, relative to the root, and written by components (`vector_components`), so that the
same code takes numbers of one frame and arrays (T,) of many.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .legs import Legs
from .vector_components import (
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
    smooth,
    times,
    turned,
)

Array = NDArray[np.float64]

SOFT = 0.985
"""Share of its length to which a limb may be stretched, where the motion itself does not stretch it farther."""
FAR = 0.05
"""Displacement of a foot, as a share of its limb's length, from which on it is far (see `pelvis_drop`)."""
MARGIN, HINGED_MARGIN = 0.002, 1.0 - SOFT
"""Share of a limb's length over which the pelvis drop sets in smoothly; that of hinges: until the knee is straight."""
LEAST_MARGIN = 1e-6
"""The same for a limb that is stretched already."""
STEEPEST = 0.5
"""Least cosine between limb and vertical that is reckoned with: the flatter the limb, the less a drop shortens it."""
DEEPEST = 0.6
"""Largest pelvis drop for a limb, in lengths of the limb, wherever its target is."""
STRAIGHT = 1e-3
"""How little a knee must be bent for the direction of the foot to decide which way it bends."""
ANYWHERE: Vector = (0.48, 0.6, 0.64)
"""Direction to which a straight knee bends where there is no foot either."""
NEARLY_STRAIGHT, CLEARLY_BENT = 0.05, 0.26
"""Sines of the bend (3 and 15 degrees) up to which a knee bends about its hinge, and from which on in its own plane."""
ASTRAY = 0.5
"""Cosine of the angle between both axes below which the knee's own plane counts less; from 0 down it does not count."""
BY_FOOT = 0.9
"""Share of the least-squares rotation that the foot takes, so that it stays nearer to level."""
DAMPING = 0.15
"""Damping of that least-squares step, for each unit of distance to the target."""
SHORTEST = 1e-3
"""Performance units that a leg counts as long at least."""
LEAST_EVEN = 0.1
"""Least `_evenness` of two bones that are a limb, as a share of the length of the chain."""


@dataclass(frozen=True)
class Limb:
    """Two bones of a leg that carry a foot.

    Parameters
    ----------
    hip, knee : places of these joints in the leg's chain.
    end : place, among joints and points, of what the two bones bring to a target: the foot's joint, or the only point.
    has_foot : whether `end` is a joint that may be turned.
    points : places of the points that are carried.
    rigid : whether the foot carries all points without another turning joint in between.
    length : of both bones together, performance units.
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
    """Return the limb of each leg, None where a leg is no limb; computed once for the same legs."""
    return [_limb_of(legs, leg) for leg in range(len(legs.members))]


@lru_cache(maxsize=16)
def lengths_of(legs: Legs) -> list[float]:
    """Return the length of each leg in performance units: of both bones of its limb, or of all its steps.

    It is at least `SHORTEST`, also for points on the root itself.
    """
    whole = np.linalg.norm(legs.steps.reshape(len(legs.members), -1, 3), axis=-1).sum(axis=1)
    lengths = [limb.length if limb else float(size) for limb, size in zip(limbs_of(legs), whole, strict=True)]
    return [max(length, SHORTEST) for length in lengths]


def _limb_of(legs: Legs, leg: int) -> Limb | None:
    """Return the limb that the evenest pair of long bones in a leg's chain makes, None where no pair is even enough."""
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
    """Return how well two lengths suit a thigh and a shin: large for bones that are long and about equally long."""
    return 2.0 * min(upper, lower) - max(upper, lower)


def _triples(count: int) -> list[tuple[int, int, int]]:
    """Return all increasing triples of numbers below `count`."""
    return [(i, j, k) for k in range(count) for j in range(k) for i in range(j)]


def foot_move(
    limb: Limb,
    places: Sequence[Vector],
    targets: Sequence[Vector],
    asked: Sequence[Any],
    tilt: Quaternion = NO_TURN,
) -> tuple[Quaternion, Vector]:
    """Return the rotation of a foot, and the displacement of its joint, by which its points come to their targets.

    The first and the last point together turn the foot as little as possible; one point alone turns it by `tilt` and a
    little, as `_foot_turn` says.

    Parameters
    ----------
    limb : whose foot.
    places : of the leg's joints and points.
    targets, asked : of each point, and 1 if it is to come there, else 0.
    tilt : rotation of a foot that has one point.
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
    """Return how a foot rotates where hip, knee and foot together turn as little as possible.

    It is one step of damped least squares for a displacement `missing` of the `middle` of its points. Only the
    displacement over the floor counts, so that a foot that is lifted stays level, and the foot does not roll about its
    own length.
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


def pelvis_drop(limb: Limb, places: Sequence[Vector], way: Vector, hinged: bool = False) -> Any:
    """Return how much the root must sink, in performance units, so that the foot can be displaced by `way`.

    A limb may be stretched as far as it is by itself, or until its knee is nearly straight (`SOFT`); what is beyond
    that is taken from the root's height, smoothly at first. With `hinged` it is so over all that is left until the
    knee is straight, and a limb that is stretched farther by itself may stay so only where its foot is not displaced
    far: else its knee would jerk when it leaves the end of its reach.
    """
    hip, knee, foot = places[limb.hip], places[limb.knee], places[limb.end]
    thigh, shin, leg = minus(knee, hip), minus(foot, knee), minus(foot, hip)
    wanted = add(leg, way)
    straight = dot(thigh, thigh) ** 0.5 + dot(shin, shin) ** 0.5
    length = dot(wanted, wanted) ** 0.5
    soft = SOFT * straight
    allowed = larger(dot(leg, leg) ** 0.5, soft)
    if hinged:
        moved = dot(way, way)
        allowed = allowed - (allowed - soft) * moved / (moved + (FAR * limb.length) ** 2)
    over = larger(length - allowed, 0.0)
    most = (HINGED_MARGIN if hinged else MARGIN) * limb.length
    margin = larger(smaller(most, straight - allowed), LEAST_MARGIN * limb.length)
    down = larger(-wanted[2] / (length + most), STEEPEST)
    return smaller(over * over / (over + margin) / down, DEEPEST * limb.length)


def eased_lift(limb: Limb, places: Sequence[Vector], lift: Any) -> Any:
    """Return how far a free foot is to be lifted, of the `lift` that keeps its height while the root sinks.

    It is all of it where the knee is bent. A straight knee would have to bend far for a small lift, and jerk; it bends
    only as far as one that is stretched to `SOFT`, and the foot sinks by the rest.
    """
    hip, knee, foot = places[limb.hip], places[limb.knee], places[limb.end]
    thigh, shin, leg = minus(knee, hip), minus(foot, knee), minus(foot, hip)
    straight = dot(thigh, thigh) ** 0.5 + dot(shin, shin) ** 0.5 + TINY
    length = dot(leg, leg) ** 0.5
    slack = larger(1.0 - length / straight, 0.0)
    least = larger(slack, 1.0 - SOFT)
    shorter = abs(lift * leg[2]) / (length * straight + TINY)
    root = (least + shorter) ** 0.5 + least**0.5
    return lift * (shorter / root + 2.0 * slack**0.5) / root


def bend_limb(
    limb: Limb, places: Sequence[Vector], way: Vector, hinge: Vector | None = None
) -> tuple[Quaternion, Quaternion]:
    """Return the rotations of the upper and the lower bone that displace the foot's joint by `way`.

    A displacement out of reach is followed as far as the limb allows. The knee bends in the plane in which it is bent
    already, or about its hinge, as `_knee_axis` says, and the hip turns the limb as little as possible.

    Parameters
    ----------
    limb : to be bent.
    places : of the leg's joints and points.
    way : of the foot's joint.
    hinge : axis of unit length about which the knee bends; None if that is not known.
    """
    hip, knee, foot = places[limb.hip], places[limb.knee], places[limb.end]
    thigh, shin, leg = minus(knee, hip), minus(foot, knee), minus(foot, hip)
    axis = _straight_axis(limb, places, thigh, shin, leg) if hinge is None else _knee_axis(thigh, shin, hinge)
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


def straighten_limb(limb: Limb, places: Sequence[Vector], hinge: Vector) -> tuple[Quaternion, Quaternion]:
    """Return the rotations of the upper and the lower bone that straighten a knee which bends against its `hinge`.

    The limb keeps its direction. A knee that bends in the sense of its hinge is not turned.
    """
    hip, knee, foot = places[limb.hip], places[limb.knee], places[limb.end]
    thigh, shin, leg = minus(knee, hip), minus(foot, knee), minus(foot, hip)
    back = larger(-dot(hinge, cross(thigh, shin)), 0.0)
    even = dot(thigh, shin) - dot(hinge, thigh) * dot(hinge, shin)
    half = larger((even * even + back * back) ** 0.5 + even, LEAST_MARGIN * limb.length * limb.length)
    size = (half * half + back * back) ** 0.5
    share = back / size
    knee_turn = (half / size, hinge[0] * share, hinge[1] * share, hinge[2] * share)
    upper = arc(add(thigh, turned(knee_turn, shin)), leg)
    return upper, product(upper, knee_turn)


def bends_backward(limb: Limb, places: Sequence[Vector], hinge: Vector) -> bool:
    """Whether the knee bends against the sense of its `hinge`, in any frame."""
    hip, knee, foot = places[limb.hip], places[limb.knee], places[limb.end]
    sense = dot(cross(minus(knee, hip), minus(foot, knee)), hinge)
    return sense < 0.0 if isinstance(sense, float) else bool((sense < 0.0).any())


def _knee_axis(thigh: Vector, shin: Vector, hinge: Vector) -> Vector:
    """Return the axis, of unit length, about which the knee bends forwards.

    That is its hinge where the knee is straight or bends the wrong way, and its own axis where it is clearly bent; in
    between it goes smoothly from one to the other.
    """
    own = cross(thigh, shin)
    bend = dot(own, own) ** 0.5 + TINY
    own = times(own, 1.0 / bend)
    sine = bend / ((dot(thigh, thigh) * dot(shin, shin)) ** 0.5 + TINY)
    share = smooth((sine - NEARLY_STRAIGHT) / (CLEARLY_BENT - NEARLY_STRAIGHT)) * smooth(dot(own, hinge) / ASTRAY)
    x, y, z = add(times(own, share), times(hinge, 1.0 - share))
    size = (x * x + y * y + z * z) ** 0.5
    return x / size, y / size, z / size


def _straight_axis(limb: Limb, places: Sequence[Vector], thigh: Vector, shin: Vector, leg: Vector) -> Vector:
    """Return the axis, of unit length, about which a knee whose hinge is not known bends forwards.

    Where the leg is straight, the direction of the foot decides it.
    """
    toe = minus(places[limb.points[-1]], places[limb.end]) if limb.has_foot else NOWHERE
    forwards = add(toe, times(ANYWHERE, STRAIGHT * limb.length))
    x, y, z = add(cross(thigh, shin), times(cross(forwards, leg), STRAIGHT))
    size = (x * x + y * y + z * z) ** 0.5 + TINY
    return x / size, y / size, z / size
