"""Bakes without a window: the same as the operators make, written to a file that was named."""

from __future__ import annotations

from pathlib import Path

import bpy
from bpy.types import Object, Scene

from ... import bridge
from ...core.errors import VerbError, VerbsError
from ..baking import check_assignable, hand_over
from .told import Told


def baked(armature: Object, scene: Scene, verb: str | None, span: tuple[int, int], name: str, assign: bool) -> Told:
    """Bake a verb of a character, or what its director performs, and return what was made.

    Parameters
    ----------
    armature : the character.
    scene : for the frame rate.
    verb : name of the verb; None for what the director performs.
    span : first and last frame.
    name : of the action; made from what is baked if it is empty.
    assign : whether the character gets the action, and its director is switched off.

    Raises
    ------
    VerbsError
        If it cannot be baked; the file in memory is as it was before.
    """
    check_assignable(armature, assign)
    if verb is None:
        options = bridge.session.bake.PerformanceOptions(name, *span)
        action = bridge.session.bake.bake_performance(armature, options, scene)
    else:
        items = armature.verbs_adverbs.verbs
        if verb not in items:
            raise VerbError(f"'{armature.name}' has no verb '{verb}'. It has: {', '.join(items.keys())}.")
        options = bridge.session.bake.BakeOptions(name, 0, float(span[0]), float(span[1]), animated=True)
        built = bridge.build.verbs.verb_for(armature, items[verb], thorough=True)
        action = bridge.session.bake.bake(armature, built, options, scene)
    curves = bridge.blender.versions.curves_of(action, armature)
    hand_over(armature, action, assign)
    keys = sum(len(curve.keyframe_points) for curve in curves)
    return {"character": armature.name, "action": action.name, "frames": list(span), "keys": keys}


def saved(path: str) -> Path:
    """Save the open file under a path, and return it whole; Blender writes beside it first, and puts it in place last.

    Raises
    ------
    VerbsError
        If Blender could not write it.
    """
    whole = Path(path).resolve()
    if not whole.parent.is_dir():
        raise VerbsError(f"There is no folder '{whole.parent}' to write '{whole.name}' to. Make it, or name another.")
    try:
        bpy.ops.wm.save_as_mainfile(filepath=str(whole), copy=True)
    except RuntimeError as error:
        raise VerbsError(f"Blender could not write '{whole}': {error}") from error
    return whole
