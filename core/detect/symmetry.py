"""What makes a figure its own mirror image, and motions seen in a mirror."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import RigError
from ..figure import quaternion as quat
from ..figure.channels import Channels, Scalar
from ..figure.skeleton import Skeleton, forward_kinematics
from ..verb.example import Take

Array = NDArray[np.float64]

UNEVEN = 0.05
"""Share of the figure's size by which bones may lie beside their mirror image."""
NEARLY = np.radians(35.0)
"""A pose that was captured shows how axes answer to each other only roughly; within this, they do so axis by axis."""


@dataclass(frozen=True, eq=False)
class Symmetry:
    """Mirror symmetry of a skeleton.

    Parameters
    ----------
    skeleton : of J joints.
    partners : (J,) each joint's mirror image, itself for those in the middle.
    normal : (3,) of the plane, in the space of the root's rotation.
    turns : (J, 4) q of each joint: from its partner's axes to its own, both seen in the mirror.
    """

    skeleton: Skeleton
    partners: NDArray[np.intp]
    normal: Array
    turns: Array

    @property
    def half_turn(self) -> Array:
        """m (4,): the half turn about the normal, which is the reflection but for its sign."""
        return np.concatenate([[0.0], self.normal])


def symmetry_at_rest(skeleton: Skeleton, pairs: Sequence[tuple[int, int]], root: Array) -> Symmetry:
    """Symmetry of a skeleton whose rest pose is its own mirror image.

    Parameters
    ----------
    skeleton : of J joints.
    pairs : left and right joints.
    root : (4,) rotation of the root at rest, upright in performance space.

    Raises
    ------
    RigError
        If pairs share a joint, their bones hang from bones that are no pair, or the rest pose is not symmetric.
    """
    rotations = np.tile(quat.IDENTITY, (1, len(skeleton.names), 1))
    rotations[0, 0] = root
    return _symmetry(skeleton, pairs, rotations, exact=True)


def symmetry_of_pose(skeleton: Skeleton, pairs: Sequence[tuple[int, int]], rotations: Array) -> Symmetry:
    """Symmetry of a skeleton that rests in no pose of its own, told by one that is about symmetric.

    Parameters
    ----------
    skeleton : of J joints.
    pairs : left and right joints.
    rotations : (J, 4) rotation of each joint from rest: of someone who stands, or the mean of a walk.

    Raises
    ------
    RigError
        As `symmetry_at_rest`.
    """
    return _symmetry(skeleton, pairs, rotations[None], exact=False)


def _symmetry(skeleton: Skeleton, pairs: Sequence[tuple[int, int]], rotations: Array, exact: bool) -> Symmetry:
    partners = _partners(skeleton, pairs)
    positions, orientations = forward_kinematics(skeleton, rotations, np.zeros((len(skeleton.names), 3)))
    normal = _normal(positions[0], pairs, skeleton)
    half_turn = np.concatenate([[0.0], normal])
    own = orientations[0]
    turns = quat.multiply(quat.conjugate(own[partners]), quat.multiply(half_turn, own))
    if not exact:
        turns = np.array([_axis_by_axis(turn) for turn in turns])
    found = Symmetry(skeleton, partners, normal, quat.normalize(turns))
    _check_bones(found)
    return found


def _partners(skeleton: Skeleton, pairs: Sequence[tuple[int, int]]) -> NDArray[np.intp]:
    partners = np.arange(len(skeleton.names), dtype=np.intp)
    for left, right in pairs:
        for joint in (left, right):
            if partners[joint] != joint or left == right:
                name = skeleton.names[joint]
                raise RigError(f"Bone '{name}' is in two pairs of left and right. Give each bone one partner.")
        partners[left], partners[right] = right, left
    for joint, parent in enumerate(skeleton.parents):
        other = int(skeleton.parents[partners[joint]])
        if other != (partners[parent] if parent >= 0 else -1):
            one, two = skeleton.names[joint], skeleton.names[int(partners[joint])]
            if one == two:
                raise RigError(f"Bone '{one}' is in no pair of left and right, but hangs from one. Rename it.")
            raise RigError(
                f"Bones '{one}' and '{two}' are a pair, but do not hang from a pair nor from one bone. Rename one of "
                "them, or their parents so that they are a pair."
            )
    return partners


def _normal(positions: Array, pairs: Sequence[tuple[int, int]], skeleton: Skeleton) -> Array:
    """Horizontal direction (3,) from right to left."""
    across = np.sum([positions[left] - positions[right] for left, right in pairs] or [np.zeros(3)], axis=0)
    across[2] = 0.0
    length = float(np.linalg.norm(across))
    if length < 1e-9:
        raise RigError(
            f"No bones of '{skeleton.names[0]}' lie left and right of each other. Name at least one pair, or stand the "
            "figure upright."
        )
    return across / length


def _axis_by_axis(turn: Array) -> Array:
    """The rotation nearest to `turn` (4,) that takes each axis to an axis, if it is near; else the same."""
    matrix = quat.to_matrix(turn)
    nearest = np.zeros((3, 3))
    rest = np.abs(matrix)
    for _ in range(3):
        row, column = np.unravel_index(int(np.argmax(rest)), (3, 3))
        nearest[row, column] = np.sign(matrix[row, column])
        rest[row, :] = rest[:, column] = -1.0
    if np.linalg.det(nearest) < 0.0:
        return turn
    found = quat.from_matrix(nearest)
    return found if float(quat.angle_between(found, turn)) < NEARLY else turn


