"""The gaze of a figure: chest, neck and head turn to a point within their limits, and the eyes if there are any.

The swing frames of these joints have their z axis in the direction of looking ahead, not along the bone: looking up and
down is then a swing about x, looking to the side a swing about y, and one ellipse bounds both; the twist tilts the head
towards a shoulder.

To look behind itself a figure would have to choose a side, which could flip from one frame to the next as the point
moves. A point behind is therefore looked at less, the nearer it is to straight behind. The same holds for the side of a
point straight above or below.

A gaze with a reach starts from looking ahead, whatever the pose of neck and head below, and slows down smoothly at the
end of its reach, so that it follows a point at a steady speed. Its torso helps if a point is beyond the comfortable
range of the head.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import RigError
from ..figure import quaternion as quat
from ..figure.channel_lists import ChannelList, channel_list, written
from ..figure.channels import Channels, frames_along
from ..figure.parameterisations import SwingTwist
from ..figure.skeleton import Skeleton, forward_kinematics
from ..figure.swing_twist import limb_frame
from ..figure.vector_components import (
    TINY,
    Vector,
    add,
    bearing,
    cosine,
    joined,
    larger,
    length,
    minus,
    parted,
    sine,
    smaller,
    smooth,
)
from .aiming import LEVEL, STEEP, Aim, Aimed, Frames, Ray, aimed, checked_aim, ray_of

Array = NDArray[np.float64]

UP: Array = np.array([0.0, 0.0, 1.0])
BEHIND = float(np.radians(120.0))
"""Angle to the side from which a point is looked at less, until the figure looks ahead for one at 180 degrees."""
EYES_ALONG, EYES_AHEAD = 0.5, 0.4
"""Position of the eyes of a head without eye bones, along it and ahead of it, in lengths of the head's bone."""
EYES_SHARE = 0.15
"""Share of a turn that is left to the eyes."""
FARTHEST = float(np.radians(150.0))
"""The same angle for a gaze with a reach."""
COMFORT = float(np.radians(45.0))
"""Angle to the side from which the torso helps."""
SLOWS = 0.1
"""Share of the reach around its end over which a gaze slows down."""
INSIDE, NEAR = 0.25, 0.5
"""Distances from the eyes, in lengths of the head's bone, at which points begin to be looked at, and fully are."""
EYES_ELLIPSE = (float(np.radians(25.0)), float(np.radians(35.0)))
"""Half-axes of the ellipse that bounds the eyes, radians up and down, and to the side."""


@dataclass(frozen=True)
class GazeJoint:
    """A joint that rotates when the figure looks at something.

    Parameters
    ----------
    name : name of the joint.
    share : its share of the rotation, relative to those of the others.
    pitch : limit of rotation up or down, radians.
    yaw : limit of rotation to the side, radians; both limits are the half-axes of an ellipse.
    roll : limit of the sideways tilt, radians.
    """

    name: str
    share: float
    pitch: float
    yaw: float
    roll: float


@dataclass(frozen=True, eq=False)
class Eye:
    """An eye or head: its ray in the frame of a joint.

    Parameters
    ----------
    aim : the joints that rotate the eye or head.
    joint : the joint that carries the ray.
    offset : (3,) origin of the ray.
    direction : (3,) direction of the ray.
    """

    aim: Aim
    joint: int
    offset: Array
    direction: Array

    def frames(self, channels: Channels, rows: Array) -> Frames:
        """Return the frames of the joints from the root to the one that carries it, in rows (T, width)."""
        return frames_along(channels, rows, self.joint)

    def ray(self, frames: Frames) -> Ray:
        """Return its ray in these frames."""
        return ray_of(frames, self.joint, self.offset, self.direction)


