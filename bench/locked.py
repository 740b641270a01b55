"""Performed characters with locked feet, relative to Blender's playback of their bakes, and on a ramp."""

import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import radians, tan

import bpy
from bpy.types import Object

from ..dev.figure import Figure
from .biped import BONES, make_biped
from .installed import unheard
from .timing import garbage_collected, interleaved
from .troupe import ASKED, FPS, PERIOD, WALKING, Troupe, many, play_bakes

TARGETS = {1: 2.2, 10: 0.75, 50: 0.75}
RESTING_TARGETS = {1: 1.4, 10: 1.0, 50: 1.4}
"""Largest ratio of times to the bakes, by number of characters."""
TICKS, TICKING, LONGEST = 1000, 10, 4.0
"""Number of ticks measured one by one, number of characters, and largest ratio of the longest tick to the median."""


@dataclass(frozen=True)
class Way:
    """Setup of performed characters, and of the measurement of their frames.

    Parameters
    ----------
    name : its part in the names of figures.
    targets : largest ratio of times to the bakes, by number of characters.
    performed : by number of characters, the frames and rounds; the shortest of few rounds varies much.
    first : frame after which they are measured.
    asked, every : those of `Troupe`.
    baked : number of characters with bakes; the others play copies of these.
    """

    name: str
    targets: Mapping[int, float]
    performed: Mapping[int, tuple[int, int]]
    first: int = PERIOD
    asked: tuple[tuple[str, str], ...] = ASKED
    every: int = 1
    baked: int = 50


MOVING = Way("", TARGETS, {1: (PERIOD, 12), 10: (100, 10), 50: (30, 10)})
QUICK = Way(", walking", TARGETS, {1: (75, 20), 10: (20, 12), 50: (5, 12)}, 0, WALKING, baked=5)
RESTING = Way(
    ", nothing new asked for a second at a time",
    RESTING_TARGETS,
    {1: (PERIOD, 8), 10: (FPS, 8), 50: (FPS // 2, 6)},
    first=2 * FPS,
    every=FPS,
    baked=10,
)
"""Sliders move equally often in each round."""
SLOPE, WIDE = 10.0, 2000.0
"""Degrees and metres of the ramp."""
RAMP_FRAMES, RAMP_ROUNDS, QUICK_RAMP_ROUNDS = 75, 40, 12
"""Slightly more frames than in a cycle of the walk."""


def locked_figures() -> Iterator[Figure]:
    """Yield figures of one, ten and fifty characters, of the longest tick of ten, and of one on a ramp."""
    for way in (MOVING, RESTING):
        yield from (_beside_bakes(count, way) for count in way.performed)
        yield _longest_tick(way)
    yield _on_a_ramp(RAMP_ROUNDS)


def quick_locked_figures() -> Iterator[Figure]:
    """Yield figures of as many walking characters, and the one on the ramp."""
    yield from (_beside_bakes(count, QUICK) for count in QUICK.performed)
    yield _on_a_ramp(QUICK_RAMP_ROUNDS)


def _beside_bakes(count: int, way: Way) -> Figure:
    """Yield the ratio to bakes. Verbs, adverbs, phases and seeds differ; bakes hold the performance before the rounds.

    From the first frame on all characters only walk, so that the rounds, of which the shortest is used, are similar.
    """
    first, (frames, rounds), baked = way.first, way.performed[count], min(count, way.baked)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    armatures = many(make_biped(FPS), count)
    changes = play_bakes(armatures, (first + 1, first + frames), baked, way.asked, way.every)
    troupe, scene = Troupe(armatures, first + (rounds + 1) * frames, way.asked, way.every), bpy.context.scene
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
    some = f" of {baked} of them" * (baked < count)
    said = f"{ours * 1e6:.0f} of {theirs * 1e6:.0f} us, each its own way; {changes} changes of verbs{some} in {frames}"
    said += f" frames; poses written and evaluated alone {alone / theirs:.2f}"
    name = f"{count} performed with locks beside frame_set of bakes, {BONES} bones{way.name}"
    return Figure(name, ours / theirs, way.targets[count], "", said)


def _longest_tick(way: Way) -> Figure:
    """Return the figure of the longest tick, with Blender's evaluation and normal garbage collection."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    troupe = Troupe(many(make_biped(FPS), TICKING), PERIOD + TICKS, way.asked, way.every)
    troupe.perform(PERIOD)
    with garbage_collected() as collected:
        seconds = sorted(troupe.perform(TICKS))
    usual, (second, longest) = statistics.median(seconds), seconds[-2:]
    said = f"{longest * 1e3:.1f} of {usual * 1e3:.2f} ms; the second longest {second / usual:.2f} times the median"
    said += f"; Python's longest collection of garbage {max(collected, default=0.0) * 1e3:.1f} ms"
    name = f"longest of {TICKS:,} ticks of {TICKING} performed with locks beside their median{way.name}"
    return Figure(name, longest / usual, LONGEST, "", said)


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
    """Return a ramp that rises in the direction in which the biped starts to walk."""
    mesh, rise = bpy.data.meshes.new("Ramp"), tan(radians(SLOPE))
    corners = [(-WIDE, WIDE), (WIDE, WIDE), (WIDE, -WIDE), (-WIDE, -WIDE)]
    mesh.from_pydata([(x, y, -rise * y) for x, y in corners], [], [(3, 2, 1, 0)])
    ramp = bpy.data.objects.new("Ramp", mesh)
    bpy.context.collection.objects.link(ramp)
    bpy.context.view_layer.update()
    return ramp
