"""Rays of a figure, such as its gaze, are turned to places in space by several joints, each within its limits.

A procedural source in the sense of [Kallmann2005] sections 3 and 4: its values are those of a list of channels, such as
swings with elliptic limits, on top of whatever the figure does. Each joint takes its share of the turn. What its limits
take away is left to the next one, and what is left after the last one is asked of all again. What is then still left
cannot be reached by turning, and is reported: the figure would have to step round.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import RigError
from ..figure import quaternion as quat
from ..figure.channel_lists import ChannelList, read, written
from ..figure.channels import Channels, level_rotations, world_frames
from ..figure.parameterisations import Location
from ..figure.skeleton import point_positions
from ..figure.vector_components import TINY, arc, smooth

Array = NDArray[np.float64]

SWEEPS = 3
"""How often the joints are gone through: once by their shares, then for what is left."""
STEEP, LEVEL = 0.1, 0.4
"""Horizontal parts of a direction of length 1: up to the first it has no heading, from the second on a whole one."""
NEARLY = 1e-9
"""Radians by which more may be left than is to be, for the joints not to be gone through again."""


@dataclass(frozen=True, eq=False)
class Ray:
    """A half-line in performance space, in some frames.

    Parameters
    ----------
    origins, directions : (T, 3); directions of unit length.
    """

    origins: Array
    directions: Array

    def turned(self, centres: Array, turns: Array) -> "Ray":
        """Return the ray turned about `centres` (T, 3) by rotations (T, 4)."""
        return Ray(centres + quat.rotate(turns, self.origins - centres), quat.rotate(turns, self.directions))

    def off(self, places: Array) -> Array:
        """Return the angles (T,), in radians, between the ray and the directions to `places` (T, 3)."""
        ways = places - self.origins
        sines = np.linalg.norm(np.cross(self.directions, ways), axis=-1)
        return np.asarray(np.arctan2(sines, np.sum(self.directions * ways, axis=-1)), dtype=np.float64)

    def as_far(self, centres: Array, places: Array) -> Array:
        """Return the vectors (T, 3) from `centres` to where the ray is as far from these as `places` are, all (T, 3).

        Of two such points it is the one that is about as far along the ray. Where the ray passes at a greater distance,
        it is where it is nearest.
        """
        arms, ways = self.origins - centres, places - self.origins
        along = np.sum(arms * self.directions, axis=-1)
        squares = np.square(places - centres).sum(axis=-1) - np.square(arms).sum(axis=-1)
        root = np.sqrt(np.maximum(np.square(along) + squares, 0.0))
        before = np.linalg.norm(ways, axis=-1) + along < 0.0
        return arms + np.maximum(np.where(before, -root, root) - along, 0.0)[:, None] * self.directions


def ray_of(channels: Channels, rows: Array, joint: int, offset: Array, direction: Array) -> Ray:
    """Return the ray that begins at `offset` (3,) and has a `direction` (3,), both in the frame of a joint."""
    positions, orientations = world_frames(channels, rows)
    origins = point_positions(positions, orientations, joint, offset)
    return Ray(origins, quat.rotate(orientations[:, joint], direction))


@dataclass(frozen=True, eq=False)
class Aim:
    """Joints that turn a ray to a place.

    Parameters
    ----------
    own : the joints, each of which carries those after it and the ray, and how they are written, with their limits.
    shares : (n,) of the turn that they take, more than 0. Together they are 1, or less if something else that comes
        after takes the rest.
    upright : whether what turns stays as upright as it is, as a head does: it turns about the vertical, and up or down.
        Otherwise it turns by the shortest way.
    """

    own: ChannelList
    shares: tuple[float, ...]
    upright: bool


def checked_aim(aim: Aim) -> Aim:
    """Return joints that turn a ray, checked.

    Raises
    ------
    RigError
        If there is none, one does not carry the next one, the root or a place is among them, or shares are none.
    """
    skeleton, joints = aim.own.skeleton, [joint for joint, _ in aim.own.channels]
    names = [skeleton.names[joint] for joint in joints]
    if not joints:
        raise RigError("No joint turns to the place. Choose one at least, such as the head.")
    if 0 in joints:
        raise RigError(f"'{names[joints.index(0)]}' is the root, which only steps turn. Choose joints above it.")
    for place, (above, joint) in enumerate(zip(joints, joints[1:], strict=False)):
        if above not in skeleton.chain(joint)[1:]:
            raise RigError(
                f"'{names[place]}' does not carry '{names[place + 1]}'. Choose joints from the trunk outwards."
            )
    if any(isinstance(one, Location) for _, one in aim.own.channels):
        raise RigError("Joints turn to a place, and are not moved to it. Leave locations out of their channels.")
    if len(aim.shares) != len(joints) or not all(0.0 < share <= 1.0 for share in aim.shares) or sum(aim.shares) > 1.001:
        told = ", ".join(f"{share:g}" for share in aim.shares)
        raise RigError(f"The shares of {len(joints)} joints in a turn are {told}. Give each more than 0, together 1.")
    return aim


@dataclass(frozen=True, eq=False)
class Aimed:
    """What has come of aiming.

    Parameters
    ----------
    values : (T, m) of the list of channels, within its limits.
    rows : (T, width) with these values.
    ray : where it is then.
    missed : (T,) radians by which it still misses the place, which only a step would bring.
    lacking : names of joints of the list that the rows have no channels for, which do not turn.
    """

    values: Array
    rows: Array
    ray: Ray
    missed: Array
    lacking: tuple[str, ...]


def aimed(aim: Aim, channels: Channels, rows: Array, ray: Ray, places: Array) -> Aimed:
    """Return rows in which joints turn a ray to places.

    Parameters
    ----------
    aim : the joints.
    channels, rows : of the figure, rows (T, width) in performance space.
    ray : where it is in these rows; the last joint carries it.
    places : (T, 3) in performance space.
    """
    given, chain = ray.off(places), _Chain(aim, channels, rows, ray)
    turning, left = set(channels.rotating.tolist()), 1.0 - np.cumsum(aim.shares)
    for sweep in range(SWEEPS):
        done = (chain.ray.off(places) <= given * left[-1] + NEARLY) & (sweep > 0)
        if done.all():
            break
        for place, (joint, _) in enumerate(aim.own.channels):
            if joint in turning:
                rest = given * left[place if sweep == 0 else -1]
                chain.turn(place, places, np.where(done, np.pi, rest))
    values = np.concatenate(chain.values, axis=1)
    made, lacking = written(aim.own, values, channels, rows)
    return Aimed(values, made, chain.ray, chain.ray.off(places), lacking)


class _Chain:
    """Joints of an aim while they turn, one after the other.

    Attributes
    ----------
    values : (T, count) of each joint.
    ray : as the joints have turned it.
    """

    def __init__(self, aim: Aim, channels: Channels, rows: Array, ray: Ray) -> None:
        joints = [joint for joint, _ in aim.own.channels]
        positions, orientations = world_frames(channels, rows)
        buffer = read(aim.own, channels, rows)
        self.values, self.ray = [buffer[:, part] for part in aim.own.columns], ray
        self._own, self._upright = aim.own, aim.upright
        self._centres = [positions[:, joint] for joint in joints]
        self._turns = [quat.normalize(level_rotations(channels, rows)[:, joint]) for joint in joints]
        self._above = [
            quat.multiply(quat.normalize(orientations[:, joint]), quat.conjugate(turn))
            for joint, turn in zip(joints, self._turns, strict=True)
        ]

    def turn(self, place: int, targets: Array, left: Array) -> None:
        """Turn a joint, as far as its limits allow, until the ray misses `targets` (T, 3) by `left` (T,) radians."""
        one = self._own.channels[place][1]
        assert not isinstance(one, Location)
        centres, above, before = self._centres[place], self._above[place], self._turns[place]
        ways = targets - centres
        arms = self.ray.as_far(centres, targets)
        wanted = turn_between(arms, ways, left, self._upright)
        about = quat.multiply(quat.multiply(quat.conjugate(above), wanted), above)
        self.values[place] = one.limited(one.values(quat.multiply(about, before)))
        after = one.rotations(self.values[place])
        made = quat.multiply(quat.multiply(above, quat.multiply(after, quat.conjugate(before))), quat.conjugate(above))
        self._turns[place], self.ray = after, self.ray.turned(centres, made)
        for later in range(place + 1, len(self.values)):
            self._centres[later] = centres + quat.rotate(made, self._centres[later] - centres)
            self._above[later] = quat.multiply(made, self._above[later])


def turn_between(arms: Array, ways: Array, left: Array, upright: bool) -> Array:
    """Return the rotations (T, 4) that turn `arms` (T, 3) towards `ways` (T, 3) until angles `left` (T,) are left.

    Parameters
    ----------
    arms, ways : in performance space, of any length.
    left : radians.
    upright : as of `Aim`. Directions that are nearly vertical have no heading, and are turned by the shortest way.
    """
    if not upright:
        return _by_the_shortest_way(arms, ways, _share(arms, ways, left))
    level, there = (np.hypot(one[:, 0], one[:, 1]) for one in (arms, ways))
    sizes = [np.sqrt(np.square(one).sum(axis=-1)) + TINY for one in (arms, ways)]
    flat = np.minimum(level / sizes[0], there / sizes[1])
    share = _share(arms, ways, left) * smooth((flat - STEEP) / (LEVEL - STEEP))
    begin: Array = np.arctan2(arms[:, 1], arms[:, 0])
    aside = (np.arctan2(ways[:, 1], ways[:, 0]) - begin + np.pi) % (2.0 * np.pi) - np.pi
    rise: Array = np.arctan2(ways[:, 2], there) - np.arctan2(arms[:, 2], level)
    up = quat.from_axis_angle(np.array([0.0, -1.0, 0.0]), share * rise)
    first = quat.multiply(quat.from_yaw(begin + share * aside), quat.multiply(up, quat.from_yaw(-begin)))
    arms = quat.rotate(first, arms)
    return quat.multiply(_by_the_shortest_way(arms, ways, _share(arms, ways, left)), first)


def _by_the_shortest_way(arms: Array, ways: Array, share: Array) -> Array:
    """Return a share (T,) of the smallest rotations (T, 4) from `arms` to `ways`, both (T, 3)."""
    return quat.exp(share[:, None] * quat.log(np.stack(arc((*arms.T,), (*ways.T,)), axis=-1)))


def _share(arms: Array, ways: Array, left: Array) -> Array:
    """Return the share (T,) of the angle between two directions that has to be turned by for an angle to be left."""
    angles = np.arctan2(np.linalg.norm(np.cross(arms, ways), axis=-1), np.sum(arms * ways, axis=-1))
    return np.clip(1.0 - left / np.maximum(angles, TINY), 0.0, 1.0)
