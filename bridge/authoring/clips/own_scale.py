"""The size of an imported figure: what scales it above its object, or at its topmost bones, its object takes over.

Files scale a figure by objects that carry its armature, or by keys on its topmost bones, as exporters leave them to
turn centimetres to metres. All that reads an armature heeds the transform of its own object alone.
"""

from collections.abc import Sequence

import bpy
import numpy as np
from bpy.types import Action, Bone, FCurve, Object
from mathutils import Vector

from ...blender.animation import assigned_curves
from ...blender.versions import bag_of, curves_of, slot_of
from ...data.bones.names import OBJECT, parse_path

EVEN = 1e-3
"""Share by which scales may differ that are the same."""


def moving_carrier(armature: Object) -> Object | None:
    """Return the object above an armature that an action of its own moves, None if there is none."""
    above = armature.parent
    while above is not None:
        if not all(_is_still(curve) for curve in assigned_curves(above)):
            return above
        above = above.parent
    return None


def take_over_scale(armature: Object, actions: Sequence[Action]) -> None:
    """Let the object of an armature scale its figure alone, and carry it alone; the figure looks as before.

    Nothing changes where the object itself moves, since what carries it turns and scales its way too.

    Parameters
    ----------
    armature : as it was imported.
    actions : that move it.
    """
    bpy.context.view_layer.update()
    factor = _factor(armature, actions)
    own = [(action, curve) for action in actions for curve in curves_of(action, armature) if _moves(curve, OBJECT)]
    if (armature.parent is None and factor == 1.0) or not all(_is_still(curve) for _, curve in own):
        return
    place = armature.matrix_world.copy()
    for action, curve in own:
        bag_of(action, slot_of(action, armature)).fcurves.remove(curve)  # pyright: ignore[reportAttributeAccessIssue]
    armature.parent = None
    armature.matrix_world = place
    armature.scale *= factor
    for bone in _topmost(armature) if factor != 1.0 else ():
        _shrink(armature, bone, actions, factor)


def _topmost(armature: Object) -> list[Bone]:
    return [bone for bone in armature.data.bones if bone.parent is None]  # pyright: ignore[reportAttributeAccessIssue]


def _moves(curve: FCurve, owner: str, prop: str = "") -> bool:
    """Whether a curve moves a property, or any, of a bone or the object."""
    bone, rest = parse_path(curve.data_path)
    return bone == owner and rest == (prop or rest)


def _is_still(curve: FCurve) -> bool:
    values = [key.co[1] for key in curve.keyframe_points]
    return not values or np.ptp(values) <= EVEN * max(np.abs(values).max(), EVEN)


def _factor(armature: Object, actions: Sequence[Action]) -> float:
    """Return the scale that all topmost bones have all the time; 1 if it is not the same."""
    found: list[float] = []
    for bone in _topmost(armature):
        for action in actions:
            curves = [curve for curve in curves_of(action, armature) if _moves(curve, bone.name, "scale")]
            found += [key.co[1] for curve in curves for key in curve.keyframe_points]
            found += [1.0] * (3 - len(curves))
    least, most = min(found, default=1.0), max(found, default=1.0)
    even = least > 0.0 and most - least <= EVEN * most
    return most if even and abs(most - 1.0) > EVEN else 1.0


def _shrink(armature: Object, bone: Bone, actions: Sequence[Action], factor: float) -> None:
    """Take a scale from a topmost bone, whose place is seen from an object that has it now."""
    rest: Vector = bone.matrix_local.to_3x3().transposed() @ bone.head_local
    posed = armature.pose.bones[bone.name]  # pyright: ignore[reportOptionalMemberAccess]
    posed.location, posed.scale = (posed.location + rest) / factor - rest, (1.0, 1.0, 1.0)
    for curve in (curve for action in actions for curve in curves_of(action, armature)):
        if _moves(curve, bone.name, "location"):
            _write(curve, factor, rest[curve.array_index])
        elif _moves(curve, bone.name, "scale"):
            _write(curve, factor, 0.0)


def _write(curve: FCurve, factor: float, rest: float) -> None:
    """Divide the values of a curve and its handles by a factor, as counted from a place at rest."""
    for key in curve.keyframe_points:
        for point in (key.co, key.handle_left, key.handle_right):
            point[1] = (point[1] + rest) / factor - rest
    curve.update()
