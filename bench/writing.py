"""Writing a generated action beside Blender's own baking of as many frames."""

from collections.abc import Iterator

import bpy
import numpy as np

from .figure import Figure
from .installed import make_armature, module
from .synthetic import make_synthetic, wandering
from .timing import interleaved

BONES, EXAMPLES = 60, 8
FRAMES = 1000
ROUNDS = 5


def writing_figures() -> Iterator[Figure]:
    """The figure for one character."""
    armature, verb = make_armature(BONES), make_synthetic(BONES, EXAMPLES).verb
    director = bpy.data.objects.new("Director", None)
    bpy.context.collection.objects.link(director)
    plan = module("bridge.action.write_pose").make_plan(armature, verb.channels)
    timeline, tracks, frames = (
        module("bridge.session.timeline"),
        module("bridge.action.tracks"),
        np.arange(1.0, FRAMES + 1.0),
    )
    played = timeline.Asked(verb, None, np.zeros(4), 1.0, 60.0, frames, np.array(wandering(1)[0])).compute()

    def generate() -> None:
        director.verbs_adverbs.generated = None
        keys = tracks.keys_of(tracks.tracks_of(plan, played.values, played.frames))
        timeline.write_generated(armature, director, plan, keys, "bench")

    def bake() -> None:
        armature.animation_data.action = generated[0]
        bpy.ops.nla.bake(frame_start=1, frame_end=FRAMES, only_selected=False, bake_types={"POSE"})

    generate()
    generated = [director.verbs_adverbs.generated]
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.ops.object.mode_set(mode="POSE")
    best = interleaved({"generate": generate, "bake": bake}, ROUNDS)
    ours, theirs = best["generate"], best["bake"]
    said = f"{ours * 1e3:.0f} ms beside {theirs * 1e3:.0f} ms of nla.bake, {BONES} bones"
    yield Figure(f"writing {FRAMES} frames of generated action", theirs / ours, 15.0, "times", said, at_least=True)
