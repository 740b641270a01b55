"""Many copies of one character that share their actions, and the keys that move them."""

from collections.abc import Sequence

import bpy
import numpy as np
from blender.stage import part, walking_biped


def chosen(*objects) -> None:
    for one in bpy.context.view_layer.objects:
        one.select_set(one in objects)
    bpy.context.view_layer.objects.active = objects[0]


def copied(armature, linked: bool):
    """A copy of an armature and its director, as Alt D (linked) or Shift D makes it."""
    chosen(armature, armature.verbs_adverbs.director)
    assert bpy.ops.object.duplicate(linked=linked) == {"FINISHED"}
    return next(one for one in bpy.context.selected_objects if one.type == "ARMATURE")


def crowd_of(first, count: int) -> list:
    """An armature that has a director, and copies of it, so many in all, that share their actions."""
    bpy.context.preferences.edit.use_duplicate_action = False
    try:
        return [first, *(copied(first, linked=place % 2 == 0) for place in range(1, count))]
    finally:
        bpy.context.preferences.edit.use_duplicate_action = True


def walking_crowd(last: int, moods: Sequence[float]) -> list:
    """Bipeds that walk up to a frame, all selected, each with a director and a mood of its own."""
    first = walking_biped()
    assert bpy.ops.verbs_adverbs.director_add() == {"FINISHED"}
    bpy.context.scene.frame_end = last
    found = crowd_of(first, len(moods))
    for armature, mood in zip(found, moods, strict=True):
        armature.verbs_adverbs.director["mood"] = mood
    chosen(*found)
    return found


def keys_of(armature) -> list:
    """Data path, component, and frames and values of the keys of each curve that moves an armature."""
    found = []
    for curve in part("bridge.blender.versions").curves_of(armature.animation_data.action, armature):
        points = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", points)
        found.append((curve.data_path, curve.array_index, tuple(points.tolist())))
    return sorted(found)
