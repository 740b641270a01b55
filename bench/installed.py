"""The installed extension's own modules, Blender without what they listen to, and an armature to try them on."""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy
from bpy.types import Object

EXTENSION = "bl_ext.user_default.verbs_adverbs"
LISTS = ("undo_post", "load_post", "depsgraph_update_post", "frame_change_post")


def module(path: str) -> Any:
    """A module of the extension, such as 'bridge.action.write_pose'."""
    return importlib.import_module(f"{EXTENSION}.{path}")


@contextmanager
def unheard() -> Iterator[None]:
    """Nobody listens to Blender meanwhile."""
    before = {name: list(getattr(bpy.app.handlers, name)) for name in LISTS}
    try:
        for name in LISTS:
            getattr(bpy.app.handlers, name).clear()
        yield
    finally:
        for name, functions in before.items():
            getattr(bpy.app.handlers, name)[:] = functions


def make_armature(bones: int, mode: str = "QUATERNION") -> Object:
    """An armature object whose bones are the joints of `synthetic.chain`, in a rotation mode."""
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
