"""A first frame with a pose of its own, which tells how a figure is built: the motion begins after it."""

import numpy as np
from bpy.types import Action, FCurve, Object

from ...blender.versions import curves_of
from ...data.curves import SAME_FRAME, gather, key_ends
from ...rig.evaluated import evaluated_frames
from ...rig.roles import rest_bones

LOOKED = 10
"""Frames at the beginning of a clip that are compared."""
JUMP, SEEN = 3.0, 0.05
"""The first step must be this many times the largest of the next ones, and at least this share of the figure's size."""


def leave_out_first_pose(armature: Object, action: Action, fps: float, step: float) -> str:
    """Let an action begin with its second frame if the motion jumps away from its first one; says so in a sentence.

    Parameters
    ----------
    armature, action : an imported action, and the armature that it moves.
    fps : frames of the scene per second.
    step : how many of them lie between two frames of the file.
    """
    first, last = key_ends(gather(action, armature).all_curves())
    if last - first < LOOKED * step:
        return ""
    bones = rest_bones(armature)
    heads, _ = evaluated_frames(armature, action, bones.names, first + step * np.arange(LOOKED + 1.0), fps)
    heads = heads - heads[:, :1] * np.array([1.0, 1.0, 0.0])
    steps = np.sqrt(np.mean(np.sum(np.diff(heads, axis=0) ** 2, axis=-1), axis=-1))
    size = float(np.ptp(heads[-1], axis=0).max())
    if steps[0] < max(JUMP * float(steps[1:].max()), SEEN * size):
        return ""
    for curve in curves_of(action, armature):
        _begin_at(curve, first + step)
    return f"The first frame of '{action.name}' is a pose that its motion jumps away from: it was left out."


def _begin_at(curve: FCurve, frame: float) -> None:
    """Remove the keys of a curve before a frame, at which it gets one if it has none."""
    value, keys = curve.evaluate(frame), curve.keyframe_points
    if not any(abs(key.co[0] - frame) <= SAME_FRAME for key in keys):
        keys.insert(frame, value)
    for key in [key for key in keys if key.co[0] < frame - SAME_FRAME][::-1]:
        keys.remove(key)
    curve.update()
