"""Where bones are that constraints and drivers move: asked of a copy of the armature in a scene of its own.

Going through the frames of the user's scene would put back every edit that is not keyed yet, of whatever object.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import bpy
import numpy as np
from bpy.types import Action, Object, Scene
from numpy.typing import NDArray

from ...core.figure import quaternion as quat
from ..blender.versions import assign_action
from ..data.driven import read_from, remove_stage
from ..data.schema import ROOT_IS_OBJECT
from .parts import rotation_of
from .rig import is_held

Array = NDArray[np.float64]


def is_constrained(armature: Object, bones: Iterable[str]) -> bool:
    """Whether constraints move some bones, or one that carries them."""
    pose = armature.pose.bones
    return any(is_held(bone) for name in bones for bone in (pose[name], *pose[name].parent_recursive))


def evaluated_frames(
    armature: Object, action: Action, names: Sequence[str], frames: Array, fps: float
) -> tuple[Array, Array]:
    """Positions (F, J, 3) and orientations (F, J, 4) of bones in performance space as Blender plays an action.

    Parameters
    ----------
    armature, action : neither is changed.
    names : (J,) of the bones, `ROOT_IS_OBJECT` for the object.
    frames : (F,)
    fps : frames per second.
    """
    matrices = np.empty((len(frames), len(names), 4, 4))
    with _copied(armature, action, fps) as (copy, scene):
        for row, frame in enumerate(frames.tolist()):
            scene.frame_set(int(frame // 1), subframe=frame % 1)
            seen = copy.evaluated_get(scene.view_layers[0].depsgraph)
            world = np.array(seen.matrix_world)
            for joint, name in enumerate(names):
                matrices[row, joint] = (
                    world if name == ROOT_IS_OBJECT else world @ np.array(seen.pose.bones[name].matrix)
                )
    return matrices[..., :3, 3], quat.continuous(rotation_of(matrices))


@contextmanager
def _copied(armature: Object, action: Action, fps: float) -> Iterator[tuple[Object, Scene]]:
    """A copy that plays an action by itself, without a parent, and its scene; both are removed again."""
    copy, scene = armature.copy(), bpy.data.scenes.new("evaluated")
    try:
        scene.render.fps = max(round(fps), 1)
        scene.collection.objects.link(copy)
        basis = copy.matrix_basis.copy()
        copy.parent = None
        copy.matrix_basis = basis
        _point_to_itself(copy, armature)
        if copy.animation_data is not None:
            copy.animation_data.use_nla = False
        assign_action(copy, action)
        yield copy, scene
    finally:
        remove_stage(copy, scene)


def _point_to_itself(copy: Object, armature: Object) -> None:
    """Let constraints and drivers of a copy follow its own bones where they followed the armature's."""
    for bone in copy.pose.bones:
        for constraint in bone.constraints:
            targets = [constraint, *(constraint.targets if constraint.type == "ARMATURE" else ())]
            for holder in targets:
                for name in ("target", "pole_target"):
                    if getattr(holder, name, None) == armature:
                        setattr(holder, name, copy)
    if copy.animation_data is not None:
        read_from(copy, {armature: copy})
