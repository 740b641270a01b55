"""Mirror symmetry of skeletons, and exchange of left and right in motions."""

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
"""Largest distance of a bone from its mirror image, as a share of the figure's size."""
NEARLY = np.radians(35.0)
"""Angle within which partners' axes are matched axis to axis, since a captured pose shows them only roughly."""


@dataclass(frozen=True, eq=False)
class Symmetry:
    """Mirror symmetry of a skeleton.

    Parameters
    ----------
    skeleton : skeleton of J joints.
    partners : (J,) index of each joint's mirror image, its own for joints in the middle.
    normal : (3,) normal of the mirror plane, in the space of the root's rotation.
    turns : (J, 4) rotation q of each joint that maps its partner's mirrored axes to its own.
    """

    skeleton: Skeleton
    partners: NDArray[np.intp]
    normal: Array
    turns: Array

    @property
    def half_turn(self) -> Array:
        """Half turn m (4,) about the normal; the reflection is its negative."""
        return np.concatenate([[0.0], self.normal])


def symmetry_at_rest(skeleton: Skeleton, pairs: Sequence[tuple[int, int]], root: Array) -> Symmetry:
    """Find the symmetry of a skeleton whose rest pose is its own mirror image.

    Parameters
    ----------
    skeleton : skeleton of J joints.
    pairs : left and right joints.
    root : (4,) rotation of the root at rest, upright in performance space.

    Raises
    ------
    RigError
        If pairs share a joint, the parents of a pair are not a pair, or the rest pose is not symmetric.
    """
    rotations = np.tile(quat.IDENTITY, (1, len(skeleton.names), 1))
    rotations[0, 0] = root
    return _symmetry(skeleton, pairs, rotations, exact=True)


def symmetry_of_pose(skeleton: Skeleton, pairs: Sequence[tuple[int, int]], rotations: Array) -> Symmetry:
    """Find the symmetry of a skeleton from a roughly symmetric pose, if it has no natural rest pose.

    Parameters
    ----------
    skeleton : skeleton of J joints.
    pairs : left and right joints.
    rotations : (J, 4) rotation of each joint from rest, of a standing figure or averaged over a walk.

    Raises
    ------
    RigError
        As in `symmetry_at_rest`.
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
                raise RigError(f"Bone '{name}' is in two left/right pairs. Give each bone only one counterpart.")
        partners[left], partners[right] = right, left
    for joint, parent in enumerate(skeleton.parents):
        other = int(skeleton.parents[partners[joint]])
        if other != (partners[parent] if parent >= 0 else -1):
            one, two = skeleton.names[joint], skeleton.names[int(partners[joint])]
            if one == two:
                raise RigError(f"Bone '{one}' is in no left/right pair, but its parent is. Rename it.")
            raise RigError(
                f"Bones '{one}' and '{two}' are a pair, but their parents are neither a pair nor the same bone. Rename "
                "one of them, or rename their parents so that they form a pair."
            )
    return partners


def _normal(positions: Array, pairs: Sequence[tuple[int, int]], skeleton: Skeleton) -> Array:
    """Return the horizontal direction (3,) from right to left."""
    across = np.sum([positions[left] - positions[right] for left, right in pairs] or [np.zeros(3)], axis=0)
    across[2] = 0.0
    length = float(np.linalg.norm(across))
    if length < 1e-9:
        raise RigError(
            f"No bones of '{skeleton.names[0]}' are to the left and right of each other. Name at least one pair, or "
            "stand the figure upright."
        )
    return across / length


def _axis_by_axis(turn: Array) -> Array:
    """Return the rotation nearest to `turn` (4,) that maps axes to axes, or `turn` itself if none is near."""
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
    """Raise unless every bone has its partner's length and lies at its mirror image."""
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
            f"Bone '{skeleton.names[joint]}' is not at the mirrored position of '{skeleton.names[partners[joint]]}'. "
            "Correct the left/right pairs, or make the rest pose symmetric."
        )


def mirror_take(take: Take, channels: Channels, symmetry: Symmetry) -> Take:
    """Exchange left and right in a motion, including locations and scales, for any rest axes of the bones.

    Parameters
    ----------
    take : rotations (F, R, 4), root (F, 3) and scalars (F, S) of `channels`.
    channels : meaning of the columns.
    symmetry : symmetry of the channels' skeleton.

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
    """Return for each animated joint the row of its partner."""
    row_of = {int(joint): row for row, joint in enumerate(channels.rotating)}
    rows: list[int] = []
    for joint in channels.rotating:
        partner = int(symmetry.partners[joint])
        if partner not in row_of:
            names = symmetry.skeleton.names
            raise RigError(
                f"Bone '{names[int(joint)]}' is animated but its counterpart '{names[partner]}' is not. Key both."
            )
        rows.append(row_of[partner])
    return rows


def _scalars(scalars: Array, channels: Channels, symmetry: Symmetry) -> Array:
    """Return the mirrored scalars (F, S): each from its partner, with locations in the joint's own axes."""
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
    """Return for each scalar the column of the same scalar of its partner, or its own if there is none."""
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
    """Exchange left and right in names of keytimes: a foot's name before ``_down`` or ``_up`` becomes its partner's.

    Parameters
    ----------
    names : such as ``('R_down', 'L_up')``.
    feet : name of each foot's partner, such as ``{'L': 'R', 'R': 'L'}``.
    """
    found: list[str] = []
    for name in names:
        foot, mark, what = name.rpartition("_")
        found.append(feet[foot] + mark + what if foot in feet else name)
    return tuple(found)
