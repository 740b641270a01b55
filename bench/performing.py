"""Frames of performed characters that are all alike, in Blender, beside playing the same motion baked."""

from collections.abc import Callable, Iterator
from functools import partial

import bpy

from ..core.graph.verb_graph import VerbGraph
from .cast import Cast
from .figure import Figure
from .timing import interleaved
from .walker import make_walker

BONES = 60
CHARACTERS = {1: (60, 40), 10: (24, 24), 50: (12, 12)}
"""How many are performed: for how many frames, and in how many rounds."""
BAKED = 0.75


def performing_figures() -> Iterator[Figure]:
    """Figures of one, ten and fifty characters."""
    graph = make_walker(BONES)
    for count in CHARACTERS:
        yield from _shown_figures(count, graph)


def _shown_figures(count: int, graph: VerbGraph) -> Iterator[Figure]:
    """Characters ticked as a performance is, all their sliders at rest or moved, beside as many that play bakes."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    frames, rounds = CHARACTERS[count]
    cast = Cast(graph, count, frames)
    tasks: dict[str, Callable[[], object]] = {"baked": cast.play_bakes}
    for moving, adverbs in enumerate(("steady", "moving")):
        for locked, locks in enumerate(("free", "locked")):
            tasks[f"{adverbs}, {locks}"] = partial(cast.perform, bool(moving), bool(locked))
    best = {name: seconds / frames * 1e6 for name, seconds in interleaved(tasks, rounds).items()}
    theirs = best["baked"]
    for adverbs in ("steady", "moving"):
        ours, held = best[f"{adverbs}, free"], best[f"{adverbs}, locked"]
        said = f"{ours:.0f} of {theirs:.0f} us a frame, no locks; with locks {held:.0f} us, {held / theirs:.2f} of it"
        name = f"{count} performed beside frame_set of bakes, {BONES} bones, adverbs {adverbs}"
        yield Figure(name, ours / theirs, BAKED, "", said)
