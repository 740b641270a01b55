"""The gaze of a figure: chest, neck and head turn to a place within their limits, and the eyes where there are any.

The frames in which these joints swing have their z axis where the figure looks in a pose in which it looks ahead, and
not along the bone: to look up and down is then a swing about x, to look aside a swing about y, and one ellipse bounds
both; the twist is a head laid on the shoulder.

To look behind itself a figure would have to choose a side, and change it from one frame to the next as the place moves.
A place there is therefore looked at the less, the nearer it is to straight behind, and so is the side on which one is
that is straight above or below.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import RigError
from ..figure import quaternion as quat
from ..figure.channel_lists import ChannelList, channel_list
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
    smooth,
)
from .aiming import LEVEL, STEEP, Aim, Aimed, Frames, Ray, aimed, checked_aim, ray_of

Array = NDArray[np.float64]

UP: Array = np.array([0.0, 0.0, 1.0])
BEHIND = float(np.radians(120.0))
"""Angle to the side from which on a place is looked at less, until the figure looks ahead for one at 180 degrees."""
EYES_ALONG, EYES_AHEAD = 0.5, 0.4
"""Where the eyes of a head without eye bones are, along it and ahead of it, in lengths of the head's bone."""
EYES_SHARE = 0.15
"""Share of a turn that is left to eyes."""
EYES_ELLIPSE = (float(np.radians(25.0)), float(np.radians(35.0)))
"""Half-axes of the ellipse that bounds the eyes, radians up and down, and aside."""


@dataclass(frozen=True)
class GazeJoint:
    """A joint that turns when the figure looks at something.

    Parameters
    ----------
    name : of the joint.
    share : of the turn that it takes, relative to those of the others.
    pitch, yaw : how far it may turn up or down, and aside, radians: half-axes of an ellipse.
    roll : how far it may be laid on the side, radians.
    """

    name: str
    share: float
    pitch: float
    yaw: float
    roll: float


@dataclass(frozen=True, eq=False)
class Eye:
    """What sees: its ray in the frame of a joint.

    Parameters
    ----------
    aim : the joints that turn it.
    joint : that carries it.
    offset, direction : (3,) where the ray begins, and its direction.
    """

    aim: Aim
    joint: int
    offset: Array
    direction: Array

    def frames(self, channels: Channels, rows: Array) -> Frames:
        """Return the frames of the joints from the root to the one that carries it, in rows (T, width)."""
        return frames_along(channels, rows, self.joint)

    def ray(self, frames: Frames) -> Ray:
        """Return where its ray is in such frames."""
        return ray_of(frames, self.joint, self.offset, self.direction)


@dataclass(frozen=True, eq=False)
class Gaze:
    """What turns when a figure looks at something.

    Parameters
    ----------
    head : the head, by the joints that turn it.
    eyes : that turn by themselves after it; none where the figure has none.
    """

    head: Eye
    eyes: tuple[Eye, ...]

    @property
    def own(self) -> ChannelList:
        """The list of channels of all that turns."""
        every = (self.head, *self.eyes)
        return ChannelList(self.head.aim.own.skeleton, tuple(one for eye in every for one in eye.aim.own.channels))


def gaze_of(
    skeleton: Skeleton, pose: Array, ahead: ArrayLike, joints: Sequence[GazeJoint], eyes: Sequence[str] = ()
) -> Gaze:
    """Return the gaze of a figure, checked.

    Parameters
    ----------
    skeleton : the figure.
    pose : (J, 4) rotations from rest, that of the root at heading 0, in which the figure looks ahead. From there it
        counts how far joints are turned.
    ahead : (3,) direction to which the figure looks in this pose, over the floor.
    joints : that turn, from the trunk outwards, the head last.
    eyes : names of the joints of eyes.

    Raises
    ------
    RigError
        If there is no such joint, one does not carry the next one, limits are none, or the direction is upright.
    """
    level = np.asarray(ahead, dtype=np.float64)
    if not np.linalg.norm(np.cross(UP, level)) > 0.0:
        raise RigError("It is not known where the figure looks when it looks ahead. Give a direction over the floor.")
    places, turns = (one[0] for one in forward_kinematics(skeleton, pose[None], np.zeros((len(skeleton.names), 3))))

    def swinging(name: str, half_axes: tuple[float, float], roll: float) -> tuple[str, SwingTwist]:
        own = pose[skeleton.index(name)]
        back = quat.multiply(own, quat.conjugate(turns[skeleton.index(name)]))
        frame = limb_frame(quat.rotate(back, level), quat.rotate(back, np.cross(UP, level)))
        return name, SwingTwist(_parts(frame), half_axes, -roll, roll, _parts(own))

    def facing(joint: int) -> Array:
        return quat.rotate(quat.conjugate(turns[joint]), level / np.linalg.norm(level))

    own = channel_list(skeleton, [swinging(one.name, (one.pitch, one.yaw), one.roll) for one in joints])
    whole = sum(one.share for one in joints) / (1.0 - EYES_SHARE if eyes else 1.0) or 1.0
    aim = checked_aim(Aim(own, tuple(one.share / whole for one in joints), True))
    head, found = skeleton.index(joints[-1].name), list[Eye]()
    for name in eyes:
        eye = skeleton.index(name)
        if head not in skeleton.chain(eye)[1:]:
            raise RigError(f"'{joints[-1].name}' does not carry the eye '{name}'. Name the head last, or other eyes.")
        alone = Aim(channel_list(skeleton, [swinging(name, EYES_ELLIPSE, 0.0)]), (1.0,), True)
        found.append(Eye(alone, eye, np.zeros(3), facing(eye)))
    if found:
        middle = np.mean([places[eye.joint] for eye in found], axis=0)
        offset = quat.rotate(quat.conjugate(turns[head]), middle - places[head])
    else:
        tail = skeleton.tails[head]
        offset = EYES_ALONG * tail + EYES_AHEAD * float(np.linalg.norm(tail)) * facing(head)
    return Gaze(Eye(aim, head, offset, facing(head)), tuple(found))


def _parts(rotation: Array) -> tuple[float, float, float, float]:
    w, x, y, z = rotation.tolist()
    return w, x, y, z


def look_at(gaze: Gaze, channels: Channels, rows: Array, places: Array) -> Aimed:
    """Return rows in which a figure looks at `places`.

    Parameters
    ----------
    gaze : what turns.
    channels, rows : of the figure, rows (T, width) in performance space.
    places : (T, 3) in performance space.
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


def _heeded(ray: Ray, places: Vector) -> Vector:
    """Return where is looked for `places`: those behind nearer to the plane that the `ray` is in; all by components.

    The height of a place and its distance stay as they are.
    """
    ways, facing = minus(places, ray.origins), bearing(ray.directions[1], ray.directions[0])
    level = (ways[0] * ways[0] + ways[1] * ways[1]) ** 0.5
    aside = (bearing(ways[1], ways[0]) - facing + np.pi) % (2.0 * np.pi) - np.pi
    behind = smooth((abs(aside) - BEHIND) / (np.pi - BEHIND))
    sideways = smooth((level / (length(ways) + TINY) - STEEP) / (LEVEL - STEEP))
    angles = facing + aside * (1.0 - behind) * sideways
    return add(ray.origins, (level * cosine(angles), level * sine(angles), ways[2]))
