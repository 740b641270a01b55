"""Writing a generated action, and computing it as well, relative to Blender's own baking of as many frames."""

from collections.abc import Iterator
from functools import partial

import bpy
import numpy as np

from ..demo.operate import do, make_active
from ..dev.figure import Figure
from .biped import copied, key_sliders, make_biped, rest_anew, to_scene_of_its_own
from .installed import make_armature, module, unheard
from .synthetic import make_synthetic, wandering
from .timing import interleaved

BONES, EXAMPLES = 60, 8
FRAMES = 1000
ROUNDS = 5
FPS, KEYED_EVERY, SEED = 24, 50, 4


def writing_figures() -> Iterator[Figure]:
    """Yield the figures for one character."""
    yield _writing()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    yield _computing()


def quick_writing_figures() -> Iterator[Figure]:
    """Yield the figure of computing and writing."""
    yield _computing()


def _writing() -> Figure:
    armature, verb = make_armature(BONES), make_synthetic(BONES, EXAMPLES).verb
    director = bpy.data.objects.new("Director", None)
    bpy.context.collection.objects.link(director)
    plan = module("bridge.action.write_pose").make_plan(armature, verb.channels)
    timeline, tracks = module("bridge.session.timeline"), module("bridge.action.tracks")
    frames, score = np.arange(1.0, FRAMES + 1.0), module("bridge.session.request")
    graph = module("core.graph.verb_graph").graph_of(verb)
    adverbs, slides = np.array(wandering(1)[0]), module("bridge.session.floor_mesh").Feet()
    played = score.even_request(graph, adverbs, slides, np.zeros(4), 1.0, 60.0, frames).compute()

    def generate() -> None:
        director.verbs_adverbs.generated = None
        keys = tracks.keys_of(tracks.tracks_of(plan, played.values, played.frames))
        timeline.write_generated(armature, director, plan, keys, "bench")

    def bake() -> None:
        armature.animation_data.action = generated[0]
        _bake()

    generate()
    generated = [director.verbs_adverbs.generated]
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.ops.object.mode_set(mode="POSE")
    best = interleaved({"generate": generate, "bake": bake}, ROUNDS)
    ours, theirs = best["generate"], best["bake"]
    said = f"{ours * 1e3:.0f} ms beside {theirs * 1e3:.0f} ms of nla.bake, {BONES} bones"
    return Figure(f"writing {FRAMES} frames of generated action", theirs / ours, 15.0, "times", said, at_least=True)


def _computing() -> Figure:
    """Return the time of all work after a slider's key is changed and the user pauses, with locked feet."""
    armature, scene = make_biped(FPS), bpy.context.scene
    scene.frame_start, scene.frame_end = 1, FRAMES
    do("live_on", verb="walk")
    director, live = armature.verbs_adverbs.director, module("bridge.session.live")
    key_sliders(director, FRAMES, KEYED_EVERY, SEED)
    live.flush()
    double = copied(armature)
    do("bake", verb="walk", length="RANGE", frame_start=1, frame_end=FRAMES)
    other, action = to_scene_of_its_own(double), double.animation_data.action
    make_active(armature)
    window = bpy.context.window
    curves = module("bridge.blender.versions").curves_of(director.animation_data.action, director)
    curve = next(one for one in curves if one.data_path == '["mood"]')

    def bake() -> None:
        window.scene, double.animation_data.action = other, action
        other.view_layers[0].objects.active = double
        double.select_set(True, view_layer=other.view_layers[0])
        with unheard():
            bpy.ops.object.mode_set(mode="POSE")
            _bake()
            bpy.ops.object.mode_set(mode="OBJECT")
        window.scene = scene

    best = interleaved({"generate": partial(rest_anew, curve), "bake": bake}, ROUNDS)
    ours, theirs = best["generate"], best["bake"]
    said = f"{ours * 1e3:.0f} ms beside {theirs * 1e3:.0f} ms of nla.bake, {BONES} bones, feet held, sliders keyed"
    name = f"computing and writing {FRAMES} frames of generated action"
    return Figure(name, theirs / ours, 8.0, "times", said, at_least=True)


def _bake() -> None:
    bpy.ops.nla.bake(frame_start=1, frame_end=FRAMES, only_selected=False, bake_types={"POSE"})
