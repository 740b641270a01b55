"""Rays of a figure, such as its gaze, are turned to points in space by several joints, each within its limits.

This is a procedural source in the sense of [Kallmann2005] sections 3 and 4: its values are those of a channel list,
such as swings with elliptic limits, on top of any other motion. Each joint takes its share of the rotation. What its
limits cut off is left to the next joint, and the remainder after the last one is distributed over all again, starting
with the last. What then remains cannot be reached by rotation, and is reported: the figure would have to step round.
"""

from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RigError
from ..figure import quaternion as quat
from ..figure.channel_lists import ChannelList, written
from ..figure.channels import Channels, level_rotations
from ..figure.parameterisations import Location
from ..figure.vector_components import (
    TINY,
    Quaternion,
    Vector,
    add,
    arc,
    bearing,
    cosine,
    cross,
    difference,
    dot,
    either,
    inverse,
    joined,
    larger,
    length,
    minus,
    parted,
    product,
    sine,
    smaller,
    smooth,
    times,
    turned,
    within,
)

Array = NDArray[np.float64]
Frames = tuple[tuple[int, ...], Array, Array]
"""Some joints n, with their positions (T, n, 3) and orientations (T, n, 4) in performance space; see `frames_along`."""

AGAIN = 2
"""Number of passes over the joints for the remainder, after one pass by their shares."""
STEEP, LEVEL = 0.1, 0.4
"""Horizontal length of a unit direction up to which it has no heading, and from which it has a full one."""
NEARLY = 1e-9
"""Tolerance of the remaining angle in radians for stopping."""


@dataclass(frozen=True, eq=False)
class Ray:
    """A half-line in performance space, in one frame or in many, by components.

    Parameters
    ----------
    origins, directions : components, see `vector_components`; directions of unit length.
    """

    origins: Vector
    directions: Vector

    def turned(self, centres: Vector, turns: Quaternion) -> "Ray":
        """Return the ray turned about `centres` by rotations."""
        return Ray(add(centres, turned(turns, minus(self.origins, centres))), turned(turns, self.directions))

    def off(self, places: Vector) -> Any:
        """Return the angles, in radians, between the ray and the directions to `places`."""
        return _angle(self.directions, minus(places, self.origins))

    def as_far(self, centres: Vector, places: Vector) -> Vector:
        """Return the vectors from `centres` to the points of the ray at the distance of `places` from the centres.

        Of two such points the one about as far along the ray as the place is used. If the ray passes the centre at a
        greater distance, its nearest point is used.
        """
        arms, way = minus(self.origins, centres), minus(places, centres)
        along = dot(arms, self.directions)
        root = larger(along * along + dot(way, way) - dot(arms, arms), 0.0) ** 0.5
        before = length(minus(places, self.origins)) + along < 0.0
        return add(arms, times(self.directions, larger(either(before, -root, root) - along, 0.0)))


def ray_of(frames: Frames, joint: int, offset: Array, direction: Array) -> Ray:
    """Return the ray that begins at `offset` (3,) and has a `direction` (3,), both in the frame of a joint."""
    joints, *found = frames
    place, turn = (parted(one[:, joints.index(joint)]) for one in found)
    x, y, z = offset.tolist()
    a, b, c = direction.tolist()
    return Ray(add(place, turned(turn, (x, y, z))), turned(turn, (a, b, c)))


@dataclass(frozen=True, eq=False)
class Aim:
    """Joints that turn a ray to a point.

    Parameters
    ----------
    own : the joints, each of which carries the next ones and the ray, with their parameterisations and limits.
    shares : (n,) positive shares of the rotation. Their sum is 1, or less if something that comes later takes the rest.
    upright : whether the rotated part stays as upright as it is, like a head: it rotates about the vertical, and up or
        down. Otherwise it takes the shortest rotation.
    helping : number of joints, the first ones, that only help: they take the share passed to `aimed`, distributed by
        their shares, and nothing of what the limits of others cut off.
    """

    own: ChannelList
    shares: tuple[float, ...]
    upright: bool
    helping: int = 0

    def left_after(self, helped: Any) -> list[Any]:
        """Return the remainder of a rotation after each joint, if the helping joints take the share `helped` of it."""
        taken = np.cumsum(self.shares)
        if not self.helping:
            return (1.0 - taken).tolist()
        theirs = float(taken[self.helping - 1])
        helping = [1.0 - helped * (one / theirs) for one in taken[: self.helping].tolist()]
        others = [(1.0 - helped) * (1.0 - one) / (1.0 - theirs) for one in taken[self.helping :].tolist()]
        return helping + others


