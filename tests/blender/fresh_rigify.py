"""Generates a human of Rigify's basic metarig in a Blender of its own: python fresh_rigify.py FILE."""

import os
import sys
import tempfile

os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp(prefix="verbs_adverbs_rigify_")

import bpy

bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
bpy.ops.preferences.addon_enable(module="rigify")
bpy.ops.object.armature_basic_human_metarig_add()
bpy.ops.pose.rigify_generate()
bpy.context.object.name = "Rigify"
bpy.ops.wm.save_as_mainfile(filepath=sys.argv[1], check_existing=False)
sys.stdout.flush()
os._exit(0)
