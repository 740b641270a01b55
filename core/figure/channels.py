"""Channels: the meaning of the columns of a motion's values, and the poses of a skeleton that they define.

Controls that do not follow the root, such as foot targets, would stay behind when the root travels. The animated ones
form the *travelling set*: joints without parent whose position and rotation are given in the heading's frame, like the
root's.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import RigError, quoted
from . import quaternion as quat
from .parameterisations import Quaternion
from .skeleton import Skeleton, forward_kinematics, point_positions

Array = NDArray[np.float64]
Listing = Sequence[tuple[Hashable, int]]
"""Meaning of the columns of some values in order: a key of each channel, and its number of columns."""

TRAVEL = slice(0, 3)
"""Columns of the travel: x, y and heading."""
ROOT_LOCATION = slice(3, 6)
"""Columns of the root's location in the heading's frame."""
HEIGHT = 5
"""Column of the root's height."""
SAME = 1e-6
"""Difference of two rotations' components below which they count as equal."""
FIRST_ROTATION = 6
"""First column of the quaternions."""


@dataclass(frozen=True, eq=False)
class Matching:
    """Positions of one listing's columns in another: the mapping list of [Kallmann2005] section 4.3.

    Parameters
    ----------
    own : (M,) columns of the first listing that the second also has.
    places : (M,) positions of these columns in the second.
    lacking : indices, in the first listing, of the channels that the second lacks.
    """

    own: NDArray[np.intp]
    places: NDArray[np.intp]
    lacking: tuple[int, ...]


def matched(own: Listing, whole: Listing) -> Matching:
    """Return the mapping of one listing's columns to another, in time linear in their lengths.

    A channel that the other listing has twice is mapped to its first position there.
    """
    begins: dict[Hashable, int] = {}
    start = 0
    for key, count in whole:
        begins.setdefault(key, start)
        start += count
    found = np.array([begins.get(key, -1) for key, _ in own], dtype=np.intp)
    counts = np.array([count for _, count in own], dtype=np.intp)
    here = np.arange(int(counts.sum()), dtype=np.intp)
    there = np.repeat(found - np.cumsum(counts) + counts, counts) + here
    chosen = np.repeat(found >= 0, counts)
    return Matching(here[chosen], there[chosen], tuple(np.flatnonzero(found < 0).tolist()))


@dataclass(frozen=True)
class Scalar:
    """A number that an example animates besides rotations: a component of a location or scale, or a property.

    Parameters
    ----------
    label : its name in messages.
    joint : index of the joint it belongs to, -1 if it belongs to none.
    kind : ``'location'``, ``'scale'`` or ``'value'``.
    axis : component of the location or scale.
    held : whether it is never blended, such as switches, integers and constants.
    path : where the owner of the data stores it; not used by core.
    """

    label: str
    joint: int
    kind: Literal["location", "scale", "value"]
    axis: int
    held: bool
    path: str

    @property
    def key(self) -> tuple[str, int, str, int]:
        """Key that identifies the number, whatever its label and whether or not it is blended."""
        return self.path, self.joint, self.kind, self.axis


@dataclass(frozen=True)
class Traveller:
    """A control that is not parented to the root, but travels with it.

    Parameters
    ----------
    joint : index of its joint. This has no parent, its rest frame is that of performance space, and its rotation and
        location are animated.
    reach : its distance from the root at rest, performance units.
    """

    joint: int
    reach: float


