"""The position and generic time of ghosts: those of the character next to them."""

import numpy as np
from bpy.types import Object, Scene
from numpy.typing import NDArray

from ....core.figure import quaternion as quat
from ....core.verb.verb import Verb
from ...data.adverb_values import slider_values
from ...data.frames.counting import counting_of
from ...data.schema import ROOT_IS_OBJECT
from ..live_characters import characters, takes

Array = NDArray[np.float64]

AT_ONCE = 1e-6
"""Seconds that count as zero."""


def generic_now(director: Object, verb: Verb, scene: Scene) -> float | None:
    """Return the generic time (0 to 1) of a verb that a director plays at the current frame; None if it plays another.

    Raises
    ------
    VerbError
        If a slider holds no number.
    """
    character, take = characters.get(director.session_uid), takes.get(director.session_uid)
    if take is not None:
        return take.status.share if take.status.verb.name == verb.name else None
    played, frame = character.played if character is not None else None, scene.frame_current_final
    if played is not None and len(played.recording.times):
        seconds, recording = (frame - played.request.start) / played.request.fps, played.recording
        row = max(int(np.searchsorted(recording.times, seconds + AT_ONCE, side="right")) - 1, 0)
        if len(played.request.graph.verbs) > 1 and recording.verbs[row] != verb.name:
            return None
        passed = float(recording.phases[row])
    else:
        counting = counting_of(director, scene)
        motion = verb.motion(slider_values(director, verb.adverb_names))
        passed = float(motion.phase([max(frame - counting.start, 0.0) / counting.fps])[0])
    return passed % 1.0 if verb.cyclic else min(max(passed, 0.0), 1.0)


def root_now(armature: Object, root: str) -> Array:
    """Return position and orientation (7,) in performance space of an armature's root in its current pose."""
    frame = armature.matrix_basis
    if root != ROOT_IS_OBJECT and root in armature.pose.bones:
        frame = frame @ armature.pose.bones[root].matrix
    place, turn, _ = frame.decompose()
    return np.array([*place, *turn])


def moved_onto(corners: Array, root: Array, wanted: Array) -> Array:
    """Return corners (..., 3) moved and turned about the vertical by what takes the root (7,) to `wanted` (7,)."""
    turn = quat.from_yaw(quat.yaw_of(quat.multiply(wanted[3:], quat.conjugate(root[3:]))))
    return wanted[:3] + quat.rotate(turn, corners - root[:3])
