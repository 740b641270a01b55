"""Actions of baked keys, made whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
import numpy as np
from bpy.types import Action
from numpy.typing import NDArray

from .naming import free_action_name
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
    except Exception:
        bpy.data.actions.remove(action)
        raise


def baked_tracks(plan: PosePlan, values: Array, frames: Array, degrees: float, distance: float) -> list[Track]:
    """What a new action gets from `values` (n, C) at `frames` (n,), without keys missed by no more than so much.

    `distance` is in performance units; 0 leaves out none.
    """
    tracks = [thinned_within(track, degrees, distance / plan.rig.scale) for track in tracks_of(plan, values, frames)]
    return tracks + ancestor_tracks(plan, frames[0])
