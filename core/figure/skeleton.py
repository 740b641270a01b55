"""Skeletons and forward kinematics, over all frames at once, with one step per tree depth, not per joint."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import RigError
from . import quaternion as quat

Array = NDArray[np.float64]

LEG = 0.9
"""Leg length in metres of a figure of ordinary size."""


def metre_of(leg: float) -> float:
    """Return how many performance units are about a metre for a figure, judged by its leg: a power of ten.

    Figures are made in metres, centimetres or other units, so tolerances must scale with them: for a figure in
    centimetres they are a hundred times as many units as in metres. For legs of 0.3 to 2.8 units it is exactly 1.

    Parameters
    ----------
    leg : length of a leg, performance units.
    """
    return 10.0 ** round(math.log10(leg / LEG)) if leg > 0.0 else 1.0


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joints in the order of the hierarchy, in performance units.

    A joint's local transform is ``translate(offset + rest * location) * rest * rotation``, Blender's convention.

    Parameters
    ----------
    names : (J,) joint 0 is the root; parents come before their children.
    parents : (J,) index of the parent, -1 for the root and for loose joints.
    offsets : (J, 3) rest translation in the parent's frame; zero for the root.
    rests : (J, 4) rest rotation relative to the parent; identity for the root, whose rotation is absolute.
    tails : (J, 3) the bone's tail in its own frame.
    """

    names: tuple[str, ...]
    parents: NDArray[np.intp]
    offsets: Array
    rests: Array
    tails: Array

    @cached_property
    def levels(self) -> tuple[NDArray[np.intp], ...]:
        """Joints that have a parent, by depth in the tree, starting next to the roots."""
        depth = np.zeros(len(self.names), dtype=np.intp)
        for joint, parent in enumerate(self.parents):
            depth[joint] = 0 if parent < 0 else depth[parent] + 1
        return tuple(np.flatnonzero(depth == d) for d in range(1, int(depth.max(initial=0)) + 1))

    def end_of(self, joint: int, end: str) -> Array:
        """Return the position (3,) of the ``'HEAD'`` or ``'TAIL'`` of a joint's bone in the joint's frame."""
        return self.tails[joint] if end == "TAIL" else np.zeros(3)

    def index(self, name: str) -> int:
        """Return the index of the joint called `name`.

        Raises
        ------
        RigError
            If there is none.
        """
        try:
            return self.names.index(name)
        except ValueError:
            raise RigError(f"The skeleton has no joint '{name}'. Choose one that the armature has.") from None

    def part(self, joints: tuple[int, ...]) -> "Skeleton":
        """Return the skeleton of `joints` only, listed parents first; those without a parent among them are roots."""
        chosen = np.array(joints, dtype=np.intp)
        place = {joint: index for index, joint in enumerate(joints)}
        parents = np.array([place.get(int(self.parents[joint]), -1) for joint in joints], dtype=np.intp)
        names = tuple(self.names[joint] for joint in joints)
        return Skeleton(names, parents, self.offsets[chosen], self.rests[chosen], self.tails[chosen])

    def chain(self, joint: int) -> tuple[int, ...]:
        """Return the joints from `joint` up to its root, both included."""
        found = [joint]
        while self.parents[found[-1]] >= 0:
            found.append(int(self.parents[found[-1]]))
        return tuple(found)


def orientations_of(skeleton: Skeleton, rotations: Array) -> Array:
    """Return the orientations (T, J, 4) of all joints in performance space, see `forward_kinematics`."""
    orientations = quat.multiply(skeleton.rests, rotations)
    for joints in skeleton.levels:
        orientations[:, joints] = quat.multiply(orientations[:, skeleton.parents[joints]], orientations[:, joints])
    return orientations


def forward_kinematics(skeleton: Skeleton, rotations: Array, locations: Array) -> tuple[Array, Array]:
    """Return positions and orientations of all joints in performance space.

    Parameters
    ----------
    skeleton : Skeleton of J joints.
    rotations : (T, J, 4) rotation of each joint from its rest; the root's is absolute.
    locations : (T, J, 3) or (J, 3) translation from rest in the joint's rest frame; the root's is its position.

    Returns
    -------
    positions : (T, J, 3)
    orientations : (T, J, 4)
    """
    orientations = orientations_of(skeleton, rotations)
    steps = skeleton.offsets + quat.rotate(skeleton.rests, locations)
    positions = np.array(np.broadcast_to(steps, rotations.shape[:-1] + (3,)))
    for joints in skeleton.levels:
        parents = skeleton.parents[joints]
        positions[:, joints] = positions[:, parents] + quat.rotate(orientations[:, parents], positions[:, joints])
    return positions, orientations


def point_positions(positions: Array, orientations: Array, joint: int, offset: Array) -> Array:
    """Return positions (T, 3) of the point at `offset` (3,) in the frame of `joint`, given the frames of all joints."""
    return positions[:, joint] + quat.rotate(orientations[:, joint], offset)
