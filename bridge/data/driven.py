"""What driven adverbs say at other frames: asked of a copy of the director in a scene of its own.

Going through the frames of the user's scene would put back every edit that is not keyed yet, of whatever object.
Blender carries animated values back to the data only for the scene that is shown, so nothing but the copy is changed.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import bpy
import numpy as np
from bpy.types import ID, Object, Scene
from numpy.typing import NDArray

from .adverb_values import slider_values

Array = NDArray[np.float64]


def heard_at(director: Object, names: Sequence[str], frames: Array, scene: Scene) -> Array:
    """What adverbs (F, D) of a director are at whole `frames` (F,), their drivers and NLA strips evaluated.

    Parameters
    ----------
    names : (D,) of the adverbs.
    scene : one that the director is in; neither its frame nor what is in it is touched.
    """
    found = np.empty((len(frames), len(names)))
    with _stand_in(director, scene) as (copy, stage):
        for row, frame in enumerate(frames):
            stage.frame_set(int(frame))
            found[row] = slider_values(copy.evaluated_get(stage.view_layers[0].depsgraph), names)
    return found


@contextmanager
def _stand_in(director: Object, scene: Scene) -> Iterator[tuple[Object, Scene]]:
    """A copy of the director, alone in a copy of the scene; both are gone afterwards."""
    copy, stage = director.copy(), scene.copy()
    try:
        _empty(stage)
        stage.collection.objects.link(copy)
        read_from(copy, {director: copy, scene: stage})
        yield copy, stage
    finally:
        remove_stage(copy, stage)


def remove_stage(copy: Object, stage: Scene) -> None:
    """Remove a scene and the object in it; `scenes.remove` would crash before Blender 4.5 where there is no window.

    There is none in what Blender calls before it renders, and in background where a frame is rendered at once.
    """
    bpy.data.batch_remove((copy, stage))


def _empty(stage: Scene) -> None:
    """Take out of a scene all that would be evaluated with it."""
    for child in list(stage.collection.children):
        stage.collection.children.unlink(child)
    for inside in list(stage.collection.objects):
        stage.collection.objects.unlink(inside)
    stage.background_set = stage.camera = None
    stage.sequence_editor_clear()
    if stage.rigidbody_world is not None:
        stage.rigidbody_world.enabled = False


def read_from(copy: Object, instead: dict[ID, ID]) -> None:
    """Let the copy's drivers read what stands in for the director and its scene."""
    for curve in copy.animation_data.drivers:
        for target in (target for variable in curve.driver.variables for target in variable.targets):
            if target.id in instead:
                target.id = instead[target.id]
