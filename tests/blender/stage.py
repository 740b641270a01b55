"""A biped with a walk to direct, and measures of what Blender shows."""

import importlib

import bpy
import numpy as np
from blender.installed import MODULE

FPS = 24.0
ADVERBS = ("mood", "slope", "turn")


def part(name: str):
    """Module of the installed extension."""
    return importlib.import_module(f"{MODULE}.{name}")


def go_to(frame: float) -> None:
    bpy.context.scene.frame_set(int(np.floor(frame)), subframe=frame - np.floor(frame))


def pose_of(armature) -> np.ndarray:
    """Matrices (J, 4, 4) of all bones in the world."""
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([seen.matrix_world @ bone.matrix for bone in seen.pose.bones])


def joints_of(armature, names) -> np.ndarray:
    """Heads (J, 3) of the named bones in the world."""
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([seen.matrix_world @ seen.pose.bones[name].head for name in names])


def core_joints(verb, values) -> np.ndarray:
    """Heads (T, J, 3) as core computes them."""
    return part("core.figure.channels").world_joints(verb.channels, values)


def walking_biped():
    """The biped with the verb 'walk' over mood, slope and turn; the first example is assigned."""
    bpy.context.scene.frame_end = 60
    assert bpy.ops.verbs_adverbs.add_biped() == {"FINISHED"}
    return bpy.context.object


def built_verb(armature):
    return part("bridge.verbs").verb_for(armature, armature.verbs_adverbs.verbs["walk"])
