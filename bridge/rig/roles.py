"""Which of an armature's bones are its root and feet, and where contact points are on them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from bpy.types import Object
from mathutils import Vector
from numpy.typing import NDArray

from ...core.detect.bone_names import side_of
from ...core.detect.bone_roles import BonePoint, BoneRoles, FigureBones, FootRoles
from ...core.detect.find_roles import find_roles, likely_feet
from ...core.errors import RigError
from ...core.figure import quaternion as quat
from ...core.figure.skeleton import Skeleton
from ..data.schema import ROOT_IS_OBJECT, note
from .parts import read_bones, rotation_of

Array = NDArray[np.float64]

SIDES = "LR"


def upright(armature: Object) -> Array:
    """Return rotation and scale (3, 3) of an armature object, without the heading part of the rotation."""
    basis = np.array(armature.matrix_basis)
    heading = quat.yaw_of(rotation_of(basis))
    return quat.to_matrix(quat.from_yaw(-heading)) @ basis[:3, :3]


def rest_bones(armature: Object) -> FigureBones:
    """Return the bones of an armature at rest, with the rotation and scale of the object but not its heading.

    Raises
    ------
    RigError
        If it has no bones.
    """
    names = list(read_bones(armature))
    if not names:
        raise RigError(f"Armature '{armature.name}' has no bones. Choose another one.")
    index, bones, turn = {name: row for row, name in enumerate(names)}, armature.data.bones, upright(armature)
    parents = tuple(index[bones[name].parent.name] if bones[name].parent else -1 for name in names)
    heads, tails = (
        np.array([getattr(bones[name], end) for name in names]) @ turn.T for end in ("head_local", "tail_local")
    )
    return FigureBones(tuple(names), parents, heads, tails)


def roles_of(armature: Object, standing: Iterable[FigureBones] = ()) -> BoneRoles:
    """Return the roles of an armature's bones; a root and feet chosen by the user replace those that are found.

    Where the bones' names are not conclusive, their former names are tried.

    Parameters
    ----------
    armature : the armature.
    standing : the figure as it stands in motions, read only if neither names nor the rest pose identify the feet.

    Raises
    ------
    RigError
        If a bone that was chosen does not exist.
    """
    chosen, rest = armature.verbs_adverbs, rest_bones(armature)
    found = _with_former(armature, rest, find_roles(rest, () if chosen.feet else standing))
    if chosen.root and chosen.root != ROOT_IS_OBJECT:
        _check_bone(armature, chosen.root, "root")
        found = replace(found, root=chosen.root)
    if not chosen.feet:
        return found
    return replace(found, feet=tuple(_foot(armature, item) for item in chosen.feet))


def _with_former(armature: Object, rest: FigureBones, found: BoneRoles) -> BoneRoles:
    """Add feet and hands found by the bones' former names, where the present ones give none."""
    former = {pair.bone: pair.name for one in armature.verbs_adverbs.bone_names.former for pair in one.bones}
    called = tuple(former.get(name, name) for name in rest.names)
    if (found.source == "names" and found.hands) or called == rest.names or len(set(called)) < len(called):
        return found
    before, now = find_roles(replace(rest, names=called)), dict(zip(called, rest.names, strict=True))
    hands = found.hands or tuple(now[hand] for hand in before.hands)
    if found.source == "names" or before.source != "names":
        return replace(found, hands=hands)
    feet = (
        FootRoles(
            foot.side,
            now[foot.thigh],
            now[foot.ankle],
            replace(foot.ball, bone=now[foot.ball.bone]),
            replace(foot.heel, bone=now[foot.heel.bone]) if foot.heel is not None else None,
        )
        for foot in before.feet
    )
    return replace(found, source="names", root=now[before.root], feet=tuple(feet), hands=hands)


def note_feet(armature: Object, standing: Iterable[FigureBones] = ()) -> tuple[BoneRoles, tuple[FootRoles, ...]]:
    """Store the feet that are found, for the user to correct; earlier choices are replaced.

    For a foot that is not found the likeliest one is stored, else a row without bones. `standing` is as for
    `roles_of`. Returns the roles that were found, and the feet that are only likely.
    """
    rest, poses, seen, chosen = rest_bones(armature), iter(standing), list[FigureBones](), armature.verbs_adverbs
    found = find_roles(rest, (seen.append(pose) or pose for pose in poses))
    missing = len(found.feet) < len(SIDES)
    feet = likely_feet(found.feet, (*seen, *poses, rest)) if missing else found.feet
    note(chosen)
    chosen.feet.clear()
    for foot in feet:
        item = chosen.feet.add()
        item.name, item.thigh, item.ankle = foot.side, foot.thigh, foot.ankle
        item.ball, item.ball_end = foot.ball.bone, foot.ball.end
        if foot.heel is not None:
            item.heel, item.heel_end = foot.heel.bone, foot.heel.end
    for side in SIDES:
        if side not in chosen.feet:
            chosen.feet.add().name = side
    return found, tuple(foot for foot in feet if foot not in found.feet)


