"""Leaving out keys of a track that the lines between the others make up for."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...core.figure import quaternion as quat
from ...core.motion.reduce_keys import needed_rows
from ..rig.parts import ROTATION_PROPERTY, quaternions
from .tracks import Track

Array = NDArray[np.float64]


def thinned_within(track: Track, degrees: float, distance: float) -> Track:
    """The track without keys that are missed by no more than so many degrees, or units of the armature; 0 for none."""
    if track.held or len(track.frames) < 3:
        return track
    if track.rotation and degrees > 0.0:
        return thinned(track, degrees)
    if track.path.endswith("location") and distance > 0.0:
        return thinned(track, distance)
    return track


def thinned(track: Track, tolerance: float) -> Track:
    """The track without the keys that are missed by no more than `tolerance`: degrees of a rotation, else own units."""
    error = _turned(track.rotation) if track.rotation else _apart
    return track.rows(needed_rows(track.frames, track.values, error, tolerance))


def _apart(played: Array, true: Array) -> Array:
    return np.linalg.norm(played - true, axis=-1)


def _turned(mode: str) -> Callable[[Array, Array], Array]:
    """Angle in degrees between rotations told by the components of a rotation mode."""
    prop = ROTATION_PROPERTY.get(mode, "rotation_euler")

    def turned(played: Array, true: Array) -> Array:
        a, b = quaternions(prop, played, mode), quaternions(prop, true, mode)
        return np.degrees(quat.angle_between(a, b))

    return turned
