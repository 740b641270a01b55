"""Frames of performed characters: with locks beside without, and in Blender beside playing the same motion baked."""

import time
from collections.abc import Callable, Iterator
from functools import partial

import bpy
import numpy as np

from ..core.feet.live_locks import LiveLocks
from ..core.graph.verb_graph import VerbGraph
from ..core.play.graph_player import GraphPlayer
from .cast import Cast
from .figure import Figure
from .synthetic import wandering
from .timing import interleaved
from .walker import make_walker

JOINTS = 22
FRAMES = 65
FRAME = 1.0 / 60.0
"""So that the frames of a round are a cycle of the walk."""
ROUNDS = 150
LOCKED = 4.0
BONES = 60
CHARACTERS = {1: (60, 40), 10: (24, 24), 50: (12, 12)}
"""How many are performed: for how many frames, and in how many rounds."""
BAKED = 0.75
SEED = 1


def performing_figures() -> Iterator[Figure]:
    """Figures of one character's rows, and of one, ten and fifty characters in Blender."""
    yield from _lock_figures()
    graph = make_walker(BONES)
    for count in CHARACTERS:
        yield from _shown_figures(count, graph)


def _lock_figures() -> Iterator[Figure]:
    tasks: dict[str, Callable[[], object]] = {}
    for points, heels in (("a point a foot", False), ("heel and ball", True)):
        graph = make_walker(JOINTS, heels)
        for adverbs in ("steady", "moving"):
            for locks in ("free", "locked"):
                player = _player(graph, locks == "locked")
                path = wandering(FRAMES) if adverbs == "moving" else []
                tasks[f"{points}, adverbs {adverbs}, {locks}"] = partial(_play, player, path)
    best = interleaved(tasks, ROUNDS, time.thread_time)
    for name in (name.removesuffix(", locked") for name in tasks if name.endswith(", locked")):
        free, locked = best[f"{name}, free"] / FRAMES, best[f"{name}, locked"] / FRAMES
        said = f"{locked * 1e6:.0f} of {free * 1e6:.0f} us, adverbs and time to the row of values"
        yield Figure(f"performed frame with locks beside without, {name}", locked / free, LOCKED, "", said)


def _player(graph: VerbGraph, locked: bool) -> GraphPlayer:
    locks = LiveLocks(graph.channels, graph.points) if locked else None
    return GraphPlayer(graph, {}, np.random.default_rng(SEED), graph.verbs[0].name, locks=locks)


def _play(player: GraphPlayer, path: list[tuple[float, ...]]) -> None:
    """Go on by `FRAMES` frames; the adverbs go along `path` if it is not empty."""
    names = player.graph.verbs[0].adverb_names
    for frame in range(FRAMES):
        if path:
            player.set_adverbs(dict(zip(names, path[frame], strict=True)))
        player.step(FRAME)
        player.values()


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
