"""Keys of an old action, for a new one whose baked curves only change the sign of the old one's."""

from collections.abc import Mapping, Sequence

import numpy as np
from bpy.types import FCurve
from numpy.typing import NDArray

from ..data.curves import Keyed, components, parse_path

Array = NDArray[np.float64]

ALIKE = 1e-5
"""Difference of what is one, and share of what is larger, that comes from the precision of keys."""
OF_A_KEY = ("type", "interpolation", "easing", "back", "amplitude", "period", "handle_left_type", "handle_right_type")


def take_keys(curves: Sequence[FCurve], keyed: Keyed, partners: Mapping[str, str], frames: Array) -> None:
    """Replace a key for each frame by the old action's few, where its curves say the same there but for their signs.

    Parameters
    ----------
    curves : baked at `frames` (F,).
    keyed : the old action.
    partners : names of the bones whose curves these were.
    """
    made: dict[str, dict[int, FCurve]] = {}
    for curve in curves:
        made.setdefault(curve.data_path, {})[curve.array_index] = curve
    for path, mine in made.items():
        bone, prop = parse_path(path)
        old = keyed.curves(partners.get(bone, bone), prop)
        if not mine.keys() <= old.keys() or any(c.goes_on or len(c.fcurve.sampled_points) for c in old.values()):
            continue
        seen = components(old, frames, np.zeros(1 + max(old)))
        baked = np.array([[curve.evaluate(frame) for frame in frames] for curve in mine.values()]).T
        if prop == "rotation_quaternion":
            seen /= np.maximum(np.linalg.norm(seen, axis=1, keepdims=True), ALIKE)
        seen = seen[:, list(mine)]
        signs = np.where(np.sum(seen * baked, axis=0) < 0.0, -1.0, 1.0)
        if np.abs(signs * seen - baked).max() <= ALIKE * max(np.abs(seen).max(), 1.0):
            for (index, curve), sign in zip(mine.items(), signs, strict=True):
                _copy(old[index].fcurve, curve, sign)


def _copy(old: FCurve, new: FCurve, sign: float) -> None:
    new.keyframe_points.clear()
    new.keyframe_points.add(len(old.keyframe_points))
    for source, point in zip(old.keyframe_points, new.keyframe_points, strict=True):
        for name in OF_A_KEY:
            setattr(point, name, getattr(source, name))
        for name in ("co", "handle_left", "handle_right"):
            frame, value = getattr(source, name)
            setattr(point, name, (frame, sign * value))
    new.extrapolation, new.auto_smoothing = old.extrapolation, old.auto_smoothing
    new.update()
