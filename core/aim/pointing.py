"""Pointing at a place: the elbow is straightened, the shoulder swings within its limits, the hand lies along the arm.

The arm points along the line from the shoulder to the tip of the hand. It is stretched, but for a place that is nearer
than the tip would be, towards which the elbow stays bent.

It sets out from the middle of its limits, whatever it does below, so that it points in the same way from whatever it
did before, and a place straight behind that middle is the only one to which there is no shortest way. Places there are
pointed at the less, the nearer they are to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import RigError
from ..figure import quaternion as quat
from ..figure.channel_lists import ChannelList, channel_list, read, written
from ..figure.channels import Channels, frames_along, rotations_of, with_rotations, world_frames
from ..figure.parameterisations import SwingTwist
from ..figure.skeleton import Skeleton, point_positions
from ..figure.two_bone_limbs import SOFT, Limb, bend_limb
from ..figure.vector_components import Vector, add, joined, length, minus, parted, smooth, times, turned
from .aiming import Aim, Aimed, Ray, aimed, checked_aim, turn_between

Array = NDArray[np.float64]

BEHIND = float(np.radians(140.0))
"""Angle from the middle of the limits from which on a place is pointed at less, until it is not at 180 degrees."""
SHORTEST = 0.3
"""Share of its length to which an arm is bent for a place near the shoulder."""
GAP = 0.05
"""Share of the arm's length that the tip of the hand keeps from the place."""


@dataclass(frozen=True, eq=False)
class Arm:
    """An arm that points.

    Parameters
    ----------
    aim : the joints that turn the arm, the upper arm last.
    below : the lower arm and the hand, and how they are written.
    limb : lengths of the upper and the lower arm.
    tip : (3,) of the hand, in its frame.
    """

    aim: Aim
    below: ChannelList
    limb: Limb
    tip: Array

    @property
    def own(self) -> ChannelList:
        """The list of channels of all that turns."""
        return ChannelList(self.below.skeleton, (*self.aim.own.channels, *self.below.channels))


def arm_of(
    skeleton: Skeleton, turning: Sequence[tuple[str, SwingTwist, float]], below: Sequence[tuple[str, SwingTwist]]
) -> Arm:
    """Return an arm that points, checked.

    Parameters
    ----------
    skeleton : the figure.
    turning : joints that turn the arm, from the trunk outwards, the upper arm last: names, how they are written, and
        their shares of a turn.
    below : the lower arm and the hand in the same way; the tip of the hand is the tail of its bone.

    Raises
    ------
    RigError
        If there is no such joint, one does not carry the next one, limits are none, or a bone has no length.
    """
    aim = checked_aim(
        Aim(channel_list(skeleton, [one[:2] for one in turning]), tuple(one[2] for one in turning), False)
    )
    lower = channel_list(skeleton, below)
    if len(below) != 2:
        raise RigError("An arm that points has a lower arm and a hand after the upper arm. Name both.")
    joints = [aim.own.channels[-1][0], *(joint for joint, _ in lower.channels)]
    for above, joint in zip(joints, joints[1:], strict=False):
        if int(skeleton.parents[joint]) != above:
            raise RigError(
                f"'{skeleton.names[joint]}' does not hang on '{skeleton.names[above]}'. Name the bones of one arm."
            )
    lengths = [float(np.linalg.norm(skeleton.offsets[joint])) for joint in joints[1:]]
    if not min(lengths) > 0.0:
        raise RigError(f"'{skeleton.names[joints[0]]}' or the bone after it has no length. Name the bones of one arm.")
    limb = Limb(0, 1, 2, False, (), True, sum(lengths))
    return Arm(aim, lower, limb, skeleton.tails[joints[-1]])


def point_at(arm: Arm, channels: Channels, rows: Array, places: Array) -> Aimed:
    """Return rows in which an arm points at `places`.

    Parameters
    ----------
    arm : the arm.
    channels, rows : of the figure, rows (T, width) in performance space.
    places : (T, 3) in performance space.
    """
    upper, _, hand = joints = [joint for joint, _ in arm.own.channels[-3:]]
    middle = ChannelList(channels.skeleton, arm.own.channels[-3:])
    rows, _ = written(middle, np.zeros((len(rows), middle.width)), channels, rows)
    stretched = _stretched(arm, channels, rows, places, joints)
    values = arm.below.limited(read(arm.below, channels, stretched))
    made, lacking = written(arm.below, values, channels, stretched)
    chain, positions, orientations = frames_along(channels, made, hand)
    shoulder, tips = positions[:, chain.index(upper)], point_positions(positions, orientations, -1, arm.tip)
    arms = tips - shoulder
    ray = Ray(parted(shoulder), parted(arms / np.linalg.norm(arms, axis=-1, keepdims=True)))
    targets = parted(places)
    found = aimed(arm.aim, channels, made, (chain, positions, orientations), ray, _heeded(ray, targets))
    return Aimed(
        np.concatenate([found.values, values], axis=1),
        found.rows,
        found.ray,
        joined((found.ray.off(targets),))[:, 0],
        found.lacking + lacking,
    )


def _heeded(ray: Ray, places: Vector) -> Vector:
    """Return where is pointed for `places`, as far away: those behind nearer to the `ray`; all by components."""
    angles, ways = ray.off(places), minus(places, ray.origins)
    left = angles * smooth((angles - BEHIND) / (np.pi - BEHIND))
    towards = turned(turn_between(ray.directions, ways, left, False), ray.directions)
    return add(ray.origins, times(towards, length(ways)))


def _stretched(arm: Arm, channels: Channels, rows: Array, places: Array, joints: Sequence[int]) -> Array:
    """Return rows in which the arm has the length for pointing at `places`, and the hand lies along it.

    The wrist stays in the direction from the shoulder in which it is. The `joints` are those of the arm's three bones.
    """
    positions, orientations = world_frames(channels, rows)
    shoulder, elbow, wrist = (positions[:, joint] for joint in joints)
    now, length = np.linalg.norm(wrist - shoulder, axis=-1), arm.limb.length
    hand = float(np.linalg.norm(arm.tip))
    room = np.linalg.norm(places - shoulder, axis=-1) - hand - GAP * length
    along = (wrist - shoulder) / np.maximum(now, np.finfo(np.float64).tiny)[:, None]
    way = (np.clip(room, SHORTEST * length, SOFT * length) - now)[:, None] * along
    bent = bend_limb(arm.limb, [(*place.T,) for place in (shoulder, elbow, wrist)], (*way.T,))
    turns = [np.stack(turn, axis=-1) for turn in bent]
    carried = quat.rotate(quat.multiply(turns[1], orientations[:, joints[2]]), arm.tip)
    laid = joined(turn_between(parted(carried), parted(along), 0.0, False))
    turns.append(quat.multiply(laid, turns[1]))
    whole = [quat.multiply(turn, orientations[:, joint]) for turn, joint in zip(turns, joints, strict=True)]
    places_of = {joint: place for place, joint in enumerate(channels.rotating.tolist())}
    rotations, above = rotations_of(channels, rows).copy(), orientations[:, channels.skeleton.parents[joints[0]]]
    for joint, orientation in zip(joints, whole, strict=True):
        rest = quat.multiply(above, channels.skeleton.rests[joint])
        if joint in places_of:
            rotations[:, places_of[joint]] = quat.multiply(quat.conjugate(rest), orientation)
        above = orientation if joint in places_of else quat.multiply(rest, channels.static[joint])
    return with_rotations(channels, rows, rotations)