@dataclass(frozen=True, eq=False)
class Gaze:
    """The parts of a figure that rotate when it looks at something.

    Parameters
    ----------
    head : the head, with the joints that rotate it.
    eyes : the eyes, which rotate after it; empty if the figure has none.
    reach : half-axes of the ellipse that bounds the rotation of all but the eyes together, radians up or down, and to
        the side; None if only the limits of the joints apply.
    torso : largest rotation by which the torso helps, radians.
    """

    head: Eye
    eyes: tuple[Eye, ...]
    reach: tuple[float, float] | None = None
    torso: float = 0.0

    @property
    def own(self) -> ChannelList:
        """The channel list of all rotating joints."""
        every = (self.head, *self.eyes)
        return ChannelList(self.head.aim.own.skeleton, tuple(one for eye in every for one in eye.aim.own.channels))

    @property
    def aside(self) -> float:
        """Largest angle to the side, in radians, of points that it can look at, if it has a reach."""
        assert self.reach is not None
        most = self.reach[1]
        if not self.eyes:
            return (1.0 - SLOWS) * most
        return most - EYES_SHARE * (most - self.torso) + (1.0 - SLOWS) * EYES_ELLIPSE[1]

    @property
    def reach_up(self) -> float:
        """Angle up or down, in radians, within which it can look at all points, if it has a reach."""
        assert self.reach is not None
        return (1.0 - SLOWS) * self.reach[0]


def gaze_of(
    skeleton: Skeleton,
    pose: Array,
    ahead: ArrayLike,
    joints: Sequence[GazeJoint],
    eyes: Sequence[str] = (),
    torso: Sequence[GazeJoint] | None = None,
) -> Gaze:
    """Check and return the gaze of a figure.

    Parameters
    ----------
    skeleton : the figure.
    pose : (J, 4) rotations from rest, root at heading 0, looking ahead; joint rotations are measured from it.
    ahead : (3,) horizontal direction in which the figure looks in this pose.
    joints : joints that rotate, from the trunk outwards, the head last.
    eyes : names of the eye joints.
    torso : helping joints, 0 or more, outwards, for a gaze with a reach; else None. All ellipses must be similar.

    Raises
    ------
    RigError
        If a joint does not exist, they are not a chain, limits are invalid, or the direction is vertical.
    """
    level = np.asarray(ahead, dtype=np.float64)
    if not np.linalg.norm(np.cross(UP, level)) > 0.0:
        raise RigError("The figure cannot look straight ahead along the vertical. Give a horizontal direction.")
    places, turns = (one[0] for one in forward_kinematics(skeleton, pose[None], np.zeros((len(skeleton.names), 3))))

    def swinging(name: str, half_axes: tuple[float, float] = (pi, pi), roll: float = inf) -> tuple[str, SwingTwist]:
        """Return a joint's name, and its swing and twist about the direction of looking ahead."""
        own = pose[skeleton.index(name)]
        back = quat.multiply(own, quat.conjugate(turns[skeleton.index(name)]))
        frame = limb_frame(quat.rotate(back, level), quat.rotate(back, np.cross(UP, level)))
        return name, SwingTwist(_parts(frame), half_axes, -roll, roll, _parts(own))

    def facing(joint: int) -> Array:
        """Return the direction (3,) of looking ahead in the frame of a joint."""
        return quat.rotate(quat.conjugate(turns[joint]), level / np.linalg.norm(level))

    helping = list(torso or ())
    turning = [swinging(one.name, (one.pitch, one.yaw), one.roll) for one in joints]
    own = channel_list(skeleton, [*(swinging(one.name) for one in helping), *turning])
    aim = checked_aim(Aim(own, _shares(joints, helping, bool(eyes)), True, len(helping)))
    head, found = skeleton.index(joints[-1].name), list[Eye]()
    for name in eyes:
        eye = skeleton.index(name)
        if head not in skeleton.chain(eye)[1:]:
            raise RigError(f"Eye '{name}' is not a child of '{joints[-1].name}'. Name the head last, or other eyes.")
        alone = Aim(channel_list(skeleton, [swinging(name, EYES_ELLIPSE, 0.0)]), (1.0,), True)
        found.append(Eye(alone, eye, np.zeros(3), facing(eye)))
    if found:
        middle = np.mean([places[eye.joint] for eye in found], axis=0)
        offset = quat.rotate(quat.conjugate(turns[head]), middle - places[head])
    else:
        tail = skeleton.tails[head]
        offset = EYES_ALONG * tail + EYES_AHEAD * float(np.linalg.norm(tail)) * facing(head)
    most = (1.0 - 0.5 * SLOWS) * sum(one.yaw for one in helping)
    reach = None if torso is None else _reach(joints, most, bool(eyes))
    return Gaze(Eye(aim, head, offset, facing(head)), tuple(found), reach, most)


