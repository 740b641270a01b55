"""One frame with points held, in plain numbers: the same as `Holding` says of many at once, only quicker."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..figure.components import NO_TURN, NOWHERE, Vector, difference, product
from ..figure.leg_reach import Way
from ..figure.plain_legs import PlainLeg, PlainLegs, Rotations, Stance, bend_leg, foot_way, stance
from ..figure.plain_limb import sinking
from .fading import FADE, SETTLE, fading, smooth
from .hold_state import CLOSED, FALLING, HELD, LOW, RAISED, RAISING, HoldState

Array = NDArray[np.float64]

STAYS: Way = (NO_TURN, NOWHERE)


@dataclass(frozen=True, eq=False)
class PlainState:
    """The numbers of a `HoldState` of one time, leg by leg.

    Parameters
    ----------
    held : of each leg the points that are held: which of its points, and the numbers behind that.
    legs : (G, 5)
    left, speed : (G, C, 4)
    """

    held: Sequence[Sequence[tuple[int, Sequence[float]]]]
    legs: Sequence[Sequence[float]]
    left: Sequence[Sequence[Sequence[float]]]
    speed: Sequence[Sequence[Sequence[float]]]


class HeldFrame(NamedTuple):
    """The pose of all legs.

    Parameters
    ----------
    given, made : lifted rotations.
    sunk : (G,) how much the root sank for each leg.
    kept : (G,) what of it former locks have left.
    down : how much the root sank in all.
    """

    given: Rotations
    made: Rotations
    sunk: Sequence[float]
    kept: Sequence[float]
    down: float


def plain_state(state: HoldState, counts: Sequence[int]) -> PlainState:
    """The numbers of a state whose legs have `counts` (G,) points."""
    points = state.points.reshape(len(counts), -1, state.points.shape[-1]).tolist()
    held = [
        [(slot, place[HELD + 1 :]) for slot, place in enumerate(leg[:count]) if place[HELD]]
        for leg, count in zip(points, counts, strict=True)
    ]
    return PlainState(held, state.legs.tolist(), state.left.tolist(), state.speed.tolist())


def solve_frame(legs: PlainLegs, state: PlainState, time: float, row: Array, only: int | None = None) -> HeldFrame:
    """Turn the legs so that what is held at `time` stays in its place, from the row (width,) as it is given.

    Where `only` one leg is asked for, the others are not bent, though the root sinks for them.
    """
    given = legs.read(row)
    made, count = given.copy(), len(legs.legs)
    kept, already = [0.0] * count, [0.0] * count
    stances: list[Stance | None] = [None] * count
    ways: list[Way] = [STAYS] * count
    for index, told in enumerate(state.legs):
        since = time - told[CLOSED]
        if since < FADE:
            value, speed = fading(since)
            _fade(legs.legs[index], state.left[index], state.speed[index], (value, speed), made)
            kept[index] = max(value * told[LOW] + speed * told[FALLING], 0.0)
            already[index] = value * told[RAISED] + speed * told[RAISING]
    sunk, root = kept.copy(), row[:6].tolist()
    for index, held in enumerate(state.held):
        if held:
            leg = legs.legs[index]
            stands = stances[index] = stance(leg, made)
            ways[index] = way = foot_way(leg.limb, stands.places, _wanted(leg, held, root, time))
            sunk[index] += sinking(stands.thigh, stands.shin, way[1], leg.limb.length)
            already[index] = 0.0
    down = math.hypot(*sunk)
    for index, leg in enumerate(legs.legs):
        (turn, way), lift = ways[index], down - already[index]
        if (way is not NOWHERE or lift) and (only is None or only == index):
            bend_leg(leg, stances[index] or stance(leg, made), (turn, (way[0], way[1], way[2] + lift)), made)
    return HeldFrame(given, made, sunk, kept, down)


def placed(leg: PlainLeg, slot: int, rotations: Rotations, row: Array, down: float) -> Vector:
    """Where a leg's point is in performance space, of the row (width,) with its root `down` lower."""
    x, y, turn, a, b, height = row[:6].tolist()
    u, v, w = stance(leg, rotations).places[len(leg.rows) + slot]
    u, v, cosine, sine = u + a, v + b, math.cos(turn), math.sin(turn)
    return x + cosine * u - sine * v, y + sine * u + cosine * v, w + height - down


def turns_left(leg: PlainLeg, frame: HeldFrame, length: int) -> Array:
    """Turns (C, 4) of a leg's joints from given to made: none, and axis times tangent of half the angle."""
    turns = [(0.0, 0.0, 0.0, 0.0)] * length
    for joint in leg.bending:
        row = leg.rows[joint]
        w, x, y, z = difference(frame.given[row], frame.made[row])
        turns[row - leg.rows[0]] = 0.0, x / w, y / w, z / w
    return np.array(turns)


def _fade(
    leg: PlainLeg,
    left: Sequence[Sequence[float]],
    speed: Sequence[Sequence[float]],
    shares: tuple[float, float],
    rotations: Rotations,
) -> None:
    """Give the bending joints the turns that are left of former locks."""
    s, t = shares
    first = leg.rows[0]
    for joint in leg.bending:
        place = leg.rows[joint]
        (_, a, b, c), (_, d, e, f) = left[place - first], speed[place - first]
        x, y, z = s * a + t * d, s * b + t * e, s * c + t * f
        w = 1.0 / math.sqrt(1.0 + x * x + y * y + z * z)
        rotations[place] = product(rotations[place], (w, w * x, w * y, w * z))


def _wanted(
    leg: PlainLeg, held: Sequence[tuple[int, Sequence[float]]], root: Sequence[float], time: float
) -> list[tuple[int, Vector]]:
    """Where the held points of a leg are to be, counted from the root's place, in the heading's frame."""
    found: list[tuple[int, Vector]] = []
    cosine, sine = math.cos(root[2]), math.sin(root[2])
    for slot, (x, y, height, excess, opened) in held:
        x, y, since = x - root[0], y - root[1], time - opened
        if since < SETTLE:
            height += excess * (1.0 - smooth(since / SETTLE))
        place = cosine * x + sine * y - root[3], cosine * y - sine * x - root[4], height - root[5]
        found.append((leg.limb.points[slot], place))
    return found
