"""Locked characters that are performed, each on its own: beside Blender playing their bakes, and on a ramp."""

from collections.abc import Callable, Iterator
from functools import partial
from math import radians, tan

import bpy
from bpy.types import Object

from .biped import BONES, make_biped
from .figure import Figure
from .installed import unheard
from .timing import interleaved
from .troupe import FPS, PERIOD, WALKING, Troupe, many, play_bakes

CHARACTERS = {1: (PERIOD, 12, 2.2), 10: (100, 10, 0.75), 50: (30, 10, 0.75)}
"""How many are performed: for how many frames, in how many rounds, and how long that may take beside their bakes."""
SLOPE, WIDE = 10.0, 2000.0
"""Degrees and metres of the ramp."""
RAMP_FRAMES, RAMP_ROUNDS = 75, 40
"""Some more frames than a cycle of the walk has."""


def locked_figures() -> Iterator[Figure]:
    """Figures of one, ten and fifty characters, and of one on a ramp."""
    for count in CHARACTERS:
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        yield _beside_bakes(count)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    yield _on_a_ramp()


def _beside_bakes(count: int) -> Figure:
    """Verbs, adverbs, phases and seeds of all of them differ; the bakes hold what is performed in the first round."""
    frames, rounds, target = CHARACTERS[count]
    armatures = many(make_biped(FPS), count)
    changes = play_bakes(armatures, (PERIOD + 1, PERIOD + frames))
    troupe, scene = Troupe(armatures, PERIOD + (rounds + 1) * frames), bpy.context.scene
    troupe.perform(PERIOD)

    def play() -> None:
        with unheard():
            for frame in range(PERIOD + 1, PERIOD + frames + 1):
                scene.frame_set(frame)

    tasks: dict[str, Callable[[], object]] = {
        "performed": lambda: troupe.perform(frames),
        "evaluated": lambda: troupe.evaluate(frames),
        "baked": play,
    }
    best = interleaved(tasks, rounds)
    ours, alone, theirs = (best[name] / frames for name in ("performed", "evaluated", "baked"))
    said = (
        f"{ours * 1e6:.0f} of {theirs * 1e6:.0f} us, each its own way; {changes} changes of verbs in {frames} frames; "
    )
    said += f"poses written and evaluated alone {alone / theirs:.2f}"
    name = f"{count} performed with locks beside frame_set of bakes, {BONES} bones"
    return Figure(name, ours / theirs, target, "", said)


def _on_a_ramp() -> Figure:
    level, ramp = many(make_biped(FPS), 2)
    ramp.verbs_adverbs.director.verbs_adverbs.performance.floor = _make_ramp()
    frames = (RAMP_ROUNDS + 1) * RAMP_FRAMES
    walkers = {name: Troupe([one], frames, WALKING) for name, one in (("level", level), ("ramp", ramp))}
    tasks = {name: partial(walker.perform, RAMP_FRAMES, evaluated=False) for name, walker in walkers.items()}
    best = interleaved(tasks, RAMP_ROUNDS)
    ours, theirs = best["ramp"] / RAMP_FRAMES, best["level"] / RAMP_FRAMES
    said = f"{ours * 1e6:.0f} of {theirs * 1e6:.0f} us, a walk, adverbs moving, from ticks to poses not yet evaluated"
    return Figure(f"performed frame on a ramp of {SLOPE:g} degrees beside on the level", ours / theirs, 4.0, "", said)


def _make_ramp() -> Object:
    """It rises in the direction in which the biped begins to walk."""
    mesh, rise = bpy.data.meshes.new("Ramp"), tan(radians(SLOPE))
    corners = [(-WIDE, WIDE), (WIDE, WIDE), (WIDE, -WIDE), (-WIDE, -WIDE)]
    mesh.from_pydata([(x, y, -rise * y) for x, y in corners], [], [(3, 2, 1, 0)])
    ramp = bpy.data.objects.new("Ramp", mesh)
    bpy.context.collection.objects.link(ramp)
    bpy.context.view_layer.update()
    return ramp