def _check_bones(symmetry: Symmetry) -> None:
    """Check that every bone is as long as its partner, and lies where that one's mirror image does."""
    skeleton, partners = symmetry.skeleton, symmetry.partners
    parents = skeleton.parents
    hanging = np.flatnonzero(parents >= 0)
    across = quat.conjugate(symmetry.turns[parents[hanging]])
    seen = -quat.rotate(across, skeleton.offsets[partners[hanging]])
    apart = np.linalg.norm(seen - skeleton.offsets[hanging], axis=-1)
    size = float(np.linalg.norm(skeleton.offsets, axis=-1).sum())
    if len(hanging) and apart.max() > UNEVEN * size:
        joint = int(hanging[int(np.argmax(apart))])
        raise RigError(
            f"Bone '{skeleton.names[joint]}' does not lie where the mirror image of "
            f"'{skeleton.names[partners[joint]]}' does. Correct the pairs of left "
            "and right, or choose a pose that is symmetric."
        )


def mirror_take(take: Take, channels: Channels, symmetry: Symmetry) -> Take:
    """The same motion in the mirror: of bones with whatever rest axes, of locations and scales as well.

    Parameters
    ----------
    take : rotations (F, R, 4), root (F, 3) and scalars (F, S) of `channels`.
    channels : what the columns mean.
    symmetry : of the channels' skeleton.

    Raises
    ------
    RigError
        If a bone is animated and its partner is not.
    """
    rows = _partner_rows(channels, symmetry)
    joints = channels.rotating
    rotations = take.rotations[:, rows]
    sources = symmetry.partners[joints]
    rests = symmetry.skeleton.rests
    parents = symmetry.skeleton.parents[joints]
    hangs = parents >= 0
    before = np.where(hangs[:, None], quat.conjugate(symmetry.turns[parents]), symmetry.half_turn)
    locals_ = quat.multiply(before, quat.multiply(rests[sources], rotations))
    turned = quat.multiply(quat.conjugate(rests[joints]), quat.multiply(locals_, symmetry.turns[joints]))
    root = take.root - 2.0 * (take.root @ symmetry.normal)[:, None] * symmetry.normal
    return Take(take.times, quat.continuous(turned), root, _scalars(take.scalars, channels, symmetry))


def _partner_rows(channels: Channels, symmetry: Symmetry) -> list[int]:
    """For each animated joint the row of its partner."""
    row_of = {int(joint): row for row, joint in enumerate(channels.rotating)}
    rows: list[int] = []
    for joint in channels.rotating:
        partner = int(symmetry.partners[joint])
        if partner not in row_of:
            names = symmetry.skeleton.names
            raise RigError(
                f"Bone '{names[int(joint)]}' is animated and its partner '{names[partner]}' is not. Key both."
            )
        rows.append(row_of[partner])
    return rows


def _scalars(scalars: Array, channels: Channels, symmetry: Symmetry) -> Array:
    """Scalars (F, S) in the mirror: of the partner, a location's components turned into the partner's axes."""
    mirrored = scalars[:, _partner_columns(channels.scalars, symmetry)].copy()
    columns, joints, axes = channels.location_scalars
    if not len(columns):
        return mirrored
    places = np.zeros((len(scalars), len(symmetry.skeleton.names), 3))
    places[:, joints, axes] = scalars[:, columns]
    rests, parents = symmetry.skeleton.rests, symmetry.skeleton.parents
    hangs = (parents >= 0)[:, None]
    across = np.where(hangs, quat.conjugate(symmetry.turns[parents]), symmetry.half_turn)
    turns = quat.multiply(quat.conjugate(rests), quat.multiply(across, rests[symmetry.partners]))
    mirrored[:, columns] = -quat.rotate(turns, places[:, symmetry.partners])[:, joints, axes]
    return mirrored


def _partner_columns(scalars: tuple[Scalar, ...], symmetry: Symmetry) -> list[int]:
    """For each scalar the one of the partner that is of the same kind; itself where there is none."""
    seen: dict[tuple[int, str, int], list[int]] = {}
    for column, scalar in enumerate(scalars):
        seen.setdefault((scalar.joint, scalar.kind, scalar.axis), []).append(column)
    found: list[int] = []
    for column, scalar in enumerate(scalars):
        partner = int(symmetry.partners[scalar.joint]) if scalar.joint >= 0 else -1
        place = seen[(scalar.joint, scalar.kind, scalar.axis)].index(column)
        others = seen.get((partner, scalar.kind, scalar.axis), [])
        found.append(others[place] if place < len(others) else column)
    return found


def swapped_names(names: tuple[str, ...], feet: Mapping[str, str]) -> tuple[str, ...]:
    """Names of keytimes in the mirror: each foot's name in front of ``_down`` or ``_up`` becomes its partner's.

    Parameters
    ----------
    names : such as ``('R_down', 'L_up')``.
    feet : partner of each foot's name, such as ``{'L': 'R', 'R': 'L'}``.
    """
    found: list[str] = []
    for name in names:
        foot, mark, what = name.rpartition("_")
        found.append(feet[foot] + mark + what if foot in feet else name)
    return tuple(found)
