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


def again(armature: Object, scene: Scene, name: str) -> list[Told]:
    """Bake again what was baked of a character, into the same actions, and return what was written.

    Parameters
    ----------
    name : of the one bake that is wanted; all that there are without it.

    Raises
    ------
    VerbsError
        If there is none, or one cannot be baked again, such as for edits that would be lost.
    """
    found = [] if name else bridge.session.bakes.bake_again.bakes_of(armature)
    told: list[Told] = []
    for action in found or [bridge.session.bakes.bake_again.bake_to_repeat(armature, name)]:
        for one in bridge.session.bakes.bake_again.bake_again(armature, action, "ASK", scene).actions:
            curves = bridge.blender.versions.curves_of(one, armature)
            keys = sum(len(curve.keyframe_points) for curve in curves)
            frames = [round(frame) for frame in one.frame_range]
            told.append({"character": armature.name, "action": one.name, "frames": frames, "keys": keys})
    return told


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
