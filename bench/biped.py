"""The example biped with as many bones as a captured figure, made by the extension's own operators, and its copies."""

import bpy
import numpy as np
from bpy.types import Action, FCurve, Object, Scene

from ..demo.operate import do, make_active
from .installed import module
from .synthetic import wandering

BONES, HANDS, PHALANX, CURL = 60, ("Hand_L", "Hand_R"), 0.03, 0.3
CHANGED = 0.9
"""By which a key is multiplied each time."""


def make_biped(fps: int) -> Object:
    """The biped with its verbs and a graph, without its mesh; fingers, which all actions move, bring it to `BONES`."""
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
    """A copy of an armature and of its director, made as Shift D makes it, active and selected."""
    make_active(armature)
    armature.verbs_adverbs.director.select_set(True)
    bpy.ops.object.duplicate()
    copy = next(one for one in bpy.context.selected_objects if one.type == "ARMATURE")
    make_active(copy)
    return copy


def wandering_sliders(director: Object, frames: int, seed: int) -> list[dict[str, float]]:
    """Values of all adverbs by name at so many frames of a smooth path, within their ranges."""
    ranges = {item.name: (item.minimum, item.maximum) for item in director.verbs_adverbs.adverbs}
    low, high = np.transpose(list(ranges.values()))
    values = 0.5 * (low + high) + 0.5 * (high - low) * np.array(wandering(frames, seed, len(ranges)))
    return [dict(zip(ranges, row, strict=True)) for row in values.tolist()]


def key_sliders(director: Object, frames: int, every: int, seed: int) -> None:
    """Key all adverbs on a smooth path over frames 1 to `frames`, once in so many frames."""
    for frame, values in enumerate(wandering_sliders(director, frames + 1, seed)):
        for name, value in values.items() if frame % every == 1 else ():
            director[name] = value
            director.keyframe_insert(f'["{name}"]', frame=frame)


def to_scene_of_its_own(armature: Object) -> Scene:
    """Let an armature that plays an action be alone in a new scene, without a director; returns the scene."""
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
    """Give the hands fingers; returns the names of their bones."""
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
    """Key the fingers in every frame of an action, which is taken for a cycle."""
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
    """Change the first key of a slider's curve, and compute what one character plays, as when the hand rests."""
    curve.keyframe_points[0].co.y *= CHANGED
    curve.update()
    assert module("bridge.session.live").flush() == 1
