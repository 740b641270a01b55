"""Actions of baked keys, made whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
import numpy as np
from bpy.types import Action
from numpy.typing import NDArray

from ...core.progress import Progress
from ..blender.naming import free_action_name
from .thin_keys import thinned_within
from .tracks import Track, ancestor_tracks, tracks_of
from .write_pose import PosePlan

Array = NDArray[np.float64]


@contextmanager
def new_action(name: str) -> Iterator[Action]:
    """A new action of a free name to fill; it is removed again when filling it fails."""
    action = bpy.data.actions.new(free_action_name(name))
    try:
        yield action
    except BaseException:
        bpy.data.actions.remove(action)
        raise


def baked_tracks(
    plan: PosePlan, values: Array, frames: Array, degrees: float, distance: float, progress: Progress | None = None
) -> Iterator[Track]:
    """What a new action gets from `values` (n, C) at `frames` (n,), without keys missed by no more than so much.

    `distance` is in performance units; 0 leaves out none. `progress` is as `core.progress` says.
    """
    for track in tracks_of(plan, values, frames, progress):
        yield thinned_within(track, degrees, distance / plan.rig.scale)
    yield from ancestor_tracks(plan, frames[0])
