"""A live frame, adverbs moving, beside Blender's own playing of the same motion baked."""

from collections.abc import Iterator

import bpy
import numpy as np

from .figure import Figure
from .installed import make_armature, module
from .synthetic import make_synthetic, wandering
from .timing import interleaved

BONES, EXAMPLES = 60, 8
FRAMES = 240
FRAME = 1.0 / 60.0
ROUNDS = 40
TRAVEL = (0.4, 0.2, 0.1)
TARGETS = {"QUATERNION": 0.6, "XYZ": 0.8}
"""Blender plays a bake in Euler angles the quicker by a quarter, having three curves a bone instead of four."""


def frame_figures() -> Iterator[Figure]:
    """The figures for one character, in quaternions and in Euler angles."""
    for mode in TARGETS:
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        yield _figure(mode)


def _figure(mode: str) -> Figure:
    armature, verb, scene = make_armature(BONES, mode), make_synthetic(BONES, EXAMPLES).verb, bpy.context.scene
    plan = module("bridge.action.write_pose").make_plan(armature, verb.channels)
    writer, live = module("bridge.session.live_writer").LiveWriter(plan), module("core.verb.live").LivePose(verb)
    path = wandering(FRAMES)
    phase, rows = 0.0, []
    for adverbs in path:
        phase = live.advance(phase, FRAME, adverbs)
        rows.append(np.concatenate([TRAVEL, live.pose(phase, adverbs)]))
    bag = module("bridge.blender.versions").bag_for_write(armature, bpy.data.actions.new("Baked"))
    tracks = module("bridge.action.tracks")
    tracks.write_tracks(bag, tracks.tracks_of(plan, np.array(rows), np.arange(1.0, FRAMES + 1.0)))
    layer = bpy.context.view_layer

    def moved() -> None:
        phase = 0.0
        for adverbs in path:
            phase = live.advance(phase, FRAME, adverbs)
            writer.write(armature, TRAVEL, 0.0, live.pose(phase, adverbs))
            armature.update_tag(refresh={"OBJECT"})
            layer.update()

    def played() -> None:
        for frame in range(1, FRAMES + 1):
            scene.frame_set(frame)

    best = interleaved({"live": moved, "baked": played}, ROUNDS)
    ours, theirs = best["live"] / FRAMES, best["baked"] / FRAMES
    said = f"{ours * 1e6:.0f} of {theirs * 1e6:.0f} us: evaluated, written to the pose, scene updated"
    name = f"live frame beside frame_set of a bake, {BONES} bones, {mode}"
    return Figure(name, ours / theirs, TARGETS[mode], "", said)
