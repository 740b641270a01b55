"""Rigify's basic human, generated; as a program in a Blender of its own: python fresh_rigify.py FILE."""

import os
import sys
import tempfile

if __name__ == "__main__":
    os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp(prefix="verbs_adverbs_rigify_")

import bpy


def generate_rigify():
    """Generate a human from Rigify's basic metarig in this Blender; Rigify adds its scripts to the file."""
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_basic_human_metarig_add()
    bpy.ops.pose.rigify_generate()
    bpy.context.object.name = "Rigify"
    return bpy.context.object


if __name__ == "__main__":
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    generate_rigify()
    bpy.ops.wm.save_as_mainfile(filepath=sys.argv[-1], check_existing=False)
    sys.stdout.flush()
    os._exit(0)
