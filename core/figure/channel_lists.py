"""Channel lists: the format in which a procedural motion writes its values ([Kallmann2005] section 4.2).

A list ``C = ((j_1, c_1), ..., (j_n, c_n))`` names joints and their parameterisations; a buffer ``B = (v_1, ..., v_m)``
holds the values in sequence, within the limits of the parameterisations. `channels.matched` maps one list to another
(section 4.3). All motions are blended as rows of `Channels`, in quaternions, so buffers are written to such rows, and
can be read from them.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ..errors import RigError
from .channels import (
    Channels,
    Listing,
    Matching,
    Scalar,
    level_locations,
    level_rotations,
    matched,
)
from .parameterisations import Location, Quaternion, Turning
from .skeleton import Skeleton

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ChannelList:
    """Joints of a figure with their parameterisations, in the order of the values.

    Parameters
    ----------
    skeleton : the figure.
    channels : joints and their parameterisations; at most one rotation and one location per joint.
    """

    skeleton: Skeleton
    channels: tuple[tuple[int, Turning | Location], ...]

    @cached_property
    def listing(self) -> Listing:
        """Identity of the columns of a buffer, as used by `matched`."""
        return tuple(((joint, one.key), one.count) for joint, one in self.channels)

    @cached_property
    def columns(self) -> tuple[slice, ...]:
        """Columns of each channel in a buffer."""
        ends = np.cumsum([one.count for _, one in self.channels]).tolist()
        return tuple(slice(end - one.count, end) for end, (_, one) in zip(ends, self.channels, strict=True))

    @property
    def width(self) -> int:
        """Number of values."""
        return sum(one.count for _, one in self.channels)

    @cached_property
    def in_quaternions(self) -> "ChannelList":
        """The list with rotations as quaternions and locations axis by axis, the format of blending."""
        found: list[tuple[int, Turning | Location]] = []
        for joint, one in self.channels:
            parts = [Location(axis) for axis in one.axes] if isinstance(one, Location) else [Quaternion()]
            found += [(joint, part) for part in parts]
        return ChannelList(self.skeleton, tuple(found))


def channel_list(skeleton: Skeleton, channels: Iterable[tuple[str, Turning | Location]]) -> ChannelList:
    """Return a list of channels of a figure, checked.

    Parameters
    ----------
    skeleton : the figure.
    channels : names of joints, and their parameterisations.

    Raises
    ------
    RigError
        If a joint does not exist, has two rotations or locations, or a parameterisation or its limits are invalid.
    """
    found: dict[tuple[int, bool], tuple[int, Turning | Location]] = {}
    for name, one in channels:
        joint, moves = skeleton.index(name), isinstance(one, Location)
        one.check(name)
        if (joint, moves) in found:
            what = "moved" if moves else "turned"
            raise RigError(f"Joint '{name}' is {what} by two channels in the same list. Leave one of them out.")
        found[joint, moves] = joint, one
    return ChannelList(skeleton, tuple(found.values()))


def read(own: ChannelList, channels: Channels, rows: Array) -> Array:
    """Return the buffer (T, m) of a channel list for the poses in rows (T, width), ignoring its limits.

    Parameters
    ----------
    own : the list; rotations that it cannot represent are projected.
    channels : channels of the rows. Joints that these do not move keep their static values.
    rows : rows of the same figure.
    """
    rotations, locations = level_rotations(channels, rows), level_locations(channels, rows)
    found = np.empty((len(rows), own.width))
    for (joint, one), columns in zip(own.channels, own.columns, strict=True):
        if isinstance(one, Location):
            found[:, columns] = locations[:, joint, ["XYZ".index(axis) for axis in one.axes]]
        else:
            found[:, columns] = one.values(rotations[:, joint])
    return found


def written(own: ChannelList, values: Array, channels: Channels, rows: Array) -> tuple[Array, tuple[str, ...]]:
    """Return rows (T, width) with a buffer (T, m) written into them, and the names of joints that it could not move.

    Parameters
    ----------
    own : channel list of the buffer.
    channels : channels of the rows. Values without a column are not written.
    rows : rows of the same figure; everything else is unchanged.
    """
    parts = [
        values[:, columns] if isinstance(one, Location) else one.rotations(values[:, columns])
        for (_, one), columns in zip(own.channels, own.columns, strict=True)
    ]
    found = _matching(own, channels)
    made = rows.copy()
    made[:, found.places] = np.concatenate([np.empty((len(rows), 0)), *parts], axis=1)[:, found.own]
    lacking = dict.fromkeys(own.skeleton.names[own.in_quaternions.channels[place][0]] for place in found.lacking)
    return made, tuple(lacking)


@lru_cache(maxsize=64)
def _matching(own: ChannelList, channels: Channels) -> Matching:
    """Return the mapping from a list's blended channels to columns of rows; cached for the same pair."""
    return matched(own.in_quaternions.listing, _by_joints(channels))


def _by_joints(channels: Channels) -> Listing:
    """Return the listing of rows with joint locations identified by joint and axis, as in channel lists."""
    travel, _, *turning = channels.listing[: 2 + len(channels.rotating)]
    root = (((0, Location(axis).key), 1) for axis in "XYZ")
    places = ((_place(one) if one.kind == "location" else one.key, 1) for one in channels.scalars)
    return travel, *root, *turning, *places


def _place(scalar: Scalar) -> Hashable:
    """Return a key that identifies a location component by joint and axis, whatever its label."""
    return scalar.joint, Location("XYZ"[scalar.axis]).key