def _shares(joints: Sequence[GazeJoint], helping: Sequence[GazeJoint], eyes: bool) -> tuple[float, ...]:
    """Return the shares of all joints in a rotation, the helping ones first."""
    helped = 0.5 if helping else 0.0
    whole = sum(one.share for one in joints) / ((1.0 - EYES_SHARE if eyes else 1.0) * (1.0 - helped)) or 1.0
    others = sum(one.share for one in helping) or 1.0
    return (*(helped * one.share / others for one in helping), *(one.share / whole for one in joints))


def _reach(joints: Sequence[GazeJoint], torso: float, eyes: bool) -> tuple[float, float]:
    """Return the reach, up or down and sideways, that keeps joints slightly within their similar ellipses."""
    yaw = sum(one.yaw for one in joints)
    aside = (1.0 - 0.5 * SLOWS) * yaw / (1.0 - EYES_SHARE if eyes else 1.0) + torso
    return aside * sum(one.pitch for one in joints) / yaw, aside


def _parts(rotation: Array) -> tuple[float, float, float, float]:
    w, x, y, z = rotation.tolist()
    return w, x, y, z


def look_at(gaze: Gaze, channels: Channels, rows: Array, places: Array) -> Aimed:
    """Return rows in which a figure looks at `places`.

    Parameters
    ----------
    gaze : the gaze.
    channels : channels of the figure.
    rows : (T, width) rows of the figure in performance space.
    places : (T, 3) targets in performance space.
    """
    frames, targets = gaze.head.frames(channels, rows), parted(places)
    ray = gaze.head.ray(frames)
    seen = _heeded(ray, targets)
    made = aimed(gaze.head.aim, channels, rows, frames, ray, seen)
    values, lacking, missed = [made.values], made.lacking, made.ray.off(targets)
    for number, eye in enumerate(gaze.eyes):
        frames = eye.frames(channels, made.rows)
        made = aimed(eye.aim, channels, made.rows, frames, eye.ray(frames), seen)
        values.append(made.values)
        lacking += made.lacking
        missed = larger(made.ray.off(targets), missed if number else 0.0)
    return replace(made, values=np.concatenate(values, axis=1), missed=joined((missed,))[:, 0], lacking=lacking)


def turn_head(gaze: Gaze, channels: Channels, rows: Array, places: Array) -> Aimed:
    """Return rows in which all parts of a gaze with a reach but the eyes turn to `places`; see `look_at`."""
    assert gaze.reach is not None
    aim, begin = gaze.head.aim, _looking_ahead(gaze.head, channels, rows)
    frames = gaze.head.frames(channels, begin)
    ray, size = gaze.head.ray(frames), float(np.linalg.norm(channels.skeleton.tails[gaze.head.joint]))
    seen, used = _within_reach(ray, parted(places), gaze.reach, size)
    comfort = COMFORT / gaze.reach[1]
    helped = gaze.torso * smooth((used - comfort) / max(1.0 - comfort, TINY)) / (used * gaze.reach[1] + TINY)
    return aimed(aim, channels, begin, frames, ray, seen, helped)


