"""Time of ending a take of ten minutes relative to baking it."""

import time
from collections.abc import Callable, Iterator

import bpy
from bpy.types import Object

from ..core.play.simulator import VirtualClock
from ..demo.operate import do, make_active
from ..dev.figure import Figure
from .biped import BONES, make_biped, wandering_sliders
from .installed import module

FPS = 24
FRAMES = 600 * FPS
ASKED_EVERY, MOVING = 5 * FPS, FPS
"""Frames from one command to the next, and the number of frames in which the sliders move."""
ASKED = ("walk", "wave", "walk", "stand")
ROUNDS = 2
SEED = 5


def ending_figures() -> Iterator[Figure]:
    """Yield the figure for one character."""
    rounds = [_round() for _ in range(ROUNDS)]
    ended, baked, keys = (min(column) for column in zip(*rounds, strict=True))
    said = f"{ended:.1f} of {baked:.1f} s of one thread, feet held, {BONES} bones, {keys} keys of the score"
    yield Figure("ending a take of ten minutes beside baking it", ended / baked, 1.2, "", said)


def _round() -> tuple[float, float, int]:
    """Return the seconds of ending a take and of baking it, and the number of keys of its score."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    armature, scene = make_biped(FPS), bpy.context.scene
    scene.frame_start, scene.frame_end = 1, FRAMES
    do("start_verb", verb=armature.verbs_adverbs.verbs["stand"].uid)
    _perform(armature)
    ended = _timed(_end)
    make_active(armature)
    director = armature.verbs_adverbs.director
    curves = module("bridge.blender.versions").curves_of(director.animation_data.action, director)
    keys = sum(len(curve.keyframe_points) for curve in curves)
    module("bridge.blender.store").forget_made("performed")
    baked = _timed(lambda: do("bake_performance", frame_start=1, frame_end=FRAMES, annotate=False, assign=False))
    return ended, baked, keys


def _perform(armature: Object) -> None:
    """Command a verb at intervals, and move the sliders for a while after it, for ten minutes of a virtual clock."""
    performing, clock = module("bridge.session.performing"), VirtualClock()
    director, verbs = armature.verbs_adverbs.director, armature.verbs_adverbs.verbs
    path = wandering_sliders(director, 1 + FRAMES // ASKED_EVERY * MOVING, SEED)
    going = performing.begin([armature], bpy.context.scene, clock)
    for frame in range(FRAMES):
        turn, since = divmod(frame, ASKED_EVERY)
        if since == 0:
            going.take_of(armature).command(verbs[ASKED[turn % len(ASKED)]].uid)
        for name, value in path[turn * MOVING + since].items() if since < MOVING else ():
            director[name] = value
        performing.tick()
        clock.spend(1.0 / FPS)


def _end() -> None:
    problems = module("bridge.session.performing").end()
    assert not problems, problems


def _timed(task: Callable[[], object]) -> float:
    begin = time.thread_time()
    task()
    return time.thread_time() - begin
