"""Making a verb to stand from captures without one: the rows before a walk begins, played slowly forward and back."""

import bpy
import numpy as np
from bpy.types import Action, Object
from numpy.typing import NDArray

from .captures import FIRST_FRAME, assign
from .operate import do

Array = NDArray[np.float64]

ROWS = 4
SECONDS = 3.0
MARGIN = 4
KEYTIME_NAMES = ("sway", "back", "sway")


def standing_action(armature: Object, action: Action, fps: float) -> Action:
    """Make an action that sways slowly through the first rows of `action`, marked as a cycle in which both feet stand.

    Parameters
    ----------
    armature : armature that plays it.
    action : capture that begins with standing, imported so that row 0 is the first frame.
    fps : frames per second of the scene.
    """
    made = action.copy()
    made.name, made.use_fake_user = "Stand", True
    length = round(SECONDS * fps)
    frames = np.arange(-MARGIN, length + MARGIN + 1, dtype=np.float64)
    rows = 0.5 * ROWS * (1.0 - np.cos(2.0 * np.pi * frames / length))
    bag = made if hasattr(made, "fcurves") else made.layers[0].strips[0].channelbag(made.slots[0])
    for curve in bag.fcurves:
        known = np.array([curve.evaluate(FIRST_FRAME + row) for row in range(ROWS + 1)])
        known = np.unwrap(known) if curve.data_path.endswith("rotation_euler") else known
        points = np.stack([FIRST_FRAME + MARGIN + frames, np.interp(rows, np.arange(ROWS + 1), known)], axis=-1)
        curve.keyframe_points.clear()
        curve.keyframe_points.add(len(points))
        curve.keyframe_points.foreach_set("co", points.astype(np.float32).ravel())
        curve.update()
    assign(armature, made)
    _tag(made, FIRST_FRAME + MARGIN, length)
    return made


def _tag(made: Action, first: float, length: int) -> None:
    do("example_add", span="CUSTOM", start=first, end=first + length, kind="STATIONARY", cyclic=True)
    bpy.context.scene.frame_set(int(first + length // 2))
    do("keytime_add", name=KEYTIME_NAMES[1])
    for index in (0, 2):
        made.verbs_adverbs.examples[0].active_keytime = index
        do("keytime_rename", name=KEYTIME_NAMES[index])
    for bone in ("Toes_L", "Toes_R"):
        do("contact_add", bone=bone, end="HEAD")
        do("window_add", start=first - MARGIN, end=first + length + MARGIN, snap=False)
