"""Limbs: legs whose two bones, rotated at hip and knee, bring the foot to its target without changing its direction.

Everything is in the heading's frame, relative to the root, and computed by components (`vector_components`), so that
the same code works with numbers of one frame, and with arrays (T,) of many frames or (g, T) of several limbs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from .legs import Legs
from .vector_components import (
    NO_TURN,
    NOWHERE,
    TINY,
    Quaternion,
    Vector,
    add,
    arc,
    combined,
    cross,
    dot,
    either,
    larger,
    length,
    minus,
    moved,
    product,
    smaller,
    smooth,
    times,
)

SOFT = 0.985
"""Share of its length to which a limb may be stretched, unless the motion itself stretches it farther."""
FAR = 0.05
"""Displacement of a foot, as a share of its limb's length, from which it counts as far (see `pelvis_drop`)."""
MARGIN, HINGED_MARGIN = 0.002, 1.0 - SOFT
"""Share of a limb's length over which the pelvis drop sets in smoothly; with a hinge, until the knee is straight."""
LEAST_MARGIN = 1e-6
"""The same for a limb that is already stretched."""
STEEPEST = 0.5
"""Minimum cosine assumed between limb and vertical: the flatter the limb, the less a drop shortens it."""
DEEPEST = 0.6
"""Maximum pelvis drop for a limb, in lengths of the limb, for any target."""
ROUNDED = 1e-14
"""Squared sine of a knee's angle below which a knee is not distinguished from a straight one."""
STRAIGHT = 1e-3
"""Bend of a knee below which the direction of the foot determines which way it bends."""
ANYWHERE: Vector = (0.48, 0.6, 0.64)
"""Direction in which a straight knee bends if there is no foot."""
NEARLY_STRAIGHT, CLEARLY_BENT = 0.05, 0.26
"""Sines of the bend (3 and 15 degrees) up to which a knee bends about its hinge, and from which in its own plane."""
ASTRAY = 0.5
"""Cosine of the angle between both axes below which the knee's own plane gets less weight; none from 0 down."""
BY_FOOT = 0.9
"""Share of the least-squares rotation that is applied to the foot, so that it stays closer to level."""
DAMPING = 0.15
"""Damping of that least-squares step per unit of distance to the target."""
SHORTEST = 1e-3
"""Minimum length assumed for a leg, performance units."""
LEAST_EVEN = 0.1
"""Minimum `_evenness` of two bones that form a limb, as a share of the length of the chain."""


@dataclass(frozen=True)
class Limb:
    """Two bones of a leg that carry a foot.

    Parameters
    ----------
    hip, knee : indices of these joints in the leg's chain.
    end : index, among joints and points, of what the two bones bring to a target: the foot's joint, or the only point.
    has_foot : whether `end` is a joint that may rotate.
    points : indices of the points that are carried.
    rigid : whether the foot carries all points without another rotating joint in between.
    length : length of both bones together, performance units; an array (g, 1) if this represents several legs.
    """

    hip: int
    knee: int
    end: int
    has_foot: bool
    points: Sequence[int]
    rigid: bool
    length: Any


class PosedLimb(NamedTuple):
    """A limb in a pose, with shared intermediate results.

    Parameters
    ----------
    limb : Limb
    places : positions of the leg's joints and points.
    hinge : axis of unit length about which the knee bends; None if unknown.
    thigh : vector from the hip to the knee.
    shin : vector from the knee to the foot's joint.
    leg : vector from the hip to the foot's joint.
    upper, lower, stretch : lengths of `thigh`, `shin` and `leg`.
    bend : vector product of thigh and shin.
    sense : component of `bend` along the hinge; 0 without a hinge.
    """

    limb: Limb
    places: Sequence[Vector]
    hinge: Vector | None
    thigh: Vector
    shin: Vector
    leg: Vector
    upper: Any
    lower: Any
    stretch: Any
    bend: Vector
    sense: Any


