"""Writing FBX files like Mixamo's: its names of bones, a scale of 0.01, an object turned by 90 degrees, a walk each."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import radians
from pathlib import Path

import bpy
from blender.control_rig import FPS, part
from mathutils import Matrix, Vector

NAMES = {
    "Spine": "Spine", "Head": "Head", "UpperLeg_{}": "{}UpLeg", "LowerLeg_{}": "{}Leg", "Foot_{}": "{}Foot",
    "Toes_{}": "{}ToeBase", "UpperArm_{}": "{}Arm", "LowerArm_{}": "{}ForeArm", "Hand_{}": "{}Hand",
}  # fmt: skip
CENTIMETRES = 100.0
_CORNERS = [Vector(corner) for corner in ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))]


def write_mixamo_files(armature, actions: Sequence[bpy.types.Action], folder: Path) -> list[Path]:
    """Turn the biped, which must be alone in the file, into a character like Mixamo's; write a file for each action."""
    for bone in armature.data.bones:
        old, bone.name = bone.name, "mixamorig:" + _renamed(bone.name)
        for curve in (curve for action in actions for curve in curves_in(action)):
            curve.data_path = curve.data_path.replace(f'["{old}"]', f'["{bone.name}"]')
    armature.data.transform(Matrix.Diagonal([CENTIMETRES] * 3).to_4x4() @ Matrix.Rotation(radians(-90.0), 4, "X"))
    armature.scale, armature.rotation_euler = [1.0 / CENTIMETRES] * 3, (radians(90.0), 0.0, 0.0)
    for other in [obj for obj in bpy.data.objects if obj != armature]:
        bpy.data.objects.remove(other)
    _give_skin(armature)
    return [_write(armature, action, folder / f"{action.name}.fbx") for action in actions]


def _give_skin(armature) -> None:
    """Add a skin with a triangle for each bone; without one, a file would have the present pose as its rest pose."""
    mesh = bpy.data.meshes.new("Skin")
    corners = [bone.head_local + 0.1 * bone.length * step for bone in armature.data.bones for step in _CORNERS]
    mesh.from_pydata(corners, [], [(row, row + 1, row + 2) for row in range(0, len(corners), 3)])
    skin = bpy.data.objects.new("Skin", mesh)
    for row, bone in enumerate(armature.data.bones):
        skin.vertex_groups.new(name=bone.name).add([3 * row, 3 * row + 1, 3 * row + 2], 1.0, "REPLACE")
    bpy.context.scene.collection.objects.link(skin)
    skin.parent = armature
    skin.modifiers.new("Armature", "ARMATURE").object = armature


def _write(armature, action: bpy.types.Action, path: Path) -> Path:
    armature.animation_data.action = action
    first, last = action.frame_range
    for curve in curves_in(action):
        for key in curve.keyframe_points:
            key.co[0] += 1.0 - first
            key.co[1] *= CENTIMETRES if curve.data_path.endswith("location") else 1.0
        curve.update()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, round(last - first) + 1
    return export(path)


def export(path: Path, **options) -> Path:
    """Export what the scene holds, as it is."""
    bpy.ops.export_scene.fbx(
        filepath=str(path), add_leaf_bones=False, bake_anim_use_nla_strips=False, bake_anim_simplify_factor=0.0,
        bake_anim_force_startend_keying=True, **{"bake_anim_use_all_actions": False, **options},
    )  # fmt: skip
    return path


def curves_in(action: bpy.types.Action) -> list[bpy.types.FCurve]:
    bag = action if hasattr(action, "fcurves") else action.layers[0].strips[0].channelbag(action.slots[0])
    return list(bag.fcurves)


def _renamed(name: str) -> str:
    stem, _, side = name.rpartition("_")
    word = {"L": "Left", "R": "Right"}.get(side)
    return NAMES[f"{stem}_{{}}"].format(word) if word and f"{stem}_{{}}" in NAMES else name


def write_one_loop_files(armature, folder: Path) -> list[Path]:
    """Write eight files like Mixamo's that are exactly one loop each: walks of three moods, some turning, and an idle.

    The biped must be alone in the file.
    """
    biped = part("bridge.authoring.biped")
    actions = []
    for name, make in ONE_LOOPS.items():
        frames = round(make(FPS).duration * FPS)
        rate = frames / make(FPS).duration
        written = biped.write_action(armature, replace(make(rate), name=name), rate, 1.0)
        written.action.name = name
        actions.append(written.action)
    return write_mixamo_files(armature, actions, folder)


def _walk(rate: float, **adverbs: float):
    return part("core.biped.walk").walk(**adverbs, rate=rate, margin=0)


def _idle(rate: float):
    return part("core.biped.standing").stance(rate=rate, margin=0)


ONE_LOOPS = {
    "Walking": _walk,
    "Sad Walk": partial(_walk, mood=-1.0),
    "Happy Walk": partial(_walk, mood=1.0),
    "Left Turn": partial(_walk, turn=1.0),
    "Right Turn": partial(_walk, turn=-1.0),
    "Sad Left Turn": partial(_walk, mood=-0.8, turn=0.7),
    "Happy Right Turn": partial(_walk, mood=0.8, turn=-0.7),
    "Idle": _idle,
}
"""What makes each loop at a number of frames a second."""
