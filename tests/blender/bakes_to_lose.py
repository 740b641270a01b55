"""A biped with a baked performance, and what an animator does to it by hand."""

import bpy
import numpy as np
from blender.performance import OPS, begin_with, biped_with_graph
from blender.stage import go_to, opened_again, poses_at
from mathutils import Quaternion

END, WALK = 48, 10
ARM = "UpperArm_L"
DONE = {"FINISHED"}


def baked_biped() -> bpy.types.Object:
    """Return the biped with a baked performance, assigned."""
    return opened_again("performance to lose", _bake)


def _bake() -> None:
    armature = biped_with_graph()
    bpy.context.scene.frame_end = END
    begin_with(armature, "walk")
    assert OPS.command_add(verb="stand", frame=WALK) == DONE
    armature.verbs_adverbs.director.verbs_adverbs.performance.active = True
    assert OPS.bake_performance(name="baked", frame_start=1, frame_end=END) == DONE


def curves_of(action) -> dict:
    """The F-curves of an action by path and component."""
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags] if hasattr(
        action, "layers"
    ) else [action]  # fmt: skip
    return {(curve.data_path, curve.array_index): curve for bag in bags for curve in bag.fcurves}


def keyed(action) -> dict:
    return {name: [tuple(key.co) for key in curve.keyframe_points] for name, curve in curves_of(action).items()}


def arm_of(action, bone: str = ARM, index: int = 1):
    return curves_of(action)[f'pose.bones["{bone}"].rotation_quaternion', index]


def bend(action, bone: str = ARM) -> None:
    """Edit an action by hand."""
    curve = arm_of(action, bone)
    for key in curve.keyframe_points:
        if 20 <= key.co[0] <= 30:
            key.co[1] += 0.3
    curve.update()


def key_arm(armature, frame: float, degrees: float, bone: str = ARM) -> None:
    """Turn a bone from where it is seen, and key it as an animator does."""
    go_to(frame)
    turned = armature.pose.bones[bone]
    turned.rotation_quaternion = turned.rotation_quaternion @ Quaternion((1.0, 0.0, 0.0), np.radians(degrees))
    assert turned.keyframe_insert("rotation_quaternion", frame=frame)


def seen(armature, frames=(5, 20, 30, 45)) -> np.ndarray:
    return poses_at(armature, frames)


def mine_for(armature, name: str = "mine"):
    """Give an armature an action that was keyed by hand, and that nothing else uses."""
    action = bpy.data.actions.new(name)
    armature.animation_data_create().action = action
    key_arm(armature, 3, 20.0)
    key_arm(armature, 30, -20.0)
    action.use_fake_user = False
    return armature.animation_data.action


def otherwise(armature) -> None:
    """Direct the character otherwise than before."""
    armature.verbs_adverbs.director["mood"] = 0.9
