"""Generic time of the current frame, while an example of a verb is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from bpy.types import Object, PropertyGroup

from ...core.errors import GraphError
from ..blender.naming import told_frame
from .definitions import referenced
from .markers import effective_keytimes

if TYPE_CHECKING:
    from ...core.verb.verb import Verb


def generic_at(armature: Object, item: PropertyGroup, verb: Verb, frame: float) -> float:
    """Generic time of a verb at a frame of the example that the armature shows.

    Parameters
    ----------
    item, verb : a verb of the armature, and as it was built.
    frame : of the example's action.

    Raises
    ------
    GraphError
        If the armature shows no example of the verb, or the frame lies outside it.
    """
    data = armature.animation_data
    action = data.action if data is not None else None
    here = [referenced(ref) for ref in item.examples if ref.enabled and ref.action == action is not None]
    shown = [example for example in here if example is not None]
    if not shown:
        raise GraphError(
            f"'{armature.name}' shows no example of '{item.name}'. Show one by the button beside its examples and go to"
            " the frame."
        )
    for example in shown:
        frames = [at for _, at in effective_keytimes(action, example)]
        if frames[0] <= frame <= frames[-1]:
            return float(np.interp(frame, frames, verb.phrasing.generic))
    raise GraphError(
        f"Frame {told_frame(frame)} is not within the example of '{item.name}', which lasts from"
        f" {told_frame(frames[0])} to"
        f" {told_frame(frames[-1])}. Go to a frame within it."
    )
