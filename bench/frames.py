"""A live frame with moving adverbs, relative to Blender's playback of the same motion baked."""

from collections.abc import Iterator, Sequence

import bpy
import numpy as np

from ..core.verb.verb import Verb
from ..dev.figure import Figure
from .installed import make_armature, module
from .synthetic import make_synthetic, wandering
from .timing import interleaved

BONES, EXAMPLES = 60, 8
FRAMES = 240
FRAME = 1.0 / 60.0
ROUNDS, QUICK_ROUNDS = 40, 18
TARGETS = {"QUATERNION": 0.6, "XYZ": 0.8}
"""Blender plays a bake in Euler angles a quarter faster, with three curves per bone instead of four."""


def frame_figures(rounds: int = ROUNDS) -> Iterator[Figure]:
    """Yield the figures for one character, in quaternions and in Euler angles."""
    for mode in TARGETS:
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        yield _figure(mode, rounds)


def _figure(mode: str, rounds: int) -> Figure:
    armature, verb, scene = make_armature(BONES, mode), make_synthetic(BONES, EXAMPLES).verb, bpy.context.scene
    plan = module("bridge.action.write_pose").make_plan(armature, verb.channels)
    writer, path = module("bridge.action.write_pose").LiveWriter(plan), wandering(FRAMES)
    rows = list(_played(verb, path))
    bag = module("bridge.blender.versions").bag_for_write(armature, bpy.data.actions.new("Baked"))
    tracks = module("bridge.action.tracks")
    tracks.write_tracks(bag, tracks.tracks_of(plan, np.array(rows), np.arange(1.0, FRAMES + 1.0)))
    layer = bpy.context.view_layer

    def moved() -> None:
        for row in _played(verb, path):
            writer.write_row(armature, row)
            armature.update_tag(refresh={"OBJECT"})
            layer.update()

    def played() -> None:
        for frame in range(1, FRAMES + 1):
            scene.frame_set(frame)

    best = interleaved({"live": moved, "baked": played}, rounds)
    ours, theirs = best["live"] / FRAMES, best["baked"] / FRAMES
    said = f"{ours * 1e6:.0f} of {theirs * 1e6:.0f} us: evaluated, written to the pose, scene updated"
    name = f"live frame beside frame_set of a bake, {BONES} bones, {mode}"
    return Figure(name, ours / theirs, TARGETS[mode], "", said)


def _played(verb: Verb, path: Sequence[tuple[float, ...]]) -> Iterator[np.ndarray]:
    """Yield rows (width,) of a verb whose adverbs move, frame by frame."""
    play, player = module("core.play.graph_player"), module("core.play.player")
    graph = module("core.graph.verb_graph").graph_of(verb)
    played = play.GraphPlayer(graph, {}, np.random.default_rng(0), verb.name, settle=0.0)
    for frame, adverbs in enumerate(path):
        played.command(played.time, player.AskAdverbs(dict(zip(verb.adverb_names, adverbs, strict=True))))
        yield played.advance([(frame + 1) * FRAME]).values[0]
