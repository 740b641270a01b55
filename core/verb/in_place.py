"""Examples animated on the spot: their travel is what the planted points run backward."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..errors import ExampleError
from ..figure.channels import Channels
from ..figure.skeleton import forward_kinematics, point_positions
from .example import Contact, Example, Take

Array = NDArray[np.float64]


def with_travel(example: Example, channels: Channels) -> Example:
    """The same example travelling: its root goes forward as fast as the points in contact go backward.

    Where no point is in contact the velocity is carried over from one contact to the next.

    Raises
    ------
    ExampleError
        If it has no contact windows to tell its travel from.
    """
    take = example.take
    middles = 0.5 * (take.times[1:] + take.times[:-1])
    velocity = np.zeros((len(middles), 2))
    share = np.zeros(len(middles))
    for contact in example.contacts:
        planted = _planted(contact, example, middles)
        steps = np.diff(_points(contact, take, channels)[:, :2], axis=0) / np.diff(take.times)[:, None]
        velocity -= steps * planted[:, None]
        share += planted
    rows = np.flatnonzero(share)
    if not len(rows):
        raise ExampleError(
            f"Example '{example.name}' is in place, but no contact tells how fast it goes. Mark when each foot is down."
        )
    known = velocity[rows] / share[rows, None]
    filled = np.stack([np.interp(middles, middles[rows], known[:, axis]) for axis in range(2)], axis=-1)
    path = np.concatenate([np.zeros((1, 2)), np.cumsum(filled * np.diff(take.times)[:, None], axis=0)])
    root = take.root + np.pad(path, ((0, 0), (0, 1)))
    return replace(example, take=replace(take, root=root), kind="travelling")


def _planted(contact: Contact, example: Example, times: Array) -> Array:
    duration = example.keytimes[-1]
    inside = np.zeros(len(times), dtype=bool)
    for begin, end in contact.windows:
        for cycle in (-duration, 0.0, duration) if example.cyclic else (0.0,):
            inside |= (times >= begin + cycle) & (times <= end + cycle)
    return inside.astype(np.float64)


def _points(contact: Contact, take: Take, channels: Channels) -> Array:
    count = len(take.times)
    rotations = np.array(np.broadcast_to(channels.static, (count,) + channels.static.shape))
    rotations[:, channels.rotating] = take.rotations
    locations = np.zeros((count, len(channels.skeleton.names), 3))
    columns, joints, axes = channels.location_scalars
    locations[:, joints, axes] = take.scalars[:, columns]
    locations[:, 0] = take.root
    positions, orientations = forward_kinematics(channels.skeleton, rotations, locations)
    return point_positions(positions, orientations, contact.joint, contact.offset)