def take_foot(armature: Object, side: str, bones: Iterable[str]) -> str:
    """Store bones as the foot of a side, and return the one that has its ball; its heel is cleared.

    Parameters
    ----------
    armature : the armature, whose feet have been found, even if only likely.
    side : ``'L'`` or ``'R'``.
    bones : of one leg: the lowest has the ball at its head, that above it is the ankle, and the topmost of three or
        more is the thigh. Ankle or thigh that are not among them are the bones above.

    Raises
    ------
    RigError
        If there are no bones, they are not a chain, or there is no such foot.
    """
    item = armature.verbs_adverbs.feet.get(side)
    if item is None:
        raise RigError(f"Armature '{armature.name}' has no foot '{side}'. Press Find Feet first.")
    known, above = armature.data.bones, {}
    for bone in bones:
        _check_bone(armature, bone, f"bone of foot '{side}'")
        above[bone] = {parent.name for parent in known[bone].parent_recursive}
    leg = sorted(above, key=lambda bone: len(above[bone]))
    if not leg:
        raise RigError(
            f"No bone is selected. In Pose Mode, select the toe of foot '{side}', and its foot and thigh if necessary."
        )
    astray = [bone for bone in leg[:-1] if bone not in above[leg[-1]]]
    if astray:
        raise RigError(
            f"'{leg[-1]}' is not a child of '{astray[0]}', so they do not belong to the same leg. Select the bones of "
            "one foot."
        )
    item.ball, item.ball_end, item.heel, item.heel_end = leg[-1], "HEAD", "", "HEAD"
    item.ankle, item.thigh = leg[-2] if len(leg) > 1 else "", leg[0] if len(leg) > 2 else ""
    item.ankle = _ankle(armature, item)
    item.thigh = _thigh(armature, item, item.ankle)
    note(armature.verbs_adverbs)
    return leg[-1]


def _foot(armature: Object, item: object) -> FootRoles:
    """Return a leg's bones as the user chose them; an empty ankle or thigh is taken from the bones above the ball."""
    what = f"foot '{item.name}'"
    _check_bone(armature, item.ball, f"ball of {what}")
    ankle = _ankle(armature, item)
    _check_bone(armature, ankle, f"ankle of {what}")
    thigh = _thigh(armature, item, ankle)
    _check_bone(armature, thigh, f"thigh of {what}")
    if item.heel:
        _check_bone(armature, item.heel, f"heel of {what}")
    heel = BonePoint(item.heel, item.heel_end) if item.heel else None
    return FootRoles(item.name, thigh, ankle, BonePoint(item.ball, item.ball_end), heel)


def _ankle(armature: Object, item: object) -> str:
    ball = armature.data.bones[item.ball]
    return item.ankle or (ball.parent.name if item.ball_end == "HEAD" and ball.parent else item.ball)


def _thigh(armature: Object, item: object, ankle: str) -> str:
    above = [bone.name for bone in armature.data.bones[ankle].parent_recursive][:2]
    return item.thigh or (above[-1] if above else ankle)


def _check_bone(armature: Object, name: str, what: str) -> None:
    if name not in armature.data.bones:
        said = f"is '{name}', which '{armature.name}' does not have" if name else "is not chosen"
        raise RigError(f"The {what} {said}. Choose one of the armature's bones, or press Map Bones.")


Feet = Sequence[FootRoles]
Sole = Literal["BALL", "HEEL"]
SOLE_ENDS: tuple[Sole, ...] = ("BALL", "HEEL")
"""Points of the foot at a bone; they are those of `schema.SOLES`."""
SAME = 1e-4
"""Fraction of a bone's length within which two points are the same."""


def contact_point(armature: Object, skeleton: Skeleton, bone: str, end: str, feet: Feet) -> tuple[int, Array]:
    """Return the joint of a bone, and a contact point (3,) on it in the joint's frame.

    Parameters
    ----------
    armature, skeleton : the armature, and the skeleton as which it was read; the bone is one of its joints.
    bone, end : ``'HEAD'`` or ``'TAIL'`` of the bone, or ``'BALL'`` or ``'HEEL'`` of the foot nearest to it at rest.
    feet : feet of the armature, needed for the latter.

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
    """Return which point of a joint's bone is at an `offset` (3,) from its head, as named in `contact_point`."""
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
    foot = _nearest_foot(armature, bone, feet)
    return () if foot is None else ("BALL",) if foot.heel is None else SOLE_ENDS


def side_at(armature: Object, bone: str) -> str:
    """Return the side, ``'L'`` or ``'R'``, given by a bone's name, else that of the foot nearest to it; or ``''``."""
    foot = None if side_of(bone) else _nearest_foot(armature, bone, roles_of(armature).feet)
    return side_of(bone) if foot is None else foot.side


def _sole(armature: Object, bone: str, end: str, feet: Feet) -> BonePoint:
    foot = _nearest_foot(armature, bone, feet)
    found = None if foot is None else foot.ball if end == "BALL" else foot.heel
    if found is None:
        raise RigError(
            f"Armature '{armature.name}' has no {end.lower()} for the contact point on '{bone}'. Choose the foot bones "
            "under Feet, or use the head or tail of a bone."
        )
    return found


def _nearest_foot(armature: Object, bone: str, feet: Feet) -> FootRoles | None:
    """Return the foot whose ball is nearest to a bone's head at rest."""
    head = armature.data.bones[bone].head_local
    return min(feet, key=lambda foot: (_place(armature, foot.ball) - head).length, default=None)


def _place(armature: Object, point: BonePoint) -> Vector:
    """Return the position of an end of a bone at rest."""
    bone = armature.data.bones[point.bone]
    return bone.tail_local if point.end == "TAIL" else bone.head_local