def posed_limb(limb: Limb, places: Sequence[Vector], hinge: Vector | None = None) -> PosedLimb:
    """Return a limb with joints and points at `places`, whose knee has this `hinge`, if known."""
    hip, knee, foot = places[limb.hip], places[limb.knee], places[limb.end]
    thigh, shin, leg = minus(knee, hip), minus(foot, knee), minus(foot, hip)
    sizes, bend = (length(thigh), length(shin), length(leg)), cross(thigh, shin)
    return PosedLimb(limb, places, hinge, thigh, shin, leg, *sizes, bend, 0.0 if hinge is None else dot(bend, hinge))


@lru_cache(maxsize=16)
def limbs_of(legs: Legs) -> list[Limb | None]:
    """Return the limb of each leg, None if it is not a limb; cached for the same legs."""
    return [_limb_of(legs, leg) for leg in range(len(legs.members))]


@lru_cache(maxsize=16)
def lengths_of(legs: Legs) -> list[float]:
    """Return the length of each leg in performance units: of both bones of its limb, or of all its steps.

    It is at least `SHORTEST`, also for points on the root itself.
    """
    whole = np.linalg.norm(legs.steps.reshape(len(legs.members), -1, 3), axis=-1).sum(axis=1)
    sizes = [limb.length if limb else float(size) for limb, size in zip(limbs_of(legs), whole, strict=True)]
    return [max(size, SHORTEST) for size in sizes]


def _limb_of(legs: Legs, leg: int) -> Limb | None:
    """Return the limb formed by the most even pair of long bones in a leg's chain, None if no pair is even enough."""
    count, joints = legs.turning.shape
    steps = np.linalg.norm(legs.steps.reshape(count, -1, 3)[leg], axis=-1)
    carriers = legs.carriers.reshape(count, -1)[leg] - leg * joints
    points = [joints + int(slot) for slot in np.flatnonzero(legs.members[leg] >= 0)]
    along = np.cumsum(steps[:joints])
    ends = [joint for joint in np.flatnonzero(legs.turning[leg]).tolist() if joint <= min(carriers[points])]
    places = [*along[ends], *([along[carriers[points[0]]] + steps[points[0]]] if len(points) == 1 else [])]
    candidates = [*ends, *(points if len(points) == 1 else [])]
    found = [(_evenness(places[j] - places[i], places[k] - places[j]), i, j, k) for i, j, k in _triples(len(places))]
    evenness, hip, knee, end = max(found, default=(0.0, 0, 0, 0))
    if evenness <= LEAST_EVEN * places[-1]:
        return None
    has_foot = candidates[end] < joints
    rigid = len(points) <= 2 and len({int(carriers[p]) for p in points}) == 1
    size = float(places[end] - places[hip])
    return Limb(candidates[hip], candidates[knee], candidates[end], has_foot, tuple(points), rigid, size)


def _evenness(upper: float, lower: float) -> float:
    """Return how well two lengths fit a thigh and a shin: large for bones that are long and about equal."""
    return 2.0 * min(upper, lower) - max(upper, lower)


def _triples(count: int) -> list[tuple[int, int, int]]:
    """Return all increasing triples of numbers below `count`."""
    return [(i, j, k) for k in range(count) for j in range(k) for i in range(j)]


def foot_move(
    posed: PosedLimb, targets: Sequence[Vector], asked: Sequence[Any], tilt: Quaternion = NO_TURN
) -> tuple[Quaternion, Vector]:
    """Return the rotation of a foot, and the displacement of its joint, that bring its points to their targets.

    The first and the last point together rotate the foot as little as possible; a single point rotates it by `tilt` and
    slightly more, see `_foot_turn`.

    Parameters
    ----------
    posed : the limb of the foot.
    targets : target of each point.
    asked : for each point 1 if it has a target, else 0.
    tilt : rotation of a foot that has one point.
    """
    limb, places, count = posed.limb, posed.places, sum(asked)
    points, foot = [places[point] for point in limb.points], places[limb.end]
    shares = asked if len(points) == 1 else [chosen / (count + (count == 0)) for chosen in asked]
    missing = combined([minus(target, point) for target, point in zip(targets, points, strict=True)], shares)
    if not limb.has_foot:
        return NO_TURN, missing
    arms = [minus(point, foot) for point in points]
    if len(points) == 1:
        turn = _foot_turn(posed, arms[0], arms[0], missing)
        turn = turn if tilt is NO_TURN else product(tilt, turn)
    else:
        both, sole = asked[0] * asked[-1], minus(points[-1], points[0])
        alone = _foot_turn(posed, combined(arms, shares), sole, times(missing, 1.0 - both))
        wanted = minus(minus(targets[-1], targets[0]), sole)
        turn = product(arc(sole, add(sole, times(wanted, both))), alone)
    return turn, minus(missing, combined([moved(turn, arm) for arm in arms], shares))


