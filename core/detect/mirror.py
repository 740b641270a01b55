"""Motions seen in a mirror: left becomes right, a right turn the third turning example of [Rose1998]."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..errors import RigError
from ..figure import quaternion as quat
from ..figure.channels import Channels, Scalar
from ..verb.example import Take
from .symmetry import Symmetry

Array = NDArray[np.float64]


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
