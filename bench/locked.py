"""Locked characters that are performed, each on its own: beside Blender playing their bakes, and on a ramp."""

from collections.abc import Callable, Iterator
from functools import partial
from math import radians, tan

import bpy
from bpy.types import Object

from ..dev.figure import Figure
from .biped import BONES, make_biped
from .installed import unheard
from .timing import interleaved
from .troupe import ASKED, FPS, PERIOD, WALKING, Troupe, many, play_bakes

TARGETS = {1: 2.2, 10: 0.75, 50: 0.75}
"""How long so many characters may take beside their bakes."""
LONG = {1: (PERIOD, 12), 10: (100, 10), 50: (30, 10)}
QUICK = {1: (75, 20), 10: (20, 12), 50: (5, 12)}
"""How many are performed: for how many frames, and in how many rounds; the shortest of few rounds varies too much."""
BAKED = 5
"""Of how many there are bakes where all only walk."""
SLOPE, WIDE = 10.0, 2000.0
"""Degrees and metres of the ramp."""
RAMP_FRAMES, RAMP_ROUNDS, QUICK_RAMP_ROUNDS = 75, 40, 12
"""Some more frames than a cycle of the walk has."""


def locked_figures() -> Iterator[Figure]:
    """Figures of one, ten and fifty characters, and of one on a ramp."""
    for count, (frames, rounds) in LONG.items():
        yield _beside_bakes(count, PERIOD, frames, rounds)
    yield _on_a_ramp(RAMP_ROUNDS)


def quick_locked_figures() -> Iterator[Figure]:
    """Figures of as many that walk, and the one on the ramp."""
    for count, (frames, rounds) in QUICK.items():
        yield _beside_bakes(count, 0, frames, rounds)
    yield _on_a_ramp(QUICK_RAMP_ROUNDS)


def _beside_bakes(count: int, first: int, frames: int, rounds: int) -> Figure:
    """Verbs, adverbs, phases and seeds of all of them differ; the bakes hold what is performed before the rounds.

    From the first frame on all of them only walk, so that the rounds, of which the shortest counts, are much alike.

    Parameters
    ----------
    count : of the characters.
    first : frame after which they are measured.
    frames, rounds : that are measured.
    """
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    armatures = many(make_biped(FPS), count)
    asked, baked = (ASKED, count) if first else (WALKING, BAKED)
    changes = play_bakes(armatures, (first + 1, first + frames), baked, asked)
    troupe, scene = Troupe(armatures, first + (rounds + 1) * frames, asked), bpy.context.scene
    troupe.perform(first)

    def play() -> None:
        with unheard():
            for frame in range(first + 1, first + frames + 1):
                scene.frame_set(frame)

    tasks: dict[str, Callable[[], object]] = {
        "performed": lambda: troupe.perform(frames),
        "evaluated": lambda: troupe.evaluate(frames),
        "baked": play,
    }
    best = interleaved(tasks, rounds)
    ours, alone, theirs = (best[name] / frames for name in ("performed", "evaluated", "baked"))
    said = f"{ours * 1e6:.0f} of {theirs * 1e6:.0f} us, each its own way; {changes} changes of verbs in {frames} frames"
    said += f"; poses written and evaluated alone {alone / theirs:.2f}"
    walking = "" if first else ", walking"
    name = f"{count} performed with locks beside frame_set of bakes, {BONES} bones{walking}"
    return Figure(name, ours / theirs, TARGETS[count], "", said)


def _on_a_ramp(rounds: int) -> Figure:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    level, ramp = many(make_biped(FPS), 2)
    ramp.verbs_adverbs.director.verbs_adverbs.performance.floor = _make_ramp()
    frames = (rounds + 1) * RAMP_FRAMES
    walkers = {name: Troupe([one], frames, WALKING) for name, one in (("level", level), ("ramp", ramp))}
    tasks = {name: partial(walker.perform, RAMP_FRAMES, evaluated=False) for name, walker in walkers.items()}
    best = interleaved(tasks, rounds)
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