def checked_aim(aim: Aim) -> Aim:
    """Check and return joints that turn a ray.

    Raises
    ------
    RigError
        If there is none, they are not a chain, they include the root or a location, or shares are invalid.
    """
    skeleton, joints = aim.own.skeleton, [joint for joint, _ in aim.own.channels]
    names = [skeleton.names[joint] for joint in joints]
    if not joints:
        raise RigError("No joint turns to the target. Choose at least one, such as the head.")
    if 0 in joints:
        raise RigError(
            f"'{names[joints.index(0)]}' is the root, which can only turn by taking steps. Choose its children instead."
        )
    for place, (above, joint) in enumerate(zip(joints, joints[1:], strict=False)):
        if above not in skeleton.chain(joint)[1:]:
            raise RigError(
                f"'{names[place]}' is not a parent of '{names[place + 1]}'. List joints from the torso outward."
            )
    if any(isinstance(one, Location) for _, one in aim.own.channels):
        raise RigError("Joints can only rotate towards a target. Leave locations out of their channels.")
    if len(aim.shares) != len(joints) or not all(0.0 < share <= 1.0 for share in aim.shares) or sum(aim.shares) > 1.001:
        told = ", ".join(f"{share:g}" for share in aim.shares)
        raise RigError(
            f"The shares of {len(joints)} joints in a turn are {told}. Each must be above 0, and their sum 1."
        )
    return aim


@dataclass(frozen=True, eq=False)
class Aimed:
    """The result of aiming.

    Parameters
    ----------
    values : (T, m) values of the channel list, within its limits.
    rows : (T, width) rows with these values.
    ray : the resulting ray.
    missed : (T,) remaining angle in radians, which would require a step.
    lacking : names of joints of the list without channels in the rows, which do not rotate.
    """

    values: Array
    rows: Array
    ray: Ray
    missed: Array
    lacking: tuple[str, ...]


def aimed(
    aim: Aim, channels: Channels, rows: Array, frames: Frames, ray: Ray, places: Vector, helped: Any = 0.0
) -> Aimed:
    """Return rows in which joints turn a ray to points.

    Parameters
    ----------
    aim : the joints.
    channels : channels of the figure.
    rows : (T, width) rows of the figure in performance space.
    frames : frames in these rows of at least the joints from the root to the last one of the aim.
    ray : the ray in these rows; the last joint carries it.
    places : the points by components, in performance space.
    helped : share of each rotation that the helping joints take together.
    """
    given, chain = ray.off(places), _Chain(aim, channels, rows, frames, ray)
    turning, left = set(channels.rotating.tolist()), aim.left_after(helped)
    for place, (joint, _) in enumerate(aim.own.channels):
        if joint in turning and place < aim.helping:
            chain.help(place, places, left[place] / (left[place - 1] if place else 1.0))
        elif joint in turning:
            chain.turn(place, places, given * left[place])
        else:
            chain.stay(place)
    own = [place for place, (joint, _) in enumerate(aim.own.channels) if joint in turning and place >= aim.helping]
    for place in own[::-1] * AGAIN:
        done: Any = chain.ray.off(places) <= given * left[-1] + NEARLY
        if np.all(done):
            break
        chain.turn(place, places, either(done, pi, given * left[-1]))
    values = np.concatenate(chain.values, axis=1)
    made, lacking = written(aim.own, values, channels, rows)
    return Aimed(values, made, chain.ray, joined((chain.ray.off(places),))[:, 0], lacking)


