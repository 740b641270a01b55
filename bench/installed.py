"""The installed extension's own modules, Blender without their handlers, and an armature to try them on."""

import importlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, Object
from numpy.typing import NDArray

EXTENSION = "bl_ext.user_default.verbs_adverbs"
LISTS = ("undo_post", "load_post", "depsgraph_update_post", "frame_change_post")


def module(path: str) -> Any:
    """Return a module of the extension, such as 'bridge.action.write_pose'."""
    return importlib.import_module(f"{EXTENSION}.{path}")


@contextmanager
def unheard() -> Iterator[None]:
    """Disable the extension's handlers in the `with` block."""
    before = {name: list(getattr(bpy.app.handlers, name)) for name in LISTS}
    try:
        for name in LISTS:
            getattr(bpy.app.handlers, name).clear()
        yield
    finally:
        for name, functions in before.items():
            getattr(bpy.app.handlers, name)[:] = functions


def write_alone(owner: Object, curves: Iterable[tuple[str, int, NDArray[np.float32]]]) -> Action:
    """Make and fill an action with Blender alone, which its owner then plays.

    Parameters
    ----------
    curves : data path and component of each curve, and frames and values (2 T,) of its keys.
    """
    action = bpy.data.actions.new("alone")
    bag = module("bridge.blender.versions").bag_for_write(owner, action)
    for path, index, points in curves:
        curve = bag.fcurves.new(path, index=index)
        curve.keyframe_points.add(len(points) // 2)
        curve.keyframe_points.foreach_set("co", points)
    curve.update()
    return action


def make_armature(bones: int, mode: str = "QUATERNION") -> Object:
    """Return an armature object whose bones are the joints of `synthetic.chain`, in a rotation mode."""
    armature = bpy.data.objects.new("Chain", bpy.data.armatures.new("Chain"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for index in range(bones):
        bone = armature.data.edit_bones.new(f"joint {index}")
        bone.head, bone.tail, bone.parent = (0.0, 0.1 * index, 0.0), (0.0, 0.1 * (index + 1), 0.0), above
        above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in armature.pose.bones:
        bone.rotation_mode = mode
    return armature