@dataclass(frozen=True, eq=False)
class Channels:
    """Meaning of a motion's columns: ``[x, y, heading | root location (3) | quaternions (4 R) | scalars (S)]``.

    The first three columns are the travel: x and y in performance units, and the heading in radians; the travel of a
    motion begins at 0. The root's location and rotation are given in the frame of the heading, so the root's full
    rotation is ``yaw(heading) * rotation``. The same holds for the travelling set.

    Parameters
    ----------
    skeleton : Skeleton of J joints.
    rotating : (R,) joints whose rotation is animated; the first is the root.
    scalars : (S,) further columns.
    static : (J, 4) rotation from rest of the joints that are not animated.
    travelling : (K,) the travelling set; each joint of it is among `rotating`, and the scalars hold its whole location.
    """

    skeleton: Skeleton
    rotating: NDArray[np.intp]
    scalars: tuple[Scalar, ...]
    static: Array
    travelling: tuple[Traveller, ...] = ()

    @cached_property
    def width(self) -> int:
        """Number of columns."""
        return FIRST_ROTATION + 4 * len(self.rotating) + len(self.scalars)

    @cached_property
    def rotation_columns(self) -> slice:
        """Columns of the quaternions."""
        return slice(FIRST_ROTATION, FIRST_ROTATION + 4 * len(self.rotating))

    @cached_property
    def scalar_columns(self) -> slice:
        """Columns of the scalars."""
        return slice(FIRST_ROTATION + 4 * len(self.rotating), self.width)

    @cached_property
    def listing(self) -> Listing:
        """Identity of the columns, as used by `matched`."""
        turning = [((joint, Quaternion().key), 4) for joint in self.rotating.tolist()]
        return ("travel", 3), ("root location", 3), *turning, *((scalar.key, 1) for scalar in self.scalars)

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """Names of the columns in messages, in the order of the listing."""
        joints = [self.skeleton.names[int(joint)] for joint in self.rotating]
        return "travel", "root", *joints, *(scalar.label for scalar in self.scalars)

    @cached_property
    def held_columns(self) -> NDArray[np.intp]:
        """Columns of the scalars that are never blended."""
        held = [index for index, scalar in enumerate(self.scalars) if scalar.held]
        return np.array(held, dtype=np.intp) + self.scalar_columns.start

    @cached_property
    def location_scalars(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Scalars that move joints: their indices among the scalars, their joints, and their axes."""
        rows = [(i, s.joint, s.axis) for i, s in enumerate(self.scalars) if s.kind == "location" and s.joint > 0]
        table = np.array(rows, dtype=np.intp).reshape(-1, 3)
        return table[:, 0], table[:, 1], table[:, 2]

    @cached_property
    def travelling_joints(self) -> NDArray[np.intp]:
        """Joints (K,) of the travelling set."""
        return np.array([traveller.joint for traveller in self.travelling], dtype=np.intp)

    @cached_property
    def travelling_rows(self) -> NDArray[np.intp]:
        """Rows (K,) of the travelling set among the rotating joints."""
        rows = {int(joint): row for row, joint in enumerate(self.rotating)}
        return np.array([rows[traveller.joint] for traveller in self.travelling], dtype=np.intp)

    @cached_property
    def travelling_places(self) -> NDArray[np.intp]:
        """Columns (K, 3) of the travelling set's locations among all columns."""
        columns = {(s.joint, s.axis): i for i, s in enumerate(self.scalars) if s.kind == "location"}
        places = [[columns[t.joint, axis] for axis in range(3)] for t in self.travelling]
        return np.array(places, dtype=np.intp).reshape(-1, 3) + self.scalar_columns.start

    def traveller_of(self, joint: int) -> int | None:
        """Return the index of the travelling control that `joint` is or depends on; None if there is none."""
        top = self.skeleton.chain(joint)[-1]
        return next((k for k, traveller in enumerate(self.travelling) if traveller.joint == top), None)


def rotations_of(channels: Channels, values: Array) -> Array:
    """Return the quaternions (T, R, 4) in the columns of `values` (T, width)."""
    return values[:, channels.rotation_columns].reshape(len(values), -1, 4)


def with_rotations(channels: Channels, values: Array, rotations: Array) -> Array:
    """Return a copy of `values` (T, width) with the quaternions (T, R, 4) written to their columns."""
    changed = values.copy()
    changed[:, channels.rotation_columns] = rotations.reshape(len(values), -1)
    return changed


def level_rotations(channels: Channels, values: Array) -> Array:
    """Return the rotation (T, J, 4) from rest of every joint in rows (T, width); the root's in the heading's frame."""
    full = np.array(np.broadcast_to(channels.static, (len(values),) + channels.static.shape))
    full[:, channels.rotating] = rotations_of(channels, values)
    return full


def all_rotations(channels: Channels, values: Array) -> Array:
    """Return the rotation (T, J, 4) from rest of every joint in rows `values` (T, width); the root's is absolute."""
    full = level_rotations(channels, values)
    heading = quat.from_yaw(values[:, 2])
    full[:, 0] = quat.multiply(heading, full[:, 0])
    if channels.travelling:
        joints = channels.travelling_joints
        full[:, joints] = quat.multiply(heading[:, None], full[:, joints])
    return full


def level_locations(channels: Channels, values: Array) -> Array:
    """Return the translation (T, J, 3) from rest of every joint in rows; the root's is in the heading's frame."""
    full = np.zeros((len(values), len(channels.skeleton.names), 3))
    columns, joints, axes = channels.location_scalars
    full[:, joints, axes] = values[:, channels.scalar_columns][:, columns]
    full[:, 0] = values[:, ROOT_LOCATION]
    return full


def all_locations(channels: Channels, values: Array) -> Array:
    """Return the translation (T, J, 3) from rest of every joint in rows (T, width); for the root its position."""
    full = level_locations(channels, values)
    heading = quat.from_yaw(values[:, 2])
    full[:, 0] = quat.rotate(heading, full[:, 0])
    full[:, 0, :2] += values[:, :2]
    if channels.travelling:
        moved = channels.travelling_joints
        full[:, moved] = quat.rotate(heading[:, None], full[:, moved])
        full[:, moved, :2] += values[:, None, :2]
    return full


def climb(channels: Channels, values: Array, heights: Array | float) -> None:
    """Raise root and travelling set by `heights` (T,) in rows (T, width), or in one row (width,), in place."""
    values[..., HEIGHT] += heights
    if channels.travelling:
        values[..., channels.travelling_places[:, 2]] += np.asarray(heights)[..., None]


def world_frames(channels: Channels, values: Array) -> tuple[Array, Array]:
    """Return positions (T, J, 3) and orientations (T, J, 4) of all joints in performance space."""
    return forward_kinematics(channels.skeleton, all_rotations(channels, values), all_locations(channels, values))


def world_joints(channels: Channels, values: Array) -> Array:
    """Return positions (T, J, 3) of all joints in performance space, in rows `values` (T, width)."""
    return world_frames(channels, values)[0]


def world_points(channels: Channels, values: Array, joint: int, offset: Array) -> Array:
    """Return positions (T, 3), in performance space, of the point at `offset` (3,) in the frame of `joint`."""
    _, positions, orientations = frames_along(channels, values, joint)
    return point_positions(positions, orientations, -1, offset)


def frames_along(channels: Channels, values: Array, joint: int) -> tuple[tuple[int, ...], Array, Array]:
    """Return the n joints from the root to `joint`, and their positions (T, n, 3) and orientations (T, n, 4)."""
    chain, part = _chain_to(channels.skeleton, joint)
    rotations, locations = all_rotations(channels, values)[:, chain], all_locations(channels, values)[:, chain]
    return chain, *forward_kinematics(part, rotations, locations)


@lru_cache(maxsize=64)
def _chain_to(skeleton: Skeleton, joint: int) -> tuple[tuple[int, ...], Skeleton]:
    """Return the joints from the root to `joint`, and a skeleton of these alone; cached for each joint."""
    chain = skeleton.chain(joint)[::-1]
    return chain, skeleton.part(chain)


def union(several: Sequence[Channels]) -> Channels:
    """Return channels that cover everything that any of `several` moves, all of one figure with one travelling set.

    A joint that none of them moves is included if they hold it in different rotations. A scalar is held if it is held
    in all channels that have it.
    """
    first = several[0]
    statics = np.array([quat.align(one.static, first.static) for one in several])
    moved = np.abs(statics - statics[0]).max(axis=(0, 2)) > SAME
    for one in several:
        moved[one.rotating] = True
    scalars: dict[tuple[str, int, str, int], Scalar] = {}
    for scalar in (scalar for one in several for scalar in one.scalars):
        known = scalars.setdefault(scalar.key, scalar)
        scalars[scalar.key] = replace(known, held=known.held and scalar.held)
    rotating = np.flatnonzero(moved).astype(np.intp)
    return Channels(first.skeleton, rotating, tuple(scalars.values()), first.static, first.travelling)


def columns_in(own: Channels, whole: Channels) -> NDArray[np.intp]:
    """Return the index (width,) of each column of `own` in `whole`.

    Raises
    ------
    RigError
        If `whole` lacks a column.
    """
    found = matched(own.listing, whole.listing)
    if found.lacking:
        lacking = quoted(own.titles[place] for place in found.lacking)
        raise RigError(f"A motion animates {lacking}, but the motion it is mixed with does not. Key it there too.")
    return found.places