def _foot_turn(posed: PosedLimb, arm: Vector, sole: Vector, missing: Vector) -> Quaternion:
    """Return the rotation of a foot for which hip, knee and foot together rotate as little as possible.

    It is one step of damped least squares for a displacement `missing` of the middle of the foot's points, which is at
    `arm` from the foot's joint. Only the horizontal displacement is used, so that a lifted foot stays level and does
    not roll about its own length, the `sole`.
    """
    arms = add(posed.leg, arm), add(posed.shin, arm), arm
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = arms
    xx, yy, zz = ax * ax + bx * bx + cx * cx, ay * ay + by * by + cy * cy, az * az + bz * bz + cz * cz
    damping = DAMPING * posed.limb.length * (missing[0] * missing[0] + missing[1] * missing[1]) ** 0.5
    a, b, c = yy + zz + damping, xx + zz + damping, xx + yy + damping
    d, e, f = ax * ay + bx * by + cx * cy, ax * az + bx * bz + cx * cz, ay * az + by * bz + cy * cz
    p, q, r = b * c - f * f, e * f + d * c, d * f + b * e
    push = (
        p * missing[0] + q * missing[1],
        q * missing[0] + (a * c - e * e) * missing[1],
        r * missing[0] + (d * e + a * f) * missing[1],
    )
    turn = times(cross(add(add(arms[0], arms[1]), arm), push), 0.5 * BY_FOOT / (a * p - d * q - e * r))
    x, y, z = minus(turn, times(sole, dot(turn, sole) / dot(sole, sole)))
    size = 1.0 / (1.0 + x * x + y * y + z * z) ** 0.5
    return size, x * size, y * size, z * size


def pelvis_drop(posed: PosedLimb, way: Vector) -> Any:
    """Return how much the root must sink, in performance units, so that the foot can be displaced by `way`.

    A limb may be stretched as far as in the motion itself, or until its knee is nearly straight (`SOFT`); the rest is
    taken from the root's height, smoothly at first. With a hinge the drop sets in over the whole remaining reach until
    the knee is straight. A limb that the motion stretches farther may stay so only while its foot displacement is
    small; otherwise its knee would jerk at the end of its reach.
    """
    whole, hinged = posed.limb.length, posed.hinge is not None
    wanted, straight = add(posed.leg, way), posed.upper + posed.lower
    size, soft = length(wanted), SOFT * straight
    allowed = larger(posed.stretch, soft)
    if hinged:
        square = dot(way, way)
        allowed = allowed - (allowed - soft) * square / (square + (FAR * whole) ** 2)
    over = larger(size - allowed, 0.0)
    most = (HINGED_MARGIN if hinged else MARGIN) * whole
    margin = larger(smaller(most, straight - allowed), LEAST_MARGIN * whole)
    down = larger(-wanted[2] / (size + most), STEEPEST)
    return smaller(over * over / (over + margin) / down, DEEPEST * whole)


def eased_lift(posed: PosedLimb, lift: Any) -> Any:
    """Return how much of `lift`, which keeps a free foot's height while the root sinks, is applied.

    All of it is applied if the knee is bent. A straight knee would have to bend far for a small lift, and jerk; it
    bends only as far as one that is stretched to `SOFT`, and the foot sinks by the rest.
    """
    straight = posed.upper + posed.lower + TINY
    slack = larger(1.0 - posed.stretch / straight, 0.0)
    least = larger(slack, 1.0 - SOFT)
    shorter = abs(lift * posed.leg[2]) / (posed.stretch * straight + TINY)
    root = (least + shorter) ** 0.5 + least**0.5
    return lift * (shorter / root + 2.0 * slack**0.5) / root