class _Chain:
    """Joints of an aim during their rotation, one after the other.

    Attributes
    ----------
    values : (T, count) values of each joint.
    ray : the ray after the rotations so far.
    """

    def __init__(self, aim: Aim, channels: Channels, rows: Array, frames: Frames, ray: Ray) -> None:
        joints = [joint for joint, _ in aim.own.channels]
        at = [frames[0].index(joint) for joint in joints]
        turns = quat.normalize(level_rotations(channels, rows)[:, joints])
        orientations = quat.normalize(frames[2][:, at])
        above = quat.multiply(orientations, quat.conjugate(turns))
        self._own, self._upright, self.ray = aim.own, aim.upright, ray
        self._centres = [parted(frames[1][:, place]) for place in at]
        self._orientations, self._above = (
            [parted(one[:, place]) for place in range(len(joints))] for one in (orientations, above)
        )
        self.values = [np.empty((len(rows), one.count)) for _, one in aim.own.channels]

    def stay(self, place: int) -> None:
        """Leave a joint unchanged."""
        one = self._own.channels[place][1]
        assert not isinstance(one, Location)
        self.values[place] = one.values(joined(difference(self._above[place], self._orientations[place])))

    def help(self, place: int, targets: Vector, left: Any) -> None:
        """Rotate a joint until the share `left` remains of the angle from the ray to targets, seen from the joint."""
        arms, ways = self._seen(place, targets)
        self._turn(place, turn_between(arms, ways, left * _angle(arms, ways), self._upright))

    def turn(self, place: int, targets: Vector, left: Any) -> None:
        """Rotate a joint, as far as its limits allow, until the ray misses targets by `left` radians."""
        self._turn(place, turn_between(*self._seen(place, targets), left, self._upright))

    def _seen(self, place: int, targets: Vector) -> tuple[Vector, Vector]:
        """Return the vectors from a joint to the ray, and to targets."""
        centres = self._centres[place]
        return self.ray.as_far(centres, targets), minus(targets, centres)

    def _turn(self, place: int, wanted: Quaternion) -> None:
        """Rotate a joint as requested, as far as its limits allow."""
        one = self._own.channels[place][1]
        assert not isinstance(one, Location)
        centres, above, before = self._centres[place], self._above[place], self._orientations[place]
        own = joined(difference(above, product(wanted, before)))
        self.values[place] = one.limited(one.values(own))
        after = product(above, parted(one.rotations(self.values[place])))
        made = product(after, inverse(before))
        self._orientations[place], self.ray = after, self.ray.turned(centres, made)
        for later in range(place + 1, len(self.values)):
            self._centres[later] = add(centres, turned(made, minus(self._centres[later], centres)))
            self._above[later] = product(made, self._above[later])
            self._orientations[later] = product(made, self._orientations[later])


def turn_between(arms: Vector, ways: Vector, left: Any, upright: bool) -> Quaternion:
    """Return the rotations that turn `arms` towards `ways` until angles `left` remain, all by components.

    Parameters
    ----------
    arms, ways : vectors in performance space, of any length.
    left : remaining angles in radians.
    upright : as for `Aim`. Nearly vertical directions have no heading, and take the shortest rotation.
    """
    if not upright:
        return _by_the_shortest_way(arms, ways, left)
    levels = [(one[0] * one[0] + one[1] * one[1]) ** 0.5 for one in (arms, ways)]
    flat = smaller(levels[0] / (length(arms) + TINY), levels[1] / (length(ways) + TINY))
    share = 0.5 * _share(_angle(arms, ways), left) * smooth((flat - STEEP) / (LEVEL - STEEP))
    begin = bearing(arms[1], arms[0])
    aside = share * ((bearing(ways[1], ways[0]) - begin + pi) % (2.0 * pi) - pi)
    rise = share * (bearing(ways[2], levels[1]) - bearing(arms[2], levels[0]))
    up, heading = sine(rise), begin + aside
    first = cosine(rise) * cosine(aside), up * sine(heading), -up * cosine(heading), cosine(rise) * sine(aside)
    return product(_by_the_shortest_way(turned(first, arms), ways, left), first)


def _by_the_shortest_way(arms: Vector, ways: Vector, left: Any) -> Quaternion:
    """Return the smallest rotations that turn `arms` towards `ways` until angles `left` remain."""
    w, x, y, z = arc(arms, ways)
    size = length((x, y, z))
    half = bearing(size, w)
    part = _share(2.0 * half, left) * half
    scale = sine(part) / (size + TINY)
    return cosine(part), x * scale, y * scale, z * scale


def _angle(a: Vector, b: Vector) -> Any:
    """Return the angles between directions, radians."""
    return bearing(length(cross(a, b)), dot(a, b))


def _share(angles: Any, left: Any) -> Any:
    """Return the share of angles by which to rotate so that angles `left` remain."""
    return within(1.0 - left / (angles + TINY))
