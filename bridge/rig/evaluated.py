"""Evaluating driven adverbs and constrained bones at other frames, using copies in scenes of their own."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import bpy
import numpy as np
from bpy.types import ID, Action, Constraint, Object, Scene
from numpy.typing import NDArray

from ...core.figure import quaternion as quat
from ..blender.animation import driver_targets
from ..blender.versions import assign_action, curves_of
from ..data.adverb_values import slider_values
from ..data.bones.names import LEFT_OUT, names_in_curves
from ..data.schema import ROOT_IS_OBJECT
from .parts import rotation_of
from .rig_digest import is_held

Array = NDArray[np.float64]
Kind = TypeVar("Kind", Object, Scene)


def heard_at(director: Object, names: Sequence[str], frames: Array, scene: Scene) -> Array:
    """Return a director's adverbs (F, D) at whole `frames` (F,), their drivers and NLA strips evaluated.

    Parameters
    ----------
    names : (D,) names of the adverbs.
    scene : a scene that contains the director; neither its frame nor its content is changed.
    """
    found = np.empty((len(frames), len(names)))
    with _stand_in(director, scene) as (copy, stage):
        for row, frame in enumerate(frames):
            stage.frame_set(int(frame))
            found[row] = slider_values(_evaluated(copy, stage), names)
    return found


def _copy_of(data: Kind) -> Kind:
    return data.copy()  # pyright: ignore[reportReturnType]


def _evaluated(data: Object, scene: Scene) -> Object:
    return data.evaluated_get(scene.view_layers[0].depsgraph)  # pyright: ignore[reportArgumentType]


@contextmanager
def _stand_in(director: Object, scene: Scene) -> Iterator[tuple[Object, Scene]]:
    """Provide a copy of the director, alone in a copy of the scene; both are removed afterwards."""
    copy, stage = _copy_of(director), _copy_of(scene)
    try:
        _empty(stage)
        stage.collection.objects.link(copy)
        read_from(copy, {director: copy, scene: stage})
        yield copy, stage
    finally:
        remove_stage(copy, stage)


def remove_stage(copy: Object, stage: Scene) -> None:
    """Remove a scene and the object in it; before Blender 4.5 `scenes.remove` crashes without a window.

    There is none in handlers called before rendering, nor in background mode when a frame is rendered directly.
    """
    bpy.data.batch_remove((copy, stage))


def _empty(stage: Scene) -> None:
    """Remove everything from a scene that would be evaluated with it."""
    for child in list(stage.collection.children):
        stage.collection.children.unlink(child)
    for inside in list(stage.collection.objects):
        stage.collection.objects.unlink(inside)
    stage.background_set = stage.camera = None
    stage.sequence_editor_clear()
    if stage.rigidbody_world is not None:
        stage.rigidbody_world.enabled = False


def read_from(copy: Object, instead: dict[ID, ID]) -> None:
    """Make the copy's drivers read the stand-ins for the director and its scene."""
    for target in driver_targets(copy):
        if target.id in instead:
            target.id = instead[target.id]


def is_constrained(armature: Object, bones: Iterable[str]) -> bool:
    """Return whether a constraint acts on one of these bones or on a parent of theirs."""
    pose = armature.pose.bones
    return any(is_held(bone) for name in bones for bone in (pose[name], *pose[name].parent_recursive))


def evaluated_frames(
    armature: Object, action: Action, names: Sequence[str], frames: Array, fps: float
) -> tuple[Array, Array]:
    """Return positions (F, J, 3) and orientations (F, J, 4) of bones in performance space while an action plays.

    Parameters
    ----------
    armature, action : the armature and the action it plays; neither is changed.
    names : (J,) names of bones, `ROOT_IS_OBJECT` for the object.
    frames : (F,) frames at which to read, may be fractional.
    fps : frames per second.
    """
    matrices = np.empty((len(frames), len(names), 4, 4))
    with _copied(armature, action, fps) as (copy, scene):
        for row, frame in enumerate(frames.tolist()):
            scene.frame_set(int(frame // 1), subframe=frame % 1)
            seen = _evaluated(copy, scene)
            world = np.array(seen.matrix_world)
            for joint, name in enumerate(names):
                matrices[row, joint] = (
                    world if name == ROOT_IS_OBJECT else world @ np.array(seen.pose.bones[name].matrix)
                )
    return matrices[..., :3, 3], quat.continuous(rotation_of(matrices))


@contextmanager
def _copied(armature: Object, action: Action, fps: float) -> Iterator[tuple[Object, Scene]]:
    """Make a copy of the armature, without its parent, that plays an action in a new scene; remove both at the end."""
    copy, scene = _copy_of(armature), bpy.data.scenes.new("evaluated")
    renamed = _renamed(armature, action)
    try:
        scene.render.fps = max(round(fps), 1)
        scene.collection.objects.link(copy)
        basis = copy.matrix_basis.copy()
        copy.parent = None
        copy.matrix_basis = basis
        point_to_itself(copy, armature)
        if copy.animation_data is not None:
            copy.animation_data.use_nla = False
        assign_action(copy, renamed or action)
        yield copy, scene
    finally:
        remove_stage(copy, scene)
        if renamed is not None:
            bpy.data.actions.remove(renamed)


def _renamed(armature: Object, action: Action) -> Action | None:
    """Return a copy of an action with the bones' current names; None if it has them already."""
    names = names_in_curves(armature, action)
    paths = [curve.data_path for curve in curves_of(action, armature)] if names else []
    if all(names.path(path) == path for path in paths):
        return None
    copy: Action = action.copy()  # pyright: ignore[reportAssignmentType]
    for curve in curves_of(copy, armature):
        path = names.path(curve.data_path)
        curve.mute = curve.mute or path == LEFT_OUT
        curve.data_path = path or curve.data_path
    return copy


def ends_of(constraint: Constraint) -> Iterator[tuple[Any, str]]:
    """Yield everything that holds an object a constraint refers to, with the name of the property that does."""
    for holder in (constraint, *(constraint.targets if constraint.type == "ARMATURE" else ())):
        yield from ((holder, name) for name in ("target", "pole_target") if hasattr(holder, name))


def point_to_itself(copy: Object, armature: Object) -> None:
    """Make constraints and drivers of a copy refer to the copy instead of the original armature."""
    for bone in copy.pose.bones:
        for constraint in bone.constraints:
            for holder, name in ends_of(constraint):
                if getattr(holder, name) == armature:
                    setattr(holder, name, copy)
    read_from(copy, {armature: copy})
