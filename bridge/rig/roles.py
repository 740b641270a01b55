"""Which of an armature's bones are its root and feet: found by names, at rest or in a motion, or chosen by the user."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from ...core.detect.bone_roles import BonePoint, BoneRoles, FigureBones, FootRoles
from ...core.detect.find_roles import find_roles
from ...core.errors import RigError
from ...core.figure import quaternion as quat
from ..data.schema import ROOT_IS_OBJECT, note
from .parts import read_bones, rotation_of

Array = NDArray[np.float64]


def upright(armature: Object) -> Array:
    """Rotation and scale (3, 3) of an armature object, without the part of the rotation that is its heading."""
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
    """Return the roles of an armature's bones; a root and feet that the user chose replace those that are found.

    Parameters
    ----------
    armature : the armature.
    standing : the figure as it stands in motions, asked for only where neither names nor the rest pose tell the feet.

    Raises
    ------
    RigError
        If a bone that was chosen does not exist.
    """
    chosen = armature.verbs_adverbs
    found = find_roles(rest_bones(armature), () if chosen.feet else standing)
    if chosen.root and chosen.root != ROOT_IS_OBJECT:
        _check_bone(armature, chosen.root, "root")
        found = replace(found, root=chosen.root)
    if not chosen.feet:
        return found
    return replace(found, feet=tuple(_foot(armature, item) for item in chosen.feet))


def note_feet(armature: Object, standing: Iterable[FigureBones] = ()) -> BoneRoles:
    """Store the feet that are found, for the user to correct; those that were chosen before are replaced.

    If none are found, two empty rows are stored. `standing` is as for `roles_of`.
    """
    found, chosen = find_roles(rest_bones(armature), standing), armature.verbs_adverbs
    note(chosen)
    chosen.feet.clear()
    for foot in found.feet:
        item = chosen.feet.add()
        item.name, item.thigh, item.ankle = foot.side, foot.thigh, foot.ankle
        item.ball, item.ball_end = foot.ball.bone, foot.ball.end
        if foot.heel is not None:
            item.heel, item.heel_end = foot.heel.bone, foot.heel.end
    for side in "LR":
        if side not in chosen.feet:
            chosen.feet.add().name = side
    return found


def _foot(armature: Object, item: object) -> FootRoles:
    """Return a leg's bones as the user chose them; an empty ankle or thigh is taken from the bones above the ball."""
    what = f"foot '{item.name}'"
    _check_bone(armature, item.ball, f"ball of {what}")
    bones = armature.data.bones
    ball = bones[item.ball]
    ankle = item.ankle or (ball.parent.name if item.ball_end == "HEAD" and ball.parent else item.ball)
    _check_bone(armature, ankle, f"ankle of {what}")
    above = [bone.name for bone in bones[ankle].parent_recursive][:2]
    thigh = item.thigh or (above[-1] if above else ankle)
    _check_bone(armature, thigh, f"thigh of {what}")
    if item.heel:
        _check_bone(armature, item.heel, f"heel of {what}")
    heel = BonePoint(item.heel, item.heel_end) if item.heel else None
    return FootRoles(item.name, thigh, ankle, BonePoint(item.ball, item.ball_end), heel)


def _check_bone(armature: Object, name: str, what: str) -> None:
    if name not in armature.data.bones:
        said = f"is '{name}', which '{armature.name}' does not have" if name else "is not chosen"
        raise RigError(f"The {what} {said}. Choose one of the armature's bones under Feet.")
