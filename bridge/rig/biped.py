"""The example biped in Blender: an armature with a simple body, and actions of generated motions."""

from collections.abc import Iterable
from dataclasses import dataclass

import bpy
import numpy as np
from bpy.types import Action, Context, Object
from numpy.typing import NDArray

from ...core.figure import quaternion as quat
from ...core.figure.biped import BONES, rest_orientations
from ...core.motion.gait import WALK_EXAMPLES, walk
from ...core.motion.generated import Generated
from ...core.motion.gesture import WAVE_EXAMPLES, wave
from ...core.motion.reach_gesture import REACH_EXAMPLES, reach
from ...core.motion.stance import stance
from ..blender.versions import bag_for_write, fcurve_ensure
from .biped_body import build_body

Array = NDArray[np.float64]

FIRST_FRAME = 1.0
_LINEAR = 1


@dataclass(frozen=True, eq=False)
class ExampleAction:
    """An action that was written, and the generated motion it plays.

    Parameters
    ----------
    action : its name is the motion's.
    generated : keytimes, planted ends and adverbs of the motion.
    first_frame : frame at which the motion's time is 0.
    fps : frames a second of the action.
    """

    action: Action
    generated: Generated
    first_frame: float
    fps: float

    def frame(self, seconds: float) -> float:
        """Frame of the action at `seconds` from the motion's start."""
        return self.first_frame + seconds * self.fps


def add_biped(context: Context) -> Object:
    """Add the biped with its body at the 3D cursor, make it the active object and return the armature object.

    Object mode is expected. No action is made: see `walk_actions` and its neighbours.
    """
    armature = bpy.data.objects.new("Biped", bpy.data.armatures.new("Biped"))
    context.collection.objects.link(armature)
    for selected in context.selected_objects:
        selected.select_set(False)
    armature.select_set(True)
    context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        _make_bones(armature.data)
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
    for bone in armature.pose.bones:
        bone.rotation_mode = "QUATERNION"
    armature.location = context.scene.cursor.location
    armature.show_in_front, armature.data.display_type = True, "STICK"
    body = build_body(armature)
    context.collection.objects.link(body)
    return armature


def _make_bones(data: bpy.types.Armature) -> None:
    for bone in BONES:
        made = data.edit_bones.new(bone.name)
        made.head, made.tail = bone.head, bone.tail
        made.align_roll(bone.z_axis)
        parent = data.edit_bones.get(bone.parent)
        if parent is not None:
            made.parent = parent
            made.use_connect = (parent.tail - made.head).length < 1e-6


def walk_actions(armature: Object, fps: float) -> list[ExampleAction]:
    """Write the example walks, mood by slope and mood by turn, as actions of the biped; the first one is assigned."""
    return write_actions(armature, [walk(*adverbs, rate=fps) for adverbs in WALK_EXAMPLES], fps)


def wave_actions(armature: Object, fps: float) -> list[ExampleAction]:
    """Write the example waves, energy by height, as actions of the biped; the first one is assigned."""
    return write_actions(armature, [wave(*adverbs, rate=fps) for adverbs in WAVE_EXAMPLES], fps)


def reach_actions(armature: Object, fps: float) -> list[ExampleAction]:
    """Write the example reaches to the corners of a box as actions of the biped; the first one is assigned."""
    return write_actions(armature, [reach(*place, rate=fps) for place in REACH_EXAMPLES], fps)


def stance_actions(armature: Object, fps: float) -> list[ExampleAction]:
    """Write the example stance as an action of the biped, and assign it."""
    return write_actions(armature, [stance(fps)], fps)


def write_actions(armature: Object, motions: Iterable[Generated], fps: float) -> list[ExampleAction]:
    """Write generated motions as actions of the biped, kept without a user, and assign the first one."""
    written = [write_action(armature, motion, fps) for motion in motions]
    if written:
        bag_for_write(armature, written[0].action)
    return written


def write_action(armature: Object, motion: Generated, fps: float, first_frame: float = FIRST_FRAME) -> ExampleAction:
    """Write a generated motion as an action of the biped and assign it.

    Parameters
    ----------
    armature : a biped of `add_biped`.
    motion : what to write; a key for each of its times.
    fps : frames a second.
    first_frame : frame of the motion's time 0; its margin lies before.
    """
    action = bpy.data.actions.new(motion.name)
    action.use_fake_user = True
    bag = bag_for_write(armature, action)
    frames = first_frame + motion.times * fps
    root = rest_orientations()[0]
    rotations = motion.rotations.copy()
    rotations[:, 0] = quat.continuous(quat.multiply(quat.conjugate(root), rotations[:, 0]))
    location = quat.rotate(quat.conjugate(root), motion.root - np.array(BONES[0].head))
    _write_curves(bag, f'pose.bones["{BONES[0].name}"].location', BONES[0].name, frames, location)
    for joint, bone in enumerate(BONES):
        path = f'pose.bones["{bone.name}"].rotation_quaternion'
        _write_curves(bag, path, bone.name, frames, rotations[:, joint])
    return ExampleAction(action, motion, first_frame, fps)


def _write_curves(bag: object, path: str, group: str, frames: Array, values: Array) -> None:
    """Write values (T, C) at frames (T,) as one F-curve for each component."""
    for index, column in enumerate(values.T):
        curve = fcurve_ensure(bag, path, index, group)
        curve.keyframe_points.add(len(frames))
        points = np.stack([frames, column], axis=-1).astype(np.float32)
        curve.keyframe_points.foreach_set("co", points.ravel())
        curve.keyframe_points.foreach_set("interpolation", np.full(len(frames), _LINEAR, dtype=np.int32))
        curve.update()
