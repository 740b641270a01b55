"""The installed extension's own modules, and an armature to try them on."""

import importlib
from typing import Any

import bpy
from bpy.types import Object

EXTENSION = "bl_ext.user_default.verbs_adverbs"


def module(path: str) -> Any:
    """A module of the extension, such as 'bridge.session.live_writer'."""
    return importlib.import_module(f"{EXTENSION}.{path}")


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