def bend_limb(posed: PosedLimb, way: Vector) -> tuple[Quaternion, Quaternion]:
    """Return the rotations of the upper and the lower bone that displace the foot's joint by `way`.

    A displacement out of reach is followed as far as the limb allows. The knee bends in its current plane, or about its
    hinge (see `_knee_axis`), and the hip rotates the limb as little as possible.
    """
    thigh, shin, leg = posed.thigh, posed.shin, posed.leg
    axis = _straight_axis(posed) if posed.hinge is None else _knee_axis(posed, posed.hinge)
    along = dot(axis, thigh) * dot(axis, shin)
    even, odd = dot(thigh, shin) - along, -dot(axis, posed.bend)
    reach = even * even + odd * odd
    longest = reach**0.5
    change = dot(leg, way) + 0.5 * dot(way, way)
    change = smaller(larger(change, -longest - even), longest - even)
    # Rounding errors of the length would bend a straight knee by their square root.
    square = odd * odd - change * (even + even + change)
    bent = either(square > ROUNDED * reach, square, 0.0) ** 0.5
    cosine = (even * (even + change) - odd * bent) / reach
    sine = (odd * (even + change) + even * bent) / reach
    half = larger(0.5 * (1.0 + cosine), 1e-12) ** 0.5
    knee_turn = (half, *times(axis, 0.5 * sine / half))
    upper = arc(add(leg, moved(knee_turn, shin)), add(leg, way))
    return upper, product(upper, knee_turn)


def straighten_limb(posed: PosedLimb) -> tuple[Quaternion, Quaternion]:
    """Return the rotations of the upper and the lower bone that straighten a knee which bends against its hinge.

    The limb keeps its direction. A knee that bends in the direction of its hinge, or has none, is not changed.
    """
    thigh, shin, whole, hinge = posed.thigh, posed.shin, posed.limb.length, posed.hinge or NOWHERE
    back = larger(-posed.sense, 0.0)
    even = dot(thigh, shin) - dot(hinge, thigh) * dot(hinge, shin)
    half = larger((even * even + back * back) ** 0.5 + even, LEAST_MARGIN * whole * whole)
    size = (half * half + back * back) ** 0.5
    knee_turn = (half / size, *times(hinge, back / size))
    upper = arc(add(posed.leg, moved(knee_turn, shin)), posed.leg)
    return upper, product(upper, knee_turn)


def bends_backward(posed: PosedLimb) -> bool:
    """Return whether the knee bends against its hinge in any frame; False without a hinge."""
    return posed.sense < 0.0 if isinstance(posed.sense, float) else bool((posed.sense < 0.0).any())


def _knee_axis(posed: PosedLimb, hinge: Vector) -> Vector:
    """Return the axis, of unit length, about which the knee bends forwards.

    This is its hinge if the knee is straight or bends the wrong way, and its own axis if it is clearly bent, with a
    smooth transition in between.
    """
    size = length(posed.bend) + TINY
    sine, agrees = size / (posed.upper * posed.lower + TINY), posed.sense / size
    share = smooth((sine - NEARLY_STRAIGHT) / (CLEARLY_BENT - NEARLY_STRAIGHT)) * smooth(agrees / ASTRAY)
    axis = add(times(posed.bend, share / size), times(hinge, 1.0 - share))
    return times(axis, 1.0 / length(axis))


def _straight_axis(posed: PosedLimb) -> Vector:
    """Return the axis, of unit length, about which a knee with unknown hinge bends forwards.

    If the leg is straight, the direction of the foot determines it.
    """
    limb, places = posed.limb, posed.places
    toe = minus(places[limb.points[-1]], places[limb.end]) if limb.has_foot else NOWHERE
    forwards = add(toe, times(ANYWHERE, STRAIGHT * limb.length))
    axis = add(posed.bend, times(cross(forwards, posed.leg), STRAIGHT))
    return times(axis, 1.0 / (length(axis) + TINY))
