"""Clip operators relative to their parts, and a verb with three layers relative to Blender's own NLA strips."""

from collections.abc import Iterator, Sequence
from typing import Any

import bpy
import numpy as np

from ..core.motion.clip import Motion, interpolated
from ..core.motion.clip_filter import filtered, low_pass
from ..core.motion.clip_mixing import blend, embed
from ..core.motion.clip_operators import loop, revert, time_shift, time_warp
from ..dev.figure import Figure
from .installed import make_armature, module
from .synthetic import make_synthetic, wandering
from .timing import interleaved

JOINTS, BONES, EXAMPLES, LAYERS = 67, 60, 8, 3
FRAMES, PLAYED, RATE = 1000, 240, 60.0
FRAME = 1.0 / RATE
ROUNDS = 15


def layer_figures() -> Iterator[Figure]:
    """Yield the figures of clip operators and of layers."""
    yield _operators()
    yield _layers()


def _operators() -> Figure:
    verb = make_synthetic(JOINTS, EXAMPLES).verb
    moves = verb.motion(np.zeros(3))
    seconds = np.linspace(0.0, moves.duration, int(np.ceil(moves.duration * RATE)) + 1)
    clip = interpolated(verb.channels, (0.0, moves.duration), moves.sample(seconds))
    tree, times = _tree(clip), np.linspace(0.0, 2.0 * clip.duration, FRAMES)
    turns = clip.sample(times)[:, verb.channels.rotation_columns].reshape(FRAMES, -1, 4)
    other, share = np.roll(turns, 7, axis=0), np.linspace(0.0, 1.0, FRAMES)[:, None]

    def parts() -> None:
        for _ in range(3):
            clip.sample(times % clip.duration)
        for _ in range(2):
            _slerp(turns, other, share)

    best = interleaved({"tree": lambda: tree.sample(times), "parts": parts}, ROUNDS)
    ours, theirs = best["tree"], best["parts"]
    said = f"{ours * 1e3:.1f} of {theirs * 1e3:.1f} ms for {FRAMES} frames of {JOINTS} joints"
    return Figure("a tree of clip operators beside its leaves and a slerp a blend", ours / theirs, 1.5, "", said)


def _tree(clip: Motion) -> Motion:
    """Blend(Filter(Loop(TimeWarp(clip))), Embed(Revert(clip), TimeShift(clip)))."""
    long = clip.duration
    warped = loop(0, time_warp([(0.0, 0.0), (0.5 * long, 0.4 * long), (long, 0.8 * long)], clip))
    first = filtered(low_pass(0.4 * RATE, RATE), RATE, warped)
    ramps = (0.2 * long, 0.4 * long, 0.6 * long, 0.8 * long)
    second = embed(revert(0.0, clip), time_shift(0.1 * long, clip), ramps, 0.0, 0.0)
    return blend(first, second, 0.9 * long, 1.1 * long, 0.0, 0.7 * long)


def _slerp(one: np.ndarray, other: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return rotations (T, J, 4) on the arc between two, by shares (T, 1)."""
    cosines = np.einsum("tjc,tjc->tj", one, other)
    angles = np.arccos(np.minimum(np.abs(cosines), 1.0))
    sines = np.maximum(np.sin(angles), 1e-9)
    weights = np.sin((1.0 - share) * angles) / sines, np.sign(cosines) * np.sin(share * angles) / sines
    return weights[0][..., None] * one + weights[1][..., None] * other


def _layers() -> Figure:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    armature, verb, scene = make_armature(BONES), make_synthetic(BONES, EXAMPLES).verb, bpy.context.scene
    plan = module("bridge.action.write_pose").make_plan(armature, verb.channels)
    writer, path = module("bridge.action.write_pose").LiveWriter(plan), wandering(PLAYED)
    graph = _graph(verb)
    rows = np.array(list(_played(graph, path)))
    data, tracks = armature.animation_data_create(), module("bridge.action.tracks")
    for number in range(LAYERS + 1):
        action = bpy.data.actions.new(f"Baked {number}")
        bag = module("bridge.blender.versions").bag_unassigned(armature, action)
        tracks.write_tracks(bag, tracks.tracks_of(plan, rows, np.arange(1.0, PLAYED + 1.0)))
        strip = data.nla_tracks.new().strips.new(action.name, 1, action)
        strip.influence = 1.0 if number == 0 else 0.5
    layer = bpy.context.view_layer

    def moved() -> None:
        for row in _played(graph, path):
            writer.write_row(armature, row)
            armature.update_tag(refresh={"OBJECT"})
            layer.update()

    def played() -> None:
        for frame in range(1, PLAYED + 1):
            scene.frame_set(frame)

    def muted(task: str) -> None:
        data.use_nla = task == "strips"

    best = interleaved({"layers": moved, "strips": played}, ROUNDS, before=muted)
    ours, theirs = best["layers"] / PLAYED, best["strips"] / PLAYED
    said = f"{ours * 1e6:.0f} of {theirs * 1e6:.0f} us: evaluated, written to the pose, scene updated"
    return Figure(f"{LAYERS} layers beside {LAYERS + 1} NLA strips, {BONES} bones", ours / theirs, 0.5, "", said)


def _graph(verb: Any) -> Any:
    """Return a graph of a verb with three layers over it, all on from the beginning."""
    layers, plays = module("core.layers.layer"), module("core.layers.layer").PlaysVerb(verb)
    masks = [np.where(np.arange(BONES) >= first, 1.0, 0.0) for first in (15, 30, 45)]
    made = [layers.Layer(f"layer {n}", plays, mask) for n, mask in enumerate(masks)]
    return module("core.layers.layer_set").with_layers(module("core.graph.verb_graph").graph_of(verb), made)


def _played(graph: Any, path: Sequence[tuple[float, ...]]) -> Iterator[np.ndarray]:
    """Yield rows (width,) of a verb whose adverbs move, with its layers, frame by frame."""
    play, player = module("core.play.graph_player"), module("core.play.player")
    verb, rng = graph.verbs[0], np.random.default_rng(0)
    on = {layer.switch: 1.0 for layer in graph.layers.layers}
    played = play.GraphPlayer(graph, on, rng, verb.name, settle=0.0)
    for frame, adverbs in enumerate(path):
        played.command(played.time, player.AskAdverbs(dict(zip(verb.adverb_names, adverbs, strict=True))))
        yield played.advance([(frame + 1) * FRAME]).values[0]