def turn_eyes(gaze: Gaze, channels: Channels, rows: Array, places: Array) -> Array:
    """Return rows in which only the eyes of a gaze with a reach turn to `places`; see `look_at`."""
    size = float(np.linalg.norm(channels.skeleton.tails[gaze.head.joint]))
    for eye in gaze.eyes:
        rows = _looking_ahead(eye, channels, rows)
        frames = eye.frames(channels, rows)
        ray = eye.ray(frames)
        seen, _ = _within_reach(ray, parted(places), EYES_ELLIPSE, size)
        rows = aimed(eye.aim, channels, rows, frames, ray, seen).rows
    return rows


def missed_by(gaze: Gaze, channels: Channels, rows: Array, places: Array) -> Array:
    """Return the angles (T,) in radians by which a gaze misses `places` (T, 3) in rows: its eyes, or else its head."""
    seeing = gaze.eyes or (gaze.head,)
    return joined(tuple(eye.ray(eye.frames(channels, rows)).off(parted(places)) for eye in seeing)).max(axis=-1)


def _looking_ahead(eye: Eye, channels: Channels, rows: Array) -> Array:
    """Return rows in which the joints that rotate an eye, except helping ones, look ahead."""
    own = ChannelList(channels.skeleton, eye.aim.own.channels[eye.aim.helping :])
    return written(own, np.zeros((len(rows), own.width)), channels, rows)[0]


def _within_reach(ray: Ray, places: Vector, reach: tuple[float, float], size: float) -> tuple[Vector, Any]:
    """Return the directions looked at for `places`, by components, and the share of the `reach` they take, from 0 to 1.

    Angles are measured from the `ray`, by heading and height. Points inside the head, of length `size`, are ignored.
    """
    ways, (aside, level, facing) = minus(places, ray.origins), _aside(ray, places, FARTHEST)
    flat = (ray.directions[0] ** 2 + ray.directions[1] ** 2) ** 0.5
    begin, far = bearing(ray.directions[2], flat), length(ways)
    inside = smooth((far / size - INSIDE) / (NEAR - INSIDE))
    rise = (bearing(ways[2], level) - begin) * inside
    aside = aside * inside * smooth((flat - STEEP) / (LEVEL - STEEP))
    whole = ((rise / reach[0]) ** 2 + (aside / reach[1]) ** 2) ** 0.5
    used = slowed(whole)
    share = (used + TINY) / (whole + TINY)
    height, angle, far = begin + rise * share, facing + aside * share, larger(far, NEAR * size)
    way = far * cosine(height) * cosine(angle), far * cosine(height) * sine(angle), far * sine(height)
    return add(ray.origins, way), used


def slowed(whole: Any) -> Any:
    """Return the share of a reach used for a demand of `whole`: the same, but smoothly limited to 1."""
    past = larger(whole - (1.0 - SLOWS), 0.0)
    less = smaller(past, 2.0 * SLOWS)
    return whole - less * less / (4.0 * SLOWS) - (past - less)


def _heeded(ray: Ray, places: Vector) -> Vector:
    """Return the points looked at for `places`: those behind are moved towards the plane of the `ray`; by components.

    The height of a point and its distance do not change.
    """
    aside, level, facing = _aside(ray, places, BEHIND)
    angles = facing + aside
    return add(ray.origins, (level * cosine(angles), level * sine(angles), places[2] - ray.origins[2]))


def _aside(ray: Ray, places: Vector, most: float) -> tuple[Any, Any, Any]:
    """Return the angles to the side of points, their horizontal distances, and the heading of the ray.

    Points farther to the side than `most` are looked at less.
    """
    ways, facing = minus(places, ray.origins), bearing(ray.directions[1], ray.directions[0])
    level = (ways[0] * ways[0] + ways[1] * ways[1]) ** 0.5
    aside = (bearing(ways[1], ways[0]) - facing + np.pi) % (2.0 * np.pi) - np.pi
    behind = smooth((abs(aside) - most) / (np.pi - most))
    sideways = smooth((level / (length(ways) + TINY) - STEEP) / (LEVEL - STEEP))
    return aside * (1.0 - behind) * sideways, level, facing
