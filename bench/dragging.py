"""Drags of sliders under Direct with locked feet, relative to Blender's playback of a verb's and a score's bake."""

from collections.abc import Iterator

import bpy
import numpy as np
from bpy.types import Object, Scene

from ..demo.operate import do, make_active
from ..dev.figure import Figure
from .biped import BONES, copied, make_biped, to_scene_of_its_own, wandering_sliders
from .installed import unheard
from .timing import interleaved

FPS, FRAMES, HELD = 24, 200, 150
"""Number of frames of the bake, and the frame at which sliders are dragged."""
DRAGS, ROUNDS, SEED = 40, 15, 3
QUICK_DRAGS, QUICK_ROUNDS = 10, 16
COMMANDS = {40: "wave", 90: "walk"}


def drag_figures(drags: int = DRAGS, rounds: int = ROUNDS) -> Iterator[Figure]:
    """Yield the figures for a verb and for a score."""
    for kind in ("a verb", "a score"):
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        yield _figure(kind, drags, rounds)


def _figure(kind: str, drags: int, rounds: int) -> Figure:
    armature = make_biped(FPS)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, FRAMES
    _direct(armature, kind)
    director, baked = armature.verbs_adverbs.director, _baked(armature, kind)
    scene.frame_set(HELD)
    path = wandering_sliders(director, drags, SEED)

    def drag() -> None:
        for values in path:
            _drag(director, values)

    def play() -> None:
        with unheard():
            for frame in range(1, FRAMES + 1):
                baked.frame_set(frame)

    def show(name: str) -> None:
        """Bring the scene to the front, as for users: playback elsewhere takes Blender less time."""
        window.scene = scene if name == "drag" else baked
        bpy.context.view_layer.update()

    window, tasks = bpy.context.window, {"drag": drag, "play": play}
    best = interleaved(tasks, rounds, before=show)
    show("drag")
    ours, theirs = best["drag"] / drags, best["play"] / FRAMES
    moved, apart = _seen(armature, path)
    said = f"{ours * 1e6:.0f} of {theirs * 1e6:.0f} us, at frame {HELD}; "
    said += f"{100.0 * apart:.1f} cm from what is then computed" if moved else "not every drag is shown"
    name = f"drag under {kind} with locks beside frame_set of the bake, {BONES} bones"
    return Figure(name, ours / theirs if moved else float("nan"), 1.0, "", said)


def _direct(armature: Object, kind: str) -> None:
    """Switch on the walk or a score of two commands, with its sliders at the middle."""
    if kind == "a score":
        do("start_verb", verb=armature.verbs_adverbs.verbs["walk"].uid)
        for frame, verb in COMMANDS.items():
            do("command_add", verb=verb, frame=frame)
        armature.verbs_adverbs.director.verbs_adverbs.performance.active = True
    do("live_on", verb="walk")


def _baked(armature: Object, kind: str) -> Scene:
    """Return a scene that contains only a copy that plays the bake."""
    copy = copied(armature)
    if kind == "a score":
        do("bake_performance", frame_start=1, frame_end=FRAMES)
    else:
        do("bake", verb="walk", length="RANGE", frame_start=1, frame_end=FRAMES)
    scene = to_scene_of_its_own(copy)
    make_active(armature)
    return scene


def _seen(armature: Object, path: list[dict[str, float]]) -> tuple[bool, float]:
    """Return whether each drag moves the figure, and its final distance from its position in the computed motion."""
    director, shown = armature.verbs_adverbs.director, []
    for values in path:
        _drag(director, values)
        shown.append(_heads(armature))
    do("performance_write")
    bpy.context.scene.frame_set(HELD)
    moved = np.abs(np.diff(shown, axis=0)).max(axis=(1, 2))
    return bool((moved > 0.0).all()), float(np.linalg.norm(_heads(armature) - shown[-1], axis=-1).max())


def _drag(director: Object, values: dict[str, float]) -> None:
    for name, value in values.items():
        director[name] = value
    director.update_tag()
    bpy.context.view_layer.update()


def _heads(armature: Object) -> np.ndarray:
    """Return the positions (J, 3) of the bones as evaluated by Blender."""
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([seen.matrix_world @ bone.head for bone in seen.pose.bones])
