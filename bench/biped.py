"""The example biped with as many bones as a captured figure, made by the extension's own operators, and its copies."""

import bpy
import numpy as np
from bpy.types import Action, FCurve, Object, Scene

from ..demo.operate import do, make_active
from .installed import module
from .synthetic import wandering

BONES, HANDS, PHALANX, CURL = 60, ("Hand_L", "Hand_R"), 0.03, 0.3
CHANGED = 0.9
"""Factor by which a key is multiplied each time."""


def make_biped(fps: int) -> Object:
    """Return the biped with its verbs and a graph, without its mesh; animated fingers bring it to `BONES` bones."""
    bpy.context.scene.render.fps = fps
    do("add_biped", wave=True, stand=True)
    armature = bpy.context.object
    for body in armature.children:
        bpy.data.objects.remove(body)
    names = _grow(armature)
    for action in bpy.data.actions:
        if action.verbs_adverbs.examples:
            _curl(armature, action, names)
    do("transitions_suggest")
    return armature


def copied(armature: Object) -> Object:
    """Return a copy of an armature and its director, made like with Shift D, active and selected."""
    make_active(armature)
    armature.verbs_adverbs.director.select_set(True)
    bpy.ops.object.duplicate()
    copy = next(one for one in bpy.context.selected_objects if one.type == "ARMATURE")
    make_active(copy)
    return copy


def wandering_sliders(director: Object, frames: int, seed: int) -> list[dict[str, float]]:
    """Return values of all adverbs by name at the frames of a smooth path, within their ranges."""
    ranges = {item.name: (item.minimum, item.maximum) for item in director.verbs_adverbs.adverbs}
    low, high = np.transpose(list(ranges.values()))
    values = 0.5 * (low + high) + 0.5 * (high - low) * np.array(wandering(frames, seed, len(ranges)))
    return [dict(zip(ranges, row, strict=True)) for row in values.tolist()]


def key_sliders(director: Object, frames: int, every: int, seed: int) -> None:
    """Key all adverbs on a smooth path over frames 1 to `frames`, once every `every` frames."""
    for frame, values in enumerate(wandering_sliders(director, frames + 1, seed)):
        for name, value in values.items() if frame % every == 1 else ():
            director[name] = value
            director.keyframe_insert(f'["{name}"]', frame=frame)


def to_scene_of_its_own(armature: Object) -> Scene:
    """Move an armature that plays an action alone to a new scene, without a director; return the scene."""
    director = armature.verbs_adverbs.director
    if director is not None:
        bpy.data.objects.remove(director)
    scene = bpy.data.scenes.new(armature.name)
    scene.render.fps = bpy.context.scene.render.fps
    for collection in armature.users_collection:
        collection.objects.unlink(armature)
    scene.collection.objects.link(armature)
    return scene


def _grow(armature: Object) -> list[str]:
    """Add fingers to the hands; return the names of their bones."""
    names = [f"Finger {index}" for index in range(BONES - len(armature.data.bones))]
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    for index, name in enumerate(names):
        hand, bone = bones[HANDS[index % 2]], bones.new(name)
        bone.head = hand.tail
        bone.tail = hand.tail + PHALANX * (hand.tail - hand.head).normalized()
        bone.parent = hand
    bpy.ops.object.mode_set(mode="OBJECT")
    for name in names:
        armature.pose.bones[name].rotation_mode = "QUATERNION"
    return names


def _curl(armature: Object, action: Action, names: list[str]) -> None:
    """Key the fingers in every frame of an action, which is treated as a cycle."""
    first, last = action.frame_range
    frames = np.arange(first, last + 1.0)
    versions = module("bridge.blender.versions")
    bag = versions.bag_for_write(armature, action)
    for index, name in enumerate(names):
        angles = 0.5 * CURL * (1.0 + 0.5 * np.sin(2.0 * np.pi * (frames - first) / (last - first) + index))
        for component, values in enumerate((np.cos(angles), np.sin(angles), 0.0 * angles, 0.0 * angles)):
            path = f'pose.bones["{name}"].rotation_quaternion'
            curve = versions.fcurve_ensure(bag, path, component, name)
            curve.keyframe_points.add(len(frames))
            curve.keyframe_points.foreach_set("co", np.stack([frames, values], axis=-1).ravel())
            curve.update()


def rest_anew(curve: FCurve) -> None:
    """Change the first key of a slider's curve, and compute one character's motion, as when the user pauses."""
    curve.keyframe_points[0].co.y *= CHANGED
    curve.update()
    assert module("bridge.session.live").flush() == 1
