"""Where a contact point is on its bone: at an end of it, or where the sole of the foot is that it carries."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from bpy.types import Object
from mathutils import Vector
from numpy.typing import NDArray

from ...core.detect.bone_names import side_of
from ...core.detect.bone_roles import BonePoint, FootRoles
from ...core.errors import RigError
from ...core.figure.skeleton import Skeleton
from .roles import roles_of

Array = NDArray[np.float64]

Feet = Sequence[FootRoles]
Sole = Literal["BALL", "HEEL"]
SOLE_ENDS: tuple[Sole, ...] = ("BALL", "HEEL")
"""Points of the foot at a bone; they are those of `schema.SOLES`."""
SAME = 1e-4
"""Share of a bone's length up to which two points are the same."""


def contact_point(armature: Object, skeleton: Skeleton, bone: str, end: str, feet: Feet) -> tuple[int, Array]:
    """Return the joint of a bone, and a contact point (3,) on it in the joint's frame.

    Parameters
    ----------
    armature, skeleton : the armature, and the skeleton as which it was read; the bone is one of its joints.
    bone, end : ``'HEAD'`` or ``'TAIL'`` of the bone, or ``'BALL'`` or ``'HEEL'`` of the foot nearest to it at rest.
    feet : of the armature, which are needed for the latter.

    Raises
    ------
    RigError
        If the armature has no foot, or the foot no heel.
    """
    joint = skeleton.names.index(bone)
    if end not in SOLE_ENDS:
        return joint, skeleton.end_of(joint, end)
    sole, rest = _sole(armature, bone, end, feet), armature.data.bones[bone]
    place = np.array(rest.matrix_local.inverted() @ _place(armature, sole))
    return joint, place * (skeleton.tails[joint, 1] / rest.length)


def end_at(armature: Object, skeleton: Skeleton, joint: int, offset: Array, feet: Feet) -> str:
    """Which point of a joint's bone lies at an `offset` (3,) from its head, as `contact_point` has them."""
    near = SAME * float(np.linalg.norm(skeleton.tails[joint]))
    if np.abs(offset).max() <= near:
        return "HEAD"
    if np.abs(offset - skeleton.tails[joint]).max() <= near:
        return "TAIL"
    bone = skeleton.names[joint]
    ends = soles_of(armature, bone, feet)
    apart = {end: offset - contact_point(armature, skeleton, bone, end, feet)[1] for end in ends}
    return min(apart, key=lambda end: float(np.linalg.norm(apart[end])), default="TAIL")


def soles_of(armature: Object, bone: str, feet: Feet) -> tuple[Sole, ...]:
    """Return which of ``'BALL'`` and ``'HEEL'`` the foot has that is nearest to a bone at rest."""
    foot = _foot(armature, bone, feet)
    return () if foot is None else ("BALL",) if foot.heel is None else SOLE_ENDS


def side_at(armature: Object, bone: str) -> str:
    """Return the side, ``'L'`` or ``'R'``, that a bone's name tells, else that of the foot nearest to it; or ``''``."""
    foot = None if side_of(bone) else _foot(armature, bone, roles_of(armature).feet)
    return side_of(bone) if foot is None else foot.side


def _sole(armature: Object, bone: str, end: str, feet: Feet) -> BonePoint:
    foot = _foot(armature, bone, feet)
    found = None if foot is None else foot.ball if end == "BALL" else foot.heel
    if found is None:
        raise RigError(
            f"Armature '{armature.name}' has no {end.lower()} for the contact point on '{bone}'. Choose the bones of"
            " its feet under Feet, or the head or tail of a bone."
        )
    return found


def _foot(armature: Object, bone: str, feet: Feet) -> FootRoles | None:
    """Return the foot whose ball is nearest to a bone's head at rest."""
    head = armature.data.bones[bone].head_local
    return min(feet, key=lambda foot: (_place(armature, foot.ball) - head).length, default=None)


def _place(armature: Object, point: BonePoint) -> Vector:
    """Place of an end of a bone at rest."""
    bone = armature.data.bones[point.bone]
    return bone.tail_local if point.end == "TAIL" else bone.head_local
